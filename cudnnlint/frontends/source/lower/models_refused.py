"""Models that some release refuses to build: what the surroundings of their recurrent layers say of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import input_tensors, layers, models, refused_layers
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.packages_met import MET, into_model, meeting
from cudnnlint.frontends.source.keras.refused_layers import REFUSED
from cudnnlint.frontends.source.keras.sites import Site
from cudnnlint.frontends.source.lower import names_beside
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Instance,
    Listing,
    Value,
    join,
    options,
    present,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


#: What is said of the layers in a model, by the name of the surrounding.
Look = Callable[["Interpreter", Instance], Value]


def note(run: Interpreter) -> None:
    """Write the surroundings of the sites of recurrent layers that say why their models may be refused."""
    every = state_of(run).models
    inside = {id(layer.table) for model in every for layer in models.layers_of(run, model)}
    outer = [model for model in every if id(model.table) not in inside]
    _write(run, "names_beside", names_beside.beside, every, inside)
    _write(run, "outermost_name", names_beside.outermost, outer, inside)
    if len(state_of(run).packages) > 1:
        _write(run, MET, _meetings, every, inside)
    if state_of(run).refused:
        for site in _write(run, REFUSED, _refused, every, inside):
            _settle(site)


def _settle(site: Site) -> None:
    """Let what is certain of the whole model hold for calls that follow a loop, where only perhaps that layer leads."""
    if isinstance(whole := site.context[REFUSED], Const):
        for call in site.calls.values():
            if REFUSED in call.context:
                call.context[REFUSED] = whole


def _write(run: Interpreter, name: str, look: Look, among: Sequence[Instance], inside: set[int]) -> list[Site]:
    """Write a surrounding of the sites in models of which `look` says something, unless it is there; return those."""
    found: dict[Site, list[Value]] = {}
    for model in among:
        lines = look(run, model)
        if lines is UNBOUND and id(model.table) in inside:
            continue  # what holds it says whether that stops
        for site in dict.fromkeys(_sites(run, model, {id(model.table)})):
            found.setdefault(site, []).append(lines)
    written = [site for site, every in found.items() if any(said is not UNBOUND for said in every)]
    for site in written:
        site.context.setdefault(name, join(found[site]))
    return written


def _refused(run: Interpreter, model: Instance) -> Value:
    """Return what is refused of the layers that are certainly in a model."""
    chain, refused = model.table.get(models.LAYERS), state_of(run).refused
    items = containers.contents_of(chain).items if isinstance(chain, Listing) else models.layers_of(run, model)
    lines = [refused[one.table] for one in items if isinstance(one, Instance) and one.table in refused]
    return refused_layers.together(lines).get(REFUSED, UNBOUND)


def _meetings(run: Interpreter, model: Instance) -> Value:
    """Return the meetings in a model, those that are certain or (a branch decides) also the others."""
    made, chain = layers.made_of(model), model.table.get(models.LAYERS)
    if made is None:
        return UNBOUND
    sure: dict[str, None] = {}
    every: dict[str, None] = {}
    if isinstance(chain, Listing):
        for item in containers.contents_of(chain).items:
            for option in options(present(item)):
                layer = layers.made_of(option)
                line = None if layer is None else meeting(run, layer.build, made.build)
                every |= {line: None} if line else {}
                sure |= {line: None} if line and option is item else {}
    else:
        given = input_tensors.every(model.table.get(models.INPUTS) or NONE)
        every = {line: None for tensor in given if (line := into_model(run, tensor, made.build))}
        sure = every
    if not every:
        return UNBOUND
    least = Const("\n".join(sure)) if sure else UNBOUND
    return least if len(sure) == len(every) else join([least, Const("\n".join(every))])


def _sites(run: Interpreter, model: Instance, around: set[int]) -> Iterator[Site]:
    """Yield the sites of the recurrent layers in a model, and in the models in it."""
    for layer in [*models.layers_of(run, model), *_further(model)]:
        made = layers.made_of(layer)
        if made is not None and made.site is not None:
            yield made.site
            held = layers.made_of(made.build.arguments.get("layer", NONE))
            if held is not None and held.site is not None:
                yield held.site
        if models.is_model(layer) and id(layer.table) not in around:
            yield from _sites(run, layer, {*around, id(layer.table)})


def _further(model: Instance) -> list[Instance]:
    """Return the layers of which a Sequential may have any number: those of a loop whose length is not known."""
    chain = model.table.get(models.LAYERS)
    rest = containers.contents_of(chain).rest if isinstance(chain, Listing) else None
    return [] if rest is None else [one for one in options(rest) if isinstance(one, Instance)]
