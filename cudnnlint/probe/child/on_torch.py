"""Keras 3 on torch."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator
from typing import Any

from .channel import Json
from .recurrent import as_list
from .side import Side, timed
from .signs import GPU_KERNEL, LOOP, observed
from .subject import Subject


class TorchSide(Side):
    """Keras 3 on torch, which always runs eagerly. Keras looks only at whether there is a mask."""

    modes = ("eager",)
    paddings = ("right",)

    def __init__(self, keras: Any, dry: bool) -> None:
        super().__init__(keras, dry)
        self.torch = importlib.import_module("torch")
        self.device = "cuda" if self.torch.cuda.is_available() and not dry else "cpu"

    def gpus(self) -> Any:
        count = self.torch.cuda.device_count() if self.torch.cuda.is_available() else 0
        return [self.torch.cuda.get_device_name(index) for index in range(count)]

    def ones(self, shape: Any, dtype: str) -> Any:
        return self.torch.ones(tuple(shape), dtype=getattr(self.torch, dtype), device=self.device)

    def booleans(self, rows: Any) -> Any:
        return self.torch.tensor(rows, device=self.device)

    def replacements(self) -> Iterator[Any]:
        torch = self.torch
        yield torch.cuda, "is_available", lambda: True
        yield torch.backends.cudnn, "is_available", lambda: True
        yield torch._VF, "lstm", self.recorder("lstm", 2)
        yield torch._VF, "gru", self.recorder("gru", 1)

    @contextlib.contextmanager
    def believing(self) -> Iterator[None]:
        with super().believing(), self.disguise():
            yield

    def disguise(self) -> Any:
        """Return a context in which every tensor says that it is on a GPU, and moving one to a GPU does nothing."""
        torch = self.torch
        base = importlib.import_module("torch.overrides").TorchFunctionMode  # type: Any
        said_device = torch.Tensor.device.__get__

        def here(value: Any) -> Any:
            return torch.device("cpu") if isinstance(value, torch.device) and value.type == "cuda" else value

        class Disguise(base):  # type: ignore[misc]
            def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                if func == said_device:
                    return torch.device("cuda", 0)
                if func is torch.Tensor.__array__ and not getattr(args[0], "landed", False):
                    raise TypeError("can't convert cuda:0 device type tensor to numpy")  # as a real one does
                result = func(*[here(value) for value in args], **{key: here(kwargs[key]) for key in kwargs or {}})
                if func is torch.Tensor.cpu:
                    result.landed = True
                return result

        return Disguise()

    def recorder(self, name: str, states: int) -> Any:
        """Return a stand-in for torch's own LSTM or GRU.

        It takes cuDNN for these dtypes; whether it does for bfloat16 depends on the release.
        """

        def run(inputs: Any, state: Any, params: Any, *options: Any) -> Any:
            torch = self.torch
            if any(item.dtype != inputs.dtype for item in params):
                raise ValueError("parameter types mismatch")  # as torch does
            ours = state if isinstance(state, (tuple, list)) else [state]
            self.hits.append(None if inputs.dtype == torch.bfloat16 else name)
            width = ours[0].shape[-1] * (2 if options[4] else 1)  # the fifth option is `bidirectional`
            outputs = torch.zeros((*inputs.shape[:2], width), dtype=inputs.dtype)
            return (outputs, *[torch.zeros_like(item) for item in ours[:states]])

        return run

    def recording(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        return self.called(subject, training)

    def step(self, subject: Subject, training: bool, padding: str) -> Any:
        """Return a step, with gradients in training."""
        inputs, more = self.inputs(subject, padding)

        def step() -> None:
            with contextlib.nullcontext() if training else self.torch.no_grad():
                outputs = as_list(subject.call(inputs, training=training, **more))
                if training:
                    sum(output.float().sum() for output in outputs).backward()
            if self.device == "cuda":
                self.torch.cuda.synchronize()

        return step

    def executing(self, subject: Subject, mode: str, training: bool) -> Callable[[str], Json]:
        def run(padding: str) -> Json:
            names, kernels = profiled(self.torch, self.device == "cuda", self.step(subject, training, padding))
            seen = observed(names, kernels)
            # Keras 3.14 runs the kernel, stumbles over what it returns, and loops: signs in both directions are none.
            return dict(seen, route=None) if seen["route"] == "cudnn" and any(map(LOOP.search, names)) else seen

        return run

    def seconds(self, subject: Subject, repeats: int) -> Any:
        return timed(self.step(subject, True, "right"), repeats)


def profiled(torch: Any, cuda: bool, step: Callable[[], Any]) -> Any:
    """Return the names of the operations that a step executes, and which of them are kernels of the GPU."""
    profiler = torch.profiler
    kinds = [profiler.ProfilerActivity.CPU, *([profiler.ProfilerActivity.CUDA] if cuda else [])]
    with profiler.profile(activities=kinds) as profile:
        step()
    names = [event.key for event in profile.key_averages()]
    return names, [name for name in names if GPU_KERNEL.search(name.encode())]
