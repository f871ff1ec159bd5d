"""What ran: signs of a kernel or a loop in names of operations, in profiles and in compiled programs."""

from __future__ import annotations

import os
import re
from typing import Any

from .channel import Json, said

KERNEL = re.compile(r"^Cudnn\w*RNN|^aten::_?cudnn_rnn|^cu(?:dnn_)?dnn_rnn|^cudnn_rnn", re.IGNORECASE)
LOOP = re.compile(
    r"^(?:_?(?:Mkl|Native|Fused)*(?:Batch)?MatMul(?:V\d)?|Conv\dD\w*|\w*While|TensorList\w+|_?Xla\w+"
    r"|aten::(?:addmm|mm|matmul|bmm|linear|convolution|_thnn_fused_\w+|mkldnn_rnn_layer)|while|dot|gemm\w*)$"
)
GPU_KERNEL = re.compile(rb"[\w:<>, ]*(?:RNN_block|LSTM_elem|GRU_elem|RNN_persist|cudnn::)[\w:<>, ]*")


def route_of(ops: Any) -> Any:
    """Return the route that names of executed operations show: "cudnn", "fallback", or None where nothing shows it."""
    if any(KERNEL.search(op) for op in ops):
        return "cudnn"
    return "fallback" if any(LOOP.search(op) for op in ops) else None


def observed(ops: Any, kernels: Any = ()) -> Json:
    """Return an observation from names of operations; only names that show something are kept."""
    route = route_of(ops)
    telling = sorted(op for op in set(ops) if KERNEL.search(op) or (route != "cudnn" and LOOP.search(op)))
    return {"route": route, "error": None, "ops": telling[:12], "kernels": sorted(set(kernels))[:12]}


def seen(route: Any) -> Json:
    """Return an observation of a dry run, which has no operations to show."""
    return {"route": route, "error": None, "ops": [], "kernels": []}


def raised(error: BaseException) -> Json:
    """Return an observation of an error."""
    return {"route": "raises", "error": said(error), "ops": [], "kernels": []}


def names_in(folder: str) -> Any:
    """Return the names of operations and kernels in the profiles below a folder, whatever their format is called.

    A profile holds its names as plain bytes, operations as "layer/node:Op" or "EagerLocalExecute: Op".
    """
    ops, kernels = set(), set()
    for root, _, files in os.walk(folder):
        for name in files:
            with open(os.path.join(root, name), "rb") as file:
                data = file.read()
            ops |= {item.decode() for item in re.findall(rb":\s?([A-Za-z_]\w+)", data)}
            kernels |= {item.decode().strip() for item in GPU_KERNEL.findall(data)}
    return ops, kernels


def targets_in(program: str) -> Any:
    """Return the custom calls and the loops of a compiled program."""
    ops = set(re.findall(r'custom_call_target="([^"]+)"', program))
    return ops | set(re.findall(r"\b(while|dot)\(", program))
