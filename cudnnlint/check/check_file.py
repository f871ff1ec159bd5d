"""From one file that was read to its verdicts and diagnostics, without those that are suppressed."""

from __future__ import annotations

from collections.abc import Iterable

from cudnnlint import engine
from cudnnlint.check import across_releases, drawn
from cudnnlint.check.read_all import Failure, Read
from cudnnlint.core import families
from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.edit import Applicability, Effect
from cudnnlint.core.file_limits import held
from cudnnlint.core.layer import Model
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.report import FileReport
from cudnnlint.files import reading
from cudnnlint.files.found import Found
from cudnnlint.formats.sniff import SUFFIXES
from cudnnlint.rulebook import loader
from cudnnlint.settings import baseline, config, suppress
from cudnnlint.settings.settings import CANNOT_TELL, Flags, Settings, settle
from cudnnlint.targets import environment


@dataclass(frozen=True)
class CheckedFile:
    """One judged file; `file` is None where source was passed over. Ids of layers count from 0 in the file.

    `failing` is how many of the diagnostics make the run fail.
    """

    file: FileReport | None
    diagnostics: tuple[Diagnostic, ...] = ()
    failing: int = 0


def judge(flags: Flags, item: tuple[Found, Read]) -> CheckedFile:
    """Judge one file that was read: return its report, and the diagnostics that are not suppressed."""
    found, read = item
    if read is None:
        return CheckedFile(None)
    book = loader.load()
    own = config.nearest(found.real.parent)
    settings = settle(flags, own, found.real, book)
    with held(own.limits):
        file, diagnostics = _failed(found, read) if isinstance(read, Failure) else _judged(found, read, settings)
    left = suppress.apply(file, tuple(sorted(diagnostics, key=_order)), settings, book)
    if settings.baseline is not None:
        left = baseline.left(file, left, baseline.read(settings.baseline, own.limits.baseline_bytes), settings.baseline)
    return CheckedFile(file, left, sum(_fails(diagnostic, settings) for diagnostic in left))


def _judged(found: Found, model: Model, settings: Settings) -> tuple[FileReport, list[Diagnostic]]:
    targets = environment.decide(settings.requested, environment.hints(model), found.real.parent, environment.known())
    judged = engine.judge(model, targets, loader.load())
    judged_for = {judgement.target for layer in judged.layers for judgement in layer.judgements}
    shown_for = tuple(target for target in targets if target in judged_for)
    broken = [_unreadable(found.path, reason, place) for reason, place in model.errors]
    file = FileReport(
        path=found.path,
        kind=model.kind,
        targets=shown_for,
        layers=judged.layers,
        error=("CDN001", broken[0].message) if broken else None,
        notes=(*model.notes, *families.left_out(judged.left_out)),
        source=model.source,
        cells=model.cells,
        comparisons=across_releases.compare(model, judged.layers, settings.compared),
        graph=drawn.graph(model, judged.layers, shown_for, loader.load().tables),
    )
    broken += [_cut_off(found.path, sentence) for sentence in model.cuts]
    told: Iterable[Diagnostic] = judged.diagnostics
    if model.errors:
        told = map(_not_fixed, told)
    elif settings.inference:
        told = map(_for_inference, told)
    return file, [*broken, *told]


def _failed(found: Found, failure: Failure) -> tuple[FileReport, list[Diagnostic]]:
    column = failure.column or 1
    place = SourcePlace(found.path, failure.row, column, failure.row, column + 1) if failure.row else None
    diagnostic = _unreadable(found.path, failure.reason, place, failure.pointer)
    if found.problem is not None:
        diagnostic = replace(diagnostic, advice="Check the path and its permissions.")
    if failure.fault:
        diagnostic = replace(diagnostic, code="CDN003", name="internal-fault", advice=None)
    source = reading.text(found) if place else None
    kind = "savedmodel" if found.folder else SUFFIXES.get(found.real.suffix.lower(), "python")
    return FileReport(found.path, kind, error=(diagnostic.code, failure.reason), source=source), [diagnostic]


def _unreadable(path: str, reason: str, place: SourcePlace | None, pointer: bool = False) -> Diagnostic:
    rule = loader.load().rules["unreadable-input"]
    severity, advice = (Severity.INFO, None) if pointer else (Severity.ERROR, rule.advice)
    return Diagnostic(rule.code, rule.name, reason, severity, path, location=place, advice=advice)


def _cut_off(path: str, sentence: str) -> Diagnostic:
    """Return the diagnostic of a file that was not followed to its end: layers that may be missing cannot be told."""
    rule = loader.load().rules["cannot-tell"]
    advice = "Split the file, or set a higher limit where the configuration can set it."
    return Diagnostic(rule.code, rule.name, sentence, Severity.INFO, path, advice=advice)


def _not_fixed(diagnostic: Diagnostic) -> Diagnostic:
    """Return the diagnostic with a fix that is advice only: a part of the file that was not read may use the layer."""
    fix = diagnostic.fix
    reason = "a part of the file cannot be read, and it may use the layer"
    return replace(diagnostic, fix=fix.refused(reason) if fix is not None else None)


def _for_inference(diagnostic: Diagnostic) -> Diagnostic:
    """Return the diagnostic with a fix that changes training only marked as safe, for `--for inference`."""
    fix = diagnostic.fix
    if fix is None or fix.intent is None or fix.applicability is not Applicability.UNSAFE:
        return diagnostic
    if fix.intent.effect is not Effect.SAME_AT_INFERENCE:
        return diagnostic
    return replace(diagnostic, fix=replace(fix, applicability=Applicability.SAFE))


def _order(diagnostic: Diagnostic) -> tuple[int, int, int, str]:
    """Return the sort key by place; the sort is stable, so targets and layers of a saved model keep their order."""
    place = diagnostic.location
    return (place.cell or 0, place.row, place.column, diagnostic.code) if place else (0, 0, 0, "")


def _fails(diagnostic: Diagnostic, settings: Settings) -> bool:
    strict = settings.strict and diagnostic.code == CANNOT_TELL
    return strict or diagnostic.severity.weight >= Severity(settings.fail_on).weight
