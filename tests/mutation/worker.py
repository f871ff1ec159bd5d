"""Tries the mutants of one target in a copy of the tree.

Nothing is started anew for a mutant. One process has the other packages imported; a fork of it has cudnnlint
imported and the tests collected, and for each mutant is forked again: there the changed functions are put in place, or
the rules and tables read again (swap.py), and the tests that execute the changed line run, up to the first that fails.
A mutant of what is done at import, and one that survives so, is tried in a fork of the first process, which imports
everything with the mutant in place.
"""

from __future__ import annotations

import ast
import gc
import importlib
import json
import os
import pickle
import pkgutil
import re
import resource
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

import coverage
import pytest
from plugin import Measured, Measuring, Running, Serving
from rows import COLLECTION, IMPORT, Rows
from swap import Held, NeedsImport, parse_once, put, read_again
from trial import Outcome, Trial

#: Imported before any fork; tests and program need them.
OTHERS = ("click", "h5py", "jsonschema", "libcst", "numpy", "packaging.version", "pathspec")
MEMORY = 12 << 30
#: Lines that are likely noticed by the same tests.
NEARBY = 25
#: So many files of tests are collected before the others, where everything is imported with a mutant.
FIRST = 2
#: What looks at nothing but how the tests or the tables are stored.
UNCONCERNED = (
    "tests/oracle/test_replay.py::test_what_was_read_is_written_as_it_was",
    "tests/rulebook/test_compiled_tables.py",  # red for every other table, whatever it says
)
PYTEST = ["-q", "-s", "-p", "no:cacheprovider", "-m", "not slow", *(f"--deselect={name}" for name in UNCONCERNED)]
NEVER_ENDS, REFUSED, AGAIN = "it never ends", "the program does not start", "it has to be imported"
ERRORS = os.fdopen(os.dup(2), "w")


class Worker:
    """The mutants of one target, in a tree of its own; `budget` are the seconds of tests for each.

    `once`: nothing is tried with everything imported anew, neither what survives in place nor what is done at import.
    """

    def __init__(
        self, tree: Path, files: list[str], tests: list[str], budget: float, done: Callable[[Outcome], None],
        once: bool = False,
    ) -> None:  # fmt: skip
        self.tree, self.files, self.tests, self.budget, self.done = tree, files, tests, budget, done
        self.once = once
        self.kills: Counter[tuple[str, str]] = Counter()
        for name in OTHERS:
            importlib.import_module(name)

    def measure(self) -> Measured:
        """Run every test without a fault."""
        self.measured: Measured = in_fork(self._measure)[0]
        if self.measured.failed or not self.measured.seconds:
            raise SystemExit(f"Without any fault these tests fail already: {' '.join(self.measured.failed)}")
        return self.measured

    def run(self, trials: list[Trial]) -> None:
        """Try them all, the quick way first."""
        again = [trial for trial in trials if trial.path.endswith("milestones.toml")]
        first = [trial for trial in trials if not trial.path.endswith("milestones.toml")]
        for name in {*self.measured.seconds}:
            self._text(_file(name))  # here, so that no fork has to
        if first:
            left, self.kills = in_fork(lambda: self._serve(first))[0]
            again += left
        for trial in () if self.once else again:
            self._finish(trial, *self._try(trial, self._imported))

    # ------------------------------------------------------------ measuring
    def _measure(self) -> Measured:
        """Measure the tests: which execute a line, and for which a row of the tables holds."""
        recorder = coverage.Coverage(data_file=None, include=self._python(), config_file=False)
        if self._python():
            recorder.start()
        import_all()
        rows = Rows(self.tree / "rules" / "tables")

        def begin(number: int) -> None:
            rows.context = number
            if self._python():
                recorder.switch_context(str(number))

        begin(COLLECTION)
        measuring = Measuring(begin)
        self._pytest(self.tests, [measuring])
        measuring.measured.lines = rows.by_line()
        if self._python():
            recorder.stop()
            measuring.measured.lines |= self._lines(recorder.get_data())
        return measuring.measured

    def _python(self) -> list[str]:
        """The Python files of the target."""
        return [str(self.tree / pattern) for pattern in self.files if pattern.endswith(".py")]

    def _lines(self, data: coverage.CoverageData) -> dict[str, dict[int, list[int]]]:
        return {
            str(Path(path).relative_to(self.tree)): {
                line: sorted(int(one or IMPORT) for one in contexts)
                for line, contexts in data.contexts_by_lineno(path).items()
            }
            for path in data.measured_files()
        }

    def _executing(self, trial: Trial) -> list[int]:
        """What executes the line of a mutant."""
        if trial.path.endswith("milestones.toml"):
            return [IMPORT]
        unknown = [COLLECTION] if trial.path.endswith(".toml") else []
        return self.measured.lines.get(trial.path, {}).get(trial.mutant.line, unknown)

    def _chosen(self, trial: Trial, collected: bool) -> list[str]:
        """The tests for a mutant: those that noticed most near it for their time, then the quickest."""
        numbers = self._executing(trial)
        every, seconds = list(self.measured.seconds), self.measured.seconds
        some = [number for number in numbers if number not in (IMPORT, COLLECTION)]
        names = [every[number] for number in some] if some and COLLECTION not in numbers else every
        users = {every[number] for number in ([] if some else self._users(trial))}
        collecting = {} if collected else self.measured.collecting
        chosen, left, files = [], self.budget, set()
        told = {file for file in {*map(_file, names)} if trial.literal in self._text(file)}
        others = {*every} - {*names} if trial.path.endswith(".toml") else set()
        order = sorted(
            [*names, *(name for name in others if self._promise(trial, name, set()) >= 1)],  # they noticed one alike
            key=lambda name: seconds[name] / (0.02 + (name in users) + self._promise(trial, name, told)),
        )
        # What a test asks of a row may have been kept from an earlier one.
        order += sorted(others - {*order}, key=lambda name: (seconds[name], name))
        for name in order:
            file = _file(name)
            cost = seconds[name] + (0 if file in files else collecting.get(file, 0))
            if cost <= left:
                chosen.append(name)
                left -= cost
                files.add(file)
        return chosen

    def _users(self, trial: Trial) -> list[int]:
        """The tests that execute a line which names what the line of a mutant defines at import."""
        if not trial.path.endswith(".py"):
            return []
        text = (self.tree / trial.path).read_text(encoding="utf-8")
        named = re.compile(rf"\b({'|'.join(defined(text, trial.mutant.line)) or '$^'})\b")
        found: set[int] = set()
        for path, lines in self.measured.lines.items():
            rows = (self.tree / path).read_text(encoding="utf-8").splitlines()
            using = [numbers for line, numbers in lines.items() if named.search("".join(rows[line - 1 : line]))]
            found.update(*using)
        return sorted(number for number in found if number >= 0)

    def _promise(self, trial: Trial, name: str, told: set[str]) -> float:
        """How likely a test is to notice: it did so nearby, is of that room, is named for the change or tells it."""
        near = self.kills[f"{trial.path}:{trial.mutant.line // NEARBY}", name]
        named = _file(name) in told or any(word in name for word in trial.words)
        same = self.kills[f"{trial.path}:{trial.where}", name]
        alike = self.kills[f"{trial.path}:{trial.where.split('=')[0]}", name]  # the same key, or the same variable
        told_of = 5 * (named + name.startswith(_room(trial.path))) + (name in self._tests_of(trial.path))
        return self.kills[trial.path, name] + 10 * near + 50 * same + 5 * alike + told_of

    @cache  # noqa: B019 - there is one worker
    def _text(self, path: str) -> str:
        """The text of a file of tests."""
        return (self.tree / path).read_text(encoding="utf-8")

    @cache  # noqa: B019
    def _tests_of(self, path: str) -> set[str]:
        """The tests that execute any line of a file, but at import."""
        every = list(self.measured.seconds)
        lines = self.measured.lines.get(path, {}).values()
        return {every[number] for numbers in lines for number in numbers if number >= 0}

    # ------------------------------------------------------------ trying
    def _serve(self, trials: list[Trial]) -> tuple[list[Trial], Counter[tuple[str, str]]]:
        """Try mutants in place, with everything imported and collected; returns those that have to be imported."""
        import_all()
        left: list[Trial] = []
        served: list[bool] = []

        def serve(session: pytest.Session) -> None:
            gc.unfreeze()  # swap.py has to find functions and caches, which conftest.py froze
            parse_once()
            self.held = Held.now()
            gc.freeze()
            for trial in trials:
                noticed, seconds = self._try(trial, lambda trial: self._in_place(trial, session))
                early = trial.path.startswith("rules/") or IMPORT in self._executing(trial)
                if noticed == AGAIN or (noticed is None and early and not self.once):
                    left.append(trial)  # tests and modules may hold what it gave before
                else:
                    self._finish(trial, noticed, seconds)
            served.append(True)

        status = self._pytest(self.tests, [Serving(serve)])
        if not served:
            raise SystemExit(f"pytest tried no mutant to the end, and ended with status {status}.")
        return left, self.kills

    def _finish(self, trial: Trial, noticed: str | None, seconds: float) -> None:
        outcome = Outcome(trial.key, trial.mutant.line, noticed, round(seconds, 2))
        self.learn(outcome)
        self.done(outcome)

    def learn(self, outcome: Outcome) -> None:
        """Remember which test noticed a mutant: it is tried first at the same text, nearby and in the same file."""
        path, where = outcome.key[:2]
        places = (path, f"{path}:{outcome.line // NEARBY}", f"{path}:{where}", f"{path}:{where.split('=')[0]}")
        self.kills.update((place, str(outcome.noticed_by)) for place in places)

    def _try(self, trial: Trial, run: Callable[[Trial], str | None]) -> tuple[str | None, float]:
        """Put the mutant into the tree and run `run` in a fork."""
        path = self.tree / trial.path
        self._tests_of(trial.path)
        self.original, times = path.read_bytes(), (path.stat().st_atime_ns, path.stat().st_mtime_ns)
        path.write_text(trial.mutant.text, encoding="utf-8")
        try:
            return in_fork(lambda: run(trial), self.budget)
        finally:
            path.write_bytes(self.original)
            os.utime(path, ns=times)

    def _in_place(self, trial: Trial, session: pytest.Session) -> str | None:
        try:
            if trial.path.startswith("rules/"):
                read_again(self.held, trial.path)
            else:
                put(self.held, self.tree / trial.path, self.original.decode("utf-8"), trial.mutant.text)
        except NeedsImport:
            return AGAIN
        except Exception:
            return REFUSED
        running = Running(self._chosen(trial, collected=True))
        session.config.pluginmanager.register(running)
        running.pytest_runtestloop(session)
        return running.failed

    def _imported(self, trial: Trial) -> str | None:
        chosen = self._chosen(trial, collected=False)
        files = [*dict.fromkeys(map(_file, chosen))]
        sys.dont_write_bytecode = True
        for some in (files[:FIRST], files[FIRST:]):  # to collect them all takes longer than most mutants live
            running = Running([name for name in chosen if _file(name) in some])
            status = self._pytest(some, [running]) if some else 0
            if running.failed or status not in (0, 5):
                return running.failed or REFUSED
        return None

    def _pytest(self, tests: Iterable[str], plugins: list[Any]) -> int:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        return int(pytest.main([*PYTEST, f"--basetemp={self.tree.parent / 'tmp'}", *tests], plugins))


def _file(name: str) -> str:
    """The file of a test."""
    return name.split("::")[0]


def _room(path: str) -> str:
    """The folder of the tests of a file."""
    parts = path.split("/")
    return f"tests/{parts[1]}/" if parts[0] == "cudnnlint" else "tests/rulebook/"


def defined(text: str, line: int) -> list[str]:
    """The names that the statement at a line of a module defines: the innermost assignment, function or class."""
    around = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.FunctionDef, ast.ClassDef))
        and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not around:
        return []
    node = max(around, key=lambda node: (node.lineno, -(node.end_lineno or 0)))
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]


def import_all() -> None:
    """Import every module of cudnnlint."""
    import cudnnlint

    for module in pkgutil.walk_packages(cudnnlint.__path__, "cudnnlint."):
        if ".child" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def in_fork(run: Callable[[], Any], budget: float | None = None) -> tuple[Any, float]:
    """Call it in a fork of this process; returns its result and the seconds of processor time. NEVER_ENDS if killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _be_limited(budget)
        try:
            result = pickle.dumps((run(), process_time()))
            with os.fdopen(writing, "wb") as stream:
                stream.write(result)
            os._exit(0)
        except BaseException:
            traceback.print_exc(file=ERRORS)
            ERRORS.flush()
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        result = stream.read()
    _, status = os.waitpid(child, 0)
    if result:
        return pickle.loads(result)
    if budget is None or not os.WIFSIGNALED(status):
        raise SystemExit(f"A process of the run ended with status {status}.")
    return NEVER_ENDS, budget


def _be_limited(budget: float | None) -> None:
    """A mutant that loops or eats memory is stopped."""
    if budget is None:
        return
    seconds = int(budget * 3 + 20)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(seconds * 10)


def saved(measured: Measured) -> str:
    """What was measured, as text."""
    return json.dumps(vars(measured))


def measured_of(text: str) -> Measured:
    """What was measured, from text."""
    found = json.loads(text)
    lines = {path: {int(line): tests for line, tests in each.items()} for path, each in found["lines"].items()}
    return Measured(**{**found, "lines": lines})
