"""The names in a file with which Keras opens scopes of TensorFlow: one that is refused stops the whole model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cudnnlint.core.fact import Fact, Known
from cudnnlint.core.fault_lines import held_by
from cudnnlint.core.names import Names
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.recurrent_inputs import taken_everywhere
from cudnnlint.frontends.saved.lower import FUNCTIONS
from cudnnlint.frontends.serialized.entry import Entry, entry, held, is_entry
from cudnnlint.frontends.serialized.saved_layer import is_op
from cudnnlint.frontends.serialized.tree import MODELS, Node, Role

#: Layers of Keras that call what they hold under a name of their own making, or none.
NAMING = frozenset({"Bidirectional", "RNN"})


def facts(root: Node, path: str, names: Names) -> Mapping[str, Fact]:
    """Return the surroundings "names_beside" and "outermost_name" of every layer of a file, where they say something.

    A layer that is a whole file by itself is called by nothing.
    """
    if root.role in (Role.RECURRENT, Role.BIDIRECTIONAL):
        return {}
    place, own = SavedPlace(path, ""), root.entry.name
    lines = dict.fromkeys(_opened(root.entry, names))
    beside = {"names_beside": Known("\n".join(lines), place)} if lines else {}
    return {**beside, "outermost_name": Known(own, place)} if own and not taken_everywhere(own) else beside


def _opened(found: Entry, names: Names) -> Iterator[str]:
    """Yield the unusual names that something holds at any depth, but those of recurrent layers and what is around them.

    Their own names are looked at anyway. What a class of the user's own does with the layers in it is not known, unless
    it is a functional model.
    """
    kind = found.keras(names)
    followed = kind is not None or "input_layers" in found.config
    holder = kind if kind in names.wrappers else None
    called = (*held(found), *((key, found.config.get(key)) for key in FUNCTIONS))  # a layer may be an activation
    for key, part in called if followed and kind not in NAMING else ():
        if not is_entry(part):
            continue
        inside = entry(part, "a layer")
        if inside.class_name != "InputLayer" and not is_op(inside):
            name = inside.name
            if name is not None and not taken_everywhere(name) and not _is_looked_at(inside, names):
                yield held_by(name, holder if key == "layer" else None)
            yield from _opened(inside, names)


def _is_looked_at(found: Entry, names: Names) -> bool:
    """Return whether it is a recurrent layer, or a wrapper around one."""
    kind = found.keras(names) or found.resembles()
    within = (one.keras(names) or one.resembles() for _, one in found.within)
    wraps = kind in names.wrappers and kind not in MODELS
    return kind in names.recurrent or (wraps and any(one in names.recurrent for one in within))
