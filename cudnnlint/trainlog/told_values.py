"""Values that an error shows: what kind of thing has no such attribute, which types meet, what a layer was given."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

from cudnnlint.trainlog.frames import Stop
from cudnnlint.trainlog.python_messages import words
from cudnnlint.trainlog.told_shapes import Shape, read, written

_ATTRIBUTE = re.compile(r"'(?P<kind>[\w.]+)' object has no attribute '(?P<name>\w+)'")
_EXPECTED = re.compile(r"expected to be an? (?P<one>\w+) tensor but is an? (?P<two>\w+) tensor")
_TYPE = r"float16|bfloat16|half|float32|float64|float|double|int32|int64|string|bool"
_TYPES = re.compile(
    rf"\b(?:type|dtype|tensor of type|DataType) (?P<one>{_TYPE})\b"
    r"[^\n]{0,80}?(?:does not (?:match|equal)|not match|original|instead of|got|expected)[^\n]{0,40}?"
    rf"\b(?P<two>{_TYPE})\b"
)
_MODELS = ("Sequential", "Functional", "Model")
#: What models have in every release but the first ones, which had other classes.
_OF_MODELS = (
    "add", "build", "compile", "evaluate", "fit", "from_config", "get_config", "get_layer", "get_weights",
    "input_shape", "inputs", "layers", "load_weights", "output_shape", "outputs", "pop", "predict",
    "predict_on_batch", "save", "save_weights", "set_weights", "summary", "test_on_batch", "to_json",
    "train_on_batch", "trainable_weights", "weights",
)  # fmt: skip
#: What only tensors that a layer of Keras has returned carry with them.
_OF_LAYERS = ("_keras_history", "_keras_shape", "_keras_mask", "_inbound_nodes", "_uses_learning_phase", "node")
_REFUSED = re.compile(
    r"(?:unexpected keyword argument ['\"](?P<name>\w+)|(?:Unrecognized keyword arguments|Argument\(s\) not recognized"
    r"|eyword argument not understood|unknown keyword arguments?)[^\n{'\"]{0,60}[{'\", ]+(?P<listed>\w+))"
)
_MISSING = re.compile(r"missing (?:a required argument: |\d required positional arguments?: )'(?P<name>\w+)'")
_CALL = re.compile(
    r"(?:Arguments received by (?P<call>[\w.]+)\(\)|[Cc]all arguments received by layer ['\"](?P<layer>[^'\"]+)['\"])"
)
_GIVEN = re.compile(
    r"^\s*[•*-] (?P<name>\w+)=(?:<KerasTensor )?"
    r"(?:tf\.Tensor|torch\.Tensor|jnp\.ndarray|np\.ndarray|KerasTensor|Tensor)?\(?"
    r"(?:type_spec=\w+\()?shape=(?:torch\.Size\()?(?P<shape>[(\[][\dNone, ]*[)\]])\)?, dtype=(?P<dtype>\w+)"
)
_OBJECT = re.compile(r"onvert[^\n]{0,60}<(?:class ')?(?P<path>[\w.]*keras[\w.]*)(?: object at |'>)")
_RECURRENT = re.compile(r"LSTM|GRU|RNN|lstm|gru|rnn|Bidirectional|bidirectional")


def said(message: str, tail: Iterable[str], stopped: Stop) -> list[str]:
    """Return what the values in a message, and in the lines after it, say."""
    told = [_attribute(message, stopped), _types(message), _argument(message), _arguments(list(tail)), _whole(message)]
    return [sentence for sentence in told if sentence]


def _attribute(message: str, stopped: Stop) -> str | None:
    match = _ATTRIBUTE.search(message)
    if match is None:
        return None
    name, kind = match["name"], match["kind"].rpartition(".")[2]
    if name in _OF_LAYERS:
        return (
            f"only what a layer of the same Keras returns has `{name}`: an operation between two layers goes into a "
            "layer (Lambda, or one of your own), and `keras` and `tensorflow.keras` are not mixed"
        )
    if kind in _MODELS:
        return _method(kind, name)
    if _RECURRENT.search(kind) and name in words().renamed_methods:
        today = words().renamed_methods[name]
        return f"the code was written for another Keras: what recurrent layers had as `{name}` is `{today}` today"
    if kind not in words().kinds and stopped.own is not None and f"self.{name}" in stopped.own.code:
        return f"no line of the class {kind} has given `self.{name}` a value: its `__init__` has another name for it"
    return None


def kind_of(message: str, stopped: Stop) -> str | None:
    """Return what kind of value has no such attribute; of what a library holds by itself nothing is known."""
    match = _ATTRIBUTE.search(message)
    if match is None or match["name"] in _OF_LAYERS or (stopped.own is None and stopped.library is not None):
        return None
    kind = match["kind"].rpartition(".")[2]
    what = words().kinds.get(kind)
    return f"what has no `{match['name']}` is a {kind}: {what}" if what else None


def _whole(message: str) -> str | None:
    """Return that an object of Keras itself stands where a tensor is wanted."""
    match = _OBJECT.search(message)
    kind = match["path"].rpartition(".")[2] if match else ""
    if not kind[:1].isupper() or kind.endswith(("Tensor", "Variable")):
        return None
    return f"a {kind} itself is given where a tensor is wanted: what it returns when it is called belongs there"


def _method(kind: str, name: str) -> str | None:
    """Return what is meant by a method that a model does not have."""
    if name in _OF_MODELS:
        return f"models of Keras have `{name}`: a very old release runs, or the model is not one of Keras"
    alike = difflib.get_close_matches(name.strip("_"), _OF_MODELS, 1, 0.8)
    return f"a {kind} has no `{name}`: `{alike[0]}` is meant" if alike else None


def _types(message: str) -> str | None:
    match = _TYPES.search(message) or _EXPECTED.search(message)
    if match is None or match["one"] == match["two"]:
        return None
    return f"{match['one']} meets {match['two']}: one of the two must be cast, or made in the other's type"


def _argument(message: str) -> str | None:
    """Return what an argument is called that the installed release does not know, or which one is missing."""
    missing = _MISSING.search(message)
    if missing:
        return f"the call lacks `{missing['name']}`" + (
            ", which was output_dim in Keras 1" if missing["name"] == "units" else ""
        )
    match = _REFUSED.search(message)
    name = (match["name"] or match["listed"]) if match else None
    today = words().renamed.get(str(name))
    return f"the argument `{name}` is called `{today}` today" if today else None


def _arguments(tail: list[str]) -> str | None:
    """Return the tensors that a layer was given, as Keras lists them below an error."""
    at = next((number for number, line in enumerate(tail) if _CALL.search(line)), None)
    if at is None:
        return None
    found = _CALL.search(tail[at])
    given = [match for line in tail[at + 1 :] if (match := _GIVEN.match(line))]
    if found is None or not given:
        return None
    call = f"{found['call']}()" if found["call"] else str(found["layer"])
    listed = [f"{match['name']} {written(read(match['shape']))} {match['dtype']}" for match in given[:4]]
    shapes = {match["name"]: read(match["shape"]) for match in given}
    return f"{call} was given {', '.join(listed)}" + (_mask(shapes) or _axes(call, given[0]["shape"]))


def _mask(shapes: Mapping[str, Shape]) -> str:
    """Return that a mask does not fit, if it has not the rows and steps of what it masks."""
    mask = shapes.get("mask")
    whole = next((shape for name, shape in shapes.items() if name in ("sequences", "inputs")), None)
    if mask is None or whole is None or len(whole) != 3:
        return ""
    unlike = len(mask) != 2 or any(a != b for a, b in zip(mask, whole, strict=False) if None not in (a, b))
    return f": the mask must be {written(whole[:2])}, rows and steps" if unlike else ""


def _axes(call: str, text: str) -> str:
    """Return what the axes of a recurrent layer's input are."""
    shape = read(text)
    if not _RECURRENT.search(call) or "Cell" in call or len(shape) != 3:
        return ""
    steps, features = ("an open number of" if size is None else str(size) for size in shape[1:])
    return f" ({steps} steps with {features} features)"
