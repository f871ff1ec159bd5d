"""How a class is called in a file: another class of the same module spelled, or put in its place, imports included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from cudnnlint.core.edit import Edit
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.rewriters.source.fix_context import FixContext, Impossible
from cudnnlint.rewriters.source.flow import bindings
from cudnnlint.rewriters.source.parsed_page import Page


@dataclass(frozen=True)
class ImportedName:
    """One name of a `from ... import` statement."""

    page: Page
    statement: cst.ImportFrom
    alias: cst.ImportAlias

    @property
    def local(self) -> str:
        """The name that it has in the file."""
        return self.alias.evaluated_alias or self.alias.evaluated_name

    @property
    def module(self) -> str:
        """The module, as it is written."""
        return self.page.source(self.statement.module) if self.statement.module is not None else ""


def sibling(context: FixContext, page: Page, func: cst.BaseExpression, new: str) -> tuple[str, list[Edit]]:
    """Return the text that calls the class `new` of the module of the class `func`, and the edits for its import.

    The edits are those of the import statement that brings it.
    """
    if isinstance(func, cst.Attribute):
        _of_a_module(context, page, func.value)
        start, end = page.span(func)[0], page.span(func.attr)[0]
        return page.text[start:end] + new, []
    if not isinstance(func, cst.Name):
        raise Impossible("the class is not called by a name")
    found = imported(context, func.value)
    if found is None:
        if _bound(context, new):
            raise Impossible(f"the name {new} means something else in this file")
        return new, []  # a star brings all of them
    known = [one for one in _every_import(context) if one.module == found.module and one.alias.evaluated_name == new]
    if known and len(_bound(context, known[0].local)) == 1:
        return known[0].local, []
    if _bound(context, new):
        raise Impossible(f"the name {new} means something else in this file")
    _in_layers(found)
    assert not isinstance(found.statement.names, cst.ImportStar)
    end = found.page.span(found.statement.names[-1])[1]
    return new, [found.page.edit(end, end, f", {new}")]


def replaced(context: FixContext, page: Page, func: cst.BaseExpression, old: str, new: str) -> list[Edit]:
    """Return the edits that put the class `new` of the same module in the place of `func`, wherever it is used.

    `old` is the class that `func` calls.
    """
    if isinstance(func, cst.Attribute):
        if func.attr.value != old:
            raise Impossible(f"{page.source(func)} is another name of {old}")
        _of_a_module(context, page, func.value)
        return [page.edit(*page.span(func.attr), new)]
    if not isinstance(func, cst.Name):
        raise Impossible("the class is not called by a name")
    found = imported(context, func.value)
    if found is None:
        return [page.edit(*page.span(func), new)]
    _in_layers(found)
    if found.alias.asname is not None:
        return [found.page.edit(*found.page.span(found.alias.name), new)]
    uses = [other.edit(*other.span(node), new) for other, node in _uses(context, found)]
    if not _bound(context, new):
        return [found.page.edit(*found.page.span(found.alias), new), *uses]
    if not any(one.alias.evaluated_name == new and one.local == new for one in _every_import(context)):
        raise Impossible(f"the name {new} means something else in this file")
    return [_without(found), *uses]


def _of_a_module(context: FixContext, page: Page, owner: cst.BaseExpression) -> None:
    """Raise Impossible where the attributes of `owner` may not be those of a module of Keras."""
    root = owner
    while isinstance(root, cst.Attribute):
        root = root.value
    if not isinstance(root, cst.Name):
        raise Impossible(f"{page.source(owner)} may be no module of Keras")
    for node in _bound(context, root.value):  # nothing binds it where `import *` or `import keras.layers` does
        parents = context.page_of(node).parents
        if not _names_a_module(parents, parents[node]):
            raise Impossible(f"{page.source(owner)} may be no module of Keras")


def _names_a_module(parents: Mapping[cst.CSTNode, cst.CSTNode], binding: cst.CSTNode) -> bool:
    """Return whether a name is bound by an import, or to attributes of another name (`layers = tf.keras.layers`)."""
    if isinstance(binding, cst.AssignTarget):
        statement = parents[binding]
        return isinstance(statement, cst.Assign) and isinstance(statement.value, (cst.Attribute, cst.Name))
    return isinstance(binding, (cst.ImportAlias, cst.AsName))


def _without(found: ImportedName) -> Edit:
    """Return the edit that takes a name out of its import statement."""
    page, names = found.page, found.statement.names
    assert not isinstance(names, cst.ImportStar)
    if len(names) == 1:
        raise Impossible("its import statement would be empty")
    index = names.index(found.alias)
    if index:
        return page.edit(page.span(names[index - 1])[1], page.span(found.alias)[1], "")
    return page.edit(page.span(found.alias)[0], page.span(names[1])[0], "")


def _uses(context: FixContext, found: ImportedName) -> Iterator[tuple[Page, cst.Name]]:
    """Yield every use of an imported name."""
    for page in context.pages:
        for node in page.every(cst.Name):
            parent = page.parents[node]
            named = isinstance(parent, (cst.Arg, cst.Attribute)) and node in (
                getattr(parent, "keyword", None), getattr(parent, "attr", None)
            )  # fmt: skip
            if node.value == found.local and not named and parent is not found.alias:
                yield page, node


def _in_layers(found: ImportedName) -> None:
    if found.module.rpartition(".")[2] != "layers":
        raise Impossible(f"the class is imported from {found.module}, which may not have the other class")


def imported(context: FixContext, name: str) -> ImportedName | None:
    """Return the one import that brings a name; None where `import *` does."""
    bound = _bound(context, name)
    found = [one for one in _every_import(context) if one.local == name]
    if len(found) == 1 and len(bound) == 1:
        return found[0]
    stars = (node for page in context.pages for node in page.every(cst.ImportFrom))
    if not bound and any(isinstance(node.names, cst.ImportStar) for node in stars):
        return None
    raise Impossible(f"{name} does not come from exactly one import")


def _every_import(context: FixContext) -> Iterator[ImportedName]:
    for page in context.pages:
        for statement in page.every(cst.ImportFrom):
            if not isinstance(statement.names, cst.ImportStar):
                yield from (ImportedName(page, statement, alias) for alias in statement.names)


def _bound(context: FixContext, name: str) -> list[cst.CSTNode]:
    return [node for page in context.pages for node in bindings(page, name)]
