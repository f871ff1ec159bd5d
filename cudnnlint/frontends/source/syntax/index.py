"""An index of a tree: which calls and names each function holds, and which functions can matter.

A function that nothing calls is worth entering only if it can lead to a recurrent layer: if it names one, or names
something whose definition does. This is one quick walk; the interpreter does the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import field, fields, is_dataclass
from functools import cache, lru_cache

import libcst as cst

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.source.syntax.prefilter import NAMES

_LAYOUT = ("whitespace", "comma", "lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace", "leading", "trailing")
_OTHERS = frozenset({"header", "footer", "semicolon", "equal", "dot", "operator", "asynchronous", "indent", "colon"})
#: Names that a definition holds which takes a class of `layers` by its name; it may be a recurrent one.
_PICKING, _RECURRENT = frozenset({"getattr", "layers"}), "RNN"


@dataclass
class Index:
    """What was found: by the id of a definition, its calls, the names in it and the names that it binds.

    `inner` holds the definitions of which only a function knows: what it assigns to names of its own.
    """

    calls: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    names: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    binds: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    inner: set[int] = field(default_factory=set)
    relevant: set[int] = field(default_factory=set)
    certain: set[int] = field(default_factory=set)

    def add(self, tree: cst.Module) -> None:
        """Add one more tree."""
        more = _of(tree)
        self.calls |= more.calls
        self.names |= more.names
        self.binds |= more.binds
        self.inner |= more.inner

    def look(self, tree: cst.Module) -> None:
        """Find what a tree holds."""
        stack: list[tuple[cst.CSTNode, tuple[set[str], ...], list[int], bool]] = [(tree, (), [], False)]
        while stack:
            node, around, calls, inside = stack.pop()
            kind = type(node)
            name = _name(node)
            if name is not None:
                for names in around:
                    names.add(name)
                continue
            if kind in _OWNERS:
                around = (*around, self.names[id(node)])
                calls = self.calls[id(node)] if kind in _BODIES else calls
                self.binds[id(node)].update(_bound(node))
                self.inner |= {id(node)} if inside and kind in _ASSIGNING and not _sets_attribute(node) else set()
                inside = inside or kind is cst.FunctionDef
            elif kind is cst.Call:
                calls.append(id(node))
            stack += [(child, around, calls, inside) for child in children(node)]

    def settle(self, imported: set[str]) -> None:
        """Find the definitions that can lead to a recurrent layer; `imported` are names that may.

        Those that do by names of their own file, each where it is known, are `certain`.
        """
        for names in self.names.values():
            if names >= _PICKING:
                names.add(_RECURRENT)
        every = set[str]().union(*self.names.values(), *self.binds.values())
        known = set(filter(NAMES.search, every))
        self.certain = self._grown(known, self.inner)
        self.relevant = self._grown(known | imported)

    def _grown(self, known: set[str], inner: Collection[int] = ()) -> set[int]:
        """Return the definitions that name something known, or something whose definition does.

        What is defined `inner` to a function is known to nothing else.
        """
        known, found, pending, grown = set(known), set[int](), dict(self.names), True
        while grown:
            grown = False
            for owner, names in list(pending.items()):
                bound = self.binds.get(owner, set()) if owner not in inner else set()
                if not (known.isdisjoint(names) and known.isdisjoint(bound)):
                    found.add(owner)
                    known |= bound
                    del pending[owner]
                    grown = True
        return found

    def leads(self, node: cst.CSTNode | None, certainly: bool = False) -> bool:
        """Return whether this definition can lead to a recurrent layer; `certainly`: by names in its own file."""
        return id(node) in (self.certain if certainly else self.relevant)


@lru_cache(maxsize=2)
def _of(tree: cst.Module) -> Index:
    """Return the index of one tree, which may be read for several targets."""
    found = Index()
    found.look(tree)
    return found


_ASSIGNING = (cst.Assign, cst.AnnAssign)
_BODIES = (cst.FunctionDef, cst.Lambda, cst.ClassDef)
_OWNERS = (*_BODIES, cst.Assign, cst.AnnAssign, cst.ImportAlias)


def walk(node: cst.CSTNode, besides: Collection[type] = ()) -> Iterator[cst.CSTNode]:
    """Yield every node inside this one that is not layout, without those `besides` and what is in them."""
    stack = [node]
    while stack:
        inner = stack.pop()
        if type(inner) not in besides:
            yield inner
            stack += children(inner)


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the nodes in the fields of a node, in their order.

    Types are compared, and not asked with isinstance(), which takes ten times as long for libcst's abstract classes.
    """
    found: list[cst.CSTNode] = []
    for part in _parts(type(node)):
        child = getattr(node, part)
        kind = type(child)
        if kind is tuple or kind is list:
            found += child
        elif _IS_NODE[kind]:
            found.append(child)
    return found


class _IsNode(dict[type, bool]):
    """Whether a type is one of libcst's nodes."""

    def __missing__(self, kind: type) -> bool:
        return self.setdefault(kind, issubclass(kind, cst.CSTNode))


_IS_NODE = _IsNode()


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """Return the fields of a kind of node that can hold more than layout."""
    names = (one.name for one in fields(kind)) if is_dataclass(kind) else ()
    return tuple(name for name in names if name not in _OTHERS and not name.startswith(_LAYOUT))


def _name(node: cst.CSTNode) -> str | None:
    """Return an identifier, or a short text that may be one; None for any other node."""
    if type(node) is cst.Name:
        return node.value
    return node.value if type(node) is cst.SimpleString and len(node.value) < 40 else None


def _bound(node: cst.CSTNode) -> Iterator[str]:
    """Yield the names that a definition binds; an attribute counts by its last name."""
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        yield node.name.value
    elif isinstance(node, cst.Assign):
        for target in node.targets:
            yield from _targets(target.target)
    elif isinstance(node, cst.AnnAssign):
        yield from _targets(node.target)
    elif isinstance(node, cst.ImportAlias) and node.asname is not None and isinstance(node.asname.name, cst.Name):
        yield node.asname.name.value


def _sets_attribute(node: cst.CSTNode) -> bool:
    """Return whether an assignment sets more than names."""
    targets = [one.target for one in node.targets] if isinstance(node, cst.Assign) else []
    targets += [node.target] if isinstance(node, cst.AnnAssign) else []
    return not all(isinstance(target, (cst.Name, cst.Tuple, cst.List)) for target in targets)


def _targets(target: cst.CSTNode) -> Iterator[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, cst.Attribute):
        yield target.attr.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _targets(element.value)
    elif isinstance(target, cst.Subscript):
        yield from _targets(target.value)
