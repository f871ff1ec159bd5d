"""Lets each call by which files are written fail, be killed or be interrupted, one a run, and looks at what is left.

    python tests/faults/run.py                          every case, every fault, every call
    python tests/faults/run.py --case fix --fault kill  one case and one fault (may be given several times)
    python tests/faults/run.py --quick                  the short run of the fast tests
    python tests/faults/run.py --show fix               the calls of a case, numbered

After each run: every file is the old one or the new one, whole; nothing else is there (after a SIGKILL: nothing once
the same command has run again); no process is left; the exit status is the documented one, and standard error holds
sentences, no traceback. Exit 1 if something of it is not so. Needs Linux and a C compiler, which makes `shim.c`.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import json
import mmap
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SAVED = ROOT / "fixtures" / "saved"
PROGRAM = "import keras\n\nlayer = keras.layers.LSTM(8, unroll=True)  # short\n"
TARGET = ("--target", "keras@3.15:tensorflow")
MARK = ".cudnnlint-"
PATIENCE = 120.0  # seconds until a run counts as hanging
SIZE = 48 + (1 << 20)  # of `State` in shim.c


# ---------------------------------------------------------------- what is run


@dataclass(frozen=True)
class Case:
    """A command, and what it finds in its folder. `every`: it makes so many calls that only some are tried."""

    name: str
    command: tuple[str, ...]
    files: Callable[[Path], None]
    cache: bool = False
    every: int = 1


def many_programs(folder: Path) -> None:
    """Write as many programs as several processes are started for."""
    for number in range(30):
        (folder / f"p{number}.py").write_text(PROGRAM)


def programs(folder: Path) -> None:
    """Write two programs and old results."""
    for name, text in {"a.py": PROGRAM, "b.py": PROGRAM, "baseline.json": "old", "report.txt": "old"}.items():
        (folder / name).write_text(text)


def notebook(folder: Path) -> None:
    """Write a notebook."""
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": [PROGRAM]}
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "a.ipynb").write_text(json.dumps(book, indent=1))


def linked(folder: Path) -> None:
    """Write a program that is reached through a link, and one with two names."""
    (folder / "real").mkdir()
    (folder / "real" / "a.txt").write_text(PROGRAM)
    (folder / "a.py").symlink_to(Path("real", "a.txt"))
    (folder / "b.py").write_text(PROGRAM)
    (folder / "c.txt").hardlink_to(folder / "b.py")


def reports(folder: Path) -> None:
    """Write the reports of two parts of a run, and an old one of both."""
    for name in ("a", "b"):
        report: dict[str, object] = {"schema_version": 1, "tool": {"name": "cudnnlint", "version": "0"}}
        counts = ("files", "layers", "cudnn", "fallback", "raises", "depends", "unknown", "fixable", "fixable_unsafe")
        report |= {"files": [], "diagnostics": [], "summary": dict.fromkeys(counts, 0), "failing": 0, "shard": None}
        (folder / f"{name}.json").write_text(json.dumps(report))
    (folder / "report.txt").write_text("old")


def old_model(folder: Path) -> None:
    """Write a model of Keras 2, and what has the name of its conversion."""
    shutil.copy(SAVED / "k2_cudnn.h5", folder / "model.h5")
    (folder / "new.keras").write_text("old")


def unrolled_model(folder: Path) -> None:
    """Write a model with a layer that a safe fix changes."""
    with zipfile.ZipFile(SAVED / "k3_spread.keras") as old, zipfile.ZipFile(folder / "model.keras", "w") as new:
        for name in old.namelist():
            content = old.read(name).replace(b'"unroll": false', b'"unroll": true', 1)
            new.writestr(zipfile.ZipInfo(name), content)


CASES = {
    one.name: one
    for one in (
        Case("fix", ("check", "--fix", *TARGET, "."), programs),
        Case("fix a notebook", ("check", "--fix", *TARGET, "a.ipynb"), notebook),
        Case("fix through links", ("check", "--fix", *TARGET, "a.py", "b.py"), linked),
        Case("diff into a file", ("check", "--diff", "--output-file", "report.txt", *TARGET, "."), programs),
        Case("merge", ("merge", "--output-file", "report.txt", "a.json", "b.json"), reports),
        Case("add-noqa", ("check", "--add-noqa", *TARGET, "."), programs),
        Case("write-baseline", ("check", "--write-baseline", "baseline.json", *TARGET, "."), programs),
        Case("output-file", ("check", "--output-file", "report.txt", *TARGET, "."), programs),
        Case("output-file in pieces", ("check", "--output-file", "report.txt", "--output-format", "json-lines", *TARGET,
                                       "."), programs),
        Case("cache", ("check", "--cache-dir", "cache", *TARGET, "."), programs, cache=True),
        Case("fix in processes", ("check", "--fix", "--jobs", "2", *TARGET, "."), many_programs, every=20),
        Case("convert", ("convert", "--force", "model.h5", "new.keras"), old_model),
        Case("convert in place", ("convert", "--in-place", "model.h5", "model.h5"), old_model),
        Case("fix a model", ("check", "--fix", *TARGET, "model.keras"), unrolled_model),
        Case("fix a model in place", ("check", "--fix", "--in-place", *TARGET, "model.keras"), unrolled_model),
    )
}  # fmt: skip
ONCE, FULL, KILL, SIGNAL = 1, 2, 3, 4
FAULTS = {
    "fails": (ONCE, errno.EIO),
    "denied": (ONCE, errno.EACCES),
    "full": (FULL, errno.ENOSPC),
    "kill": (KILL, 0),
    "ctrl-c": (SIGNAL, signal.SIGINT),
    "term": (SIGNAL, signal.SIGTERM),
}


# ---------------------------------------------------------------- one run


@dataclass(frozen=True)
class Ran:
    """What a run left behind: its status, standard error and output, and the files of the folder."""

    status: int
    said: str
    out: str
    files: dict[str, bytes]
    over: bool = True
    left: int = 0


class Place:
    """The folder that is watched, and the memory that is shared with the shim."""

    def __init__(self, scratch: Path) -> None:
        self.folder, self.outputs = scratch / "watched", scratch / "outputs"
        self.outputs.mkdir()
        with (scratch / "state").open("r+b") as file:
            self.state = mmap.mmap(file.fileno(), SIZE)

    def run(self, case: Case, at: int = 0, kind: int = 0, number: int = 0, again: bool = False) -> Ran:
        """Run a case with a fault at one call; at 0, none."""
        if not again:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir()
            (self.folder / ".git").mkdir()
            case.files(self.folder)
            for path in self.folder.iterdir():
                os.utime(path, (10**9, 10**9))  # a converted model is of the day of the old one
        self.state[:48] = struct.pack("6l", 0, 0, at, kind, number, 0)
        child = os.fork()
        if child == 0:
            self._child(case)
        status, over = self._ended(child)
        self.state[:8] = struct.pack("l", 0)
        left = sum(1 for _ in _waited(child))
        out, said = ((self.outputs / name).read_text("utf-8", "replace") for name in ("out", "err"))
        return Ran(status, said, out, self.files(), over, left)

    def _child(self, case: Case) -> None:
        status = 99
        try:
            os.setsid()
            os.chdir(self.folder)
            for number, name in ((1, "out"), (2, "err")):
                os.dup2(os.open(self.outputs / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
            sys.stdout, sys.stderr = (io.TextIOWrapper(io.FileIO(n, "w"), "utf-8", write_through=True) for n in (1, 2))
            sys.argv[1:] = case.command
            signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored
            self.state[:8] = struct.pack("l", 1)
            from cudnnlint.__main__ import main

            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        except BaseException:
            import traceback

            traceback.print_exc()
        with contextlib.suppress(BaseException):
            sys.stdout.flush()
        os._exit(status)

    def _ended(self, child: int) -> tuple[int, bool]:
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            found, status = os.waitpid(child, os.WNOHANG)
            if found:
                return os.waitstatus_to_exitcode(status), True
            time.sleep(0.005)
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return -signal.SIGKILL, False

    def files(self) -> dict[str, bytes]:
        """Everything in the folder but the cache, by path."""
        found = (path for path in self.folder.rglob("*") if "cache" not in path.parts and path.name != ".git")
        return {str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else b"" for path in found}

    def calls(self) -> list[str]:
        """Return the calls that the last run made in the folder."""
        (length,) = struct.unpack("l", self.state[40:48])
        return self.state[48 : 48 + length].decode("utf-8", "replace").splitlines()


def _waited(session: int) -> Iterator[int]:
    """Give processes of a session that has ended some seconds to end too; kill and yield those that do not."""
    ends = time.monotonic() + 10
    while (left := list(_of(session))) and time.monotonic() < ends:
        time.sleep(0.05)
    for one in left:
        with contextlib.suppress(OSError):
            os.kill(one, signal.SIGKILL)
        yield one


def _of(session: int) -> Iterator[int]:
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError):
            number = int(name)
            fields = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] not in "ZX":
                yield number


# ---------------------------------------------------------------- what must be so


def wrong(case: Case, fault: str, ran: Ran, old: dict[str, bytes], plain: Ran, place: Place) -> Iterator[str]:
    """Yield what is not as promised after a run with a fault."""
    if not ran.over:
        yield "it hangs"
    if ran.left:
        yield f"{ran.left} processes are left"
    yield from _files(ran, old, plain)
    extra = sorted(ran.files.keys() - plain.files.keys())
    if fault == "kill" or any(MARK in name for name in extra):  # what cannot be removed now can be later
        again = place.run(case, again=True)
        yield from (f"after the next run {one}" for one in _sound(again, plain))
    if fault != "kill":
        yield from (f"{name} is left over" for name in extra if MARK not in name or fault not in ("fails", "denied"))
        yield from _said(case, fault, ran, plain)


def _files(ran: Ran, old: dict[str, bytes], plain: Ran) -> Iterator[str]:
    for name in old.keys() | plain.files.keys():
        found = ran.files.get(name)
        if found not in (old.get(name), plain.files.get(name)) and not (found and _whole(name, found)):
            yield f"{name} is neither the old file nor the new one"


def _whole(name: str, data: bytes) -> bool:
    """Return whether a report is whole: where an input cannot be read, it says so, and is not that of a plain run."""
    try:
        return bool(json.loads(data)) if name.endswith(".json") else name == "report.txt" and data.endswith(b"\n")
    except ValueError:
        return False


def _sound(again: Ran, plain: Ran) -> Iterator[str]:
    for name in again.files.keys() | plain.files.keys():
        if again.files.get(name) != plain.files.get(name):
            yield f"{name} is not as after a run without a fault"


def _said(case: Case, fault: str, ran: Ran, plain: Ran) -> Iterator[str]:
    """The status and the sentences. What is not needed (the cache, cleaning up) may fail without a word."""
    if "Traceback" in ran.said:
        yield f"a traceback: {ran.said.strip().splitlines()[-1]}"
    written = {name: data for name, data in ran.files.items() if MARK not in name}
    same = ran.status == plain.status and written == plain.files
    ends = {"ctrl-c": 130, "term": 143}.get(fault)
    if ends is not None:
        if ran.status != ends and not same:
            yield f"status {ran.status}"
    elif case.cache and not same:
        yield f"status {ran.status}: {ran.said}"
    elif not same and not (ran.status in (0, 1, 2) and _sentence(ran, plain)):
        yield f"status {ran.status}: {ran.said!r}"


def _sentence(ran: Ran, plain: Ran) -> bool:
    """Return whether a run says what is wrong: as an error, in a note on a file, or in its report as CDN001."""
    lines = ran.said.splitlines()
    files = ("cudnnlint: ", "model.keras: ", "a.py: ", "b.py: ", "a.ipynb: ")
    if any(line.startswith(files) and len(line) < 200 for line in lines):
        return True
    return "CDN" in ran.out or any(b"CDN001" in data or name == "report.txt" for name, data in ran.files.items())


# ---------------------------------------------------------------- all runs


def preload() -> None:
    """Start this program again with the shim, which is compiled first."""
    if os.environ.get("FAULT_FOLDER"):
        return
    scratch = os.path.realpath(tempfile.mkdtemp(prefix="faults"))
    state, folder = os.path.join(scratch, "state"), os.path.join(scratch, "watched")
    Path(state).write_bytes(b"\0" * SIZE)
    made = os.path.join(scratch, "shim.so")
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        sys.exit("There is no C compiler.")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", made, str(HERE / "shim.c"), "-ldl"], check=True)
    paths = os.pathsep.join(path for path in (str(ROOT), os.environ.get("PYTHONPATH", "")) if path)
    own = {"LD_PRELOAD": made, "FAULT_STATE": state, "FAULT_FOLDER": folder, "KERAS_HOME": scratch}
    environ = {**os.environ, **own, "PYTHONPATH": paths}
    try:
        sys.exit(subprocess.run([sys.executable, *sys.argv], env=environ, check=False).returncode)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def warmed() -> None:
    """Import what every run would import again."""
    import h5py  # noqa: F401
    import libcst  # noqa: F401

    from cudnnlint import pipeline
    from cudnnlint.cli import cli  # noqa: F401
    from cudnnlint.settings.settings import Flags

    pipeline.fix(pipeline.Request(("-",), Flags(jobs=1), PROGRAM.encode(), "a.py"), pipeline.Wanted(frozenset()))


def tried(place: Place, case: Case, faults: list[str], every: int) -> Counter[str]:
    """Run a case with every fault at every call (or every so many calls); what is wrong, and a line for each fault."""
    os.environ.pop("CUDNNLINT_NO_CACHE", None)
    os.environ.update({} if case.cache else {"CUDNNLINT_NO_CACHE": "1"})
    shutil.rmtree(place.folder, ignore_errors=True)
    place.folder.mkdir()
    case.files(place.folder)
    old = place.files()
    plain = place.run(case)
    calls = place.calls()
    assert plain.files != old or case.cache, f"{case.name} writes nothing: {plain}"
    found: Counter[str] = Counter()
    for fault in faults:
        kind, number = FAULTS[fault]
        before, results = found.total(), Counter[str]()
        for at in range(1, len(calls) + 1, every * case.every):
            ran = place.run(case, at, kind, number)
            results[_state(ran, old, plain)] += 1
            for what in wrong(case, fault, ran, old, plain, place):
                found[f"{fault} at call {at} ({calls[at - 1]}): {what}"] += 1
        share = ", ".join(f"{many} {what}" for what, many in sorted(results.items()))
        runs = sum(results.values())
        print(f"{case.name} | {fault} | {runs} | {share} | {found.total() - before}", flush=True)
    return found


def _state(ran: Ran, old: dict[str, bytes], plain: Ran) -> str:
    now = {name: data for name, data in ran.files.items() if name in plain.files or name in old}
    state = "new" if now == plain.files else "old" if now == old else "some old, some new"
    return f"{state} (status {ran.status})"


def arguments() -> argparse.Namespace:
    """Return the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", action="append", choices=list(CASES))
    parser.add_argument("--fault", action="append", choices=list(FAULTS))
    parser.add_argument("--every", type=int, default=1, help="only every so many calls")
    parser.add_argument("--quick", action="store_true", help="one case, some faults, some calls")
    parser.add_argument("--show", choices=list(CASES), help="the calls of a case")
    return parser.parse_args()


def main() -> int:
    """Run, and print a line for each case and fault, and for everything that is wrong."""
    options = arguments()
    preload()
    warmed()
    place = Place(Path(os.environ["FAULT_STATE"]).parent)
    if options.show:
        place.run(CASES[options.show])
        for at, call in enumerate(place.calls(), 1):
            print(at, call.replace(str(place.folder), ""))
        return 0
    cases = ["fix"] if options.quick else options.case or list(CASES)
    faults = ["full", "kill", "term"] if options.quick else options.fault or list(FAULTS)
    every = 7 if options.quick else options.every
    found = 0
    for name in cases:
        for what in tried(place, CASES[name], faults, every):
            found += 1
            print(f"  wrong: {what.replace(str(place.folder), '')}", flush=True)
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
