"""What a reader is told beside the findings, where there are none: all is well, and still they have a problem."""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.core.report import Report
from cudnnlint.core.verdict import Verdict

SLOW = "Slow all the same, or does it stop? See cudnnlint explain slow-on-gpu, stops-on-gpu."
LONG = 500  # steps
STEPS = "{steps} steps run one after another for each batch, in cuDNN too: that takes its time on any GPU."
GPU_ONLY = (
    '{layers} runs on a GPU only. On a CPU, {plain}(..., recurrent_activation="sigmoid"{more}) computes the same; '
    "cudnnlint convert carries a saved model over, weights included."
)
#: The layers that have no CPU kernel: the layer for a CPU, and what else it has to be given.
CPU_LAYERS = {"CuDNNLSTM": ("LSTM", ""), "CuDNNGRU": ("GRU", ", reset_after=True")}


def further(report: Report) -> Iterator[str]:
    """Yield a sentence each: what the layers that run in cuDNN are bound to, and where to read on if they are slow."""
    layers = [layer for file in report.files for layer in file.layers]
    if report.diagnostics or not layers or any(layer.worst is not Verdict.CUDNN for layer in layers):
        return
    for name in sorted({layer.class_name for layer in layers} & set(CPU_LAYERS)):
        plain, more = CPU_LAYERS[name]
        yield GPU_ONLY.format(layers=name, plain=plain, more=more)
    longest = max(layer.steps or 0 for layer in layers)
    if longest >= LONG:
        yield STEPS.format(steps=longest)
    yield SLOW
