"""What the tables of names, of files and of masks say of each release, as the releases at which it changes.

Like by_release.py, which asks for values and traits: every line is what a reader of the tables is told there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from by_release import TABLES, alike

from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.target import Point
from cudnnlint.targets import environment

Key = tuple[str, str]


def lines() -> Iterator[str]:
    """Yield a line for the files of one kind that the same releases do not load, and for names that mean the same."""
    files = _files()

    def loads(called: str, about: str, point: Point) -> str:
        return "does not load" if any(one.holds(point) for one in files[called, about]) else "loads"

    yield from (f"file with {line}" for line in alike(set(files), loads, "loads"))
    yield from (f"import {line}" for line in alike(set(_imports()), _means, "its name"))
    yield from (f"mask {line}" for line in alike({("at", name) for name in _masked()}, _masks, "?"))
    yield from (f"integers {line}" for line in sorted(_integers()))
    yield from (f"name {line}" for line in sorted(_names()))
    yield from (f"release {line}" for line in sorted(_known()))


def _files() -> dict[Key, list[LoadFault]]:
    """Return the faults by what is looked for, and by the kinds of files and classes that they are about."""
    found: dict[Key, list[LoadFault]] = defaultdict(list)
    for row in TABLES.names.load_faults:
        for kind in row.formats:
            for name in row.classes or {""}:
                found[_called(row), f"{name} {kind}".strip()].append(row)
    return found


def _called(row: LoadFault) -> str:
    """What is looked for, in whose files: of the generation that is to load them, of both, of some releases."""
    whose = "any Keras" if row.anywhere else "that Keras"
    return " ".join([row.kind, *([row.key] if row.key else []), "by", str(row.wrote) if row.wrote else whose])


def _imports() -> Iterator[Key]:
    """Yield each class under the prefix of its row, and below `layers` where that is a Keras as a whole."""
    for one in TABLES.meanings:
        whole = one.prefix.rpartition(".")[2] == "keras"
        for prefix in (one.prefix, *([f"{one.prefix}.layers"] if whole else [])):
            yield from ((prefix, name) for name in one.classes)


def _means(prefix: str, name: str, point: Point) -> str:
    found = TABLES.meaning(f"{prefix}.{name}", name, point)
    if found is None:
        return "its name"
    return found.operation.replace(name, "*") if found.operation else "imported only" if found.imported else "none"


def _masked() -> Iterator[str]:
    masks = TABLES.names.masks
    yield from {*masks.classes, *(name for epoch in masks.epochs for name in epoch.effects)}


def _masks(_: str, name: str, point: Point) -> str:
    masks = TABLES.names.masks
    found = [masks.effect(name, epoch) for epoch in masks.epochs if epoch.era.holds(point)]
    return " and ".join(one.value if one is not None else "?" for one in found)


def _integers() -> Iterator[str]:
    """Yield what comes of integers in operations and layers, and at which layers they stop, by the value of what."""
    masks = TABLES.names.masks
    groups: dict[str, list[str]] = {}
    for name, becomes in masks.operations.items():
        groups.setdefault(f"in an operation: {becomes.value}", []).append(name)
    for name, kinds in masks.dtypes.items():
        told = ", ".join(f"Keras {major} {kind.value}" for major, kind in sorted(kinds.items()))
        groups.setdefault(f"in a layer: {told}", []).append(name)
    for name, decides in masks.at_whole.items():
        groups.setdefault(f"may stop {decides or 'whatever is set'}", []).append(name)
    yield from (f"{told} [{', '.join(sorted(names))}]" for told, names in groups.items())


def _names() -> Iterator[str]:
    """Yield the second names of classes, and those below keras.layers of which it is known only that they are there."""
    names = TABLES.names
    groups: dict[str, list[str]] = {}
    for alias in names.aliases:
        groups.setdefault(f"is another of {names.layer(alias)}", []).append(alias)
    for name in names.exported | names.former:
        there = "in no release" if names.in_no_release(f"keras.layers.{name}") else "in some release"
        groups.setdefault(f"{'former, ' if name in names.former else ''}{there}", []).append(name)
    yield from (f"{told} [{', '.join(sorted(found))}]" for told, found in groups.items())


def _known() -> Iterator[str]:
    """Yield what is known of the releases themselves: who wrote which version, what comes with what, and until when."""
    known = environment.known()
    yield from (f"that writes {text}: TensorFlow {span}" for text, span in known.writers.items())
    yield from (f"{build}: the last is {last}" for build, last in known.ended.items())
    yield from (f"{package} brings {framework} {release}" for package, (framework, release) in known.brings.items())
    oldest = {f"{one.major}.{one.minor}": known.oldest_under(one) for one in known.known["tensorflow"]}
    yield from (f"TensorFlow {minor}: Keras 3 from {release}" for minor, release in oldest.items())
    for use, bounds in (("module or name", known.old_imports), ("name of layers", known.layer_names),
                        ("later module", known.later_imports)):  # fmt: skip
        yield from (f"{package} {until} is without the {use} {name}" for name, (package, until) in bounds.items())
    yield from (f"{name} needs TensorFlow before {until}" for name, until in known.beneath.items())
    yield f"keras hands on TensorFlow's {known.handed_on} from {known.standalone_until} on"
