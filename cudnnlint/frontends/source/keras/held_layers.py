"""What a wrapper is given: a layer, which is reported with the wrapper, or a model, which no Bidirectional takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import layers, models, mutations
from cudnnlint.frontends.source.keras.sites import Build, Site
from cudnnlint.frontends.source.python.values import NONE, UNBOUND, Class, Instance, Value, join, options

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cell of a layer that holds the model which has it, where a Bidirectional is given that.
HELD = "·held"


def consume(run: Interpreter, build: Build) -> None:
    """Mark the layer inside a wrapper as consumed: it is reported with the wrapper."""
    for name in ("layer", "backward_layer"):
        for option in options(build.arguments.get(name, NONE)):
            made = layers.made_of(option)
            if made is not None and build.class_name == "Bidirectional" and name == "layer":
                _settle(run, option, made.build)
            if made is not None and made.site is not None:
                made.site.consumed = True
            elif build.class_name == "Bidirectional" and isinstance(option, Instance) and models.is_model(option):
                _hold(run, option, build.arguments[name])


def _settle(run: Interpreter, layer: Value, build: Build) -> None:
    """Note what a Bidirectional copies of a layer, and what the class of the user's does with each copy."""
    if not isinstance(layer, Instance):
        return
    mutations.settle(build, layer.kind)
    at = layer.at
    if isinstance(layer.kind, Class) and at is not None:
        mutations.settle_built(build, layer.table, lambda: layers.build_first(run, layer, at))


def _hold(run: Interpreter, model: Instance, given: Value) -> None:
    """Note on the layers of a model that a Bidirectional is given it, or (one of several values) may be."""
    for layer in models.layers_of(run, model):
        made = layers.made_of(layer)
        if made is not None and made.site is not None:
            run.journal.write(layer.table, HELD, join([model if one is model else UNBOUND for one in options(given)]))
            made.site.held.append(layer.table)


def holder(site: Site) -> Value | None:
    """Return the model in a Bidirectional that has the layer; None where there is none."""
    found = [table.get(HELD) or UNBOUND for table in site.held]
    return join(found) if found else None
