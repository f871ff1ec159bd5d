"""What the tests of saved models share: the fixtures, conversion in this process, and a look into the results."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import h5py
import numpy
from newest_releases import NEWEST

from cudnnlint.rewriters.saved.conversion import converted
from cudnnlint.rewriters.saved.isolation import steps_of
from cudnnlint.rewriters.saved.steps import rewritten
from cudnnlint.rewriters.saved.summary import Summary
from cudnnlint.rulebook.loader import load

FOLDER = Path(__file__).resolve().parents[3] / "fixtures" / "saved" / "legacy"
OLD = sorted(path for path in FOLDER.glob("*.h5") if path.name.startswith(("tensorflow-1", "keras-2")))
NEW = sorted(
    path for start in ("tf_keras-", "keras-3") for path in FOLDER.glob(f"{start}*") if path.suffix in (".keras", ".h5")
)

TABLES = load().tables


def name(path: Path) -> str:
    return path.name


def convert_here(source: Path, folder: Path, suffix: str, keras: int = 3) -> tuple[Path, Summary]:
    """`convert` without the process of its own; the same file is converted once for all tests."""
    data, outcome = _converted(source, source.read_bytes(), suffix, keras)
    result = folder / f"{source.stem}-result{suffix}"
    result.write_bytes(data)
    return result, outcome


@cache
def _converted(source: Path, _: bytes, suffix: str, keras: int) -> tuple[bytes, Summary]:
    with TemporaryDirectory() as folder:
        outcome = converted(source, Path(folder), suffix.strip("."), keras, NEWEST, TABLES)
        return (Path(folder) / "result").read_bytes(), outcome


def rewrite_here(source: Path, folder: Path, *steps: Any) -> tuple[Path, Summary]:
    """`rewrite` without the process of its own."""
    plan = [(at, step) for at, intent in steps for step in steps_of(at, intent)]
    outcome = rewritten(source, folder, source.suffix.strip("."), plan, TABLES)
    result = folder / f"{source.stem}-result{source.suffix}"
    (folder / "result").replace(result)
    return result, outcome


def config(path: Path) -> dict[str, Any]:
    """The configuration of a saved model."""
    if path.suffix == ".keras":
        with zipfile.ZipFile(path) as archive:
            return json.loads(archive.read("config.json"))
    with h5py.File(path) as file:
        return json.loads(file.attrs["model_config"])


def records(found: Any) -> Iterator[dict[str, Any]]:
    """Every record of a layer or cell in a configuration."""
    if isinstance(found, dict):
        if "class_name" in found and isinstance(found.get("config"), dict):
            yield found
        found = list(found.values())
    if isinstance(found, list):
        for item in found:
            yield from records(item)


def arrays(path: Path) -> dict[str, Any]:
    """Every dataset by its path: of a `.keras` file those of its weights file."""
    if path.suffix == ".keras":
        with zipfile.ZipFile(path) as archive:
            file = h5py.File(io.BytesIO(archive.read("model.weights.h5")))
    else:
        file = h5py.File(path)
    found: dict[str, Any] = {}
    with file:
        file.visititems(lambda key, item: found.update({key: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return found


def holds(found: dict[str, Any], array: Any) -> bool:
    """Is this very array among them?"""
    return any(other.shape == array.shape and numpy.array_equal(other, array) for other in found.values())
