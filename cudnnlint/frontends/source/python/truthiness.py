"""Whether a value is true in a condition."""

from __future__ import annotations

import builtins

from cudnnlint.frontends.source.python import views
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
    words,
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
    if isinstance(value, Class) and value.meta is not None:
        return None if _counts(value.meta) else True
    if isinstance(value, (Library, Namespace, Function, Bound, Partial, Class)):
        return True
    if isinstance(value, views.View) and value.of is not None:
        return truth(value.of)
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


#: Packages with classes whose objects are false when they are empty, or zero; their other classes are not told apart.
_COUNTING = words(
    "array collections contextvars ctypes decimal email fractions http mailbox mmap multiprocessing numbers shelve "
    "sqlite3 weakref wsgiref xml numpy jax torch"
)
#: Such classes elsewhere, by the last part of their names.
_COUNTED = words(
    "timedelta Flag IntFlag IntEnum StrEnum MappingProxyType SectionProxy EntryPoints "
    "Variable Tensor KerasTensor RaggedTensor SparseTensor TensorShape Dataset Sequence PyDataset TimeseriesGenerator "
    "Iterator NumpyArrayIterator DirectoryIterator DataFrameIterator LayoutMap DTypePolicyMap OptimizerMap Config"
)


def _counts(kind: Value) -> bool:
    """Return whether a class defines itself when its objects are true, as far as its code is seen."""
    if isinstance(kind, Library):
        return kind.foreign or _library_counts(*kind.name.split("."))
    if not isinstance(kind, Class):
        return not isinstance(kind, Unbound)
    own = any(kind.table.get(name) is not None for name in ("__bool__", "__len__"))
    return own or any(_counts(base) for one in kind.bases for base in options(one))


def _library_counts(top: str, *inside: str) -> bool:
    if top == "builtins":
        known = getattr(builtins, inside[-1], None) if inside else None
        return hasattr(known, "__len__") or hasattr(known, "__bool__")
    return top in _COUNTING or (bool(inside) and inside[-1] in _COUNTED)


def _filled(contents: Contents) -> bool | None:
    if any(not may_be_missing(item) for item in contents.items):
        return True
    return None if contents.items or contents.rest else False
