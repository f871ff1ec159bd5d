"""Sets one argument of a saved layer, with its weights where it needs other ones."""

from __future__ import annotations

from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.arithmetic import zero_bias
from cudnnlint.rewriters.saved.layer_tree import LayerPart
from cudnnlint.rewriters.saved.summary import Summary

_RECURRENT = frozenset({"LSTM", "GRU"})


def set_argument(path: str, part: LayerPart, name: str, value: Any, keras: int, summary: Summary) -> None:
    """Set `name` to `value` in a layer, or refuse and say why. What holds already is left alone."""
    config = part.config
    if name == "use_cudnn":
        raise Refused(path, "a saved file does not store use_cudnn: the loader sets it to 'auto'")
    if name not in config:
        raise Refused(path, f"{part.class_name} has no {name} in this file")
    if config[name] == value and type(config[name]) is type(value):
        return
    if name == "use_bias":
        _give_bias(path, part, value)
        summary.warnings.append(f"{path}: its new bias is zero and will be trained; nothing changes at inference")
    elif name in ("activation", "recurrent_activation", "reset_after"):
        _must_be_the_same(path, name, config[name], value)
    elif name in ("dropout", "recurrent_dropout", "unroll", "implementation"):
        summary.warnings.extend(_training(path, part, name, value, keras))
    elif name not in ("unit_forget_bias", "dtype"):
        raise Refused(path, f"{name} cannot be changed in a saved file")
    summary.changes.append(f"{path}: {name} is now {value!r} (it was {_shown(config[name])})")
    config[name] = value


def _give_bias(path: str, part: LayerPart, value: Any) -> None:
    """Give an LSTM or a GRU a bias of zeros beside the kernels, which adds nothing."""
    if value is not True or part.class_name not in _RECURRENT:
        raise Refused(path, "a bias can only be added, and only to an LSTM or GRU")
    if part.class_name == "LSTM":
        part.config["unit_forget_bias"] = False
    if part.twin is not None:
        return
    group = part.groups.get("cell")
    if group is None or set(group.weights) != {"0", "1"}:
        raise Refused(path, part.unread or "the file does not hold exactly its two kernels")
    recurrent = group.weights["1"]
    group.weights["2"] = recurrent.made_into(zero_bias(part.class_name, bool(part.config.get("reset_after"))))


def _must_be_the_same(path: str, name: str, found: Any, value: Any) -> None:
    """Raise Refused unless the activation found computes what the new name means.

    Any other activation is what the weights were trained with, and cannot be replaced.
    """
    inner = found.get("config") if isinstance(found, dict) else None
    named = inner.get("activation") if isinstance(inner, dict) else inner
    if isinstance(found, dict) and found.get("class_name") in ("Activation", "function") and named == value:
        return
    raise Refused(
        path,
        f"its weights were trained with {name}={_shown(found)}: with {value!r} the model computes different "
        "numbers and has to be retrained",
    )


def _training(path: str, part: LayerPart, name: str, value: Any, keras: int) -> list[str]:
    """Return what changes in training, a sentence each; at inference nothing does."""
    drops = any(part.config.get(rate) for rate in ("dropout", "recurrent_dropout"))
    if name in ("dropout", "recurrent_dropout"):
        return [f"{path}: training no longer has dropout there; nothing changes at inference"] if not value else []
    if keras == 2 and drops:
        return [f"{path}: with dropout, training draws other numbers; nothing changes at inference"]
    return []


def _shown(value: Any) -> str:
    return str(value.get("class_name")) if isinstance(value, dict) else repr(value)
