"""What fits together, and what does not: numpy, plugins, GPUs newer than the build, cuDNN older than the build."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from packaging.markers import UndefinedEnvironmentName
from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion, Version

from cudnnlint.doctor.findings import Line, note, problem
from cudnnlint.doctor.wheels import cudnn_text
from cudnnlint.machine.gpus import Machine
from cudnnlint.rulebook.machine_table import machine_table

NEWER = "Upgrade it to a release that is built for this GPU."
COMPILED = re.compile(r"(sm|compute)_(\d+)(\d)[af]?")  # "sm_80" is machine code, "compute_90" is compiled when used


def numpy_lines(packages: Mapping[str, str], needs: Mapping[str, Sequence[str]]) -> Iterator[Line]:
    """Yield a problem for each framework that asks for another numpy than the installed one."""
    installed = packages.get("numpy")
    for framework, texts in needs.items():
        for text in texts if installed else ():
            try:
                wanted = Requirement(text)
                applies = wanted.marker is None or wanted.marker.evaluate({"extra": ""})
                fits = wanted.specifier.contains(str(installed), True)
            except (InvalidRequirement, InvalidVersion, UndefinedEnvironmentName):
                continue
            if applies and not fits:
                found = f"{installed}, but {framework} {packages.get(framework, '')} requires {wanted.specifier}"
                do = f"Run pip install '{wanted}' (with another numpy, layers fail to build or the import fails)."
                yield problem("numpy", found, do)


def plugin_lines(packages: Mapping[str, str]) -> Iterator[Line]:
    """Yield a note for each installed package that brings another kind of GPU."""
    for plugin in machine_table().plugins:
        if plugin.name in packages:
            found = f"{packages[plugin.name]} is installed. {plugin.effect}"
            yield note(plugin.name, found, plugin.advice, plugin.code)


def tf32_lines(machine: Machine, framework: str) -> Iterator[Line]:
    """Yield a note where float32 products are shortened, which is what most differences to a CPU come from."""
    table = machine_table()
    shortens = any(gpu.capability and Version(gpu.capability) >= table.tf32 for gpu in machine.gpus)
    if shortens and framework == "tensorflow":
        yield note("TF32", table.tf32_finding, table.tf32_advice)


def newer_gpu(name: str, found: Mapping[str, Any], machine: Machine) -> Iterator[Line]:
    """Yield what a GPU that is newer than the framework's build means."""
    built = [COMPILED.fullmatch(text) for text in found.get("capabilities") or ()]
    known = [(match[1], (int(match[2]), int(match[3]))) for match in built if match]
    for gpu in machine.gpus if known else ():
        major, _, minor = (gpu.capability or "").partition(".")
        if not (major.isdigit() and minor.isdigit()):
            continue
        own = (int(major), int(minor))
        if any(kind == "sm" and code[0] == own[0] and code <= own for kind, code in known):
            continue
        if ("compute", own) in known:  # as TensorFlow 2.21 for an H200, which compiles what it needs in seconds
            continue
        text = f"{gpu.name} has compute capability {gpu.capability}, for which this build has no machine code"
        if any(kind == "compute" and code <= own for kind, code in known):
            yield note(name, f"{text}: it is compiled at the first use, which can take half an hour", NEWER)
        else:
            yield problem(name, text, NEWER)


def older_cudnn(built: Mapping[str, str], answers: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    """Yield a problem where the cuDNN that loads is older than the one that the framework was built for."""
    wanted = re.findall(r"\d+", built.get("cudnn_version", ""))
    for answer in answers:
        if answer.get("version") is None or not wanted or len(wanted[0]) > 2:
            continue
        loaded = cudnn_text(answer["version"])
        own = tuple(int(part) for part in wanted[:2])
        there = tuple(int(part) for part in loaded.split("."))[: len(own)]
        if there < own or there[0] != own[0]:
            text = f"cuDNN {loaded} loads, but the framework was built for {built['cudnn_version']}"
            yield problem("cuDNN", text, "Install the cuDNN that the framework requires; see the lines on packages.")
