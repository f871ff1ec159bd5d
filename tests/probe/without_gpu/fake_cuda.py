"""Keras 3 on torch, with CUDA tensors that have no data: which operations does torch itself choose for them?

Nothing of Keras is replaced, and torch's own dispatcher decides. It is a torch built for CUDA; one_gpu.c, preloaded,
stands for the driver and the GPU. Tensors are torch's FakeTensors: shape, dtype and device, as for torch.compile.
"""

from __future__ import annotations

import importlib
from typing import Any

FORWARD, BACKWARD = "aten._cudnn_rnn.default", "aten._cudnn_rnn_backward.default"
KERNEL = "aten::_cudnn_rnn"
NUMBER = "aten._local_scalar_dense.default"  # what int(tensor) asks for: here it seeds a generator
ORTHOGONAL = "aten.linalg_qr.default"  # draws recurrent weights; its fake takes dtypes that the kernels do not have


def side(child: str) -> Any:
    """Return the side, made of the child's own for torch. `child` is the name of the child's package."""
    signs = importlib.import_module(child + ".signs")
    torch_side: Any = importlib.import_module(child + ".on_torch").TorchSide

    class FakeCudaSide(torch_side):  # type: ignore[misc]
        """Fake tensors from the first to the last; every operation is noted."""

        def __init__(self, keras: Any, dry: bool) -> None:
            super().__init__(keras, dry)
            self.ops: list[str] = []
            fake = importlib.import_module("torch._subclasses.fake_tensor")
            fake.FakeTensorMode(allow_non_fake_inputs=True).__enter__()
            noting(self.ops).__enter__()

        def gpus(self) -> Any:
            return ["none: CUDA tensors without data"]

        def executing(self, subject: Any, mode: str, training: bool) -> Any:
            def run(padding: str) -> Any:
                step = self.step(subject, training, padding)
                self.ops.clear()
                step()
                names = [name.replace("aten.", "aten::").split(".")[0] for name in self.ops]
                after = names[len(names) - names[::-1].index(KERNEL) :] if KERNEL in names else []
                looped = any(map(signs.LOOP.search, after))  # what the kernel computed was thrown away
                return signs.observed(after if looped else names)

            return run

        def seconds(self, subject: Any, repeats: int) -> Any:
            raise NotImplementedError("nothing is computed here")

    return FakeCudaSide


def noting(ops: list[str]) -> Any:
    """Return a mode that notes the operations that torch dispatches, and answers for those that need a GPU."""
    torch = importlib.import_module("torch")
    mode: Any = importlib.import_module("torch.utils._python_dispatch").TorchDispatchMode

    class Noting(mode):  # type: ignore[misc]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            name = str(func)
            ops.append(name)
            if name == ORTHOGONAL and args[0].dtype in (torch.float16, torch.bfloat16):
                raise NotImplementedError("orthogonal weights in half precision cannot be asked for without a GPU")
            if name == NUMBER:
                return 1.0 if args[0].dtype.is_floating_point else 1
            if name == FORWARD and any(weight.dtype != args[0].dtype for weight in args[1]):
                raise RuntimeError("parameter types mismatch")  # as the kernel does, and the fake of it does not
            if name == FORWARD and args[3] is None:  # the kernel gathers the weights; the fake of it does not
                args = (*args[:3], args[0].new_empty(1), *args[4:])
            if name == BACKWARD:  # torch has no fake of it
                inputs, weights, states = args[0], args[1], args[4:6]
                like = [None if state is None else torch.empty_like(state) for state in states]
                return (torch.empty_like(inputs), *like, [torch.empty_like(weight) for weight in weights])
            return func(*args, **(kwargs or {}))

    return Noting()
