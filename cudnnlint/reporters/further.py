"""What a reader is told beside the findings: that a file is old, and where to go on if there are none."""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.core.report import FileReport, Report
from cudnnlint.core.verdict import Verdict

SLOW = "Slow all the same, or does it stop? See cudnnlint explain slow-on-gpu, stops-on-gpu."
LONG = 500  # steps
OLD = (
    "This was saved for Keras 2, and Keras 3 may refuse to load it: cudnnlint convert OLD NEW writes a file that it "
    "loads."
)
UNLOADABLE = "CDN214"  # Keras 2 does not load it either: Keras 3 wrote it, or it is damaged
REWRITTEN = ("keras", "h5")  # the kinds of files that convert reads
STEPS = "{steps} steps run one after another for each batch, in cuDNN too: that takes its time on any GPU."
GPU_ONLY = (
    '{layers} runs on a GPU only. On a CPU, {plain}(..., recurrent_activation="sigmoid"{more}) computes the same; '
    "cudnnlint convert carries a saved model over, weights included."
)
#: The layers that have no CPU kernel: the layer for a CPU, and what else it has to be given.
CPU_LAYERS = {"CuDNNLSTM": ("LSTM", ""), "CuDNNGRU": ("GRU", ", reset_after=True")}


def further(report: Report) -> Iterator[str]:
    """Yield a sentence each: a file for Keras 2, what layers in cuDNN are bound to, where to read on."""
    unloadable = {one.path for one in report.diagnostics if one.code == UNLOADABLE}
    if any(_for_keras_2(file) and file.path not in unloadable for file in report.files):
        yield OLD
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


def _for_keras_2(file: FileReport) -> bool:
    keras_2 = bool(file.targets) and all(target.keras_2 for target in file.targets)
    return keras_2 and file.kind in REWRITTEN and bool(file.layers)
