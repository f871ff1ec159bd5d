"""Layers that stand in several places of a model: Keras itself does not load a `.keras` file that shares them.

(tf_keras 2.21 and keras 3.15.1 write `shared_object_id` and fail on their own file; an `.h5` file has a copy for
each place.) So a file that is made anew has a layer of its own in each place, with the same weights.
"""

from __future__ import annotations

from cudnnlint.rewriters.saved.box import Box
from cudnnlint.rewriters.saved.part import Part, paths


def unshare(root: Part) -> list[str]:
    """Give every place its own copy of the weights, in place; a sentence for each layer that was shared."""
    told = []
    for path, part in list(paths(root)):
        if part.twin is not None:
            _copy(part, part.twin)
            told.append(f"{path}: was one layer with another place; now each has its own, with equal weights")
    for _, part in paths(root):
        part.entry.pop("shared_object_id", None)
    return told


def _copy(part: Part, twin: Part) -> None:
    part.twin = None
    if not part.boxes:
        part.boxes = {below: Box(box.source, dict(box.weights)) for below, box in twin.boxes.items()}
    for child, other in zip(part.parts, twin.parts, strict=False):
        _copy(child, other)
