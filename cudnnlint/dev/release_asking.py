"""Asks a release: the package index, the wheel's constructors, and real Keras; each is a program of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.version import Version

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.target import BACKENDS
from cudnnlint.targets.releases import KERAS_3, PACKAGED, TENSORFLOW_WITH_KERAS_3

Json = dict[str, Any]
#: What the packages are called on the index.
WHEELS = {"keras": "keras", "tf_keras": "tf-keras", "tensorflow": "tensorflow"}


class Unasked(Exception):
    """Why a release cannot be asked; a sentence."""


@dataclass(frozen=True)
class NewRelease:
    """One release, where the rulebook is, and the backends on which a Keras 3 is asked."""

    framework: str
    version: Version
    root: Path
    backends: tuple[str, ...] = BACKENDS

    def __str__(self) -> str:
        return f"{self.framework} {self.version}"

    @property
    def tables(self) -> Path:
        """The folder of the tables."""
        return self.root / "rules" / "tables"

    @property
    def evidence(self) -> Path:
        """The folder of the recorded answers."""
        return self.root / "fixtures" / "evidence"

    def targets(self) -> list[str]:
        """Return the targets that the oracle is asked for; none for a TensorFlow whose Keras is another package's."""
        if self.framework == "keras" and self.version >= KERAS_3:
            return [f"keras@{self.version}:{backend}" for backend in self.backends]
        if self.framework == "tensorflow" and self.version >= TENSORFLOW_WITH_KERAS_3:
            return []
        return [f"{self.framework}@{self.version}"]


def index_says(asked: NewRelease) -> list[Requirement]:
    """Ask the package index for a release; return what it requires. Raises Unasked where it is not there."""
    wanted = f"{WHEELS[asked.framework]}=={asked.version}"
    done = _pip("install", "--dry-run", "--no-deps", "--ignore-installed", "--report", "-", wanted)
    if "No module named pip" in done.stderr:
        raise Unasked(f"{sys.executable} has no pip, which asks the package index.")
    if done.returncode:
        raise Unasked(f"{asked} is not on the package index, or not for this Python.")
    (found,) = json.loads(done.stdout)["install"]
    return [Requirement(text) for text in found["metadata"].get("requires_dist", [])]


def signatures(asked: NewRelease, folder: Path) -> Json | None:
    """Return what the constructors of the release take; None where its wheel holds no Keras."""
    if asked.framework == "tensorflow" and asked.version >= PACKAGED:
        return None
    wanted = f"{WHEELS[asked.framework]}=={asked.version}"
    if _pip("download", "--no-deps", "--only-binary=:all:", "--dest", str(folder), wanted).returncode:
        raise Unasked(f"The wheel of {asked} cannot be fetched.")
    done = own(asked, str(asked.root / "tests/rulebook/signatures.py"), str(folder))
    if done.returncode:
        raise Unasked(f"The wheel of {asked} cannot be read: {_last(done.stderr)}.")
    read = json.loads(done.stdout)
    (classes,) = read["releases"].values()
    return {name: read["signatures"][number] for name, number in classes.items()}


def oracle(asked: NewRelease, evidence: Path, store: str | None = None, work: str | None = None) -> list[str]:
    """Ask real Keras, write its records into `evidence`, and return the layers that it decides otherwise.

    `store` and `work` are the folders in which the oracle keeps environments and answers; None: its own.
    """
    if not asked.targets():
        return []
    command = ["--only", ",".join(asked.targets()), "--forms", "script,keras,h5", "--evidence", str(evidence)]
    for name, folder in (("--store", store), ("--work", work)):
        command += [name, folder] if folder else []
    done = own(asked, str(asked.root / "tests/oracle/releases.py"), *command)
    if done.returncode not in (0, 1):
        raise Unasked(f"{asked} could not be asked: {_last(done.stdout) or _last(done.stderr)}.")
    return [line.strip() for line in done.stdout.splitlines() if line.startswith("    ")]


def own(asked: NewRelease, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the code beside the rulebook."""
    paths = os.pathsep.join(path for path in (str(asked.root), os.environ.get("PYTHONPATH", "")) if path)
    return _run([sys.executable, *arguments], {**os.environ, "PYTHONPATH": paths})


def _pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    return _run([sys.executable, "-m", "pip", arguments[0], "--quiet", "--disable-pip-version-check", *arguments[1:]])


def _run(command: list[str], environ: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environ)


def _last(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1].rstrip(".")
