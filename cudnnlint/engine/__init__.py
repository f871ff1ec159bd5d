"""The engine: facts in, verdicts out. settle (defaults) -> judge (rules) -> fold (routes) -> diagnose.

Pure: it reads layers, the rulebook and the targets, and touches no file, clock or environment.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudnnlint.core import families
from cudnnlint.core.book import Rulebook
from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.fact import Assumed, Known, alternatives
from cudnnlint.core.layer import Call, Construction, Layer, Model
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.report import LayerReport
from cudnnlint.core.rule import Case
from cudnnlint.core.tables import Row
from cudnnlint.core.target import GENERATION, Point, Span, Target
from cudnnlint.core.truth import Truth
from cudnnlint.core.verdict import Judgement, Verdict
from cudnnlint.engine import whole_file
from cudnnlint.engine.diagnose import Diagnoser, requirements
from cudnnlint.engine.fold import WORDS, Folded, fold
from cudnnlint.engine.grouping import group
from cudnnlint.engine.judged_once import JudgedOnce
from cudnnlint.engine.loaded_copies import without_copies
from cudnnlint.engine.merge import merge_calls, merge_releases, merge_variants
from cudnnlint.engine.points import points
from cudnnlint.engine.rules_asked import RulesAsked
from cudnnlint.engine.settle import settle
from cudnnlint.keras.naming import direction_name


@dataclass(frozen=True)
class Judged:
    """What the engine made of one file: layers (ids from 0 in this file) and diagnostics that name those ids.

    `left_out` are layers that the program builds for none of the targets.
    """

    layers: tuple[LayerReport, ...]
    diagnostics: tuple[Diagnostic, ...]
    left_out: tuple[Layer, ...] = ()


def judge(model: Model, targets: tuple[Target, ...], book: Rulebook) -> Judged:
    """Judge every layer of `model` for every target under which it is built."""
    reports: list[LayerReport] = []
    diagnostics: list[Diagnostic] = []
    answers = JudgedOnce(lambda faces, target: _judge_faces(faces, target, book, model), targets)
    every = [(faces, answers.of(faces)) for faces in families.faces(families.by_framework(model))]
    left_out = [faces[0] for faces, judged in every if not judged]
    for faces, judged in without_copies(every):
        identity = len(reports)
        shown = [face for face in faces if any(face is layer for _, layer, _, _ in judged)]
        name = layer_name(shown[0], judged[0][0])
        for target, layer, folded, case in judged:
            diagnostics += Diagnoser(layer, identity, name, target, case, book).diagnostics(folded)
        judgements = tuple(_judgement(target, folded) for target, _, folded, _ in judged)
        reports.append(_report(identity, name, shown, judgements))
    beside = _stopped_beside(model, reports, targets, book)
    if beside is not None:
        return judge(beside, targets, book)
    return Judged(tuple(reports), tuple(group(diagnostics)), tuple(left_out))


def _stopped_beside(
    model: Model, found: Sequence[LayerReport], targets: tuple[Target, ...], book: Rulebook
) -> Model | None:
    """Return a saved model whose layers know in which releases another one keeps them from running, else None."""

    def every() -> list[Point]:
        eras = [era for layer in model.layers for era in _eras(layer)]
        return list(dict.fromkeys(point for target in targets for point in points(target, book.tables, eras)))

    return whole_file.stopped(model, found, every, book, lambda layer, at: _judge_point(layer, at, book, model)[0])


def _judge_faces(
    faces: Sequence[Layer], target: Target, book: Rulebook, model: Model
) -> tuple[Layer, Folded, Case] | None:
    """Return the layer as the newest release that builds it has it, and the answer; None where no release builds it.

    Where no release was given, only the newest one of all counts as building it.
    """
    premises = [premise for face in faces for premise in face.when]
    eras = [*(premise.keras for premise in premises), *(era for face in faces for era in _eras(face))]
    found: list[tuple[Point, Folded]] = []
    newest: tuple[Layer, Case] | None = None
    gone: Point | None = None
    for point in points(target, book.tables, eras, [premise.tensorflow for premise in premises]):
        face = next((face for face in faces if face.holds(point)), None)
        if face is None:
            gone = gone or point
            continue
        folded, case = _judge_point(face, point, book, model)
        found.append((point, folded))
        newest, gone = (face, case), None
    if newest is None or (gone is not None and target.assumed):
        return None
    handed_on = book.tables.names.milestones.get("standalone_ended")
    return newest[0], merge_releases(found, not target.assumed, gone, handed_on), newest[1]


def judge_layer(layer: Layer, target: Target, book: Rulebook, model: Model) -> tuple[Folded, Case]:
    """Return the folded answer for one layer and one target, and the case of its newest release."""
    judged = _judge_faces([layer], target, book, model)
    assert judged is not None, "the layer is built under other targets alone"
    return judged[1:]


def verdict_for(faces: Sequence[Layer], target: Target, book: Rulebook, model: Model) -> Verdict | None:
    """Return the verdict alone of a layer for one target; None where no release builds it."""
    judged = _judge_faces(faces, target, book, model)
    return judged[1].verdict if judged is not None else None


def _eras(layer: Layer) -> list[Span]:
    """Return the spans of Keras releases in which the layer's calls differ, or its file does not load."""
    return [*(era.span for call in layer.calls for era in call.when), *(one.era.span for one in layer.unloadable)]


def _judge_point(layer: Layer, point: Point, book: Rulebook, model: Model) -> tuple[Folded, Case]:
    """Return the answer for a layer at one release: every variant with all the calls that it gets there."""
    calls = [call for call in layer.calls if call.holds(point)] or [Call()]
    folded: list[Folded] = []
    cases: list[Case] = []
    for variant in layer.variants:
        judged = [_judge_call(layer, variant, call, point, book, model) for call in calls]
        folded.append(merge_calls([one for one, _ in judged]))
        cases.append(judged[0][1])
    return merge_variants(folded, next((one.decided_by for one in layer.variants if one.decided_by), "")), cases[0]


def _judge_call(
    layer: Layer, variant: Construction, call: Call, point: Point, book: Rulebook, model: Model
) -> tuple[Folded, Case]:
    """Judge one call in graph mode, or eagerly where the file shows that; say so where the other mode differs."""
    mode, other = ("eager", "graph") if _eager(call) else ("graph", "eager")
    case = settle(layer, variant, call, replace(point, mode=mode), book.tables, model)
    rules = RulesAsked(case, book)
    folded = fold(rules, case.point)
    if folded.row is not None and _modes_differ(folded.row, rules):
        elsewhere = fold(rules, replace(point, mode=other))
        if elsewhere.verdict is not folded.verdict and elsewhere.verdict is not Verdict.UNKNOWN:
            folded = _with_condition(folded, mode, elsewhere)
    return folded, case


def _modes_differ(row: Row, rules: RulesAsked) -> bool:
    """Return whether what may stop the layer leads to one thing in graph mode and to another in eager calls."""
    unlike = (name for name, then in row.blocked_by.items() if isinstance(then, dict))
    return any(rules.ask(name)[1].truth is not Truth.NO for name in unlike)


def _eager(call: Call) -> bool:
    facts = alternatives(call.context("eager"))
    return all(isinstance(fact, (Known, Assumed)) and fact.value is True for fact in facts)


def _with_condition(folded: Folded, mode: str, elsewhere: Folded) -> Folded:
    calls = {"graph": "graph mode (fit, evaluate, predict, tf.function)", "eager": "eager calls"}
    other = "eager" if mode == "graph" else "graph"
    wrong = any(answer.finding.truth is Truth.YES for answer in elsewhere.defects)
    what = f"{WORDS[elsewhere.verdict]}, with wrong results" if wrong else WORDS[elsewhere.verdict]
    text = f"in {calls[mode]}; in {calls[other]} it {what}"
    return replace(folded, condition=f"{folded.condition}; {text}" if folded.condition else text)


def layer_name(layer: Layer, target: Target) -> str | None:
    """Return the layer's name as the target's Keras gives it (a Bidirectional adds a prefix)."""
    direction = layer.direction
    if layer.name is None or direction is None or _in_graph(layer):
        return layer.name
    return direction_name(2 if target.keras_2 else GENERATION, direction, layer.name)


def _in_graph(layer: Layer) -> bool:
    """Return whether the layer is read from a graph, whose scopes already hold the final names."""
    return layer.variants[0].path.startswith("graph.")


def _judgement(target: Target, folded: Folded) -> Judgement:
    condition = folded.condition
    doubts = [f"assumed: {doubt}" for doubt in folded.doubts]
    doubts += [] if target.certain else [f"assumed: {target.origin}"]
    condition = "; ".join([*([condition] if condition else []), *doubts]) or None
    return Judgement(
        target=target,
        verdict=folded.verdict,
        possible=folded.possible,
        condition=condition,
        requirements=requirements(folded),
        route=folded.route,
        varies=folded.varies,
    )


def _report(identity: int, name: str | None, faces: Sequence[Layer], judgements: tuple[Judgement, ...]) -> LayerReport:
    layer = faces[0]
    classes = dict.fromkeys(variant.class_name for face in faces for variant in face.variants)
    source = isinstance(layer.place, SourcePlace)
    return LayerReport(
        id=identity,
        name=name,
        class_name="|".join(classes),
        place=layer.place if isinstance(layer.place, SourcePlace) else None,
        layer_path=None if source else "/".join(part for part in (layer.layer_path, name or "?") if part),
        via=layer.via,
        judgements=judgements,
        layer=layer,
        steps=_steps(faces),
        own_class=layer.variants[0].subclass,
        role=layer.direction.role if layer.direction else None,
    )


def _steps(faces: Sequence[Layer]) -> int | None:
    """Return the most steps that a layer is called with; None where a call does not show them."""
    facts = [call.context("steps") for face in faces for call in face.calls]
    if not facts or not all(isinstance(fact, (Known, Assumed)) for fact in facts):
        return None
    return max(int(fact.value) for fact in facts if isinstance(fact, (Known, Assumed)))
