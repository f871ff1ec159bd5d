"""What a wrapper is given: a layer, which is reported with the wrapper, or a model, which no Bidirectional takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import layers, models, mutations
from cudnnlint.frontends.source.keras.sites import Build, Site
from cudnnlint.frontends.source.python.values import NONE, UNBOUND, Instance, Value, join, options

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
                mutations.settle(made.build)
            if made is not None and made.site is not None:
                made.site.consumed = True
            elif build.class_name == "Bidirectional" and isinstance(option, Instance) and models.is_model(option):
                _hold(run, option, build.arguments[name])


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
