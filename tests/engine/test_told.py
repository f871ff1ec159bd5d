"""What the engine tells of a layer: verdicts with their conditions, and diagnostics field by field."""

from __future__ import annotations

from dataclasses import replace

import pytest
from newest_releases import NEWEST
from test_remedies import BEGIN, BOOK, RELEASES, TENSORFLOW, finding, judged

from cudnnlint.core.book import Rulebook
from cudnnlint.core.fact import Assumed, Known
from cudnnlint.core.layer import Call, Construction, Layer, Model, Wrapper
from cudnnlint.core.place import SavedPlace, SourcePlace
from cudnnlint.core.target import Release, Span, Target, TargetCondition
from cudnnlint.engine import judge, verdict_for
from cudnnlint.frontends.source import read
from cudnnlint.targets import requested

MASKED = "LSTM(4{})(Masking()(Input((3, 2))))"
EMPTY = "a mask that is not right-padded or has an empty row"
LOOP = "falls back to a loop without cuDNN"


def verdicts(text: str, *targets: str) -> list[str]:
    """The verdict of each layer for each target."""
    return [one.verdict.value for layer in judged(text, *targets).layers for one in layer.judgements]


@pytest.mark.parametrize(
    ("text", "target", "condition"),
    [
        ("LSTM(4)", TENSORFLOW, None),
        ("GRU(4, return_state=True)", "keras@3.11.2:tensorflow",
         "in graph mode (fit, evaluate, predict, tf.function); in eager calls it runs in cuDNN, with wrong results"),
        ("LSTM(4)", "keras@3.0.0:tensorflow",
         "in graph mode (fit, evaluate, predict, tf.function); in eager calls it runs in cuDNN"),
        ("GRU(4)", "keras@3..<3.3:tensorflow", f"before Keras 3.0.1 it {LOOP}"),
        ("CuDNNLSTM(4)", "keras@2.3.1:tensorflow@1.15.0..<2.2", "before TensorFlow 2.0.0 it runs in cuDNN"),
        ("GRU(4)", "keras@3.0.0..<3.0.2:tensorflow", f"before Keras 3.0.1 it {LOOP}"),
        ("LSTM(4)", "keras@3:jax", f"before Keras 3.14.0 it {LOOP}"),
        ("LSTM(4, dtype='bfloat16', recurrent_initializer='zeros')", "keras@3:tensorflow",
         f"before Keras 3.0.1 it {LOOP}"),
        ("LSTM(4, dtype='bfloat16')", "keras@3:tensorflow", None),
        ("GRU(4, dtype='float16')", "keras@2.6..<3", "before Keras 2.10.0 it raises an error"),
        ("GRU(4, dtype='float16')", "tensorflow@2.0..<2.6", "before TensorFlow 2.4.0 it runs in cuDNN"),
        (MASKED.format(""), TENSORFLOW, f"{EMPTY}: raises an error; otherwise it runs in cuDNN"),
        (MASKED.format(""), "tf_keras", f"{EMPTY}: {LOOP}; otherwise it runs in cuDNN"),
        (MASKED.format(""), "keras@3:tensorflow",
         f"{EMPTY}: raises an error; otherwise it runs in cuDNN; before Keras 3.2.0 it {LOOP}"),
        (MASKED.format(""), "tensorflow@2.0..<2.4",
         f"a right-padded mask with an empty row: raises an error; {EMPTY}: {LOOP}; otherwise it runs in cuDNN"),
    ],
)  # fmt: skip
def test_a_verdict_says_under_which_condition_it_holds(text: str, target: str, condition: str | None) -> None:
    (layer,) = judged(text, target).layers
    assert layer.judgements[0].condition == condition
    for diagnostic in judged(text, target).diagnostics:
        assert diagnostic.consequence == (f"{condition[:1].upper()}{condition[1:]}." if condition else None)


@pytest.mark.parametrize(
    ("text", "since", "condition"),
    [
        ("LSTM(4)", "2.0.0", f"before Keras 2.4.0 it {LOOP}"),
        ("GRU(4, dtype='float16')", "2.3.0",
         f"before Keras 2.4.0 it {LOOP}; from Keras 2.4.0 to before TensorFlow 2.4.0 it runs in cuDNN"),
    ],
)  # fmt: skip
def test_behind_standalone_keras_the_first_tensorflow_has_the_number_of_the_package_keras(
    text: str, since: str, condition: str
) -> None:
    """An installer is asked for keras there; of the releases behind, only those of TensorFlow are told apart."""
    older = Target("keras", Release.at("2.3.1"), "tensorflow")
    target = Target("tensorflow", Release(span=Span.of(since, "2.6.0")), "tensorflow", admits=(older,))
    model = read("program.py", f"{BEGIN}{text}\n".encode(), BOOK.tables.names)
    (layer,) = judge(model, (target,), BOOK).layers
    assert layer.judgements[0].condition == condition


def test_the_releases_that_differ_are_possible_too() -> None:
    (layer,) = judged(MASKED.format(""), "keras@3:tensorflow", "tf_keras").layers
    assert [[one.value for one in judgement.possible] for judgement in layer.judgements] == [
        ["cudnn", "fallback", "raises"],
        ["cudnn", "fallback"],
    ]
    assert [judgement.varies for judgement in layer.judgements] == [True, False]


@pytest.mark.parametrize(
    ("text", "target", "severity"),
    [
        ("LSTM(4, use_cudnn=False)(Input((3, 2)))", TENSORFLOW, "warning"),
        (MASKED.format(", use_cudnn=False"), TENSORFLOW, "info"),  # where the padding may be on the left that is right
        ("LSTM(4, use_cudnn=False)(Input((3, 2)))", f"keras@{NEWEST}:torch", "warning"),
        (MASKED.format(", use_cudnn=False"), f"keras@{NEWEST}:torch", "info"),
    ],
)
def test_a_refused_kernel_is_a_fault_only_where_nothing_speaks_for_it(text: str, target: str, severity: str) -> None:
    assert finding(text, "CDN110", target).severity.value == severity


def test_a_defect_that_only_some_releases_have_names_them() -> None:
    found = finding(MASKED.format(""), "CDN604", "keras@2.6..<3")
    assert " to before 2.15.0 only." in found.message
    assert found.severity.value == "info"


def test_a_requirement_is_met_or_not_or_not_known() -> None:
    (layer,) = judged("n = int(input())\nLSTM(4, unroll=n, activation='relu')", TENSORFLOW).layers
    met = {one.name: one.met for one in layer.judgements[0].requirements}
    assert (met["unrolled-loop"], met["activation"], met["recurrent-dropout"]) == ("unknown", "no", "yes")


def test_what_is_not_known_is_told_with_what_would_decide_it() -> None:
    found = finding("n = int(input())\nLSTM(4, unroll=n)", "CDN501")
    assert found.message == (
        f"It is not clear whether this LSTM runs in cuDNN: `input()` comes from the keyboard. "
        f"Possible: cudnn or fallback ({TENSORFLOW})."
    )
    assert (found.requirement, found.found, found.needed) == (
        "unrolled-loop", "unknown (`input()` comes from the keyboard)", "unroll=False",
    )  # fmt: skip
    assert (found.severity.value, found.verdict, found.then, found.fix) == ("info", "unknown", None, None)


def test_two_ways_that_differ_leave_it_open_with_the_reason() -> None:
    text = "import sys\nk = {'unroll': True} if sys.argv else {'unroll': False}\nLSTM(4, **k)"
    found = finding(text, "CDN501")
    assert "it depends on `sys.argv`, and `sys.argv` comes from the command line" in found.message
    assert (found.requirement, found.found) == ("unrolled-loop", "True or False")


def test_a_finding_is_where_the_argument_is_written() -> None:
    rows = {
        code: (one.location.row, one.location.column)
        for one in judged("l = LSTM(\n    4,\n    unroll=True,\n)\nl.use_cudnn = False", TENSORFLOW).diagnostics
        for code in [one.code]
        if isinstance(one.location, SourcePlace)
    }
    assert rows == {"CDN105": (5, 12), "CDN110": (7, 15)}


def test_a_diagnostic_has_the_words_of_its_rule_and_its_target() -> None:
    found = finding("LSTM(4, activation='relu')", "CDN101")
    loop = f"On a GPU this LSTM runs step by step in a loop, without cuDNN ({TENSORFLOW})."
    assert found.reason == "activation is 'relu', but cuDNN needs activation=\"tanh\"."
    assert found.outcome == loop
    assert found.message == f"{found.reason} {loop}"
    assert (found.name, found.verdict, found.then, found.target) == ("activation", "fallback", "fallback", TENSORFLOW)
    assert (found.found, found.needed, found.doubts, found.noqa_row) == ("'relu'", 'activation="tanh"', (), 3)
    removed = finding("CuDNNLSTM(4)", "CDN203")
    assert removed.reason == f"There is no class CuDNNLSTM in keras.layers of Keras {NEWEST}."
    assert (removed.severity.value, removed.then) == ("error", "raises")


def test_what_depends_on_the_data_is_told_so() -> None:
    found = finding(MASKED.format(""), "CDN201")
    assert found.outcome == f"What happens on a GPU depends on the data ({TENSORFLOW})."
    assert (found.severity.value, found.verdict) == ("info", "depends")
    assert [one.code for one in judged(MASKED.format(", unroll=True"), TENSORFLOW).diagnostics] == ["CDN105"]


def test_a_rule_that_crashes_is_an_error_that_names_rule_and_layer() -> None:
    def find(case: object) -> None:
        raise ZeroDivisionError("by hand")

    rules = {**BOOK.rules, "activation": replace(BOOK.rules["activation"], find=find)}
    model = read("program.py", f"{BEGIN}LSTM(4, name='first')\n".encode(), BOOK.tables.names)
    found = judge(model, requested.parse([TENSORFLOW], RELEASES), Rulebook(rules, BOOK.tables))
    (crash,) = [one for one in found.diagnostics if one.code == "CDN003"]
    assert crash.message.startswith("The rule activation crashed on the layer first: ")
    assert (crash.severity.value, crash.requirement, crash.verdict, crash.consequence) == (
        "error", "activation", None, None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "target", "verdict"),
    [
        ("import keras\nLSTM(4, activation=keras.src.activations.activations.tanh)", TENSORFLOW, "cudnn"),
        ("import keras\nLSTM(4, activation=keras.activations.tanh)", TENSORFLOW, "cudnn"),
        ("import keras\nLSTM(4, activation=keras.activations.relu)", TENSORFLOW, "fallback"),
        ("import keras\nLSTM(4, activation=keras.activations.sigmoid)", TENSORFLOW, "fallback"),
        ("import keras\nLSTM(4, recurrent_activation=keras.activations.sigmoid)", TENSORFLOW, "cudnn"),
        ("import keras\nLSTM(4, recurrent_activation=keras.activations.tanh)", TENSORFLOW, "fallback"),
        ("import tf_keras as k\nk.layers.LSTM(4, activation=k.src.activations.tanh)", "tf_keras@2.18", "cudnn"),
        ("import mylib\nLSTM(4, activation=mylib.tanh)", TENSORFLOW, "unknown"),
        ("l = LSTM(4)\nl.use_cudnn = False", TENSORFLOW, "fallback"),
        ("l = LSTM(4)\nl.unroll = True", "keras@2.12", "cudnn"),  # Keras 2 has decided by then
        ("l = LSTM(4)\nl.unroll = True", TENSORFLOW, "fallback"),
        ("LSTM(4, time_major=True)", TENSORFLOW, "raises"),
        ("LSTM(4, time_major=True)", "tf_keras@2.18", "cudnn"),
        ("LSTM(4, nothing=1)", "tf_keras@2.18", "raises"),
        ("CuDNNLSTM(4)", "keras@2.2.4", "cudnn"),
        ("RNN(LSTMCell(4))", TENSORFLOW, "fallback"),
        ("LSTM(4, 'relu')", TENSORFLOW, "fallback"),  # the second argument is the activation
        ("GRU(4, 'tanh', 'relu')", "tf_keras@2.18", "fallback"),
        ("LSTM(4, 'tanh', 'sigmoid')", "keras@2.12", "cudnn"),
    ],
)
def test_an_argument_is_what_the_release_makes_of_it(text: str, target: str, verdict: str) -> None:
    assert verdicts(text, target) == [verdict]


def test_a_function_that_the_target_takes_for_tanh_is_told_as_it_is_written() -> None:
    (layer,) = judged("import tensorflow as tf\nLSTM(4, activation=tf.nn.tanh, unroll=True)", TENSORFLOW).layers
    (asked,) = [one for one in layer.judgements[0].requirements if one.name == "activation"]
    assert (asked.met, asked.found) == ("yes", "tensorflow.nn.tanh")


@pytest.mark.parametrize(("device", "there"), [("GPU:0", True), ("CPU:0", False)])
def test_a_gpu_is_the_one_that_the_project_installs_tensorflow_for(device: str, there: bool) -> None:
    metal = Assumed("metal", "the project installs tensorflow-metal")
    (found,) = requested.parse([TENSORFLOW], RELEASES)
    for before, told in (("if True", True), (f"with tf.device('/{device}')", there)):
        text = f"import tensorflow as tf\n{BEGIN}{before}:\n    LSTM(4)(Input((3, 2)))\n"
        model = read("program.py", text.encode(), BOOK.tables.names)
        codes = {one.code for one in judge(model, (replace(found, gpu=metal),), BOOK).diagnostics}
        assert ("CDN405" in codes) == told


@pytest.mark.parametrize(("device", "verdict"), [(None, "raises"), ("gpu", "raises"), ("cpu", "unknown")])
def test_any_gpu_is_the_one_that_is_there(device: str | None, verdict: str) -> None:
    (found,) = requested.parse([TENSORFLOW], RELEASES)
    where = replace(found, gpu=Assumed("metal", "the project installs tensorflow-metal"))
    place, made = SourcePlace("a.py", 1, 1, 1, 8), Construction("LSTM", "keras.layers.LSTM", {"units": Known(4)})
    layer = Layer("a", place, (made,), (Call({"device": Known(device)}),))
    (told,) = judge(Model("a.py", "python", (layer,)), (where,), BOOK).layers
    assert told.judgements[0].verdict.value == verdict


def test_the_verdict_alone_is_that_of_the_whole_answer_and_none_where_no_release_builds_the_layer() -> None:
    here = SourcePlace("a.py", 1, 1, 1, 8)
    made = Construction("LSTM", "keras.layers.LSTM", {"units": Known(4), "unroll": Known(True)}, place=here)
    layer = Layer("a", here, (made,), when=(TargetCondition("keras", "torch"),))
    model = Model("a.py", "python", (layer,))
    for text, verdict in (("keras@3.15.1:torch", "fallback"), ("keras@3.15.1:jax", None)):
        (found,) = requested.parse([text], RELEASES)
        alone = verdict_for([layer], found, BOOK, model)
        whole = [one.judgements[0].verdict for one in judge(model, (found,), BOOK).layers]
        assert (alone and alone.value, whole) == (verdict, [alone] if alone else [])


def test_layers_of_one_place_are_judged_each_by_its_own_arguments() -> None:
    calls = "\n".join(f"make('{how}')" for how in ("tanh", "relu", "tanh", "elu"))
    text = f"def make(how):\n    return LSTM(4, activation=how)\n{calls}"
    assert verdicts(text, TENSORFLOW) == ["cudnn", "fallback", "cudnn", "fallback"]


def test_what_certainly_computes_wrong_is_an_error() -> None:
    found = [finding("LSTM(4, dropout=.2)", "CDN601", target) for target in ("keras@3.8.0", "keras@3.8.0..<3.16")]
    assert [one.severity.value for one in found] == ["error", "info"]


def test_a_layer_of_a_graph_has_the_name_that_it_has_there() -> None:
    place, wrapper = SavedPlace("m", "forward_a"), Wrapper("Bidirectional", "forward")
    layer = Layer("a", place, (Construction("LSTM", "graph.op"),), wrappers=(wrapper,), saved=True)
    for path, name in (("graph.op", "a"), ("keras.layers.LSTM", "forward_a")):
        made = replace(layer, variants=(Construction("LSTM", path),))
        kind = "savedmodel" if path == "graph.op" else "keras"
        (found,) = judge(Model("m", kind, (made,)), requested.parse(["tf_keras@2.18"], RELEASES), BOOK).layers
        assert found.name == name


def test_what_a_bidirectional_hands_on_goes_to_both_directions() -> None:
    pair = "Bidirectional(LSTM(4{}), backward_layer={}(4, go_backwards=True{}))(Input((3, 2)))"
    refused = ", use_cudnn=False"
    for target, forward, backward in (
        (TENSORFLOW, ["fallback", "fallback"], ["cudnn", "cudnn"]),
        ("keras@3.12.0:tensorflow", ["fallback", "fallback"], ["cudnn", "cudnn"]),
        ("keras@3.11.3:tensorflow", ["cudnn", "cudnn"], ["cudnn", "fallback"]),
    ):
        assert verdicts(pair.format(refused, "LSTM", ""), target) == forward
        assert verdicts(pair.format("", "LSTM", refused), target) == backward
    own = (
        "import keras\n@keras.saving.register_keras_serializable()\nclass Mine(RNN): pass\n"
        "Bidirectional(Mine(LSTMCell(4)), backward_layer=LSTM(4, go_backwards=True{}))"
    )
    assert "fallback" in verdicts(own.format(refused), TENSORFLOW)


def test_an_explicit_backward_layer_is_judged_by_its_own_arguments() -> None:
    pair = "Bidirectional(LSTM(4{}), backward_layer=LSTM(4, go_backwards=True{}))(Input((3, 2)))"
    for target in (TENSORFLOW, "tf_keras@2.18"):
        assert verdicts(pair.format("", ", recurrent_dropout=.2"), target) == ["cudnn", "fallback"]
        assert verdicts(pair.format(", recurrent_dropout=.2", ""), target) == ["fallback", "cudnn"]


@pytest.mark.parametrize(
    ("targets", "prefixed"),
    [((TENSORFLOW,), False), (("keras@3:tensorflow",), False), (("keras",), False), (("tf_keras@2.18",), True),
     (("tf_keras",), True), (("keras@2.12",), True), (("keras@2.6..<3",), True), (("tensorflow@2.3",), True),
     ((TENSORFLOW, "tf_keras"), False), (("tf_keras", TENSORFLOW), True)],
)  # fmt: skip
def test_the_layers_of_a_bidirectional_have_the_names_that_the_first_target_gives_them(
    targets: tuple[str, ...], prefixed: bool
) -> None:
    def names(name: str) -> list[str | None]:
        return [one.name for one in judged(f"Bidirectional(LSTM(4, name='{name}'))(Input((3, 2)))", *targets).layers]

    assert names("a") == ["forward_a", "backward_a"]
    assert names("forward_a") == ["forward_forward_a" if prefixed else "forward_a", "backward_forward_a"]
