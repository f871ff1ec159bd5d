"""What is told beside the fix: a faster loop, and where a kernel is; severities, and what a fix may do by itself."""

from __future__ import annotations

import pytest
from newest_releases import NEWEST, NEWEST_TF_KERAS

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.engine import Judged, judge
from cudnnlint.frontends.source import read
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, requested

BOOK = loader.load()
RELEASES = environment.releases(BOOK.tables)
TENSORFLOW = f"keras@{NEWEST}:tensorflow"
BEGIN = "from keras import Sequential, Input\nfrom keras.layers import *\n"
ASKED, SET, ALREADY = "compile(jit_compile=True)", "set use_cudnn=False", "unless another layer of the model uses cuDNN"


def judged(text: str, *targets: str) -> Judged:
    model = read("program.py", f"{BEGIN}{text}\n".encode(), BOOK.tables.names)
    return judge(model, requested.parse(targets, RELEASES), BOOK)


def finding(text: str, code: str, target: str = TENSORFLOW) -> Diagnostic:
    (found,) = [one for one in judged(text, target).diagnostics if one.code == code]
    return found


@pytest.mark.parametrize(
    ("text", "target", "way"),
    [
        ("LSTM(4, recurrent_dropout=.2)", TENSORFLOW, SET),
        ("GRU(4, recurrent_dropout=.2)", TENSORFLOW, SET),
        ("GRU(4, recurrent_dropout=.2, use_cudnn='auto')", TENSORFLOW, SET),
        ("LSTM(4, recurrent_dropout=.2, activation='relu')", TENSORFLOW, ALREADY),
        ("LSTM(4, recurrent_dropout=.2, recurrent_activation='relu')", TENSORFLOW, ALREADY),
        ("LSTM(4, recurrent_dropout=.2, unroll=True)", TENSORFLOW, ALREADY),
        ("LSTM(4, recurrent_dropout=.2, use_bias=False)", TENSORFLOW, ALREADY),
        ("LSTM(4, recurrent_dropout=.2, use_cudnn=False)", TENSORFLOW, ALREADY),
        ("GRU(4, recurrent_dropout=.2, reset_after=False)", TENSORFLOW, ALREADY),
        ("LSTM(4, recurrent_dropout=.2, use_cudnn=True)", TENSORFLOW, None),  # it raises: no loop is there to stay
        ("LSTM(4, recurrent_dropout=.2)", f"tf_keras@{NEWEST_TF_KERAS}", ASKED),
        ("LSTM(4, recurrent_dropout=.2)", "keras@2.8.0", ASKED),
        ("LSTM(4, recurrent_dropout=.2)", "keras@2.7.0", None),
        ("LSTM(4, recurrent_dropout=.2)", f"keras@{NEWEST}:jax", None),
    ],
)
def test_a_faster_loop_is_told_where_there_is_one(text: str, target: str, way: str | None) -> None:
    instead = finding(text, "CDN103", target).instead
    assert instead is None if way is None else way in (instead or "")


OWN_CALL = """class Mine(LSTM):
    def call(self, sequences, initial_state=None):
        return sequences
Mine(4, activation="relu")"""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SimpleRNN(4)", "CDN111"),
        ("LSTM(4, activation='relu')", "CDN101"),
        ("LSTM(4, recurrent_activation='relu')", "CDN102"),
        ("LSTM(4, use_bias=False)", "CDN106"),
        ("GRU(4, reset_after=False)", "CDN107"),
        ("RNN(LSTMCell(4))", "CDN108"),
        (OWN_CALL, "CDN113"),
    ],
)
def test_a_loop_that_may_be_meant_is_left_to_xla(text: str, code: str) -> None:
    assert ALREADY in (finding(text, code).instead or "")


OF_LSTM = {
    "tensorflow": "Keras 3.0.1 and later on TensorFlow",
    "torch": "Keras 3.15.0 and later on torch",
    "jax": "Keras 3.14.0 and later on JAX",
}


@pytest.mark.parametrize("backend", OF_LSTM)
def test_where_a_kernel_is_begins_with_the_own_backend(backend: str) -> None:
    own = [OF_LSTM[backend], *(text for name, text in OF_LSTM.items() if name != backend)]
    advice = finding("LSTM(4)", "CDN402", f"keras@3.0.0:{backend}").advice
    first = "JAX compiles the loop as a whole: measure it with cudnnlint probe before you change anything."
    begins = first if backend == "jax" else "Use another release or backend."
    assert advice == f"{begins} A cuDNN kernel for LSTM is in {', '.join(own)}."


def test_a_backend_that_never_had_a_kernel_is_named_last() -> None:
    advice = finding("GRU(4)", "CDN402", f"keras@{NEWEST}:jax").advice
    there = "Keras 3.0.1 and later on TensorFlow, Keras 3.14.0 and later on torch"
    assert advice.endswith(f"A cuDNN kernel for GRU is in {there}, and on JAX in no release.")


def test_before_tensorflow_2_the_class_for_the_kernel_alone_is_named() -> None:
    advice = finding("GRU(4)", "CDN402", "keras@2.2.4").advice
    assert "In this release CuDNNGRU runs in cuDNN, on a GPU only, and without dropout" in advice
    assert "A cuDNN kernel for GRU is in tf.keras" in advice


def test_the_release_at_which_an_open_target_changes_is_that_of_the_table() -> None:
    (layer,) = judged("LSTM(4)", "keras@3:torch").layers
    (judgement,) = layer.judgements
    assert judgement.verdict.value == "cudnn"
    assert judgement.condition == "before Keras 3.15.0 it falls back to a loop without cuDNN"


@pytest.mark.parametrize(
    ("text", "code", "applicability"),
    [
        ("LSTM(4, unroll=True)", "CDN105", "safe"),
        ("LSTM(4, recurrent_dropout=.2)", "CDN103", "unsafe"),
        ("LSTM(4, activation='relu')", "CDN101", "unsafe"),
        ("GRU(4, reset_after=False)", "CDN107", "unsafe"),
        ("l = LSTM(4, unroll=True)\nl.unroll = True", "CDN105", "displayonly"),
    ],
)
def test_only_a_fix_that_keeps_the_numbers_is_safe(text: str, code: str, applicability: str) -> None:
    fix = finding(text, code).fix
    assert fix is not None
    assert fix.applicability.value == applicability


def test_what_bites_behind_an_error_is_a_warning_and_the_error_one() -> None:
    text = "LSTM(4, recurrent_dropout=.2, use_cudnn=True)"
    assert [finding(text, code).severity.value for code in ("CDN103", "CDN202")] == ["error", "error"]
    assert finding("LSTM(4, recurrent_dropout=.2)", "CDN103").severity.value == "warning"


@pytest.mark.parametrize(
    ("calls", "steps"),
    [
        ("Sequential([Input((7, 3)), LSTM(4)])", 7),
        ("l = LSTM(4)\nl(Input((7, 3)))\nl(Input((9, 3)))", 9),
        ("l = LSTM(4)\nl(Input((7, 3)))\nl(Input((None, 3)))", None),
        ("LSTM(4)", None),
    ],
)
def test_the_steps_are_the_most_that_any_call_shows(calls: str, steps: int | None) -> None:
    (layer,) = judged(calls, TENSORFLOW).layers
    assert layer.steps == steps


def test_a_layer_that_another_file_decides_is_named_by_its_subclass() -> None:
    text = "class Mine(LSTM): pass\nMine(4, recurrent_dropout=.2)"
    assert "this Mine runs" in finding(text, "CDN103").message


def test_a_branch_that_is_not_known_is_open_between_its_ways() -> None:
    text = "import sys\nLSTM(4, unroll=True) if len(sys.argv) > 1 else LSTM(4)"
    verdicts = {one.judgements[0].verdict.value for one in judged(text, TENSORFLOW).layers}
    assert verdicts == {"fallback", "cudnn"}
    text = "import sys\nLSTM(4, unroll=len(sys.argv) > 1)"
    (layer,) = judged(text, TENSORFLOW).layers
    assert [layer.judgements[0].verdict.value, *(one.value for one in layer.judgements[0].possible)] == [
        "unknown", "cudnn", "fallback",
    ]  # fmt: skip
