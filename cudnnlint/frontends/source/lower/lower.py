"""Lowering: from what the interpreter saw to layers of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.fact import ABSENT, Assumed, Fact, Known, Unknown, one_of
from cudnnlint.core.file_limits import in_force
from cudnnlint.core.layer import Call, Construction, Layer, Wrapper
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.regex import regex
from cudnnlint.core.target import Era
from cudnnlint.frontends.source.context import recorder, torch_flags
from cudnnlint.frontends.source.keras import locked_settings, mutations, overriding, precision
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.masks import in_epoch
from cudnnlint.frontends.source.keras.sites import Build, CallSeen, Site
from cudnnlint.frontends.source.keras.tensors import ReleaseDefault
from cudnnlint.frontends.source.lower import eras, inside_wrappers, rnn_cells
from cudnnlint.frontends.source.lower.inside_wrappers import both, by_kind, distinct_sites, holds_wrapper
from cudnnlint.frontends.source.lower.plain_facts import described, plain
from cudnnlint.frontends.source.lower.repeats import without_repeats
from cudnnlint.frontends.source.python import between
from cudnnlint.frontends.source.python.call_path import EventKey
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Bound,
    Const,
    Either,
    Imported,
    Library,
    Unbound,
    UnknownValue,
    Value,
    options,
)
from cudnnlint.frontends.source.syntax.places import Places
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The facts of a call that may differ between releases of Keras.
VARYING = ("mask", "input_dtype", "stops_before")
#: Names that match this may hold a layer that makes masks.
_EMBEDS = regex("(?i)embed")


class Lowering:
    """Turns sites into layers."""

    def __init__(self, run: Interpreter) -> None:
        self.run = run
        self.keras = state_of(run)
        self.places: dict[int, Places] = {}
        self.inside = 0
        self.sites: dict[int, Site] = {}  # of the layers, by their identity: where each, or its wrapper, is constructed

    def layers(self) -> tuple[Layer, ...]:
        """Return the layers of everything that was seen, in the order of their places."""
        left = self.run.budget.left
        found = self._all()
        if self.run.budget.left != left:  # what is evaluated late, a generator say, may construct one more
            found = self._all()
        return tuple(without_repeats(sorted(found, key=_order)))

    def place(self, origin: Origin | None) -> SourcePlace | None:
        """Return the place of a node; None without one."""
        if origin is None:
            return None
        unit, node = origin.outermost.unit, origin.outermost.node
        places = self.places.get(id(unit)) or self.places.setdefault(id(unit), Places(unit))
        return places.of(node)

    def _all(self) -> list[Layer]:
        found = [(layer, site) for site in [*self.keras.sites.values()] for layer in self._site(site)]
        self.sites = {id(layer): site for layer, site in found}
        return [layer for layer, _ in found]

    def _site(self, site: Site) -> list[Layer]:
        wrapping, plain = by_kind(site, self.keras.names.wrappers)
        self.inside, around = 0, inside_wrappers.around(site, self.fact)
        found = [] if site.consumed or wrapping is None else self._wrapped(wrapping, around, site.calls)
        if plain is None or (site.consumed and not site.calls):
            return found
        return [self._layer(plain, tuple(around), site.calls), *found]

    def _wrapped(self, site: Site, outer: list[Wrapper], calls: dict[EventKey, CallSeen]) -> list[Layer]:
        """Return the layers inside a wrapper, from each of its alternatives."""
        found: list[Layer] = []
        for build in site.builds:
            arguments = inside_wrappers.arguments(build, self.keras.names, self.fact)
            if build.class_name != "Bidirectional" or holds_wrapper(build, self.keras.names.wrappers):
                wrapper = Wrapper(build.class_name, arguments=arguments)
                found += self._inside(build.arguments.get("layer", NONE), [wrapper, *outer], site, calls)
                continue
            explicit = inside_wrappers.is_explicit(build)
            forward = Wrapper("Bidirectional", "forward", explicit=explicit, arguments=arguments)
            backward = Wrapper("Bidirectional", "backward", not explicit, explicit, arguments=arguments)
            inner = build.arguments.get("layer", NONE)
            ahead = self._inside(inner, [forward, *outer], site, calls)
            second = build.arguments["backward_layer"] if explicit else inner
            back = self._inside(second, [backward, *outer], site, calls)
            found += both(build, ahead, back, self.fact, self._construction)
        return found

    def _inside(
        self, value: Value, wrappers: list[Wrapper], around: Site, calls: dict[EventKey, CallSeen]
    ) -> list[Layer]:
        """Return the layers inside a wrapper, which is constructed at the site `around`; a class is at its place."""
        uncalled = inside_wrappers.classes(value, self.keras.names, around.builds[0].path)
        found = [self._layer(replace(around, builds=[kind]), tuple(wrappers), calls) for kind in uncalled]
        for site in distinct_sites(value):
            self.inside += 1
            if self.inside > in_force().wrapped_layers:
                self.run.cut_off("Wrappers are too deep inside one another: some layers inside them are not reported.")
                break
            wrapping, plain = by_kind(site, self.keras.names.wrappers)
            found += [] if plain is None else [self._layer(plain, tuple(wrappers), calls)]
            found += [] if wrapping is None else self._wrapped(wrapping, wrappers, calls)
        return found

    def _layer(self, site: Site, wrappers: tuple[Wrapper, ...], calls: dict[EventKey, CallSeen]) -> Layer:
        place, *via = self._chain(site)
        return Layer(
            name=self._name(site),
            place=place,
            variants=tuple(self._construction(build, site.origin) for build in site.builds),
            calls=self._calls(site, calls) or self._uncalled(site),
            wrappers=wrappers,
            via=tuple(via),
            uncalled=next((step.entered for step in site.path if step.entered), None),
            loaded_from=() if site.loaded_from is None else tuple(self._chain(site.loaded_from)),
        )

    def _chain(self, site: Site) -> list[SourcePlace]:
        """Return the place of the layer (the innermost call in linted code), and those of the calls outside it."""
        around = site.origin.unit.inside  # the `eval` that runs the text is the place of the layer already
        steps = [one.origin for one in reversed(site.path) if one.index is None and not one.entered]
        linted = [one for one in (site.origin, *steps) if one.unit.linted and one != around] or [site.origin]
        return [self.place(origin) or SourcePlace(origin.unit.path, 1, 1, 1, 1) for origin in linted]

    def _name(self, site: Site) -> str | None:
        names = self._names(site)
        written = names[0].value if len(names) == 1 and isinstance(names[0], Const) else None
        return written if isinstance(written, str) else None

    def _names(self, site: Site) -> list[Value]:
        return [option for build in site.builds for option in options(build.arguments.get("name", UNBOUND))]

    def _construction(self, build: Build, origin: Origin | None) -> Construction:
        return Construction(
            build.class_name,
            build.path,
            {name: self.fact(value) for name, value in rnn_cells.arguments(self.run, build).items()},
            None if build.open is None else str(build.open),
            rnn_cells.of(self.run, build, self._construction, self.place) if build.class_name == "RNN" else None,
            build.subclass,
            build.overrides,
            build.calls_super,
            self.place(origin),
            {name: self.fact(value) for name, value in (mutations.settings(build) | mutations.chosen(build)).items()},
            build.may_call_super,
            build.assumed,
            None if build.unsure is None else str(build.unsure),
            decided_by=str(build.decided_by), locked=self.fact(locked_settings.tried_on(build)),
            call_names=build.call_names, registered=overriding.registered(self.run, build),
            by_position=build.by_position, from_config=build.from_config,
            stack_dtype=self.fact(rnn_cells.stack_dtype(build)),
        )

    def _calls(self, site: Site, calls: dict[EventKey, CallSeen]) -> tuple[Call, ...]:
        return tuple(one for call in recorder.real(self.run, calls) for one in self._call(site, call))

    def _call(self, site: Site, call: CallSeen) -> list[Call]:
        """Return one call, once for each way in which its model is run."""
        found = [one for context in recorder.of(self.run, site, call) for one in self._by_release(context, call)]
        return list({repr(one): one for one in found}.values())

    def _by_release(self, context: dict[str, Value], call: CallSeen) -> list[Call]:
        """Return one call, once for each difference between releases."""
        said = {**torch_flags.everywhere(self.run), **context}.items()
        facts, place = {name: self.fact(value) for name, value in said if name not in VARYING}, self.place(call.origin)
        different: dict[str, tuple[dict[str, Fact], list[Era]]] = {}
        every = [epoch.era for epoch in self.keras.names.masks.epochs]
        for index, era in enumerate(every):
            here = self._in_epoch(context, index)
            different.setdefault(repr(here), (here, []))[1].append(era)
        return [Call({**facts, **here}, place, eras.part(spans, every)) for here, spans in different.values()]

    def _in_epoch(self, context: dict[str, Value], index: int) -> dict[str, Fact]:
        """Return the facts of a call that differ between releases, in one mask epoch."""
        mask = self._mask(in_epoch(context.get("mask", UNBOUND), index))
        others = [self.fact(in_epoch(context.get(name, UNBOUND), index)) for name in VARYING[1:]]
        return {name: fact for name, fact in zip(VARYING, (mask, *others), strict=True) if fact != ABSENT}

    def _uncalled(self, site: Site) -> tuple[Call, ...]:
        said = {**torch_flags.everywhere(self.run), **site.context, **site.uncalled}.items()
        context = {name: self.fact(value) for name, value in said}
        if self.keras.makes_masks:
            because = "the input of this layer is not followed, and the code makes masks"
            context["mask"] = Unknown(because)
        return (Call(context),) if context else ()

    def _mask(self, value: Value) -> Fact:
        if isinstance(value, Either):
            return one_of([self._mask(option) for option in value.options], str(value.because))
        if isinstance(value, UnknownValue) and value.mask == "open" and not self._may_be_masked(value):
            return Assumed("none", f"{value.because}; no code that was read makes a mask", self.place(value.at))
        return self.fact(value)

    def _may_be_masked(self, value: UnknownValue) -> bool:
        """Return whether a mask is possible where a tensor is not followed: embeddings make them, wherever they are."""
        return self.keras.makes_masks or _EMBEDS.search(str(value.because)) is not None

    def fact(self, value: Value) -> Fact:
        """Return a value as a fact."""
        if isinstance(value := between.ends(value), Either):
            return one_of([self.fact(option) for option in value.options], str(value.because))
        if isinstance(value, (Unbound, ReleaseDefault)):
            return ABSENT
        if isinstance(value, Imported):
            return self.fact(self.run.modules.resolve(value))
        if (policy := precision.named(value)) is not value:
            return self.fact(policy)
        place = self.place(value.at)
        if isinstance(value, UnknownValue):
            return Unknown(str(value.because), place)
        if isinstance(value, Bound) and value.may_be_plain:
            return Unknown(f"`{value.name}` is an attribute of {described(value.receiver)}, which is not read", place)
        if isinstance(value, Library) and self._foreign(value):
            top = value.name.split(".")[0] or value.name
            return Unknown(f"`{value.name}` is imported from `{top}`, which is not read", place)
        known, written = plain(self.run, value)
        return Assumed(known, value.assumed, place) if value.assumed else Known(known, place, written)

    def _foreign(self, value: Library) -> bool:
        return value.foreign and value.name.split(".")[0] not in self.keras.names.frameworks


def _order(layer: Layer) -> tuple[object, ...]:
    place = layer.place
    assert isinstance(place, SourcePlace)
    via = [(step.path, step.cell or 0, step.row, step.column) for step in layer.via]
    return place.path, place.cell or 0, place.row, place.column, via
