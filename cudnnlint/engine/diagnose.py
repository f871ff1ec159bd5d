"""Diagnose: a judged layer becomes requirements for the report and diagnostics for the reader."""

from __future__ import annotations

from cudnnlint.core import refused_values
from cudnnlint.core.book import Rule, Rulebook
from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.edit import Fix
from cudnnlint.core.execution_context import made_without_gpu
from cudnnlint.core.layer import Layer
from cudnnlint.core.place import Place, SavedPlace, SourcePlace
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case
from cudnnlint.core.target import Target
from cudnnlint.core.text import sentence
from cudnnlint.core.truth import Truth
from cudnnlint.core.verdict import Requirement, Verdict
from cudnnlint.engine import remedies
from cudnnlint.engine.fold import Folded, RuleAnswer
from cudnnlint.engine.intended_fixes import written

MET = {Truth.YES: "no", Truth.NO: "yes", Truth.UNKNOWN: "unknown"}
SEVERITIES = {Verdict.RAISES: Severity.ERROR, Verdict.FALLBACK: Severity.WARNING}
HAPPENS = {
    Verdict.FALLBACK: "On a GPU this {what} runs step by step in a loop, without cuDNN",
    Verdict.RAISES: "On a GPU this {what} stops with an error",
    Verdict.DEPENDS: "What happens on a GPU depends on the data",
    Verdict.CUDNN: "On a GPU this {what} runs in the cuDNN kernel",
    Verdict.UNKNOWN: "It is not clear what this {what} does on a GPU",
}
NEVER = "This {what} never runs on a GPU"


def requirements(folded: Folded) -> tuple[Requirement, ...]:
    """Return every fault that the deciding row asks for, with what was found and what is needed."""
    return tuple(
        Requirement(
            name=answer.rule.name,
            code=answer.rule.code,
            met=MET[answer.finding.truth],
            found=answer.finding.found,
            needed=answer.rule.needed,
            place=answer.finding.place,
            origin=answer.finding.origin,
        )
        for answer in folded.asked
    )


class Diagnoser:
    """Writes the diagnostics of one layer for one target."""

    def __init__(
        self, layer: Layer, identity: int, name: str | None, target: Target, case: Case, book: Rulebook
    ) -> None:
        self.layer, self.identity, self.name = layer, identity, name
        self.target, self.case, self.book = target, case, book

    def diagnostics(self, folded: Folded) -> list[Diagnostic]:
        """Return all diagnostics that the folded answer calls for."""
        found = [
            self._of(answer, folded, self._severity(answer, folded))
            for answer in folded.bites
            if _tells(answer, folded) and not self._handled(answer)
        ]
        found += [
            self._of(answer, folded, Severity.ERROR if _computes_wrong(answer, folded) else Severity.INFO)
            for answer in folded.defects
            if answer.finding.truth is Truth.YES
        ]
        found += [self._of(a, folded, Severity.INFO) for a in folded.notes if a.finding.truth is Truth.YES]
        if folded.verdict is Verdict.UNKNOWN:
            found.append(self._cannot_tell(folded))
        return [*found, *(self._crashed(name, text) for name, text in folded.faults)]

    def _handled(self, answer: RuleAnswer) -> bool:
        """Return whether the program takes the error itself, so that it is none of the program."""
        return answer.rule.name == "rejected-argument" and refused_values.handled(self.case)

    def _elsewhere(self, answer: RuleAnswer) -> bool:
        """Return whether an answer is about a layer that loops, and that is made only where there is no GPU."""
        return answer.then is Verdict.FALLBACK and made_without_gpu(self.case)

    def _severity(self, answer: RuleAnswer, folded: Folded) -> Severity:
        if answer.finding.truth is not Truth.YES or self._elsewhere(answer):
            return Severity.INFO
        if answer.rule.name == "cudnn-refused" and _padding_open(folded):
            return Severity.INFO  # refusing the kernel is right where the mask may be padded on the left
        if folded.verdict is Verdict.RAISES and answer.then is Verdict.FALLBACK:
            return Severity.WARNING  # what bites behind the error
        return SEVERITIES.get(folded.verdict, Severity.INFO)

    def _of(self, answer: RuleAnswer, folded: Folded, severity: Severity) -> Diagnostic:
        rule, finding = answer.rule, answer.finding
        then = answer.then if answer.then is not None and finding.truth is Truth.YES else folded.verdict
        words = {"found": finding.found, "class": self._what(), "detail": finding.detail or ""}
        happens = NEVER if self._elsewhere(answer) else HAPPENS[then]
        return self._diagnostic(
            rule,
            reason=f"{self._says(rule.says.format(**words))}{_only(answer)}",
            outcome=f"{happens.format(what=self._what())} ({self._target(folded)}).",
            severity=severity,
            folded=folded,
            place=finding.place,
            then=then,
            requirement=rule.requirement,
            found=finding.found,
            fix=self._fix(rule, severity),
        )

    def _cannot_tell(self, folded: Folded) -> Diagnostic:
        rule = self.book.rules["cannot-tell"]
        told = [bite.rule.code for bite in folded.bites if bite.finding.truth is Truth.YES]
        shown = f"see {', '.join(told)}" if told else "the code or file does not show enough"
        missing = "; ".join(folded.reasons) or shown
        possible = " or ".join(verdict.value for verdict in folded.possible)
        open_ones = [bite for bite in folded.bites if bite.finding.truth is Truth.UNKNOWN]
        asked = open_ones[0] if open_ones else None
        return self._diagnostic(
            rule,
            reason=sentence(f"It is not clear whether this {self._what()} runs in cuDNN: {missing}"),
            outcome=f"Possible: {possible} ({self._target(folded)}).",
            severity=Severity.INFO,
            folded=folded,
            place=next((bite.finding.place for bite in open_ones if bite.finding.place), None),
            requirement=asked.rule.name if asked else None,
            found=asked.finding.found if asked else None,
            needed=asked.rule.needed if asked else None,
            advised=not told,  # the finding that it points to has advice of its own
        )

    def _target(self, folded: Folded) -> str:
        """Return the target, with the reason where the answer for it is assumed."""
        return "; assumed: ".join([str(self.target), *folded.doubts])

    def _crashed(self, name: str, text: str) -> Diagnostic:
        rule = self.book.rules["internal-fault"]
        message = f"The rule {name} crashed on the layer {self.name or self._what()}: {text}."
        return self._diagnostic(rule, reason=message, severity=Severity.ERROR, requirement=name)

    def _diagnostic(
        self, rule: Rule, *, reason: str, severity: Severity, requirement: str | None, outcome: str = "",
        folded: Folded | None = None, place: Place | None = None, then: Verdict | None = None, found: str | None = None,
        fix: Fix | None = None, needed: str | None = None, advised: bool = True,
    ) -> Diagnostic:  # fmt: skip
        own = self.layer.place
        here = place if isinstance(place, SourcePlace) and place.path == own.path else own
        source = here if isinstance(here, SourcePlace) else None
        condition = folded.condition if folded is not None else None
        return Diagnostic(
            code=rule.code,
            name=rule.name,
            message=f"{reason} {outcome}".rstrip(),
            severity=severity,
            path=own.path,
            location=source,
            layer_path=own.layer_path if isinstance(own, SavedPlace) else None,
            layers=(self.identity,),
            verdict=folded.verdict.value if folded is not None else None,
            requirement=requirement,
            found=found,
            needed=needed if needed is not None else rule.needed,
            target=str(self.target),
            fix=fix,
            advice=self._advice(rule) if advised else None,
            consequence=sentence(condition) if condition else None,
            noqa_row=source.end_row if source else None,
            reason=reason,
            outcome=outcome,
            then=then.value if then is not None else None,
            instead=self._instead(rule, then),
            doubts=folded.doubts if folded is not None else (),
            subjects=(self._what(),),
        )

    def _advice(self, rule: Rule) -> str:
        advice = (rule.advise(self.case) if rule.advise is not None else None) or rule.advice
        return advice.replace("{cures}", remedies.cures(self.case, self.book.tables)) if "{cures}" in advice else advice

    def _instead(self, rule: Rule, then: Verdict | None) -> str | None:
        """Return what else can be done: another way than the fix, and a faster loop."""
        stays = rule.may_stay and then is Verdict.FALLBACK
        ways = (
            rule.otherwise(self.case) if rule.otherwise is not None else None,
            remedies.loop(self.case, self.book.tables) if stays else None,
        )
        return " ".join(way for way in ways if way) or None

    def _what(self) -> str:
        return self.case.construction.subclass or self.case.construction.class_name

    def _says(self, says: str) -> str:
        """Return a rule's clause as a sentence; one that begins with an argument's name keeps its lowercase letter."""
        name = says.partition(" ")[0]
        return says + "." if name in self.case.arguments else sentence(says)

    def _fix(self, rule: Rule, severity: Severity) -> Fix | None:
        intent = rule.fix(self.case) if rule.fix is not None else None
        if intent is None or (severity is Severity.INFO and not intent.suggestion):
            return None
        if any(getattr(step, "name", None) in self.case.construction.after for step in intent.steps):
            intent = replace(intent, suggestion=True)  # an attribute that is set later is not fixed at the constructor
        return written(intent, self.layer.saved)


def _tells(answer: RuleAnswer, folded: Folded) -> bool:
    """Return whether an answer is reported under its own code.

    An UNKNOWN that run-time data decides is; any other UNKNOWN is reported as CDN501.
    """
    return answer.finding.truth is Truth.YES or (answer.finding.run_time and folded.verdict is not Verdict.FALLBACK)


def _computes_wrong(defect: RuleAnswer, folded: Folded) -> bool:
    """Return whether the kernel certainly runs, and has the defect in every release that the target may be."""
    return folded.verdict is Verdict.CUDNN and defect.only is None


def _only(answer: RuleAnswer) -> str:
    return f" This applies to {answer.only} only." if answer.only else ""


def _padding_open(folded: Folded) -> bool:
    return any(
        answer.rule.name in ("padding-not-right", "masked-input") and answer.finding.truth is not Truth.NO
        for answer in folded.asked
    )
