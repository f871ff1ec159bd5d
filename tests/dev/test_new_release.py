"""A release that the tables knew is taken out of a copy, and taken in again by the tool: every file is as it was.

The package index is a folder with one wheel; what the wheel's constructors take and what real Keras decides are the
recorded answers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from forgetting import ROOT, copied, forget
from newest_releases import NEWEST
from packaging.version import Version

from cudnnlint.dev.table_text import with_checked, with_oldest_keras, with_release

BACKENDS = ("tensorflow", "torch", "jax")
TABLES = ("rules/tables/releases.toml", "rules/tables/routes.toml", "rules/tables/signatures.toml")
EVIDENCE = ("fixtures/evidence/releases.json", "fixtures/evidence/signatures.json")
WRITTEN = (*TABLES, *EVIDENCE, "rules/README.md", "README.md")
ORACLE = """
import shutil, sys
shutil.copy({recorded!r}, sys.argv[sys.argv.index("--evidence") + 1])
print("asked: {{}}", {stories!r}, sep="\\n")
sys.exit({status})
"""


def read(root: Path) -> dict[str, str]:
    return {name: (root / name).read_text(encoding="utf-8") for name in WRITTEN}


def wheel(folder: Path, name: str, version: str) -> None:
    """A wheel that holds nothing but its name."""
    folder.mkdir()
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A checkout from before the newest Keras came out, whose oracle answers what is recorded of that release."""
    root = copied(tmp_path / "checkout")
    recorded = tmp_path / "recorded.json"
    recorded.write_text((root / "fixtures/evidence/releases.json").read_text(encoding="utf-8"), encoding="utf-8")
    evidence = json.loads((root / "fixtures/evidence/signatures.json").read_text(encoding="utf-8"))
    assert forget(root, NEWEST, BACKENDS)
    answers(root, recorded)
    numbers = evidence["releases"][f"keras {NEWEST}"]
    found = {"signatures": evidence["signatures"], "releases": {f"keras {NEWEST}": numbers}}
    script = f"import json\nprint(json.dumps({found!r}))\n"
    (root / "tests/rulebook/signatures.py").write_text(script, encoding="utf-8")
    wheel(tmp_path / "index", "keras", NEWEST)
    return root


def answers(root: Path, recorded: Path, stories: str = "", status: int = 0) -> None:
    script = ORACLE.format(recorded=str(recorded), stories=stories, status=status)
    (root / "tests/oracle/releases.py").write_text(script, encoding="utf-8")


def new_release(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the tool of the copy, with the folder beside it for a package index."""
    pytest.importorskip("pip")
    index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(root.parent / "index"), "PIP_CONFIG_FILE": os.devnull}
    command = [sys.executable, "-m", "cudnnlint.dev.new_release", *words]
    environ = {**os.environ, **index, "PYTHONPATH": str(root)}
    return subprocess.run(command, capture_output=True, text=True, cwd=root, env=environ, check=False)


def test_a_release_is_taken_in_as_it_was(before: Path) -> None:
    old = read(before)
    tried = new_release(before, NEWEST, "--dry-run")
    assert tried.returncode == 0, tried.stderr
    assert "Nothing differs from what the tables say." in tried.stdout
    assert read(before) == old
    done = new_release(before, NEWEST)
    assert done.returncode == 0, done.stderr
    for name, text in read(before).items():
        assert text == (ROOT / name).read_text(encoding="utf-8"), name
    assert sum(old[name] != (ROOT / name).read_text(encoding="utf-8") for name in WRITTEN) >= 5


def test_what_the_release_decides_otherwise_is_told_and_nothing_is_written(before: Path) -> None:
    answers(before, before.parent / "recorded.json", "    graph: settings.py lstm: fallback; Keras cudnn", 1)
    script = before / "tests/rulebook/signatures.py"
    script.write_text(script.read_text(encoding="utf-8").replace("'use_cudnn': 'auto'", "'fast': 1"), encoding="utf-8")
    old = read(before)
    done = new_release(before, NEWEST)
    assert done.returncode == 1, done.stderr
    assert "graph: settings.py lstm: fallback; Keras cudnn" in done.stdout
    assert "defaults.toml: LSTM takes fast now" in done.stdout
    assert "defaults.toml: LSTM takes use_cudnn no more" in done.stdout
    assert f"Begin a row at {NEWEST}" in done.stdout
    assert read(before) == old


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["99.0.0"], "keras 99.0.0 is not on the package index, or not for this Python.\n"),
        ([NEWEST], f"keras {NEWEST} is in rules/tables/releases.toml already.\n"),
        (["new"], '"new" is no version.\n'),
        (["jax@1.0"], "jax is none of keras, tf_keras, tensorflow.\n"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(words: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    root = tmp_path / "none"
    index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(root.parent / "index"), "PIP_CONFIG_FILE": os.devnull}
    command = [sys.executable, "-m", "cudnnlint.dev.new_release", *words]
    environ = {**os.environ, **index, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environ, check=False)
    assert (done.returncode, done.stderr) == (2, said)


LIST = '[keras]\nreleases = [\n  "2.6.0", "3.1.0",\n  "3.2.0",\n]\n\n[tf_keras]\nreleases = ["2.15.0", "2.16.0"]\n'


@pytest.mark.parametrize(
    ("framework", "version", "written"),
    [
        ("keras", "3.3.0", '"3.2.0", "3.3.0",\n]'),
        ("keras", "3.1.1", '"2.6.0", "3.1.0", "3.1.1",\n  "3.2.0",'),
        ("tf_keras", "2.17.0", '["2.15.0", "2.16.0", "2.17.0"]'),
        ("tf_keras", "2.15.1", '["2.15.0", "2.15.1", "2.16.0"]'),
    ],
)
def test_a_release_goes_to_its_place(framework: str, version: str, written: str) -> None:
    assert written in with_release(LIST, framework, Version(version))


def test_a_release_that_is_older_than_all_is_refused() -> None:
    with pytest.raises(ValueError, match="older than every release"):
        with_release(LIST, "keras", Version("1.0"))


def test_a_new_minor_of_tensorflow_says_which_keras_it_admits() -> None:
    text = '[tensorflow.oldest_keras]\n"2.20" = "3.10.0"\n\n# more\n'
    grown = with_oldest_keras(text, Version("2.21.0"), Version("3.12.0"))
    assert grown == '[tensorflow.oldest_keras]\n"2.20" = "3.10.0"\n"2.21" = "3.12.0"\n\n# more\n'
    assert with_oldest_keras(grown, Version("2.21.1"), Version("3.12.0")) == grown


@pytest.mark.parametrize(
    ("framework", "version", "written"),
    [
        ("keras", "3.3.0", '{ keras = "3.3.0", tf_keras = "2.16.0" }'),
        ("tf_keras", "2.17.0", '{ keras = "3.2.0", tf_keras = "2.17.0" }'),
        ("keras", "3.1.0", '{ keras = "3.2.0", tf_keras = "2.16.0" }'),
    ],
)
def test_checked_grows_for_the_framework_that_was_asked(framework: str, version: str, written: str) -> None:
    text = '[[route]]\nchecked = { keras = "3.2.0", tf_keras = "2.16.0" }\n[[route]]\nchecked = "read"\n'
    entries = [{"checked": {"keras": "3.2.0", "tf_keras": "2.16.0"}}, {"checked": "read"}]
    new = with_checked(text, "[[route]]", entries, lambda entry: entry is entries[0], framework, Version(version))
    assert new == f'[[route]]\nchecked = {written}\n[[route]]\nchecked = "read"\n'
