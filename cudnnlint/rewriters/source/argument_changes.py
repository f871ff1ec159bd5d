"""Sets an argument of a layer, or leaves it out: where its value is written, else at the call that makes the layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import libcst as cst

from cudnnlint.core.edit import DropArgument, Edit, SetArgument
from cudnnlint.core.fact import Absent, Assumed, Known, alternatives
from cudnnlint.core.layer import Construction
from cudnnlint.core.place import Place
from cudnnlint.rewriters.source import listing, side_effects
from cudnnlint.rewriters.source.fix_context import FixContext, Impossible, Need, is_certainly, literal
from cudnnlint.rewriters.source.flow import POSITIONAL, Flow, last_name
from cudnnlint.rewriters.source.parsed_page import Page

Argument = SetArgument | DropArgument
#: Functions that make layers and take none of their arguments.
FROM_ELSEWHERE = frozenset(
    {"from_config", "clone_model", "deserialize", "model_from_json", "model_from_config", "load_model", "get", "clone"}
    | {"copy", "deepcopy", "from_json"}
    | {"exec", "eval", "start", "run", "submit", "callback", "close", "map", "starmap", "reduce", "filter", "Thread"}
)


def value_of(context: FixContext, step: Argument) -> Any:
    """Return the value that the argument is to have; one that is left out has its default, None if that is unknown."""
    return step.value if isinstance(step, SetArgument) else context.left_out.get(step.name)


def ways(context: FixContext, need: Need, steps: Sequence[Argument]) -> Iterator[list[Edit]]:
    """Yield the ways to take these steps, the best first; raise Impossible where there is none."""
    origins = {step.name: _at_its_origin(context, need, step) for step in steps}
    if any(origins.values()):
        left = [step for step in steps if not origins[step.name]]
        yield [*(edit for edits in origins.values() for edit in edits), *_at_the_calls(context, need, left)]
    yield _at_the_calls(context, need, steps)


# ---------------------------------------------------------------- where the value is written


def _at_its_origin(context: FixContext, need: Need, step: Argument) -> list[Edit]:
    """Return the edits where the value is written, if that is away from the call and nothing else depends on it."""
    value = value_of(context, step)
    places = {place for made in need.made for place in _places(made, step.name)}
    if value is None or len(places) != 1 or None in places:
        return []
    (place,) = places
    found = context.expression(place)
    if place is None or found is None or not _agreed(context, need, step.name, place):
        return []
    page, node = found
    makers = {context.call(made.construction.place)[1]: made.construction for made, _ in context.fed(place)}
    calls = frozenset(makers)
    call = page.parents[page.parents[node]] if isinstance(page.parents[node], cst.Arg) else None
    if isinstance(call, cst.Call) and call in calls:  # others are made from this layer's configuration
        return _at_call(context, page, call, makers[call], [step]) if len(calls) > 1 else []
    if not Flow(context, step.name, calls).reaches_only_them(node):
        return []
    side_effects.none(page, node)
    return [page.edit(*page.span(node), literal(value, page.source(node)))]


def _places(made: Construction, name: str) -> Iterator[Place | None]:
    for fact in alternatives(made.argument(name)):
        yield fact.place if isinstance(fact, (Known, Assumed)) else None


def _agreed(context: FixContext, need: Need, name: str, place: Place) -> bool:
    """Return whether the same fault is found in every layer that gets the value."""
    return all(given == name and need.code in made.codes for made, given in context.fed(place))


# ---------------------------------------------------------------- at the call


def _at_the_calls(context: FixContext, need: Need, steps: Sequence[Argument]) -> list[Edit]:
    """Return the edits at the calls that make the layers."""
    edits: list[Edit] = []
    for place in dict.fromkeys(made.place for made in need.made):
        page, call = context.call(place)
        for step in steps:
            _allow(context, need, step, place)
        edits += _at_call(context, page, call, next(made for made in need.made if made.place == place), steps)
    return edits


def _allow(context: FixContext, need: Need, step: Argument, place: Place | None) -> None:
    """Raise Impossible where the call makes layers without the fault, and the step would change something there."""
    for made in context.at(place):
        fact = made.construction.argument(step.name)
        wanted = is_certainly(fact, value_of(context, step))
        same = wanted and (isinstance(step, DropArgument) or not isinstance(fact, Absent))
        if need.code not in made.codes and not same:
            raise Impossible(f"the same call also makes a layer that needs {step.name}")
        if any(isinstance(one, Assumed) for one in alternatives(fact)):
            raise Impossible(f"{step.name} is a default value here, and a caller may pass another value")


def _at_call(
    context: FixContext, page: Page, call: cst.Call, made: Construction, steps: Sequence[Argument]
) -> list[Edit]:
    drop: list[cst.Arg] = []
    add: list[tuple[str, str]] = []
    edits: list[Edit] = []
    for step in steps:
        written = listing.argument(call, step.name) or _by_position(call, step.name)
        value = value_of(context, step)
        if written is not None:
            side_effects.none(page, written.value)
        if written is None and isinstance(made.argument(step.name), Absent):
            if last_name(call.func) in FROM_ELSEWHERE:
                raise Impossible(f"the call has no argument {step.name}")
            add += [(step.name, literal(value))] if isinstance(step, SetArgument) else []
        elif written is None:
            edits += _overridden(page, call, step.name, value, add)
        elif written.keyword is not None and isinstance(step, DropArgument):
            drop.append(written)
        elif value is not None:
            start, end = page.span(written.value)
            edits.append(page.edit(start, end, literal(value, page.text[start:end])))
        else:
            raise Impossible(f"{step.name} is passed by its position")
    return [*edits, *listing.change(page, call, drop, add)]


def _by_position(call: cst.Call, name: str) -> cst.Arg | None:
    """Return the argument that is passed by position as `name`."""
    if name not in POSITIONAL:
        return None
    before = call.args[: POSITIONAL.index(name) + 1]
    plain = len(before) > POSITIONAL.index(name) and all(not arg.star and arg.keyword is None for arg in before)
    return before[-1] if plain else None


def _overridden(page: Page, call: cst.Call, name: str, value: Any, add: list[tuple[str, str]]) -> list[Edit]:
    """Return the edits that override an argument from a spread dict, a partial or a subclass: the last one wins."""
    if value is None or last_name(call.func) in FROM_ELSEWHERE:
        raise Impossible(f"{name} is not written at the call")
    spread = [arg for arg in call.args if arg.star]
    if not spread:
        add.append((name, literal(value)))
        return []
    if len(spread) > 1 or spread[0].star != "**":
        raise Impossible(f"{name} may come from any of the spread arguments")
    start, end = page.span(spread[0])
    inner = page.text[start + 2 : end].strip()
    return [page.edit(start, end, f'**{{**{inner}, "{name}": {literal(value)}}}')]
