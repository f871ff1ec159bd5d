"""What a file says about the target that it is written for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cudnnlint.core.keras_packages import YES
from cudnnlint.core.layer import FileHints
from cudnnlint.core.pip_commands import with_versions
from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.old_names import used
from cudnnlint.frontends.source.project.programs import SET
from cudnnlint.frontends.source.python.values import UNBOUND, Const, Either, UnknownValue, Value, options

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter
    from cudnnlint.frontends.source.python.state import ModuleUnit
    from cudnnlint.frontends.source.syntax.unit import Unit

_IMPORT = regex(r"^\s*(?:from|import)\s+(keras|tensorflow|tf_keras)\b", re.MULTILINE)
_INDENTED = regex(r"^[ \t]+(?:from|import)\b.*$", re.MULTILINE)
#: The dependencies that a script names itself (PEP 723), for uv, pipx, Hatch and PDM to install.
_SCRIPT = regex(r"^# /// script[ \t]*\n((?:#(?: .*)?\n)+?)# ///[ \t]*$", re.MULTILINE)
_OWN = "what the script asks for"
_VERSION = regex(r"\b\d+\.\d+(?:\.\d+)?\b")


def of(run: Interpreter, units: Sequence[Unit]) -> FileHints:
    """Return the hints of the units of one file."""
    imports = frozenset(found for unit in units for found in _IMPORT.findall(unit.text))
    world, dropped = state_of(run).world, state_of(run).names.dropped
    backend, open_backend = _settled(world.get("backend"), SET["backend"])
    legacy, open_legacy = _settled(world.get("legacy_keras"), SET["legacy_keras"])
    asks = frozenset(context_of(run).asks) if run.forked else frozenset()
    blocks = [block for unit in units for block in _SCRIPT.findall(unit.text)]
    installs = tuple(wanted for block in blocks for wanted in with_versions(block))
    reasons = ("backend", open_backend), ("legacy_keras", open_legacy), ("installs", _OWN if installs else None)
    because = {name: text for name, text in reasons if text}
    return FileHints(
        imports=imports,
        backend=backend,
        legacy_keras=None if legacy is None else legacy in YES,
        because=because,
        installs=installs,
        asks=asks,
        versions=_versions(run, units) if asks else frozenset(),
        modules=used(_certain("\n".join(unit.text for unit in units), asks), dropped),
        modules_beside={
            name: unit.path for unit in _beside(run, units) for name in used(_certain(unit.text, asks), dropped)
        },
    )


def _certain(text: str, asks: frozenset[str]) -> str:
    """Return the text without the imports in blocks, where something asks for the release: some may be for others."""
    return _INDENTED.sub("", text) if asks else text


def _beside(run: Interpreter, units: Sequence[Unit]) -> list[ModuleUnit]:
    """Return the other files of the project that were read."""
    return [unit for unit in run.modules.units.values() if unit is not None and unit not in units]


def _versions(run: Interpreter, units: Sequence[Unit]) -> frozenset[str]:
    """Return the texts like "2.10" in everything that was read."""
    read = [*units, *_beside(run, units)]
    return frozenset(found for unit in read for found in _VERSION.findall(unit.text))


def _settled(value: Value | None, what: str) -> tuple[str | None, str | None]:
    """Return a variable's text, or the reason why it is not certain, in a pair; both are None where it is not set."""
    if value is None:
        return None, None
    if isinstance(value, Const):
        return str(value.value), None
    reasons = [str(option.because) for option in options(value) if isinstance(option, UnknownValue)]
    if isinstance(value, Either) and value.because:
        reasons.append(str(value.because))
    known = " or ".join(repr(option.value) for option in options(value) if isinstance(option, Const))
    left = f" ({known}{', or left as it is' if UNBOUND in options(value) else ''})" if known else ""
    return None, f"{what} is decided while the file runs{left}{': ' + reasons[0] if reasons else ''}"
