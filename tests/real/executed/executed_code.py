"""Runs other people's code with stand-ins, and holds what cudnnlint says of its layers against what was constructed.

    python tests/real/executed/executed_code.py CHECKOUTS [--only NAME ...] [--record] [--isolate COMMAND]

CHECKOUTS is a folder outside this one, with a repository in each of its folders. Each file in which the name of a
recurrent layer stands is run twice (child.py): once with numpy, once without. Every layer that Python constructs has to
be one of those that cudnnlint lists at that call, with these arguments. What a stand-in gave is compared with nothing.
The numbers go to fixtures/evidence/executed.json. THE CODE IS RUN: `--isolate` is put before the command of each child;
by default that takes its network away and makes it a user who may write nothing (Linux, as root). Needs Python 3.11.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cudnnlint.check import read_all
from cudnnlint.core.fact import Absent, Assumed, Known, Opaque, Single, alternatives
from cudnnlint.core.layer import Construction, Layer, Model
from cudnnlint.core.place import SourcePlace
from cudnnlint.files import ignore_files, reading
from cudnnlint.files.executor import Executor
from cudnnlint.pipeline import Request, discover
from cudnnlint.settings.settings import Flags

HERE = Path(__file__).resolve().parent
RECORDS = HERE.parents[2] / "fixtures" / "evidence" / "executed.json"
ALONE = "unshare -n setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs"
LONGEST = 60  # seconds for one file, on a machine that does other things too
KINDS = ("right", "unknown", "another caller", "missing", "wrong")
FAULTS = ("missing", "wrong")
_NAMED = re.compile(rb"LSTM|GRU|RNN")
_PLAIN = (bool, int, float, str, type(None))
_GATED = ("units", "activation", "recurrent_activation", "use_bias")
#: What the arguments without a name are called.
POSITIONAL: Mapping[str, tuple[str, ...]] = {
    "LSTM": _GATED, "GRU": _GATED, "SimpleRNN": ("units", "activation", "use_bias"), "RNN": ("cell",),
    "CuDNNLSTM": ("units",), "CuDNNGRU": ("units",),
}  # fmt: skip
#: A call: the file below the repository's folder, its row, and its cell in a notebook.
Call = tuple[str, int, int | None]
Made = dict[str, Any]


class Story(NamedTuple):
    """A layer that Python constructs at a call: one of KINDS, and what cudnnlint lists there."""

    kind: str
    class_name: str
    call: Call
    made: Made
    listed: str

    def __str__(self) -> str:
        given = ", ".join([*map(str, self.made["given"]), *(f"{k}={v}" for k, v in self.made["named"].items())])
        return f"{self.kind}: {self.class_name}({given}) at {self.call}, listed: {self.listed}"


def listed(root: Path) -> tuple[dict[Call, list[Layer]], set[str]]:
    """Return the layers that cudnnlint lists in a folder, by their calls, and the files that it could read."""
    ignore_files.forget()
    reading.forget()
    request = Request((str(root),), Flags(), edits=False)
    found = list(discover(request))
    run_files = read_all.linted(found)
    with Executor(1) as executor:
        executor.tell(run_files.linted.paths)
        models = read_all.read_all(found, request.flags, executor, run_files)
    layers: dict[Call, list[Layer]] = collections.defaultdict(list)
    read: set[str] = set()
    for item, one in zip(found, models, strict=True):
        if one is None or isinstance(one, Model):
            read.add(os.path.relpath(os.path.realpath(item.path), root))
        for layer in one.layers if isinstance(one, Model) else ():
            if isinstance(layer.place, SourcePlace):
                layers[_call(layer.place, root)].append(layer)
    return layers, read


def _call(place: SourcePlace, root: Path) -> Call:
    return os.path.relpath(os.path.realpath(place.path), root), place.row, place.cell


def run(root: Path, file: Path, seed: int, isolate: Sequence[str] = ()) -> dict[str, Any]:
    """Return what a child tells of a file."""
    command = [*isolate, sys.executable, "-I", "-B", str(HERE / "child.py"), str(root), str(file), str(seed)]
    kept = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
    try:
        done = subprocess.run(
            command, cwd="/", env=kept, stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST, check=False
        )
        told: dict[str, Any] = json.loads(done.stdout)
        return told
    except (subprocess.TimeoutExpired, ValueError):
        return {"ended": "died", "as_program": 0, "made": []}


def judged(made: Made, called: bool, layers: Sequence[Layer], root: Path) -> tuple[str, str]:
    """Return one of KINDS for a layer that Python constructs, and why. `called`: by us, not by the program."""
    if not layers:
        return "missing", "is not listed"
    if any(fits(variant, made) for layer in layers for variant in layer.variants):
        return "right" if all(map(_is_known, layers)) else "unknown", _written(layers)
    calls = {tuple(call) for call in made["calls"]}
    same = [layer for layer in layers if {_call(place, root) for place in layer.via} <= calls]
    if not same or (called and not any(layer.uncalled for layer in same)):
        return "another caller", ""
    return "wrong", _written(same)


def _written(layers: Sequence[Layer]) -> str:
    variants = [variant for layer in layers for variant in layer.variants]
    return "; ".join(dict.fromkeys(f"{one.class_name}{dict(one.arguments)} {one.open or ''}" for one in variants))


def fits(variant: Construction, made: Made) -> bool:
    """Return whether a layer that Python constructs may be this one."""
    if variant.unsure is not None:
        return True
    named = dict(zip(POSITIONAL.get(made["class"], ()), made["given"], strict=False)) | made["named"]
    keys = {*variant.arguments, *named} - {"cell", "cells"}
    if made["given"] and made["class"] not in POSITIONAL:  # ConvLSTM: what they are called differs
        keys &= named.keys()
    open_ones = variant.open is not None
    return variant.class_name == made["class"] and all(
        any(_is(single, named.get(key), open_ones) for single in alternatives(variant.argument(key))) for key in keys
    )


def _is(single: Single, shown: Mapping[str, Any] | None, open_ones: bool) -> bool:
    """Return whether an argument may be what Python was seen to give (None: nothing)."""
    if isinstance(single, Absent):
        return shown is None or shown.get("value", 0) is None or open_ones
    if not isinstance(single, (Known, Assumed)) or isinstance(single.value, Opaque):
        return True
    if shown is None or shown.get("class") == "Unknown":
        return shown is not None
    if "class" in shown or not isinstance(single.value, _PLAIN):
        return not isinstance(single.value, _PLAIN)
    return type(single.value) is type(shown["value"]) and bool(single.value == shown["value"])


def _is_known(layer: Layer) -> bool:
    (first, *others) = layer.variants
    facts = [alternatives(fact) for fact in first.arguments.values()]
    known = all(len(one) == 1 and isinstance(one[0], (Known, Assumed, Absent)) for one in facts)
    return known and not others and first.open is None and first.unsure is None


def compared(
    root: Path, isolate: Sequence[str] = (), shown: Sequence[str] = FAULTS, processes: int = 2
) -> tuple[dict[str, int], list[Story]]:
    """Return the numbers of one repository, and the layers of the kinds that are to be shown."""
    root = root.resolve()
    layers, read = listed(root)
    jobs = [(file, seed) for file in _files(root, read) for seed in (0, 1)]
    tally = collections.Counter(dict.fromkeys(("files", "died", *KINDS), 0))
    tally["files"] = len(jobs) // 2
    seen: dict[str, Story] = {}
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        for told in pool.map(lambda job: run(root, *job, isolate), jobs):
            tally["died"] += told["ended"] == "died"
            for at, made in enumerate(told["made"]):
                key = json.dumps([made["class"], made["given"], made["named"], made["calls"][0]])
                if key not in seen:
                    call: Call = tuple(made["calls"][0])
                    kind, why = judged(made, at >= told["as_program"], layers.get(call, []), root)
                    seen[key] = Story(kind, made["class"], call, made, why)
    tally.update(story.kind for story in seen.values())
    return dict(tally), [story for story in seen.values() if story.kind in shown]


def _files(root: Path, read: set[str]) -> Iterator[Path]:
    for file in sorted((*root.rglob("*.py"), *root.rglob("*.ipynb"))):
        if str(file.relative_to(root)) in read and _NAMED.search(file.read_bytes()):
            yield file


def main() -> int:
    """Run the command; exit 1 if a layer is wrong or missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--record", action="store_true", help="write the numbers into the evidence")
    parser.add_argument("--show", default=",".join(FAULTS), help="the kinds of layers that are listed")
    parser.add_argument("--isolate", default=ALONE, help="a command that runs another one apart from the machine")
    given = parser.parse_args()
    records = json.loads(RECORDS.read_text(encoding="utf-8")) if RECORDS.exists() else {}
    faults = 0
    for root in sorted(path for path in given.checkouts.iterdir() if path.is_dir()):
        if given.only and root.name not in given.only:
            continue
        numbers, stories = compared(root, given.isolate.split(), given.show.split(","))
        print(root.name, json.dumps(numbers), *stories, sep="\n    ", flush=True)
        faults += sum(numbers[kind] for kind in FAULTS)
        if given.record and numbers["files"]:
            records[root.name.replace("+", "/")] = numbers
            rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(records.items()))
            RECORDS.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
