"""What the installed frameworks say of themselves, in a process of their own: a broken one cannot harm the doctor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cudnnlint.doctor.findings import Line, note, ok, problem
from cudnnlint.doctor.wheels import INSTALL
from cudnnlint.machine.gpus import Machine
from cudnnlint.probe.parent import Host, Lost, one_answer


def about(host: Host, name: str) -> dict[str, Any]:
    """What one framework says; {"error": sentence} where it does not start."""
    try:
        messages = one_answer(host, {"kind": "about", "package": name})
    except Lost as lost:
        return {"error": f"the process that imports it {lost}"}
    return messages[0] if messages else {"error": "it said nothing"}


def loaded(host: Host, paths: list[str]) -> list[dict[str, Any]]:
    """Which libraries load, each {"path", "error", "version"}; a library that crashes ends the list."""
    answers: list[dict[str, Any]] = []
    for path in paths:
        try:
            answers += one_answer(host, {"kind": "libraries", "paths": [path]})
        except Lost as lost:
            answers.append({"path": path, "error": f"the process that loads it {lost}", "version": None})
    return answers


def lines(name: str, release: str, found: Mapping[str, Any], machine: Machine, needed: bool) -> list[Line]:
    """What one framework's answer means; `needed` is False where Keras runs on another one."""
    told = _lines(name, release, found, machine)
    return told if needed else [replace(line, state="note") if line.state == "problem" else line for line in told]


def _lines(name: str, release: str, found: Mapping[str, Any], machine: Machine) -> list[Line]:
    if found.get("error"):
        return [problem(name, f"{release} cannot be imported: {found['error']}", f"Repair it: {INSTALL[name]}.")]
    built = _built(found)
    if found.get("rocm"):
        return [note(name, f"{release} is built for AMD's ROCm: MIOpen takes cuDNN's place, with rules of its own")]
    if not found.get("cuda"):
        windows = " On Windows it takes WSL from 2.11 on." if name == "tensorflow" else ""
        return [problem(name, f"{release} has no CUDA in it", f"{INSTALL[name]}.{windows}")]
    if _too_old(machine.cuda, found):
        text = f"{release}{built}, but the driver serves CUDA only up to {machine.cuda}"
        return [problem(name, text, "Update NVIDIA's driver.")]
    if found.get("gpus"):
        return [ok(name, f"{release}{built}; it sees {', '.join(found['gpus'])}")]
    if not machine.gpus:
        return [note(name, f"{release}{built}; it sees no GPU, as this machine shows none")]
    text = f"{release}{built}; it sees no GPU, although the driver does"
    return [problem(name, text, "See the lines on libraries and on CUDA_VISIBLE_DEVICES.")]


def _too_old(driver: str | None, found: Mapping[str, Any]) -> bool:
    """Does the driver serve an older generation of CUDA than the framework was built for? (Minor releases mix.)"""
    built = str((found.get("built") or {}).get("cuda_version") or "")
    majors = [text.split(".")[0] for text in (driver or "", built)]
    return all(major.isdigit() for major in majors) and int(majors[0]) < int(majors[1])


def _built(found: Mapping[str, Any]) -> str:
    built = found.get("built") or {}
    names = (("CUDA", "cuda_version"), ("cuDNN", "cudnn_version"))
    parts = [f"{name} {built[key]}" for name, key in names if built.get(key)]
    return f", built for {' and '.join(parts)}" if parts else ""
