"""Whether a value is true in a condition."""

from __future__ import annotations

from cudnnlint.frontends.source.python.values import (
    ANY,
    ITEMS,
    WORTH,
    Bound,
    Class,
    Const,
    Contents,
    Either,
    Function,
    Instance,
    Library,
    Listing,
    Mapping,
    Namespace,
    Partial,
    Tuple,
    Unbound,
    Value,
    may_be_missing,
    options,
)


def truth(value: Value) -> bool | None:
    """Return whether a value is true in a condition; None where that is not known."""
    if isinstance(value, Either):
        answers = {truth(option) for option in value.options if not isinstance(option, Unbound)}
        return answers.pop() if len(answers) == 1 else None
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, (Library, Bound)) and value.may_be_plain:
        return None
    if isinstance(value, Instance):
        worth = value.table.get(WORTH)
        return truth(worth) if worth is not None else None if _counts(value.kind) else True
    if isinstance(value, (Library, Namespace, Function, Bound, Partial, Class)):
        return True
    if isinstance(value, Tuple):
        return _filled(value.contents)
    if isinstance(value, Listing) and value.kind == "iterator":
        return True
    if isinstance(value, Listing):
        contents = value.table.cells.get(ITEMS)
        return _filled(contents) if isinstance(contents, Contents) else None
    if isinstance(value, Mapping):
        cells = [cell for key, cell in value.table.items() if key != ANY]
        if any(not may_be_missing(cell) for cell in cells):
            return True
        return None if cells or value.table.get(ANY) else False
    return None


#: Classes of Python whose objects are false when they are empty, or zero.
_PLAIN_CLASSES = {f"builtins.{name}" for name in ("int", "float", "str", "bytes", "tuple", "list", "set", "dict")}
_PLAIN_CLASSES |= {"collections.ChainMap", "configparser.SectionProxy", "numpy.ndarray"}


def _counts(kind: Value) -> bool:
    """Return whether a class defines itself when its objects are true, as far as its code is seen."""
    if isinstance(kind, Library):
        return kind.foreign or kind.name in _PLAIN_CLASSES
    if not isinstance(kind, Class):
        return not isinstance(kind, Unbound)
    own = any(kind.table.get(name) is not None for name in ("__bool__", "__len__"))
    return own or any(_counts(base) for one in kind.bases for base in options(one))


def _filled(contents: Contents) -> bool | None:
    if any(not may_be_missing(item) for item in contents.items):
        return True
    return None if contents.items or contents.rest else False
