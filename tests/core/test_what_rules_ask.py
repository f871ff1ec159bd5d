"""What rules ask of a case: its mask, its dtype policy, and whether the two directions need one call."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from packaging.version import Version

from cudnnlint.core.directions import FAULTS, apart
from cudnnlint.core.execution_context import (
    computes_in,
    export,
    flag,
    floatx,
    integers,
    may_be_padded,
    padding,
    policy,
    policy_name,
    unknown,
    unlike_dtypes,
)
from cudnnlint.core.fact import ABSENT, Assumed, Default, Fact, Known, OneOf, Ref, Unknown, certainly, shown
from cudnnlint.core.layer import Construction, Layer, Wrapper
from cudnnlint.core.named_objects import misnamed
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.replacements import advise
from cudnnlint.core.rule import Case
from cudnnlint.core.tables import RowScope, Trait
from cudnnlint.core.target import Point, Span
from cudnnlint.core.truth import Truth

YES, NO, UNSURE = Truth.YES, Truth.NO, Truth.UNKNOWN
THERE = SourcePlace("a.py", 9, 1, 9, 5)
NOT_READ = Unknown("it is not read")
USUAL = {
    "units": Known(4), "activation": Default("tanh"), "recurrent_activation": Default("sigmoid"),
    "dropout": Default(0.0), "recurrent_dropout": Default(0.0), "stateful": Default(False), "use_bias": Default(True),
    "reset_after": Default(True), "use_cudnn": Default("auto"),
}  # fmt: skip


def case(arguments: dict[str, Fact] | None = None, wrapper: Wrapper | None = None, **surroundings: Fact) -> Case:
    """A GRU with these arguments beside the usual ones, and what surrounds it."""
    made = Construction("GRU", "keras.layers.GRU", arguments or {})
    layer = Layer("gru", THERE, (made,), wrappers=(wrapper,) if wrapper else ())
    settled = {**USUAL, **(arguments or {})}
    point = Point("keras", Version("3.15.1"), "tensorflow", None)
    return Case(layer, made, "GRU", settled, surroundings, point, defaults={"stateful": False, "reset_after": True})


def test_a_flag_is_there_or_not_or_not_known() -> None:
    facts: dict[str, Fact] = {"on": Known(True), "off": Known(False), "open": NOT_READ, "one": Known(1)}
    found = {name: flag(case(xla=fact), "xla", "with XLA", "without") for name, fact in facts.items()}
    assert {name: (one.truth, one.found) for name, one in found.items()} == {
        "on": (YES, "with XLA"), "off": (NO, "without"), "open": (UNSURE, "unknown (it is not read)"),
        "one": (NO, "without"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("mask", "text", "may"),
    [
        (Known("none"), "no mask", False), (Known("right"), "a right-padded mask", False),
        (Known("left"), "a mask that is left-padded or has gaps", True),
        (Known("data"), "a mask whose padding depends on the data", True), (Known("more"), "'more'", True),
        (Assumed("none", "said so"), "'none'", False), (NOT_READ, "unknown (it is not read)", True),
        (OneOf((Known("none"), Known("right"))), "no mask or a right-padded mask", False),
        (OneOf((Known("none"), Known("left"))), "no mask or a mask that is left-padded or has gaps", True),
    ],
)  # fmt: skip
def test_a_mask_is_told_in_words_and_may_be_padded(mask: Fact, text: str, may: bool) -> None:
    assert (shown(padding(case(mask=mask))), may_be_padded(case(mask=mask))) == (text, may)


@pytest.mark.parametrize(
    ("own", "found"),
    [
        (ABSENT, (Known("float16"), False)), (Known(None), (Known("float16"), False)),
        (Default(None), (Known("float16"), False)), (Assumed(None, "said so"), (Known("float16"), False)),
        (Known("float32"), (Known("float32"), True)), (NOT_READ, (NOT_READ, True)),
    ],
)  # fmt: skip
def test_the_policy_is_the_layers_own_or_the_global_one(own: Fact, found: tuple[Fact, bool]) -> None:
    assert policy(case({"dtype": own}, dtype=Known("float16"))) == found


@pytest.mark.parametrize(
    ("value", "name", "computes"),
    [
        (None, "float32", "float32"), ("mixed_float16", "mixed_float16", "float16"),
        ("int8_from_mixed_bfloat16", "int8_from_mixed_bfloat16", "bfloat16"),
        *((Ref(f"tensorflow.{dtype}"), dtype, dtype) for dtype in ("float16", "bfloat16", "float32", "float64")),
        (Ref("tensorflow.mystery"), None, None), (Ref("float16"), "float16", "float16"), (16, None, None),
        ({"class_name": "DTypePolicy", "config": {"name": "float16"}}, "float16", "float16"),
        ({"class_name": "DTypePolicy", "config": {}}, None, None), ({"class_name": "DTypePolicy"}, None, None),
        ({"config": "name"}, None, None),
    ],
)  # fmt: skip
def test_a_policy_has_a_name_and_a_dtype_to_compute_in(value: Any, name: str | None, computes: str | None) -> None:
    assert policy_name(value) == name
    assert (computes_in(name) if name else None) == computes
    assert floatx(case(floatx=Known(value))) == name
    assert floatx(case(floatx=NOT_READ)) is None


def test_two_policies_compute_alike_or_not_or_it_is_not_known() -> None:
    pairs = [("float16", "mixed_float16"), ("float16", "float32"), (None, "float32"), (None, "float16"),
             ("float16", Ref("tensorflow.mystery")), (Ref("tensorflow.mystery"), "float16")]  # fmt: skip
    here = case(floatx=Known("float32"))
    found = [unlike_dtypes(here, Known(one), Known(other)) for one, other in pairs]
    assert found == [NO, YES, NO, YES, UNSURE, UNSURE]
    assert unlike_dtypes(case(floatx=NOT_READ), Known(None), Known("float32")) is UNSURE


def test_a_fact_is_certainly_a_value_where_it_can_be_no_other() -> None:
    zero = (Known(0), Assumed(0, "it is the default"), OneOf((Known(0), Assumed(0, "it is the default"))))
    assert all(certainly(fact, 0) for fact in zero)
    other = (ABSENT, Unknown("?"), Known(1), *(OneOf((Known(0), one)) for one in (ABSENT, Unknown("?"), Known(1))))
    assert not any(certainly(fact, 0) for fact in other)


def test_the_first_call_that_exports_a_layer_is_told() -> None:
    calls: list[Fact] = [ABSENT, Known(None), Known("export()"), OneOf((NOT_READ, Known(None), Known("save()")))]
    assert [export(case(exported_by=fact)) for fact in calls] == [None, None, "export()", "save()"]
    assert [unknown(fact) for fact in calls] == [False, False, False, True]


def test_integers_and_booleans_are_told_from_floats() -> None:
    dtypes = ("int32", "uint8", "bool", "float32", "bfloat16", "string")
    found = [integers(case(input_dtype=Known(dtype))).truth for dtype in dtypes]
    assert found == [YES, YES, YES, NO, NO, NO]


def pair(explicit: bool = True, class_name: str = "GRU", **arguments: Fact) -> Wrapper:
    """A Bidirectional with these arguments of the other direction."""
    other = Construction(class_name, arguments={"units": Known(4), **arguments}, place=THERE)
    return Wrapper("Bidirectional", "forward", explicit=explicit, sibling=other)


def unlike(name: str, mine: str, theirs: str) -> str:
    """What is said of an argument that differs."""
    return f"{name} is {mine} in one direction and {theirs} in the other"


ALIKE = {"activation": Known("tanh"), "recurrent_activation": Known("sigmoid")}
#: Arguments of this direction, the wrapper, and what separates the two directions.
DIRECTIONS: list[tuple[dict[str, Fact], Wrapper | None, Truth, str]] = [
    ({"dropout": Known(0.5)}, None, NO, ""), ({}, Wrapper("Bidirectional", "forward"), NO, ""),
    ({}, pair(**ALIKE), NO, ""), ({}, Wrapper("TimeDistributed"), NO, ""),
    ({}, pair(class_name="LSTM", **ALIKE), YES, "one direction is GRU, the other LSTM"),
    *(({name: value}, wrapper, YES, f"{name} is {value.value!r}")
      for wrapper in (pair(**ALIKE), Wrapper("Bidirectional", "forward"))
      for name, value in {"dropout": Known(0.5), "recurrent_dropout": Known(0.5), "stateful": Known(True),
                          "use_bias": Known(False), "reset_after": Known(False), "use_cudnn": Known(False)}.items()),
    ({"use_cudnn": Known(True)}, pair(**ALIKE), NO, ""),
    ({"use_cudnn": Known(0)}, pair(**ALIKE), YES, "use_cudnn is 0"),
    ({}, pair(**ALIKE, stateful=Known(True)), YES, "stateful is True"),
    ({}, pair(**ALIKE, stateful=NOT_READ), UNSURE, "stateful is unknown (it is not read)"),
    ({}, pair(explicit=False, stateful=Known(True)), NO, ""),
    ({"units": Known(5)}, pair(**ALIKE), YES, unlike("units", "5", "4")),
    ({"units": Known(5)}, pair(explicit=False), NO, ""),
    ({"units": Assumed(5, "said so")}, pair(**ALIKE), YES, unlike("units", "5", "4")),
    ({"units": NOT_READ}, pair(**ALIKE), UNSURE, unlike("units", "unknown (it is not read)", "4")),
    ({}, pair(**{**ALIKE, "activation": Known("relu")}), YES, unlike("activation", "'tanh'", "'relu'")),
    ({}, pair(**{**ALIKE, "recurrent_activation": Known("tanh")}), YES,
     unlike("recurrent_activation", "'sigmoid'", "'tanh'")),
    ({}, pair(**{**ALIKE, "activation": Known(Ref("my.tanh"))}), UNSURE, unlike("activation", "'tanh'", "my.tanh")),
    ({"activation": Known(Ref("my.tanh"))}, pair(**ALIKE), UNSURE, unlike("activation", "my.tanh", "'tanh'")),
    ({}, pair(recurrent_activation=Known("sigmoid")), UNSURE, unlike("activation", "'tanh'", "not written")),
    ({"activation": ABSENT}, pair(recurrent_activation=Known("sigmoid")), NO, ""),
    ({"units": NOT_READ, "dropout": Known(1)}, pair(**ALIKE), YES, "dropout is 1"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "wrapper", "truth", "found"), DIRECTIONS, ids=range(len(DIRECTIONS)))
def test_two_directions_need_a_call_each(
    arguments: dict[str, Fact], wrapper: Wrapper | None, truth: Truth, found: str
) -> None:
    finding = apart(case(arguments, wrapper))
    assert (finding.truth, finding.found) == (truth, found)
    if truth is UNSURE:
        assert finding.because
    if "direction" in found:
        assert (finding.place, finding.origin) == (THERE, "written")


#: A word of the advice on each argument of old Keras.
IN_PLACE = {
    "batch_size": "Input(batch_shape=(", "batch_input_shape": "Input(batch_shape=(", "input_length": "Input((steps",
    "input_dim": "Input((steps", "time_major": "batch first", "use_cudnn": "Remove use_cudnn",
    "weights": "set_weights()", "inner_activation": "recurrent_activation", "output_dim": "units",
    "inner_init": "recurrent_initializer", "dropout_W": "dropout", "dropout_U": "recurrent_dropout",
    "consume_less": "Remove it",
}  # fmt: skip


def test_the_advice_tells_what_stands_in_place_of_an_argument() -> None:
    advised = {name: advise(replace(case(), rejected=(name,))) or "" for name in IN_PLACE}
    assert [name for name, word in IN_PLACE.items() if word not in advised[name]] == []
    assert advise(replace(case(), rejected=("input_dim", "own", "input_length"))) == advised["input_dim"]
    assert advise(replace(case(), rejected=("output_dim", "weights"))) == " ".join(
        advised[name] for name in ("output_dim", "weights")
    )
    assert advise(replace(case(), rejected=("own",))) is None


def test_what_both_directions_do_by_default_does_not_separate_them() -> None:
    assert set(FAULTS) <= set(USUAL)
    assert apart(case({}, pair(**ALIKE))).truth is NO


#: What a release finds by name, and what it does not, though another release does.
WORDS = {
    "initializer": {"zeros", "orthogonal"}, "regularizer": {"l2"}, "constraint": {"nonneg"}, "activation": {"tanh"},
    "no-initializer": {"he"}, "no-regularizer": {"l1_l2"}, "no-constraint": {"maxnorm"}, "no-activation": {"mish"},
    "perhaps-initializer": {"HeNormal"}, "two-dimensional": {"orthogonal"}, "no-dtype": {"float8"},
    "unread": {"SimpleRNN.activity_regularizer"},
}  # fmt: skip
#: The class and its arguments; which of them are names that the release does not find.
NAMED: list[tuple[str, dict[str, object], dict[str, Truth]]] = [
    ("LSTM", {"kernel_initializer": "zeros", "activation": "tanh", "units": "he", "dtype": "float32"}, {}),
    ("LSTM", {"kernel_initializer": "he", "kernel_regularizer": "l1_l2", "bias_constraint": "maxnorm",
              "activation": "mish"},
     dict.fromkeys(("kernel_initializer", "kernel_regularizer", "bias_constraint", "activation"), YES)),
    ("LSTM", {"kernel_initializer": "HE", "kernel_regularizer": " l1_l2 "},
     {"kernel_initializer": YES, "kernel_regularizer": YES}),
    ("LSTM", {"kernel_initializer": "HeNormal", "activation": "ours"},
     {"kernel_initializer": UNSURE, "activation": UNSURE}),
    ("LSTM", {"dtype": "float8"}, {"dtype": YES}),
    ("SimpleRNN", {"activity_regularizer": "l1_l2"}, {}),
    ("LSTM", {"activity_regularizer": "l1_l2"}, {"activity_regularizer": YES}),
    ("LSTM", {"bias_initializer": "orthogonal"}, {"bias_initializer": YES}),
    ("LSTM", {"kernel_initializer": "orthogonal"}, {}),
    ("LSTM", {"bias_initializer": "orthogonal", "use_bias": False}, {}),
    ("LSTM", {"bias_initializer": "orthogonal", "reset_after": True}, {"bias_initializer": YES}),
    ("GRU", {"bias_initializer": "orthogonal", "reset_after": True}, {}),
    ("GRU", {"bias_initializer": "orthogonal", "reset_after": False}, {"bias_initializer": YES}),
    ("GRU", {"bias_initializer": "orthogonal"}, {"bias_initializer": UNSURE}),
    ("LSTM", {"bias_initializer": None}, {"bias_initializer": YES}),
    ("ConvLSTM2D", {"bias_initializer": None}, {"bias_initializer": YES}),
    ("LSTM", {"bias_initializer": None, "unit_forget_bias": False}, {}),
    ("LSTM", {"bias_initializer": None, "use_bias": False}, {}),
    ("GRU", {"bias_initializer": None}, {}),
    ("LSTM", {"bias_initializer": "zeros"}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("class_name", "arguments", "refused"), NAMED, ids=range(len(NAMED)))
def test_a_name_is_refused_that_the_release_does_not_find(
    class_name: str, arguments: dict[str, object], refused: dict[str, Truth]
) -> None:
    assert named(class_name, arguments) == refused


def named(class_name: str, arguments: dict[str, object], **parts: Any) -> dict[str, Truth]:
    """The names in the arguments of a layer that is constructed like this which are not found, or may not be."""
    facts: dict[str, Fact] = {name: Known(value) for name, value in arguments.items()}
    made = Construction(class_name, **{"registered": False, **parts})
    anywhere = RowScope("keras", None, Span(), Span())
    traits = {of: (Trait(frozenset(words), anywhere, "here"),) for of, words in WORDS.items()}
    words = {of: frozenset(words) for of, words in WORDS.items()}
    here = replace(case(), construction=made, arguments=facts, traits=traits, words=words)
    return {name: finding.truth for name, finding in misnamed(here) if finding.truth is not NO}


def test_a_name_in_a_cell_of_keras_is_looked_up_and_one_in_a_users_cell_is_not() -> None:
    own, users = (
        Construction("GRUCell", arguments={"kernel_initializer": Known("he")}, subclass=name) for name in (None, "Mine")
    )
    assert named("RNN", {}, cells=(own,)) == {"kernel_initializer": YES}
    assert named("RNN", {}, cells=(users,)) == {}


def test_a_name_may_be_registered_where_the_program_registers_something() -> None:
    found = [named("GRU", {"activation": "mish"}, registered=one) for one in (True, None, False)]
    assert found == [{"activation": UNSURE}, {"activation": UNSURE}, {"activation": YES}]
