"""Puts small faults into the program, one at a time, and tells which of them no fast test notices.

    python tests/mutation/run.py                            a sample of 40 mutants of every target
    python tests/mutation/run.py --targets masks,engine     some targets
    python tests/mutation/run.py --most 0                   every mutant
    python tests/mutation/run.py --list                     the targets and how many mutants each has
    python tests/mutation/run.py --summary                  the outcomes so far, and some rows of each table
    python tests/mutation/run.py --record                   put them into the record of the tree

Each mutant is tried in a copy of the tree, with the fast tests that targets.toml names for its target, until one of
them fails; worker.py tells how. `--budget` are the seconds of tests that one mutant may cost. A mutant that none
notices survives: it shows a test that is missing, or it changes nothing that can be seen (`explained.toml` says why,
one by one). The outcomes go to a file. What is in it or in the record of the tree (kept_outcomes.py) is not tried
again: a run that was stopped goes on. `--again` tries the survivors once more. Exit 1 if a survivor is not explained.
Needs fork.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

import kept_outcomes  # noqa: E402
from trial import Key, Outcome, Trial, explained, targets, trials  # noqa: E402


def copy_of_the_tree(folder: Path) -> Path:
    """The files that git knows, in a folder of their own."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in names:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def outcomes(path: Path, names: Iterable[str]) -> dict[Key, Outcome]:
    """What came of the trials of these targets so far, the last of each: the record, and what the file adds."""
    recorded = kept_outcomes.read(trial for name in names for trial in trials(name))
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {outcome.key: outcome for outcome in (*recorded, *map(Outcome.of, lines))}


def try_all(target: str, chosen: list[Trial], options: argparse.Namespace) -> None:
    """Try the mutants of a target, in this process and its forks; the outcomes go to the file."""
    with tempfile.TemporaryDirectory() as folder:
        tree = copy_of_the_tree(Path(folder).resolve() / "tree")
        os.chdir(tree)
        sys.path.insert(0, str(tree))
        os.environ["PYTHONPATH"] = str(tree)
        from worker import Worker, measured_of, saved

        def done(outcome: Outcome) -> None:
            with options.outcomes.open("a", encoding="utf-8") as file:
                file.write(outcome.json() + "\n")

        stored = options.outcomes.with_name(f"{options.outcomes.stem}-{target}.json")
        tests = options.tests.split(",") if options.tests else targets()[target]["tests"]
        worker = Worker(tree, targets()[target]["files"], tests, options.budget, done, options.once)
        for outcome in outcomes(options.outcomes, [target]).values():
            worker.learn(outcome)
        if options.measured and stored.exists():
            worker.measured = measured_of(stored.read_text(encoding="utf-8"))
        else:
            stored.write_text(saved(worker.measure()), encoding="utf-8")
        worker.run(chosen)
        os.chdir(ROOT)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", default="", help="names of targets.toml, with commas; all if left out")
    parser.add_argument("--files", default="", help="only files whose path contains one of these, with commas")
    parser.add_argument("--tests", default="", help="these tests, with commas, instead of those in targets.toml")
    parser.add_argument("--most", type=int, default=40, help="so many mutants of each target; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=10, help="seconds of tests for one mutant")
    parser.add_argument("--outcomes", type=Path, default=ROOT / ".mutation.jsonl", help="the file of the outcomes")
    parser.add_argument("--again", action="store_true", help="try the survivors of the file again")
    parser.add_argument("--measured", action="store_true", help="take the tests' times and lines of the last run")
    parser.add_argument("--once", action="store_true", help="only what can be tried without importing everything anew")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--record", action="store_true")
    return parser.parse_args()


def wanted(trial: Trial, options: argparse.Namespace) -> bool:
    """Is the file of a mutant among those that were asked for?"""
    return any(part in trial.path for part in options.files.split(","))


def chosen_of(target: str, options: argparse.Namespace) -> list[Trial]:
    """The mutants of a target that are to be tried now."""
    every = [trial for trial in trials(target) if wanted(trial, options)]
    random.Random(options.seed).shuffle(every)
    drawn = every[: options.most or len(every)]  # a larger sample holds the smaller one
    print(f"{target}: {len(every)} mutants, {len(drawn)} drawn", flush=True)
    known, seen = explained(), outcomes(options.outcomes, [target])
    survivors = {key for key, outcome in seen.items() if outcome.noticed_by is None}
    return [one for one in drawn if one.key not in known and (
        one.key in survivors if options.again else one.key not in seen)]  # fmt: skip


def summary(names: list[str], options: argparse.Namespace) -> int:
    """Print what came of each target; returns how many survivors are not explained."""
    seen, known, unexplained = outcomes(options.outcomes, names), explained(), 0
    print("| target | mutants | tried | noticed | explained | not explained |\n|---|---|---|---|---|---|")
    for name in names:
        every = [trial for trial in trials(name) if wanted(trial, options)]
        tried = [trial for trial in every if trial.key in seen or trial.key in known]
        noticed = [one for one in tried if one.key in seen and seen[one.key].noticed_by is not None]
        left = [one for one in tried if one.key not in known and one not in noticed]
        because = len(tried) - len(noticed) - len(left)
        print(f"| {name} | {len(every)} | {len(tried)} | {len(noticed)} | {because} | {len(left)} |")
        unexplained += len(left)
        for trial in left:
            print(f"survives: {trial}", file=sys.stderr)
    return unexplained


def rows_of_tables(options: argparse.Namespace, most: int = 3) -> None:
    """Print rows that were changed, drawn of all that were tried, as many of each table, and what noticed."""
    seen, known = outcomes(options.outcomes, targets()), explained()
    tables = [trial for name in targets() if name.startswith("table-") for trial in trials(name)]
    tried = [trial for trial in tables if trial.key in seen and trial.key not in known]
    random.Random(options.seed).shuffle(tried)
    taken: Counter[str] = Counter()
    print("\n| row | changed to | fails |\n|---|---|---|")
    for trial in tried:
        if taken[trial.path] < most:
            taken[trial.path] += 1
            before, after = (re.findall(r'"[^"]*"', text) for text in (trial.key[2], trial.mutant.after))
            gone = [text for text in before if text not in after]
            changed = f"without {gone[0]}" if len(after) == len(before) - 1 and gone else trial.mutant.after[:60]
            row = f"{Path(trial.path).name}:{trial.mutant.line}: {trial.key[2][:90]}"
            test = (seen[trial.key].noticed_by or "no test").removeprefix("tests/").replace("|", " ")
            print(f"| `{row}` | `{changed}` | `{test[:130]}` |")


def main() -> int:
    """The command."""
    options = arguments()
    options.outcomes = options.outcomes.resolve()
    names = options.targets.split(",") if options.targets else list(targets())
    if options.list:
        print(*(f"{name}: {len(list(trials(name)))} mutants" for name in names), sep="\n")
        return 0
    if options.record:
        every = list(targets())
        kept_outcomes.write((trial for name in every for trial in trials(name)), outcomes(options.outcomes, every))
        return 0
    if not options.summary:
        for name in names:
            try_all(name, chosen_of(name, options), options)
    unexplained = summary(names, options)
    if options.summary:
        rows_of_tables(options)
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
