"""The GPU that a text names, where it is not NVIDIA's: such a GPU has no cuDNN, whatever the code says."""

from __future__ import annotations

import re

#: What names a GPU of another make: its packages, its driver, its cards. A processor of AMD is no GPU. A card of AMD
#: may run through DirectML too, which is therefore looked for first.
_NAMES = {
    "metal": re.compile(
        r"tensorflow[-_](?:metal|macos)\b|\bMetal device set to|\bApple (?:M\d|[Ss]ilicon|Metal)|\bjax[-_]metal\b|"
        r"\bon (?:an? |the |my )?(?:[Mm]ac\w* )?M\d(?: (?:Pro|Max|Ultra))?\b"
    ),
    "directml": re.compile(r"tensorflow[-_]directml|\b[Dd]irect[Mm][Ll]\b|/DML:\d|device:DML\b"),
    "rocm": re.compile(
        r"tensorflow[-_]rocm\b|\bROC[mM]\b|\brocm\d?|\bMIOpen|\bRadeon\b|\bAMD (?:Instinct|GPU|RX|MI\d|Vega)|"
        r"\bRX ?[567]\d{3}\b"
    ),
}
_NVIDIA = re.compile(
    r"\b(?:GeForce|Quadro|[RG]TX ?\d{3,4}|Tesla [A-Z]\d+|[AHLV]\d{2,3} GPU|A100|V100|H100|"
    r"Titan (?:X|V|RTX)|nvidia-smi)\b"
)
#: What such a GPU is called, and what becomes of a recurrent layer there.
SAID = {
    "metal": "This text names an Apple GPU, which has no cuDNN. In Keras 2 LSTM and GRU run in a loop there or stop "
    "with an error; Keras 3 chooses the cuDNN operation all the same and stops with an error (CDN405).",
    "directml": "This text names a GPU through DirectML, which has no cuDNN: LSTM and GRU stop with an error there "
    "(CDN405).",
    "rocm": "This text names an AMD GPU, which has no cuDNN: TensorFlow for ROCm uses MIOpen in its place, which is "
    "not judged here.",
}
DO = {
    "metal": "Run these layers on the CPU (`tf.config.set_visible_devices([], \"GPU\")`), which is often faster, or "
    "put the cell into an RNN: `RNN(LSTMCell(units))`. In Keras 3 `use_cudnn=False` does the same.",
    "directml": "Use `RNN(LSTMCell(units))` in their place, or run on the CPU. On an NVIDIA GPU use TensorFlow with "
    "CUDA instead: on Windows in WSL 2.",
    "rocm": "Time a step with the layer and with `RNN(LSTMCell(units))`, which never uses MIOpen, and keep "
    "the faster one.",
}


def named(text: str) -> str | None:
    """Return the kind of GPU that a text names; None for NVIDIA's, also beside another, and for none."""
    if _NVIDIA.search(text):
        return None
    return next((kind for kind, pattern in _NAMES.items() if pattern.search(text)), None)
