"""Which of the imports that prove old Keras each release has, read from its wheel: one line of JSON a release.

    pip download --no-deps keras==2.8.0 && python old_imports.py keras-2.8.0-*.whl [...] > old_imports.json
    pip download --no-deps tensorflow-cpu==2.5.0 --python-version 3.7 --only-binary :all: && python old_imports.py ...

The names are those of `[old_imports]`, `[old_names]`, `[layer_names]`, `[later_imports]` and `[later_names]` in
rules/tables/releases.toml. A name is there where its module is, or where the package above it imports or defines it; a
method where a module of `engine` or `models` defines it; a keyword where the code that takes it names it as a text.
Nothing is imported. The answers are in
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


SAME = ("tensorflow.keras.optimizers.*(lr)",)  # the class of the Keras that a TensorFlow brings


def names(of_tensorflow: bool = False) -> list[str]:
    """The imports of Keras in the table, or those of TensorFlow."""
    tables = tomllib.loads(RELEASES.read_text())
    of = [tables[name] for name in ("old_imports", "old_names", "layer_names", "later_imports", "later_names")]
    every = [name for table in of for name in table if name not in SAME]
    return [name for name in every if name.startswith("tensorflow.") is of_tensorflow]


def has(texts: Mapping[str, str], name: str) -> bool:
    """Whether a wheel with these files has a module, or a package that imports or defines it, under a dotted name."""
    if name.endswith(")"):
        return _takes(texts, *name.removesuffix(")").split("("))
    path, last = name.replace(".", "/"), name.rpartition(".")[2]
    package = path.rpartition("/")[0]
    above = texts.get(f"{package}/__init__.py", texts.get(f"{package}.py", ""))
    imported = re.search(rf"^(?:\s*(?:from\s+\S+\s+)?import\b.*\b{last}\b|def {last}\()", above, re.MULTILINE)
    return f"{path}.py" in texts or f"{path}/__init__.py" in texts or imported is not None


#: Where the code is that takes a keyword, or has a method: of Keras 3, of Keras 2, and of standalone Keras.
TAKES = {
    "keras.layers.*": "keras/legacy/interfaces.py",
    "keras.optimizers.*": r"keras/(src/)?(optimizer_v2/adam|optimizers(/(optimizer_experimental/)?optimizer)?)\.py",
    "Model.fit_generator": "keras/legacy/interfaces.py",
}
MODELS = r"keras/(src/)?(engine/(training|sequential)|models/(model|sequential)|trainers/trainer)\.py"


def _takes(texts: Mapping[str, str], called: str, keyword: str) -> bool:
    """Whether a method is defined, or a keyword is taken by what is called."""
    where, wanted = (TAKES[called], rf"[\"']{keyword}[\"']") if keyword else (MODELS, rf"def {called.split('.')[1]}\(")
    return any(re.search(wanted, text) for name, text in texts.items() if re.fullmatch(where, name))


def in_tensorflow(texts: Mapping[str, str], name: str) -> bool:
    """Whether the modules that are TensorFlow's API have a name, those of TensorFlow 1 or 2 as the wheel has them."""
    module, _, last = name.rpartition(".")
    api = "_v2" if any(path.endswith("_api/v2/v2.py") for path in texts) else "_v1"
    inside = module.removeprefix("tensorflow").replace(".", "/")
    below = "python/keras/api/" if inside.startswith("/keras") else "_api/"
    path = f"{below}{api if inside.startswith('/keras') else api[1:]}{inside}/__init__.py" if inside else "__init__.py"
    text = "".join(texts.get(f"{top}/{path}", "") for top in ("tensorflow_core", "tensorflow"))
    return re.search(rf"^(?:from \S+ import (?:\w+ as )?{last}(?:\s*#.*)?$|{last} = )", text, re.MULTILINE) is not None


def read(wheel: Path) -> dict[str, str]:
    """The Python files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist() if name.endswith(".py")}


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        texts, package, of = read(path), path.name.split("-")[0].lower().removesuffix("_cpu"), path.name.split("-")[1]
        looked_for = in_tensorflow if package == "tensorflow" else has
        found = [name for name in names(package == "tensorflow") if looked_for(texts, name)]
        print(json.dumps({package: of, "has": found}))
