"""A new rule from the scaffold, in a copy of the rulebook: it loads, and its own examples say what it finds."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from forgetting import copied

from cudnnlint.rulebook.loader import load

ARGUMENTS = (
    "--argument", "stateful", "--value", "True", "--summary", "The layer keeps its state.",
    "--why", "It is tried here.", "--source", "keras/src/layers/rnn/rnn.py",
)  # fmt: skip
ROW = '\n[[note]]\nrule = "kept-state"\nframework = "keras"\nsource = "keras/src/layers/rnn/rnn.py"\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return copied(tmp_path, ("cudnnlint", "rules"))


def run(root: Path, module: str, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-m", module, *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=root, env=environ, check=False)


def test_a_new_rule_finds_its_bad_example_and_not_its_good_one(root: Path) -> None:
    done = run(root, "cudnnlint.dev.new_rule", "kept-state", "--hundred", "3", *ARGUMENTS)
    assert done.returncode == 0, done.stderr
    last = max(rule.code for rule in load().rules.values() if rule.code.startswith("CDN3"))
    assert f"rules/kept_state.py written, with the code CDN{int(last[3:]) + 1}." in done.stdout
    page = (root / "rules/kept_state.py").read_text(encoding="utf-8")
    for name, example in zip(("bad", "good"), re.findall(r"```python\n(.*?)```", page, re.DOTALL), strict=True):
        (root / f"{name}.py").write_text(example, encoding="utf-8")
    with (root / "rules/tables/defects.toml").open("a", encoding="utf-8") as table:
        table.write(ROW)
    found = run(root, "cudnnlint", "check", "bad.py", "good.py", "--target", "keras", "--output-format", "json")
    told = [(Path(one["filename"]).name, one["name"], one["message"]) for one in json.loads(found.stdout)]
    assert [one[:2] for one in told] == [("bad.py", "kept-state")]
    assert "stateful is True" in told[0][2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("activation", "--code", "CDN199"), "The rule activation is there already: rules/activation.py.\n"),
        (("kept-state", "--code", "CDN101"), "CDN101 is the code of activation.\n"),
        (("kept-state", "--code", "CDN7"), "CDN7 is no code; write CDN and three digits, the first of them 1 to 6.\n"),
        (("Kept_State", "--code", "CDN199"),
         "Kept_State is no name; write small letters and digits, joined by hyphens.\n"),
    ],
)  # fmt: skip
def test_a_name_or_a_code_that_is_taken_is_refused(words: tuple[str, ...], said: str, root: Path) -> None:
    before = sorted(path.name for path in (root / "rules").iterdir())
    done = run(root, "cudnnlint.dev.new_rule", *words, *ARGUMENTS)
    assert (done.returncode, done.stderr) == (2, said)
    assert sorted(path.name for path in (root / "rules").iterdir() if path.name != "__pycache__") == before
