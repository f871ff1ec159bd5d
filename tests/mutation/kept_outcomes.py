"""What came of every trial so far, in one small file of the tree: fixtures/evidence/mutation.xz.

A mutant is known by its mark, so that one whose row or function has changed since is tried again, and one that only
moved is not. An outcome counts as long as the test that noticed the mutant is there.
"""

from __future__ import annotations

import json
import lzma
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from trial import MARK, ROOT, Key, Outcome, Trial

RECORD = ROOT / "fixtures" / "evidence" / "mutation.xz"
#: What stands for the name of a test where none noticed.
SURVIVES = ""


def write(trials: Iterable[Trial], seen: Mapping[Key, Outcome], path: Path = RECORD) -> None:
    """Write what came of these trials: the marks of those that a test noticed, under its name."""
    marks: dict[str, list[str]] = defaultdict(list)
    for trial in trials:
        if trial.key in seen:
            marks[seen[trial.key].noticed_by or SURVIVES].append(trial.mark)
    text = json.dumps({test: "".join(sorted(marks[test])) for test in sorted(marks)}, indent=0)
    path.write_bytes(lzma.compress(text.encode(), preset=9))


def read(trials: Iterable[Trial], path: Path = RECORD) -> Iterator[Outcome]:
    """Yield what is known of these trials."""
    found = json.loads(lzma.decompress(path.read_bytes())) if path.exists() else {}
    noticed = {
        marks[at : at + MARK]: test for test, marks in found.items() if _is_there(test)
        for at in range(0, len(marks), MARK)
    }  # fmt: skip
    for trial in trials:
        if trial.mark in noticed:
            yield Outcome(trial.key, trial.mutant.line, noticed[trial.mark] or None, 0.0)


def _is_there(test: str) -> bool:
    """Is a test there still? What is no test of a file, such as that the program does not start, always is."""
    file, _, name = test.partition("::")
    return not name or f"def {name.partition('[')[0].rpartition('::')[2]}(" in _text(file)


@cache
def _text(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).exists() else ""
