"""Programs of several files. Each case is a text with `# file: path` headings; `#:` comments as in `programs/`,
where a call in another file is written `path:row`. Files headed `# unlinted file:` are there but were not asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from source_brief import brief

from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read, wanted
from cudnnlint.frontends.source.project.callers import callers, gather
from cudnnlint.frontends.source.project.project import Folder

FOLDER = Path(__file__).parent / "projects"


def cases() -> list[tuple[str, str]]:
    """Every case with its name."""
    found = [(path.stem.replace("_", " "), path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.txt"))]
    assert found
    return found


def written(text: str, root: Path) -> tuple[dict[str, str], set[str]]:
    """Write the files of a case; their texts by path, and the paths that are linted."""
    parts = re.split(r"^# (unlinted )?file: (.*)\n", text, flags=re.MULTILINE)[1:]
    files = {path: body for _, path, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)}
    for path, body in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(body, encoding="utf-8")
    return files, {path for unlinted, path in zip(parts[::3], parts[1::3], strict=True) if not unlinted}


def read_all(files: dict[str, str], linted: set[str], root: Path, names: Names) -> list[Model]:
    """What the pipeline does with the files of one run."""
    project = Folder(str(root), sorted(linted))
    data = {path: files[path].encode() for path in sorted(linted)}
    models = {path: read(path, data[path], names, project) for path in data if wanted(data[path])}
    while more := callers(models.values(), {path: data[path] for path in data if path not in models}):
        models.update({path: read(path, data[path], names, project) for path in more})
    return gather([models[path] for path in sorted(models)])


@pytest.mark.parametrize(("title", "text"), cases(), ids=[title for title, _ in cases()])
def test_project(title: str, text: str, names: Names, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files, linted = written(text, tmp_path)
    expected = {
        f"{path}:{row}": [part.strip() for part in line.split("#:", 1)[1].split(";;")]
        for path, body in files.items()
        for row, line in enumerate(body.splitlines(), 1)
        if "#:" in line
    }
    got: dict[str, list[str]] = {}
    for model in read_all(files, linted, tmp_path, names):
        for layer in model.layers:
            assert layer.place.path == model.path
            got.setdefault(f"{model.path}:{layer.place.row}", []).append(brief(layer))
    assert got == expected
