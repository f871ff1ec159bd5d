"""Which names of Keras 2 that Keras 3 dropped a release still has: one line of JSON a release.

    python dropped_names.py                     the installed Keras 3, asked, and its tf.keras where TensorFlow is there
    python dropped_names.py keras-2.15.0-*.whl  the wheel of the last Keras 2, read; it is tf.keras of TensorFlow 2.15

The names are those of `[dropped_names]` in rules/tables/releases.toml. The answers are in
fixtures/evidence/dropped_names.json.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
import zipfile
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).resolve().parent))

from old_imports import RELEASES, tomllib


def names() -> list[str]:
    """The names in the table."""
    modules = tomllib.loads(RELEASES.read_text())["dropped_names"]
    return [f"{module}.{name}" for module, names in modules.items() for name in names]


def in_wheel(wheel: Path) -> list[str]:
    """The names that the wheel of a Keras 2 exports."""
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
        texts = {name: archive.read(name).decode() for name in inside if name.endswith("__init__.py")}

    def has(name: str) -> bool:
        module, _, last = name.removeprefix("tensorflow.").rpartition(".")
        below = module.removeprefix("keras").replace(".", "/")
        text = texts.get(f"keras/api/_v2/keras{below}/__init__.py", "")
        return re.search(rf"^from \S+ import (?:\w+ as )?{last}$", text, re.MULTILINE) is not None

    return list(filter(has, names()))


def installed(tops: dict[str, ModuleType]) -> list[str]:
    """The names that the installed packages have."""
    return [name for name in names() if name.partition(".")[0] in tops and reached(name, tops)]


def reached(name: str, tops: dict[str, ModuleType]) -> bool:
    """Whether a program gets something under a dotted name, by attributes or by an import."""
    first, *parts = name.split(".")
    found: object = tops[first]
    for at, part in enumerate(parts, 2):
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(".".join([first, *parts][:at]))
            except ImportError:
                return False
    return True


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        print(json.dumps({"keras": path.name.split("-")[1], "has": in_wheel(path)}))
    if not sys.argv[1:]:
        modules = {name: importlib.import_module(name) for name in ("keras", "tensorflow")}
        print(json.dumps({"keras": modules["keras"].__version__, "has": installed(modules)}))
