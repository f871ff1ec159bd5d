"""The reading of `tables/machine.toml`: what a machine's settings and libraries do to cuDNN RNN kernels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from packaging.version import InvalidVersion, Version

from cudnnlint.core.errors import RulebookError
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.target import Span
from cudnnlint.rulebook.loader import folder
from cudnnlint.rulebook.table_loader import read

PROOF = ("checked", "source")


@dataclass(frozen=True)
class Switch:
    """An environment variable: what a value that contains `contains` does, and what to do about it."""

    name: str
    contains: str
    effect: str
    advice: str


@dataclass(frozen=True)
class Plugin:
    """A package that gives TensorFlow another kind of GPU: what that does to recurrent layers, and what to do."""

    name: str
    effect: str
    advice: str
    code: str | None


@dataclass(frozen=True)
class MachineTable:
    """The whole table. `broken_cudnn` are the releases of cuDNN that compute wrongly with masks.

    `tf32` is the first compute capability of GPUs that shorten float32 products.
    """

    switches: tuple[Switch, ...]
    windows: str
    macos: str
    broken_cudnn: Span
    broken_finding: str
    broken_advice: str
    plugins: tuple[Plugin, ...]
    tf32: Version
    tf32_finding: str
    tf32_advice: str


@lru_cache(maxsize=1)
def machine_table() -> MachineTable:
    """Return the table.

    Raises RulebookError for an entry that is wrong in itself.
    """
    data = read(folder() / "tables" / "machine.toml")
    try:
        for entry in (*data["switch"], *data["plugin"], data["windows"], data["macos"], data["cudnn"], data["tf32"]):
            _prove(entry)
        cudnn, tf32 = data["cudnn"], data["tf32"]
        return MachineTable(
            switches=tuple(
                Switch(entry["name"], entry["contains"], entry["effect"], entry.get("advice", ""))
                for entry in data["switch"]
            ),
            windows=data["windows"]["advice"],
            macos=data["macos"]["advice"],
            broken_cudnn=Span.of(cudnn["since"], cudnn["until"]),
            broken_finding=cudnn["finding"],
            broken_advice=cudnn["advice"],
            plugins=tuple(
                Plugin(entry["package"], entry["finding"], entry.get("advice", ""), entry.get("code"))
                for entry in data["plugin"]
            ),
            tf32=Version(tf32["since"]),
            tf32_finding=tf32["finding"],
            tf32_advice=tf32["advice"],
        )
    except (KeyError, ValueError, InvalidVersion) as error:
        raise RulebookError(f"The table machine.toml is flawed: {error!r}.") from error


def _prove(entry: Mapping[str, Any]) -> None:
    if not all(entry[key] for key in PROOF):
        raise ValueError(f"an entry without {' or '.join(PROOF)}: {entry}")
    if entry["checked"] != "read":
        Version(entry["checked"])
