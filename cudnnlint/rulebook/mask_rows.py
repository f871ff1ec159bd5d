"""The reading of `tables/masks.toml` into a MaskTable.

A row without `checked` or `source`, or one that speaks of a class twice, is flawed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from packaging.version import Version

from cudnnlint.core.masking import Epoch, MaskTable, OldMaskUse, OnDtype, OnMask, bare_name
from cudnnlint.core.quick_dataclass import field_names
from cudnnlint.core.target import Era, Span

T = TypeVar("T")

GENERATIONS = (2, 3)
FLAGS = frozenset(field_names(Epoch)) - {"era", "effects", "stops"}
PROOF = ("checked", "source")


def mask_table(data: Mapping[str, Any]) -> MaskTable:
    """Return the whole table; raise KeyError, ValueError or InvalidVersion for a flawed row."""
    for entries in data.values():
        for entry in entries:
            _prove(entry)
    return MaskTable(
        classes=_by_name(data["class"], lambda entry: _by_major(entry["masks"], OnMask)),
        dtypes=_by_name(data["dtype"], lambda entry: _by_major(entry["integers"], OnDtype)),
        operations=_by_name(data["operation"], lambda entry: OnDtype(entry["integers"]), bare_name),
        epochs=tuple(_epoch(entry, data.get("change", []), data.get("stop", [])) for entry in data["epoch"]),
        once=tuple(_once(entry) for entry in data.get("once", [])),
        at_whole=_by_name(data.get("whole", []), lambda entry: str(entry.get("decides", ""))),
    )


def _prove(entry: Mapping[str, Any]) -> None:
    if not all(entry[key] for key in PROOF):
        raise ValueError(f"a row without {' or '.join(PROOF)}: {entry}")
    checked = entry["checked"]
    for text in checked.values() if isinstance(checked, dict) else [checked]:
        if text != "read":
            Version(text)


def _by_name(entries: Iterable[Mapping[str, Any]], read: Any, spell: Callable[[str], str] = str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for entry in entries:
        for name in map(spell, entry["name"]):
            if name in found:
                raise ValueError(f"{name} has two rows")
            found[name] = read(entry)
    return found


def _by_major(written: str | Mapping[str, str], read: Callable[[str], T]) -> dict[int, T]:
    if isinstance(written, str):
        return dict.fromkeys(GENERATIONS, read(written))
    return {int(major): read(effect) for major, effect in written.items()}


def _epoch(entry: Mapping[str, Any], changes: Iterable[Mapping[str, Any]], stops: Iterable[Mapping[str, Any]]) -> Epoch:
    span = Span.of(entry.get("since"), entry.get("until"))
    flags = {key: value for key, value in entry.items() if key in FLAGS}
    unknown = entry.keys() - FLAGS - {"major", "since", "until", "backends", *PROOF}
    if unknown:
        raise ValueError(f"an epoch has no {sorted(unknown)}")
    era = Era(entry["major"], span, tuple(entry.get("backends", ())))
    effects = {name: OnMask(row["masks"]) for row in changes if _covers(row, era) for name in row["name"]}
    stopping = {name: _releases(row) for row in stops if _covers(row, era) for name in row["name"]}
    return Epoch(era, **flags, effects=effects, stops=stopping)


def _covers(row: Mapping[str, Any], era: Era) -> bool:
    """Return whether a row holds in an epoch; raise ValueError where it does so in a part of it only."""
    span = Span.of(row.get("since"), row.get("until"))
    if row["major"] != era.major or not span.meets(era.span):
        return False
    if era.span.cut(span) != era.span:
        raise ValueError(f"the row of {row['name']} holds in a part of an epoch")
    return True


def _releases(stop: Mapping[str, Any]) -> str:
    """Return the releases of a row as the subject of a sentence, in the plural."""
    if "until" not in stop:
        return f"Keras {stop['since']} and later" if "since" in stop else f"all releases of Keras {stop['major']}"
    if "since" not in stop:
        return f"releases of Keras {stop['major']} before {stop['until']}"
    until = Version(stop["until"])
    last = f"{until.major}.{until.minor - 1}"
    return f"releases of Keras {last}" if last == stop["since"] else f"Keras {stop['since']} to {last}"


def _once(entry: Mapping[str, Any]) -> OldMaskUse:
    plain, suffixed = (
        Span.of(entry.get(f"since{end}"), entry[f"until{end}"]) if f"until{end}" in entry else None
        for end in ("", "_tf")
    )
    return OldMaskUse(entry["of"], plain, suffixed, entry["converts"], entry["says"].strip())
