"""The sentences that several formats share: headers, summaries, targets, a diagnostic in one paragraph."""

from __future__ import annotations

from collections.abc import Sequence

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Applicability
from cudnnlint.core.fact import Absent, values
from cudnnlint.core.report import FileReport, LayerReport, Report
from cudnnlint.core.report_text import COUNTED
from cudnnlint.core.text import plural, visible
from cudnnlint.core.verdict import Judgement, Verdict

SHORT = {verdict.value: one for verdict, (one, _) in COUNTED.items()}
MOST_TARGETS = 3  # named in a sentence; the others are counted
MOST_MESSAGES = 3  # of one finding under different targets
SLOW = "A layer that runs in cuDNN can still be slower than on a CPU: see cudnnlint explain slow-on-gpu."
#: With fewer, a step is less work than it takes to start its kernels, unless the batch is large.
FEW_UNITS = 32
SMALL = (
    "The smallest layer has {units} units: unless the batch is large, a GPU mostly waits for its steps to be started."
)


def slow(report: Report) -> tuple[str, ...]:
    """Return the sentence on layers that are slow in cuDNN, where a layer of the report may run in it."""
    return (SLOW,) if _in_cudnn(report) else ()


def small(report: Report) -> tuple[str, ...]:
    """Return a sentence on the layer of the fewest units that may run in cuDNN, if they are few; none when merged."""
    units = [one for layer in _in_cudnn(report) for one in _units(layer) if 0 < one < FEW_UNITS]
    return (SMALL.format(units=min(units)),) if units else ()


def _in_cudnn(report: Report) -> list[LayerReport]:
    """Return the layers that may run in cuDNN."""
    layers = (layer for file in report.files for layer in file.layers)
    return [layer for layer in layers if any(Verdict.CUDNN in one.possible for one in layer.judgements)]


def _units(layer: LayerReport) -> list[int]:
    """Return the numbers of units that a layer may have, where they are written."""
    made = layer.layer.variants if layer.layer is not None else ()
    return [one for variant in made for one in values(variant.arguments.get("units", Absent())) if type(one) is int]


def where(diagnostic: Diagnostic) -> str:
    """Return `path:row:column`, `path:cell N:row:column`, or the path alone."""
    place = diagnostic.location
    if place is None:
        return visible(diagnostic.path)
    cell = "" if place.cell is None else f"cell {place.cell}:"
    return f"{visible(diagnostic.path)}:{cell}{place.row}:{place.column}"


def layer_place(file: FileReport, layer: LayerReport) -> str:
    """Return the place of a layer, written as `where` writes that of a finding."""
    place = layer.place
    if place is None:
        return visible(file.path)
    cell = "" if place.cell is None else f"cell {place.cell}:"
    return f"{visible(file.path)}:{cell}{place.row}:{place.column}"


def findings(report: Report) -> str:
    """Return `2 errors, 1 warning and 3 notes`; empty when clean."""
    counts = [sum(d.severity.value == name for d in report.diagnostics) for name in ("error", "warning", "info")]
    return listed([plural(n, word) for n, word in zip(counts, ("error", "warning", "note"), strict=True) if n])


def fixed_by(group: Sequence[Diagnostic], unsafe: bool) -> bool:
    """Return whether `--fix` mends a finding."""
    fix = worst(group).fix
    return fix is not None and fix.applicability in applied(unsafe)


def applied(unsafe: bool) -> frozenset[Applicability]:
    """Return the kinds of fixes that `--fix` applies."""
    return frozenset({Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE})


def fixable(report: Report, unsafe: bool) -> list[str]:
    """`[*] 2 findings can be fixed with --fix, 1 more with --unsafe-fixes`; nothing where there is no fix.

    "May be fixable" where a fix was not tried yet: whether it can be written and takes the finding away, --fix finds.
    """
    offered = [fix for group in groups(report) if (fix := worst(group).fix) is not None]
    now = [fix for fix in offered if fix.applicability in applied(unsafe)]
    more = [fix for fix in offered if fix.applicability is Applicability.UNSAFE and not unsafe]
    sure = all(fix.edits for fix in (*now, *more))
    found = plural(len(now or more), "finding")
    can = f"{found} can be fixed" if sure else f"{found} may be fixable"
    if now:
        also = f", {len(more)} more with --unsafe-fixes" if more else ""
        return [f"[*] {can} with --fix{also}"]
    return [f"{can} with --fix --unsafe-fixes"] if more else []


def listed(parts: Sequence[str]) -> str:
    """Join words: `a, b and c`."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def some(parts: Sequence[str], most: int = MOST_TARGETS) -> str:
    """All of a few; of many the first, and how many more there are."""
    return ", ".join(parts) if len(parts) <= most + 1 else f"{', '.join(parts[:most])} and {len(parts) - most} more"


def targets(report: Report) -> list[str]:
    """Return `Target: keras@3.15.1:tensorflow (--target)`, one line for each origin."""
    found: dict[str, dict[str, None]] = {}
    for file in report.files:
        for target in file.targets:
            found.setdefault(target.origin, {})[str(target)] = None
    return [
        f"{'Target' if len(those) == 1 else 'Targets'}: {some(list(those))} ({visible(origin)})"
        for origin, those in found.items()
    ]


def assumptions(file: FileReport, report: Report) -> list[str]:
    """Return what was assumed of the targets of a file whose findings rest on it, a sentence each."""
    own = [diagnostic for diagnostic in report.diagnostics if diagnostic.path == file.path]
    concerned = {layer for diagnostic in own for layer in diagnostic.layers}
    own_judgements = [judgement for layer in file.layers if layer.id in concerned for judgement in layer.judgements]
    resting = dict.fromkeys(judgement.target for judgement in own_judgements if rests(judgement))
    return [f"assumed: {target} ({target.origin}); with another release a verdict here changes" for target in resting]


def rests(judgement: Judgement) -> bool:
    """Return whether a verdict rests on a release that was not given."""
    target = judgement.target
    return judgement.varies or (target.assumed and not target.open_ended)


def groups(report: Report) -> list[list[Diagnostic]]:
    """Return the diagnostics in groups, each of which is one finding for a reader.

    That is: one place and one code under several targets, or one code with one value in layers of a saved model.
    """
    found: dict[tuple[object, ...], list[Diagnostic]] = {}
    for diagnostic in report.diagnostics:
        where = diagnostic.location or (diagnostic.found, diagnostic.consequence, not diagnostic.layers)
        key = (diagnostic.path, where, diagnostic.code, diagnostic.requirement)
        found.setdefault(key, []).append(diagnostic)
    return list(found.values())


def layers_of(group: Sequence[Diagnostic]) -> list[int]:
    """Return the ids of all layers that a group covers, each once."""
    return list(dict.fromkeys(layer for diagnostic in group for layer in diagnostic.layers))


def worst(group: Sequence[Diagnostic]) -> Diagnostic:
    """Return the most severe diagnostic of a group, the first of several."""
    return max(group, key=lambda diagnostic: diagnostic.severity.weight)


def reasons(group: Sequence[Diagnostic]) -> list[str]:
    """Return why a layer has its verdict, and what the GPU does where that is something else than the verdict says."""
    told = (one.reason if one.reason and one.then == one.verdict else one.message for one in group)
    found = dict.fromkeys(map(visible, told))
    more = len(found) - MOST_MESSAGES
    texts = list(found)
    return texts if more <= 0 else [*texts[:MOST_MESSAGES], f"{plural(more, 'more reason')} for other targets."]


def messages(group: Sequence[Diagnostic]) -> list[str]:
    """Return the messages of a group; those that differ in their target only become one sentence."""
    found: dict[str, list[Diagnostic]] = {}
    for diagnostic in group:
        found.setdefault(diagnostic.message.replace(f"({diagnostic.target})", "()"), []).append(diagnostic)
    texts = [_joined(alike) for alike in found.values()]
    more = len(texts) - MOST_MESSAGES
    return texts if more <= 0 else [*texts[:MOST_MESSAGES], f"{plural(more, 'more message')} for other targets."]


def _joined(alike: Sequence[Diagnostic]) -> str:
    first = alike[0]
    named = some(list(dict.fromkeys(str(diagnostic.target) for diagnostic in alike)))
    return visible(first.message.replace(f"({first.target})", f"({named})"))
