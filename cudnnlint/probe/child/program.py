"""Runs an example of the rulebook as a whole, and finds what it makes. No program of the user's comes here."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from .channel import Json, said
from .recurrent import RECURRENT, ancestors, walk

TIMES = "TimeDistributed"


class Unusable(Exception):
    """The example stops by itself, or makes nothing that can be asked; the text says which."""


def run(path: str, keras: Any, count: int) -> Any:
    """Return the model or layer that an example makes, in which are `count` recurrent layers.

    Raises Unusable, and whatever the framework raises.
    """
    with open(path, encoding="utf-8") as file:
        text = file.read()
    space = {"__name__": "__main__"}  # type: dict[str, Any]
    try:
        exec(compile(text, path, "exec"), space)
    except Exception as error:
        if innermost(error.__traceback__) == path and not isinstance(error, TypeError):  # which a wrong argument is
            raise Unusable("it stops by itself: " + said(error)) from error
        raise
    found = made(space, keras)
    if len(list(walk(found))) != count:
        raise Unusable("it has another number of recurrent layers")
    return found


def innermost(trace: TracebackType | None) -> str:
    """Return the file of the code that raised an error."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else trace.tb_frame.f_code.co_filename


def made(space: Json, keras: Any) -> Any:
    """Return what an example ends with, by the names that the rulebook's pages use."""
    for name in ("model", "layer"):
        if name in space:
            return space[name]
    values = [one for value in space.values() for one in (value if isinstance(value, list) else [value])]
    tensors = [value for value in values if hasattr(value, "shape") and hasattr(value, "dtype")]
    if "outputs" in space:
        return keras.Model([value for value in tensors if value is not space["outputs"]], space["outputs"])
    raise Unusable("it makes no model and no layer")


def has_inputs(model: Any) -> bool:
    """Return whether it is a model that knows its inputs."""
    return hasattr(model, "layers") and bool(getattr(model, "inputs", None))


def spec_of(layer: Any) -> Json:
    """Return what the feeder has to know of a layer that the example does not call."""
    kinds = [kind for kind in ancestors(layer) if kind.startswith(("ConvLSTM", *RECURRENT)) or kind == TIMES]
    return {
        "class_name": next((kind for kind in kinds if kind.startswith("ConvLSTM")), "RNN"),
        "wrappers": [{"kind": TIMES}] if TIMES in kinds else [],
        "arguments": {},
        "masked": False,
        "initial_state": False,
        "input_dtype": None,
        "state_dtypes": [],
        "features": built_for(layer),
    }


def built_for(layer: Any) -> Any:
    """Return the number of features that the first weights of a layer are for, a kernel's; None where it has none."""
    shapes = [tuple(weight.shape) for weight in layer.weights[:1]]
    return int(shapes[0][-2]) if shapes and len(shapes[0]) > 1 else None
