"""A check that the weights in a file and the layers of its configuration fit one another; if not, nothing is moved."""

from __future__ import annotations

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.layer_tree import Part, paths
from cudnnlint.rewriters.saved.layout import own_slots


def must_be_claimed(root: Part) -> None:
    """Refuse unless every weight in the file is known by its layer."""
    for path, part in [("", root), *paths(root)]:
        if part.unread:
            stranger = next((f"{path}/{below}" for below, found in paths(part) if own_slots(found) is None), path)
            raise Refused(stranger, part.unread)
        if part.is_model:
            for below, box in part.boxes.items():
                if below.startswith("layers/") and box.weights:
                    raise Refused(path, f"the file has weights at {box.source} for a layer that it does not have")


def must_be_whole(root: Part) -> None:
    """Refuse unless every layer has its weights."""
    for path, part in paths(root):
        for slot in own_slots(part) or []:
            box = part.stored(slot.box)
            if box is None or slot.key not in box.weights:
                raise Refused(path, f"the file lacks its {slot.name}")
