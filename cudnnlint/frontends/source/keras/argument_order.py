"""What a subclass passes by position to the `call` of Keras's own recurrent class: Keras 2 and 3 order it otherwise.

Asked of Keras 3.15.1 and tf_keras 2.21 (tests/end_to_end/test_calls_of_super.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.keras import masks
from cudnnlint.frontends.source.keras.tensors import Tensor
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Const, Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: What follows the input, in Keras 2 and in Keras 3.
KERAS_2 = ("mask", "training", "initial_state")
KERAS_3 = ("initial_state", "mask", "training")
#: The kinds of stops (stops.py, tables/defaults.toml): what takes the place of `training` of the other Keras.
AS_MASK = Const("training in the place of the mask of Keras's own call()")
MASK_AS_STATE = Const("a mask in the place of the initial state of Keras's own call()")
AS_STATE = Const("training in the place of the initial state of Keras's own call()")


def taken(run: Interpreter, arguments: Arguments, name: str) -> Value | None:
    """Return the `mask` or the `initial_state` that Keras's method takes; None where no release is passed one."""
    given = {2: _named(arguments, KERAS_2, name), 3: _named(arguments, KERAS_3, name)}
    if all(one is None for one in given.values()):
        return None
    found = masks.by_epoch(run, lambda epoch, _: given[3 if epoch.major > 2 else 2] or NONE)
    return None if name == "initial_state" and containers.is_nothing(found) else found


def _named(arguments: Arguments, order: tuple[str, ...], name: str) -> Value | None:
    by_position = dict(zip(order, arguments.positional[1:], strict=False))
    return by_position.get(name, arguments.keywords.get(name))


def stops(arguments: Arguments, origin: Origin) -> Iterator[Value]:
    """Yield what stops at a call of the method that passes a mask or `training` in another place."""
    first = arguments.positional[1]
    if isinstance(first, Tensor) and first.is_mask:
        yield MASK_AS_STATE
    args = origin.node.args if isinstance(origin.node, cst.Call) else ()
    names = [one.value.value if isinstance(one.value, cst.Name) else "" for one in args]
    if any(one.star for one in args):
        return
    for place, kind in ((KERAS_2.index("training") + 1, AS_MASK), (KERAS_3.index("training") + 1, AS_STATE)):
        if place < len(args) and args[place].keyword is None and names[place] in ("training", "True", "False"):
            yield kind
