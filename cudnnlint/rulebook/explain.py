"""A rule's page, with the table of the releases and backends that it affects, computed from the rows."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import Protocol

from cudnnlint.core.language import tr, translated_page
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.tables import Concern, Row, RowScope, Tables
from cudnnlint.core.target import Span

HAPPENS = {
    "falls_back": "falls back",
    "raises": "raises an error",
    "unknown": "unknown",
    "wrong_numbers": "wrong numbers",
    "note": "note",
}
HEADS = ("layers", "framework", "backend", "releases", "on a GPU", "tested")
#: Operations that are no class of Keras, in words.
LAYERS = {
    "graph.op": "cuDNN op in a SavedModel",
    "graph.pair": "LSTM or GRU that Keras 2 saved in a SavedModel",
    "graph.loop": "loop in a SavedModel",
    "v1.LSTM": "LSTM of TensorFlow 1",
    "v1.GRU": "GRU of TensorFlow 1",
}


class Explained(Protocol):
    """What is explained: a rule of the rulebook, or its page in a report."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def page(self) -> str: ...


@dataclass(frozen=True)
class Bite:
    """A span of releases in which a rule has the same effect on the same layers. `checked` "read": not tested."""

    layers: tuple[str, ...]
    framework: str
    backend: str | None
    keras: Span
    tensorflow: Span
    happens: str
    checked: str
    source: str

    @property
    def releases(self) -> str:
        """`3.4.0 and later`, with TensorFlow's where that matters."""
        keras = "all releases" if self.keras == Span() else str(self.keras)
        return keras if self.tensorflow == Span() else f"{keras}, TensorFlow {self.tensorflow}"

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of its row in the table."""
        tested = {"read": "read in the source, not tested", "": ""}.get(self.checked, f"up to {self.checked}")
        layers = ", ".join(LAYERS.get(layer, layer) for layer in self.layers) or "all"
        return (layers, self.framework, self.backend or "all", self.releases, self.happens, tested)


def bites(name: str, tables: Tables) -> list[Bite]:
    """Return where the rule `name` applies, with neighbouring releases that have the same consequence as one."""
    found = [*_routes(name, tables.rows), *_concerns(name, (*tables.gates, *tables.defects, *tables.notes))]
    found.sort(key=_order)
    merged: list[Bite] = []
    for bite in found:
        last = merged[-1] if merged else None
        if last is not None and _continues(last, bite):
            checked = last.checked if last.checked == bite.checked else bite.checked
            merged[-1] = replace(last, keras=Span(last.keras.since, bite.keras.until), checked=checked)
        else:
            merged.append(bite)
    return _joined(merged)


def _joined(found: Sequence[Bite]) -> list[Bite]:
    """Layers to which the same happens in the same releases as one."""
    kept: dict[Bite, list[Bite]] = {}
    for bite in found:
        kept.setdefault(replace(bite, layers=(), source=""), []).append(bite)
    return [replace(alike[0], layers=_all_layers(alike)) for alike in kept.values()]


def _all_layers(alike: Sequence[Bite]) -> tuple[str, ...]:
    """Return the layers of several rows; a row that names none means all."""
    named = tuple(dict.fromkeys(layer for bite in alike for layer in bite.layers))
    return named if all(bite.layers for bite in alike) else ()


def _routes(name: str, rows: Sequence[Row]) -> Iterator[Bite]:
    for row in rows:
        if name in row.blocked_by:
            yield _bite(row.operations, row.scope, _consequence(row, name), row.checked, row.source)
        if name == row.because:
            yield _bite(row.operations, row.scope, "falls back: no kernel", row.checked, row.source)


def _consequence(row: Row, name: str) -> str:
    then = row.blocked_by[name]
    text = HAPPENS[then] if isinstance(then, str) else ", ".join(f"{mode}: {HAPPENS[t]}" for mode, t in then.items())
    return f"{text}; raises under use_cudnn=True" if name in row.insisted else text


def _concerns(name: str, concerns: Sequence[Concern]) -> Iterator[Bite]:
    for concern in concerns:
        if concern.rule == name:
            yield _bite(concern.operations, concern.scope, HAPPENS.get(concern.then, concern.then), "", concern.source)


def _bite(layers: tuple[str, ...], scope: RowScope, happens: str, checked: str, source: str) -> Bite:
    return Bite(layers, scope.framework, scope.backend, scope.keras, scope.tensorflow, happens, checked, source)


def _order(bite: Bite) -> tuple[object, ...]:
    framework = ("keras", "tf_keras", "tensorflow").index(bite.framework)
    return (framework, bite.backend or "", bite.layers, _start(bite.keras), _start(bite.tensorflow))


def _start(span: Span) -> tuple[int, ...]:
    return span.since.release if span.since else ()


def _continues(last: Bite, bite: Bite) -> bool:
    same = replace(last, keras=bite.keras, checked=bite.checked, source=bite.source) == bite
    return same and last.keras.until is not None and last.keras.until == bite.keras.since


def opening(page: str) -> str:
    """Return the first paragraph of a page as one line."""
    return " ".join(page.split("\n\n", 1)[0].split())


class Headed(Protocol):
    """What has a name and a page."""

    @property
    def name(self) -> str: ...
    @property
    def page(self) -> str: ...


def plain(page: Headed, width: int) -> str:
    """Return a page without a code for a terminal."""
    return "\n".join([page.name, "", *_plain(page.page.replace("**", ""), width)]).rstrip() + "\n"


def headed(page: Headed) -> str:
    """Return a page without a code in Markdown."""
    return f"# {page.name}\n\n{translated_page(page.page).rstrip()}\n"


def text(rule: Explained, tables: Tables, width: int) -> str:
    """Return the page for a terminal, laid out as manual pages are."""
    lines = [f"{rule.code} {rule.name}", "", *_plain(rule.page, width)]
    found = bites(rule.name, tables)
    if found:
        lines.append(tr("Affected releases").upper())
    for bite in found:
        layers, framework, backend, releases, happens, tested = bite.cells
        where = f"{framework} on {backend}" if backend != "all" else framework
        note = f" ({tested if bite.checked == 'read' else f'tested {tested}'})" if tested else ""
        subject = "All layers" if layers == "all" else layers
        lines += _wrapped(f"{subject} in {where}, {releases}: {happens}{note}", width, "  ", "      ")
    return "\n".join(lines).rstrip() + "\n"


def _plain(page: str, width: int) -> Iterator[str]:
    """Markdown as plain text: headings in capitals, paragraphs filled, code and lists as they are."""
    code, indent = False, ""
    paragraph: list[str] = []
    for line in [*page.splitlines(), ""]:
        special = code or line.startswith(("#", "```", "- ", "|", "  ")) or not line.strip()
        if special and paragraph:
            yield from _wrapped(" ".join(paragraph), width, indent, indent)
            paragraph = []
        if line.startswith("```"):
            code = not code
        elif code:
            yield f"{indent}    {line}".rstrip()
        elif line.startswith("#"):
            yield tr(line.lstrip("# ")).upper()
            indent = "  "
        elif special:
            yield from _wrapped(line, width, indent, f"{indent}  ") if line.strip() else [""]
        else:
            paragraph.append(line.strip())


def _wrapped(line: str, width: int, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        tr(line), width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False, break_long_words=False
    )


def markdown(rule: Explained, tables: Tables | None = None) -> str:
    """Return the page in Markdown, with the table of releases where `tables` is given."""
    lines = [f"# {rule.code} {rule.name}", "", translated_page(rule.page).rstrip(), ""]
    found = bites(rule.name, tables) if tables is not None else []
    if found:
        heads = (*map(tr, HEADS), tr("source"))
        lines += [f"## {tr('Affected releases')}", "", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
        lines += [f"| {' | '.join((*map(tr, bite.cells), f'`{bite.source}`'))} |" for bite in found]
    return "\n".join(lines).rstrip() + "\n"


def as_json(rule: Explained, summary: str, url: str, tables: Tables) -> str:
    """Return the page as a JSON object."""
    matrix = [
        {
            "layers": list(bite.layers),
            "framework": bite.framework,
            "backend": bite.backend,
            "since": str(bite.keras.since) if bite.keras.since else None,
            "until": str(bite.keras.until) if bite.keras.until else None,
            "tensorflow_since": str(bite.tensorflow.since) if bite.tensorflow.since else None,
            "tensorflow_until": str(bite.tensorflow.until) if bite.tensorflow.until else None,
            "happens": bite.happens,
            "checked": bite.checked or None,
            "source": bite.source,
        }
        for bite in bites(rule.name, tables)
    ]
    page = {"code": rule.code, "name": rule.name, "summary": summary, "url": url, "explanation": rule.page}
    return json.dumps({**page, "matrix": matrix}, indent=2) + "\n"


def listing(rules: Sequence[tuple[str, str, str]], output_format: str) -> str:
    """All rules, each (code, name, summary)."""
    if output_format == "json":
        found = [{"code": code, "name": name, "summary": summary} for code, name, summary in rules]
        return json.dumps(found, indent=2) + "\n"
    if output_format == "markdown":
        lines = ["| code | name | meaning |", "|---|---|---|", *(f"| {' | '.join(rule)} |" for rule in rules)]
    else:
        width = max((len(name) for _, name, _ in rules), default=0)
        lines = [f"{code}  {name:<{width}}  {summary}" for code, name, summary in rules]
    return "\n".join(lines) + "\n"
