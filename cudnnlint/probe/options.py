"""Choose the framework that the probe runs: what an interpreter has installed, and what the user requested."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from cudnnlint.core.errors import UsageError
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.target import BACKENDS, FRAMEWORKS, is_keras_3
from cudnnlint.machine import keras_settings
from cudnnlint.machine.installed import frameworks_in
from cudnnlint.probe.parent import TIMEOUT, Host, Lost, one_answer

INSTALL = "Run pip install 'cudnnlint[probe]', or name a Python that has it with --python"
ELSEWHERE = "Install it there, or name a Python that has it with --python"
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "2", "TF_FORCE_GPU_ALLOW_GROWTH": "true", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}


@dataclass(frozen=True)
class Options:
    """What the user requested. `framework` and `backend` None: what a program would get here.

    `jobs`: how many processes ask at once in a conformance run. `repeats` 0: nothing is timed.
    """

    dry_run: bool = False
    python: str = sys.executable
    framework: str | None = None
    backend: str | None = None
    input_shape: tuple[int, ...] = ()
    batch_size: int | None = None
    timeout: float = TIMEOUT
    repeats: int = 10
    jobs: int = 1
    require_gpu: bool = False


@dataclass(frozen=True)
class Installed:
    """The framework that runs. `text` is how `--target` takes it."""

    framework: str
    backend: str
    packages: Mapping[str, str]

    @property
    def text(self) -> str:
        """The framework as `--target` takes it."""
        release = _release(self.packages, self.framework) or ""
        if self.framework != "keras" or not is_keras_3(release):
            return f"{self.framework}@{release}"
        beneath = _release(self.packages, "tensorflow")
        return f"keras@{release}:{self.backend}" + (f"@{beneath}" if self.backend == "tensorflow" else "")


def _release(packages: Mapping[str, str], framework: str) -> str | None:
    """Return the framework's release, None where it is not installed; TensorFlow has packages of several names."""
    found = packages.get(framework.replace("_", "-")) or frameworks_in(packages).get(framework)
    return found.split(" ")[0] if found else None


def find(options: Options, environment: Mapping[str, str] | None = None, host: Host | None = None) -> Installed:
    """Return what is installed for the interpreter in the options.

    Raises UsageError where the framework or the backend is missing.
    """
    environment = os.environ if environment is None else environment
    try:
        answers = one_answer(host or Host(options.python, timeout=options.timeout), {"kind": "installed"})
        packages: dict[str, str] = answers[0]["packages"]
    except (Lost, LookupError) as lost:
        raise UsageError(f"The probe process {lost}.") from lost
    framework = options.framework or _framework(packages, environment)
    if _release(packages, framework) is None:
        raise UsageError(f"{framework} is not installed for {options.python}. {INSTALL}.")
    backend = _backend(framework, packages, options, environment)
    if backend not in frameworks_in(packages):
        raise UsageError(f"The backend {backend} is not installed for {options.python}. {ELSEWHERE}.")
    return Installed(framework, backend, packages)


def _framework(packages: Mapping[str, str], environment: Mapping[str, str]) -> str:
    if keras_settings.legacy(environment) and "tf-keras" in packages:
        return "tf_keras"
    found = [name for name in FRAMEWORKS if _release(packages, name)]
    if not found:
        raise UsageError(f"Keras is not installed. {INSTALL}.")
    return found[0]


def _backend(framework: str, packages: Mapping[str, str], options: Options, environment: Mapping[str, str]) -> str:
    keras_3 = framework == "keras" and is_keras_3(packages["keras"])
    if not keras_3:
        if options.backend not in (None, "tensorflow"):
            raise UsageError(f"{framework} runs on TensorFlow only.")
        return "tensorflow"
    if options.backend is not None:
        return options.backend
    named, _ = keras_settings.backend(environment)
    present = [name for name in BACKENDS if name in frameworks_in(packages)]
    said = "KERAS_BACKEND" in environment
    return named if named in present or said or not present else present[0]


def host(options: Options, installed: Installed) -> Host:
    """Return the child's interpreter and environment; a dry run must not touch a GPU."""
    environment = {
        **QUIET,
        "KERAS_BACKEND": installed.backend,
        "TF_USE_LEGACY_KERAS": "1" if installed.framework == "tf_keras" else "0",
    }
    if options.dry_run:
        environment |= {"CUDA_VISIBLE_DEVICES": "-1", "JAX_PLATFORMS": "cpu"}
    return Host(options.python, environment, options.timeout)
