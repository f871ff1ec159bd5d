"""The fold, on a rulebook of a few made-up rules: every way in which faults become a verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from packaging.version import Version

from cudnnlint.core.book import Rule, Rulebook
from cudnnlint.core.edit import DropArgument, Effect, Intent
from cudnnlint.core.fact import ABSENT, Assumed, Fact, Known, OneOf, Unknown
from cudnnlint.core.layer import Call, Construction, Layer, Model, Wrapper
from cudnnlint.core.names import Names
from cudnnlint.core.place import SavedPlace, SourcePlace
from cudnnlint.core.rule import Case, Finding, judge_argument
from cudnnlint.core.tables import Concern, Row, RowScope, Signature, Tables
from cudnnlint.core.target import Release, Span, Target, TargetCondition
from cudnnlint.core.truth import Truth
from cudnnlint.core.verdict import Route, Verdict
from cudnnlint.engine import judge, judge_layer
from cudnnlint.engine.fold import Folded
from cudnnlint.engine.intended_fixes import applicability
from cudnnlint.rulebook.milestones import MILESTONES

PLACE = SavedPlace("m.keras", "lstm")
EVERY = RowScope("keras", None, Span(), Span())


def rule(name: str, code: str, find: object) -> Rule:
    return Rule(code, name, "", "", "", "{found}", "", find, None, name, None, False, None)  # type: ignore[arg-type]


def speed(case: Case) -> Finding:
    return judge_argument(case, "slow", bool)


def padding(case: Case) -> Finding:
    mask = case.context("mask")
    if getattr(mask, "value", None) == "data":
        return Finding(Truth.UNKNOWN, "data", run_time=True, condition="left padding")
    return judge_argument(case, "left", bool)


def insisted(case: Case) -> Finding:
    return judge_argument(case, "use_cudnn", lambda value: value is True)


def own_loop(case: Case) -> Finding:
    return judge_argument(case, "own", bool)


def book(*rows: Row, find: object = speed) -> Rulebook:
    rules = [
        rule("slow", "CDN101", find), rule("padding", "CDN201", padding), rule("cudnn-insisted", "CDN202", insisted),
        rule("own-loop", "CDN113", own_loop), rule("cannot-tell", "CDN501", None),
        rule("internal-fault", "CDN003", None),
    ]  # fmt: skip
    defaults = {"slow": False, "left": False, "own": False, "use_cudnn": "auto"}
    names = Names((), frozenset(), frozenset(), frozenset(), frozenset())
    signature = Signature(("LSTM",), EVERY, defaults, frozenset(), "")
    tables = Tables(names, MILESTONES, (), rows, (), (), (), (), (), (), (signature,))
    return Rulebook({r.name: r for r in rules}, tables)


def row(since: str | None = None, until: str | None = None, **blocked_by: object) -> Row:
    scope = RowScope("keras", None, Span.of(since, until), Span())
    return Row(("LSTM",), scope, Route.CUDNN, None, blocked_by, frozenset({"slow"}), (), False, "3.15.1", "")  # type: ignore[arg-type]


USUAL = {"slow": "falls_back", "padding": {"graph": "raises", "eager": "falls_back"}}


def judged(
    *arguments: dict[str, Fact],
    calls: tuple[Call, ...] = (),
    rules: Rulebook | None = None,
    keras: Release | None = None,
) -> Folded:
    variants = tuple(Construction("LSTM", arguments=a) for a in arguments or ({},))
    layer = Layer("lstm", SavedPlace("m.keras", "lstm"), variants, calls)
    target = Target("keras", keras or Release(Version("3.15.1")))
    return judge_layer(layer, target, rules or book(row(**USUAL)), Model("m.keras", "keras", (layer,)))[0]


def call(**surroundings: Fact) -> Call:
    return Call(surroundings)


def test_no_fault_is_the_rows_route() -> None:
    assert (judged().verdict, judged().varies) == (Verdict.CUDNN, False)


def test_a_fault_falls_back() -> None:
    assert judged({"slow": Known(True)}).verdict is Verdict.FALLBACK


def test_an_unknown_argument_is_never_guessed() -> None:
    folded = judged({"slow": Unknown("it comes from the command line")})
    assert folded.verdict is Verdict.UNKNOWN
    assert folded.possible == (Verdict.CUDNN, Verdict.FALLBACK)
    assert folded.reasons == ("it comes from the command line",)


def test_alternatives_that_agree_are_certain_and_those_that_do_not_are_unknown() -> None:
    assert judged({"slow": OneOf((Known(True), Known(1)))}).verdict is Verdict.FALLBACK
    assert judged({"slow": OneOf((Known(True), ABSENT))}).verdict is Verdict.UNKNOWN


def test_an_unknown_fault_before_a_certain_one_of_the_same_consequence_is_certain() -> None:
    rows = book(row(padding="falls_back", slow="falls_back"))
    assert judged({"slow": Known(True), "left": Unknown("?")}, rules=rows).verdict is Verdict.FALLBACK


def test_what_stands_behind_the_first_certain_fault_does_not_count() -> None:
    assert judged({"slow": Known(True), "left": Known(True)}).verdict is Verdict.FALLBACK


def test_run_time_data_make_it_depend_with_the_condition_in_words() -> None:
    folded = judged(calls=(call(mask=Known("data")),))
    assert folded.verdict is Verdict.DEPENDS
    assert folded.possible == (Verdict.CUDNN, Verdict.RAISES)
    assert "left padding: raises an error; otherwise it runs in cuDNN" in (folded.condition or "")


def test_run_time_data_and_an_unknown_argument_are_unknown() -> None:
    folded = judged({"slow": Unknown("?")}, calls=(call(mask=Known("data")),))
    assert folded.verdict is Verdict.UNKNOWN
    assert folded.possible == (Verdict.CUDNN, Verdict.FALLBACK, Verdict.RAISES)


def test_graph_decides_and_the_condition_tells_of_eager() -> None:
    folded = judged({"left": Known(True)})
    assert folded.verdict is Verdict.RAISES
    assert "in eager calls it falls back" in (folded.condition or "")


def test_eager_decides_where_the_file_shows_it() -> None:
    assert judged({"left": Known(True)}, calls=(call(eager=Known(True)),)).verdict is Verdict.FALLBACK


def test_insisting_turns_a_fallback_into_an_error() -> None:
    folded = judged({"slow": Known(True), "use_cudnn": Known(True)})
    assert folded.verdict is Verdict.RAISES
    assert "cudnn-insisted" in {answer.rule.name for answer in folded.asked}
    assert judged({"use_cudnn": Known(True)}).verdict is Verdict.CUDNN


@pytest.mark.parametrize(
    ("own", "verdict"),
    [(Known(True), Verdict.FALLBACK), (Known(False), Verdict.RAISES), (Unknown("?"), Verdict.UNKNOWN)],
)
def test_a_loop_of_its_own_does_not_ask_whether_it_insists(own: Fact, verdict: Verdict) -> None:
    folded = judged({"slow": Known(True), "use_cudnn": Known(True), "own": own})
    assert folded.verdict is verdict
    assert (Verdict.RAISES in folded.possible) is (verdict is not Verdict.FALLBACK)


def test_not_knowing_whether_it_insists_leaves_both() -> None:
    folded = judged({"slow": Known(True), "use_cudnn": Unknown("?")})
    assert folded.possible == (Verdict.FALLBACK, Verdict.RAISES)


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        (Known("none"), Known("none"), Verdict.CUDNN),
        (Known("none"), Known("data"), Verdict.DEPENDS),
    ],
)
def test_calls_that_agree_stand_and_else_the_worst(first: Fact, second: Fact, verdict: Verdict) -> None:
    assert judged(calls=(call(mask=first), call(mask=second))).verdict is verdict


def test_the_worst_call_leaves_possible_what_it_does_alone() -> None:
    folded = judged({"left": Known(True)}, calls=(call(eager=Known(True)), call()))
    assert (folded.verdict, folded.possible) == (Verdict.RAISES, (Verdict.RAISES,))
    assert [answer.then for answer in folded.bites] == [Verdict.RAISES]


def test_variants_that_agree_are_certain_and_else_unknown() -> None:
    assert judged({"slow": Known(True)}, {"slow": Known(1)}).verdict is Verdict.FALLBACK
    folded = judged({"slow": Known(True)}, {})
    assert (folded.verdict, folded.possible) == (Verdict.UNKNOWN, (Verdict.CUDNN, Verdict.FALLBACK))


def test_the_newest_of_an_open_release_decides_and_the_others_are_its_condition() -> None:
    rows = book(row(None, "3.4.0", slow="falls_back", padding="falls_back"), row("3.4.0", None, padding="raises"))
    open_release = Release(span=Span.of("3.2.0", None))
    assert judged(rules=rows, keras=open_release).verdict is Verdict.CUDNN
    folded = judged({"slow": Known(True)}, rules=rows, keras=open_release)
    assert folded.verdict is Verdict.CUDNN
    assert folded.possible == (Verdict.CUDNN, Verdict.FALLBACK)
    assert folded.condition == "before Keras 3.4.0 it falls back to a loop without cuDNN"


def test_a_defect_of_some_of_the_releases_says_which_and_is_no_error() -> None:
    scope = RowScope("keras", None, Span.of("3.4.0", "3.9.0"), Span())
    plain = book(row())
    tables = replace(plain.tables, defects=(Concern("slow", scope, (), "wrong_numbers", ""),))
    scopes = replace(plain, tables=tables)
    folded = judged({"slow": Known(True)}, rules=scopes, keras=Release(span=Span.of("3.2.0", None)))
    assert folded.verdict is Verdict.CUDNN
    assert [answer.only for answer in folded.defects] == ["Keras 3.4.0 to before 3.9.0"]
    inside = judged({"slow": Known(True)}, rules=scopes, keras=Release(span=Span.of("3.5.0", "3.8.0")))
    assert [answer.only for answer in inside.defects] == [None]


def along(keras: tuple[str | None, str | None], tensorflow: tuple[str | None, str | None], falls: bool) -> Row:
    """A row of these releases of Keras and of TensorFlow beneath, in which a slow layer falls back or not."""
    scope = RowScope("keras", None, Span.of(*keras), Span.of(*tensorflow))
    return replace(row(**({"slow": "falls_back"} if falls else {})), scope=scope)


OLD, NEW, ANY = (None, "3.5.0"), ("3.5.0", None), (None, None)
BEFORE, SINCE = (None, "2.17.0"), ("2.17.0", None)
#: Rows, and where the words say that a slow layer falls back.
AXES: list[tuple[list[Row], str]] = [
    ([along(ANY, BEFORE, True), along(ANY, SINCE, False)], "before TensorFlow 2.17.0"),
    ([along(keras, tensorflow, tensorflow is BEFORE) for keras in (OLD, NEW) for tensorflow in (BEFORE, SINCE)],
     "before TensorFlow 2.17.0"),
    ([along(keras, tensorflow, keras is OLD) for keras in (OLD, NEW) for tensorflow in (BEFORE, SINCE)],
     "before Keras 3.5.0"),
    ([along(ANY, BEFORE, False), along(ANY, ("2.17.0", "2.19.0"), True), along(ANY, ("2.19.0", None), False)],
     "from TensorFlow 2.17.0 to before 2.19.0"),
    ([along((None, "3.3.0"), ANY, False), along(("3.3.0", "3.5.0"), ANY, True), along(NEW, ANY, False)],
     "from Keras 3.3.0 to before 3.5.0"),
    ([along(OLD, BEFORE, False), along(OLD, SINCE, True), along(NEW, ANY, False)],
     "from TensorFlow 2.17.0 to before Keras 3.5.0"),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "where"), AXES, ids=range(len(AXES)))
def test_where_releases_differ_the_words_name_the_package_that_decides(rows: list[Row], where: str) -> None:
    folded = judged({"slow": Known(True)}, rules=book(*rows), keras=Release(span=Span.of("3.2.0", None)))
    assert (folded.verdict, folded.condition) == (Verdict.CUDNN, f"{where} it falls back to a loop without cuDNN")


def test_a_fault_that_is_not_certain_stops_no_layer_that_has_no_row() -> None:
    plain = book(row(None, "3.0.0", **USUAL))
    gated = replace(plain, tables=replace(plain.tables, gates=(Concern("slow", EVERY, (), "raises", ""),)))
    facts = (Known(True), Known(False), Unknown("it is not read"))
    assert [judged({"slow": fact}, rules=gated).verdict for fact in facts] == [
        Verdict.RAISES, Verdict.UNKNOWN, Verdict.UNKNOWN,
    ]  # fmt: skip


def test_what_only_older_releases_let_the_data_decide_is_possible() -> None:
    rows = book(row(None, "3.4.0", **USUAL), row("3.4.0", None))
    folded = judged(calls=(call(mask=Known("data")),), rules=rows, keras=Release(span=Span.of("3.2.0", None)))
    assert (folded.verdict, folded.possible) == (Verdict.CUDNN, (Verdict.CUDNN, Verdict.RAISES, Verdict.DEPENDS))


def test_notes_and_defects_of_older_releases_count_only_where_a_release_was_given() -> None:
    plain = book(row())
    older = RowScope("keras", None, Span.of(None, "3.4.0"), Span())
    beneath = RowScope("keras", None, Span(), Span.of(None, "2.17.0"))
    for scope, only in ((older, "Keras 3.2.0 to before 3.4.0"), (beneath, "TensorFlow 2.15.0 to before 2.17.0")):
        tables = replace(plain.tables, notes=(Concern("slow", scope, (), "note", ""),))
        noting = replace(plain, tables=tables)
        layer = Layer("lstm", PLACE, (Construction("LSTM", arguments={"slow": Known(True)}),))
        for assumed, told in ((False, [only]), (True, [])):
            target = Target("keras", Release(span=Span.of("3.2.0", None)), assumed=assumed)
            folded = judge_layer(layer, target, noting, Model("m.keras", "keras", (layer,)))[0]
            assert [answer.only for answer in folded.notes] == told


def built(*when: TargetCondition) -> Layer:
    """A layer that is built under these conditions alone."""
    return Layer("lstm", PLACE, (Construction("LSTM"),), when=when)


UP_TO_3_9 = TargetCondition("keras", "tensorflow", Span.of(None, "3.9.0"))
FROM_3_12 = TargetCondition("keras", "tensorflow", Span.of("3.12.0", None))


@pytest.mark.parametrize(
    ("layer", "assumed", "condition"),
    [
        (built(UP_TO_3_9), False, "Keras 3.9.0 does not build it"), (built(UP_TO_3_9), True, "left out"),
        (built(UP_TO_3_9, FROM_3_12), False, None), (built(UP_TO_3_9, FROM_3_12), True, None),
        (built(FROM_3_12), False, None), (built(replace(UP_TO_3_9, framework="tf_keras")), False, "left out"),
    ],
)  # fmt: skip
def test_a_layer_that_the_newest_release_does_not_build_says_so(
    layer: Layer, assumed: bool, condition: str | None
) -> None:
    target = Target("keras", Release(span=Span.of("3.2.0", None)), assumed=assumed)
    found = judge(Model("m.keras", "keras", (layer,)), (target,), book(row("3.14.0", None), row(None, "3.14.0")))
    if condition == "left out":
        assert (found.layers, found.left_out) == ((), (layer,))
    else:
        (report,) = found.layers
        judgement = report.judgements[0]
        assert (judgement.condition, judgement.varies, found.left_out) == (condition, condition is not None, ())


def test_a_layer_of_a_graph_has_its_last_name_already() -> None:
    graph = Construction("LSTM", "graph.pair", {})
    names = [
        replace(built(), name="a", variants=variants, wrappers=(Wrapper("Bidirectional", role="forward"),))
        for variants in ((graph,), (Construction("LSTM"),))
    ]
    found = judge(Model("m", "savedmodel", tuple(names)), (Target("keras", Release.at("3.15.1")),), book(row()))
    assert [one.name for one in found.layers] == ["a", "forward_a"]


def defective(then: str, until: str | None = None, **changes: Any) -> Rulebook:
    """A rulebook in which a slow layer runs in the kernel and has a defect, or a note, in releases up to one."""
    plain = book(row())
    concern = Concern("slow", RowScope("keras", None, Span.of(None, until), Span()), (), then, "")
    rules = {**plain.rules, "slow": replace(plain.rules["slow"], **changes)}
    return replace(plain, rules=rules, tables=replace(plain.tables, defects=(concern,)))


def slow_layers(*paths: str) -> Model:
    layers = (Layer(path, SavedPlace("m.keras", path), (Construction("LSTM", arguments={"slow": Known(True)}),))
              for path in paths)  # fmt: skip
    return Model("m.keras", "keras", tuple(layers))


@pytest.mark.parametrize(
    ("rules", "severity"),
    [(defective("wrong_numbers"), "error"), (defective("wrong_numbers", "3.9.0"), "info"), (defective("note"), "info")],
)
def test_a_defect_is_an_error_where_every_release_has_it(rules: Rulebook, severity: str) -> None:
    target = Target("keras", Release(span=Span.of("3.2.0", None)))
    (found,) = judge(slow_layers("a"), (target,), rules).diagnostics
    assert (found.code, found.severity.value) == ("CDN101", severity)


def test_a_defect_that_is_a_note_is_one() -> None:
    for then, counts in (("note", (0, 1)), ("wrong_numbers", (1, 0))):
        folded = judged({"slow": Known(True)}, rules=defective(then))
        assert (len(folded.defects), len(folded.notes)) == counts


def drop(suggestion: bool = False, effect: Effect = Effect.SAME_NUMBERS) -> Intent:
    return Intent((DropArgument("slow"),), effect, "remove slow", suggestion)


def test_information_has_no_fix_but_a_suggestion() -> None:
    target = Target("keras", Release.at("3.15.1"))
    for suggestion in (False, True):
        intent = drop(suggestion)
        rules = defective("note", fix=lambda case, intent=intent: intent)
        (found,) = judge(slow_layers("a"), (target,), rules).diagnostics
        assert (found.fix is not None) is suggestion


def test_findings_of_two_layers_of_a_file_are_two_and_of_one_place_one() -> None:
    target = Target("keras", Release.at("3.15.1"))
    model = slow_layers("a", "b")
    assert [one.layers for one in judge(model, (target,), defective("note")).diagnostics] == [(0,), (1,)]
    here = tuple(replace(layer, place=SourcePlace("m.py", 1, 1, 1, 9)) for layer in model.layers)
    apart = tuple(replace(layer, wrappers=(Wrapper(kind),)) for layer, kind in zip(here, "xy", strict=True))
    steps = {"a": DropArgument("slow"), "b": DropArgument("left")}
    for alike in (True, False):

        def fix(case: Case, alike: bool = alike) -> Intent:
            return replace(drop(), steps=(steps["a" if alike else str(case.layer.name)],))

        (found,) = judge(Model("m.py", "python", apart), (target,), defective("wrong_numbers", fix=fix)).diagnostics
        assert (found.layers, found.fix is not None) == ((0, 1), alike)


@pytest.mark.parametrize(
    ("intent", "saved", "expected"),
    [(drop(), False, "safe"), (drop(), True, "safe"), (drop(True), False, "displayonly"),
     (drop(effect=Effect.NEEDS_NEW_WEIGHTS), False, "unsafe"),
     (drop(effect=Effect.NEEDS_NEW_WEIGHTS), True, "displayonly"),
     (drop(effect=Effect.CHANGES_NUMBERS), True, "unsafe"), (drop(effect=Effect.SAME_AT_INFERENCE), True, "unsafe")],
)  # fmt: skip
def test_a_fix_of_a_saved_file_that_needs_new_weights_is_only_shown(intent: Intent, saved: bool, expected: str) -> None:
    assert applicability(intent, saved).value == expected


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        ("", "cuDNN needs no mask, and the file does not show whether that holds"),
        ("True or False", "cuDNN needs no mask, and the file leaves open what it has: True or False"),
    ],
)
def test_an_open_answer_without_a_reason_says_what_is_needed(found: str, reason: str) -> None:
    def find(case: Case) -> Finding:
        return Finding(Truth.UNKNOWN, found)

    rules = book(row(slow="falls_back"), find=find)
    rules.rules["slow"] = replace(rules.rules["slow"], needed="no mask")
    assert judged(rules=rules).reasons == (reason,)


def test_what_is_not_known_points_to_the_fault_that_leaves_it_open() -> None:
    target, model = Target("keras", Release.at("3.15.1")), slow_layers("a")
    told = judge(model, (target,), book(row(slow="unknown"))).diagnostics
    (reason,) = [one.reason for one in told if one.code == "CDN501"]
    assert reason == "It is not clear whether this LSTM runs in cuDNN: see CDN101."
    either = OneOf((Known(True), Known(False)))
    open_layer = replace(model.layers[0], variants=(Construction("LSTM", arguments={"slow": either}),))
    (found,) = judge(Model("m.keras", "keras", (open_layer,)), (target,), book(row(**USUAL))).diagnostics
    assert found.reason.endswith("the file leaves open what it has: True or False.")


def test_insisting_counts_only_where_the_row_says_so() -> None:
    assert "cudnn-insisted" not in {answer.rule.name for answer in judged({"use_cudnn": Known(True)}).asked}
    plain = book(row())
    gated = replace(plain, tables=replace(plain.tables, gates=(Concern("slow", EVERY, (), "falls_back", ""),)))
    assert judged({"slow": Known(True), "use_cudnn": Known(True)}, rules=gated).verdict is Verdict.FALLBACK


def test_a_saved_layer_is_known_by_its_path() -> None:
    found = judge(Model("m.keras", "keras", (built(),)), (Target("keras", Release.at("3.15.1")),), book(row()))
    assert [(one.place, one.layer_path, one.name) for one in found.layers] == [(None, "lstm", "lstm")]


def test_eager_calls_say_what_a_graph_does() -> None:
    folded = judged({"left": Known(True)}, calls=(call(eager=Known(True)),))
    graph = "in graph mode (fit, evaluate, predict, tf.function) it raises an error"
    assert folded.condition == f"in eager calls; {graph}"


def test_a_release_newer_than_the_newest_one_asked_is_assumed() -> None:
    assert judged(keras=Release.at("3.15.1")).doubts == ()
    (doubt,) = judged(keras=Release.at("3.16.0")).doubts
    assert doubt == "3.16.0 is newer than 3.15.1, the newest tested release"
    read = replace(row(**USUAL), checked="read")
    assert judged(rules=book(read)).doubts == ("this release was read in its source code, not tested",)


def test_no_row_is_unknown_and_never_a_fallback() -> None:
    folded = judged(rules=book(row(None, "3.0.0", **USUAL)))
    assert folded.verdict is Verdict.UNKNOWN
    assert len(folded.possible) == 3


def test_an_assumed_value_decides_and_says_so() -> None:
    folded = judged({"slow": Assumed(True, "a caller may override it")})
    assert folded.verdict is Verdict.FALLBACK
    assert folded.asked[0].finding.origin == "assumed"


def test_a_rule_that_fails_is_told_and_the_others_go_on() -> None:
    def broken(case: Case) -> Finding:
        raise KeyError("no such thing")

    folded = judged({"left": Known(True)}, rules=book(row(**USUAL), find=broken))
    assert folded.faults[0][0] == "slow"
    assert folded.possible == (Verdict.FALLBACK, Verdict.RAISES)
