"""The plain types by themselves: truth, facts, releases, targets, texts, and what is written down of a layer."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise, product

import pytest
from packaging.version import Version

from cudnnlint.core import codec, families
from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.edit import Applicability
from cudnnlint.core.errors import Refused, UnreadableInput
from cudnnlint.core.fact import (
    ABSENT,
    Assumed,
    Default,
    Fact,
    Known,
    OneOf,
    Opaque,
    Ref,
    Unknown,
    one_of,
    origin_of,
    place_of,
    same,
    shown,
    values,
)
from cudnnlint.core.fingerprint import fingerprint
from cudnnlint.core.layer import Call, Construction, FileHints, Layer, Model, Wrapper
from cudnnlint.core.load_fault import LoadFault, release_of
from cudnnlint.core.place import SavedPlace, SourcePlace
from cudnnlint.core.report import SCHEMA_VERSION, FileReport
from cudnnlint.core.rule import judge_fact
from cudnnlint.core.suppression import marked
from cudnnlint.core.target import BACKENDS, Era, Point, Release, Span, Target, TargetCondition, is_keras_3
from cudnnlint.core.text import is_url, lines, plural, visible
from cudnnlint.core.truth import Truth, joint
from cudnnlint.core.verdict import WORST_FIRST, Route, Verdict

YES, NO, UNSURE = Truth.YES, Truth.NO, Truth.UNKNOWN
HERE, THERE = SourcePlace("a.py", 3, 1, 4, 20), SourcePlace("a.py", 9, 1, 9, 5, cell=2)


def test_truth_is_what_it_is_for_each_value_that_the_unknown_may_have() -> None:
    meant = {YES: {True}, NO: {False}, UNSURE: {True, False}}
    told = {frozenset(found): truth for truth, found in meant.items()}
    for left, right in product(Truth, repeat=2):
        pairs = [(one, other) for one in meant[left] for other in meant[right]]
        assert left & right == told[frozenset(one and other for one, other in pairs)]
        assert left | right == told[frozenset(one or other for one, other in pairs)]
    assert [~truth for truth in (YES, NO, UNSURE)] == [NO, YES, UNSURE]
    assert [Truth.of(True), Truth.of(False)] == [YES, NO]
    found = [joint(several) for several in ([YES], [YES, YES], [YES, NO], [NO, NO], [])]
    assert found == [YES, YES, UNSURE, NO, UNSURE]
    with pytest.raises(TypeError):
        bool(YES)


#: A fact, how a report shows it, where it comes from, its certain values, and its place.
FACTS: list[tuple[Fact, str, str, list[object], object]] = [
    (Known("a", HERE), "'a'", "written", ["a"], HERE), (Known(1, None, "UNITS"), "UNITS", "written", [1], None),
    (Known(Ref("tensorflow.tanh")), "tensorflow.tanh", "written", [Ref("tensorflow.tanh")], None),
    (Known(Opaque("a lambda")), "a lambda", "written", [Opaque("a lambda")], None),
    (Default(2), "2", "default", [2], None), (Assumed(3, "said so", THERE), "3", "assumed", [3], THERE),
    (Unknown("it is read", THERE), "unknown (it is read)", "unknown", [], THERE),
    (ABSENT, "not written", "default", [], None),
    (OneOf((ABSENT, Known(1), Known(2, THERE), Known(2, HERE))), "not written or 1 or 2", "unknown", [1, 2, 2], THERE),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "text", "origin", "certain", "place"), FACTS, ids=range(len(FACTS)))
def test_a_fact_tells_what_it_is(fact: Fact, text: str, origin: str, certain: list[object], place: object) -> None:
    assert (shown(fact), origin_of(fact), list(values(fact)), place_of(fact)) == (text, origin, certain, place)


def test_facts_that_say_the_same_are_one() -> None:
    assert one_of([Known(1, HERE), Known(1, THERE)]) == Known(1, HERE)
    assert one_of([Known(1), OneOf((Known(2), Known(1)))], "a branch") == OneOf((Known(1), Known(2)), "a branch")
    pairs = [(Known(1), Known(True)), (Known(1), Assumed(1, "")), (Known(1), Known(2)), (ABSENT, Unknown("?"))]
    assert not any(same(left, right) for left, right in pairs)
    assert same(Unknown("?"), Unknown("?"))
    assert not same(Unknown("?"), Unknown("why"))
    assert same(Assumed(1, "one"), Assumed(1, "two"))


@pytest.mark.parametrize(
    ("fact", "truth", "because"),
    [(Known(1), YES, None), (Known(0), NO, None), (Assumed(1, "said so"), YES, None),
     (Unknown("it is read"), UNSURE, "it is read"),
     (ABSENT, NO, None), (OneOf((Known(1), Known(2)), "a branch"), YES, "a branch"),
     (OneOf((Known(1), ABSENT), "a branch"), UNSURE, "a branch"),
     (OneOf((Known(1), Unknown("it is read")), "a branch"), UNSURE, "it is read"), (Known(None), UNSURE, None)],
)  # fmt: skip
def test_a_fault_is_there_where_it_is_there_for_every_value(fact: Fact, truth: Truth, because: str | None) -> None:
    found = judge_fact(fact, lambda value: UNSURE if value is None else value > 0)
    assert (found.truth, found.because) == (truth, because)
    assert (found.found, found.origin) == (shown(fact), origin_of(fact))


BOUNDS = (None, "3.1", "3.2", "3.3", "3.4")
SAMPLES = [Version(f"3.{minor}.{patch}") for minor in range(6) for patch in (0, 5)]


def spans() -> list[Span]:
    return [Span.of(since, until) for since in BOUNDS for until in BOUNDS
            if since is None or until is None or since < until]  # fmt: skip


def test_a_span_holds_meets_and_is_cut_as_its_releases_are() -> None:
    for one in spans():
        inside = [version for version in SAMPLES if version in one]
        assert inside == [
            version for version in SAMPLES
            if (one.since is None or one.since <= version) and (one.until is None or version < one.until)
        ]  # fmt: skip
        for other in spans():
            both = [version for version in inside if version in other]
            assert one.meets(other) == bool(both)
            cut = one.cut(other)
            assert [version for version in SAMPLES if cut is not None and version in cut] == both
    assert [str(Span.of(*bounds)) for bounds in (("3.1", "3.2"), ("3.1", None), (None, "3.2"), (None, None),
    ("", ""))] == [
        "3.1 to before 3.2", "3.1 and later", "before 3.2", "any", "any",
    ]  # fmt: skip
    assert Span.of("3.1.4", "3.3").of_minors == Span.of("3.1.0", "3.3")
    assert Span.of(None, "3.3").of_minors == Span.of(None, "3.3")


def test_a_release_is_written_as_a_target_takes_it() -> None:
    briefs = {("3.11.0", "3.12"): "3.11", ("3.11.1", "3.12"): "3.11.1..<3.12", ("3.4.0", "3.9.0"): "3.4.0..<3.9.0",
              ("3.5.0", None): "3.5.0..", (None, "3.9"): "..<3.9", (None, None): ""}  # fmt: skip
    for bounds, text in briefs.items():
        assert Release(span=Span.of(*bounds)).brief == text
        assert str(Release(span=Span.of(*bounds))) == str(Span.of(*bounds))
    fixed, narrow = Release.at("3.15.1"), Span.of("3.1", "3.2")
    assert (fixed.brief, str(fixed), fixed.as_span) == ("3.15.1", "3.15.1", Span.of("3.15.0", "3.16"))
    assert (fixed.within(narrow), Release().within(narrow)) == (fixed, Release(span=narrow))
    assert Release(span=narrow).as_span == narrow
    assert [is_keras_3(text) for text in ("3.0.0", "2.15.0", "30.1", "3")] == [True, False, False, True]


#: A target, as `--target` takes it, and whether it is certainly a Keras 2.
TARGETS = [
    (Target("keras", Release.at("3.15.1")), "keras@3.15.1:tensorflow", False),
    (Target("keras", Release.at("3.15.1"), "jax"), "keras@3.15.1:jax", False),
    (Target("keras", Release.at("3.8.0"), tensorflow=Release.at("2.18.0")), "keras@3.8.0:tensorflow@2.18.0", False),
    (Target("keras", Release.at("2.12.0"), tensorflow=Release.at("2.12.1")), "keras@2.12.0", True),
    (Target("keras", Release.at("2.3.1"), tensorflow=Release.at("1.15.5")), "keras@2.3.1:tensorflow@1.15.5", True),
    (Target("tf_keras", Release.at("2.21.0")), "tf_keras@2.21.0", True),
    (Target("tf_keras", Release()), "tf_keras", True),
    (Target("keras", Release()), "keras:tensorflow", False),
    (Target("keras", Release(span=Span.of("2.6.0", "3"))), "keras@2.6.0..<3", True),
    (Target("keras", Release(span=Span.of("2.6.0", "3.1"))), "keras@2.6.0..<3.1:tensorflow", False),
    (Target("keras", Release.at("3.0.0")), "keras@3.0.0:tensorflow", False),
]  # fmt: skip


@pytest.mark.parametrize(("target", "text", "keras_2"), TARGETS, ids=[text for _, text, _ in TARGETS])
def test_a_target_is_written_as_it_is_asked_for(target: Target, text: str, keras_2: bool) -> None:
    assert (str(target), target.keras_2, target.certain, target.assumed) == (text, keras_2, True, False)


def test_a_target_is_open_where_its_newest_release_is() -> None:
    closed, wide = (Target("keras", Release(span=Span.of("3.1", until))) for until in ("3.2", None))
    found = [replace(closed, admits=admits).open_ended for admits in ((), (closed,), (wide,), (wide, closed),
    (closed, wide))]
    assert found == [False, False, True, False, True]


@pytest.mark.parametrize(
    ("era", "point", "holds"),
    [(Era(3), Point("keras", Version("3.1"), "jax", None), True),
     (Era(2), Point("keras", Version("3.1"), "jax", None), False),
     (Era(2), Point("tf_keras", Version("2.21"), "tensorflow", None), True),
     (Era(2), Point("tensorflow", Version("1.15"), "tensorflow", None), True),
     (Era(3, Span.of("3.2", None)), Point("keras", Version("3.1"), "jax", None), False),
     (Era(3, backends=("torch",)), Point("keras", Version("3.1"), "jax", None), False),
     (Era(3, backends=("torch", "jax")), Point("keras", Version("3.1"), "jax", None), True)],
)  # fmt: skip
def test_an_era_holds_the_releases_of_its_generation(era: Era, point: Point, holds: bool) -> None:
    assert era.holds(point) is holds


def test_a_condition_holds_where_each_part_of_it_does() -> None:
    condition = TargetCondition("keras", "tensorflow", Span.of("3.2", None), Span.of(None, "2.18"))
    point = Point("keras", Version("3.4"), "tensorflow", Version("2.17"))
    others = [replace(point, framework="tf_keras"), replace(point, backend="jax"), replace(point, keras=Version("3.1")),
              replace(point, tensorflow=Version("2.18"))]  # fmt: skip
    assert condition.holds(point)
    assert condition.holds(replace(point, tensorflow=None))
    assert not any(condition.holds(other) for other in others)
    places = [Layer(None, HERE, (), when=when) for when in ((), (condition,), (replace(condition, backend="jax"),))]
    assert [one.holds(point) for one in places] == [True, True, False]
    assert [Call(when=when).holds(point) for when in ((), (Era(3),), (Era(2),))] == [True, True, False]
    apart = [replace(condition, framework="tf_keras"), replace(condition, backend="jax"),
             replace(condition, keras=Span.of(None, "3.2")),
             replace(condition, tensorflow=Span.of("2.18", None))]  # fmt: skip
    assert condition.meets(condition)
    assert not any(condition.meets(other) for other in apart)


def test_a_route_is_a_verdict_and_the_worst_comes_first() -> None:
    told = {"fused": "cudnn", "cudnn": "cudnn", "native": "fallback", "generic": "fallback", "raises": "raises"}
    assert {route.value: Verdict.of(route).value for route in Route} == told
    assert [verdict.value for verdict in WORST_FIRST] == ["raises", "unknown", "depends", "fallback", "cudnn"]


def test_a_text_shows_nothing_that_a_terminal_obeys() -> None:
    shown_as = {
        "plain": "plain", "café ☃": "café ☃", "a\x1b[31m": "a\\x1b[31m", "\x9b": "\\x9b", "a\nb\r\t": "a\\nb\\r\\t",
        "\u202e": "\\u202e", "\ufeff": "\\ufeff", "\ue000": "\\ue000", "\udc80": "\\udc80", "\U0010ffff": "\\U0010ffff",
        "\u0378": "\\u0378", "\xff": "\xff", "\u2028": "\\u2028", "\u061c": "\\u061c",
    }  # fmt: skip
    assert {text: visible(text) for text in shown_as} == shown_as
    assert visible("a\nb\x00", keep="\n") == "a\nb\\x00"
    assert lines("a\r\nb\rc\nd\x0ce\u2028f\n") == ["a", "b", "c", "d\x0ce\u2028f"]
    assert (lines(""), lines("\n"), lines("a")) == ([], [""], ["a"])
    assert [plural(count, "layer") for count in (0, 1, 2)] == ["0 layers", "1 layer", "2 layers"]
    assert (plural(2, "entry", "entries"), plural(1, "entry", "entries")) == ("2 entries", "1 entry")


def test_the_words_of_a_report_are_those_of_its_schema() -> None:
    assert [(one.value, one.weight) for one in Severity] == [("info", 0), ("warning", 1), ("error", 2)]
    boldest = sorted(Applicability, key=lambda one: one.boldness)
    assert [one.value for one in boldest] == ["displayonly", "unsafe", "safe"]


@pytest.mark.parametrize(
    ("path", "url"),
    [("https://a.org/m.keras", True), ("s3://bucket/m.h5", True), ("m.keras", False), ("/a/m.h5", False),
     ("C:\\m.h5", False), ("c://m.h5", False)],
)  # fmt: skip
def test_a_url_is_told_from_a_file(path: str, url: bool) -> None:
    assert is_url(path) is url


def test_a_fault_of_single_releases_holds_at_these_alone() -> None:
    points = [Point("keras", Version(text), "tensorflow", None) for text in ("3.14.1", "3.15.1")]
    fault = LoadFault("kind", ("keras",), Era(2), "It stops.", False, at=frozenset({release_of(points[1])}))
    assert [fault.holds(point) for point in points] == [False, True]
    assert [replace(fault, era=Era(3), at=None).holds(point) for point in points] == [True, True]


def test_a_refusal_names_its_layer_where_there_is_one() -> None:
    assert [str(Refused(path, "why")) for path in ("a/b", "")] == ["a/b: why", "why"]
    assert [UnreadableInput("why", pointer=pointer).pointer for pointer in (True, False)] == [True, False]
    assert not UnreadableInput("why").pointer


def test_the_lines_of_a_notebook_are_those_of_a_cell() -> None:
    notebook = FileReport("a.ipynb", "notebook", cells=("one\ntwo", "three"))
    assert [notebook.lines(cell) for cell in (1, 2, None)] == [["one", "two"], ["three"], []]
    assert FileReport("a.py", "python", source="one\n").lines(None) == ["one"]


def test_a_place_is_written_as_an_editor_finds_it() -> None:
    places = (HERE, THERE, SavedPlace("m.keras", "a/b"), SavedPlace("m.keras", "a/b", "unroll"))
    assert [str(place) for place in places] == ["a.py:3:1", "a.py:cell 2:9:1", "a/b", "a/b.unroll"]


def test_places_of_a_file_are_in_the_order_of_its_text() -> None:
    rows = [SourcePlace("a.py", row, column, row, column + 1) for row in (1, 2, 10) for column in (1, 10)]
    assert all(one < other for one, other in pairwise(rows))


def test_a_value_that_is_not_computed_is_true_and_a_file_that_was_not_followed_took_no_step() -> None:
    assert Opaque("a lambda").truth is True
    assert Model("a.keras", "keras").steps == 0
    assert SCHEMA_VERSION == 1  # another number tells programs that they cannot read a report


@pytest.mark.parametrize(
    ("data", "may"),
    [(b"x = 1  # noqa: CDN101", True), (b"# NOQA: CDN101", True), (b"# NoQA: CDN101", True), (b"# noqa: E501", False),
     (b"# cudnnlint: ignore", True), (b"CDN101", False), (b"", False)],
)  # fmt: skip
def test_bytes_that_may_suppress_are_marked(data: bytes, may: bool) -> None:
    assert marked(data) is may


def found(**parts: object) -> Diagnostic:
    about = {"requirement": "activation", "found": "relu"}
    usual = Diagnostic("CDN101", "activation", "m", Severity.WARNING, "a.py", HERE, **about)
    return replace(usual, **parts)  # type: ignore[arg-type]


def test_a_fingerprint_survives_a_move_and_nothing_else() -> None:
    text = ["one", "two", "  LSTM(2,", "    activation='relu')", "five"]
    usual = fingerprint(found(), "src/a.py", text)
    assert len(usual) == 32
    moved = found(location=SourcePlace("a.py", 4, 1, 5, 20))
    assert fingerprint(moved, "src\\a.py", ["zero", *(line.strip() for line in text)]) == usual
    assert fingerprint(found(), "src/a.py", ["1", "2", *text[2:4], "5"]) == usual
    saved = [fingerprint(found(location=None, layer_path=name), "src/a.py", text) for name in ("a", "b", None)]
    others = [
        fingerprint(found(), "src/b.py", text), fingerprint(found(code="CDN102"), "src/a.py", text),
        fingerprint(found(found="elu"), "src/a.py", text), fingerprint(found(requirement=None), "src/a.py", text),
        fingerprint(found(found="\udc80"), "src/a.py", text),
        fingerprint(found(), "src/a.py", [*text[:3], "    activation='elu')"]),
        fingerprint(found(), "src/a.py", [*text[:2], "  GRU(2,", *text[3:]]), *saved,
    ]  # fmt: skip
    assert len({usual, *others}) == len(others) + 1


WHOLE = Layer(
    "lstm", SavedPlace("m.keras", "lstm", "units"),
    (Construction("LSTM", "keras.layers.LSTM", {
        "units": Known(64), "activation": OneOf((Known(Ref("tensorflow.tanh")), Unknown("it is read")), "a branch"),
        "dropout": Default(0.0), "unroll": Assumed(False, "said so"), "use_bias": ABSENT,
        "shape": Known((None, 3)), "more": Known([1, {"a": (2,)}]), "how": Known(Opaque("a lambda", "tanh"))}),),
    (Call({"mask": Known("data")}, when=(Era(3, Span.of("3.2", None), ("jax",)),)),),
    (Wrapper("Bidirectional", role="forward"),), saved=True,
)  # fmt: skip


def test_a_layer_is_the_same_after_it_was_written_down() -> None:
    data = json.loads(json.dumps(codec.pack(WHOLE)))
    again = codec.unpack(data)
    assert replace(again, place=WHOLE.place) == WHOLE
    assert codec.unpack(codec.pack(Version("3.1"))) == Version("3.1")
    assert codec.pack(Known(1, HERE, "ONE")) == {"is": "Known", "value": 1}
    assert codec.pack(Wrapper("TimeDistributed")) == {"is": "Wrapper", "kind": "TimeDistributed"}
    assert codec.unpack(codec.pack(Known(1j))) == Known(Opaque("1j"))
    assert codec.unpack(codec.pack(Known(Release()))) == Known(Opaque(repr(Release())))


def layer(path: str, *when: TargetCondition, saved: bool = False, place: SourcePlace = HERE) -> Layer:
    return Layer(None, place, (Construction("LSTM", path),), when=when, saved=saved)


K, T, L = (layer(f"{package}.layers.LSTM") for package in ("keras", "tensorflow.keras", "tf_keras"))


def test_a_layer_belongs_to_the_package_that_it_comes_from() -> None:
    def of(*layers: Layer, legacy: bool = False) -> tuple[str, ...]:
        return families.packages(Model("a.py", "python", layers, FileHints(legacy_keras=legacy)))

    assert of(T, K, T, L) == ("tensorflow", "keras", "tf_keras")
    assert of(T, K, legacy=True) == ("tf_keras", "keras")
    assert of(layer("other.LSTM"), layer("keras.layers.LSTM", saved=True)) == ()
    pairs = [("keras",), ("tf_keras",), ("keras", "tensorflow"), ("keras", "tf_keras"), ("tf_keras", "tensorflow")]
    assert [families.mixed(names) for names in pairs] == [False, False, False, True, True]


def test_a_file_of_two_packages_is_judged_for_both_each_layer_for_its_own() -> None:
    alone = Model("a.py", "python", (K, T))
    assert families.by_framework(alone) == (K, T)
    keras, legacy = families.by_framework(Model("a.py", "python", (K, L)))
    assert {condition.framework for condition in keras.when} == {"keras", "tensorflow"}
    assert {condition.framework for condition in legacy.when} == {"tf_keras"}
    assert {condition.backend for condition in legacy.when} == set(BACKENDS)
    on_jax = TargetCondition("keras", "jax")
    apart = families.by_framework(Model("a.py", "python", (layer("keras.layers.LSTM", on_jax), L)))
    assert apart[0].when == (on_jax,)
    on_legacy = TargetCondition("tf_keras", "tensorflow")
    pair = Layer(None, HERE, (*K.variants, *L.variants), when=(on_jax, on_legacy))
    split = families.by_framework(Model("a.py", "python", (pair,)))
    assert {one.variants[0].path: one.when for one in split} == {
        K.variants[0].path: (on_jax,), L.variants[0].path: (on_legacy,),
    }  # fmt: skip
    elsewhere = layer("keras.layers.LSTM", on_legacy)  # never built
    assert families.by_framework(Model("a.py", "python", (elsewhere, K, L))) == families.by_framework(
        Model("a.py", "python", (K, L))
    )
    both = Layer(None, HERE, (*K.variants, *L.variants))
    split = families.by_framework(Model("a.py", "python", (both,)))
    assert {one.variants[0].path for one in split} == {K.variants[0].path, L.variants[0].path}
    assert all(len(one.variants) == 1 for one in split)


def test_layers_that_no_target_builds_both_of_are_one() -> None:
    jax, torch = (TargetCondition("keras", backend) for backend in ("jax", "torch"))
    one, other, third = (layer("keras.layers.LSTM", when) for when in (jax, torch, torch))
    assert families.faces([one, other]) == [[one, other]]
    assert families.faces([one, other, third]) == [[one, other], [third]]
    assert families.faces([K, one]) == [[K], [one]]
    elsewhere = layer("keras.layers.LSTM", torch, place=THERE)
    assert families.faces([one, elsewhere]) == [[one], [elsewhere]]
    wrapped = replace(other, wrappers=(Wrapper("TimeDistributed"),))
    assert families.faces([one, wrapped]) == [[one], [wrapped]]


def test_layers_that_are_built_for_no_target_are_told_with_their_places() -> None:
    assert families.left_out([]) == []
    (sentence,) = families.left_out([K, T])
    assert sentence == "A recurrent layer is not built for any of the checked targets: a.py:3:1."
    (sentence,) = families.left_out([K, layer("keras.layers.LSTM", place=THERE)])
    assert sentence == "Recurrent layers are not built for any of the checked targets: a.py:3:1, a.py:cell 2:9:1."
