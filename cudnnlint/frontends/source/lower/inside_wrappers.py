"""What is inside a wrapper, and what the two directions of a Bidirectional know of each other."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from cudnnlint.core.layer import Layer
from cudnnlint.frontends.source.keras import layers
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


def with_sibling(layer: Layer, others: list[Layer]) -> Layer:
    """Return a direction of a Bidirectional with what it needs to know of the other one."""
    if not others:
        return layer
    sibling = others[0].variants[0]
    wrappers = tuple(
        replace(wrapper, sibling=sibling) if wrapper.kind == "Bidirectional" and wrapper.sibling is None else wrapper
        for wrapper in layer.wrappers
    )
    return replace(layer, wrappers=wrappers)


def distinct_sites(value: Value) -> list[Site]:
    """Return where the layers that a value may be are constructed."""
    made = [layers.made_of(option) for option in options(value)]
    return list(dict.fromkeys(one.site for one in made if isinstance(one, Made) and one.site is not None))
