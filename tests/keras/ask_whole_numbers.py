"""What Keras gives for whole numbers: asks every layer class and operation that rules/tables/masks.toml names.

    python tests/keras/ask_whole_numbers.py        writes fixtures/evidence/whole_numbers.json: name -> dtype for int32

A name that no call here fits, or that this Keras does not have, is not in the file. test_whole_numbers.py holds the
table against it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
import tensorflow as tf

from cudnnlint.rulebook import loader

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "whole_numbers.json"
#: Arguments that layer classes do not do without.
ARGUMENTS: dict[str, dict[str, Any]] = {
    **{name: {"units": 2} for name in ("Dense", "LSTM", "GRU", "SimpleRNN")},
    **{name: {"input_dim": 9, "output_dim": 2} for name in ("Embedding", "ReversibleEmbedding")},
    "EinsumDense": {"equation": "ab,bc->ac", "output_shape": 2},
    "MultiHeadAttention": {"num_heads": 1, "key_dim": 2},
    "RepeatVector": {"n": 2}, "Reshape": {"target_shape": (-1,)}, "CenterCrop": {"height": 2, "width": 2},
    "Resizing": {"height": 2, "width": 2}, "Rescaling": {"scale": 2.0}, "Dot": {"axes": 1},
    "Hashing": {"num_bins": 3}, "HashedCrossing": {"num_bins": 3}, "CategoryEncoding": {"num_tokens": 9},
    "Discretization": {"bin_boundaries": [1.0, 2.0]}, "IntegerLookup": {"vocabulary": [1, 2]},
}  # fmt: skip


def whole(*shape: int) -> np.ndarray[Any, Any]:
    return np.ones(shape, "int32")


def calls() -> Iterator[tuple[Any, ...]]:
    """Arguments to try, in this order: a tensor alone, several, with an axis, a shape or indices."""
    x, square, flags, at = whole(2, 4), whole(3, 3), np.ones((2, 4), bool), whole(2)
    yield from ((x,), (x, x), (flags, x, x), ([x, x],), ([x, x], 1), (x, 1), (x, 0, 1), (x, (2, 4)), (x, at), (square,))
    yield from ((x, [[1, 1], [1, 1]]), (x, (1, 0)), (x, 2, 1), (x, 0, 2), (x, x, x), (x, (0, 0), (1, 2)), (x, 1.0))
    yield from ((whole(2, 4, 4, 2), 2), (x, x, 1), (x, (0, 0), (2, 2), (1, 1)), (square, square), (x, at, 3))
    yield x, at, 2, 1


def result(function: Callable[..., Any]) -> str | None:
    """The dtype of what a function gives for int32; None where no call fits."""
    for arguments in calls():
        try:
            made = function(*arguments)
        except Exception:  # another call may fit
            continue
        first = made[0] if isinstance(made, list | tuple) and made else made
        if hasattr(first, "dtype"):
            return str(keras.backend.standardize_dtype(first.dtype))
    return None


def of_operation(name: str) -> str | None:
    places = (keras.ops, keras.ops.nn, tf, tf.math, tf.nn, tf.linalg, tf.keras.backend)
    found = next((getattr(place, name) for place in places if hasattr(place, name)), None)
    return None if found is None else result(found)


def of_layer(name: str) -> str | None:
    kind = getattr(keras.layers, name, None)
    if kind is None:
        return None
    for given in (*(whole(2, *[4] * rank) for rank in (1, 2, 3, 4)), [whole(2, 4)] * 2):
        try:
            made = kind(**ARGUMENTS.get(name, {}))(given)
        except Exception:  # it stops at integers, or takes another rank
            continue
        first = made[0] if isinstance(made, list | tuple) else made
        return str(keras.backend.standardize_dtype(first.dtype))
    return None


def written() -> dict[str, list[str]]:
    """The names of layers and operations, as the table has them."""
    rows = tomllib.loads((loader.folder() / "tables" / "masks.toml").read_text(encoding="utf-8"))
    return {kind: sorted({name for row in rows[kind] for name in row["name"]}) for kind in ("dtype", "operation")}


def main() -> None:
    names = written()
    asked = {"keras": keras.__version__, "tensorflow": tf.__version__}
    layers = {name: dtype for name in names["dtype"] if (dtype := of_layer(name))}
    operations = {name: dtype for name in names["operation"] if (dtype := of_operation(name))}
    data = {"asked": asked, "layers": layers, "operations": operations}
    EVIDENCE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    counts = {kind: len(found) for kind, found in names.items()}
    print(f"{len(layers)} of {counts['dtype']} layers, {len(operations)} of {counts['operation']} operations")


if __name__ == "__main__":
    sys.exit(main())
