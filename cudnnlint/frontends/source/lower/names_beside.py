"""The names of a recurrent layer's models and of their other layers: one that is refused stops the model, and so it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cudnnlint.core.recurrent_inputs import taken_everywhere
from cudnnlint.frontends.source.keras import layers, models
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Site
from cudnnlint.frontends.source.python.values import UNBOUND, Const, Instance, Value, join

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

BESIDE = "names_beside"


def note(run: Interpreter) -> None:
    """Write the surrounding "names_beside" of the sites whose models have a name that some release refuses."""
    found: dict[Site, list[Value]] = {}
    for model in state_of(run).models:
        own = models.layers_of(run, model)
        made = [one for layer in own if (one := layers.made_of(layer)) is not None]
        named = {name for one in (*own, model) if (name := _name(one)) is not None}
        odd = {name for name in named if not taken_everywhere(name)}
        names: Value = Const("\n".join(sorted(odd))) if odd else UNBOUND
        for site in dict.fromkeys(one.site for one in made if one.site is not None):
            found.setdefault(site, []).append(names)
    write(BESIDE, found)


def write(name: str, found: Mapping[Site, Sequence[Value]]) -> None:
    """Write a surrounding of sites by what each of their models says, unless none says anything or it is there."""
    for site, every in found.items():
        if any(said is not UNBOUND for said in every):
            site.context.setdefault(name, join(every))


def _name(layer: Instance) -> str | None:
    """Return the name of a layer that is neither a recurrent one nor a wrapper, whose own name is looked at anyway."""
    made = layers.made_of(layer)
    given = made.build.arguments.get("name") if made is not None and made.site is None else None
    return given.value if isinstance(given, Const) and isinstance(given.value, str) else None
