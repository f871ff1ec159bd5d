"""Runs one file of a repository with stand-ins: `child.py ROOT FILE SEED` writes what it constructs, as JSON.

It is run as a user who may write nothing, without a network (see executed.py). Processes, sockets and removals are
refused besides, and time and memory are bounded. First the file runs as a program; then each of its functions, classes
and methods is called, with unknown values where it has no defaults.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib.machinery
import inspect
import io
import json
import os
import resource
import signal
import sys
import time
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import stand_ins
from notebook_cells import cells
from stand_ins import Unknown, UnknownText
from tolerant import FAILURE, UNKNOWN, compiled

del sys.path[:2]
ANSWER = 200  # a descriptor that no program closes by chance
MOST = 5000
#: Seconds of processor time: for the program or a cell, for one call, for all calls.
PROGRAM, CELL, CALL, CALLS = 1.5, 0.5, 0.3, 3.0
REFUSED = (
    "subprocess.Popen", "os.system", "os.fork", "os.exec", "os.posix_spawn", "os.kill", "socket.connect",
    "os.remove", "os.rename", "os.rmdir", "shutil.rmtree",
)  # fmt: skip


class OutOfTime(BaseException):
    """A program that does not end."""


class Names(dict[str, Any]):
    """The built-in names; after a star import from a package that is not run, every name may be one of its."""

    def __missing__(self, name: str) -> Any:
        if stand_ins.starred and not name.startswith("__"):
            return Unknown()
        raise KeyError(name)


class Loader(importlib.machinery.SourceFileLoader):
    """Loads the modules of the repository, changed as the file itself."""

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        return compiled(self.get_data(path), path)


class Run:
    """One file of a repository, and what it constructs."""

    def __init__(self, root: str, file: str) -> None:
        self.root, self.file = root, file
        self.made: list[dict[str, Any]] = []
        self.main = types.ModuleType("__main__")
        self.space = self.main.__dict__
        self.left = time.process_time() + CALLS

    def add(self, kind: str, given: tuple[Any, ...], named: dict[str, Any], frame: Any) -> None:
        """Note a recurrent layer."""
        calls = list(self._calls(frame))
        if calls and len(self.made) < MOST:
            shown = {name: _shown(value) for name, value in named.items()}
            self.made.append({"class": kind, "given": [_shown(one) for one in given], "named": shown, "calls": calls})

    def _calls(self, frame: Any) -> Iterator[list[Any]]:
        """Yield file, row and cell of each call in the repository that led here, from the innermost on."""
        while frame is not None:
            path, _, cell = frame.f_code.co_filename.partition("#")
            if path.startswith(self.root):
                row = list(frame.f_code.co_positions())[frame.f_lasti // 2][0]
                yield [os.path.relpath(path, self.root), row, int(cell) if cell else None]
            frame = frame.f_back

    def program(self) -> str:
        """Run the file as a program; return what ended it, if something did."""
        with open(self.file, "rb") as file:
            text = file.read()
        self.space.update(__file__=self.file, __builtins__=Names(vars(builtins)), __package__=self._package())
        sys.modules["__main__"] = self.main
        if not self.file.endswith(".ipynb"):
            return self._part(text, self.file, PROGRAM)
        return "; ".join(filter(None, (self._part(cell, f"{self.file}#{at}", CELL) for at, cell in cells(text))))

    def _part(self, text: bytes | str, name: str, seconds: float) -> str:
        try:
            code = compiled(text, name)
            with _limited(seconds):
                exec(code, self.space)  # type: ignore[arg-type]
        except BaseException as error:
            return type(error).__name__
        return ""

    def _package(self) -> str:
        """Return the package that the file is in, whose parent is put on the path."""
        names, folder = [], os.path.dirname(self.file)
        while folder.startswith(self.root) and os.path.isfile(os.path.join(folder, "__init__.py")):
            folder, name = os.path.split(folder)
            names.insert(0, name)
        if names:
            sys.path.insert(0, folder)
        return ".".join(names)

    def call_all(self) -> None:
        """Call every function, class and method that the file has."""
        for value in list(self.space.values()):
            if isinstance(value, types.FunctionType) and value.__code__.co_filename.startswith(self.root):
                self._call(value)
            elif isinstance(value, type) and self._is_own(value):
                self._use(value)

    def _is_own(self, made: type) -> bool:
        file = getattr(sys.modules.get(made.__module__), "__file__", None) or ""
        return isinstance(file, str) and os.path.realpath(file).startswith(self.root)

    def _use(self, made: type) -> None:
        one = self._call(made, vars(made).get("__init__"))
        for name, method in list(vars(made).items()):
            if one is not None and isinstance(method, types.FunctionType) and name != "__init__":
                self._call(getattr(one, name, None), method)
            elif isinstance(method, (staticmethod, classmethod)):
                self._call(getattr(made, name))

    def _call(self, function: Any, like: Any = None) -> Any:
        """Call something with unknown values for what has no default; return what it gives, None if it fails."""
        if time.process_time() > self.left or not callable(function):
            return None
        with contextlib.suppress(BaseException):
            wanted = list(inspect.signature(like or function).parameters.values())[1 if like else 0 :]
            open_ones = [one for one in wanted if one.default is one.empty]
            given = [Unknown() for one in open_ones if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
            named = {one.name: Unknown() for one in open_ones if one.kind == one.KEYWORD_ONLY}
            with _limited(CALL):
                return function(*given, **named)
        return None


def _shown(value: Any) -> dict[str, Any]:
    """Return a plain value, or else the name of its class: `Unknown` for what nobody knows."""
    finite = type(value) is not float or abs(value) < float("inf")
    if type(value) in (bool, int, float, str, type(None)) and finite:
        return {"value": value}
    return {"class": "Unknown" if isinstance(value, (Unknown, UnknownText)) else type(value).__name__}


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _stop(*_: Any) -> None:
    raise OutOfTime


def _refuse(event: str, _: Any) -> None:
    if event in REFUSED:
        raise PermissionError(event)


def _opened(real: Callable[..., Any]) -> Callable[..., Any]:
    """Return an `open` that gives unknown values where there is no such file."""

    def opened(file: Any, *given: Any, **named: Any) -> Any:
        try:
            return Unknown() if isinstance(file, (Unknown, int)) else real(file, *given, **named)
        except OSError:
            return Unknown()

    return opened


def _prepare(root: str, file: str, seed: int, run: Run) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (10, 11))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    sys.setrecursionlimit(600)
    signal.signal(signal.SIGVTALRM, _stop)
    warnings.simplefilter("ignore")
    real = ("numpy",) if seed % 2 == 0 else ()
    for name in real:
        __import__(name)
    stand_ins.begin(seed, run.add)
    sys.meta_path.insert(0, stand_ins.Finder(real, stand_ins.own_module(root, Loader)))
    sys.path[:0] = [os.path.dirname(file), root]
    sys.argv = [file]
    sys.addaudithook(_refuse)
    sys.stdout, sys.stderr, sys.stdin = io.StringIO(), io.StringIO(), io.StringIO("")
    setattr(builtins, UNKNOWN, Unknown())
    setattr(builtins, FAILURE, Exception)
    builtins.open = _opened(open)  # type: ignore[assignment]


def main() -> None:
    """Run the command."""
    root, file, seed = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), int(sys.argv[3])
    os.dup2(1, ANSWER)
    run = Run(root, file)
    _prepare(root, file, seed, run)
    ended = run.program()
    as_program = len(run.made)
    run.call_all()
    os.write(ANSWER, json.dumps({"ended": ended, "as_program": as_program, "made": run.made}).encode())
    os._exit(0)


if __name__ == "__main__":
    main()
