"""Where a value goes: whether what is written at one place reaches one argument of certain calls and nothing else.

Names are compared by their spelling over the whole file, whatever their scope, and so are attributes, whatever their
object: that errs on the side of refusing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

import libcst as cst

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.rewriters.source.fix_context import FixContext
from cudnnlint.rewriters.source.parsed_page import Page

#: The first parameters of LSTM, GRU and their cells, which are sometimes passed by position.
POSITIONAL = ("units", "activation", "recurrent_activation", "use_bias")
MOST = 64  # names and functions that a value is handed through
Kinds = tuple[type[cst.CSTNode], ...]
NAMES: Kinds = (cst.Name,)
ATTRIBUTES: Kinds = (cst.Attribute,)


@dataclass(frozen=True)
class Flow:
    """The question: `name` is the argument, `calls` those that may get the value."""

    context: FixContext
    name: str
    calls: frozenset[cst.Call]
    _seen: set[cst.CSTNode] = field(default_factory=set)

    def reaches_only_them(self, node: cst.CSTNode) -> bool:
        """Return whether the value of this expression reaches nothing else."""
        if node in self._seen:
            return True
        self._seen.add(node)
        if len(self._seen) > MOST:
            return False
        page = self.context.page_of(node)
        parent = page.parents[node]
        if isinstance(parent, cst.Arg):
            return self._passed(page, parent)
        if isinstance(parent, (cst.Assign, cst.AnnAssign)) and parent.value is node:
            return self._assigned(parent)
        if isinstance(parent, cst.Param) and parent.default is node:
            return self._parameter(page, parent)
        if isinstance(parent, cst.DictElement) and parent.value is node and is_text(parent.key, self.name):
            return self._spread_only(page, page.parents[parent])
        return False

    def _passed(self, page: Page, arg: cst.Arg) -> bool:
        """Return whether the value, an argument of a call, reaches nothing else."""
        call = page.parents[arg]
        if not isinstance(call, cst.Call) or arg.star:
            return False
        keyword = arg.keyword.value if arg.keyword is not None else None
        if call in self.calls:
            return (keyword or _positional(call, arg)) == self.name
        called = last_name(call.func)
        if keyword == self.name and called == "partial":
            return True
        if keyword == self.name and called == "dict":
            return self._spread_only(page, call)
        parameter = self._received(called, call, arg)
        return parameter is not None and self._inside(*parameter)

    def _received(self, called: str | None, call: cst.Call, arg: cst.Arg) -> tuple[cst.CSTNode, str] | None:
        """Return the one function of the file with that name, and the parameter that gets the argument; else None."""
        known = called not in (None, "__init__")  # which class's, is not followed
        functions = list(_functions(self.context.pages, str(called))) if known else []
        if len(functions) != 1:
            return None
        function, method = functions[0]
        names = [param.name.value for param in function.params.params][method:]
        if arg.keyword is not None:
            return function, arg.keyword.value
        index = call.args.index(arg)
        plain = all(not one.star and one.keyword is None for one in call.args[: index + 1])
        return (function, names[index]) if plain and index < len(names) else None

    def _parameter(self, page: Page, param: cst.Param) -> bool:
        function = page.above(param, cst.FunctionDef)
        return function is not None and self._inside(function, param.name.value)

    def _inside(self, function: cst.CSTNode, name: str) -> bool:
        """Return whether every use of a parameter in its function reaches nothing else."""
        page = self.context.page_of(function)
        used = [node for node in _uses([page], name, NAMES) if _holds(page, function, node)]
        return all(self.reaches_only_them(node) for node in used)

    def _assigned(self, assign: cst.Assign | cst.AnnAssign) -> bool:
        """Return whether the value, assigned to one name or attribute here and nowhere else, reaches nothing else."""
        targets = [target.target for target in assign.targets] if isinstance(assign, cst.Assign) else [assign.target]
        name = last_name(targets[0]) if len(targets) == 1 else None
        if name is None or self._bound_again(name, targets[0]):
            return False
        used = [node for node in _uses(self.context.pages, name, self._kinds(targets[0])) if node is not targets[0]]
        return all(self.reaches_only_them(node) for node in used)

    def _kinds(self, target: cst.CSTNode) -> Kinds:
        """Return how what is bound to a target is read: by name, as an attribute, or both (in the body of a class)."""
        page = self.context.page_of(target)
        function, owner = page.above(target, cst.FunctionDef), page.above(target, cst.ClassDef)
        if isinstance(target, cst.Attribute):
            return ATTRIBUTES
        in_body = owner is not None and (function is None or _holds(page, function, owner))
        return (*NAMES, *ATTRIBUTES) if in_body else NAMES

    def _bound_again(self, name: str, target: cst.CSTNode) -> bool:
        kinds = self._kinds(target)
        bound = [node for page in self.context.pages for node in bindings(page, name) if isinstance(node, kinds)]
        return any(node is not target for node in bound) or self.context.mentioned_elsewhere(name)

    def _spread_only(self, page: Page, mapping: cst.CSTNode) -> bool:
        """Return whether a dict is only spread into the calls, or only single entries of it are read."""
        parent = page.parents[mapping]
        if isinstance(parent, cst.Arg):
            return parent.star == "**" and page.parents[parent] in self.calls
        if not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
            return False
        target = parent.targets[0].target
        name = last_name(target)
        if name is None or self._bound_again(name, target):
            return False
        used = _uses(self.context.pages, name, self._kinds(target))
        return all(self._entry(node) for node in used if node is not target)

    def _entry(self, node: cst.CSTNode) -> bool:
        """Return whether one use of a dict only spreads it or reads one entry."""
        page = self.context.page_of(node)
        parent = page.parents[node]
        if isinstance(parent, cst.Arg):
            return parent.star == "**" and page.parents[parent] in self.calls
        if isinstance(parent, cst.Subscript) and len(parent.slice) == 1:
            index = parent.slice[0].slice
            if isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString):
                stored = isinstance(page.parents[parent], (cst.AssignTarget, cst.AugAssign, cst.Del))
                return not stored and (not is_text(index.value, self.name) or self.reaches_only_them(parent))
        return False


def last_name(node: cst.CSTNode) -> str | None:
    """Return the identifier that a name or an attribute ends in."""
    if isinstance(node, cst.Name):
        return node.value
    return node.attr.value if isinstance(node, cst.Attribute) else None


def is_text(node: cst.CSTNode | None, text: str) -> bool:
    """Return whether this is the string `text`."""
    return isinstance(node, cst.SimpleString) and node.evaluated_value == text


def _positional(call: cst.Call, arg: cst.Arg) -> str | None:
    index = call.args.index(arg)
    plain = all(not one.star and one.keyword is None for one in call.args[: index + 1])
    return POSITIONAL[index] if plain and index < len(POSITIONAL) else None


def _functions(pages: Sequence[Page], name: str) -> Iterator[tuple[cst.FunctionDef, int]]:
    """Yield the functions, or the constructors of classes, of that name, each with 1 if it takes a `self`, else 0."""
    for page in pages:
        for function in page.every(cst.FunctionDef):
            owner = page.above(function, cst.ClassDef)
            if function.name.value == name:
                yield function, int(owner is not None)
            elif owner is not None and owner.name.value == name and function.name.value == "__init__":
                yield function, 1


def _uses(pages: Sequence[Page], name: str, kinds: Kinds) -> Iterator[cst.CSTNode]:
    """Yield each use of that spelling, but for the names of arguments, parameters, functions and classes."""
    for page in pages:
        for node in page.every(cst.Name):
            parent = page.parents[node]
            if node.value != name or _names_something(parent, node):
                continue
            found = parent if isinstance(parent, cst.Attribute) and parent.attr is node else node
            if isinstance(found, kinds):
                yield found


def _names_something(parent: cst.CSTNode, node: cst.Name) -> bool:
    """Return whether this is the name of a keyword, a parameter, a function or a class, and no use of a value."""
    if isinstance(parent, cst.Arg):
        return parent.keyword is node
    return isinstance(parent, (cst.Param, cst.FunctionDef, cst.ClassDef)) and parent.name is node


def bindings(page: Page, name: str) -> Iterator[cst.CSTNode]:
    """Yield what binds a name or attribute of that spelling on a page, imports among it."""
    for node in page.every(cst.Name):
        if node.value != name:
            continue
        parent = page.parents[node]
        if isinstance(parent, cst.Attribute) and parent.attr is node:
            target: cst.CSTNode = parent
            parent = page.parents[parent]
        else:
            target = node
        if _binds(parent, target):
            yield target


def _binds(parent: cst.CSTNode, node: cst.CSTNode) -> bool:
    if isinstance(parent, (cst.Param, cst.FunctionDef, cst.ClassDef, cst.NamedExpr)):
        return node in (getattr(parent, "name", None), getattr(parent, "target", None))
    if isinstance(parent, (cst.For, cst.CompFor, cst.AugAssign, cst.AnnAssign)):
        return parent.target is node
    kinds = (cst.AssignTarget, cst.AsName, cst.ImportAlias, cst.NameItem, cst.StarredElement, cst.Global, cst.Nonlocal)
    return isinstance(parent, kinds)


def _holds(page: Page, outer: cst.CSTNode, inner: cst.CSTNode) -> bool:
    at: cst.CSTNode | None = inner
    while at is not None and at is not outer:
        at = page.parents.get(at)
    return at is outer
