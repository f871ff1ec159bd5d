"""What is inside a wrapper, and what the two directions of a Bidirectional know of each other."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace

from cudnnlint.core.fact import Fact
from cudnnlint.core.layer import Layer
from cudnnlint.frontends.source.keras import layers, mutations
from cudnnlint.frontends.source.keras.sites import Build, Made, Site
from cudnnlint.frontends.source.python.values import NONE, Value, options


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


def _with_sibling(layer: Layer, others: list[Layer]) -> Layer:
    if not others:
        return layer
    sibling = others[0].variants[0]
    wrappers = tuple(
        replace(wrapper, sibling=sibling) if wrapper.kind == "Bidirectional" and wrapper.sibling is None else wrapper
        for wrapper in layer.wrappers
    )
    return replace(layer, wrappers=wrappers)


def both(build: Build, ahead: list[Layer], back: list[Layer], fact: Callable[[Value], Fact]) -> list[Layer]:
    """Return the directions of a Bidirectional, with what is set on each later, and what they know of each other."""
    ahead = [_changed(layer, mutations.on_direction(build, "forward_layer"), fact) for layer in ahead]
    back = [_changed(layer, mutations.on_direction(build, "backward_layer"), fact) for layer in back]
    return [_with_sibling(layer, back) for layer in ahead] + [_with_sibling(layer, ahead) for layer in back]


def _changed(layer: Layer, settings: Mapping[str, Value], fact: Callable[[Value], Fact]) -> Layer:
    later = {name: fact(value) for name, value in settings.items()}
    variants = tuple(replace(made, after={**made.after, **later}) for made in layer.variants)
    return replace(layer, variants=variants) if later else layer


def distinct_sites(value: Value) -> list[Site]:
    """Return where the layers that a value may be are constructed."""
    made = [layers.made_of(option) for option in options(value)]
    return list(dict.fromkeys(one.site for one in made if isinstance(one, Made) and one.site is not None))
