"""The entry of the source front end: reads the bytes of a Python file into a Model."""

from __future__ import annotations

from cudnnlint.core.answers import Answers
from cudnnlint.core.file_limits import DEFAULT
from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import hints, other_layers
from cudnnlint.frontends.source.context.framework_model import Frameworks
from cudnnlint.frontends.source.lower.drawn_models import lowered
from cudnnlint.frontends.source.project.project import Project
from cudnnlint.frontends.source.project.reach import reaches_keras
from cudnnlint.frontends.source.python import entry_points
from cudnnlint.frontends.source.python.interpreter import Interpreter
from cudnnlint.frontends.source.python.state import ModuleUnit
from cudnnlint.frontends.source.syntax import guard, prefilter
from cudnnlint.frontends.source.syntax.decode import decode
from cudnnlint.frontends.source.syntax.deep_stack import deep
from cudnnlint.frontends.source.syntax.parsing import parse


def read(
    path: str,
    data: bytes,
    names: Names,
    project: Project | None = None,
    answers: Answers | None = None,
    steps: int = DEFAULT.steps,
) -> Model:
    """Return the layers of a Python file, and those of the project's other files that its calls construct.

    With `answers`, as they are for a target that answers so. Raises UnreadableInput, which says why there are none to
    be had.
    """
    text = decode(data)
    alone = project is None and not prefilter.in_code(text)
    if alone or not reaches_keras(path, data, project):
        return Model(path, "python", notes=other_layers.notes(text), source=text)
    guard.check(text)
    return deep(lambda: _read(path, text, names, project, answers, steps))


def prove(data: bytes) -> None:
    """Parse the bytes. Raises UnreadableInput if they are not Python source."""
    text = decode(data)
    guard.check(text)
    deep(lambda: parse(text))


def _read(path: str, text: str, names: Names, project: Project | None, answers: Answers | None, steps: int) -> Model:
    name, package = project.name_of(path) if project is not None else ("__main__", False)
    a_program = project is not None and not package and "." not in name  # what it imports may set something
    if not a_program and prefilter.only_names(text):
        return Model(path, "python", source=text)
    tree = parse(text)
    run = Interpreter(Frameworks(names, answers), project, steps)
    unit = ModuleUnit(name, path, text, run.own(tree), package=package, table=run.journal.table())
    run.modules.units[name] = unit
    if "." in name:
        run.modules.run_packages(name, unit)
    entry_points.run_units(run, [unit])
    layers, graph = lowered(run)
    notes, cuts = (*run.notes, *(() if layers else other_layers.notes(text))), tuple(run.cuts)
    steps = run.budget.taken
    return Model(path, "python", layers, hints.of(run, [unit]), notes, source=text, graph=graph, cuts=cuts, steps=steps)
