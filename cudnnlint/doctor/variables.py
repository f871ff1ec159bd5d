"""Environment variables and Keras's own file, as far as they change which route a recurrent layer takes."""

from __future__ import annotations

from collections.abc import Mapping

from cudnnlint.core.target import BACKENDS, is_keras_3
from cudnnlint.doctor.findings import Line, note, ok, problem
from cudnnlint.machine.keras_settings import backend, legacy
from cudnnlint.rulebook.machine_table import machine_table

HIDDEN = ("", "-1", "none", "void", "NoDevFiles")  # values that leave no device visible


def lines(environment: Mapping[str, str], packages: Mapping[str, str]) -> list[Line]:
    """Return the findings on settings."""
    return [*_keras(environment, packages), *_visibility(environment), *_switches(environment)]


def _keras(environment: Mapping[str, str], packages: Mapping[str, str]) -> list[Line]:
    name, by = backend(environment)
    found = []
    if is_keras_3(packages.get("keras", "")):
        if name not in BACKENDS:
            found.append(
                problem("backend", f"{name} (set by {by}) does not use cuDNN", "Use tensorflow, jax or torch.")
            )
        else:
            found.append(ok("backend", f"{name} (set by {by})"))
    if legacy(environment):
        if "tf-keras" in packages:
            found.append(note("TF_USE_LEGACY_KERAS", "tf.keras is tf_keras (Keras 2); `import keras` is not affected"))
        else:
            text = "set, but tf_keras is not installed"
            found.append(problem("TF_USE_LEGACY_KERAS", text, "Run pip install tf_keras, or unset it."))
    return found


def _visibility(environment: Mapping[str, str]) -> list[Line]:
    found = []
    for name in ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"):
        value = environment.get(name)
        if value is not None and value.strip() in HIDDEN:
            found.append(
                problem(name, f"{value!r} hides every GPU", "Unset it, or set it to a device number such as 0.")
            )
        elif value is not None and name.startswith("CUDA"):
            found.append(note(name, f"only {value} is visible"))
    for name in ("JAX_PLATFORMS", "JAX_PLATFORM_NAME"):
        if environment.get(name, "").split(",")[0] == "cpu":
            found.append(problem(name, "JAX is set to use the CPU", "Unset it, or set it to cuda."))
    return found


def _switches(environment: Mapping[str, str]) -> list[Line]:
    return [
        note(switch.name, switch.effect, switch.advice)
        for switch in machine_table().switches
        if environment.get(switch.name) and switch.contains in environment[switch.name].lower()
    ]
