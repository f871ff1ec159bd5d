"""What the installed Keras does with several cells whose dtype is not that of the stack around them: a line of JSON.

    python cell_dtypes.py --framework keras        or tf_keras

    {"framework", "keras", "tensorflow", "backend", "lines": {line: a letter}}

r: a functional model with this RNN ran on a CPU. s: it stopped, while it was built or when it ran. The answers of
several releases and backends are in fixtures/evidence/cell_dtypes.json, one a line.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import product

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from undrawn_weights import answer

#: The dtypes of two cells, of the StackedRNNCells around them (a list where there are none), and of the RNN.
CELLS = (
    ("", ""), ("mixed_float16", "mixed_float16"), ("float32", "float32"), ("float32", "mixed_float16"),
    ("mixed_float16", "float32"), ("mixed_bfloat16", "mixed_bfloat16"),
)  # fmt: skip
STACKS = ("a list", "", "mixed_float16", "float32")
LAYERS = ("", "mixed_float16", "unrolled")


def _given(dtype: str) -> str:
    return {"": "", "unrolled": ", unroll=True"}.get(dtype, f", dtype={dtype!r}")


def line(cells: tuple[str, str], stack: str, layer: str) -> str:
    """Return the call that makes the layer."""
    every = f"[LSTMCell(2{_given(cells[0])}), GRUCell(2{_given(cells[1])})]"
    made = every if stack == "a list" else f"StackedRNNCells({every}{_given(stack)})"
    return f"RNN({made}{_given(layer)})"


LINES = tuple(line(*one) for one in product(CELLS, STACKS, LAYERS))


def main() -> None:
    """Ask, print."""
    from ask import asked_of, named_keras

    framework, keras = named_keras(__doc__)
    asked = {**asked_of(framework, keras), "lines": {one: answer(keras, one) for one in LINES}}
    print(json.dumps(asked))


if __name__ == "__main__":
    main()
