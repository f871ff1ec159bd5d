"""Compare predictions with observations. Pure: no process, no framework, no file.

An observation counts only where something was seen. What the data decides is `depends` on both sides, and one that
could not be provoked (no mask reached the layer, say) is undecided, never confirmed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import Enum
from typing import Any

from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.verdict import Judgement, Verdict

#: What the child was doing with an item when it stopped. "import": something that the item needs is not installed.
#: "program": an example stopped by itself, or made nothing that can be asked.
BUILDING, IMPORTING, LOST, PROGRAM = "build", "import", "lost", "program"
WORST_FIRST = ("raises", "depends", "fallback", "cudnn")  # as the engine folds several calls


class Agreement(str, Enum):
    """The result of comparing a prediction with what ran."""

    CONFIRMED = "confirmed"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Observation:
    """What a layer was seen to do, in one mode.

    `verdict` is None where nothing showed it. `paddings` maps a mask's padding ("none": no mask) to the route;
    `tried` says whether every padding that matters was put to the layer.
    """

    verdict: Verdict | None
    paddings: Mapping[str, str | None] = field(default_factory=dict)
    error: str | None = None
    ops: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ()
    tried: bool = False


@dataclass(frozen=True)
class Compared:
    """The outcome for one layer."""

    agreement: Agreement
    reason: str
    observation: Observation | None = None


def observe(calls: Iterable[Mapping[str, Any]], mode: str, paddings: int) -> Observation:
    """One observation of a layer's calls, each {mode: {phase: {padding: what the child saw}}}.

    Torch has no graph, and is taken by its eager calls; what was not run eagerly shows nothing of that. `paddings` is
    how many different paddings the backend tells apart.
    """
    instead = "eager" if mode == "graph" else mode
    phases = [phase for call in calls for phase in call.get(mode, call.get(instead, {})).values()]
    seen = [answer for phase in phases for answer in phase.values()]
    routes: dict[str, str | None] = {}
    for phase in phases:
        for padding, answer in phase.items():
            routes[padding] = _across([routes.get(padding, answer["route"]), answer["route"]])
    return Observation(
        verdict=_verdict(_across([_of_phase(phase) for phase in phases])),
        paddings=routes,
        error=next((answer["error"] for answer in seen if answer["error"]), None),
        ops=_all(seen, "ops"),
        kernels=_all(seen, "kernels"),
        tried=len(set(routes) - {"none"}) >= paddings,
    )


def in_phase(calls: Iterable[Mapping[str, Any]], phase: str) -> list[Mapping[str, Any]]:
    """Return what was seen of a layer's calls in one phase: "training" or "inference"."""
    return [
        {mode: {name: seen for name, seen in phases.items() if name == phase} for mode, phases in call.items()}
        for call in calls
    ]


def _of_phase(phase: Mapping[str, Any]) -> str | None:
    """One call with every padding: data decides where the routes differ; None where one showed nothing."""
    routes = {answer["route"] for answer in phase.values()}
    if None in routes or not routes:
        return None
    return routes.pop() if len(routes) == 1 else "depends"


def _across(found: list[str | None]) -> str | None:
    """Several calls or phases: equal ones stand, else the worst; one that showed nothing spoils it."""
    distinct = set(found)
    if len(distinct) < 2:
        return found[0] if found else None
    if None in distinct:
        return None
    return next(word for word in WORST_FIRST if word in distinct)


def _verdict(word: str | None) -> Verdict | None:
    return None if word is None else Verdict(word)


def _all(seen: list[Any], key: str) -> tuple[str, ...]:
    return tuple(sorted({name for answer in seen for name in answer.get(key, ())}))


def compare(predicted: Judgement, observation: Observation) -> Compared:
    """Compare one prediction with one observation."""
    verdict, seen = predicted.verdict, observation.verdict
    if seen is None:
        return Compared(Agreement.UNDECIDED, "It was not possible to see which route ran.", observation)
    seen_as = _described(observation)
    if verdict is Verdict.UNKNOWN:
        if _possible(predicted, observation):
            return Compared(Agreement.UNDECIDED, f"The verdict was unknown; {seen_as}.", observation)
        possible = ", ".join(one.value for one in predicted.possible)
        return Compared(
            Agreement.CONTRADICTED, f"The verdict was unknown, with only {possible} possible; {seen_as}.", observation
        )
    if verdict is seen:
        return Compared(Agreement.CONFIRMED, f"{seen_as[0].upper()}{seen_as[1:]}.", observation)
    if verdict is Verdict.DEPENDS and not observation.tried:
        return Compared(
            Agreement.UNDECIDED, f"The verdict depends on data that the probe could not make; {seen_as}.", observation
        )
    return Compared(Agreement.CONTRADICTED, f"The verdict was {verdict.value}, but {seen_as}.", observation)


def compare_training(compared: Compared, training: Observation) -> Compared:
    """Return what becomes of a comparison where a rule says that the layer runs but cannot be trained."""
    if training.verdict is Verdict.RAISES:
        stopped = f"{compared.reason} Training stopped, as predicted: {training.error}."
        return replace(compared, reason=stopped)
    return replace(compared, agreement=Agreement.CONTRADICTED, reason=f"{compared.reason} {TRAINED}")


def _possible(predicted: Judgement, observation: Observation) -> bool:
    """Return whether the observation is among the possible verdicts; where data decides, it shows several routes."""
    routes = {Verdict(route) for route in observation.paddings.values() if route is not None}
    return observation.verdict in predicted.possible or routes <= {*predicted.possible}


TRAINED = "A rule says that training stops, but it ran."
WORDS = {"cudnn": "ran in cuDNN", "fallback": "ran in a loop without cuDNN", "raises": "stopped with an error"}
PADDED = {
    "none": "no mask",
    "right": "a right-padded mask",
    "left": "a left-padded mask",
    "empty": "a mask with an empty row",
}


def _described(observation: Observation) -> str:
    """Describe what was seen."""
    paddings = {name: route for name, route in observation.paddings.items() if route is not None}
    if len(set(paddings.values())) > 1:
        parts = [f"{WORDS.get(route, route)} with {PADDED.get(name, name)}" for name, route in paddings.items()]
        return "the layer " + ", ".join(parts)
    assert observation.verdict is not None
    error = f": {observation.error}" if observation.verdict is Verdict.RAISES and observation.error else ""
    return f"the layer {WORDS.get(observation.verdict.value, observation.verdict.value)}{error}"


def unbuilt(predicted: Judgement, error: str, stage: str, saved: bool, foreseen: bool = False) -> Compared:
    """Compare a prediction with a layer or model that could not be built, loaded or called, or was lost.

    `saved`: a whole file was loaded, so that any part of it may be at fault; what is built from the facts of one layer
    speaks of that layer. `foreseen`: the prediction was that the file as such does not load.
    """
    raised = Observation(Verdict.RAISES, error=error)
    building = stage == BUILDING
    if stage == LOST:
        return Compared(Agreement.UNDECIDED, f"{error[0].upper()}{error[1:]}.")
    if stage == IMPORTING:
        return Compared(Agreement.SKIPPED, f"The file needs a package that is not installed here: {error}.")
    if stage == PROGRAM:
        return Compared(Agreement.SKIPPED, f"The example cannot be run here: {error}.")
    if building and saved and not foreseen:
        return Compared(Agreement.SKIPPED, f"The file cannot be loaded, which need not be this layer's fault: {error}.")
    if predicted.verdict is Verdict.RAISES:
        return Compared(Agreement.CONFIRMED, f"The layer stopped with an error: {error}.", raised)
    if building and predicted.verdict is not Verdict.UNKNOWN:
        return Compared(
            Agreement.CONTRADICTED,
            f"The verdict was {predicted.verdict.value}, but the layer stopped with an error: {error}.",
            raised,
        )
    return Compared(Agreement.SKIPPED, f"The model does not run here: {error}.")
