"""Names that an error says are not there, looked up in what releases of Keras have had."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cudnnlint.formats import toml

_IMPORTED = re.compile(
    r"cannot import name ['\"]?(?P<name>\w+)['\"]?"
    r"(?: from (?:partially initialized module )?['\"](?P<module>[\w.]+)['\"])?"
)
_FILE = re.compile(r" \((?P<path>[^()\n]{1,300}\.py)\)")
_MODULE = re.compile(r"No module named ['\"]?(?P<module>[\w.]+)")
_ATTRIBUTE = re.compile(r"module ['\"](?P<module>[\w.]+)['\"] has no attribute ['\"](?P<name>\w+)")
_UNDEFINED = re.compile(r"name ['\"](?P<name>\w+)['\"] is not defined")
_KIND = "(?:activation|loss) function|initializer|regularizer|constraint|optimizer|metric"
_IDENTIFIER = re.compile(
    rf"(?:Could not interpret (?P<kind>{_KIND}) identifier|Unknown (?P<what>{_KIND})):? ['\"]?(?P<name>\w+)"
)
_STATEMENT = re.compile(r"from (?P<module>[\w.]+) import [^\n]*")
#: How installed packages spell the places that users know as tensorflow.keras and keras.
_SPELLINGS = (
    (re.compile(r"^(?:tensorflow|tensorflow_core)(?:\.python|\._api\.v\d)?\.keras(?:\.api)?(?:\._v\d\.keras)?\b"), "T"),
    (re.compile(r"^keras\.(?:api\._v\d|_tf_keras|api\._tf_keras)\.keras\b"), "T"),
    (re.compile(r"^keras(?:\.api|\.src)?\b"), "K"),
)
_SPELT = {"K": "keras", "T": "tensorflow.keras"}
LISTED = 3  # places that one sentence lists


class Place(NamedTuple):
    """A module that has a name, as users write it, and the ranges of releases that have it there."""

    module: str
    ranges: tuple[tuple[str, str], ...]  # first and last release of each; an empty last: the newest has it

    @property
    def today(self) -> bool:
        """Whether the newest release has it."""
        return not self.ranges[-1][1]

    @property
    def since(self) -> str:
        """The releases, as a sentence has them."""
        return " and ".join(_range(first, last) for first, last in self.ranges)


def _range(first: str, last: str) -> str:
    if not last:
        return f"from Keras {first} on"
    return f"in Keras {first}" if first == last else f"in Keras {first} to {last}"


@cache
def _table() -> Mapping[str, str]:
    text = Path(__file__).with_name("keras_names.toml").read_text(encoding="utf-8")
    names: Mapping[str, str] = toml.loads(text)["names"]
    return names


def places(name: str) -> list[Place]:
    """Return where releases of Keras have a name; the ones of today first, and of these the shortest."""
    found = []
    for entry in filter(None, _table().get(name, "").split("; ")):
        module, _, ranges = entry.partition(" ")
        ends = [one.partition("-") for one in ranges.split(",")]
        found.append(Place(_long(module), tuple((first, last if dash else first) for first, dash, last in ends)))
    return sorted(found, key=lambda place: (not place.today, place.module.count("."), place.module))


def _long(module: str) -> str:
    top, dot, rest = module.partition(".")
    return _SPELT[top] + dot + rest


def spelt(module: str) -> str | None:
    """Return a module of Keras as users write it, however an error spells it; None for another package's."""
    for pattern, top in _SPELLINGS:
        found = pattern.match(module)
        if found:
            return _SPELT[top] + module[found.end() :]
    return None


def said(message: str, above: str = "") -> list[str]:
    """Return what is known of the name that an error misses: where it was, where it is, what it may be meant to be.

    `above` are the lines of the traceback, where the import stands.
    """
    undefined = _UNDEFINED.search(message)
    if undefined:
        return [_undefined(undefined["name"])]
    identifier = _IDENTIFIER.search(message)
    if identifier:
        kind = (identifier["kind"] or identifier["what"]).partition(" ")[0]
        module = "keras.losses" if kind == "loss" else f"keras.{kind}s"
        return [fact for fact in _close(module, identifier["name"]) if f"`{module}." in fact]
    lacking = _MODULE.search(message)
    if lacking:
        return _module(lacking["module"], above)
    asked = _asked(message, above)
    if asked is None:
        return _of_others(message, above)
    return _known(*asked) or _close(*asked)


def _of_others(message: str, above: str) -> list[str]:
    """Return whose name it is that is missing, where it is none of Keras."""
    found = _IMPORTED.search(message)
    if found is None:
        return []
    name, module = found["name"], found["module"] or _statement(found["name"], above)
    if module is None:
        return []
    if (module, name) == ("tensorflow", "keras"):
        return [
            "every TensorFlow of today has `keras`: this one is very old, "
            "or a file or folder of the program is called tensorflow"
        ]
    file = _FILE.search(message, found.end())
    top = module.partition(".")[0]
    if file is None:
        return [
            f"`{module}` was found and has no `{name}`: it is another release of {top} than the code was written for"
        ]
    if "-packages" in file["path"]:
        return [f"the installed {top} has no `{name}`: another release of it has, or it has another name there"]
    return [
        f"`{module}` is a file of the program itself, and has no `{name}`: "
        "it is another file of that name, or not whole"
    ]


def _statement(name: str, above: str) -> str | None:
    """Return the module of the last statement above that imports a name."""
    lines = [line for line in _STATEMENT.finditer(above) if re.search(rf"\b{name}\b", line[0])]
    return lines[-1]["module"] if lines else None


def _module(dotted: str, above: str) -> list[str]:
    """Return until when a module of Keras was there, and where today is what the program imports from it."""
    place = spelt(dotted)
    if place is None and "." not in dotted and dotted.islower():
        return [
            f"`{dotted}` is a package that is not installed, or a file of the program: "
            f"then run it from the folder of {dotted}.py"
        ]
    if place is None or "." not in place:
        return []
    outer, _, name = place.rpartition(".")
    told = [
        f"`{outer}` has `{name}` {one.since}" for one in places(name) if one.module in _twins(outer) and not one.today
    ]
    lines = [line for line in _STATEMENT.finditer(above) if line["module"].startswith(dotted)]
    wanted = re.findall(r"\w+", lines[-1][0].partition(" import ")[2]) if lines else []
    return told + [fact for one in wanted[:LISTED] for fact in _today(place, one)]


def _twins(module: str | None) -> tuple[str | None, ...]:
    """Return a module and, for one of tensorflow.keras, the one of Keras itself that it shows."""
    return (module, module.removeprefix("tensorflow.")) if module and module.startswith("tensorflow.") else (module,)


def _today(module: str | None, name: str) -> list[str]:
    """Return where a name is today, for a program that takes its names from `tensorflow.keras` or from `keras`."""
    found = [place for place in places(name) if place.today and place.module != module]
    top = "tensorflow" if (module or "").startswith("tensorflow") else "keras"
    found.sort(key=lambda place: not place.module.startswith(top))
    return [f"today it is `{found[0].module}.{name}`"] if found else []


def _asked(message: str, above: str) -> tuple[str | None, str] | None:
    """Return the module of Keras and the name that it was asked for."""
    found = _ATTRIBUTE.search(message) or _IMPORTED.search(message)
    if found is None:
        return None
    module = found["module"] or _statement(found["name"], above)
    place = spelt(module) if module and not module.startswith(".") else None
    return (place, found["name"]) if place or (module is None and _table().get(found["name"])) else None


def _known(module: str | None, name: str) -> list[str]:
    found = places(name)
    here = [place for place in found if place.module in _twins(module)]
    here.sort(key=lambda place: place.module != module)
    told = [f"`{place.module}` has `{name}` {place.since}" for place in here[:1]]
    if here and here[0].today:
        return [*told, _runs(module)]
    if today := _today(module, name):
        return told + today
    if found and not here:
        told += [f"`{place.module}` has `{name}` {place.since}" for place in found[:LISTED]]
    elif here and not here[0].today:
        told.append(f"no later release of Keras has `{name}`")
    return told


def _runs(module: str | None) -> str:
    """Return why what runs does not have what the newest release of that package has."""
    if (module or "").startswith("tensorflow"):
        return "the TensorFlow that runs is an older one, or a file or folder of the program is called tensorflow"
    return "the Keras that runs is another one, or a file or folder of the program is called keras"


def _close(module: str | None, name: str) -> list[str]:
    """Return the name that was meant, if one of the module is spelt much alike."""
    if module is None:
        return []
    alike = difflib.get_close_matches(name, _of(module), 1, 0.75)
    if alike:
        return [f"no release of Keras that was looked at has `{name}`: `{module}.{alike[0]}` is meant"]
    return [f"no release of Keras that was looked at has `{name}`: it is another package's, or the program's own"]


@cache
def _of(module: str) -> tuple[str, ...]:
    """Return the names that some release has in a module."""
    return tuple(name for name in _table() if any(place.module == module for place in places(name)))


def _undefined(name: str) -> str:
    today = [place for place in places(name) if place.today and place.module.startswith("keras")]
    if today and (name[:1].isupper() or "_" in name):
        return f"`{name}` was never imported: `from {today[0].module} import {name}`"
    return f"no line before this one gives `{name}` a value; in a notebook, the cell that does was not run"
