"""Files of Keras 3 that Keras 2 is to load: it stops at each (asked of tf_keras 2.18.0 and 2.21.0)."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from configurations import FIXTURES, layer, lstm

from cudnnlint import check_many
from cudnnlint.reporters import Look, writer

POLICY = {"module": "keras", "class_name": "DTypePolicy", "config": {"name": "float32"}, "registered_name": None}
#: What tf_keras itself writes for a policy, and loads.
OWN_POLICY = {"class_name": "Policy", "config": {"name": "float32"}}
INPUT_3 = layer("InputLayer", "x", batch_shape=[None, 5, 3])
INPUT_2 = layer("InputLayer", "x", batch_input_shape=[None, 5, 3])


@pytest.mark.parametrize("target", ["tf_keras@2.21", "tensorflow@2.10", "keras@2.3"])
@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ([INPUT_3, lstm()], "raises"),
        ([lstm(dtype=POLICY)], "raises"),
        ([INPUT_2, lstm()], "cudnn"),
        ([INPUT_2, lstm(dtype=OWN_POLICY)], "cudnn"),
    ],
    ids=["input", "policy", "input of Keras 2", "policy of Keras 2"],
)
def test_keras_2_loads_no_file_of_keras_3(tmp_path: Path, layers: list[Any], expected: str, target: str) -> None:
    path = tmp_path / "model.json"
    model = {"class_name": "Sequential", "config": {"name": "model", "layers": layers}}
    path.write_text(json.dumps(model), encoding="utf-8")
    (report,) = check_many([path], target=target)
    told = {one.code for one in report.diagnostics}
    verdict = report.files[0].layers[0].judgements[0].verdict.value
    if target == "keras@2.3" and expected == "cudnn":  # the LSTM of standalone Keras never runs in cuDNN
        expected = "fallback"
    assert (verdict, "CDN214" in told) == (expected, expected == "raises")


def test_a_file_of_keras_3_is_not_taken_for_an_old_one() -> None:
    """It was, whenever it was checked for Keras 2: "This was saved for Keras 2 ... cudnnlint convert OLD NEW"."""
    (report,) = check_many([FIXTURES / "demo" / "sentiment.keras"], target="tf_keras@2.21")
    stream = io.StringIO()
    writer("text")(report, stream, Look())
    assert "saved for Keras 2" not in stream.getvalue()
    assert "Load it with Keras 3" in stream.getvalue()
