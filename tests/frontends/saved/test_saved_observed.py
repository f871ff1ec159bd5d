"""Every mask and state that the front end reports, against what reaches the layers of the loaded model in truth."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("framework", "models"), [("keras", 14), ("tf_keras", 5)])
def test_what_reaches_each_layer_is_what_really_reaches_it(framework: str, models: int, tmp_path: Path) -> None:
    if not all(importlib.util.find_spec(name) for name in ("tensorflow", framework)):
        pytest.skip(f"{framework} is not installed")
    command = [sys.executable, str(HERE / "compare.py"), framework, str(models), str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
