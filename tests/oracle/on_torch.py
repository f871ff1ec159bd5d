"""The torch side of the oracle: Keras 3 on torch.

Inside `BelieveCuda` every tensor says that it is on a CUDA device, device arguments are ignored, a tensor can
not become a numpy array before `.cpu()`, and `torch._VF.lstm` and `gru` are recorders: they check dtypes as torch
does, and return zeros. torch has no other mode: graph and eager are the same. Keras looks only at whether there
is a mask, never into it (from 3.10 to 3.13 what it sees there is swallowed), so no masks are tried.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
from typing import Any, Callable, Iterator

import torch
from torch.overrides import TorchFunctionMode

from watch import Watch, entry, known, phase, structured

CUDA = torch.device("cuda", 0)
TO_NUMPY = {torch.Tensor.numpy, torch.Tensor.__array__}
TO_CPU = {torch.Tensor.cpu}
ANSWERS = {torch.Tensor.device.__get__: CUDA, torch.Tensor.is_cuda.__get__: True}
KERNELS = {torch._VF.lstm: 2, torch._VF.gru: 1}  # and how many states each returns


class BelieveCuda(TorchFunctionMode):
    """Every tensor is on a GPU, as far as anyone can see."""

    def __init__(self, hit: Callable[[], None]) -> None:
        super().__init__()
        self.hit = hit
        self.fetched: list[Any] = []  # tensors that `.cpu()` gave: kept alive, so that none is mistaken for another

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = {key: value for key, value in (kwargs or {}).items() if not (key == "device" and is_cuda(value))}
        if func in ANSWERS:
            return ANSWERS[func]
        if func in TO_NUMPY and not any(args[0] is one for one in self.fetched):
            raise TypeError("can't convert cuda:0 device type tensor to numpy")
        if func in KERNELS:
            self.hit()
            return zeros_of(args, KERNELS[func])
        result = func(*(tensor for tensor in args if not is_cuda(tensor)), **kwargs)
        if func in TO_CPU:
            result = result.detach() if result is args[0] else result
            self.fetched.append(result)
        return result


class Side:
    """torch, believing in a GPU."""

    def __init__(self, keras: Any) -> None:
        self.keras = keras
        self.watch = Watch(self)
        self.gpu = False

    @contextlib.contextmanager
    def believing(self) -> Iterator[None]:
        """Within, Keras sees CUDA, cuDNN and tensors on a GPU."""
        with contextlib.ExitStack() as undo:
            for owner, name, value in self.replacements():
                undo.callback(setattr, owner, name, getattr(owner, name))
                setattr(owner, name, value)
            self.gpu = True
            undo.callback(setattr, self, "gpu", False)
            yield

    def replacements(self) -> Iterator[tuple[Any, str, Any]]:
        """Every attribute to replace: (owner, name, value)."""
        for owner in (torch.cuda, torch.backends.cudnn):
            yield owner, "is_available", self.yes(owner.is_available)
        # Keras 3.14 reaches the LSTM kernel, trips over its result, and runs one of these.
        loops = importlib.import_module("keras.src.backend.torch.rnn")
        for owner, name in ((loops, "_fallback_lstm"), (loops, "_fallback_gru"), (self.keras.src.backend, "rnn")):
            if hasattr(owner, name):
                yield owner, name, self.missing(getattr(owner, name))

    def yes(self, real: Callable[[], bool]) -> Callable[[], bool]:
        """A question whose answer is yes while there is a GPU."""
        return lambda: self.gpu or real()

    def missing(self, real: Any) -> Any:
        """A loop that says that it ran."""

        def loop(*args: Any, **kwargs: Any) -> Any:
            self.watch.miss()
            return real(*args, **kwargs)

        return loop

    @contextlib.contextmanager
    def without_gpu(self) -> Iterator[None]:
        """Within, the GPU is gone again."""
        before, self.gpu = self.gpu, False
        try:
            with torch._C.DisableTorchFunction():
                yield
        finally:
            self.gpu = before

    def unconverted(self, function: Any) -> Any:
        """Nothing rewrites functions here."""
        return function

    def choose_mask(self, layer: Any, original: Any, args: Any, kwargs: Any) -> tuple[Any, Any, bool]:
        """The call's arguments as they are, and whether a mask arrived."""
        given = inspect.signature(original).bind(*args, **kwargs).arguments.get("mask")
        return args, kwargs, given is not None

    def ask(self, model: Any, layers: list[Any], training: bool) -> dict[str, list[dict[str, Any]]]:
        """One dict (layer, masked, routes, error, ...) for each call; graph and eager are one."""
        args, kwargs = self.inputs(model)
        self.watch.calls.clear()
        with self.believing(), torch.set_grad_enabled(training), BelieveCuda(self.watch.hit):
            model(*args, **phase(model, training), **kwargs)
        found = [entry(call, {"any": call.route}) for call in self.watch.calls]
        return {"graph": found, "eager": found}

    def inputs(self, model: Any) -> tuple[list[Any], dict[str, Any]]:
        """Arguments for a model: ones, or what the script called it with."""
        if not getattr(model, "inputs", None):
            args, kwargs = self.watch.fed_to(model)
            return list(args), kwargs
        tensors = [torch.ones(known(item.shape), dtype=getattr(torch, item.dtype)) for item in model.inputs]
        return [structured(model, tensors)], {}


def is_cuda(value: Any) -> bool:
    """Whether an argument names the device that is not there."""
    return isinstance(value, torch.device) and value.type == "cuda"


def zeros_of(arguments: Any, count: int) -> Any:
    """What `torch._VF.lstm` (two states) or `gru` (one) returns: a flat tuple."""
    sequence, states, weights = arguments[0], arguments[1], arguments[2]
    state = states[0] if count == 2 else states
    if any(weight.dtype != sequence.dtype for weight in [*weights, state]):
        raise RuntimeError("Input and parameter tensors are not the same dtype")
    directions = 2 if arguments[7] else 1
    outputs = torch.zeros((*sequence.shape[:2], directions * state.shape[-1]), dtype=sequence.dtype)
    return (outputs, *[torch.zeros_like(state) for _ in range(count)])
