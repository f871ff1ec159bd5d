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
        "multiprocessing.pool.Pool",
        "multiprocessing.Pool",
    }
)
_ONCE = frozenset({"submit", "apply", "apply_async"})
_EACH = frozenset({"map", "imap", "imap_unordered", "map_async", "starmap", "starmap_async"})
PARALLEL = "joblib.parallel.Parallel"
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
    return _of_call(run, thread.table.get(_GIVEN), thread.table.get(_NAMED))


def _of_call(run: Interpreter, args: Value | None, named: Value | None) -> Arguments:
    """Return the arguments of a call that are handed over as a tuple and a dict: `args=(1,), kwargs={"a": 2}`."""
    contents = containers.elements(run, args or containers.new_list(run, ()))
    given = Arguments(list(contents.items), rest=None if contents.certain else "the number of arguments is not known")
    spread_mapping(given, named or containers.new_dict(run))
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
    if name == FUTURE and bound.name in ("result", "get"):
        return receiver.table.get(_RESULT)
    return None


def _of_pool(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    if name in _ONCE and arguments.positional:
        result = run.call(arguments.positional[0], _handed(run, name, arguments), origin)
        return _future(run, result, origin) if name != "apply" else result
    if name in _EACH and len(arguments.positional) > 1:
        mapping = Library("itertools.starmap") if name.startswith("starmap") else Library("builtins.map")
        given = arguments.positional if name == "map" else arguments.positional[:2]
        mapped = run.call(mapping, Arguments(list(given)), origin)
        results = builtins.call(run, "list", Arguments([mapped]), origin)
        return _future(run, results, origin) if name.endswith("_async") else results
    return NONE if name in ("shutdown", "close", "join", "terminate") else None


def _handed(run: Interpreter, name: str, arguments: Arguments) -> Arguments:
    """Return what a pool calls a function with: `submit(f, 1, a=2)`, `apply(f, (1,), {"a": 2})`."""
    if name == "submit":
        return Arguments(arguments.positional[1:], arguments.keywords, arguments.rest, arguments.open)
    return _of_call(run, arguments.get(1, "args"), arguments.get(2, "kwds"))


def _future(run: Interpreter, result: Value, origin: Origin) -> Instance:
    future = Instance(Library(FUTURE), run.journal.table(), at=origin)
    run.journal.write(future.table, _RESULT, result)
    return future


def _pool(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Instance(Library("concurrent.futures.ThreadPoolExecutor"), run.journal.table(), at=origin)


def _parallel(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `joblib.Parallel(n_jobs=2)`."""
    return Instance(Library(PARALLEL), run.journal.table(), at=origin)


def _delayed(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `joblib.delayed(f)`, which is called where its arguments are known: f runs there."""
    return arguments.get(0, "function")


def call(run: Interpreter, instance: Instance, arguments: Arguments, origin: Origin) -> Value | None:
    """Call `Parallel(...)` on delayed calls; None of another object."""
    if not isinstance(instance.kind, Library) or instance.kind.name != PARALLEL or not arguments.positional:
        return None
    return builtins.call(run, "list", Arguments(arguments.positional[:1]), origin)


def _awaited(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Return what a coroutine returned: calling it has run it."""
    return arguments.positional[0] if arguments.positional else None


def _gathered(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return None if arguments.rest else containers.new_list(run, arguments.positional)


def _nothing(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Const(None)


def table() -> dict[str, Computed]:
    """Return the functions and classes by their dotted names."""
    found: dict[str, Computed] = dict.fromkeys(
        ("asyncio.run", "asyncio.create_task", "asyncio.wait_for", "asyncio.ensure_future"), _awaited
    )
    found |= dict.fromkeys(POOLS, _pool)
    return found | {
        "threading.Thread": _thread,
        "multiprocessing.Process": _thread,
        "joblib.Parallel": _parallel,
        "joblib.delayed": _delayed,
        "threading.Timer": _timer,
        "asyncio.gather": _gathered,
        "asyncio.sleep": _nothing,
    }
