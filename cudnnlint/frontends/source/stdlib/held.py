"""Objects of the standard library that change, held as Python's own: ConfigParser, StringIO, hashes.

The cell STATE of an object holds Python's object as it is now. A method that changes it is called on a copy, which is
what the cell holds then; so branches undo and join it like any other value. What is not known makes the state unknown.
"""

from __future__ import annotations

import configparser
import copy
import hashlib
import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import containers, plain, raising
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence, Words
from cudnnlint.frontends.source.python.plain import Computed, NotPlain
from cudnnlint.frontends.source.python.values import (
    NONE,
    STATE,
    Bound,
    Const,
    Instance,
    Library,
    Mapping,
    UnknownValue,
    Value,
    assumption,
    options,
    words,
)
from cudnnlint.frontends.source.stdlib import data_sources
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_PARSER, _SECTION = "·parser", "·section"
SECTION = "configparser.SectionProxy"
_HASHES = words("md5 sha1 sha224 sha256 sha384 sha512 blake2b blake2s sha3_256 sha3_512")
_PARSERS: dict[str, Callable[..., Any]] = {
    "configparser.ConfigParser": configparser.ConfigParser,
    "configparser.RawConfigParser": configparser.RawConfigParser,
}
_MADE: dict[str, Callable[..., Any]] = {
    **_PARSERS,
    "io.StringIO": io.StringIO,
    "io.BytesIO": io.BytesIO,
    **{f"hashlib.{name}": getattr(hashlib, name) for name in _HASHES},
}
_READS = {
    "configparser": words(
        "get getint getfloat getboolean sections options items has_section has_option defaults __contains__ __len__ "
        "__iter__"
    ),
    "io": words("getvalue tell"),
    "hashlib": words("hexdigest digest copy"),
}
_CHANGES = {
    "configparser": words(
        "read_string read_dict add_section set remove_option remove_section clear __setitem__ __delitem__"
    ),
    "io": words("read readline readlines write writelines seek truncate close __iter__ __next__"),
    "hashlib": words("update"),
}
#: Methods of a parser that fill it from files.
_LOADS = words("read read_file readfp")
_OF_SECTION = words("get getint getfloat getboolean keys values items __getitem__ __contains__ __len__ __iter__")


def _making(name: str, kind: Callable[..., Any]) -> Computed:
    def made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        instance = Instance(Library(name), run.journal.table(), at=origin)
        try:
            given, named = plain.known_arguments(run, arguments)
            state: Value = Const(plain.attempt(kind, *given, **named), assumed=assumption(*arguments.every()))
        except NotPlain as error:
            state = plain.unknown_of(error.value, origin)
        run.journal.write(instance.table, STATE, state)
        return instance

    return made


def is_held(value: Value) -> bool:
    """Return whether a value is an object that is held as Python's own, or a section of one."""
    kind = value.kind if isinstance(value, Instance) else None
    return isinstance(kind, Library) and (kind.name in _MADE or kind.name == SECTION)


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of such an object; None for any other value."""
    receiver = bound.receiver
    if not is_held(receiver) or not isinstance(receiver, Instance):
        return None
    return _called(run, receiver, bound.name, arguments, origin)


def operator(run: Interpreter, value: Value, name: str, given: list[Value], origin: Origin) -> Value | None:
    """Return the result of an operator on such an object; None where it has none."""
    if not is_held(value) or not isinstance(value, Instance):
        return None
    if name == "__getitem__" and _module(value) == "configparser" and not _is_section(value):
        section = Instance(Library(SECTION), run.journal.table(), at=origin)
        run.journal.write(section.table, _PARSER, value)
        run.journal.write(section.table, _SECTION, given[0])
        return section
    known = _OF_SECTION if _is_section(value) else _READS[_module(value)] | _CHANGES[_module(value)]
    if name not in known and not (_is_section(value) and name == "__setitem__"):
        return None
    return _called(run, value, name, Arguments(given), origin)


def entries(run: Interpreter, value: Instance) -> Mapping | None:
    """Return the entries of a section as a dict; None for anything else."""
    if not is_held(value) or not _is_section(value) or value.at is None:
        return None
    pairs = _called(run, value, "items", Arguments(), value.at)
    found = containers.new_dict(run)
    for pair in containers.elements(run, pairs).items:
        containers.set_key(run, found, *containers.elements(run, pair).items)
    return found if containers.elements(run, pairs).certain else None


def _module(value: Instance) -> str:
    assert isinstance(value.kind, Library)
    return value.kind.name.split(".")[0]


def _is_section(value: Instance) -> bool:
    return isinstance(value.kind, Library) and value.kind.name == SECTION


def _called(run: Interpreter, value: Instance, name: str, arguments: Arguments, origin: Origin) -> Value:
    """Call a method on a copy of Python's object, which is the state then."""
    owner = value
    section = value.table.get(_SECTION) if _is_section(value) else None
    if section is not None:
        parser = value.table.get(_PARSER)
        assert isinstance(parser, Instance)
        owner = parser
        if name == "__setitem__":
            return _called(run, owner, "set", replace(arguments, positional=[section, *arguments.positional]), origin)
    reads = name in _OF_SECTION if section is not None else name in _READS[_module(value)]
    changes = section is None and name in _CHANGES[_module(value)]
    because: Words = Sentence("may have been changed by `", origin, "`, which is not followed")
    if name in _LOADS and _module(value) == "configparser":
        because = data_sources.DATA
    if not reads and not changes:
        run.journal.write(owner.table, STATE, UnknownValue(because))
        return UnknownValue(Sentence("is the result of `", origin, "`, which is not followed"), at=origin)
    try:
        return _computed(run, owner, section, name, arguments, changes)
    except NotPlain as error:
        if changes:
            run.journal.write(owner.table, STATE, UnknownValue(because))
        return plain.unknown_of(error.value, origin)


def _computed(
    run: Interpreter, owner: Instance, section: Value | None, name: str, arguments: Arguments, changes: bool
) -> Value:
    given, named = plain.known_arguments(run, arguments)
    state = owner.table.get(STATE) or NONE
    held = _copied(run, owner, state)
    if isinstance(held, configparser.RawConfigParser):
        _check_references(held)
    target = held if section is None else plain.attempt(lambda: held[plain.plain(run, section)])
    result = plain.attempt(_result, target, name, given, named)
    if result is held:
        return owner
    if result is _END:
        raising.throw_python(run, "StopIteration")
        raise NotPlain(UnknownValue("has no more lines"))
    found = plain.abstract(run, result, assumption(state, *arguments.every()))
    if changes:
        run.journal.write(owner.table, STATE, Const(held, assumed=assumption(state, *arguments.every())))
    return found


def _check_references(parser: configparser.RawConfigParser) -> None:
    """Raise NotPlain for options that refer to others often: each level of `%(name)s` multiplies a text."""
    rows = [*parser.defaults().items(), *(row for name in parser.sections() for row in parser.items(name, raw=True))]
    if sum(str(value).count("%(") + str(value).count("${") for _, value in rows) > _MOST_REFERENCES:
        raise NotPlain(plain.TOO_LARGE)


_MOST_REFERENCES = 16


def _result(target: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
    """Return the result of a method; a view, or an iterator that is not the object itself, as a list."""
    if name == "__next__":
        return next(target, _END)
    found = getattr(target, name)(*given, **named)
    read = hasattr(found, "__next__") or type(found).__name__.endswith("View")
    return list(found) if read and found is not target else found


_END = object()


def _copied(run: Interpreter, owner: Instance, state: Value) -> Any:
    """Return a copy of Python's object, which a method may change."""
    if not isinstance(state, Const):
        raise NotPlain(next((one for one in options(state) if isinstance(one, UnknownValue)), state))
    if isinstance(state.value, (io.StringIO, io.BytesIO)):
        held: Any = type(state.value)(state.value.getvalue())  # type: ignore[arg-type]
        held.seek(state.value.tell())
        return held
    if hasattr(state.value, "hexdigest"):
        return state.value.copy()
    held = copy.deepcopy(state.value)
    lower = owner.table.get("optionxform")
    if lower is not None and not (isinstance(lower, Library) and lower.name == "builtins.str"):
        raise NotPlain(lower)
    if lower is not None:
        held.optionxform = str
    return held


def table() -> dict[str, Computed]:
    """Return the classes by their dotted names."""
    return {name: _making(name, kind) for name, kind in _MADE.items()}
