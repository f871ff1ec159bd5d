"""What the editor's user sets for the server; what is said of files is in their own configuration, as for `check`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from cudnnlint.core.errors import UsageError
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.text import closest
from cudnnlint.settings import written_values as values
from cudnnlint.settings.settings import Flags

SECTION = "cudnnlint"
USES, HINTS, RUNS = ("training", "inference"), ("inlay", "lens", "off"), ("onType", "onSave")


@dataclass(frozen=True)
class ClientSettings:
    """The settings. In the editor, `extend_select` is `extendSelect`, and so on.

    `target`, `select`, `extend_select`, `ignore`, `extend_ignore` and `use` are the options of `check` (`use` is
    `--for`). `hints` is how verdicts are shown beside layers, `run` when a file is checked, `delay` how many
    milliseconds after the last keystroke; `unsafe_fixes` False leaves out the fixes that change numbers. A file of more
    than `max_file_size` characters is not checked.
    """

    target: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    use: str = USES[0]
    hints: str = HINTS[0]
    run: str = RUNS[0]
    delay: int = 200
    unsafe_fixes: bool = True
    max_file_size: int = 1_000_000

    @property
    def flags(self) -> Flags:
        """What `check` is asked. Results are not cached: a text that is being written is read once."""
        return Flags(
            target=self.target,
            select=self.select,
            extend_select=self.extend_select,
            ignore=self.ignore,
            extend_ignore=self.extend_ignore,
            inference=self.use == "inference",
            jobs=1,
            force_exclude=True,
        )


def _texts(value: Any) -> tuple[str, ...]:
    given = value.split(",") if isinstance(value, str) else value
    return tuple(item.strip() for item in values.texts(given) if item.strip())


_LIST = "a list of texts"
READERS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "target": (_LIST, _texts),
    "select": (_LIST, _texts),
    "extend_select": (_LIST, _texts),
    "ignore": (_LIST, _texts),
    "extend_ignore": (_LIST, _texts),
    "use": (f"one of {', '.join(USES)}", values.one_of(*USES)),
    "hints": (f"one of {', '.join(HINTS)}", values.one_of(*HINTS)),
    "run": (f"one of {', '.join(RUNS)}", values.one_of(*RUNS)),
    "delay": ("a whole number of milliseconds", values.count),
    "unsafe_fixes": ("true or false", values.flag),
    "max_file_size": ("a whole number of characters", values.count),
}


def _shown(name: str) -> str:
    first, *more = name.split("_")
    return first + "".join(word.capitalize() for word in more)


NAMES = {_shown(field.name): field.name for field in fields(ClientSettings)}


def section(data: Any) -> Mapping[str, Any]:
    """Return what a client says of us: all of it, or what it has under our name; empty where it says nothing."""
    if not isinstance(data, Mapping):
        return {}
    own = data.get(SECTION, data if set(data) & set(NAMES) else {})
    return own if isinstance(own, Mapping) else {}


def read(data: Mapping[str, Any]) -> ClientSettings:
    """Return the settings that a client gives; those that are null or missing have their defaults.

    Raises UsageError for a setting that does not exist, or has a value that it cannot have.
    """
    given: dict[str, Any] = {}
    for key, value in data.items():
        if key not in NAMES:
            close = closest(key, NAMES)
            hint = f'Did you mean "{close}"?' if close else f"The settings are {', '.join(NAMES)}."
            raise UsageError(f'There is no setting "{SECTION}.{key}". {hint}')
        wanted, reader = READERS[NAMES[key]]
        try:
            given |= {} if value is None else {NAMES[key]: reader(value)}
        except TypeError:
            raise UsageError(f'The setting "{SECTION}.{key}" has to be {wanted}, not {value!r}.') from None
    return replace(ClientSettings(), **given)
