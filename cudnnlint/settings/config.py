"""`[tool.cudnnlint]` in pyproject.toml, or cudnnlint.toml: found, read, checked.

The nearest file holds for a linted file; which flag beats it is `settings.py`'s business.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Any

from cudnnlint.core.errors import UsageError
from cudnnlint.core.file_limits import BOUNDS, DEFAULT, Limits
from cudnnlint.core.output_formats import FORMATS
from cudnnlint.core.quick_dataclass import dataclass, field_names
from cudnnlint.core.text import closest
from cudnnlint.formats import toml
from cudnnlint.settings import written_values as values
from cudnnlint.settings.globs import readable

Ignores = tuple[tuple[str, tuple[str, ...]], ...]  # (glob, selectors), in the order written

LARGEST = 32 << 20  # bytes of a file of settings: a configuration, a .gitignore


@dataclass(frozen=True)
class Config:
    """One configuration file; None where a key is not written. Globs are relative to `folder`."""

    file: str = ""
    folder: Path = field(default_factory=Path)
    target: tuple[str, ...] | None = None
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Ignores = ()
    per_layer_ignores: Ignores = ()
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    fail_on: str | None = None
    output_format: str | None = None
    unsafe_fixes: bool | None = None
    baseline: str | None = None
    jobs: int | None = None
    limits: Limits = DEFAULT


KEYS = tuple(name.replace("_", "-") for name in field_names(Config) if name not in ("file", "folder"))


def nearest(folder: Path) -> Config:
    """Return the configuration for files in `folder`: its own or that of the nearest folder above."""
    return _nearest(folder.resolve())


def forget() -> None:
    """Read the files anew next time; a run begins with it."""
    _nearest.cache_clear()


@lru_cache(maxsize=4096)
def _nearest(folder: Path) -> Config:
    own = read(folder / "cudnnlint.toml") or read(folder / "pyproject.toml")
    if own is not None:
        return own
    return _nearest(folder.parent) if folder.parent != folder else Config()


def read(path: Path) -> Config | None:
    """Return the configuration in one file; None where there is no such file or no section for cudnnlint.

    Raises UsageError for a file that cannot be read, an unknown key, or a value of the wrong type.
    """
    if not os.path.isfile(path):  # unlike Path.is_file, no error where a folder may not be entered
        return None
    own = path.name == "cudnnlint.toml"
    try:
        if path.stat().st_size > LARGEST:
            raise UsageError(f"Cannot read the configuration {path}: it has more than {LARGEST >> 20} MiB.")
        text = path.read_text(encoding="utf-8-sig")  # editors of Windows begin a file with a mark
        data: dict[str, Any] = toml.loads(text) if own or "cudnnlint" in text else {}
    except (OSError, ValueError) as error:  # not UTF-8, no TOML, or a number of thousands of digits
        raise UsageError(f"Cannot read the configuration {path}: {error}.") from error
    except RecursionError:
        raise UsageError(f"Cannot read the configuration {path}: it is nested too deeply.") from None
    tool = {"cudnnlint": data} if own else data.get("tool", {})
    table = tool.get("cudnnlint") if isinstance(tool, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise UsageError(f"{path}: tool.cudnnlint has to be a table.")
    return Config(file=str(path), folder=path.parent, **_checked(table, path))


def _checked(table: Mapping[str, Any], path: Path) -> dict[str, Any]:
    checked = {}
    for key, value in table.items():
        if key not in READERS:
            close = closest(key, KEYS)
            hint = f'Did you mean "{close}"?' if close else f"The keys are {', '.join(KEYS)}."
            raise UsageError(f'{path}: unknown key "{key}". {hint}')
        wanted, reader = READERS[key]
        try:
            checked[key.replace("-", "_")] = reader(value)
        except UsageError as error:
            raise UsageError(f'{path}: in "{key}": {error}') from None
        except TypeError:
            raise UsageError(f'{path}: "{key}" has to be {wanted}, not {value!r}.') from None
        except ValueError as error:
            raise UsageError(f'{path}: "{key}" holds a pattern that cannot be matched: "{error}".') from None
    return checked


def _globs(value: Any) -> tuple[str, ...]:
    """Return path globs. Raises TypeError for anything else, ValueError with a glob that cannot be matched."""
    globs = values.texts(value)
    for glob in globs:
        if not readable(glob):
            raise ValueError(glob)
    return globs


def _file_ignores(value: Any) -> Ignores:
    ignores = _ignores(value)
    _globs([glob for glob, _ in ignores])
    return ignores


def _ignores(value: Any) -> Ignores:
    if not isinstance(value, dict):
        raise TypeError
    return tuple((glob, values.text_or_texts(selectors)) for glob, selectors in value.items())


def _limits(value: Any) -> Limits:
    """Return limits, by default where they are not written. Raises TypeError for no table, UsageError for a value."""
    if not isinstance(value, dict):
        raise TypeError
    for key, given in value.items():
        if key not in BOUNDS:
            close = closest(key, BOUNDS)
            hint = f'Did you mean "{close}"?' if close else f"The limits are {', '.join(BOUNDS)}."
            raise UsageError(f'there is no limit "{key}". {hint}')
        least, most = BOUNDS[key]
        if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= most:
            raise UsageError(f'"{key}" has to be a whole number from {least} to {most}, not {given!r}.')
    return Limits(**{key.replace("-", "_"): given for key, given in value.items()})


FAIL_ON = ("error", "warning", "info")
READERS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "target": ("a target or a list of targets", values.text_or_texts),
    "select": ("a list of codes or names", values.texts),
    "extend-select": ("a list of codes or names", values.texts),
    "ignore": ("a list of codes or names", values.texts),
    "per-file-ignores": ("a table of path globs to lists of codes", _file_ignores),
    "per-layer-ignores": ("a table of layer-name globs to lists of codes", _ignores),
    "exclude": ("a list of path globs", _globs),
    "extend-exclude": ("a list of path globs", _globs),
    "fail-on": (f"one of {', '.join(FAIL_ON)}", values.one_of(*FAIL_ON)),
    "output-format": (f"one of {', '.join(FORMATS)}", values.one_of(*FORMATS)),
    "unsafe-fixes": ("true or false", values.flag),
    "baseline": ("the path of a baseline file", values.text),
    "limits": ("a table of limits", _limits),
    "jobs": ("a whole number (0 means one per core)", values.count),
}
