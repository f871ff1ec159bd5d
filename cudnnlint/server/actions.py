"""What can be done about findings: a fix, a comment that ignores one, and all safe fixes at once.

Each is an edit of the texts as the client holds them, with their versions; the client makes it, or refuses it when it
has changed the text since.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lsprotocol import types

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Applicability, Edit, Effect, Fix
from cudnnlint.core.language import tr
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.text import plural
from cudnnlint.server import published
from cudnnlint.server.checking import Checked
from cudnnlint.server.documents import Buffer, TextPart
from cudnnlint.server.positions import Units
from cudnnlint.settings import noqa

QUICK = types.CodeActionKind.QuickFix.value
ALL = f"{types.CodeActionKind.SourceFixAll.value}.cudnnlint"
#: What editors ask of notebooks, when one is saved.
ALL_CELLS = f"notebook.{ALL}"
KINDS = (QUICK, ALL, ALL_CELLS)
#: Also written on lines where it silences nothing, so that it is not offered.
_NEVER_IGNORED = published.UNUSED


@dataclass(frozen=True)
class Asked:
    """A request for actions: on a range of one part, of these kinds (None: of every kind)."""

    part: TextPart
    range: types.Range
    only: Sequence[str] | None = None

    def wants(self, kind: str) -> bool:
        """Return whether a kind of action is asked for: itself, or one that it belongs to."""
        return self.only is None or any(kind == one or kind.startswith(f"{one}.") for one in self.only)

    def touches(self, there: types.Range) -> bool:
        """Return whether a range overlaps the one that is asked about, or borders on it."""
        return _point(self.range.start) <= _point(there.end) and _point(there.start) <= _point(self.range.end)


@dataclass(frozen=True)
class Writer:
    """How edits are written for a client; `versioned`: it takes edits with the version of the text."""

    units: Units
    versioned: bool = True

    def edit(self, buffer: Buffer, edits: Mapping[str, Sequence[types.TextEdit]]) -> types.WorkspaceEdit:
        """Return edits of several parts, by their URIs, as one."""
        if not self.versioned:
            return types.WorkspaceEdit(changes=dict(edits))
        parts = [(part, edits[part.uri]) for part in buffer.parts if edits.get(part.uri)]
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(
                    types.OptionalVersionedTextDocumentIdentifier(part.uri, part.version), list(some)
                )
                for part, some in parts
            ]
        )


def quick(checked: Checked, asked: Asked, writer: Writer, unsafe: bool) -> Iterator[types.CodeAction]:
    """Yield a fix for each finding that is asked about, then a comment for each that ignores it.

    `checked` holds the edits of the fixes. Without `unsafe`, fixes that change numbers are left out.
    """
    groups = list(_groups(checked, asked, writer.units))
    for group in groups:
        fix = group[0].fix
        if fix is not None and fix.edits and (unsafe or fix.applicability is Applicability.SAFE):
            edit = writer.edit(checked.buffer, _written(fix.edits, checked.buffer, writer.units))
            yield _action(_title(group[0], fix), group, edit, checked, asked, writer, _preferred(fix))
    for group in groups:
        ignoring = ignored(group[0], asked.part, writer.units)
        if ignoring is not None:
            edit = writer.edit(checked.buffer, {asked.part.uri: [ignoring]})
            yield _action(tr(f"Ignore {group[0].code} on this line"), group, edit, checked, asked, writer, None)


def concerned(checked: Checked, asked: Asked, units: Units) -> bool:
    """Return whether there is a finding in the range that is asked about."""
    return any(True for _ in _groups(checked, asked, units))


def fix_all(checked: Checked, texts: Sequence[str], kind: str, writer: Writer) -> types.CodeAction:
    """Return the action that gives all parts of a buffer the texts that they have after the safe fixes."""
    edits = {
        part.uri: found
        for part, text in zip(checked.buffer.parts, texts, strict=True)
        if (found := list(changes(part, text, writer.units)))
    }
    count = plural(safely(checked), "finding")
    title = tr(f"Fix all cuDNN findings that have a safe fix ({count})")
    return types.CodeAction(title, kind=kind, edit=writer.edit(checked.buffer, edits))


def safely(checked: Checked) -> int:
    """Return how many findings have a safe fix that was written out."""
    places = {
        (one.code, one.location)
        for one in checked.report.diagnostics
        if one.fix is not None and one.fix.edits and one.fix.applicability is Applicability.SAFE
    }
    return len(places)


def ignored(diagnostic: Diagnostic, part: TextPart, units: Units) -> types.TextEdit | None:
    """Return the edit that writes the comment of `--add-noqa`; None for what no comment can silence."""
    row = diagnostic.noqa_row
    wanted = noqa.wanted([_in_a_file(diagnostic)])
    if row is None or row not in wanted or row > len(part.lines) or diagnostic.code == _NEVER_IGNORED:
        return None
    old = part.lines[row - 1]
    new = noqa.added(old.encode("utf-8", "surrogatepass"), {1: wanted[row]}).decode("utf-8", "surrogatepass")
    at = next((index for index, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    same = next((n for n, (a, b) in enumerate(zip(old[at:][::-1], new[at:][::-1], strict=False)) if a != b), 0)
    start, end = (units.position(row, column + 1, part.lines) for column in (at, len(old) - same))
    return types.TextEdit(types.Range(start, end), new[at : len(new) - same])


def changes(part: TextPart, text: str, units: Units) -> Iterator[types.TextEdit]:
    """Yield the edits, of whole lines, that make another text of a part."""
    old, new = part.text.splitlines(keepends=True), text.splitlines(keepends=True)
    ends = [0]
    for line in old:
        ends.append(ends[-1] + len(line))
    for tag, start, stop, first, last in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if tag != "equal":
            there = types.Range(*(_at(part.text, ends[index], units) for index in (start, stop)))
            yield types.TextEdit(there, "".join(new[first:last]))


def _at(text: str, offset: int, units: Units) -> types.Position:
    """Return the position of an offset in a text."""
    above = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    line, start = above.count("\n"), above.rfind("\n") + 1
    return types.Position(line, units.count(above[start:]))


def _groups(checked: Checked, asked: Asked, units: Units) -> Iterator[list[Diagnostic]]:
    """Yield the findings that are asked about; what is one for several targets is one group.

    A finding is asked about where it is, and everywhere in the constructor calls of its layers.
    """
    found: dict[object, list[Diagnostic]] = {}
    for part, diagnostic in published.placed(checked):
        if part.uri == asked.part.uri and any(
            asked.touches(units.range(place, part.lines)) for place in _places(diagnostic, checked)
        ):
            found.setdefault((diagnostic.code, diagnostic.location), []).append(diagnostic)
    yield from found.values()


def _places(diagnostic: Diagnostic, checked: Checked) -> Iterator[SourcePlace]:
    """Yield where a finding is, and the constructor calls in the same text that it is about."""
    where = diagnostic.location
    if where is None or checked.file is None:
        return
    yield where
    for layer in checked.file.layers:
        there = layer.place
        if layer.id in diagnostic.layers and there is not None and (there.path, there.cell) == (where.path, where.cell):
            yield there


def _action(
    title: str,
    group: Iterable[Diagnostic],
    edit: types.WorkspaceEdit,
    checked: Checked,
    asked: Asked,
    writer: Writer,
    preferred: bool | None,
) -> types.CodeAction:
    shown = [published.shown(one, asked.part, checked, writer.units) for one in group]
    return types.CodeAction(title, kind=QUICK, diagnostics=shown, edit=edit, is_preferred=preferred)


def _title(diagnostic: Diagnostic, fix: Fix) -> str:
    """Return what a menu shows: the first sentence, and of an unsafe fix what it does to the numbers."""
    first = fix.message.split(". ")[0].removesuffix(".")
    if fix.applicability is Applicability.SAFE:
        return f"{diagnostic.code}: {first}"
    if fix.intent is None or fix.intent.effect is Effect.SAME_NUMBERS:  # something else is unsafe: a comment is lost
        return f"{diagnostic.code}: {fix.message} ({tr('unsafe')})"
    return f"{diagnostic.code}: {first} ({tr(f'unsafe: {fix.intent.effect.value}')})"


def _preferred(fix: Fix) -> bool | None:
    return True if fix.applicability is Applicability.SAFE else None


def _written(edits: Iterable[Edit], buffer: Buffer, units: Units) -> dict[str, list[types.TextEdit]]:
    found: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        part = buffer.cell(edit.place.cell)
        if part is not None and edit.place.path == buffer.path:
            found.setdefault(part.uri, []).append(types.TextEdit(units.range(edit.place, part.lines), edit.content))
    return found


def _in_a_file(diagnostic: Diagnostic) -> Diagnostic:
    """Return a finding in a cell as one in a file: a cell is a text of its own here."""
    place = diagnostic.location
    return replace(diagnostic, location=replace(place, cell=None)) if place is not None else diagnostic


def _point(position: types.Position) -> tuple[int, int]:
    return position.line, position.character
