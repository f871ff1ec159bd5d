"""The names that Keras 3 gives to operations which a file leaves without one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cudnnlint.core.names import Names
from cudnnlint.frontends.serialized.tree import FUNCTIONAL, Node
from cudnnlint.keras.naming import snake_case


def named_twice(nodes: Sequence[Node], names: Names) -> str | None:
    """Return the name that an operation gets in a new process, and another layer or operation of its model has.

    Keras makes all layers and operations of a model in the order of the file, and numbers those without a name by
    their class. Where a model is inside another, Keras may number more of them before: of these nothing is said.
    Source: keras/src/utils/naming.py:auto_name; keras/src/models/functional.py:functional_from_config.
    """
    if nodes[0].keras not in FUNCTIONAL or any(node.keras in FUNCTIONAL for node in nodes[1:]):
        return None
    entries = [child.entry for child in nodes[0].children]
    written = {str(entry.config["name"]) for entry in entries if "name" in entry.config}
    made: Counter[str] = Counter()
    for entry in entries:
        if "name" not in entry.config:
            base = snake_case(entry.class_name)
            name = f"{base}_{made[base]}" if made[base] else base
            made[base] += 1
            if name in written:
                return name
    return None
