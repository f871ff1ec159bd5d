"""Where each release of Keras has its names: `python -m cudnnlint.dev.keras_names FOLDER`.

FOLDER holds wheels and source archives of Keras as the package index has them (`pip download --no-deps keras==2.3.1`),
of as many releases as are to be told apart. They are read, never imported. Writes cudnnlint/trainlog/keras_names.toml:
for each name the modules that define it, or export it, with the releases of FOLDER that do.
"""

from __future__ import annotations

import ast
import re
import sys
import tarfile
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from packaging.version import Version

from cudnnlint.dev.message_texts import ROOT

TABLE = ROOT / "cudnnlint" / "trainlog" / "keras_names.toml"
_RELEASE = re.compile(r"-(\d+\.\d+\.\d+)(?:-|\.tar)")
#: What no program imports names from.
_SKIPPED = re.compile(
    r"(?:^|/)(?:tests?|integration_tests|tools|benchmarks|applications|datasets|protobuf)/|_test\.py$|/test_utils"
)
_INNER = re.compile(
    r"keras\.(?:src|api|feature_column|premade|dtensor|distribute|integration_test|testing_infra|type|estimator"
    r"|legacy_tf_layers|_tf_keras|saving\.legacy|legacy\.saving)\b"
)
#: Where archives keep what users write as tensorflow.keras and keras.
_PUBLIC = (
    (re.compile(r"keras\.(?:api\._v2|api\._tf_keras|_tf_keras)\.keras\b"), "tensorflow.keras"),
    (re.compile(r"keras\.api(?!\.(?:_v1|_v2|_tf_keras|keras)\b)\b"), "keras"),
)
_HEAD = """# Written by `python -m cudnnlint.dev.keras_names`: where the releases in `releases` have their names.
# K is keras, T is tensorflow.keras; a range says the first and the last of them, and an open one goes on.
"""


class Module(NamedTuple):
    """What a module defines, takes from other modules by name (name there: module), and takes whole."""

    own: frozenset[str]
    taken: Mapping[str, str]
    whole: tuple[str, ...]


def sources(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield path and text of each module of Keras in a wheel or a source archive."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                if name.startswith("keras/") and name.endswith(".py") and not _SKIPPED.search(name):
                    yield name, wheel.read(name)
        return
    with tarfile.open(archive) as packed:
        for member in packed:
            name, stream = member.name.partition("/")[2], packed.extractfile(member)
            if stream and name.startswith("keras/") and name.endswith(".py") and not _SKIPPED.search(name):
                yield name, stream.read()


def modules(archive: Path) -> dict[str, Module]:
    """Return what each module has, by its dotted name."""
    found = {}
    for path, text in sources(archive):
        dotted = path.removesuffix(".py").replace("/", ".")
        package = dotted.endswith(".__init__")
        dotted = dotted.removesuffix(".__init__")
        found[dotted] = _read(dotted, package, ast.parse(text))
    return found


def _read(dotted: str, package: bool, tree: ast.Module) -> Module:
    own: set[str] = set()
    taken: dict[str, str] = {}
    whole: list[str] = []
    for node in _statements(tree.body):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            own.add(node.name)
        elif isinstance(node, ast.Assign):
            own |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            source = _source(node, dotted, package)
            names = {alias.asname or alias.name for alias in node.names}
            whole += [source] if "*" in names else []
            taken |= {name: source for name in names - {"*"} if source.startswith("keras")}
    # What a module that defines something imports for itself is there by the way.
    kept = taken if package or not own else {name: source for name, source in taken.items() if "legacy" in source}
    return Module(frozenset(own), kept, tuple(whole))


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, (ast.If, ast.Try)):
            yield from _statements([*node.body, *node.orelse])
        if isinstance(node, ast.Try):
            yield from _statements([inner for handler in node.handlers for inner in handler.body])


def _source(node: ast.ImportFrom, dotted: str, package: bool) -> str:
    """Return the dotted name of the module that a statement imports from."""
    if not node.level:
        return node.module or ""
    parts = dotted.split(".") if package else dotted.split(".")[:-1]
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, node.module] if node.module else parts)


def names(found: Mapping[str, Module], dotted: str, seen: tuple[str, ...] = ()) -> set[str]:
    """Return every name that a module has, those that it takes whole included."""
    if dotted in seen or dotted not in found:
        return set()
    module = found[dotted]
    inner = {name.rpartition(".")[2] for name in found if name.rpartition(".")[0] == dotted}
    starred = [name for source in module.whole for name in names(found, source, (*seen, dotted))]
    return {*module.own, *module.taken, *inner, *(name for name in starred if not name.startswith("_"))}


def public(dotted: str) -> str | None:
    """Return the module as users write it; None for what they do not import."""
    for pattern, place in _PUBLIC:
        match = pattern.match(dotted)
        if match:
            return place + dotted[match.end() :]
    return None if _INNER.match(dotted) else dotted


def places(archives: Iterable[Path]) -> tuple[list[str], dict[str, dict[str, set[int]]]]:
    """Return the releases in their order, and for each name the modules with the numbers of the releases."""
    known = {match[1]: path for path in archives if (match := _RELEASE.search(path.name))}
    contents = {release: modules(known[release]) for release in sorted(known, key=Version)}
    releases = [release for release, read in contents.items() if not _points_elsewhere(read)]
    found: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for number, release in enumerate(releases):
        read = contents[release]
        for dotted in read:
            place = public(dotted)
            for name in names(read, dotted) if place else ():
                found[name][str(place)].add(number)
    return releases, found


def _points_elsewhere(read: Mapping[str, Module]) -> bool:
    """Return whether the modules of a release only show the Keras inside of TensorFlow."""
    return any(source.startswith("tensorflow.") for module in read.values() for source in module.whole)


def written(releases: Sequence[str], found: Mapping[str, Mapping[str, set[int]]]) -> str:
    """Return the table."""
    lines = [f"releases = [{', '.join(map(repr, releases))}]".replace("'", '"'), "", "[names]"]
    for name, modules_of in sorted(found.items()):
        if name.startswith(("__", "test_")) or not name.isascii():
            continue
        told = [f"{_short(place)} {_ranges(numbers, releases)}" for place, numbers in sorted(modules_of.items())]
        lines.append(f'{name} = "{"; ".join(told)}"')
    return _HEAD + "\n".join(lines) + "\n"


def _short(place: str) -> str:
    top, _, rest = place.replace("tensorflow.keras", "T", 1).partition(".")
    return ("T" if top == "T" else "K") + (f".{rest}" if rest else "")


def _ranges(numbers: set[int], releases: Sequence[str]) -> str:
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    last = len(releases) - 1
    return ",".join(_range(releases[first], "" if end == last else releases[end]) for first, end in runs)


def _range(first: str, end: str) -> str:
    return first if first == end else f"{first}-{end}"


if __name__ == "__main__":
    TABLE.write_text(written(*places(Path(sys.argv[1]).iterdir())), encoding="utf-8")
