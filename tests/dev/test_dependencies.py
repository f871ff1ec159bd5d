"""What is installed beside the program: each package of the developers is locked, and a wheel can be built again."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCKED = (ROOT / ".ci" / "locked.txt").read_text("utf-8")
#: What a wheel and an archive of the sources are made of.
PARTS = ("cudnnlint", "rules", "docs/cudnnlint.1", "LICENSE", "README.md", "pyproject.toml", ".gitignore")
DAY = 1_700_000_000  # seconds since 1970: a day of 2023


def wanted(extra: str) -> list[Requirement]:
    """Return what an extra asks for, those of the extras that it includes among it."""
    asked = [Requirement(text) for text in PROJECT["optional-dependencies"][extra]]
    inner = [name for one in asked if one.name == PROJECT["name"] for name in sorted(one.extras)]
    return [*(one for one in asked if one.name != PROJECT["name"]), *(one for name in inner for one in wanted(name))]


DIRECT = [*(Requirement(text) for text in PROJECT["dependencies"]), *wanted("dev"), *wanted("release")]


def pins() -> dict[str, list[tuple[Requirement, int]]]:
    """Return what the lock file names of each package, each entry with the number of its digests."""
    found = defaultdict(list)
    for entry in re.split(r"\n(?=[a-z])", LOCKED):
        if "==" in entry.split("\n")[0]:
            pinned = Requirement(entry.split(" \\\n")[0])
            found[canonicalize_name(pinned.name)].append((pinned, entry.count("--hash=sha256:")))
    return found


PINS = pins()
#: The Pythons that the classifiers name, on the system of CI.
PYTHONS = [text.split(" :: ")[-1] for text in PROJECT["classifiers"] if re.search(r":: Python :: 3\.\d", text)]


def holds(one: Requirement, python: str) -> bool:
    """Return whether a line is meant for a Python, on Linux."""
    system = {"sys_platform": "linux", "platform_machine": "x86_64", "platform_system": "Linux", "os_name": "posix"}
    running = {"implementation_name": "cpython", "platform_python_implementation": "CPython"}
    versions = {"python_version": python, "python_full_version": f"{python}.4", "extra": ""}
    return one.marker is None or one.marker.evaluate({**system, **running, **versions})


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("one", DIRECT, ids=str)
def test_what_developers_install_is_locked_to_a_version_that_is_allowed(one: Requirement, python: str) -> None:
    if not holds(one, python):
        return
    (found,) = [pinned for pinned, _ in PINS[canonicalize_name(one.name)] if holds(pinned, python)]
    (version,) = found.specifier
    assert (version.operator, one.specifier.contains(version.version)) == ("==", True)


@pytest.mark.parametrize("python", PYTHONS)
def test_no_package_is_locked_twice_for_a_python(python: str) -> None:
    of = {name: [pinned for pinned, _ in entries if holds(pinned, python)] for name, entries in PINS.items()}
    assert {name: found for name, found in of.items() if len(found) > 1} == {}


def test_each_locked_package_has_digests_and_none_comes_from_an_address() -> None:
    assert len(PINS) > len({one.name for one in DIRECT})
    assert all(digests for entries in PINS.values() for _, digests in entries)
    assert "://" not in LOCKED


def test_ci_installs_what_is_locked_and_nothing_else() -> None:
    run, install = ((ROOT / ".ci" / name).read_text("utf-8") for name in ("run", "install"))
    assert "pip install" not in run
    assert ".ci/install" in run
    lines = [line for line in install.splitlines() if "-m pip install" in line]
    assert len(lines) == 2
    assert "--require-hashes -r .ci/locked.txt" in lines[0]
    assert "--no-deps --no-build-isolation --no-index -e ." in lines[1]


def test_the_versions_that_are_needed_at_least_are_said() -> None:
    for text in PROJECT["dependencies"]:
        assert [bound.operator for bound in Requirement(text).specifier] == [">="]


def test_what_builds_a_release_is_not_installed_with_the_oldest_packages() -> None:
    names = {one.name for one in wanted("test")}  # CONTRIBUTING.md: lowest-direct
    assert "pytest" in names
    assert "hatchling" not in names  # it wants packaging 24.2


@pytest.mark.parametrize("form", ["wheel", "sdist"])
def test_two_builds_have_the_same_bytes(form: str, tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    one, two = (built(form, tmp_path / name, age) for name, age in (("a", 0), ("another folder", 10**6)))
    assert one == two


def built(form: str, folder: Path, age: int) -> bytes:
    """Build from a copy of the sources whose files are `age` seconds older than the day of the release."""
    for part in PARTS:
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, folder / part)
    for path in folder.rglob("*"):
        os.utime(path, (DAY - age, DAY - age))
    command = [sys.executable, "-m", "hatchling", "build", "-t", form, "-d", str(folder / "made")]
    environ = {**os.environ, "SOURCE_DATE_EPOCH": str(DAY)}
    subprocess.run(command, cwd=folder, env=environ, check=True, capture_output=True)
    (made,) = (folder / "made").iterdir()
    return made.read_bytes()
