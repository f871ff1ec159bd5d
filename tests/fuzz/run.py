"""Feeds changed inputs to every way into the program, and tells what they brought about.

    python tests/fuzz/run.py --seconds 600 --seed 1          all targets in turn, ten minutes in all
    python tests/fuzz/run.py --target source --inputs 5000   one target (may be given several times), so many inputs
    python tests/fuzz/run.py --target source --seed 1 --only 4711    one input again, with its traceback
    python tests/fuzz/run.py --quick                         the short run of the fast tests
    python tests/fuzz/run.py --rounds --record FILE          the long run: all targets again and again, until Ctrl-C
                                                             or --seconds; goes on behind what FILE holds

A find is an exception that the program has no sentence for (or that it reports as CDN003), a hang, more memory than
`MEMORY`, a crash of the process, or an input that was imported, executed, or reached out of its folder. Exit 1 if
there is one. Each input depends on the target, the seed and its number alone. `--keep FOLDER` keeps the input of each
find. `--from FOLDER` starts from its files too, and a number then depends on them. Needs fork.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]
sys.setrecursionlimit(1000)  # what a user has
os.environ["CUDNNLINT_NO_CACHE"] = "1"

import guard  # noqa: E402
import record  # noqa: E402
from targets import EXPECTED, TARGETS, Fault, Maker  # noqa: E402

MEMORY = 1 << 30  # bytes that an input may take beyond what the program itself takes
SPACE = 1 << 33  # bytes of addresses, most of them a stack that is hardly used
SECONDS = 10.0  # processor time of one input
STILL = 300.0  # seconds without a sign of life until a batch counts as hanging in a library
BATCH = 2000
GROWN = 1 << 28  # bytes of memory more than at its begin, after which a worker is replaced


@dataclass
class Tally:
    """What came of one target: how many inputs, how long the slowest took, and the first input of each find."""

    inputs: int = 0
    seconds: float = 0.0
    slowest: tuple[float, int] = (0.0, 0)
    finds: dict[str, int] = field(default_factory=dict)
    often: Counter[str] = field(default_factory=Counter)
    contained: int = 0


def place(error: BaseException) -> str:
    """An exception by its kind and the innermost line of ours that it passed."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/cudnnlint/" in frame.filename or "/rules/" in frame.filename]
    at = own[-1] if own else frames[-1]
    text = f": {error}" if isinstance(error, (Fault, guard.Forbidden)) else ""
    return f"{type(error).__name__} in {Path(at.filename).name}:{at.lineno} {at.name}{text}"[:300]


def one(maker: Maker, number: int, watch: guard.Guard) -> str | None:
    """Run one input; what it found."""
    data, draw = maker.made(number)
    try:
        with watch.watching():
            maker.target.run(data, draw)
    except EXPECTED:
        return None
    except (Exception, guard.Forbidden) as error:
        return place(error)
    return None


def batch(maker: Maker, first: int, last: int, ends: float, pipe: int) -> None:
    """Run inputs in this process, a fork, and write a line for each: its number, its time, and what it found."""
    folder = tempfile.mkdtemp(dir=os.getcwd())
    os.chdir(folder)
    Path(".git").mkdir()  # no file above is asked
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (SPACE if most < 0 else min(SPACE, most), most))
    own = began = _most()
    watch = guard.Guard(folder, SECONDS)
    for number in range(first, last):
        os.write(pipe, b"%d\n" % number)
        before = time.process_time()
        found = one(maker, number, watch)
        if _most() > own + MEMORY:
            found, own = found or f"more than {MEMORY >> 20} MiB of memory", _most()
        line = json.dumps([number, time.process_time() - before, found])
        os.write(pipe, line.encode() + b"\n")
        if time.monotonic() > ends or _most() > began + GROWN:
            break


def _most() -> int:
    """The most memory that this process ever had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def forked(maker: Maker, first: int, last: int, ends: float, tally: Tally) -> int:
    """Run a batch in a fork; the number of the next input."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        with contextlib.suppress(BaseException):
            os.close(read)
            batch(maker, first, last, ends, write)
            status = 0
        os._exit(status)
    os.close(write)
    at, died = _listened(read, first, tally, child)
    _, status = os.waitpid(child, 0)
    os.close(read)
    if died or status:
        if maker.target.crashes and os.WIFSIGNALED(status):
            tally.contained += 1
        else:
            _note(tally, _ended(status, died), at)
        tally.inputs += 1
        return at + 1
    return at + 1


def _ended(status: int, died: bool) -> str:
    if died:
        return f"no sign of life for {STILL:g} seconds"
    if not os.WIFSIGNALED(status):
        return f"the process ended with status {os.waitstatus_to_exitcode(status)}"
    number = os.WTERMSIG(status)
    late = number == signal.SIGVTALRM
    return f"more than {SECONDS:g} seconds of processor time" if late else f"{signal.Signals(number).name} in a library"


def _listened(read: int, first: int, tally: Tally, child: int) -> tuple[int, bool]:
    """Take in what a batch tells; the last number that it began, and whether it had to be killed."""
    at, left = first, b""
    while True:
        ready, _, _ = select.select([read], [], [], STILL)
        if not ready:
            os.kill(child, signal.SIGKILL)
            return at, True
        data = os.read(read, 1 << 16)
        if not data:
            return at, False
        *lines, left = (left + data).split(b"\n")
        for line in lines:
            told = json.loads(line)
            if isinstance(told, int):
                at = told
                continue
            number, seconds, found = told
            tally.inputs += 1
            tally.slowest = max(tally.slowest, (seconds, number))
            if found:
                _note(tally, found, number)


def _note(tally: Tally, found: str, number: int) -> None:
    tally.finds.setdefault(found, number)
    tally.often[found] += 1


def fuzz(name: str, options: argparse.Namespace, seconds: float, inputs: int, tally: Tally) -> None:
    """Run a target for some seconds, or for a number of inputs."""
    maker = _maker(name, options)
    started = time.monotonic()
    ends = started + seconds
    for data in maker.seeds[:3]:  # imports what the fork would import again
        with contextlib.suppress(*EXPECTED):
            maker.target.run(data, maker.made(0)[1])
    gc.collect()
    gc.freeze()  # what is there already is neither looked through nor copied by the forks
    number = first = record.reached(options.record, name, options.seed) if options.record else options.first
    last = first + inputs
    while number < last and time.monotonic() < ends:
        number = forked(maker, number, min(number + BATCH, last), ends, tally)
    gc.unfreeze()
    tally.seconds += time.monotonic() - started
    if options.record and number > first:  # a turn may end before its first input
        record.add(options.record, name, options.seed, number, tally.inputs, tally.finds)
    if options.keep:
        Path(options.keep).mkdir(parents=True, exist_ok=True)
        for number in tally.finds.values():
            (Path(options.keep) / f"{name}-{options.seed}-{number}").write_bytes(maker.made(number)[0])


def _maker(name: str, options: argparse.Namespace) -> Maker:
    return Maker(TARGETS[name], options.seed, options.given)


def again(name: str, options: argparse.Namespace) -> int:
    """Run one input in this process, and let its exception out."""
    data, draw = _maker(name, options).made(options.only)
    if options.keep:
        Path(options.keep).write_bytes(data)
    with contextlib.suppress(*EXPECTED):
        TARGETS[name].run(data, draw)
    return 0


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", action="append", choices=list(TARGETS), help="what to feed; all if left out")
    parser.add_argument("--seconds", type=float, help="of all targets together")
    parser.add_argument("--inputs", type=int, help="of each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--only", type=int, help="the number of the one input")
    parser.add_argument("--quick", action="store_true", help="a few inputs of each target")
    parser.add_argument("--keep", help="a folder for the inputs of finds; with --only, a file")
    parser.add_argument("--from", dest="given", type=Path, help="a folder of further files to start from")
    parser.add_argument("--rounds", action="store_true", help="all targets again and again, each with its share")
    parser.add_argument("--record", type=Path, help="a file of JSON lines that counts and finds are added to")
    return parser.parse_args()


def told(name: str, tally: Tally) -> None:
    """Print what came of a target."""
    slow = f"slowest {tally.slowest[0]:.2f} s (input {tally.slowest[1]})"
    apart = f", {tally.contained} crashes of the HDF5 library, which the program runs apart"
    end = f"{len(tally.finds)} finds{apart if tally.contained else ''}"
    print(f"{name}: {tally.inputs} inputs in {tally.seconds:.1f} s, {slow}, {end}", flush=True)
    for what, number in tally.finds.items():
        print(f"  {tally.often[what]} times, first input {number}: {what}", flush=True)


def counted(name: str, options: argparse.Namespace) -> int:
    """How many inputs a target is fed at once."""
    target = TARGETS[name]
    if options.quick or options.rounds:
        return target.quick if options.quick else target.share
    return options.inputs or (1 << 60 if options.seconds else 1000)


def main() -> int:
    """Run, and print a line for each target and find."""
    options = arguments()
    names = options.target or list(TARGETS)
    options.keep = options.keep and os.path.abspath(options.keep)
    options.record, options.given = (one and one.resolve() for one in (options.record, options.given))
    seconds = options.seconds or 1e9
    ends, found = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir(".git")
        if options.only is not None:
            return again(names[0], options)
        while True:
            for name in names:
                tally = Tally()
                share = ends - time.monotonic() if options.rounds else seconds / len(names)
                fuzz(name, options, share, counted(name, options), tally)
                told(name, tally)
                found += len(tally.finds)
            if not options.rounds or time.monotonic() > ends:
                break
        os.chdir("/")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
