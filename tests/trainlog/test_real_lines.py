"""The table against the words of the installed Keras and TensorFlow themselves."""

import importlib.util
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cudnnlint.trainlog.gather import gather
from cudnnlint.trainlog.pieces import pieces

HERE = Path(__file__).parent
OLD = HERE.parents[1] / "fixtures" / "saved" / "k2_plain.h5"

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("framework", "kinds"), [("keras", 14), ("tf_keras", 6)])
def test_every_complaint_is_recognised(framework: str, kinds: int) -> None:
    if not all(importlib.util.find_spec(name) for name in ("tensorflow", framework)):
        pytest.skip(f"{framework} is not installed")
    done = subprocess.run(
        [sys.executable, str(HERE / "real_lines.py"), framework, str(OLD)],
        capture_output=True,
        check=False,
        env={**os.environ, "TF_USE_LEGACY_KERAS": "01"[framework == "tf_keras"]},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    parts = done.stderr.split(b"\n# ")[1:]
    found = {part.split(b"\n")[0].decode(): gather(pieces(io.BytesIO(part))).entries for part in parts}
    assert len(found) == kinds
    told = {key: {one.phrase.key for one in found[key] if one.phrase.reading.tells != "harmless"} for key in found}
    assert told == {key: {key} for key in found}
