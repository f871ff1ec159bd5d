"""The text of a model or config, `model.to_json()`: kept as the dict that it is of, which a replacement changes."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.keras.mutations import STANDARD
from cudnnlint.frontends.source.keras.tensors import ReleaseDefault
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    Bound,
    Const,
    Library,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    options,
    words,
)
from cudnnlint.frontends.source.python.whole import Whole
from cudnnlint.frontends.source.stdlib.objects import deep_copy
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Functions that make a text of a dict, and that make the dict of the text again.
DUMPS, LOADS = "json.dumps", "json.loads"
#: Methods after which a text says the same.
_SAME = words("encode decode strip rstrip lstrip")
#: Parts of what json writes for a dtype: its name, or the policy.
_OF_DTYPES = ("float", "32", "16", "64", "name", "module", "DType", "olicy")
#: Characters of a text that is more than one entry of a dict.
_BETWEEN = frozenset("{}[],\n")
BECAUSE = "may have been changed in the text that it comes from, in a way that is not followed"


@record(frozen=True, eq=False)
class ConfigText(Whole):
    """The text of a dict, as JSON."""

    config: Mapping

    @property
    def key(self) -> Hashable:
        """The dict that it is of."""
        return id(self.config.table)


def call(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate a function on a dict or its text; any other function than json's may give another text.

    None where it is not one of json's, and gets no text of a config.
    """
    value = arguments.positional[0] if arguments.positional else None
    if name == DUMPS and isinstance(value, Mapping):
        return of(run, value, origin)
    if name == LOADS and isinstance(value, ConfigText):
        return read(run, value, origin)
    given = () if run.library.knows(name) else arguments.every()
    text = next((one for one in given if isinstance(one, ConfigText)), None)
    return None if text is None else _in_doubt(run, text, origin)


def of(run: Interpreter, config: Mapping, origin: Origin) -> ConfigText:
    """Return the text of a dict as it is now."""
    return ConfigText(_copy(run, config, origin))


def read(run: Interpreter, text: ConfigText, origin: Origin) -> Mapping:
    """Return the dict that a text describes: a new one each time."""
    return _copy(run, text.config, origin)


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of the text of a config; None for a method of anything else."""
    text = bound.receiver
    if not isinstance(text, ConfigText):
        return None
    if bound.name in _SAME:
        return text
    if bound.name != "replace":
        return UnknownValue("is made of the text of a config, which is not followed", origin, at=origin)
    old, new = (arguments.get(place, name) for place, name in enumerate(("old", "new")))
    known = [one.value for one in (old, new) if isinstance(one, Const) and isinstance(one.value, str)]
    if len(known) < 2 or len(arguments.every()) > 2 or not known[0] or not _BETWEEN.isdisjoint(known[0] + known[1]):
        return _in_doubt(run, text, origin)
    changed = of(run, text.config, origin)
    for table in _dicts(changed.config):
        _replace(run, table, known[0], known[1])
    return changed


def _replace(run: Interpreter, entries: Mapping, old: str, new: str) -> None:
    """Replace a part of the text of each entry of one dict."""
    for key, cell in entries.table.items():
        if not isinstance(key, str) or isinstance(cell, (Mapping, Listing, Tuple)):
            continue
        shown = _as_json(key, cell)
        if shown is None and (f'"{key}"' in old or (key == "dtype" and any(part in old for part in _OF_DTYPES))):
            run.journal.write(entries.table, key, UnknownValue(BECAUSE))
        if shown is None or old not in shown:
            continue
        after = _parsed(shown.replace(old, new))
        run.journal.write(entries.table, key, UnknownValue(BECAUSE) if key not in after else Const(after[key]))
        for name in after.keys() - {key}:
            run.journal.write(entries.table, name, Const(after[name]))


def _as_json(key: str, cell: Value) -> str | None:
    """Return an entry as json writes it; None where that is not known."""
    if isinstance(cell, ReleaseDefault) and key in STANDARD:
        return json.dumps({key: STANDARD[key]})[1:-1]
    if isinstance(cell, Library):
        return json.dumps({key: cell.name.rsplit(".", 1)[-1]})[1:-1]
    known = isinstance(cell, Const) and isinstance(cell.value, (str, int, float, bool, type(None)))
    return json.dumps({key: cell.value})[1:-1] if known and isinstance(cell, Const) else None


def _parsed(entry: str) -> dict[str, Any]:
    """Return the entries of a text; nothing where it is no JSON any more."""
    try:
        found = json.loads("{" + entry + "}")
    except ValueError:
        return {}
    return {key: value for key, value in found.items() if not isinstance(value, (dict, list))}


def _in_doubt(run: Interpreter, text: ConfigText, origin: Origin) -> ConfigText:
    """Return a text of which any entry may be another."""
    changed = of(run, text.config, origin)
    for entries in _dicts(changed.config):
        if "class_name" not in dict(entries.table.items()):
            containers.smear(run, entries, BECAUSE)
    return changed


def _dicts(value: Value) -> Iterator[Mapping]:
    """Yield a dict, and those in it."""
    for option in options(value):
        if isinstance(option, Mapping):
            yield option
            for _, cell in list(option.table.items()):
                yield from _dicts(cell)
        elif isinstance(option, (Listing, Tuple)):
            contents = option.contents if isinstance(option, Tuple) else containers.contents_of(option)
            for item in (*contents.items, *([] if contents.rest is None else [contents.rest])):
                yield from _dicts(item)


def _copy(run: Interpreter, config: Mapping, origin: Origin) -> Mapping:
    copied = deep_copy(run, Arguments([config]), origin)
    assert isinstance(copied, Mapping)
    return copied
