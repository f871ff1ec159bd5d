"""What each rule offers to fix, and what it says of the numbers."""

from __future__ import annotations

from typing import Any

import pytest
from packaging.version import Version

from cudnnlint.core.edit import (
    CellToLayer,
    DropArgument,
    Effect,
    Intent,
    PadRight,
    PutInput,
    ReplaceClass,
    SetArgument,
    SetContext,
    Unroll,
)
from cudnnlint.core.fact import Fact, Known, OneOf, Opaque, Ref, Unknown
from cudnnlint.core.layer import Call, Construction, Layer, Model
from cudnnlint.core.place import Place, SavedPlace, SourcePlace
from cudnnlint.core.target import Point
from cudnnlint.engine.settle import settle
from cudnnlint.rulebook.loader import load

BOOK = load()
HERE = SourcePlace("m.py", 1, 1, 1, 2)
SAME, INFERENCE, OTHER, NEW = Effect
KERAS_3 = Point("keras", Version("3.15.1"), "tensorflow", Version("2.21.0"))
TF_KERAS = Point("tf_keras", Version("2.21.0"), "tensorflow", Version("2.21.0"))
V1, NOW = "tensorflow.compat.v1.keras.layers.LSTM", "tensorflow.keras.layers.LSTM"
OLD = {"path": V1, "point": TF_KERAS}
ON_TORCH = Point("keras", Version("3.15.1"), "torch", None)
KERAS_3_3 = Point("keras", Version("3.3.3"), "tensorflow", Version("2.16.1"))
V1_GRU, GRU_NOW = V1.replace("LSTM", "GRU"), NOW.replace("LSTM", "GRU")
OLD_GRU = {"class_name": "GRU", "path": V1_GRU, "point": TF_KERAS, "recurrent_activation": "sigmoid"}


def fact(value: Any, place: Place | None = None) -> Fact:
    return value if isinstance(value, OneOf) else Known(value, place)


def perhaps(value: object) -> OneOf:
    """This value, or one that is not known."""
    return OneOf((Known(value), Unknown("it is not read")))


def intent_of(
    rule: str,
    class_name: str = "LSTM",
    around: dict[str, Any] | None = None,
    cells: tuple[Construction, ...] | None = None,
    saved: bool = False,
    path: str = "",
    point: Point = KERAS_3,
    subclass: str | None = None,
    **arguments: Any,
) -> Intent | None:
    """What the rule offers for one layer, under Keras 3.15 on TensorFlow unless another point is given."""
    place = SavedPlace("m.keras", "l") if saved else HERE
    facts = {name: fact(value, place) for name, value in arguments.items()}
    path = path or f"keras.layers.{class_name}"
    variant = Construction(class_name, path, facts, cells=cells, place=place, subclass=subclass)
    call = Call({name: fact(value) for name, value in (around or {}).items()})
    layer = Layer("l", place, (variant,), (call,), saved=saved)
    offer = BOOK.rules[rule].fix
    assert offer is not None
    return offer(settle(layer, variant, call, point, BOOK.tables, Model("m", "keras", (layer,))))


def cell(class_name: str = "LSTMCell", **arguments: Any) -> Construction:
    facts = {name: fact(value) for name, value in arguments.items()}
    return Construction(class_name, f"keras.layers.{class_name}", facts)


USUAL_CELL = {"activation": "tanh", "recurrent_activation": "sigmoid", "use_bias": True, "recurrent_dropout": 0}
UNROLLED = [DropArgument("unroll")]
#: Arguments that only choose how to compute.
HARMLESS = ("enable_caching_device", "return_runtime")
OPEN_DTYPE = Construction(
    "LSTMCell", "keras.layers.LSTMCell", {"dtype": OneOf((Known("float16"), Known("mixed_float16")))}
)


@pytest.mark.parametrize(
    ("rule", "given", "effect", "steps"),
    [
        ("activation", {"activation": "relu"}, NEW, [DropArgument("activation")]),
        ("activation", {"activation": Opaque("a lambda", "tanh")}, SAME, [DropArgument("activation")]),
        ("activation", {"activation": Opaque("a lambda")}, NEW, [DropArgument("activation")]),
        ("activation", {"activation": Ref("keras.activations.tanh"), "point": TF_KERAS}, SAME,
         [DropArgument("activation")]),
        ("activation", {"activation": Ref("keras.activations.relu"), "point": TF_KERAS}, NEW,
         [DropArgument("activation")]),
        ("recurrent-activation", {"recurrent_activation": "hard_sigmoid"}, NEW, [DropArgument("recurrent_activation")]),
        ("recurrent-activation", {"recurrent_activation": Opaque("a lambda", "sigmoid")}, SAME,
         [DropArgument("recurrent_activation")]),
        ("recurrent-activation", {"recurrent_activation": Opaque("a lambda", "tanh")}, NEW,
         [DropArgument("recurrent_activation")]),
        ("input-dropout", {"dropout": 0.2, "point": KERAS_3_3}, INFERENCE, [DropArgument("dropout")]),
        ("rejected-argument", {"class_name": "GRU", "implementation": 2, "point": KERAS_3_3}, SAME,
         [DropArgument("implementation")]),
        ("rejected-argument", {"use_cudnn": False, "point": TF_KERAS}, SAME, [DropArgument("use_cudnn")]),
        ("removed-layer", {"class_name": "CuDNNLSTM"}, SAME, [ReplaceClass("CuDNNLSTM", "LSTM")]),
        ("removed-layer", {"class_name": "CuDNNGRU", "time_major": False, "point": TF_KERAS,
                           "path": "tensorflow.keras.layers.CuDNNGRU"}, SAME, [ReplaceClass("CuDNNGRU", "GRU")]),
        ("removed-layer", {"class_name": "CuDNNGRU", "time_major": False, "saved": True}, SAME,
         [ReplaceClass("CuDNNGRU", "GRU")]),
        ("v1-layer", OLD_GRU | {"reset_after": True}, SAME, [ReplaceClass(V1_GRU, GRU_NOW)]),
        ("v1-layer", OLD_GRU, NEW, [ReplaceClass(V1_GRU, GRU_NOW)]),
        ("xla-compiled", {"around": {"xla": True}}, INFERENCE,
         [SetContext("xla", False), SetContext("jit_compile", False)]),
        ("padding-not-right", {"around": {"mask": "left"}}, OTHER, [PadRight()]),
        ("recurrent-dropout", {"recurrent_dropout": 0.2}, INFERENCE, [DropArgument("recurrent_dropout")]),
        ("unrolled-loop", {"unroll": True}, SAME, [DropArgument("unroll")]),
        ("unrolled-loop", {"unroll": True, "dropout": 0.1}, SAME, [DropArgument("unroll")]),
        ("unrolled-loop", {"unroll": True, "dropout": 0.1, "point": TF_KERAS}, INFERENCE, [DropArgument("unroll")]),
        ("missing-bias", {"use_bias": False}, NEW, [DropArgument("use_bias"), SetArgument("unit_forget_bias", False)]),
        ("missing-bias", {"use_bias": False, "class_name": "GRU"}, NEW, [DropArgument("use_bias")]),
        ("reset-before", {"class_name": "GRU", "reset_after": False}, NEW, [DropArgument("reset_after")]),
        ("cudnn-refused", {"use_cudnn": False}, SAME, [DropArgument("use_cudnn")]),
        ("cudnn-insisted", {"use_cudnn": True}, SAME, [DropArgument("use_cudnn")]),
        ("unsupported-dtype", {"dtype": "bfloat16"}, OTHER, [SetArgument("dtype", "float32")]),
        ("undrawn-weights", {"dtype": "bfloat16"}, OTHER, [SetArgument("dtype", "mixed_bfloat16")]),
        ("undrawn-weights", {"dtype": "float16", "class_name": "SimpleRNN", "point": ON_TORCH}, OTHER,
         [SetArgument("dtype", "mixed_float16")]),
        ("rejected-argument", {"time_major": False}, SAME, [DropArgument("time_major")]),
        ("rejected-argument", {"batch_input_shape": (1, 2, 3)}, SAME, [PutInput("batch_input_shape")]),
        ("implementation-one-dropout", {"implementation": 1, "dropout": 0.1}, SAME, [DropArgument("implementation")]),
        ("removed-layer", {"class_name": "CuDNNGRU"}, SAME, [ReplaceClass("CuDNNGRU", "GRU")]),
        (
            "removed-layer",
            {"class_name": "CuDNNGRU", "time_major": False, "batch_input_shape": (1, 2, 3)},
            SAME,
            [ReplaceClass("CuDNNGRU", "GRU"), DropArgument("time_major"), PutInput("batch_input_shape")],
        ),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(),)}, SAME, [CellToLayer("LSTM")]),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(dropout=0.1),)}, INFERENCE, [CellToLayer("LSTM")]),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(dropout=0.0),)}, SAME, [CellToLayer("LSTM")]),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(dropout=perhaps(0)),)}, INFERENCE, [CellToLayer("LSTM")]),
        ("removed-layer", {"class_name": "CuDNNGRU", "time_major": perhaps(False)}, SAME,
         [ReplaceClass("CuDNNGRU", "GRU")]),
        ("v1-layer", {**OLD, "recurrent_activation": perhaps("sigmoid")}, NEW,
         [ReplaceClass(V1, NOW), DropArgument("recurrent_activation")]),
        (
            "custom-cell",
            {"class_name": "RNN", "cells": (cell(dtype="float32"),), "dtype": "float32"},
            SAME,
            [CellToLayer("LSTM")],
        ),
        ("custom-cell", {"class_name": "RNN", "cells": (cell("GRUCell"),)}, SAME, [CellToLayer("GRU")]),
        (
            "custom-cell",
            {"class_name": "RNN", "cells": (cell("GRUCell", reset_after=True),)},
            SAME,
            [CellToLayer("GRU")],
        ),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(**USUAL_CELL),)}, SAME, [CellToLayer("LSTM")]),
        *(("rejected-argument", {name: 1}, SAME, [DropArgument(name)]) for name in HARMLESS),
        ("unrolled-loop", {"unroll": True, "recurrent_dropout": 0.1, "point": TF_KERAS}, INFERENCE, UNROLLED),
        ("unrolled-loop", {"unroll": True, "point": TF_KERAS}, SAME, UNROLLED),
        ("unrolled-loop", {"unroll": True, "dropout": 0.1, "class_name": "GRU"}, SAME, UNROLLED),
        ("unrolled-loop", {"unroll": True, "dropout": 0.1, "class_name": "SimpleRNN"}, INFERENCE, UNROLLED),
        ("v1-layer", {**OLD, "recurrent_activation": "sigmoid"}, SAME, [ReplaceClass(V1, NOW)]),
        ("v1-layer", OLD, NEW, [ReplaceClass(V1, NOW)]),
        (
            "v1-layer",
            {**OLD, "recurrent_activation": "hard_sigmoid"},
            NEW,
            [ReplaceClass(V1, NOW), DropArgument("recurrent_activation")],
        ),
        (
            "custom-cell",
            {"class_name": "RNN", "cells": (cell(), cell())},
            INFERENCE,
            [Unroll(("LSTM", "LSTM"))],
        ),
    ],
)
def test_an_offer(rule: str, given: dict[str, Any], effect: Effect, steps: list[object]) -> None:
    intent = intent_of(rule, **given)
    assert intent is not None
    assert (intent.effect, list(intent.steps), intent.suggestion) == (effect, steps, False)
    assert not intent.says.endswith(".")


MASKED = {"around": {"mask": "data"}}


@pytest.mark.parametrize(
    ("rule", "given"),
    [
        ("recurrent-dropout", {"recurrent_dropout": 0.2, **MASKED}),
        ("unrolled-loop", {"unroll": True, **MASKED}),
        ("missing-bias", {"use_bias": False, **MASKED}),
        ("cudnn-refused", {"use_cudnn": False, **MASKED}),
        ("cudnn-refused", {"use_cudnn": False, "around": {"xla": True}}),
        ("cudnn-refused", {"use_cudnn": False, "around": {"exported_by": "model.export('m')"}}),
        ("input-dropout", {"dropout": 0.2, **MASKED}),
        ("rejected-argument", {"time_major": True}),
        ("custom-cell", {"class_name": "RNN", "dtype": "float16", "cells": (cell(dtype="mixed_float16"),)}),
        ("custom-cell", {"class_name": "RNN", "dtype": "mixed_float16", "cells": (cell(dtype="float16"),)}),
        ("cudnn-refused", {"use_cudnn": False, "around": {"torch_compiled": True}}),
        ("cudnn-refused", {"use_cudnn": False, "around": {"second_order": True}}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(activation="relu"),)}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(recurrent_activation="relu"),)}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(use_bias=False),)}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell("GRUCell", reset_after=False),)}),
        ("custom-cell", {"class_name": "RNN", "cells": (Construction("LSTMCell", "mine.LSTMCell"),)}),
        ("custom-cell", {"class_name": "RNN", "cells": (Construction("LSTMCell", V1 + "Cell"),)}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(), cell()), "return_state": True}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(), cell()), "stateful": True}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(),), "unroll": True}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(recurrent_dropout=0.2),)}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell("MinimalCell"),)}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(dtype="float16"),)}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(dtype="float16"),), "dtype": "float32"}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(),), "dtype": "float16"}),
        ("custom-cell", {"class_name": "RNN", "cells": (OPEN_DTYPE,), "dtype": "float16"}),
        ("rejected-argument", {"time_major": False, "saved": True}),
        ("padding-not-right", {"around": {"mask": "left"}, "saved": True}),
        ("removed-layer", {"class_name": "CuDNNLSTM", "subclass": "Mine"}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(activation=perhaps("tanh")),)}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(dtype=perhaps(None)),)}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(),), "unroll": perhaps(False)}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(), cell()), "stateful": perhaps(False)}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(), cell()), "around": {"initial_state": perhaps(False)}}),
        ("rejected-argument", {"time_major": perhaps(False)}),
        ("v1-layer", {**OLD, "subclass": "Mine"}),
        ("v1-layer", {**OLD, "saved": True}),
        ("custom-cell", {"class_name": "RNN", "cells": ()}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(),), **MASKED}),
        ("custom-cell", {"class_name": "RNN", "cells": (cell(), cell()), "go_backwards": True}),
    ],
)
def test_nothing_is_offered_that_might_do_harm(rule: str, given: dict[str, Any]) -> None:
    assert intent_of(rule, **given) is None


def test_a_padding_that_is_not_shown_is_only_suggested_to_change() -> None:
    found = {mask: intent_of("padding-not-right", around={"mask": mask}) for mask in ("left", "data")}
    assert {mask: one.suggestion for mask, one in found.items() if one is not None} == {"left": False, "data": True}
    loop = found["left"].otherwise if found["left"] is not None else None
    assert loop is not None
    assert (loop.steps, loop.effect, loop.suggestion) == ((SetArgument("use_cudnn", False),), SAME, True)
    without = intent_of("padding-not-right", around={"mask": "left"}, point=TF_KERAS)
    assert without is not None
    assert without.otherwise is None


@pytest.mark.parametrize(
    ("path", "written", "others"),
    [
        ("tensorflow.python.keras.layers.LSTM", (), "recurrent_activation"),
        ("tensorflow.python.keras.layers.LSTM", ("recurrent_activation",), None),
        ("tensorflow.python.keras.layers.GRU", (), "recurrent_activation and reset_after"),
        ("tensorflow.python.keras.layers.GRU", ("recurrent_activation",), "reset_after"),
        ("tensorflow.python.keras.layers.GRU", ("reset_after",), "recurrent_activation"),
        ("tensorflow.python.keras.layers.recurrent_v2.LSTM", (), None),
        ("keras.layers.recurrent.LSTM", (), None),
    ],
)
def test_a_corrected_import_names_the_defaults_that_it_changes(
    path: str, written: tuple[str, ...], others: str | None
) -> None:
    name = path.rpartition(".")[2]
    intent = intent_of("removed-layer", name, path=path, **dict.fromkeys(written))
    assert intent is not None
    told = "" if others is None else f", where the default of {others} is another"
    home = "keras.layers" if path.startswith("keras.") else "tensorflow.keras.layers"
    assert (intent.says, intent.effect) == (f"import {name} from {home}{told}", SAME if others is None else NEW)


def test_a_fix_says_what_it_does_with_each_argument() -> None:
    intent = intent_of("rejected-argument", time_major=False, batch_input_shape=(1, 2, 3))
    assert intent is not None
    assert intent.says == "remove time_major and move batch_input_shape into an Input"


def test_a_saved_model_keeps_its_numbers_with_a_bias_of_zeros() -> None:
    intent = intent_of("missing-bias", saved=True, use_bias=False)
    assert intent is not None
    assert intent.effect is INFERENCE


@pytest.mark.parametrize(
    "given",
    [
        {"dtype": OneOf((Known("float16"), Known("bfloat16")))},
        {"around": {"dtype": "bfloat16"}},
        {"class_name": "RNN", "cells": (cell(dtype="bfloat16"),), "dtype": "bfloat16"},
        {"dtype": "bfloat16", "point": ON_TORCH},  # whose kernel takes it on some GPUs alone
    ],
)
def test_weights_that_cannot_be_drawn_are_not_made_float32_where_more_has_to_be_known(given: dict[str, Any]) -> None:
    assert intent_of("undrawn-weights", **given) is None
