"""What is shown of a layer where it is constructed: a word beside it, and a page on hovering."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cudnnlint.core.diagnostic import Severity
from cudnnlint.core.language import tr
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.report import LayerReport
from cudnnlint.core.report_text import COUNTED
from cudnnlint.core.text import visible
from cudnnlint.core.verdict import Judgement, Requirement, Verdict
from cudnnlint.server.checking import Checked

LABELS = {
    Verdict.CUDNN: "cuDNN",
    Verdict.FALLBACK: "falls back",
    Verdict.RAISES: "raises an error",
    Verdict.DEPENDS: "depends on the data",
    Verdict.UNKNOWN: "unknown",
}
MARKS = {"yes": "met", "no": "**not met**", "unknown": "unclear"}
MOST_NAMES = 3


@dataclass(frozen=True)
class Sign:
    """What stands beside the layers at one place: a few words, and a page of Markdown."""

    place: SourcePlace
    label: str
    page: str


def signs(checked: Checked) -> Iterator[Sign]:
    """Yield a sign for each place where layers are constructed."""
    places: dict[SourcePlace, list[LayerReport]] = {}
    for layer in checked.file.layers if checked.file is not None else ():
        if layer.place is not None and layer.place.path == checked.buffer.path:
            places.setdefault(layer.place, []).append(layer)
    for place, layers in places.items():
        labels = dict.fromkeys(_label(layer, checked) for layer in layers)
        yield Sign(place, " / ".join(labels), page(layers, checked))


def page(layers: Iterable[LayerReport], checked: Checked) -> str:
    """Return what is known of layers that are constructed at one place, as Markdown; what is alike is there once."""
    return "\n\n---\n\n".join(dict.fromkeys("\n\n".join(_sections(layer, checked)) for layer in layers))


def _label(layer: LayerReport, checked: Checked) -> str:
    worst = layer.worst
    judged = next(judgement for judgement in layer.judgements if judgement.verdict is worst)
    if worst is Verdict.CUDNN:
        wrong = [one for one in checked.report.diagnostics if layer.id in one.layers and one.severity is Severity.ERROR]
        return tr(f"cuDNN, but {wrong[0].name.replace('-', '_')}") if wrong else LABELS[worst]
    names = [one.name.replace("-", "_") for one in _open(judged)]
    more = tr(f" and {len(names) - MOST_NAMES} more") if len(names) > MOST_NAMES else ""
    return f"{tr(LABELS[worst])}: {', '.join(names[:MOST_NAMES])}{more}" if names else tr(LABELS[worst])


def _open(judged: Judgement) -> list[Requirement]:
    """Return the requirements that are not met; where all are, or may be, those that are unclear."""
    failed = [one for one in judged.requirements if one.met == "no"]
    return failed or [one for one in judged.requirements if one.met == "unknown"]


def _sections(layer: LayerReport, checked: Checked) -> Iterator[str]:
    name = f" {_code(layer.name)}" if layer.name else ""
    for judged in layer.judgements:
        yield f"**{_text(layer.class_name)}**{name}: **{tr(COUNTED[judged.verdict][0])}** ({_code(str(judged.target))})"
        if judged.condition:
            yield _text(judged.condition)
        yield from _table(judged, checked)


def _table(judged: Judgement, checked: Checked) -> Iterator[str]:
    """Yield the requirements as a table, what is not met first; those of which nothing is written, by name alone."""
    order = {"no": 0, "unknown": 1, "yes": 2}
    rows = sorted(judged.requirements, key=lambda one: order[one.met])
    told = [one for one in rows if one.met != "yes" or one.origin == "written" or one.found]
    if told:
        head = f"| {tr('requirement')} | | {tr('found')} | {tr('needed')} |\n|---|---|---|---|"
        yield "\n".join([head, *(_row(one, checked) for one in told)])
    others = [one.name for one in rows if one not in told]
    if others:
        yield tr(f"Also met: {', '.join(others)}")


def _row(one: Requirement, checked: Checked) -> str:
    url = next((page.url for page in checked.report.rules if page.code == one.code), None)
    name = f"{one.code} {one.name}"
    cells = (f"[{name}]({url})" if url else name, tr(MARKS[one.met]), _code(one.found), _text(one.needed))
    return f"| {' | '.join(cells)} |"


def _code(text: str) -> str:
    """Return text of a file as Markdown code, on one line of a table."""
    shown = visible(text).replace("|", "\\|")
    fence = "``" if "`" in shown else "`"
    space = " " if len(fence) > 1 else ""
    return f"{fence}{space}{shown}{space}{fence}" if shown.strip() else ""


def _text(text: str) -> str:
    """Return a sentence as Markdown that means itself."""
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{c}" if c in "\\`*_[]|~#" else c for c in shown)
