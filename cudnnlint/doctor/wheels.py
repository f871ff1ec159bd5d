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
}
#: cuDNN first: it is what this is about. Folder below nvidia/ in site-packages, and the start of the library's name.
LIBRARIES = (("cudnn", "libcudnn.so."), ("cuda_runtime", "libcudart.so."), ("cublas", "libcublas.so."))


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


def lines(framework: str, packages: Mapping[str, str], wants: Mapping[str, Sequence[str]], needed: bool) -> list[Line]:
    """Return the findings on the packages for one framework; `needed` is False where Keras runs on another one."""
    asked = list(wanted(framework, wants))
    if not asked:
        return []
    name = framework.split("-")[0]
    subject = f"packages for {name}"
    found = {requirement.name: packages.get(requirement.name.replace("_", "-").lower()) for requirement in asked}
    if not any(found.values()):
        text = (
            f"none of the {len(asked)} required nvidia packages is installed: {name} will look for CUDA on the system"
        )
        return [note(subject, text, f"Run {INSTALL[name]} to install them.")]
    wrong = [
        f"{requirement.name} {found[requirement.name] or 'is missing'} (required: {requirement.specifier or 'any'})"
        for requirement in asked
        if not found[requirement.name] or not requirement.specifier.contains(str(found[requirement.name]), True)
    ]
    if not wrong:
        return [ok(subject, f"all {len(asked)} required nvidia packages are installed")]
    line = problem if needed else note
    return [line(subject, "; ".join(wrong), f"Run {INSTALL[name]} to install them.")]


def libraries(paths: Sequence[str], built: Mapping[str, str]) -> list[str]:
    """Return the libraries to try: the packages' own files, else the names that a framework will load."""
    found = []
    for folder, start in LIBRARIES:
        files = [file for path in paths for file in sorted((Path(path) / "nvidia" / folder / "lib").glob(f"{start}*"))]
        if files:
            found.append(str(files[0]))
        else:
            key = "cudnn_version" if folder == "cudnn" else "cuda_version"
            major = built.get(key, "").split(".")[0] or ("9" if folder == "cudnn" else "12")
            found.append(start + major)
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
