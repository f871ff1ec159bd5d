"""The short run of the fault driver."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).with_name("run.py")
CAN = sys.platform == "linux" and (shutil.which("cc") or shutil.which("gcc"))


@pytest.mark.skipif(not CAN, reason="it needs Linux and a C compiler")
def test_a_call_that_fails_or_is_killed_leaves_the_old_file_or_the_new_one() -> None:
    done = subprocess.run([sys.executable, str(RUN), "--quick"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.rpartition("|")[2] for line in done.stdout.splitlines()] == [" 0"] * 3
