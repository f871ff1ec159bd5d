"""The variables by which Keras is switched, as the files beside a program set them: KERAS_BACKEND, TF_USE_LEGACY_KERAS.

Files that a program is started with decide (Dockerfile, compose file, .env, conda's environment, `export` in a
Makefile). What only tests and some commands are run with is evidence too, and leaves a doubt: other runs may be without
it. So does what is set in several ways. Read by their text, line by line; a variable of the same file counts with the
value that the file gives it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from cudnnlint.core.keras_packages import YES
from cudnnlint.core.layer import FileHints
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.regex import regex
from cudnnlint.core.target import Target
from cudnnlint.targets import lockfiles

#: Each variable, and what of a file's hints it decides.
VARIABLES = {"KERAS_BACKEND": "backend", "TF_USE_LEGACY_KERAS": "legacy_keras"}
#: Names of files that start programs, and of those that start tests, below the folder of a project.
_STARTS = regex(
    r"(?i)(docker/|\.devcontainer/)?(Dockerfile.*|.*\.dockerfile)|(docker-)?compose.*\.ya?ml|\.env|environment.*\.ya?ml"
)
_TESTS = regex(r"tox\.ini|pytest\.ini|setup\.cfg|pyproject\.toml|\.github/workflows/.*\.ya?ml")
_MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
_FOLDERS = ("", "docker/", ".devcontainer/", ".github/workflows/")
#: A variable where it is set, not where it is read (`$NAME`, `${NAME:-x}`, `env.NAME == 'x'`), and the value.
_SET = regex(
    rf"(?<![\w.$])(?<!\$\{{)({'|'.join(VARIABLES)})[\"']?"
    r"[ \t]*(?:[:?+]?=(?!=)|:)[ \t]*[\"']?(\$\{\{[^}]*\}\}|[^\s\"',;&|#]+)"
)
_ENV = regex(rf"[ \t]*ENV[ \t]+({'|'.join(VARIABLES)})[ \t]+")
_FIXED = regex(r"[\w.]+")
_NAMED = regex(r"\$[({]?(\w+)(?::?-([\w.]+))?[)}]?")


@dataclass(frozen=True)
class SetVariable:
    """What files set a variable to; `value` is None where that is not known, `says` a sentence. `certain`: no doubt."""

    value: str | None
    says: str
    certain: bool = True


@dataclass(frozen=True)
class _Line:
    source: str
    value: str  # "" where it is not known
    starts: bool


def near(folder: Path) -> dict[str, SetVariable]:
    """Return what decides the backend and the kind of `tf.keras`: the variables of this process, then of files.

    Of the folders from `folder` up to the repository's root the nearest counts that sets a variable.
    """
    found = {
        name: SetVariable(os.environ[variable], f"the variable {variable} is set to {os.environ[variable]} here")
        for variable, name in VARIABLES.items()
        if os.environ.get(variable)
    }
    for place in lockfiles.around(folder):
        found = {**_of_folder(place), **found}
    return found


def forget() -> None:
    """Forget what files said, which may change until the next run."""
    _of_folder.cache_clear()


def known(hints: FileHints, said: dict[str, SetVariable]) -> FileHints:
    """Return a file's hints, with what its project sets and it does not set itself."""
    given = {name: one.value for name, one in said.items() if one.value and name not in hints.because}
    if "backend" in given and hints.backend is None and not os.environ.get("KERAS_BACKEND"):
        hints = replace(hints, backend=given["backend"])  # what this process has is asked for elsewhere
    if "legacy_keras" in given and hints.legacy_keras is None:
        hints = replace(hints, legacy_keras=given["legacy_keras"] in YES)
    return hints


def explained(target: Target, own: FileHints, said: dict[str, SetVariable]) -> Target:
    """Return the target of a file that has these hints of its own; its origin says what its project sets for it."""
    matters = {
        "backend": own.backend is None and not target.keras_2,
        "legacy_keras": own.legacy_keras is None and "tensorflow" in own.imports,
    }
    for name, setting in said.items():
        if matters[name] and name not in own.because:
            origin = f"{target.origin}; {setting.says}"
            target = replace(target, origin=origin, certain=target.certain and setting.certain)
    return target


@lru_cache(maxsize=1024)
def _of_folder(folder: Path) -> dict[str, SetVariable]:
    lines: dict[str, list[_Line]] = {}
    for source, starts in _files(folder):
        for text in lockfiles.said(folder / source, lambda text: [text]):
            for variable, line in _lines(text, source, starts):
                lines.setdefault(variable, []).append(line)
    return {VARIABLES[name]: _settled(name, found) for name, found in lines.items()}


def _files(folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield the files of a folder that may set a variable, and whether they start the program itself."""
    for below in _FOLDERS:
        try:
            names = sorted(os.listdir(folder / below))
        except OSError:
            continue
        for name in (below + name for name in names):
            starts = _STARTS.fullmatch(name) is not None
            if starts or name in _MAKEFILES or _TESTS.fullmatch(name):
                yield name, starts


def _lines(text: str, source: str, starts: bool) -> Iterator[tuple[str, _Line]]:
    """Yield what the lines of a file set; those that are comments set nothing."""
    for line in text.splitlines():
        if line.lstrip().startswith(("#", ";", "//")):
            continue
        exports = source in _MAKEFILES and line.startswith("export")
        for variable, value in _SET.findall(_ENV.sub(r"\1=", line)):
            yield variable, _Line(source, _filled_in(value, text), starts or exports)


def _filled_in(value: str, text: str) -> str:
    """Return a value, where it is a variable that of the file (`ARG X=jax`, `X ?= jax`); "" where it is not known."""
    value = value.rstrip("]})")
    named = _NAMED.match(value)
    if named is None or value.startswith("${{"):
        return value if _FIXED.fullmatch(value) else ""
    given = re.findall(rf"^[ \t]*(?:ARG|export)?[ \t]*{named[1]}[ \t]*[:?]?=[ \t]*[\"']?([\w.]+)", text, re.MULTILINE)
    found = set(given) | ({named[2]} if named[2] else set())
    return found.pop() if len(found) == 1 else ""


def _settled(variable: str, lines: Sequence[_Line]) -> SetVariable:
    """Return what lines set a variable to: those that start the program, if any do, else the others."""
    lines = [line for line in lines if line.starts] or lines
    first = lines[0]
    other = next((line for line in lines if line.value != first.value), None)
    if other is not None and other.source == first.source:
        says = f"{first.source} sets the variable {variable} in several ways"
    elif other is not None:
        says = f"the variable {variable} is set in {first.source}, and not so in {other.source}"
    elif not first.value:
        says = f"{first.source} sets the variable {variable} to what is not known"
    elif first.starts:
        says = f"{first.source} sets the variable {variable} to {first.value}"
    else:
        says = f"only {first.source} sets the variable {variable}, to {first.value}"
    value = first.value if other is None and first.value else None
    return SetVariable(value, says, certain=value is not None and first.starts)
