"""What is inside a wrapper, and what the two directions of a Bidirectional know of each other."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

from cudnnlint.core.fact import Fact
from cudnnlint.core.layer import Construction, Layer, Wrapper
from cudnnlint.core.names import Names
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import held_layers, layers, mutations
from cudnnlint.frontends.source.keras.sites import Build, Made, Site
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import NONE, Const, Library, Unbound, Value, options
from cudnnlint.frontends.source.syntax.unit import Origin

Construct = Callable[[Build, "Origin | None"], Construction]


def holds_wrapper(build: Build, wrappers: Container[str]) -> bool:
    """Return whether there is a wrapper inside a Bidirectional: Keras refuses that, before it copies anything."""
    kinds = {one.class_name for site in distinct_sites(build.arguments.get("layer", NONE)) for one in site.builds}
    return bool(kinds) and all(kind in wrappers for kind in kinds)


def by_kind(site: Site, wrappers: Container[str]) -> tuple[Site | None, Site | None]:
    """Return a site as that of wrappers and that of layers: what is called may be the one or the other.

    A layer whose units would be a layer is then none: Keras refuses it, so the wrapper is meant.
    """
    wrapping = [build for build in site.builds if build.class_name in wrappers]
    if not wrapping or len(wrapping) == len(site.builds):
        return (site, None) if wrapping else (None, site)
    others = [build for build in site.builds if build.class_name not in wrappers]
    plain = [build for build in others if not distinct_sites(build.arguments.get("units", NONE))]
    return replace(site, builds=wrapping), replace(site, builds=plain) if plain else None


def is_explicit(build: Build) -> bool:
    """Return whether a Bidirectional is given its backward layer."""
    given = build.arguments.get("backward_layer", NONE)
    return not containers.is_nothing(given) and not isinstance(given, Unbound)


def arguments(build: Build, names: Names, fact: Callable[[Value], Fact]) -> dict[str, Fact]:
    """Return the arguments of a wrapper; its layer is one where that is a class, which is no layer."""
    left_out = () if classes(build.arguments.get("layer", NONE), names, build.path) else ("layer",)
    return {name: fact(value) for name, value in build.arguments.items() if name not in left_out}


def classes(value: Value, names: Names, wrapper: str) -> list[Build]:
    """Return the classes of recurrent layers, or their names, that a wrapper may be given in place of a layer.

    `wrapper` is the wrapper's dotted name: a class that is only named is taken to be of its package. What certainly is
    neither a layer nor the name of one counts as a recurrent layer of which nothing is known.
    """
    found = [option for option in options(value) if isinstance(option, Library)]
    kinds = {one.name: kind for one in found if (kind := names.recurrent_class(one.name)) is not None}
    texts = [option.value for option in options(value) if isinstance(option, Const) and isinstance(option.value, str)]
    root = wrapper.rsplit(".", 1)[0]
    kinds |= {f"{root}.{text}": text for text in texts if text in names.recurrent}
    written = isinstance(value, Const) and value.at is not None and not value.assumed
    nothing = written and not kinds and not any(text[:1].isupper() for text in texts)  # else it names another class
    found_none = [Build("RNN", f"{root}.RNN", {}, "the wrapper holds no layer")] if nothing else []
    return [Build(kind, name, {}, f"the class {kind} is not called") for name, kind in kinds.items()] + found_none


def around(site: Site, fact: Callable[[Value], Fact]) -> list[Wrapper]:
    """Return the Bidirectional that is given a model which has the layer of a site: Keras refuses it."""
    held = held_layers.holder(site)
    return [] if held is None else [Wrapper("Bidirectional", arguments={"layer": fact(held)})]


def _with_sibling(layer: Layer, sibling: Construction | None) -> Layer:
    if sibling is None:
        return layer
    wrappers = tuple(
        replace(wrapper, sibling=sibling) if wrapper.kind == "Bidirectional" and wrapper.sibling is None else wrapper
        for wrapper in layer.wrappers
    )
    return replace(layer, wrappers=wrappers)


def both(
    build: Build, ahead: list[Layer], back: list[Layer], fact: Callable[[Value], Fact], construct: Construct
) -> list[Layer]:
    """Return the directions of a Bidirectional, with what is set on each later, and what they know of each other."""
    ahead = [_changed(layer, mutations.on_direction(build, "forward_layer"), fact) for layer in ahead]
    back = [_changed(layer, mutations.on_direction(build, "backward_layer"), fact) for layer in back]
    other = back[0].variants[0] if back else _no_layer(build, construct)
    found = [_with_sibling(layer, other) for layer in ahead]
    return found + [_with_sibling(layer, ahead[0].variants[0] if ahead else None) for layer in back]


def _no_layer(build: Build, construct: Construct) -> Construction | None:
    """Return what is given as the backward layer, where that is another object of Keras's."""
    given = build.arguments.get("backward_layer", NONE)
    made = layers.made_of(given)
    return None if made is None else construct(made.build, given.at)


def _changed(layer: Layer, settings: Mapping[str, Value], fact: Callable[[Value], Fact]) -> Layer:
    later = {name: fact(value) for name, value in settings.items()}
    variants = tuple(replace(made, after={**made.after, **later}) for made in layer.variants)
    return replace(layer, variants=variants) if later else layer


def distinct_sites(value: Value) -> list[Site]:
    """Return where the layers that a value may be are constructed."""
    made = [layers.made_of(option) for option in options(value)]
    return list(dict.fromkeys(one.site for one in made if isinstance(one, Made) and one.site is not None))
