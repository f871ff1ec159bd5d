"""A backend as the probe sees it: what makes it believe in a GPU, how a layer runs, and how long that takes."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from .channel import Json
from .signs import raised, seen
from .subject import PADDINGS, Subject

TORCH_LOOPS = ("_fallback_lstm", "_fallback_gru")


class Side:
    """A backend. `dry` sides believe in a GPU while they are asked; the others use the one that is there."""

    modes = ("graph", "eager")  # type: tuple[str, ...]
    paddings = PADDINGS  # type: tuple[str, ...]  # those whose route may differ

    def __init__(self, keras: Any, dry: bool) -> None:
        self.keras = keras
        self.dry = dry
        self.believes = False
        self.hits = []  # type: list[Any]

    def replacements(self) -> Iterator[Any]:
        """Yield the replacements that make Keras believe in a GPU: (owner, attribute, value)."""
        raise NotImplementedError

    @contextlib.contextmanager
    def believing(self) -> Iterator[None]:
        """Make Keras see a GPU, and recorders in the place of cuDNN's functions, while the context lasts."""
        if self.believes:
            yield
            return
        with contextlib.ExitStack() as undo:
            for owner, name, value in [*self.replacements(), *self.loops()]:
                undo.callback(put_back(owner, name))
                setattr(owner, name, value)
            undo.callback(setattr, self, "believes", False)
            self.believes = True
            yield

    def loops(self) -> Iterator[Any]:
        """Keras 3's loops: where one runs after all, what the kernel computed before was thrown away."""
        for module, names in (("keras.src.backend", ("rnn",)), ("keras.src.backend.torch.rnn", TORCH_LOOPS)):
            owner = sys.modules.get(module)
            for name in names:
                if hasattr(owner, name) and self.keras.__name__ == "keras":
                    yield owner, name, self.looping(getattr(owner, name))

    def looping(self, real: Any) -> Any:
        """Return a loop that forgets the hits before it."""

        def loop(*args: Any, **kwargs: Any) -> Any:
            self.hits = []
            return real(*args, **kwargs)

        return loop

    def unconverted(self, function: Any) -> Any:
        """Keep a framework from rewriting a function of ours."""
        return function

    def fresh(self) -> None:
        """Clean the framework, as in a new process."""
        self.keras.backend.clear_session()
        self.set_policy("float32")

    def set_policy(self, name: str) -> None:
        """Set the global dtype policy."""
        mixed = self.keras.mixed_precision
        if hasattr(mixed, "set_global_policy"):
            mixed.set_global_policy(name)
        elif name != "float32":
            mixed.experimental.set_policy(name)

    def ones(self, shape: Any, dtype: str) -> Any:
        """Return a tensor of ones."""
        raise NotImplementedError

    def ragged(self, shape: Any, dtype: str) -> Any:
        """Return a ragged tensor of ones, where the framework has them."""
        raise NotImplementedError

    def booleans(self, rows: Any) -> Any:
        """Return a tensor of booleans."""
        raise NotImplementedError

    def inputs(self, subject: Subject, padding: str) -> Any:
        """Return the arguments of a call of a subject: the sequences and keyword arguments."""
        more = {}
        if subject.masked and padding != "none":
            more["mask"] = self.booleans(subject.mask(padding))
        if subject.states:
            more["initial_state"] = [self.ones(shape, dtype) for shape, dtype in subject.states]
        return self.ones(subject.shape, subject.dtype), more

    def ask(self, subject: Subject, mode: str, training: bool, wanted: Any) -> Json:
        """Return what a subject runs, by padding. The framework's errors are answers."""
        found = {}
        run = (self.recording if self.dry else self.executing)(subject, mode, training)
        for padding in subject.paddings(wanted):
            try:
                with self.believing() if self.dry else contextlib.nullcontext():
                    found[padding] = run(padding)
            except Exception as error:
                found[padding] = raised(error)
        return found

    def recording(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        """Return what observes the call with one padding while Keras believes in a GPU."""
        raise NotImplementedError

    def executing(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        """Return what runs the call with one padding on the GPU, and observes it."""
        raise NotImplementedError

    def called(self, subject: Subject, training: bool) -> Callable[[str], Json]:
        """Return what calls the layer as it is, and sees whether a recorder was reached."""

        def run(padding: str) -> Json:
            self.hits = []
            inputs, more = self.inputs(subject, padding)
            subject.call(inputs, training=training, **more)
            return seen(self.hit())

        return run

    def hit(self) -> Any:
        """Return the route that the recorders saw; None where one of them could not say."""
        if None in self.hits:
            return None
        return "cudnn" if self.hits else "fallback"

    def seconds(self, subject: Subject, repeats: int) -> Any:
        """Return the median time of a training step, in seconds."""
        raise NotImplementedError

    def gpus(self) -> Any:
        """Return the GPUs that the framework sees."""
        raise NotImplementedError


def put_back(owner: Any, name: str) -> Callable[[], None]:
    """Return what restores an attribute, or takes it away again."""
    if hasattr(owner, name):
        before = getattr(owner, name)
        return lambda: setattr(owner, name, before)
    return lambda: delattr(owner, name)


def median(durations: Any) -> float:
    """Return the middle one of the durations."""
    return float(sorted(durations)[len(durations) // 2])


def timed(step: Callable[[], Any], repeats: int) -> float:
    """Return the median duration of a step that waits for the device, after two steps to warm up."""
    durations = []
    for number in range(repeats + 2):
        start = time.perf_counter()
        step()
        if number > 1:
            durations.append(time.perf_counter() - start)
    return median(durations)
