"""Layers that are in several places of a model: Keras itself does not load a `.keras` file that shares them.

(tf_keras 2.21 and keras 3.15.1 write `shared_object_id` and fail on their own file; an `.h5` file has a copy for
each place.) So a file that is made anew has a layer of its own in each place, with the same weights.
"""

from __future__ import annotations

import json
from typing import Any

from cudnnlint.rewriters.saved.layer_tree import LayerPart, paths
from cudnnlint.rewriters.saved.weights import WeightGroup

_ID = "shared_object_id"


def find_twins(root: LayerPart) -> None:
    """Mark each part that is the same object as an earlier one with that one.

    Both bear one id, unless the earlier one is in a nested model, whose record was copied before it got the id:
    then it is the one part before it that is spelled alike.
    """
    first: dict[int, LayerPart] = {}
    before: list[LayerPart] = []
    for _, part in paths(root):
        shared = part.record.get(_ID)
        if isinstance(shared, int):
            if shared not in first:
                alike = [other for other in before if _ID not in other.record and _alike(other, part)]
                part.twin = alike[0] if len(alike) == 1 else None
            else:
                part.twin = first[shared]
            first[shared] = part.twin or part
        before.append(part)


def _alike(one: LayerPart, two: LayerPart) -> bool:
    return one.class_name == two.class_name and one.name == two.name and _spelled(one.config) == _spelled(two.config)


def _spelled(config: dict[str, Any]) -> str:
    return json.dumps(_without_ids(config), sort_keys=True)


def _without_ids(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _without_ids(item) for key, item in found.items() if key != _ID}
    return [_without_ids(item) for item in found] if isinstance(found, list) else found


def unshare(root: LayerPart) -> list[str]:
    """Give every place its own copy of the weights, in place; a sentence for each layer that was shared."""
    reported = []
    for path, part in list(paths(root)):
        if part.twin is not None:
            _copy(part, part.twin)
            reported.append(f"{path}: was one layer with another place; now each has its own layer, with equal weights")
    for _, part in paths(root):
        part.record.pop("shared_object_id", None)
    return reported


def _copy(part: LayerPart, twin: LayerPart) -> None:
    part.twin = None
    if not part.groups:
        part.groups = {below: WeightGroup(group.source, dict(group.weights)) for below, group in twin.groups.items()}
    for child, other in zip(part.parts, twin.parts, strict=False):
        _copy(child, other)
