"""What the table says of whole numbers, held against what Keras gave for them (ask_whole_numbers.py)."""

from __future__ import annotations

import json

import pytest

from cudnnlint.core.masking import bare_name
from cudnnlint.keras import dtypes
from cudnnlint.keras.lattice import Dtype
from cudnnlint.rulebook import loader

EVIDENCE = loader.folder().parent / "fixtures" / "evidence" / "whole_numbers.json"
ANSWERS = json.loads(EVIDENCE.read_text(encoding="utf-8"))
TABLE = loader.load().tables.names.masks
#: What does not hang on the first tensor alone: their own tests are in test_transfer.py.
OWN = ("output_mode", "ratio")
#: Layers that give floats in a graph of TensorFlow, and integers eagerly, as Keras was asked: nothing is said of them.
BY_MODE = frozenset({"ContrastLimitedAdaptiveHistogramEqualization", "Resizing"})
#: The rows are what the source front end asks with the ids, and Keras was asked with a table of integers.
BY_THE_SECOND = frozenset({"embedding_lookup"})


def kept(dtype: str) -> bool:
    return not dtype.startswith(("float", "bfloat"))


def test_enough_was_asked() -> None:
    assert len(ANSWERS["layers"]) >= 70
    assert len(ANSWERS["operations"]) >= 180


@pytest.mark.parametrize("name", sorted(ANSWERS["operations"].keys() - BY_THE_SECOND))
def test_an_operation_gives_what_keras_gave_for_int32(name: str) -> None:
    seen = ANSWERS["operations"][name]
    found = dtypes.of_operation(TABLE, name, [Dtype("int32")])
    assert TABLE.on_dtype(name) is not None
    assert found.may_be_whole == kept(seen), f"Keras gives {seen}, the table {found}"
    if kept(seen) and "int" not in seen:
        assert found.name == seen


@pytest.mark.parametrize("name", sorted(ANSWERS["layers"]))
def test_a_layer_gives_what_keras_gave_for_int32(name: str) -> None:
    seen, does = ANSWERS["layers"][name], TABLE.dtype_behind(name, 3)
    if does is None:
        assert name in BY_MODE
        return
    if does.value not in OWN:
        assert (does.value in ("same", "promotes")) == kept(seen), f"Keras gives {seen}, the table says {does.value}"


#: Operations that Keras 3 was not asked for: they are TensorFlow's, or operators, or want other tensors.
NOT_ASKED = {
    "same": {"filltriangular", "identity", "tensor"},
    "booleans": {"arrayequal", "bitand", "bitor", "bitxor", "comparison", "intopk", "invert"},
    "indices": {"searchsorted", "shape"},
    "floats": {"besseli0", "embeddinglookup", "erf", "gelu", "l2normalize", "logsumexp", "randomnormal",
               "randomuniform", "rsqrt", "sigmoid", "silu", "softmax", "softplus"},
    "promotes": {"einsum", "matrixmultiply", "modulo", "select"},
}  # fmt: skip


@pytest.mark.parametrize("does", NOT_ASKED)
def test_an_operation_that_keras_was_not_asked_for_gives_this(does: str) -> None:
    asked = {bare_name(name) for name in ANSWERS["operations"].keys() - BY_THE_SECOND}
    rest = {name for name, what in TABLE.operations.items() if what.value == does} - asked
    assert rest == NOT_ASKED[does]
