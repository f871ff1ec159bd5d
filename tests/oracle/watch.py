"""Watches a framework while it builds and calls recurrent layers.

Knows no backend. A `Watch` hooks the constructor of the framework's base layer; from then on it knows for
every layer which lines of the script built it, and for every call of a recurrent layer which route it took.
A layer that stops with an error only because of the GPU is repeated without the GPU, so that one bad layer
does not hide the others.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import sys
from typing import Any, Callable, Iterator

# Base classes of every recurrent layer, in all generations of Keras.
RECURRENT = {"RNN", "ConvRNN", "ConvRNN2D", "_CuDNNRNN"}
FRAMEWORKS = ("keras", "tf_keras", "tensorflow")
LONGEST_ERROR = 400
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
BATCH, STEPS, FEATURES = 3, 5, 3  # stand in for dimensions that a model leaves open; three rows show every padding


class Call:
    """One call of one recurrent layer: the route it took, and what it complained of."""

    def __init__(self, layer: Any, masked: bool) -> None:
        self.layer = layer
        self.masked = masked
        self.route = "fallback"
        self.fused = False
        self.error: str | None = None
        self.defect: str | None = None
        self.device: str | None = None


class Watch:
    """The stack of recurrent layers being called, the calls made, and where each layer was built."""

    def __init__(self, side: Any) -> None:
        self.side = side
        self.stack: list[Call] = []
        self.calls: list[Call] = []
        self.lines: dict[int, tuple[Any, list[int]]] = {}  # the layer is kept, so that its id stays its own
        self.columns: dict[int, int | None] = {}
        self.wrapped: dict[int, tuple[Any, Any]] = {}  # Bidirectional: the layers its author gave it
        self.fed: dict[int, tuple[Any, Any]] = {}  # subclassed models: the first arguments they were called with
        self.paddings: dict[int, set[str]] = {}  # the masks that the script's own data brought: right, left, empty
        self.script: str | None = None
        self.broken: str | None = None  # what stops a layer without a GPU too: a mask of a shape that it cannot take

    @contextlib.contextmanager
    def hooked(self, base: type) -> Iterator[None]:
        """Hook the base layer's constructor."""
        construct: Callable[..., None] = base.__init__  # type: ignore[misc]

        def watched(layer: Any, *args: Any, **kwargs: Any) -> None:
            self.note(layer)
            construct(layer, *args, **kwargs)

        watched.__signature__ = inspect.signature(construct)  # type: ignore[attr-defined]
        base.__init__ = watched  # type: ignore[misc]
        try:
            yield
        finally:
            base.__init__ = construct  # type: ignore[misc]

    def forget(self) -> None:
        """Start afresh, for the next model."""
        self.lines.clear()
        self.columns.clear()
        self.wrapped.clear()
        self.fed.clear()
        self.calls.clear()
        self.stack.clear()
        self.paddings.clear()
        self.broken = None

    def note(self, layer: Any) -> None:
        """Remember where a layer is being built, and watch its calls from now on."""
        if id(layer) in self.lines and self.lines[id(layer)][0] is layer:
            return
        self.lines[id(layer)] = (layer, list(self.script_lines()))
        self.columns[id(layer)] = self.column()
        if is_bidirectional(layer):
            self.wrapped[id(layer)] = given_to(layer, self.frames())
        if is_recurrent(layer) or is_bidirectional(layer) or is_model(layer):
            self.wrap(layer)

    def frames(self) -> Iterator[Any]:
        """The calling frames, innermost first."""
        frame: Any = sys._getframe(1)
        while frame is not None:
            yield frame
            frame = frame.f_back

    def script_lines(self) -> Iterator[int]:
        """The lines of the script that are running, innermost first; a comprehension counts as no call."""
        inside = False
        for frame in self.frames():
            if frame.f_code.co_filename == self.script:
                if not inside:
                    yield frame.f_lineno
                inside = frame.f_code.co_name in COMPREHENSIONS

    def column(self) -> int | None:
        """The column of the innermost call in the script, where this Python knows it."""
        frame = next((frame for frame in self.frames() if frame.f_code.co_filename == self.script), None)
        if frame is None or not hasattr(frame.f_code, "co_positions"):
            return None
        offset = next(itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))[2]
        return None if offset is None else offset + 1

    def wrap(self, layer: Any) -> None:
        """Put a watcher before the layer's own `call`: wrappers reach it past `__call__` too."""
        original = type(layer).call.__get__(layer)
        enter = self.enter_model if is_model(layer) else self.enter

        def call(*args: Any, **kwargs: Any) -> Any:
            return enter(layer, original, args, kwargs)

        # Keras reads the signature; it must be the layer's own.
        call.__signature__ = inspect.signature(original)  # type: ignore[attr-defined]
        layer.__dict__["call"] = self.side.unconverted(call)

    def enter_model(self, model: Any, original: Any, args: Any, kwargs: Any) -> Any:
        """Remember what a model was fed: a subclassed one says nowhere else what its input is."""
        self.fed.setdefault(id(model), (args, kwargs))
        return original(*args, **kwargs)

    def fed_to(self, model: Any) -> tuple[Any, dict[str, Any]]:
        """The arguments that the script called a model with, less `training`."""
        if id(model) not in self.fed:
            raise LookupError("the model has no inputs: it was never built or called")
        args, kwargs = self.fed[id(model)]
        return args, {key: value for key, value in kwargs.items() if key != "training" and value is not None}

    def see(self, layer: Any, rows: Any) -> None:
        """A mask reaches a layer while the script runs: rows of truth values."""
        self.paddings.setdefault(id(layer), set()).update(padding_of(list(row)) for row in rows)

    def enter(self, layer: Any, original: Any, args: Any, kwargs: Any) -> Any:
        """Call a layer and write down what became of it."""
        args, kwargs, masked = self.side.choose_mask(layer, original, args, kwargs)
        call = Call(layer, masked)
        self.calls.append(call)
        self.stack.append(call)
        try:
            result = original(*args, **kwargs)
            call.defect = wrong_count(layer, result)
        except Exception as error:
            if is_bidirectional(layer):
                raise
            call.route, call.error = "raises", said(error)
        finally:
            self.stack.pop()
        if call.error or call.defect:
            result = self.recover(layer, original, args, kwargs)
        return result

    def recover(self, layer: Any, original: Any, args: Any, kwargs: Any) -> Any:
        """Repeat a call without the GPU; if that fails too, at inference, then without its mask. Else it is broken
        everywhere."""
        insisted = getattr(layer, "use_cudnn", None)
        with self.side.without_gpu():
            if insisted is True:
                layer.use_cudnn = "auto"
            try:
                return repeat(layer, original, args, kwargs)
            except Exception:
                return self.at_inference(layer, original, args, dict(kwargs, training=False))
            finally:
                if insisted is True:
                    layer.use_cudnn = True

    def at_inference(self, layer: Any, original: Any, args: Any, kwargs: Any) -> Any:
        """Repeat a call at inference, or without a mask, which may have a shape that no layer takes."""
        try:
            return repeat(layer, original, args, kwargs)
        except Exception as error:
            if kwargs.get("mask") is None:
                raise
            self.broken = said(error)
            return repeat(layer, original, args, dict(kwargs, mask=None))

    def hit(self) -> None:
        """The innermost layer being called has reached its cuDNN kernel."""
        if self.stack:
            self.stack[-1].route = "cudnn"
            self.stack[-1].fused = is_bidirectional(self.stack[-1].layer)

    def refuse(self, error: str) -> None:
        """The innermost layer being called has reached its kernel, and the step stops when it is compiled."""
        if self.stack:
            self.stack[-1].route, self.stack[-1].error = "raises", error

    def miss(self) -> None:
        """The innermost layer being called runs its loop: whatever its kernel gave was thrown away."""
        if self.stack:
            self.stack[-1].route = "fallback"


def entry(call: Call, routes: dict[str, str]) -> dict[str, Any]:
    """One call, written down, with its route for each kind of mask."""
    return {
        "layer": call.layer,
        "masked": call.masked,
        "routes": routes,
        "fused": call.fused,
        "error": call.error,
        "defect": call.defect,
        "device": call.device,
    }


def phase(model: Any, training: bool) -> dict[str, bool]:
    """How Keras's own steps tell a model the phase: Keras 3 only one whose `call` has the argument."""
    return {"training": training} if getattr(model, "_call_has_training_arg", True) else {}


def structured(model: Any, inputs: list[Any]) -> Any:
    """The inputs of a functional model as it takes them: by name, one, or a list."""
    for name in ("_inputs_struct", "_nested_inputs"):
        structure = getattr(model, name, None)
        if isinstance(structure, dict):
            return dict(zip(sorted(structure), inputs))
    return inputs[0] if len(inputs) == 1 else inputs


def padding_of(row: list[bool]) -> str:
    """What the kernel thinks of one row of a mask."""
    if not any(row):
        return "empty"
    return "right" if sorted(row, reverse=True) == row else "left"


def known(shape: Any) -> list[int]:
    """A shape with numbers for what is open."""
    stand_ins = [BATCH, STEPS] + [FEATURES] * len(shape)
    return [here if size is None else int(size) for size, here in zip(shape, stand_ins)]


def repeat(layer: Any, original: Any, args: Any, kwargs: Any) -> Any:
    """Call once more, without the dropout masks that a broken call left behind (they belong to its graph)."""
    if hasattr(layer, "_maybe_reset_dropout_masks"):
        layer._maybe_reset_dropout_masks(layer.cell)
    return original(*args, **kwargs)


def wrong_count(layer: Any, result: Any) -> str | None:
    """A sentence if a layer that returns its states did not return one output for each."""
    if is_bidirectional(layer) or not getattr(layer, "return_state", False):
        return None
    size = getattr(getattr(layer, "cell", None), "state_size", None)
    expected = 1 + (len(size) if isinstance(size, (list, tuple)) else 1)
    if size is None or not isinstance(result, (list, tuple)) or len(result) == expected:
        return None
    return f"returned {len(result)} outputs, {expected} expected"


def given_to(layer: Any, frames: Iterator[Any]) -> tuple[Any, Any]:
    """The forward and backward layer as written: Bidirectional copies them, and the copies have other lines."""
    for frame in frames:
        names = frame.f_locals if frame.f_code.co_name == "__init__" else {}
        if names.get("self") is layer and "layer" in names and "backward_layer" in names:
            return names["layer"], names["backward_layer"]
    return None, None


def ancestors(layer: Any) -> list[str]:
    """Names of the framework's own classes that a layer descends from."""
    return [kind.__name__ for kind in type(layer).__mro__ if kind.__module__.split(".")[0] in FRAMEWORKS]


def is_recurrent(layer: Any) -> bool:
    """Whether it is a recurrent layer (a cell is none)."""
    return bool(RECURRENT.intersection(ancestors(layer)))


def is_bidirectional(layer: Any) -> bool:
    """Whether it is Keras's Bidirectional."""
    return "Bidirectional" in ancestors(layer)


def is_model(layer: Any) -> bool:
    """Whether it is a model that its author wrote as a class."""
    names = ancestors(layer)
    return "Model" in names and "Functional" not in names and "Sequential" not in names


def said(error: BaseException) -> str:
    """An error's class and words, on one line, without the traceback that TensorFlow puts before an assertion."""
    words = " ".join(str(error).split())
    words = words[max(words.find("assertion failed"), 0) :]
    return (f"{type(error).__name__}: {words}")[:LONGEST_ERROR]
