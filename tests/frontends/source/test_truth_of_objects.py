"""Whether an object is true is known only where no class of its kind can be empty or zero."""

from __future__ import annotations

import pytest

from cudnnlint.frontends.source import read
from cudnnlint.rulebook import loader

START = """
import argparse, array, collections, datetime, decimal, enum, sys, threading, types, weakref
import keras, numpy, tensorflow as tf, torch
xs = sys.argv[1:]
"""


def constructed(made: str) -> set[str]:
    """Return the classes that a program constructs, which asks whether an object is true."""
    code = f"{START}value = {made}\nif value:\n    keras.layers.LSTM(3)\nelse:\n    keras.layers.GRU(3)\n"
    model = read("program.py", code.encode(), loader.load().tables.names)
    return {layer.variants[0].class_name for layer in model.layers}


@pytest.mark.parametrize(
    "made",
    [
        "collections.Counter(xs)",
        "collections.Counter(*xs)",
        "collections.UserList(xs)",
        "collections.UserString(xs)",
        "types.MappingProxyType(xs)",
        "weakref.WeakSet(xs)",
        "datetime.timedelta(*xs)",
        "decimal.Decimal(xs[0])",
        "array.array('i', xs)",
        "bytearray(len(xs))",
        "frozenset(xs)",
        "range(*xs)",
        "dict(*xs)",
        "enum.Flag(len(xs))",
        "numpy.array(xs)",
        "tf.Variable(len(xs))",
        "tf.TensorShape(xs)",
        "torch.nn.ModuleList(xs)",
    ],
)
def test_what_may_be_empty_or_zero_may_be_false(made: str) -> None:
    assert constructed(made) == {"LSTM", "GRU"}


@pytest.mark.parametrize(
    "made",
    ["argparse.Namespace()", "threading.Event()", "keras.layers.Dense(3)", "keras.callbacks.History()", "object()"],
)
def test_what_is_never_empty_is_true(made: str) -> None:
    assert constructed(made) == {"LSTM"}
