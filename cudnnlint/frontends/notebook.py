"""Jupyter notebooks: the code cells in order, as units of source that share their names.

Reads the JSON and hands the cells to the source front end; runs nothing. IPython's own lines (magics, shell
commands, questions) are blanked out in place, so that rows and columns stay those of the cell. One broken
cell is an error of its own, and the others go on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.file_limits import DEFAULT
from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.core.pip_commands import installed, with_versions
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.project.project import Project, SourceFile

if TYPE_CHECKING:
    from cudnnlint.core.answers import Answers

#: Cell magics behind which Python goes on; all others (%%bash, %%html, ...) give the cell to something else.
_PYTHON_BEHIND = frozenset(
    ("time", "timeit", "capture", "prun", "lprun", "mprun", "memit", "python", "python3", "pyspark", "debug",
     "snakeviz", "cache", "notify", "px", "wandb")
)  # fmt: skip
_BLANK = b" \t\r\n\xef\xbb\xbf"
_CELL_MAGIC = regex(r"\s*%%(\w+)")
#: Magics that IPython also takes without a percent sign, where no name hides them.
_BARE = "pip|conda|cd|ls|ll|cat|cp|mv|rm|mkdir|rmdir|pwd|matplotlib|pylab|load_ext|reload_ext|run"
_LINE_MAGIC = regex(rf"(?P<indent>[ \t]*)(?:[%!?].*|(?:{_BARE})[ \t]+(?:\.\.|[^\s=(.,:]).*|.*\S\?{{1,2}}[ \t]*)$")
_TIMED = regex(r"(?P<indent>[ \t]*)(?P<magic>%time(?:it)?[ \t]+(?:-\w+[ \t]*\d*[ \t]+)*)(?P<statement>[^-\s].*)$")
_VARIABLE = regex(
    r"(?P<indent>[ \t]*)%(?:set_)?env[ \t]+(?P<name>\w+)(?:[ \t]*=|[ \t])[ \t]*(?P<value>[^\s{$]*)[ \t]*$"
)
_ASSIGNED = regex(r"(?P<head>[ \t]*[\w., \[\]]+?=[ \t]*)[%!](?!=).*$")
#: What a notebook installs; an indented line may be under a condition. A magic of Colab's chooses TensorFlow 1.
_INSTALLS = regex(
    r"^[!%][ \t]*(?P<run>(?:[\w.{}/-]+[ \t]+-m[ \t]+|sudo[ \t]+|uv[ \t]+)*(?:pip[\d.]*|conda|mamba)[ \t]+install\b.*)"
    r"|^%tensorflow_version[ \t]+(?P<one>1\.x)",
    re.MULTILINE,
)
_COMMAND = regex(r"^(?=\S.*\binstall\b)", re.MULTILINE)
_RUN = regex(r"^[ \t]*%run[ \t]+(?:-[a-z][ \t]+)*[\"']?(?P<path>[^\s\"']+\.(?:py|ipynb))\b", re.MULTILINE)


def read(
    path: str,
    data: bytes,
    names: Names,
    project: Project | None = None,
    answers: Answers | None = None,
    steps: int = DEFAULT.steps,
) -> Model:
    """Return the layers of a notebook; `Model.cells` holds its code cells as they are written.

    Raises UnreadableInput for what is no notebook. A file without a word is none yet, and no fault.
    """
    if not data.strip(_BLANK):
        return Model(path, "notebook")
    notebook = _loaded(data)
    cells = tuple(_code_cells(notebook))
    if _language(notebook) != "python":
        note = f"The notebook's language is {_language(notebook)}, not Python."
        return Model(path, "notebook", notes=(note,), cells=cells)
    from cudnnlint.frontends.source.syntax.deep_stack import deep

    model = deep(lambda: _read(path, cells, names, project, answers, steps))
    return replace(model, hints=replace(model.hints, installs=tuple(_installs(cells))))


def _loaded(data: bytes) -> dict[str, Any]:
    try:
        notebook = json.loads(data.decode("utf-8-sig"))
    except ValueError as error:  # not UTF-8, no JSON, or a number of thousands of digits
        raise UnreadableInput(f"The file is not a notebook: {error}.") from error
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells", notebook.get("worksheets")), list):
        raise UnreadableInput("The file is JSON, but not a notebook: it has no cells.")
    return notebook


def _language(notebook: dict[str, Any]) -> str:
    metadata = notebook.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        part = metadata.get(key)
        if isinstance(part, dict) and isinstance(part.get(name), str) and part[name]:
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


def _read(
    path: str, cells: tuple[str, ...], names: Names, project: Project | None, answers: Answers | None, steps: int
) -> Model:
    from cudnnlint.frontends.source import hints
    from cudnnlint.frontends.source.context.framework_model import Frameworks
    from cudnnlint.frontends.source.lower.drawn_models import lowered
    from cudnnlint.frontends.source.python import entry_points
    from cudnnlint.frontends.source.python.interpreter import Interpreter
    from cudnnlint.frontends.source.python.state import ModuleUnit

    run = Interpreter(Frameworks(names, answers), project, steps)
    table = run.journal.table()
    stars: list[str] = []
    units: list[ModuleUnit] = []
    errors: list[tuple[str, SourcePlace | None]] = []

    def add(number: int, text: str, path: str, linted: bool, outer: tuple[str, ...]) -> None:
        for other in _run_by(text, path, project, outer):
            for cell, inner in enumerate(_texts(other), 1):
                add(cell, inner, other.path, False, (*outer, other.path))
        try:
            plain, tree, margin = _parsed(text)
        except UnreadableInput as error:
            errors.extend([(error.reason, _place(path, number, error))] if linted else [])
            return
        tree = run.own(tree)
        units.append(ModuleUnit("__main__", path, plain, tree, linted, number, False, margin, stars, table=table))

    for number, text in enumerate(cells, 1):
        add(number, text, path, True, (path,))
    own = [unit for unit in units if unit.linted]
    if own:
        run.modules.units["__main__"] = own[0]
    entry_points.run_units(run, units)
    layers, graph = lowered(run)
    notes, cuts, taken = tuple(run.notes), tuple(run.cuts), run.budget.taken
    return Model(path, "notebook", layers, hints.of(run, own), notes, tuple(errors), None, cells, graph, cuts, taken)


def _installs(cells: Iterable[str]) -> Iterator[str]:
    """Yield the requirements with a version that the cells install: `!pip install tensorflow==2.8.0`."""
    shown = (_COMMAND.sub("!", cell) if cell.lstrip().startswith(("%%bash", "%%sh", "%%!")) else cell for cell in cells)
    for match in (match for cell in shown for match in _INSTALLS.finditer(cell)):
        if match["one"]:
            yield "tensorflow<2"
        else:
            yield from (wanted for arguments in installed(match["run"]) for wanted in with_versions(arguments))


def _run_by(text: str, path: str, project: Project | None, outer: tuple[str, ...]) -> Iterator[SourceFile]:
    """Yield the notebooks and scripts that a cell runs in its own namespace (`%run other.ipynb`)."""
    for match in _RUN.finditer(text) if project is not None else ():
        file = project.at(match["path"], path) if project is not None else None
        if file is not None and file.path not in outer:
            yield file


def _texts(file: SourceFile) -> Iterator[str]:
    """Yield the code cells of a notebook, or the one text of a script; nothing of a file that cannot be read."""
    from cudnnlint.frontends.source.syntax.decode import decode

    try:
        if file.path.endswith(".py"):
            yield decode(file.data)
        else:
            yield from _code_cells(_loaded(file.data))
    except UnreadableInput:
        return  # the report on that file says why


def _place(path: str, cell: int, error: UnreadableInput) -> SourcePlace:
    row, column = error.row or 1, error.column or 1
    return SourcePlace(path, row, column, row, column + 1, cell)


def _parsed(text: str) -> tuple[str, Any, int]:
    """Return the Python text of a cell, its tree, and by how much the cell is indented as a whole.

    The text is as it is written if that parses, else without IPython's lines.
    """
    magic = _CELL_MAGIC.match(text)
    if magic is not None and magic[1] not in _PYTHON_BEHIND:
        text = ""
    reasons: list[UnreadableInput] = []
    for code, margin in dict.fromkeys([(text, 0), _unindented(text)]):
        for way in dict.fromkeys([*([] if magic else [code]), plain(code), plain(code, timed=False)]):
            try:
                return way, _tree(way), margin
            except UnreadableInput as error:
                reasons.append(error)
    raise reasons[-1]


def _tree(text: str) -> Any:
    from cudnnlint.frontends.source.syntax import guard
    from cudnnlint.frontends.source.syntax.parsing import parse

    guard.check(text)
    return parse(text)


def _unindented(text: str) -> tuple[str, int]:
    """Return a cell without the indentation of its first line, as IPython runs it, and how wide that is."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    return "\n".join(line.removeprefix(indent) for line in text.split("\n")), len(indent)


def python(text: str) -> str | None:
    """Return the Python code of a cell, with as many lines and columns as the cell; None if that is not valid."""
    try:
        code, _, margin = _parsed(text)
    except UnreadableInput:
        return None
    return None if margin else code


def plain(text: str, timed: bool = True) -> str:
    """Return the cell without IPython's own lines, each replaced in place by one that does as much as matters here.

    With `timed`, the statement behind `%time` stays. A line that ends with a backslash goes on in the next one.
    """
    lines: list[str] = []
    goes_on = False
    for line in text.split("\n"):
        new = "" if goes_on else _plain(line, timed)
        goes_on = line.endswith("\\") and (goes_on or new != line)
        lines.append(new)
    return "\n".join(lines)


def _plain(line: str, timed: bool) -> str:
    variable = _VARIABLE.match(line)
    if variable is not None:  # `%env KERAS_BACKEND=jax`
        return f"{variable['indent']}import os; os.environ[{variable['name']!r}] = {variable['value']!r}"
    measured = _TIMED.match(line) if timed else None
    if measured is not None:  # the columns stay as they are
        return f"{measured['indent']}{'if 1:'.ljust(len(measured['magic']))}{measured['statement']}"
    magic = _LINE_MAGIC.match(line)
    if magic is not None and not line.lstrip().startswith("#"):
        return f"{magic['indent']}pass"
    assigned = _ASSIGNED.match(line)
    return f"{assigned['head']}get_ipython()" if assigned is not None else line
