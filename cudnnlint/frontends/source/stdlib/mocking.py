"""`unittest.mock.patch`: something else in the place of a name, while a block runs or until it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import builtins, containers, escape, storing
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.state import ModuleUnit
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Class,
    Const,
    Contents,
    Function,
    Imported,
    Instance,
    Library,
    Mapping,
    Namespace,
    Tuple,
    UnknownValue,
    Value,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

PATCH = "unittest.mock.·patch"
_TARGET, _NAME, _NEW, _BEFORE, _PARTS = "·target", "·name", "·new", "·before", "·parts"


def _made(run: Interpreter, origin: Origin, **cells: Value) -> Instance:
    patch = Instance(Library(PATCH), run.journal.table(), at=origin)
    for name, value in cells.items():
        run.journal.write(patch.table, f"·{name}", value)
    return patch


def _of_object(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `mock.patch.object(target, name, new)`."""
    target, name = arguments.get(0, "target"), arguments.get(1, "attribute")
    if target is None or name is None:
        return None
    return _made(run, origin, target=target, name=name, new=_new(arguments, 2, origin))


def _new(arguments: Arguments, place: int, origin: Origin) -> Value:
    return arguments.get(place, "new") or UnknownValue("is replaced by a mock object", origin, at=origin)


def _of_name(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `mock.patch("package.module.name", new)`."""
    target = arguments.get(0, "target")
    if not isinstance(target, Const) or not isinstance(target.value, str) or "." not in target.value:
        return None
    owner, _, name = target.value.rpartition(".")
    return _made(run, origin, target=_owner(run, owner, origin), name=Const(name), new=_new(arguments, 1, origin))


def _owner(run: Interpreter, name: str, origin: Origin) -> Value:
    """Return the module, or the class in one, of a dotted name."""
    if name == "__main__" and isinstance(origin.unit, ModuleUnit):
        return Namespace(origin.unit)
    found = run.modules.module(name, origin.unit)
    if isinstance(found, Imported):
        return run.modules.resolve(found)
    outer, _, last = name.rpartition(".")
    around = _owner(run, outer, origin) if outer else found
    return run.attribute(around, last, origin) if isinstance(around, (Namespace, Class)) else found


def _of_several(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `mock.patch.multiple(target, name=new)`."""
    target = arguments.get(0, "target")
    if isinstance(target, Const) and isinstance(target.value, str):
        target = _owner(run, target.value, origin)
    if target is None or arguments.open is not None:
        return None
    options = ("target", "spec", "create", "spec_set", "autospec", "new_callable")
    parts = [
        _made(run, origin, target=target, name=Const(name), new=new)
        for name, new in arguments.keywords.items()
        if name not in options
    ]
    return _made(run, origin, parts=Tuple(Contents(tuple(parts))))


def _of_dict(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `mock.patch.dict(mapping, values, clear, key=value)`."""
    target = arguments.get(0, "in_dict")
    if isinstance(target, Const) and isinstance(target.value, str):
        target = _owner(run, target.value, origin)
    if target is None or not (isinstance(target, Mapping) or _is_environment(target)):
        return None
    values = builtins.call(run, "dict", Arguments(arguments.positional[1:2]), origin)
    assert isinstance(values, Mapping)
    for key, value in arguments.keywords.items():
        if key not in ("in_dict", "values", "clear"):
            run.journal.write(values.table, key, value)
    clear = arguments.get(2, "clear") or Const(False)
    return _made(run, origin, target=target, new=values, clear=clear)


def _is_environment(value: Value) -> bool:
    return isinstance(value, Library) and value.name == "os.environ"


def _put(run: Interpreter, target: Value, values: Value) -> Value:
    """Set variables of the environment; return what they were."""
    before = containers.new_dict(run)
    for key, value in values.table.items() if isinstance(values, Mapping) else ():
        name = containers.key_value(key)
        was = run.library.item(run, target, name) or UnknownValue("comes from the environment")
        run.journal.write(before.table, key, was)
        run.library.set_item(run, target, name, value)
    return before


def start(run: Interpreter, patch: Instance) -> Value:
    """Put the new thing in its place; return it."""
    for part in _parts(patch):
        start(run, part)
    if patch.table.get(_PARTS) is not None:
        return UnknownValue("is a dict of what is replaced", at=patch.at)
    target, new = patch.table.get(_TARGET) or NONE, patch.table.get(_NEW) or NONE
    name = patch.table.get(_NAME)
    if isinstance(target, Mapping):
        run.journal.write(patch.table, _BEFORE, builtins.call(run, "dict", Arguments([target]), _at(patch)))
        if truth(patch.table.get("·clear") or Const(False)) is not False:
            for key, _ in target.table.items():
                run.journal.write(target.table, key, UNBOUND)
        builtins.update(run, target, new)
    elif _is_environment(target):
        run.journal.write(patch.table, _BEFORE, _put(run, target, new))
    elif isinstance(name, Const) and isinstance(name.value, str):
        before = _cell(run, target, name.value)
        run.journal.write(patch.table, _BEFORE, UNBOUND if before is None else before)
        storing.store(run, target, name.value, new)
    else:
        escape.of_value(run, target, Sentence("may have been changed by `", _at(patch), "`"))
    return new


def stop(run: Interpreter, patch: Instance) -> None:
    """Put the old thing back in its place."""
    for part in _parts(patch):
        stop(run, part)
    target, before = patch.table.get(_TARGET) or NONE, patch.table.get(_BEFORE) or UNBOUND
    name = patch.table.get(_NAME)
    if isinstance(target, Mapping) and isinstance(before, Mapping):
        for key, _ in target.table.items():
            run.journal.write(target.table, key, UNBOUND)
        builtins.update(run, target, before)
    elif _is_environment(target):
        _put(run, target, before)
    elif isinstance(name, Const):
        storing.store(run, target, str(name.value), before)
        if isinstance(target, Library):
            run.journal.settle(run.patched, f"{target.name}.{name.value}")


def _parts(patch: Instance) -> list[Instance]:
    """Return the patches that a patch of several names consists of."""
    several = patch.table.get(_PARTS)
    every = several.contents.items if isinstance(several, Tuple) else ()
    return [part for part in every if isinstance(part, Instance)]


def _at(patch: Instance) -> Origin:
    assert patch.at is not None
    return patch.at


def _cell(run: Interpreter, target: Value, name: str) -> Value | None:
    """Return what a target itself holds under a name; None where it inherits it, or has none."""
    if isinstance(target, Library):
        return run.patched.get(f"{target.name}.{name}")
    if isinstance(target, Namespace):
        return target.unit.table.get(name)
    if isinstance(target, Function):
        return run.attached(target).get(name)
    return target.table.get(name) if isinstance(target, (Instance, Class)) else None


def is_patch(value: Value) -> bool:
    """Return whether a value is a patch."""
    return isinstance(value, Instance) and isinstance(value.kind, Library) and value.kind.name == PATCH


def enters(run: Interpreter, patch: Value) -> Callable[[list[Value]], Value | None]:
    """Put the new thing in its place; return what brings the old one back."""
    assert isinstance(patch, Instance)
    start(run, patch)
    return lambda said: stop(run, patch)


def method(run: Interpreter, patch: Instance, name: str) -> Value | None:
    """Call `start` or `stop` of a patch."""
    if name in ("start", "__enter__"):
        return start(run, patch)
    if name in ("stop", "__exit__"):
        stop(run, patch)
        return NONE
    return None


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    found: dict[str, Computed] = {}
    for top in ("unittest.mock.patch", "mock.patch"):
        found |= {top: _of_name, f"{top}.object": _of_object, f"{top}.dict": _of_dict}
        found[f"{top}.multiple"] = _of_several
    return found
