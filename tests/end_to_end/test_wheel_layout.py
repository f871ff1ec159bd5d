"""In a wheel the rules are inside the package; a checkout and an editable install have them beside it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cudnnlint

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(cudnnlint.__file__).resolve().parents[1]
LOG = "Layer lstm will not use cuDNN kernels since it doesn't meet the criteria.\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds what pyproject.toml puts into a wheel, where it puts it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    folder = tmp_path_factory.mktemp("site")
    places = {**{name: name for name in wheel["packages"]}, **wheel["force-include"]}
    for source, destination in places.items():
        shutil.copytree(ROOT / source, folder / destination, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_a_wheel_says_that_it_has_types(site: Path) -> None:
    assert (site / "cudnnlint" / "py.typed").is_file()


def command(site: Path, *args: str, given: str | None = None) -> str:
    """What the program of one site says; the folder that it is started in has no other cudnnlint."""
    done = subprocess.run(
        [sys.executable, "-m", "cudnnlint", *args],
        cwd=ROOT / "fixtures" / "demo",
        env={**os.environ, "PYTHONPATH": str(site)},
        input=given,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    "args",
    [("sentiment.keras", "train.py", "--target", "keras@3.15"), ("rules",), ("explain", "CDN103")],
    ids=["check", "rules", "explain"],
)
def test_a_wheel_says_what_a_checkout_says(site: Path, args: tuple[str, ...]) -> None:
    said = command(site, *args)
    assert "CDN" in said
    assert said == command(ROOT, *args)


def test_a_wheel_explains_a_log_as_a_checkout_does(site: Path) -> None:
    said = command(site, "log", "-", given=LOG)
    assert "lstm" in said
    assert said == command(ROOT, "log", "-", given=LOG)


def test_a_wheel_has_every_file_that_is_read_at_run_time(site: Path) -> None:
    for name in ("rules/tables/routes.toml", "trainlog/phrases.toml", "dev/laws.toml", "schemas/report.schema.json"):
        assert (site / "cudnnlint" / name).is_file()
