"""Suppressions: comments in source, globs in the config; and which of the comments were for nothing.

A comment at the end of a line silences that line, one on a line of its own the whole file. It counts
wherever it stands in the lines of the finding or of the layer's constructor call.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence

from cudnnlint.core.book import Rulebook
from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.regex import regex
from cudnnlint.core.report import FileReport, LayerReport
from cudnnlint.core.text import lines
from cudnnlint.settings.settings import ALWAYS, Settings, suggestion

#: Patterns are texts, which are compiled when they are used first; case does not count.
NOQA = r"#\s*noqa(?P<colon>\s*:\s*(?P<codes>[A-Z]+\d+(?:[\s,]+[A-Z]+\d+\b)*)?)?"
OWN = r"#\s*cudnnlint:\s*ignore\b(?:\[(?P<codes>[^\]]*)\])?"
#: What a row may go on below with: a long string, or a backslash.
_CONTINUED = regex(r"\"{3}|'{3}|\\[\r\n]")


@dataclass(frozen=True)
class Directive:
    """One suppressing comment. `names` are codes and rule names as written; None silences everything."""

    place: SourcePlace
    names: tuple[str, ...] | None
    whole_file: bool
    ours: bool

    def silences(self, diagnostic: Diagnostic, rows: frozenset[int]) -> bool:
        """Return whether it suppresses this diagnostic, whose finding and call cover `rows`."""
        if diagnostic.code in ALWAYS:
            return False
        where = diagnostic.location
        here = self.whole_file or (where is not None and where.cell == self.place.cell and self.place.row in rows)
        return here and (self.names is None or any(_means(name, diagnostic) for name in self.names))


def _means(name: str, diagnostic: Diagnostic) -> bool:
    return name.upper() == diagnostic.code or name.lower().replace("_", "-") == diagnostic.name


@dataclass(frozen=True)
class Comments:
    """The suppressing comments of one file, and for rows that can't end in a comment the row that can."""

    directives: tuple[Directive, ...]
    movable: dict[tuple[int | None, int], int]

    def row_for(self, cell: int | None, row: int) -> int:
        """Return the row that a comment for `row` has to end (a string or a backslash may continue below)."""
        return self.movable.get((cell, row), row)


def comments(file: FileReport) -> Comments:
    """Return the comments of a source file or of the cells of a notebook."""
    directives: list[Directive] = []
    movable: dict[tuple[int | None, int], int] = {}
    for cell, text in _texts(file):
        if text is None or not (_may_suppress(text) or _CONTINUED.search(text)):
            continue
        tokens = list(_tokens(text))
        directives += [d for token, inside in _comments(tokens) for d in _directives(token, inside, file.path, cell)]
        movable |= {(cell, row): end for token in tokens for row, end in _continued(token)}
        movable |= {(cell, row): end for row, end in _backslashes(text, tokens)}
    return Comments(tuple(directives), movable)


def _texts(file: FileReport) -> list[tuple[int | None, str | None]]:
    return [(None, file.source)] if file.source is not None else list(enumerate(file.cells or (), 1))


def _may_suppress(text: str) -> bool:
    return any(mark in text.lower() for mark in ("noqa", "cudnnlint"))


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    reader = io.StringIO(text, newline="")
    try:
        yield from tokenize.generate_tokens(reader.readline)
    except (tokenize.TokenError, SyntaxError):
        return  # what comes before the fault still counts


def _comments(tokens: Iterable[tokenize.TokenInfo]) -> Iterator[tuple[tokenize.TokenInfo, bool]]:
    """Each comment, and whether it stands inside brackets (there it concerns its line, not the file)."""
    depth = 0
    for token in tokens:
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        elif token.type == tokenize.COMMENT:
            yield token, depth > 0


def _directives(token: tokenize.TokenInfo, inside: bool, path: str, cell: int | None) -> Iterator[Directive]:
    row, column = token.start
    alone = not inside and not token.line[:column].strip()
    for pattern, ours in ((OWN, True), (NOQA, False)):
        for match in re.finditer(pattern, token.string, re.IGNORECASE):
            codes = match["codes"]
            if codes is None and not ours and match["colon"]:
                continue  # a colon, but no code behind it: it silences nothing
            names = None if codes is None else tuple(filter(None, re.split(r"[\s,]+", codes)))
            start, end = column + match.start() + 1, column + match.end() + 1
            place = SourcePlace(path, row, start, row, end, cell)
            yield Directive(place, names, alone, ours)


def _continued(token: tokenize.TokenInfo) -> Iterator[tuple[int, int]]:
    if token.start[0] != token.end[0] and token.type not in (tokenize.NEWLINE, tokenize.NL):
        yield from ((row, token.end[0]) for row in range(token.start[0], token.end[0]))


def _backslashes(text: str, tokens: Sequence[tokenize.TokenInfo]) -> Iterator[tuple[int, int]]:
    rows = lines(text)
    commented = {token.start[0] for token in tokens if token.type == tokenize.COMMENT}
    for row in range(len(rows) - 1, 0, -1):
        end = row
        while end <= len(rows) and rows[end - 1].endswith("\\") and end not in commented:
            end += 1
        if end != row:
            yield row, end


def apply(
    file: FileReport, found: tuple[Diagnostic, ...], settings: Settings, book: Rulebook
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that are not suppressed, with noqa_row filled in and unused suppressions reported."""
    concerned = found or any(_may_suppress(text) for _, text in _texts(file) if text is not None)
    written = comments(file) if concerned else Comments((), {})
    used: set[tuple[Directive, str]] = set()
    kept = []
    by_id = {layer.id: layer for layer in file.layers}
    for diagnostic in found:
        covered = [by_id[identity] for identity in diagnostic.layers if identity in by_id]
        rows = _rows(diagnostic, covered)
        silent = [directive for directive in written.directives if directive.silences(diagnostic, rows)]
        used |= {(directive, diagnostic.code) for directive in silent}
        if not silent and diagnostic.code in settings.codes - _layer_ignores(covered, settings, book):
            kept.append(_with_noqa_row(diagnostic, covered, written))
    unused = () if file.error else _unused(written, used, file, book)
    return (*kept, *(diagnostic for diagnostic in unused if diagnostic.code in settings.codes))


def _rows(diagnostic: Diagnostic, covered: Sequence[LayerReport]) -> frozenset[int]:
    """Return the rows of the finding and of the constructor calls that it covers."""
    where = diagnostic.location
    if where is None:
        return frozenset()
    places = [where, *(layer.place for layer in covered if layer.place)]
    return frozenset(
        row
        for place in places
        if place.cell == where.cell and place.path == where.path
        for row in range(place.row, place.end_row + 1)
    )


def _with_noqa_row(diagnostic: Diagnostic, covered: Sequence[LayerReport], written: Comments) -> Diagnostic:
    where = diagnostic.location
    if where is None:
        return diagnostic
    calls = [layer.place for layer in covered if layer.place]
    around = [p.end_row for p in calls if p.cell == where.cell and p.row <= where.row <= p.end_row]
    return replace(diagnostic, noqa_row=written.row_for(where.cell, max([where.end_row, *around])))


def _layer_ignores(covered: Sequence[LayerReport], settings: Settings, book: Rulebook) -> frozenset[str]:
    """Return the codes that are ignored for every layer that the diagnostic covers."""
    if not settings.config.per_layer_ignores:
        return frozenset()
    ignored = [settings.layer_ignores((layer.name or "", layer.layer_path or ""), book) for layer in covered]
    return frozenset.intersection(*ignored) if ignored else frozenset()


def _unused(
    written: Comments, used: set[tuple[Directive, str]], file: FileReport, book: Rulebook
) -> Iterator[Diagnostic]:
    rule = book.by_code("CDN002")
    codes = {rule.name: rule.code for rule in book.rules.values()}
    for directive in written.directives:
        hits = {code for other, code in used if other == directive}
        for message in _complaints(directive, hits, codes, book) if rule else ():
            yield Diagnostic(
                code="CDN002",
                name=rule.name if rule else "",
                message=message,
                severity=Severity.INFO,
                path=file.path,
                location=directive.place,
                noqa_row=written.row_for(directive.place.cell, directive.place.row),
                advice=rule.advice if rule else None,
            )


def _complaints(directive: Directive, hits: set[str], codes: dict[str, str], book: Rulebook) -> Iterable[str]:
    """Return a sentence for each name that suppresses nothing; codes of other tools and a bare noqa are skipped."""
    if directive.names is None:
        return ["This comment suppresses nothing."] if directive.ours and not hits else []
    found = []
    for name in directive.names:
        code = codes.get(name.lower().replace("_", "-"), name.upper())
        if not directive.ours and not code.startswith("CDN"):
            continue
        if code not in codes.values():
            found.append(f'This comment names "{name}", which is not a rule. {suggestion(name, book)}')
        elif code not in hits:
            found.append(f"This comment suppresses {name}, but there is no such finding on this line.")
    return found
