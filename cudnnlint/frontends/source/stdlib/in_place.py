"""Functions that change what they are given: of operator, heapq and bisect."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import containers, plain
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.plain import Computed, NotPlain
from cudnnlint.frontends.source.python.values import (
    ITEMS,
    NONE,
    Contents,
    Listing,
    Mapping,
    Value,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def in_place(kind: type, plainly: Computed) -> Computed:
    """Return a handler for an operator that changes a list, set or dict: `operator.iadd`.

    `plainly` is the handler of the same operator for what does not change.
    """

    def compute(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        if len(arguments.positional) == 2 and isinstance(arguments.positional[0], (Listing, Mapping)):
            left, right = arguments.positional
            name = "extend" if kind is cst.Add else "update"
            if kind in (cst.Add, cst.BitOr):
                run.call(run.attribute(left, name, origin), Arguments([right]), origin)
                return left
            containers.smear(run, left, Sentence("may have been changed by `", origin, "`, which is not followed"))
        return plainly(run, arguments, origin)

    return compute


def set_item(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `operator.setitem(container, key, value)`."""
    target = arguments.positional[0] if len(arguments.positional) == 3 else None
    if not isinstance(target, (Listing, Mapping)):
        return None
    run.call(run.attribute(target, "__setitem__", origin), Arguments(arguments.positional[1:]), origin)
    return NONE


def delete_item(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `operator.delitem(container, key)`."""
    target = arguments.positional[0] if len(arguments.positional) == 2 else None
    if not isinstance(target, (Listing, Mapping)):
        return None
    name = "pop" if isinstance(target, Listing) else "__delitem__"
    run.call(run.attribute(target, name, origin), Arguments(arguments.positional[1:]), origin)
    return NONE


def changing(function: Callable[..., Any]) -> Computed:
    """Return a handler for a function that changes the list that it is given.

    It is computed where everything is known; otherwise anything may be in the list.
    """

    def compute(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        target = next(iter(arguments.positional), None)
        if not isinstance(target, Listing):
            return None
        try:
            items, *given = [plain.plain(run, value) for value in arguments.positional]
            plain.check_size([items, *given])
            result = plain.attempt(function, items, *given)
            kept = [plain.abstract(run, item) for item in items]
            answer = plain.abstract(run, result)
        except NotPlain as error:
            containers.smear(run, target, Sentence("may have been changed by `", origin, "`, which is not followed"))
            return plain.unknown_of(error.value, origin)
        run.journal.write(target.table, ITEMS, Contents(tuple(kept)))
        return answer

    return compute


IN_PLACE: dict[str, type] = {
    **dict.fromkeys(("iadd", "iconcat"), cst.Add),
    "isub": cst.Subtract,
    "imul": cst.Multiply,
    "ior": cst.BitOr,
    "iand": cst.BitAnd,
}
