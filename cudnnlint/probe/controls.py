"""What a layer that stops is held against: the same example without the fault, which has to run.

An error alone does not show whose it is: an example may stop for a reason of its own. It is the predicted one where
the example runs as soon as the fault is gone. Pure but for the programs that `choose` writes.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cudnnlint.core.book import Rulebook
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.report import FileReport, LayerReport
from cudnnlint.core.target import Point
from cudnnlint.core.verdict import Verdict
from cudnnlint.probe.cases import Claim, controls
from cudnnlint.probe.chosen import ConformanceCase, Judged, Seen, seen_in
from cudnnlint.probe.compare import Agreement
from cudnnlint.probe.outcome import NO_EVIDENCE

Record = dict[str, Any]
Held = tuple[str, int]  # a case by its name, and a layer in it

NONE_THERE = "It stopped with an error, and no example without the fault shows that the fault is the reason: {error}."
STOPS_TOO = "It stopped with an error, and so does the example without the fault: {error}. That: {other}"
NOT_SEEN = "It stopped with an error, but the example without the fault was not seen to run: {error}. That: {other}"


@dataclass(frozen=True)
class Control:
    """A layer without the fault, in a program of its own, which is run `whole` where that of the fault is.

    `untrainable`: it has another fault, which stops it in training alone.
    """

    name: str
    file: FileReport
    layer: LayerReport
    whole: bool
    untrainable: bool = False


def choose(
    folder: Path, cases: Iterable[ConformanceCase], book: Rulebook, point: Point, judged: Judged
) -> dict[Held, Control]:
    """Write the examples without the fault for every layer that is to stop, and keep the first that can be run."""
    written: dict[Held, dict[str, Claim]] = {}
    for case in cases:
        for layer in case.stopping:
            own = written.setdefault((case.name, layer.id), {})
            for claim in case.shown[layer.id]:
                for place, (suffix, text) in enumerate(controls(claim, book, point)):
                    path = folder / f"{claim.name}-control-{place}{suffix}"
                    path.write_text(text, encoding="utf-8")
                    own[str(path)] = claim
    seen = list(seen_in(judged(list(dict.fromkeys(path for own in written.values() for path in own))), book, point))
    whole = {(case.name, identity) for case in cases for identity in case.whole}
    found = {}
    for held, own in written.items():
        fit = [one for path, claim in own.items() for one in seen if one.file.path == path and _without(claim, one)]
        if fit:
            name = f"conformance/{Path(fit[0].file.path).name}"
            found[held] = Control(name, fit[0].file, fit[0].layer, held in whole, fit[0].untrainable)
    return found


def _without(claim: Claim, seen: Seen) -> bool:
    """Return whether a layer is of the claim's class, has not what the claim is about, and is not to stop."""
    same = claim.operation in (None, seen.operation)
    stops = Verdict.RAISES in (seen.layer.judgements[0].verdict, *seen.layer.judgements[0].possible)
    return same and not stops and seen.rebuilt < 2 and claim.what not in seen.codes


def held(result: Record, control: Record | None) -> Record:
    """Return the result of a layer that was to stop, after a look at what its example does without the fault.

    `control` is the result of that example; None where there is none.
    """
    named = result if control is None else {**result, "control": control["path"]}
    if (result["agreement"], result["observed"]) != (Agreement.CONFIRMED.value, Verdict.RAISES.value):
        return named
    if control is not None and control["observed"] not in (None, Verdict.RAISES.value):
        return named
    words = NONE_THERE if control is None else STOPS_TOO if control["observed"] else NOT_SEEN
    error = result["reason"].partition(": ")[2].rstrip(".")
    reason = words.format(error=error, other=control and control["reason"])
    nothing = {"observed": None, "masks": {}, "evidence": NO_EVIDENCE}
    return {**named, **nothing, "agreement": Agreement.SKIPPED.value, "reason": reason}
