"""Jupyter notebooks: the code cells in order, as units of source that share their names.

Reads the JSON and hands the cells to the source front end; runs nothing. IPython's own lines (magics, shell
commands, questions) are blanked out in place, so that rows and columns stay those of the cell. One broken
cell is an error of its own, and the others go on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.core.place import SourcePlace
from cudnnlint.frontends.source.project.project import Project

if TYPE_CHECKING:
    from cudnnlint.core.answers import Answers

#: Cell magics behind which Python goes on; all others (%%bash, %%html, ...) give the cell to something else.
_PYTHON_BEHIND = frozenset({"time", "timeit", "capture", "prun", "python", "python3", "pyspark", "debug", "snakeviz"})
_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
_LINE_MAGIC = re.compile(r"(?P<indent>[ \t]*)(?:[%!?].*|.*\S\?{1,2}[ \t]*)$")
_VARIABLE = re.compile(
    r"(?P<indent>[ \t]*)%(?:set_)?env[ \t]+(?P<name>\w+)(?:[ \t]*=|[ \t])[ \t]*(?P<value>[^\s{$]*)[ \t]*$"
)
_ASSIGNED = re.compile(r"(?P<head>[ \t]*[\w., \[\]]+?=[ \t]*)[%!](?!=).*$")


def read(path: str, data: bytes, names: Names, project: Project | None = None, answers: Answers | None = None) -> Model:
    """Return the layers of a notebook; `Model.cells` holds its code cells as they are written.

    Raises UnreadableInput for what is no notebook.
    """
    notebook = _loaded(data)
    cells = tuple(_code_cells(notebook))
    if _language(notebook) != "python":
        note = f"The notebook's language is {_language(notebook)}, not Python."
        return Model(path, "notebook", notes=(note,), cells=cells)
    from cudnnlint.frontends.source.syntax.parsing import deep

    return deep(lambda: _read(path, cells, names, project, answers))


def _loaded(data: bytes) -> dict[str, Any]:
    try:
        notebook = json.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise UnreadableInput(f"The file is not a notebook: {error}.") from error
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells", notebook.get("worksheets")), list):
        raise UnreadableInput("The file is JSON, but not a notebook: it has no cells.")
    return notebook


def _language(notebook: dict[str, Any]) -> str:
    metadata = notebook.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        part = metadata.get(key)
        if isinstance(part, dict) and isinstance(part.get(name), str):
            return str(part[name]).lower().replace("ipython", "python")
    return "python"


def _code_cells(notebook: dict[str, Any]) -> Iterator[str]:
    """Yield the text of every code cell, of notebook formats 3 (worksheets, input) and 4 (cells, source)."""
    sheets = [sheet for sheet in notebook.get("worksheets") or [] if isinstance(sheet, dict)]
    found = notebook.get("cells") or [cell for sheet in sheets for cell in sheet.get("cells") or []]
    for cell in found:
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            source = cell.get("source", cell.get("input", ""))
            yield "".join(map(str, source)) if isinstance(source, list) else str(source)


def _read(path: str, cells: tuple[str, ...], names: Names, project: Project | None, answers: Answers | None) -> Model:
    from cudnnlint.frontends.source import hints
    from cudnnlint.frontends.source.context.framework_model import Frameworks
    from cudnnlint.frontends.source.lower.lower import Lowering
    from cudnnlint.frontends.source.python import entry_points
    from cudnnlint.frontends.source.python.interpreter import Interpreter
    from cudnnlint.frontends.source.python.state import ModuleUnit

    run = Interpreter(Frameworks(names, answers), project)
    table = run.journal.table()
    units: list[ModuleUnit] = []
    errors: list[tuple[str, SourcePlace | None]] = []
    for number, text in enumerate(cells, 1):
        try:
            plain, tree = _parsed(text)
        except UnreadableInput as error:
            errors.append((error.reason, _place(path, number, error)))
            continue
        units.append(ModuleUnit("__main__", path, plain, tree, cell=number, table=table))
    if units:
        run.modules.units["__main__"] = units[0]
    entry_points.run_units(run, units)
    layers = Lowering(run).layers()
    return Model(path, "notebook", layers, hints.of(run, units), tuple(run.notes), tuple(errors), cells=cells)


def _place(path: str, cell: int, error: UnreadableInput) -> SourcePlace:
    row, column = error.row or 1, error.column or 1
    return SourcePlace(path, row, column, row, column + 1, cell)


def _parsed(text: str) -> tuple[str, Any]:
    """Return the Python text of a cell and its tree: as it is if that parses, else without IPython's lines."""
    from cudnnlint.frontends.source.syntax import guard
    from cudnnlint.frontends.source.syntax.parsing import parse

    magic = _CELL_MAGIC.match(text)
    if magic is None:
        try:
            guard.check(text)
            return text, parse(text)
        except UnreadableInput:
            if plain(text) == text:
                raise
    elif magic[1] not in _PYTHON_BEHIND:
        text = ""
    text = plain(text)
    guard.check(text)
    return text, parse(text)


def python(text: str) -> str | None:
    """Return the Python code of a cell, with as many lines as the cell; None if that is not valid."""
    try:
        return _parsed(text)[0]
    except UnreadableInput:
        return None


def plain(text: str) -> str:
    """Return the cell without IPython's own lines, each replaced in place by one that does as much as matters here."""
    return "\n".join(_plain(line) for line in text.split("\n"))


def _plain(line: str) -> str:
    variable = _VARIABLE.match(line)
    if variable is not None:  # `%env KERAS_BACKEND=jax`
        return f"{variable['indent']}import os; os.environ[{variable['name']!r}] = {variable['value']!r}"
    magic = _LINE_MAGIC.match(line)
    if magic is not None and not line.lstrip().startswith("#"):
        return f"{magic['indent']}pass"
    assigned = _ASSIGNED.match(line)
    return f"{assigned['head']}get_ipython()" if assigned is not None else line
