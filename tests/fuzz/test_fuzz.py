"""The short run of the fuzzer, with a seed of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).with_name("run.py")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="it forks")
def test_changed_inputs_bring_about_nothing_but_sentences() -> None:
    command = [sys.executable, str(RUN), "--quick", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" 0 finds") == done.stdout.count(" inputs in ") == 14


def test_the_table_is_made_from_the_record() -> None:
    sys.path.insert(0, str(RUN.parent))
    try:
        import record
    finally:
        sys.path.pop(0)
    made = record.table(record.lines(RUN.with_name("record.jsonl")))
    text = record.README.read_text("utf-8")
    assert record.written(text, made) == text
