"""Every example of a rule and every whole program, fixed: it parses, is rid of the finding, and nothing else moves."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from fixed import ALL, SAFE, codes, fixed, request
from newest_releases import NEWEST, NEWEST_TF_KERAS

from cudnnlint import pipeline
from cudnnlint.core.edit import Applicability
from cudnnlint.core.report import Report
from cudnnlint.core.text import lines
from cudnnlint.rulebook.loader import load

BOOK = load()
PROGRAMS = sorted((Path(__file__).parents[3] / "fixtures" / "files").rglob("*.py"))
FENCE = re.compile(r"^```python([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def example(page: str, heading: str) -> tuple[str, str] | None:
    """The first Python example under a heading of a rule's page: its target and its text."""
    section = re.search(rf"^## {heading}$(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    found = FENCE.search(section[1]) if section else None
    if found is None:
        return None
    target = re.search(r"target=(\S+)", found[1])
    return target[1] if target else f"keras@{NEWEST}:tensorflow", found[2]


MENDING = [
    pytest.param(rule.code, *bad, after[1], id=rule.name)
    for rule in sorted(BOOK.rules.values(), key=lambda rule: rule.code)
    if rule.fix is not None
    and (bad := example(rule.page, "Bad")) is not None
    and (after := example(rule.page, "Fixed")) is not None
]


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path) -> None:
    (tmp_path / "cudnnlint.toml").write_text("")


def test_there_are_rules_and_programs_to_fix() -> None:
    assert len(MENDING) >= 14
    assert len(PROGRAMS) >= 60


@pytest.mark.parametrize(("code", "target", "bad", "good"), MENDING)
def test_the_bad_example_becomes_the_fixed_one(code: str, target: str, bad: str, good: str, tmp_path: Path) -> None:
    path = tmp_path / "example.py"
    path.write_bytes(bad.encode())
    before = codes(pipeline.check(request(path, target)).report)
    data, outcome = fixed(path, target, code)
    assert data.decode() == good
    assert outcome.count == 1
    path.write_bytes(data)
    after = codes(pipeline.check(request(path, target)).report)
    assert (code, target) not in after
    assert after <= before
    assert fixed(path, target, code)[0] == data


def indented(text: str) -> str:
    """The program inside a block, with tabs."""
    return "if True:\n" + "".join(f"\t{line}" for line in text.splitlines(keepends=True) if line.strip())


LAYOUTS: dict[str, Callable[[str], bytes]] = {
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "cr": lambda text: text.replace("\n", "\r").encode(),
    "bom": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "latin-1": lambda text: f"# -*- coding: latin-1 -*-\n# caf\xe9\n{text}# \xfc\n".encode("latin-1"),
    "no-end": lambda text: text.rstrip("\n").encode(),
    "tabs": lambda text: indented(text).encode(),
    "form-feeds": lambda text: re.sub(r"^(?=layer = )", "\f", text, flags=re.MULTILINE).encode(),
    "continued": lambda text: b"\\\n" + text.encode(),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("code", "target", "bad", "good"), MENDING)
def test_encoding_and_line_ends_stay(layout: str, code: str, target: str, bad: str, good: str, tmp_path: Path) -> None:
    path = tmp_path / "example.py"
    path.write_bytes(LAYOUTS[layout](bad))
    assert fixed(path, target, code)[0] == LAYOUTS[layout](good)


def targets_of(path: Path) -> str:
    """The target that a whole program is judged for."""
    return f"tf_keras@{NEWEST_TF_KERAS}" if path.parent.name == "tf_keras" else f"keras@{NEWEST}:tensorflow"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_whole_program_is_no_worse_and_settles(path: Path, tmp_path: Path) -> None:
    target = targets_of(path)
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    report = pipeline.check(request(copy, target)).report
    _edits_stand_apart(report)
    offered = {one.fix.applicability for one in report.diagnostics if one.fix is not None}
    for kinds in (SAFE, ALL) if offered & SAFE and offered & (ALL - SAFE) else (ALL,):  # else they are the same fixes
        data, outcome = fixed(copy, target, kinds=kinds)
        left = codes(outcome.outcome.report)
        assert set(left) <= set(codes(report))
        fixes = [diagnostic.fix for diagnostic in outcome.outcome.report.diagnostics if diagnostic.fix is not None]
        assert not any(fix.applicability in kinds for fix in fixes), "a fix is left that could have been applied"
        if data == copy.read_bytes():
            assert left == codes(report)
            continue
        ast.parse(data)
        _untouched_lines_stay(copy.read_bytes(), data)
        copy.write_bytes(data)
        again, outcome = fixed(copy, target, kinds=kinds)
        assert again == data
        assert codes(outcome.outcome.report) == left
        report = outcome.outcome.report


def _edits_stand_apart(report: Report) -> None:
    for diagnostic in report.diagnostics:
        fix = diagnostic.fix
        if fix is None:
            continue
        assert fix.edits or fix.applicability is Applicability.DISPLAY_ONLY
        places = [edit.place for edit in fix.edits]
        assert places == sorted(places)
        for left, right in pairwise(places):
            assert (left.end_row, left.end_column) <= (right.row, right.column)


def _untouched_lines_stay(old: bytes, new: bytes) -> None:
    """Most lines of a program have no finding: those that stay do so in their order."""
    before, after = lines(old.decode()), lines(new.decode())
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, start, end, begin, stop in matcher.get_opcodes():
        if tag != "equal":
            touched = "\n".join([*before[start:end], *after[begin:stop]])
            assert WORDS.search(touched), touched


#: What any line that a fix touches has in it.
WORDS = re.compile(
    r"LSTM|GRU|RNN|Cell|[Ii]nput|import |activation|dropout|use_bias|reset_after|unroll|implementation|use_cudnn|dtype|"
    r"tanh|sigmoid|True|False|0\.\d|\)|time_major"
)
