"""The inputs and outputs of a functional model in their order, however they are given: one, a list, a dict."""

from __future__ import annotations

from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import ANY, Contents, Listing, Mapping, Tuple, Value, may_be_missing


def flat(ends: Value) -> Value:
    """Return the inputs or outputs of a functional model as a tuple, where they are a list, or a dict of known keys."""
    if isinstance(ends, Listing):
        return Tuple(containers.contents_of(ends))
    if isinstance(ends, Mapping) and (entries := in_key_order(ends)) is not None:
        return Tuple(Contents(tuple(entries)))
    return ends


def in_key_order(ends: Mapping) -> list[Value] | None:
    """Return the values of a plain dict by its keys, as Keras takes them (asked of 3.15.1 and tf_keras 2.21).

    None where the keys are not known, or the dict is of another class, whose order Keras may keep.
    """
    found = {key: value for key, value in ends.table.items() if isinstance(key, str) and key != ANY}
    known = len(found) == len(ends.table.items()) and not any(map(may_be_missing, found.values()))
    return [found[key] for key in sorted(found)] if known and ends.body is None else None
