"""Takes a release out of a copy of the checkout: tables, evidence and pages as they were before it came out."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: What the tool reads and writes.
PARTS = ("cudnnlint", "rules", "fixtures/evidence", "tests/oracle", "tests/rulebook/signatures.py", "README.md",
         "docs/reference/limits.md")  # fmt: skip


def copied(folder: Path, parts: tuple[str, ...] = PARTS) -> Path:
    """Copy the parts of the checkout that the tool uses."""
    for part in parts:
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return folder


def forget(root: Path, version: str, backends: tuple[str, ...]) -> list[dict[str, object]]:
    """Take a release of Keras 3 out of the copy; return what was recorded of it on these backends."""
    tables, evidence = root / "rules" / "tables", root / "fixtures" / "evidence"
    path = tables / "releases.toml"
    path.write_text(re.sub(rf'\s"{re.escape(version)}",', "", path.read_text(encoding="utf-8")), encoding="utf-8")
    for name, heading in (("routes.toml", "[[route]]"), ("signatures.toml", "[[positional]]")):
        path = tables / name
        parts = re.split(rf"(?m)^(?={re.escape(heading)}$)", path.read_text(encoding="utf-8"))
        parts = [_unchecked(part, version, backends) for part in parts]
        path.write_text("".join(parts), encoding="utf-8")
    path = evidence / "releases.json"
    records = json.loads(path.read_text(encoding="utf-8"))
    gone = [one for one in records if one["keras"] == version and one["backend"] in backends]
    text = ",\n".join(json.dumps(one) for one in records if one not in gone)
    path.write_text(f"[\n{text}\n]\n", encoding="utf-8")
    path = evidence / "signatures.json"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if f'"keras {version}"' not in line), encoding="utf-8")
    return gone


def _unchecked(part: str, version: str, backends: tuple[str, ...]) -> str:
    """A table as it was before the release was asked: checked up to an older one, which it does not matter."""
    backend = re.search(r'^backend = "(\w+)"', part, re.MULTILINE)
    classes = re.search(r"^class = (.*)$", part, re.MULTILINE)
    elsewhere = backend is not None and backend[1] not in backends
    unasked = classes is not None and not re.search(r'"(LSTM|GRU|SimpleRNN|RNN|ConvLSTM\dD)"', classes[1])
    if elsewhere or unasked or '"graph.' in part:
        return part
    return re.sub(rf'(checked = .*)"{re.escape(version)}"', r'\1"3.0.0"', part)
