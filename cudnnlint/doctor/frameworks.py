"""What the installed frameworks report, each in a process of its own: a broken one cannot harm the doctor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.doctor.findings import Line, note, ok, problem
from cudnnlint.doctor.wheels import INSTALL
from cudnnlint.machine.gpus import Machine
from cudnnlint.probe.parent import Host, Lost, one_answer
from cudnnlint.rulebook.machine_table import machine_table


def about(host: Host, name: str) -> dict[str, Any]:
    """Return what one framework reports; {"error": sentence} where it does not start."""
    try:
        messages = one_answer(host, {"kind": "about", "package": name})
    except Lost as lost:
        return {"error": f"the process that imports it {lost}"}
    return messages[0] if messages else {"error": "it gave no answer"}


def loaded(host: Host, paths: list[str]) -> list[dict[str, Any]]:
    """Return which libraries load, each {"path", "error", "version"}; a library that crashes ends the list."""
    answers: list[dict[str, Any]] = []
    for path in paths:
        try:
            answers += one_answer(host, {"kind": "libraries", "paths": [path]})
        except Lost as lost:
            answers.append({"path": path, "error": f"the process that loads it {lost}", "version": None})
    return answers


def lines(name: str, release: str, found: Mapping[str, Any], machine: Machine, needed: bool) -> list[Line]:
    """Return the findings on one framework; `needed` is False where Keras runs on another one."""
    lines = _lines(name, release, found, machine)
    return lines if needed else [replace(line, state="note") if line.state == "problem" else line for line in lines]


def _lines(name: str, release: str, found: Mapping[str, Any], machine: Machine) -> list[Line]:
    if found.get("error"):
        return [problem(name, f"{release} cannot be imported: {found['error']}", f"Reinstall it: {INSTALL[name]}.")]
    built = _built(found)
    if found.get("rocm"):
        return [
            note(
                name,
                f"{release} is built for AMD ROCm: it uses MIOpen instead of cuDNN, with other conditions",
            )
        ]
    if not found.get("cuda"):
        return [_without_cuda(name, release, machine.system)]
    if _too_old(machine.cuda, found):
        text = f"{release}{built}, but the driver only supports CUDA up to {machine.cuda}"
        return [problem(name, text, "Update the NVIDIA driver.")]
    if found.get("gpus"):
        return [ok(name, f"{release}{built}; it finds {', '.join(found['gpus'])}")]
    if not machine.gpus:
        return [note(name, f"{release}{built}; it finds no GPU, because this machine has none")]
    text = f"{release}{built}; it finds no GPU, although the driver does"
    return [problem(name, text, "Check the lines about libraries and CUDA_VISIBLE_DEVICES.")]


def _without_cuda(name: str, release: str, system: str) -> Line:
    """Return the finding on a framework for CPUs, and what to install in its place on this system."""
    text = f"{release} is built without CUDA"
    table = machine_table()
    if system == "darwin":
        return problem(name, f"{text}, as every build for macOS", table.macos)
    if system == "win32" and name == "tensorflow":
        return problem(name, text, table.windows)
    return problem(name, text, f"Run {INSTALL[name]}.")


def _too_old(driver: str | None, found: Mapping[str, Any]) -> bool:
    """Return whether the driver's CUDA has an older major release than the framework's; minor releases mix."""
    built = str((found.get("built") or {}).get("cuda_version") or "")
    majors = [text.split(".")[0] for text in (driver or "", built)]
    return all(major.isdigit() for major in majors) and int(majors[0]) < int(majors[1])


def _built(found: Mapping[str, Any]) -> str:
    built = found.get("built") or {}
    names = (("CUDA", "cuda_version"), ("cuDNN", "cudnn_version"))
    parts = [f"{name} {built[key]}" for name, key in names if built.get(key)]
    return f", built for {' and '.join(parts)}" if parts else ""
