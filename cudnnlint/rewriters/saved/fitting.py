"""A check that the weights in a file and the layers of its configuration fit one another; if not, nothing is moved."""

from __future__ import annotations

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.layer_tree import LayerPart, paths
from cudnnlint.rewriters.saved.layout import own_places


def must_be_claimed(root: LayerPart) -> None:
    """Refuse unless every weight in the file is known by its layer."""
    for path, part in [("", root), *paths(root)]:
        if part.unread:
            stranger = next((f"{path}/{below}" for below, found in paths(part) if own_places(found) is None), path)
            raise Refused(stranger, part.unread)
        if part.is_model:
            for below, group in part.groups.items():
                if below.startswith("layers/") and group.weights:
                    raise Refused(path, f"the file has weights at {group.source} for a layer that it does not have")


def must_be_whole(root: LayerPart) -> None:
    """Refuse unless every layer has its weights."""
    for path, part in paths(root):
        for place in own_places(part) or []:
            group = part.stored(place.below)
            if group is None or place.key not in group.weights:
                raise Refused(path, f"the file lacks its {place.name}")
