"""`cudnnlint doctor`: whether this machine can run cuDNN RNN kernels, and what is missing. Prints nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from cudnnlint.core.target import is_keras_3
from cudnnlint.core.text import plural
from cudnnlint.doctor import compatibility, frameworks, variables, wheels
from cudnnlint.doctor.findings import Line, as_data, as_text, healthy, note, ok, problem
from cudnnlint.machine import keras_settings
from cudnnlint.machine.gpus import Machine, Sources, look
from cudnnlint.machine.installed import BACKEND_FRAMEWORKS, frameworks_in
from cudnnlint.probe.parent import Host, Lost, one_answer


def run(
    output_format: str = "text",
    host: Host | None = None,
    sources: Sources | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[str, int]:
    """Return the findings as text or json, and the exit status: 0 without, 1 with a problem."""
    machine = look(sources)
    lines = examine(host or Host(), machine, os.environ if environment is None else environment)
    status = 0 if healthy(lines) else 1
    if output_format == "json":
        return json.dumps(as_data(lines, machine.as_data()), indent=2), status
    return as_text(lines), status


def examine(host: Host, machine: Machine, environment: Mapping[str, str]) -> list[Line]:
    """Every finding, from the GPU upwards."""
    lines = about_machine(machine)
    try:
        installed = one_answer(host, {"kind": "installed"})[0]
    except (Lost, IndexError) as lost:
        return [*lines, problem("Python", f"{host.python}: the process {lost}", "Name another Python with --python.")]
    packages: dict[str, str] = installed["packages"]
    lines.append(ok("Python", f"{installed['python']['version']} ({installed['python']['executable']})"))
    lines += variables.lines(environment, packages)
    lines += compatibility.numpy_lines(packages, installed.get("needs") or {})
    lines += compatibility.plugin_lines(packages)
    return lines + _frameworks(host, machine, environment, installed)


def _frameworks(
    host: Host, machine: Machine, environment: Mapping[str, str], installed: Mapping[str, Any]
) -> list[Line]:
    packages, wants = installed["packages"], installed["wants"]
    present = frameworks_in(packages)
    if not present:
        text = "TensorFlow, torch and JAX are all missing"
        return [problem("framework", text, f"Run {wheels.INSTALL['tensorflow']}.")]
    needed = needed_framework(packages, environment)
    lines: list[Line] = about_keras(packages)
    built: dict[str, str] = {}
    for name, release in present.items():
        found = frameworks.about(host, name)
        lines += frameworks.lines(name, release, found, machine, name == needed)
        lines += compatibility.newer_gpu(name, found, machine) if name == needed else ()
        built = dict(found.get("built") or {}) if name == needed else built
        if machine.nvidia:
            for package in (name, f"{name}-cuda12-plugin", f"{name}-cuda13-plugin"):
                lines += wheels.lines(package, packages, wants, name == needed, bool(found.get("gpus")))
    if needed not in present:
        lines.append(
            problem(needed, "not installed, but Keras uses it as its backend", f"Run {wheels.INSTALL[needed]}.")
        )
    lines += compatibility.tf32_lines(machine, needed)
    asked = machine.nvidia and needed in present
    return lines + (_libraries(host, installed["python"]["paths"], built) if asked else [])


def _libraries(host: Host, paths: list[str], built: Mapping[str, str]) -> list[Line]:
    """Return whether the libraries load; asked only where there is a GPU for them."""
    answers = frameworks.loaded(host, wheels.libraries(paths, built))
    lines = [wheels.about_library(answer["path"], answer["error"], answer["version"]) for answer in answers]
    return [*lines, *compatibility.older_cudnn(built, answers)]


def needed_framework(packages: Mapping[str, str], environment: Mapping[str, str]) -> str:
    """Return the framework that Keras runs on here."""
    named, _ = keras_settings.backend(environment)
    keras_3 = is_keras_3(packages.get("keras", "")) and not keras_settings.legacy(environment)
    return named if keras_3 and named in BACKEND_FRAMEWORKS else "tensorflow"


def about_keras(packages: Mapping[str, str]) -> list[Line]:
    """Return which Keras is installed."""
    names = {"keras": packages.get("keras"), "tf_keras": packages.get("tf-keras")}
    found = [f"{name} {release}" for name, release in names.items() if release]
    return [ok("Keras", ", ".join(found))] if found else []


def about_machine(machine: Machine) -> list[Line]:
    """Return the findings on the GPU and the driver."""
    if machine.gpus:
        lines = [ok("GPU", _gpu_text(machine))]
        cuda = f", supports CUDA up to {machine.cuda}" if machine.cuda else ""
        return [*lines, ok("driver", f"{machine.driver or 'unknown version'}{cuda} (read from {machine.how})")]
    if machine.trouble:
        return [
            problem(
                "GPU", machine.trouble, "In a container, use docker run --gpus all with the NVIDIA Container Toolkit."
            )
        ]
    if machine.asleep:
        text = f"found {plural(machine.asleep, 'NVIDIA GPU')}, but no driver responds"
        return [problem("GPU", text, "Install the NVIDIA driver, or load it (modprobe nvidia). Then check nvidia-smi.")]
    lines = [problem("GPU", "this machine has no NVIDIA GPU, so nothing can run in cuDNN", "Use a machine with one.")]
    if machine.other:
        text = (
            "found a GPU that is not from NVIDIA: with Keras 3 on TensorFlow, an LSTM or GRU stops with an error there"
        )
        lines.append(note("other GPU", text, "Set use_cudnn=False on these layers.", "CDN405"))
    return lines


def _gpu_text(machine: Machine) -> str:
    return "; ".join(
        ", ".join(
            part
            for part in (
                gpu.name,
                f"{gpu.memory_mib / 1024:.0f} GiB" if gpu.memory_mib else "",
                f"compute capability {gpu.capability}" if gpu.capability else "",
            )
            if part
        )
        for gpu in machine.gpus
    )
