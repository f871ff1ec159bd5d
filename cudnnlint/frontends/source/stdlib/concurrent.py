"""Threads, pools and coroutines: what is handed to them runs, and is taken to be finished when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import builtins, containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.spreading import spread_mapping
from cudnnlint.frontends.source.python.values import NONE, Bound, Class, Const, Instance, Library, Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

THREADS = frozenset({"threading.Thread", "multiprocessing.Process", "threading.Timer"})
POOLS = frozenset(
    {
        "concurrent.futures.ThreadPoolExecutor",
        "concurrent.futures.ProcessPoolExecutor",
        "concurrent.futures.thread.ThreadPoolExecutor",
        "multiprocessing.pool.ThreadPool",
    }
)
FUTURE = "concurrent.futures.Future"
_TARGET, _GIVEN, _NAMED, _RESULT = "·target", "·given", "·named", "·result"


def _thread(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `threading.Thread(target=f, args=..., kwargs=...)`."""
    thread = Instance(Library("threading.Thread"), run.journal.table(), at=origin)
    prepare(run, thread, arguments)
    return thread


def prepare(run: Interpreter, thread: Instance, arguments: Arguments) -> None:
    """Note what a thread is to run."""
    for cell, place, name in ((_TARGET, 1, "target"), (_GIVEN, 3, "args"), (_NAMED, 4, "kwargs")):
        value = arguments.get(place, name)
        if value is not None:
            run.journal.write(thread.table, cell, value)


def _timer(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `threading.Timer(seconds, f, args, kwargs)`."""
    return _thread(run, Arguments([NONE, *arguments.positional[1:2], NONE, *arguments.positional[2:]]), origin)


def _started(run: Interpreter, thread: Instance, origin: Origin) -> Value:
    """Run what a thread runs: its own `run`, or its target."""
    if isinstance(thread.kind, Class):
        return run.call(run.attribute(thread, "run", origin), Arguments(), origin)
    target = thread.table.get(_TARGET)
    if target is not None and not containers.is_nothing(target):
        run.call(target, _given(run, thread), origin)
    return NONE


def _given(run: Interpreter, thread: Instance) -> Arguments:
    contents = containers.elements(run, thread.table.get(_GIVEN) or containers.new_list(run, ()))
    given = Arguments(list(contents.items), rest=None if contents.certain else "the number of arguments is not known")
    spread_mapping(given, thread.table.get(_NAMED) or containers.new_dict(run))
    return given


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of a thread, a pool or a future; None if it is none of these, or another method."""
    receiver = bound.receiver
    if not isinstance(receiver, Instance):
        return None
    owner = bound.function if isinstance(bound.function, Library) else receiver.kind
    name = owner.name if isinstance(owner, Library) else ""
    if name in THREADS:
        if bound.name in ("start", "run"):
            own = isinstance(receiver.kind, Class) and bound.name == "run"
            return NONE if own else _started(run, receiver, origin)
        return NONE if bound.name in ("join", "setDaemon", "cancel") else None
    if name in POOLS:
        return _of_pool(run, bound.name, arguments, origin)
    if name == FUTURE and bound.name == "result":
        return receiver.table.get(_RESULT)
    return None


def _of_pool(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    if name == "submit" and arguments.positional:
        function, *given = arguments.positional
        future = Instance(Library(FUTURE), run.journal.table(), at=origin)
        result = run.call(function, Arguments(given, arguments.keywords, arguments.rest, arguments.open), origin)
        run.journal.write(future.table, _RESULT, result)
        return future
    if name == "map":
        mapped = builtins.call(run, "map", Arguments(arguments.positional), origin)
        return builtins.call(run, "list", Arguments([mapped]), origin)
    return NONE if name == "shutdown" else None


def _pool(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Instance(Library("concurrent.futures.ThreadPoolExecutor"), run.journal.table(), at=origin)


def _awaited(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Return what a coroutine returned: calling it has run it."""
    return arguments.positional[0] if arguments.positional else None


def _gathered(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return None if arguments.rest else containers.new_list(run, arguments.positional)


def _nothing(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Const(None)


_AWAITING = ("run", "create_task", "wait_for", "ensure_future")


def table() -> dict[str, Computed]:
    """Return the functions and classes by their dotted names."""
    found: dict[str, Computed] = dict.fromkeys(
        ("asyncio.run", "asyncio.create_task", "asyncio.wait_for", "asyncio.ensure_future"), _awaited
    )
    found |= dict.fromkeys(POOLS, _pool)
    return found | {
        "threading.Thread": _thread,
        "threading.Timer": _timer,
        "asyncio.gather": _gathered,
        "asyncio.sleep": _nothing,
    }
