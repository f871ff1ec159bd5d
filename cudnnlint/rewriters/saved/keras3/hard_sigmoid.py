"""hard_sigmoid is another function in Keras 3: exact repair by scaling what goes into it.

Keras 2: clip(0.2 x + 0.5, 0, 1). Keras 3: relu6(x + 3) / 6 = clip(x / 6 + 0.5, 0, 1). So Keras 2's value at x is
Keras 3's at 1.2 x, and 1.2 goes into the weights that make x: the columns of the gates that use it,
in kernel, recurrent kernel and bias.
"""

from __future__ import annotations

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.arithmetic import scaled_gates
from cudnnlint.rewriters.saved.layer_tree import LayerPart

FACTOR = 1.2
_NAME = "hard_sigmoid"

#: class: (gates, those of recurrent_activation, those of activation or None where it is not in one place only).
#: An LSTM's activation also acts on the cell state, which no weight scales.
_GATES: dict[str, tuple[int, tuple[int, ...], tuple[int, ...] | None]] = {
    **dict.fromkeys(("LSTM", "LSTMCell", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"), (4, (0, 1, 3), None)),
    **dict.fromkeys(("GRU", "GRUCell"), (3, (0, 1), (2,))),
    **dict.fromkeys(("SimpleRNN", "SimpleRNNCell"), (1, (), (0,))),
}
#: Layers that apply the activation to a linear map: the weights that make it, by their keys.
_LINEAR: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("Dense", "EinsumDense", "Conv1D", "Conv2D", "Conv3D"), ("0", "1")),
    **dict.fromkeys(("Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose"), ("0", "1")),
    **dict.fromkeys(("DepthwiseConv1D", "DepthwiseConv2D"), ("0", "1")),
    **dict.fromkeys(("SeparableConv1D", "SeparableConv2D"), ("1", "2")),
}


def repair(path: str, part: LayerPart) -> list[str]:
    """Scale the weights of one lifted part, so that Keras 3's hard_sigmoid gives Keras 2's numbers."""
    config = part.config
    uses = [name for name in ("recurrent_activation", "activation") if config.get(name) == _NAME]
    if not uses:
        return []
    if part.class_name == "Activation":
        _put_scale_before(part)
    elif part.class_name in _LINEAR:
        _scale(part, "", 1, (0,), _LINEAR[part.class_name])
    elif part.class_name in _GATES:
        _scale_gates(path, part, uses)
    else:
        raise Refused(path, f"uses hard_sigmoid, which is a different function in Keras 3, in a {part.class_name}")
    return [
        f"{path}: the input of hard_sigmoid is scaled by {FACTOR}, as Keras 3's is flatter; the numbers are the same"
    ]


def _scale_gates(path: str, part: LayerPart, uses: list[str]) -> None:
    gates, recurrent, plain = _GATES[part.class_name]
    if "activation" in uses and plain is None:
        raise Refused(
            path, "its activation, which also acts on the state, is hard_sigmoid, a different function in Keras 3"
        )
    chosen = (recurrent if "recurrent_activation" in uses else ()) + ((plain or ()) if "activation" in uses else ())
    group = "" if part.class_name.endswith("Cell") else "cell"
    _scale(part, group, gates, chosen, ("0", "1", "2"))


def _scale(part: LayerPart, name: str, gates: int, chosen: tuple[int, ...], keys: tuple[str, ...]) -> None:
    group = part.groups.get(name)
    if group is None:
        if part.twin is None:
            raise Refused(part.name, part.unread or "the file does not hold its weights")
        return  # scaled with the part that it is the same object as
    step = scaled_gates(gates, chosen, FACTOR)
    for key in keys:
        if key in group.weights:
            group.weights[key] = group.weights[key].changed(step)


def _put_scale_before(part: LayerPart) -> None:
    """Replace an Activation, which has no weights to scale, by a Sequential of its name: Rescaling(1.2) comes first."""
    name, trainable = part.name, part.config.get("trainable", True)
    inner = {"dtype": "float32", **part.config, "name": f"{name}_function"}
    scale = {"name": f"{name}_scale", "trainable": trainable, "dtype": inner["dtype"], "scale": FACTOR, "offset": 0.0}
    part.parts = [
        LayerPart(_entry("Rescaling", scale), "layers"),
        LayerPart(_entry("Activation", inner), "layers"),
    ]
    part.record.update(module="keras", class_name="Sequential", registered_name=None)
    part.record["config"] = {"name": name, "layers": [child.record for child in part.parts]}


def _entry(class_name: str, config: dict[str, object]) -> dict[str, object]:
    return {"module": "keras.layers", "class_name": class_name, "config": config, "registered_name": None}
