"""The nvidia-* packages that are installed, compared with those that each framework requires. Imports none of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from packaging.markers import UndefinedEnvironmentName
from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import Version

from cudnnlint.doctor.findings import Line, note, ok, problem
from cudnnlint.rulebook.machine_table import machine_table

#: How each framework names the extra that brings its CUDA packages; None: it always asks for them.
EXTRAS: Mapping[str, str | None] = {
    "tensorflow": "and-cuda", "torch": None, "jax-cuda12-plugin": "with-cuda", "jax-cuda13-plugin": "with-cuda",
}  # fmt: skip
INSTALL = {
    "tensorflow": "pip install 'tensorflow[and-cuda]'",
    "torch": "the install command for CUDA on pytorch.org",
    "jax": "pip install 'jax[cuda12]'",
    "jax-cuda13-plugin": "pip install 'jax[cuda13]'",
}
#: The packages whose libraries run an RNN.
CALLED = ("cudnn", "cublas", "cuda-runtime", "cuda_runtime")
#: cuDNN first: it is what this is about. CUDA 12's packages have a folder each below nvidia/, CUDA 13's share one.
LIBRARIES = ("libcudnn.so.", "libcudart.so.", "libcublas.so.")


def wanted(framework: str, wants: Mapping[str, Sequence[str]]) -> Iterator[Requirement]:
    """Yield the nvidia packages that a framework requires on this platform."""
    extra = EXTRAS.get(framework)
    for text in wants.get(framework, ()):
        try:
            requirement = Requirement(text)
            applies = requirement.marker is None or requirement.marker.evaluate({"extra": extra or ""})
        except (InvalidRequirement, UndefinedEnvironmentName):
            continue
        if applies:
            yield requirement


def lines(
    framework: str, packages: Mapping[str, str], wants: Mapping[str, Sequence[str]], needed: bool, works: bool
) -> list[Line]:
    """Return the findings on the packages for one framework.

    `needed` is False where Keras runs on another one; `works`: the framework finds the GPU, so that only what an RNN
    calls can be a problem.
    """
    asked = list(wanted(framework, wants))
    if not asked:
        return []
    name = framework.split("-")[0]
    subject, install = f"packages for {name}", INSTALL.get(framework) or INSTALL[name]
    found = {requirement.name: packages.get(requirement.name.replace("_", "-").lower()) for requirement in asked}
    if not any(found.values()):
        text = (
            f"none of the {len(asked)} required nvidia packages is installed: {name} will look for CUDA on the system"
        )
        return [note(subject, text, f"Run {install} to install them.")]
    wrong = [
        f"{requirement.name} {found[requirement.name] or 'is missing'} (required: {requirement.specifier or 'any'})"
        for requirement in asked
        if not found[requirement.name] or not requirement.specifier.contains(str(found[requirement.name]), True)
    ]
    if not wrong:
        return [ok(subject, f"all {len(asked)} required nvidia packages are installed")]
    called = any(name in text for text in wrong for name in CALLED)
    line = problem if needed and (called or not works) else note
    return [line(subject, "; ".join(wrong), f"Run {install} to install them.")]


def libraries(paths: Sequence[str], built: Mapping[str, str]) -> list[str]:
    """Return the libraries to try: the packages' own files, else the names that a framework will load."""
    found = []
    for start in LIBRARIES:
        major = built.get("cudnn_version" if "cudnn" in start else "cuda_version", "").split(".")[0]
        wanted = major if len(major) < 3 else ""  # torch counts cuDNN's releases as 91900
        files = [file for path in paths for file in sorted((Path(path) / "nvidia").glob(f"*/lib/{start}{wanted}*"))]
        found.append(str(files[0]) if files else start + (wanted or ("9" if "cudnn" in start else "12")))
    return found


def cudnn_text(version: int) -> str:
    """cuDNN's release as people write it: 8907 is 8.9.7, 90300 is 9.3.0."""
    unit = 10_000 if version >= 10_000 else 1_000
    return f"{version // unit}.{version % unit // 100}.{version % 100}"


def about_library(path: str, error: str | None, version: int | None) -> Line:
    """Return the finding on one library that was loaded."""
    name = Path(path).name
    if error is not None:
        return problem(
            name,
            f"cannot be loaded: {error}",
            "Install the nvidia packages, or put the library where the loader finds it.",
        )
    if version is None:
        return ok(name, "can be loaded")
    table = machine_table()
    if Version(cudnn_text(version)) in table.broken_cudnn:
        return problem(name, f"cuDNN {cudnn_text(version)}, {table.broken_finding}", table.broken_advice, "CDN604")
    return ok(name, f"can be loaded; cuDNN {cudnn_text(version)}")
