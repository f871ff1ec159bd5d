"""A report in the reader's language: what the report holds as sentences, and nothing that programs compare."""

from __future__ import annotations

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.language import foreign, tr, translated_page
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.report import FileReport, LayerReport, Report, RulePage
from cudnnlint.core.target import Target
from cudnnlint.core.verdict import Judgement


def translated(report: Report) -> Report:
    """Return the report with its sentences in the language that is in use."""
    if not foreign():
        return report
    return replace(
        report,
        files=tuple(map(_file, report.files)),
        diagnostics=tuple(map(_diagnostic, report.diagnostics)),
        rules=tuple(map(_page, report.rules)),
    )


def _file(file: FileReport) -> FileReport:
    targets = {target: replace(target, origin=tr(target.origin)) for target in file.targets}
    return replace(
        file,
        targets=tuple(targets.values()),
        layers=tuple(_layer(layer, targets) for layer in file.layers),
        error=(file.error[0], tr(file.error[1])) if file.error else None,
        notes=tuple(map(tr, file.notes)),
    )


def _layer(layer: LayerReport, targets: dict[Target, Target]) -> LayerReport:
    return replace(layer, judgements=tuple(_judgement(one, targets) for one in layer.judgements))


def _judgement(judgement: Judgement, targets: dict[Target, Target]) -> Judgement:
    requirements = tuple(replace(one, found=tr(one.found), needed=tr(one.needed)) for one in judgement.requirements)
    target = targets.get(judgement.target, judgement.target)
    return replace(judgement, target=target, condition=_maybe(judgement.condition), requirements=requirements)


def _diagnostic(diagnostic: Diagnostic) -> Diagnostic:
    fix = diagnostic.fix
    return replace(
        diagnostic,
        message=tr(diagnostic.message),
        found=_maybe(diagnostic.found),
        needed=_maybe(diagnostic.needed),
        fix=replace(fix, message=tr(fix.message)) if fix is not None else None,
        advice=_maybe(diagnostic.advice),
        consequence=_maybe(diagnostic.consequence),
        related=tuple((place, tr(text)) for place, text in diagnostic.related),
        reason=tr(diagnostic.reason),
        outcome=tr(diagnostic.outcome),
        instead=_maybe(diagnostic.instead),
        doubts=tuple(map(tr, diagnostic.doubts)),
    )


def _maybe(text: str | None) -> str | None:
    return tr(text) if text else text


def _page(page: RulePage) -> RulePage:
    return replace(page, summary=tr(page.summary), page=translated_page(page.page))
