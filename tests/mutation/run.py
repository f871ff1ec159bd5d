"""Puts small faults into the program, one at a time, and tells which of them no fast test notices.

    python tests/mutation/run.py                            a sample of 40 mutants of every target
    python tests/mutation/run.py --targets masks,engine     some targets
    python tests/mutation/run.py --most 0 --seed 3          every mutant
    python tests/mutation/run.py --list                     the targets and how many mutants each has

Each mutant is tried in a copy of the tree, with the fast tests that TESTS names for its target, until one of them
fails. A mutant that none notices survives: it is printed, and goes to the file that `--survivors` names. A survivor
either shows a test that is missing, or changes nothing that can be seen (`explained.toml` says why, one by one).
Exit 1 if a survivor is not explained.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

import tomllib

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

from mutants import Mutant, of_python, of_table  # noqa: E402

#: Seconds for the tests of one mutant; one that makes a loop endless counts as noticed.
PATIENCE = 400


@dataclass(frozen=True)
class Trial:
    """A mutant of one file."""

    path: str
    mutant: Mutant
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.path}:{self.mutant.line}: {self.mutant.before}  ->  {self.mutant.after}"

    @property
    def key(self) -> tuple[str, str, str]:
        """What a survivor is known by, wherever its line moves."""
        return self.path, " ".join(self.mutant.before.split()), self.mutant.after


def targets() -> dict[str, dict[str, list[str]]]:
    """The files that are mutated and the tests that have to notice, by name of the target."""
    return dict(tomllib.loads((HERE / "targets.toml").read_text(encoding="utf-8")))


def trials(name: str) -> Iterator[Trial]:
    """Every mutant of a target."""
    target = targets()[name]
    for pattern in target["files"]:
        for path in sorted(ROOT.glob(pattern)):
            text = path.read_text(encoding="utf-8")
            found = of_table(text) if path.suffix == ".toml" else of_python(text)
            for mutant in found:
                yield Trial(path.relative_to(ROOT).as_posix(), mutant, tuple(target["tests"]))


def copy_of_the_tree(folder: Path) -> Path:
    """The files that git knows, in a folder of their own."""
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in names:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def noticed(trial: Trial, tree: Path) -> bool:
    """Does a test fail with this mutant in the tree? The tree is as it was before afterwards."""
    path = tree / trial.path
    original = path.read_text(encoding="utf-8")
    path.write_text(trial.mutant.text, encoding="utf-8")
    try:
        return not passes(trial.tests, tree)
    finally:
        path.write_text(original, encoding="utf-8")


def passes(tests: tuple[str, ...], tree: Path) -> bool:
    """Do the tests pass in a tree?"""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, timeout=PATIENCE, check=False, text=True
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def explained() -> dict[tuple[str, str, str], str]:
    """The survivors that change nothing that can be seen, with the reason."""
    path = HERE / "explained.toml"
    found = tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", []) if path.exists() else []
    return {(one["path"], one["before"], one["after"]): one["because"] for one in found}


def try_all(chosen: list[Trial], jobs: int) -> list[Trial]:
    """Those that survive."""
    trees: Queue[Path] = Queue()
    survivors: list[Trial] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(jobs):
            trees.put(copy_of_the_tree(Path(folder) / str(number)))

        def one(trial: Trial) -> None:
            tree = trees.get()
            try:
                if not noticed(trial, tree):
                    survivors.append(trial)
                    print(f"survives: {trial}", flush=True)
            finally:
                trees.put(tree)

        for tests in {trial.tests for trial in chosen}:
            tree = trees.get()
            if not passes(tests, tree):
                raise SystemExit(f"Without any fault these tests fail already: {' '.join(tests)}")
            trees.put(tree)
        with ThreadPoolExecutor(jobs) as executor:
            list(executor.map(one, chosen))
    return survivors


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", default="", help="names of targets.toml, with commas; all if left out")
    parser.add_argument("--most", type=int, default=40, help="so many mutants of each target; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--survivors", type=Path, help="a file for the survivors, a JSON object a line")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def main() -> int:
    """The command."""
    options = arguments()
    names = options.targets.split(",") if options.targets else list(targets())
    chosen: list[Trial] = []
    for name in names:
        every = list(trials(name))
        drawn = random.Random(options.seed).sample(every, min(options.most or len(every), len(every)))
        print(f"{name}: {len(every)} mutants, {len(drawn)} tried", flush=True)
        chosen += drawn
    if options.list:
        return 0
    survivors = try_all(chosen, options.jobs)
    known = explained()
    if options.survivors:
        records = (dict(zip(("path", "before", "after"), trial.key, strict=True)) for trial in survivors)
        options.survivors.write_text("".join(f"{json.dumps(one)}\n" for one in records), encoding="utf-8")
    unexplained = [trial for trial in survivors if trial.key not in known]
    print(f"{len(chosen)} mutants: {len(chosen) - len(survivors)} noticed, {len(survivors)} survive, "
          f"{len(unexplained)} of them unexplained")  # fmt: skip
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
