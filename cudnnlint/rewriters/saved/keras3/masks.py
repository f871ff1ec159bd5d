"""Do masks reach the same layers in Keras 3 as in Keras 2? Where they do not, numbers differ: refused.

Keras 2 merges masks by "and" and passes over inputs without one; Keras 3 drops the mask if any input has
none, and merges by "or" (tf_keras 2.21 and keras 3.15.1 `base_merge.py`, `concatenate.py`); Identity,
Rescaling and Normalization keep a mask in Keras 3 only (cudnnlint.core.masking). So the masks of both are
followed through the lifted graph, as names of where they come from, and compared wherever one is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Union

from cudnnlint.core.errors import Refused
from cudnnlint.keras.masks import OnMask, on_mask
from cudnnlint.rewriters.saved.keras3.graph import is_tensor
from cudnnlint.rewriters.saved.layer_tree import Part, words

Mask = Union[tuple[Any, ...], None]

_USERS = words(
    """
    LSTM GRU SimpleRNN RNN Bidirectional ConvLSTM1D ConvLSTM2D ConvLSTM3D GlobalAveragePooling1D Softmax Attention
    AdditiveAttention MultiHeadAttention TimeDistributed
    """
)
_MAKERS = frozenset({"Masking", "Embedding"})


def compare_masks(root: Part, version: str) -> list[str]:
    """Refuse the first layer that would see another mask; sentences for what a reader must know.

    `version` is the keras_version of the file.
    """
    runs = []
    for keras in (2, 3):
        run = _Run(keras)
        runs.append((run.uses, run.model(root, (), [None] * max(1, len(root.parts)))))
    (uses_2, outputs_2), (uses_3, outputs_3) = runs
    for place, masks in uses_2.items():
        if uses_3[place] != masks:
            raise Refused("/".join(place[0]), "Keras 2 and Keras 3 pass on the masks before this layer differently")
    told = []
    if outputs_2 != outputs_3:
        told.append("the masks of the outputs differ, so a loss would be masked differently in Keras 3")
    for (path, _, gives), masks in uses_3.items():
        if gives == "heads" and any(masks) and _release(version) < (2, 10):
            raise Refused("/".join(path), f"uses its mask in Keras 3, but did not in Keras {version}")
        if masks != (None,):
            told.extend(f"{'/'.join(path)}: {said}" for said in _of_its_time(version, gives))
    return told


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.removesuffix("-tf").split(".") if number.isdigit())


def _of_its_time(version: str, gives: str) -> Iterator[str]:
    """How a masked Bidirectional was read by the release that wrote the file, where later ones do otherwise."""
    if gives == "sequences" and _release(version) < ((2, 2, 4) if version.endswith("-tf") else (2, 4)):
        yield (
            f"at masked steps it gave its last output in Keras {version}; since TensorFlow 1.13 "
            "and Keras 2.4 it gives zeros there, which changes the input of layers that ignore the mask"
        )
    if gives == "last" and version == "2.2.4-tf":
        yield (
            "if TensorFlow 1.13 wrote this file, its last output was zero wherever the mask hid the last step; all "
            "later releases, and Keras 3, give the output at the last step that is not hidden"
        )


class _Run:
    """The masks of one generation, by the output of each call.

    `uses` is what each user of a mask is given, by its path, its call, and what it is where that matters: a
    Bidirectional that gives "sequences" or the "last" output, attention "heads".
    """

    def __init__(self, keras: int) -> None:
        self.keras = keras
        self.uses: dict[tuple[tuple[str, ...], int, str], tuple[Mask, ...]] = {}
        self.calls = 0

    def model(self, model: Part, path: tuple[str, ...], given: list[Mask]) -> list[Mask]:
        if model.class_name == "Sequential":
            mask, source = given[0], ("input", path)
            for part in model.parts:
                mask = self.call(part, (*path, part.name), [mask], [source])[0]
                source = ("output", (*path, part.name))
            return [mask]
        return self.functional(model, path, given)

    def functional(self, model: Part, path: tuple[str, ...], given: list[Mask]) -> list[Mask]:
        known: dict[tuple[str, int], list[Mask]] = {}
        for index, (name, *_) in enumerate(_tensors(model.config.get("input_layers"))):
            known[(name, 0)] = [given[index] if index < len(given) else None]
        waiting = [(part, node) for part in model.parts for node in enumerate(part.entry.get("inbound_nodes", []))]
        while waiting:
            late = []
            for part, (index, node) in waiting:
                tensors = list(_tensors(node))
                if all((name, at) in known for name, at, _ in tensors):
                    masks = [_nth(known[(name, at)], out) for name, at, out in tensors]
                    sources = [("output", (*path, name), at, out) for name, at, out in tensors]
                    known[(part.name, index)] = self.call(part, (*path, part.name), masks, sources)
                else:
                    late.append((part, (index, node)))
            if len(late) == len(waiting):
                raise Refused("/".join(path), "the order of its calls is not known")
            waiting = late
        return [self._output(model, known, *tensor) for tensor in _tensors(model.config.get("output_layers"))]

    def _output(self, model: Part, known: dict[tuple[str, int], list[Mask]], name: str, at: int, out: int) -> Mask:
        part = next((part for part in model.parts if part.name == name), None)
        nested = part is not None and part.is_model and part.class_name == "Functional"
        return _nth(known.get((name, at - 1 if nested else at), []), out)

    def call(self, part: Part, path: tuple[str, ...], masks: list[Mask], sources: list[Any]) -> list[Mask]:
        """The masks of the outputs of one call; notes what is used."""
        if part.is_model:
            return self.model(part, path, masks)
        if part.class_name in _USERS:
            self.calls += 1
            self.uses[(path, self.calls, _gives(part))] = tuple(masks)
        return [self.effect(part, masks, sources), None]  # states never have a mask

    def effect(self, part: Part, masks: list[Mask], sources: list[Any]) -> Mask:
        first = masks[0] if masks else None
        does = on_mask(part.class_name, self.keras)
        if part.class_name == "TimeDistributed" and any(child.class_name in _MAKERS for child in _all(part)):
            return ("inside TimeDistributed", self.keras, str(sources)) if _makes_inside(part) else first
        if does is OnMask.MAKES:
            value = part.config.get("mask_value") if part.class_name == "Masking" else part.config.get("mask_zero")
            makes = part.class_name == "Masking" or bool(value)
            return (part.class_name, str(value), str(sources)) if makes else None
        if does is OnMask.SEQUENCES:
            return first if _sequences(part) else None
        if does in (OnMask.ANY, OnMask.ALL):
            return self.merged(part, masks)
        return first if does is OnMask.KEEPS else None

    def merged(self, part: Part, masks: list[Mask]) -> Mask:
        there = {mask for mask in masks if mask is not None}
        if len(there) <= 1 and None not in masks:
            return masks[0]
        if not there:
            return None
        if part.class_name != "Concatenate":
            if self.keras == 3 and None in masks:
                return None
            if self.keras == 2 and len(there) == 1:
                return there.pop()
        return ("merged", self.keras, *masks)


def _nth(masks: list[Mask], out: int) -> Mask:
    return masks[min(out, len(masks) - 1)] if masks and out >= 0 else None


def _tensors(found: Any) -> Iterator[tuple[str, int, int]]:
    if isinstance(found, dict) and found.get("class_name") == "__keras_tensor__":
        yield from _tensors(found["config"]["keras_history"])
    elif is_tensor(found):
        yield found[0], found[1], found[2]
    elif isinstance(found, (list, dict)):
        for item in found if isinstance(found, list) else found.values():
            yield from _tensors(item)


def _all(part: Part) -> Iterator[Part]:
    for child in part.parts:
        yield child
        yield from _all(child)


def _makes_inside(part: Part) -> bool:
    return any(
        child.class_name == "Masking" or (child.class_name == "Embedding" and child.config.get("mask_zero"))
        for child in _all(part)
    )


def _sequences(part: Part) -> bool:
    inner = part.parts[0] if part.class_name == "Bidirectional" and part.parts else part
    return bool(inner.config.get("return_sequences"))


def _gives(part: Part) -> str:
    if part.class_name == "Bidirectional":
        return "sequences" if _sequences(part) else "last"
    return "heads" if part.class_name == "MultiHeadAttention" else ""
