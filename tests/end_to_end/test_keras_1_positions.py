"""Behind `output_dim` Keras 1 has other arguments (init, inner_init, ...): what they mean in Keras 2 says nothing.

Read in keras/layers/recurrent.py of 1.0.0 and 1.2.2: LSTM(output_dim, init, inner_init, forget_bias_init, activation,
inner_activation, ...). A name that Keras 1 does not know is refused all the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from shell_run import Run


@pytest.mark.parametrize(
    ("call", "release", "verdict"),
    [
        ("LSTM(4, 'glorot_uniform', 'orthogonal', 'one', 'tanh', 'hard_sigmoid')", "1.2.2", "fallback"),
        ("LSTM(4, 'glorot_uniform', 'orthogonal', 'one', 'tanh', 'hard_sigmoid')", "0.3.2", "fallback"),
        ("GRU(4, 'glorot_uniform', 'orthogonal', 'tanh', 'sigmoid')", "1.2.2", "fallback"),
        ("LSTM(4, 'glorot_uniform', 'orthogonal', use_bias=True)", "1.2.2", "raises"),
        ("LSTM(4, use_bias=True)", "1.2.2", "raises"),
        ("LSTM(4, 'tanh', 'hard_sigmoid', True)", "2.2.4", "fallback"),
    ],
)
def test_positions_of_keras_1(
    call: str, release: str, verdict: str, tmp_path: Path, run: Callable[..., Run]
) -> None:
    (tmp_path / "requirements.txt").write_text(f"keras=={release}\n")
    (tmp_path / "p.py").write_text(f"from keras.layers import GRU, LSTM\n{call}\n")
    report = json.loads(run("check", str(tmp_path / "p.py"), "--output-format", "report").out)
    assert [layer["verdicts"][0]["verdict"] for layer in report["files"][0]["layers"]] == [verdict]
