"""Which of the imports that prove old Keras each release has, read from its wheel: one line of JSON a release.

    pip download --no-deps keras==2.8.0 && python old_imports.py keras-2.8.0-*.whl [...] > old_imports.json

The names are those of `[old_imports]` and `[later_imports]` in rules/tables/releases.toml that begin with "keras". A
name is there where its module is, or where the package above it imports it. Nothing is imported. The answers are in
fixtures/evidence/old_imports.json; Keras 2.3.1, 2.4.3, 2.7.0 and 2.12.0 were also asked by importing for the first 19
names, with the same answers.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RELEASES = Path(__file__).resolve().parents[2] / "rules" / "tables" / "releases.toml"


def names() -> list[str]:
    """The imports of Keras in the table."""
    tables = tomllib.loads(RELEASES.read_text())
    return [name for name in (*tables["old_imports"], *tables["later_imports"]) if name.startswith("keras.")]


def has(texts: Mapping[str, str], name: str) -> bool:
    """Whether a wheel with these files has a module, or a package that imports it, under a dotted name."""
    path, last = name.replace(".", "/"), name.rpartition(".")[2]
    package = path.rpartition("/")[0]
    above = texts.get(f"{package}/__init__.py", texts.get(f"{package}.py", ""))
    imported = re.search(rf"^\s*(?:from\s+\S+\s+)?import\b.*\b{last}\b", above, re.MULTILINE)
    return f"{path}.py" in texts or f"{path}/__init__.py" in texts or imported is not None


def read(wheel: Path) -> dict[str, str]:
    """The Python files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist() if name.endswith(".py")}


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        texts = read(path)
        print(json.dumps({"keras": path.name.split("-")[1], "has": [name for name in names() if has(texts, name)]}))
