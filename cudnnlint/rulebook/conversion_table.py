"""The reading of `tables/conversion.toml`: what a model of Keras 2 becomes in Keras 3."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from packaging.version import InvalidVersion, Version

from cudnnlint.core.errors import RulebookError
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.rulebook.loader import folder
from cudnnlint.rulebook.table_loader import read

KINDS = ("initializers", "regularizers", "constraints")
PROOF = ("checked", "source")


@dataclass(frozen=True)
class Operation:
    """The operation of Keras 3 that computes what a function of TensorFlow does.

    `module` and `class_name` name it; `takes` are the function's arguments that its call is given after the first one,
    `sets` those that become its own: the name in Keras 3, and the default of TensorFlow where Keras 3 has another.
    `fixed` are further arguments of its own.
    """

    module: str
    class_name: str
    takes: tuple[str, ...]
    sets: Mapping[str, tuple[str, Any]]
    fixed: Mapping[str, Any]


@dataclass(frozen=True)
class RawOperation:
    """The function of TensorFlow that an operation of a graph comes from.

    `inputs` are the arguments that its inputs are, by place: "" is the first argument, "*" as many as there are, as a
    list. `attributes` are the arguments that its attributes are, `plain` the values at which an argument says nothing.
    """

    function: str
    inputs: tuple[str, ...]
    attributes: Mapping[str, str]
    plain: Mapping[str, Any]


@dataclass(frozen=True)
class ConversionTable:
    """The whole table.

    `arguments` are those of every layer that Keras 3 has. `idle` change no number at any value, `idle_at` at some;
    `unused` are those that the classes whose names begin so have, and do not use. `objects` has the arguments of
    initializers, regularizers and constraints, `operations` what TensorFlow's functions become, `raw_operations` the
    functions that operations of a graph come from, `refused` why a class has no counterpart.
    """

    arguments: Mapping[str, frozenset[str]]
    idle: frozenset[str]
    idle_at: Mapping[str, tuple[Any, ...]]
    unused: frozenset[str]
    unused_by: tuple[str, ...]
    activations: frozenset[str]
    objects: Mapping[str, Mapping[str, tuple[str, ...]]]
    operations: Mapping[str, Operation]
    raw_operations: Mapping[str, RawOperation]
    refused: Mapping[str, str]

    def may_go(self, class_name: str, argument: str, value: Any) -> bool:
        """Return whether an argument that the Keras 3 class does not take can go without changing any number."""
        if argument in self.idle or (argument in self.unused and class_name.startswith(self.unused_by)):
            return True
        known = argument in self.idle_at or argument == "activity_regularizer"
        return known and (value is None or value in self.idle_at.get(argument, ()))


@lru_cache(maxsize=1)
def conversion_table() -> ConversionTable:
    """Return the table.

    Raises RulebookError for an entry that is wrong in itself.
    """
    data = read(folder() / "tables" / "conversion.toml")
    try:
        for entry in (*data["refused"], *(part for name, part in data.items() if name != "refused")):
            _prove(entry)
        idle = data["idle"]
        return ConversionTable(
            arguments=_arguments(data["common"], data["takes"]["arguments"]),
            idle=frozenset(idle["any"]),
            idle_at={name: tuple(values) for name, values in idle["at"].items()},
            unused=frozenset(idle["unused"]),
            unused_by=tuple(idle["unused_by"]),
            activations=frozenset(data["functions"]["names"]),
            objects={kind: {name: tuple(kept) for name, kept in data["objects"][kind].items()} for kind in KINDS},
            operations={name: _operation(row) for name, row in data["operations"]["of"].items()},
            raw_operations={name: _raw(row) for name, row in data["operations"]["raw"].items()},
            refused={name: entry["because"] for entry in data["refused"] for name in entry["class"]},
        )
    except (KeyError, TypeError, ValueError, InvalidVersion) as error:
        raise RulebookError(f"The table conversion.toml is flawed: {error!r}.") from error


def _arguments(common: Mapping[str, Any], takes: Mapping[str, list[str]]) -> dict[str, frozenset[str]]:
    every, trained = common["arguments"], common["trained"]
    return {
        name: frozenset([*own, *every, *(() if name in common["untrainable"] else trained)])
        for name, own in takes.items()
    }


def _operation(row: Mapping[str, Any]) -> Operation:
    module, _, class_name = row["is"].rpartition(".")
    sets = {name: (new, default) for name, (new, default) in row.get("sets", {}).items()}
    return Operation(f"keras.src.ops.{module}", class_name, tuple(row.get("takes", ())), sets, row.get("fixed", {}))


def _raw(row: Mapping[str, Any]) -> RawOperation:
    return RawOperation(row["is"], tuple(row.get("inputs", [""])), row.get("attributes", {}), row.get("plain", {}))


def _prove(entry: Mapping[str, Any]) -> None:
    if not all(entry[key] for key in PROOF):
        raise ValueError(f"an entry without {' or '.join(PROOF)}: {entry}")
    Version(entry["checked"])
