"""Reads what the constructors of all layers of Keras 3 accept, from released wheels, by parsing alone.

    python tests/rulebook/layer_constructors.py FOLDER_OF_WHEELS > fixtures/evidence/layer_constructors.json

{"releases": [release], "layers": {class: {argument: a letter for each release}}, "objects": the same of
initializers, regularizers and constraints}. r: the release takes it and must have it; y: it takes it; n: it does not;
a dot: it has no such class, whose own line is "". See signatures.py.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from packaging.utils import parse_wheel_filename
from signatures import Source, accepted, constructor

PACKAGES = {"layers": ("layers",), "objects": ("initializers", "regularizers", "constraints")}
#: Classes that take what they do not name and drop it, or that do more than call their constructor.
LEFT_OUT = frozenset({
    "DynamicEmbedding", "FeatureSpace", "FlaxLayer", "HashedCrossing", "IndexLookup", "InputLayer", "IntegerLookup",
    "JaxLayer", "Lambda", "MaxNumBoundingBoxes", "Pipeline", "StackedRNNCells", "StringLookup", "TFSMLayer",
    "TextVectorization", "TorchModuleWrapper", "Wrapper", "Layer", "InputSpec", "Initializer", "Regularizer",
    "Constraint", "BaseImagePreprocessingLayer",
})  # fmt: skip

#: What files call a class that is exported under another name than its own.
EXPORTED = {"GroupedQueryAttention": "GroupQueryAttention"}


def read(source: Source, packages: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """What each class of these packages accepts, with a letter."""
    found: dict[str, dict[str, str]] = {}
    for package in packages:
        for name, dotted in source.imported(f"{source.root}{package}/__init__.py").items():
            module, _, own = dotted.rpartition(".")
            path = f"{module.replace('.', '/')}.py"
            if own == name and name[0].isupper() and name not in LEFT_OUT and source.defined(path, name):
                taken = accepted(source, path, name)
                letters = {one: "y" for part in ("defaults", "extra") for one in _names(taken[part])}
                letters |= dict.fromkeys(_names(taken["required"]), "r")
                found[EXPORTED.get(name, name)] = letters if _has_constructor(source, path, name) else {}
    return found


def _names(part: object) -> list[str]:
    """The arguments in one part of what a class accepts."""
    return [str(name) for name in part] if isinstance(part, (list, dict)) else []


def _has_constructor(source: Source, path: str, name: str) -> bool:
    """Whether the class or one of its bases has an `__init__`."""
    nodes: list[ast.ClassDef | None] = [source.defined(*one) for one in source.chain(path, name)]
    return any(node is not None and constructor(node) is not None for node in nodes)


def table(releases: list[dict[str, dict[str, str]]]) -> dict[str, dict[str, str]]:
    """Class -> argument -> a letter for each release."""
    found: dict[str, dict[str, str]] = {}
    for name in sorted({name for release in releases for name in release}):
        every = [release.get(name) for release in releases]
        arguments = sorted(set().union(*(one for one in every if one)))
        lines = {key: "".join("." if one is None else one.get(key, "n") for one in every) for key in arguments}
        found[name] = {"": "".join("ny"[one is not None] for one in every), **lines}
    return found


def main(folder: Path) -> None:
    """Print the evidence for every wheel in `folder`."""
    wheels = {parse_wheel_filename(path.name)[1]: path for path in folder.glob("keras-3*.whl")}
    sources = {version: Source(wheels[version]) for version in sorted(wheels)}
    parts = [f'{{"releases": {json.dumps([str(version) for version in sources])}']
    for part, packages in PACKAGES.items():
        lines = table([read(source, packages) for source in sources.values()])
        rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(arguments)}" for name, arguments in lines.items())
        parts.append(f'"{part}": {{\n{rows}\n}}')
    sys.stdout.write(",\n".join(parts) + "}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
