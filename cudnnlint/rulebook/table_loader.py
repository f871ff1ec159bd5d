"""The tables of the rulebook, read from `rules/tables/*.toml`, or from what was made of the same bytes.

Checks their shape; decides nothing. A row that is wrong in itself
(an unknown consequence, a version that is none) is a RulebookError, before any file is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from packaging.version import InvalidVersion, Version

from cudnnlint.core.errors import RulebookError
from cudnnlint.core.masking import MaskTable
from cudnnlint.core.names import Names
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.release_dates import Milestones
from cudnnlint.core.tables import (
    Concern,
    Identity,
    Loss,
    Refusal,
    Row,
    Signature,
    Tables,
    Trait,
)
from cudnnlint.core.verdict import Route
from cudnnlint.formats import toml
from cudnnlint.rulebook import compiled_tables, default_rows, meaning_rows
from cudnnlint.rulebook.load_fault_rows import load_faults
from cudnnlint.rulebook.mask_rows import mask_table
from cudnnlint.rulebook.row_scopes import listed, scopes_of
from cudnnlint.rulebook.taken_rows import taken_arguments

_DROPPED = ("old_names", "layer_names", "later_names")  # tables of releases.toml
CONSEQUENCES = frozenset({"falls_back", "raises", "unknown"})
NONE = {"none": True}  # TOML has no null: an argument whose default is None is written so


def load(folder: Path) -> Tables:
    """Read every table in `folder`.

    Raises RulebookError for a row that is wrong in itself.
    """
    routes, defects = read(folder / "routes.toml"), read(folder / "defects.toml")
    defaults, names = read(folder / "defaults.toml"), read(folder / "names.toml")
    signatures = read(folder / "signatures.toml")
    try:
        return Tables(
            names=_vocabulary(folder, names, defaults, signatures),
            milestones=milestones(folder),
            meanings=meaning_rows.meanings(names.get("meaning", [])),
            rows=tuple(row for entry in routes.get("route", []) for row in _rows(entry)),
            gates=_concerns(routes.get("gate", []), "raises"),
            defects=_concerns(defects.get("defect", []), "wrong_numbers"),
            notes=_concerns(defects.get("note", []), "note"),
            losses=tuple(loss for entry in defaults.get("lost", []) for loss in _losses(entry)),
            handed_on=tuple(loss for entry in defaults.get("handed_on", []) for loss in _losses(entry)),
            identities=tuple(i for entry in defaults.get("identity", []) for i in _identities(entry)),
            signatures=tuple(s for entry in defaults.get("class", []) for s in _signatures(entry)),
            left_out=dict(signatures["left_out"]["arguments"]),
            registries=_concerns([{**entry, "rule": ""} for entry in defaults["registry"]], "first"),
            refusals=tuple(row for entry in read(folder / "values.toml")["refused"] for row in _refusals(entry)),
            traits=_traits(defaults["trait"]),
            compilers=_concerns([{**entry, "rule": ""} for entry in routes.get("compiler", [])], "asked"),
        )
    except (KeyError, InvalidVersion, ValueError) as error:
        raise RulebookError(f"A table in {folder.name} has an invalid row: {error!r}.") from error


def read(path: Path) -> dict[str, Any]:
    """Return a table as TOML gives it; raise RulebookError where it cannot be read."""
    try:
        source = path.read_bytes()
        table = compiled_tables.recalled(path, source)
        return parsed(source) if table is None else table
    except (OSError, ValueError) as error:
        raise RulebookError(f"The table {path.name} cannot be read: {error}.") from error


def parsed(source: bytes) -> dict[str, Any]:
    """Return what TOML says. Raises ValueError for what is no text or no TOML."""
    return toml.loads(source.decode())


def _vocabulary(
    folder: Path, names: Mapping[str, Any], defaults: Mapping[str, Any], signatures: Mapping[str, Any]
) -> Names:
    """Return what both front ends recognise layers by, with what they know of masks and of files."""
    masks, loading = read(folder / "masks.toml"), read(folder / "loading.toml")
    releases = read(folder / "releases.toml")
    return replace(
        _names(names, _positional(signatures), milestones(folder).dates, mask_table(masks)),
        arguments=frozenset(default_rows.every_name(defaults, names["recurrent"])),
        lasting_defaults={name: default_rows.lasting(defaults, name) for name in names["recurrent"]},
        activations=frozenset(_functions(defaults["trait"])),
        load_faults=tuple(fault for entry in loading["fault"] for fault in load_faults(entry)),
        taken=taken_arguments(read(folder / "layers.toml")),
        dropped=_dropped(releases),
        old_modules={name: _without(row) for name, row in releases.get("old_imports", {}).items()},
    )


def _without(row: Mapping[str, str]) -> tuple[str, Version]:
    """Return a package, and its first release without something: `{ keras = "2.9.0" }`."""
    ((package, release),) = row.items()
    return package, Version(release)


def _dropped(releases: Mapping[str, Any]) -> frozenset[str]:
    """Return the names in the code of a program that say something about its release."""
    named = (name for table in _DROPPED for name in releases.get(table, ()))
    return frozenset((*named, *dropped_by_keras_3(releases)))


def dropped_by_keras_3(releases: Mapping[str, Any]) -> list[str]:
    """Return the dotted names that Keras 3 is without, of the table in releases.toml that lists them by module."""
    modules: Mapping[str, list[str]] = releases.get("dropped_names", {})
    return [f"{module}.{name}" for module, names in modules.items() for name in names]


def _names(
    data: Mapping[str, Any], positional: Mapping[str, tuple[str, ...]], dates: Mapping[str, Version], masks: MaskTable
) -> Names:
    return Names(
        roots=tuple(sorted(data["roots"], key=len, reverse=True)),
        frameworks=frozenset(data["frameworks"]),
        recurrent=frozenset(data["recurrent"]),
        cells=frozenset(data["cells"]),
        wrappers=frozenset(data["wrappers"]),
        lasting=frozenset(data["lasting"]),
        exported=frozenset(data["exported"]),
        former=frozenset(data["former"]),
        look_alikes=frozenset(data["look_alikes"]),
        absent=meaning_rows.absent(data.get("meaning", [])),
        positional=positional,
        milestones=dates,
        masks=masks,
        aliases=data["aliases"],
        ranks={name: frozenset(taken) for name, taken in data["ranks"].items()},
    )


def _positional(data: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(entry["arguments"]) for entry in data["positional"] for name in listed(entry["class"])}


@lru_cache(maxsize=1)
def milestones(folder: Path) -> Milestones:
    """Read `milestones.toml` in `folder`; raise RulebookError for an entry that is wrong in itself."""
    data = read(folder / "milestones.toml")
    try:
        first, end = data.pop("first"), data.pop("end")
        dates = {name: Version(entry["version"]) for name, entry in data.items()}
        return Milestones(dates, _of_frameworks(first), _of_frameworks(end))
    except (KeyError, InvalidVersion) as error:
        raise RulebookError(f"The table milestones.toml is flawed: {error!r}.") from error


def _of_frameworks(entry: Mapping[str, str]) -> dict[str, Version]:
    return {name: Version(text) for name, text in entry.items() if name not in ("source", "checked")}


def _rows(entry: Mapping[str, Any]) -> list[Row]:
    blocked_by = {name: _consequence(value) for name, value in entry.get("blocked_by", {}).items()}
    return [
        Row(
            operations=tuple(listed(entry["operation"])),
            scope=scope,
            route=Route(entry["route"]),
            because=entry.get("because"),
            blocked_by=blocked_by,
            insisted=frozenset(entry.get("insisted", [])),
            dtypes=tuple(entry.get("dtypes", [])),
            fuses=entry.get("fuses", False),
            checked=_checked(entry["checked"], scope.framework),
            source=entry["source"],
        )
        for scope in scopes_of(entry)
    ]


def _refusals(entry: Mapping[str, Any]) -> Iterator[Refusal]:
    arguments, kinds = tuple(listed(entry["argument"])), frozenset(entry["kinds"])
    for scope in scopes_of(entry):
        _checked(entry["checked"], scope.framework)
        yield Refusal(arguments, kinds, scope, entry.get("then", "raises"), entry["source"], entry.get("advice", ""))


def _checked(written: str | Mapping[str, str], framework: str) -> str:
    """Return the newest tested release: one for all frameworks of an entry, or one for each."""
    text = written if isinstance(written, str) else written[framework]
    return text if text == "read" else str(Version(text))


def _consequence(value: Any) -> str | Mapping[str, str]:
    for text in value.values() if isinstance(value, dict) else [value]:
        if text not in CONSEQUENCES:
            raise ValueError(f"{text!r} is not a consequence; use one of {sorted(CONSEQUENCES)}")
    return cast("str | Mapping[str, str]", value)


def _concerns(entries: Iterable[Mapping[str, Any]], then: str) -> tuple[Concern, ...]:
    return tuple(
        Concern(entry["rule"], scope, tuple(listed(entry.get("operation"))), entry.get("then", then), entry["source"])
        for entry in entries
        for scope in scopes_of(entry)
    )


def _losses(entry: Mapping[str, Any]) -> list[Loss]:
    return [
        Loss(name, by, scope, entry["source"])
        for name in listed(entry["name"])
        for by in listed(entry["by"])
        for scope in scopes_of(entry)
    ]


def _identities(entry: Mapping[str, Any]) -> list[Identity]:
    return [Identity(entry["means"], scope, frozenset(entry["accepts"]), entry["source"]) for scope in scopes_of(entry)]


def _functions(entries: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the activations that some release finds by name; a class is called as no function is."""
    return (text for entry in entries if entry["of"] == "activation" for text in entry["texts"] if text.islower())


def _traits(entries: Iterable[Mapping[str, Any]]) -> dict[str, tuple[Trait, ...]]:
    """Return the rows by what they are about, which every rule asks for by itself."""
    found: dict[str, list[Trait]] = {}
    for entry in entries:
        rows = (Trait(frozenset(entry["texts"]), scope, entry["source"]) for scope in scopes_of(entry))
        found.setdefault(entry["of"], []).extend(rows)
    return {of: tuple(rows) for of, rows in found.items()}


def _signatures(entry: Mapping[str, Any]) -> list[Signature]:
    defaults = {name: (None if value == NONE else value) for name, value in entry["arguments"].items()}
    extra = frozenset(entry.get("extra", []))
    return [
        Signature(tuple(listed(entry["operation"])), scope, defaults, extra, entry["source"])
        for scope in scopes_of(entry)
    ]
