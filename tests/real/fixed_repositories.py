"""Fixes whole public repositories: `python tests/real/fixed_repositories.py CHECKOUTS [--only NAME ...]`.

CHECKOUTS is a folder outside this one, with repositories as OWNER+NAME. Each one in which something can be fixed is
copied; the copy is fixed with `--fix --unsafe-fixes` and checked again. Every changed file has to parse as before, no
layer may be worse than it was, and the changed files, run with stand-ins before and after (executed/child.py, without a
network and as a user who may write nothing), have to construct as many recurrent layers and to end in the same way. The
numbers go to fixtures/evidence/fixed_repositories.json, one repository a line; none of their code is kept.
"""

from __future__ import annotations

import argparse
import ast
import collections
import json
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from notebook_cells import cells

sys.path.insert(0, str(Path(__file__).resolve().parent / "executed"))

from executed_code import ALONE, run

RECORDS = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "fixed_repositories.json"
#: Verdicts from the best to the worst; what is not known may be either.
ORDER = ("cudnn", "depends", "unknown", "fallback", "raises")
SEEDS = (0, 1)
TOO_LONG = {"OutOfTime", "died"}  # how a run with stand-ins ends where nothing stops it


def command(folder: Path, *options: str) -> str:
    """What `cudnnlint check` writes about a folder."""
    done = subprocess.run(
        [sys.executable, "-m", "cudnnlint", "check", ".", "--no-cache", "--exit-zero", "--jobs", "1", *options],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{folder.name}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def report(folder: Path) -> dict[str, Any]:
    """The report on a folder."""
    found: dict[str, Any] = json.loads(command(folder, "--output-format", "report"))
    return found


def fixed(path: Path, isolate: list[str]) -> dict[str, Any] | None:
    """What came of fixing a repository; None where nothing can be fixed."""
    before = report(path)
    fixes = [one for one in before["diagnostics"] if one.get("fix")]
    if not fixes:
        return None
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / path.name
        shutil.copytree(path, copy, symlinks=True)
        Path(scratch).chmod(0o755)
        command(copy, "--fix", "--unsafe-fixes", "--quiet")
        names = [file["path"] for file in before["files"] if (path / file["path"]).is_file()]
        changed = [name for name in names if (path / name).read_bytes() != (copy / name).read_bytes()]
        after = report(copy)
        source = [name for name in changed if name.endswith((".py", ".ipynb"))]
        alike = {name: runs_alike(path, copy, name, isolate) for name in source}
        return {
            "name": path.name.replace("+", "/", 1),
            "fixes": len(fixes),
            "changed": len(changed),
            "left": sum(1 for one in after["diagnostics"] if one.get("fix")),
            "before": _verdicts(before),
            "after": _verdicts(after),
            "broken": [name for name in source if parses(path / name) and not parses(copy / name)],
            "worse": worse(before, after),
            "run": sum(one is not None for one in alike.values()),
            "otherwise": [name for name, one in alike.items() if one is False],
        }


def parses(file: Path) -> bool:
    """Return whether this Python can read a source file, or every cell of a notebook."""
    text = file.read_text(encoding="utf-8", errors="replace")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for _, code in cells(text) if file.suffix == ".ipynb" else [(None, text)]:
                ast.parse(code)
        except (SyntaxError, ValueError):
            return False
    return True


def _verdicts(found: dict[str, Any]) -> dict[str, int]:
    return {verdict: found["summary"][verdict] for verdict in ORDER}


def worse(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The files in which the worst of some verdict became more frequent, or a layer went missing."""
    old, new = _by_file(before), _by_file(after)
    return sorted(name for name, verdicts in old.items() if not _as_good(verdicts, new.get(name, [])))


def _by_file(found: dict[str, Any]) -> dict[str, list[int]]:
    ranks: dict[str, list[int]] = collections.defaultdict(list)
    for file in found["files"]:
        for layer in file["layers"]:
            ranks[file["path"]] += [ORDER.index(one["verdict"]) for one in layer["verdicts"]]
    return ranks


def _as_good(old: list[int], new: list[int]) -> bool:
    """Return whether there are as many layers, and the best, the second best, ... of them are no worse than before."""
    return len(old) == len(new) and all(now <= was for was, now in zip(sorted(old), sorted(new), strict=True))


def runs_alike(path: Path, copy: Path, name: str, isolate: list[str]) -> bool | None:
    """Return whether a file constructs as many recurrent layers after the fix, and ends as it did.

    None where it never comes to an end in time.
    """
    told = [(_told(path, name, seed, isolate), _told(copy, name, seed, isolate)) for seed in SEEDS]
    ended = [(before, after) for before, after in told if not TOO_LONG & {before[0], after[0]}]
    return all(before == after for before, after in ended) if ended else None


def _told(root: Path, name: str, seed: int, isolate: list[str]) -> tuple[str, int]:
    told = run(root, root / name, seed, isolate)
    return told["ended"], len(told["made"])


def main() -> None:
    """Fix copies, count, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    kept = [json.loads(line) for line in RECORDS.read_text().splitlines()] if RECORDS.exists() else []
    found = {one["name"]: one for one in kept}
    for path in sorted(one for one in options.checkouts.iterdir() if one.is_dir() and "+" in one.name):
        name = path.name.replace("+", "/", 1)
        if options.only and name not in options.only:
            continue
        one = fixed(path.resolve(), ALONE.split())
        found.pop(name, None)
        if one is not None:
            found[name] = one
            print(json.dumps(one), flush=True)
        RECORDS.write_text("".join(json.dumps(found[key]) + "\n" for key in sorted(found)))


if __name__ == "__main__":
    main()
