"""Environments that each hold one release of Keras, found in a folder and made there where they are missing.

A Keras 3 or tf_keras is its wheel alone, laid before one environment for each backend; TensorFlow's own Keras and
Keras 2 are an environment of their own. An environment that is there already is taken as it is.

    STORE/tensorflow, STORE/jax, STORE/torch     newest backends
    STORE/keras-3.4.1, STORE/tf_keras-2.18.0     a wheel, nothing else
    STORE/tensorflow-2.12.1                      an old TensorFlow, with the Keras of its minor
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.version import Version

#: The Python that an old TensorFlow runs on, up to and without the TensorFlow named.
PYTHONS = (("2.2", "3.7"), ("2.14", "3.8"), ("3", "3.11"))
#: What an old TensorFlow does not stand, and the first TensorFlow that does.
TOO_NEW = (("numpy<1.20", "2.5"), ("numpy<1.24", "2.12"), ("h5py<3", "2.4"), ("protobuf<3.21", "2.12"))
#: From here on `tf.keras` is a package of its own, which pip must be told to keep to the minor.
PACKAGED = Version("2.6")
#: From here on there is a TensorFlow without what a GPU needs.
SLIM = Version("2.1")
BACKENDS = {"tensorflow": ["tensorflow-cpu"], "jax": ["jax"], "torch": ["torch"]}
#: A tf_keras before this one wants the TensorFlow of its own number.
TAKES_NEWER = Version("2.16")
FIRST_KERAS_3 = Version("3.0.0")
#: What TensorFlow 1 and standalone Keras need beside them, and the last Python that they run on.
OLD_BESIDES, OLDEST = ["numpy<1.19", "h5py<3", "protobuf<3.21", "pyyaml", "scipy"], "3.7"
#: What early releases of Keras 3 import and later ones do not, and the first that does not.
BESIDES, WITHOUT_BESIDES = ["dm-tree", "attrs", "wrapt"], Version("3.2.0")


class Missing(Exception):
    """An environment that can not be made; the text says why."""


@dataclass(frozen=True)
class Environment:
    """A Python, what is laid before its own packages, the backend that Keras 3 is told to use, and whether
    `tf.keras` is to be tf_keras."""

    python: Path
    overlay: Path | None = None
    backend: str = "tensorflow"
    legacy: bool = False

    def variables(self) -> dict[str, str]:
        """The process's environment variables."""
        own = {"KERAS_BACKEND": self.backend, "CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"}
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
        own |= {"PYTHONPATH": str(self.overlay)} if self.overlay else {}
        return {**kept, **own, **({"TF_USE_LEGACY_KERAS": "1"} if self.legacy else {})}


def provide(store: Path, framework: str, release: str, backend: str, pythons: Mapping[str, str]) -> Environment:
    """The environment for one release, made if it is not there.

    `pythons` maps a Python's minor to an interpreter. Raises Missing where pip or the interpreter fails.
    """
    if framework == "tensorflow" or (framework == "keras" and Version(release) < FIRST_KERAS_3):
        return Environment(_old(store, release, pythons))
    if framework == "tf_keras" and Version(release) < TAKES_NEWER:
        return Environment(_old(store, release, pythons), _wheel(store, framework, release), legacy=True)
    beneath = _environment(store / backend, Path(sys.executable), [*BACKENDS[backend], "keras", "numpy", "h5py"])
    return Environment(beneath, _wheel(store, framework, release), backend, framework == "tf_keras")


def old_keras(
    store: Path, framework: str, release: str, tensorflow: str, pythons: Mapping[str, str]
) -> Environment:
    """A TensorFlow 1, with a standalone Keras laid before it. Raises Missing as `provide` does."""
    wanted = [f"tensorflow=={tensorflow}", *OLD_BESIDES]
    beneath = _environment(store / f"tensorflow-{tensorflow}", _interpreter(OLDEST, pythons), wanted)
    if framework != "keras":
        return Environment(beneath, None)
    folder = store / f"keras-{release}"
    if not folder.exists():
        _pip(beneath, "--no-deps", "--target", str(folder), f"keras=={release}", undo=folder)
    return Environment(beneath, folder)


def _wheel(store: Path, package: str, release: str) -> Path:
    """A wheel's content, without what it depends on."""
    folder = store / f"{package}-{release}"
    if not folder.exists():
        besides = BESIDES if package == "keras" and Version(release) < WITHOUT_BESIDES else []
        wanted = [f"{package}=={release}", *besides]
        _pip(Path(sys.executable), "--no-deps", "--target", str(folder), *wanted, undo=folder)
    return folder


def _old(store: Path, release: str, pythons: Mapping[str, str]) -> Path:
    """An old TensorFlow with the Keras that belongs to it."""
    version = Version(release)
    package = "tensorflow-cpu" if version >= SLIM else "tensorflow"
    wanted = [f"{package}=={release}", *(pin for pin, until in TOO_NEW if version < Version(until))]
    wanted += [f"keras=={version.major}.{version.minor}.*"] if version >= PACKAGED else []
    minor = next(python for until, python in PYTHONS if version < Version(until))
    return _environment(store / f"tensorflow-{release}", _interpreter(minor, pythons), wanted)


def _interpreter(minor: str, pythons: Mapping[str, str]) -> Path:
    """A Python of this minor that runs: the one given, the one on the path (it may be a shim), or one of pyenv's."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    others = map(str, sorted(root.glob(f"versions/{minor}.*/bin/python"), reverse=True))
    for name in filter(None, [pythons.get(minor), shutil.which(f"python{minor}"), *others]):
        if subprocess.run([name, "-c", ""], capture_output=True, check=False).returncode == 0:
            return Path(name)
    raise Missing(f"Python {minor} is not installed; name one with --python {minor}=PATH")


def _environment(folder: Path, interpreter: Path, wanted: list[str]) -> Path:
    """A virtual environment's Python."""
    python = folder / "bin" / "python"
    if not python.exists():
        _run([str(interpreter), "-m", "venv", str(folder)])
        _pip(python, "--upgrade", "pip", "setuptools<80", "wheel", undo=folder)
        _pip(python, *wanted, undo=folder)
    return python


def _pip(python: Path, *arguments: str, undo: Path) -> None:
    """Install; a folder that came out half done is taken away again."""
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments]
    try:
        _run(command)
    except Missing:
        shutil.rmtree(undo, ignore_errors=True)
        raise


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Missing(f"{' '.join(command[1:5])} ... failed: {last}")
