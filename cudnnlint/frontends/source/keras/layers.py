"""Keras objects: their construction (a site, if the layer is recurrent), their attributes, and their calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import (
    configs,
    given_settings,
    graphs,
    handed_out,
    held_layers,
    input_tensors,
    layer_order,
    made_tensors,
    makers,
    masks_of_own_layers,
    masks_passed,
    models,
    mutations,
    overriding,
    packages_met,
    refused_layers,
    run_time_masks,
    shown_layers,
    shown_settings,
)
from cudnnlint.frontends.source.keras.keras_state import library_of, state_of
from cudnnlint.frontends.source.keras.sites import MADE, Build, Made, Site
from cudnnlint.frontends.source.keras.tensors import ReleaseDefault, Tensor, of_package, operation
from cudnnlint.frontends.source.python import classes, functions, signatures
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.call_path import event_key
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    NONE,
    Bound,
    Class,
    Const,
    Function,
    Instance,
    Library,
    UnknownValue,
    Value,
    options,
    present,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cells of an object that show that its `build` or its `call` was run.
BUILT = "·built"
CALLED = "·called"
#: Paths of calls to one construction that are reported one by one.
MOST_EVENTS = 256
#: Merge layers as functions.
MERGES = words("add average concatenate maximum minimum multiply subtract dot")


def from_library(run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a name of Keras: construct a class, make the tensor of an Input; return None for anything else."""
    name = callee.name
    last = state_of(run).names.keras_class(name)
    if last is None:
        return None
    if last == "Input":
        return packages_met.entered(run, name, input_tensors.tensor(run, arguments))
    if last == "__new__":
        return Instance(Library(name.rsplit(".", 1)[0]), run.journal.table(), at=origin, assumed=callee.assumed)
    made = makers.call(run, name, arguments, origin)
    if made is not None:
        return made
    receiver, *rest = arguments.positional or [NONE]
    if last in ("__init__", "call", "__call__") and isinstance(receiver, Instance):
        bound = Bound(receiver, last, Library(name.rsplit(".", 1)[0]))
        return run.call(bound, replace(arguments, positional=rest), origin)
    if last in MERGES and ".layers." in name:
        merged = Instance(Library(f"{name.removesuffix(last)}{last.capitalize()}"), run.journal.table(), at=origin)
        initialise(run, merged, merged.kind.name, replace(arguments, positional=[]), origin)
        return call(run, merged, Arguments(arguments.positional[:1]), origin)
    if not last[:1].isupper():
        return None
    instance = Instance(Library(name), run.journal.table(), at=origin, assumed=callee.assumed)
    run.library.construct(run, instance, name, arguments, origin)
    return instance


def initialise(run: Interpreter, instance: Instance, dotted: str, arguments: Arguments, origin: Origin) -> None:
    """Run the constructor of the Keras class `dotted` on an object, which may be of a subclass."""
    name = state_of(run).names.keras_class(dotted)
    assert name is not None
    build = _build(run, instance, name, dotted, arguments)
    run.budget.layer()
    site = None
    name_is_site = name in state_of(run).names.recurrent or name in state_of(run).names.wrappers
    if name_is_site and run.records(origin):
        site = _site(run, origin)
        build = site.add(build)
        library_of(run).at_construction(run, site)
    run.journal.write(instance.table, MADE, Made(build, site))
    packages_met.built(run, build, site)
    refused_layers.built(run, instance, build, site)
    library_of(run).constructed(run, instance)
    mutations.begin(run, instance, build)
    if name in state_of(run).names.wrappers:
        held_layers.consume(run, build)
    models.started(run, instance, build)
    if name == "Masking" or (
        name == "Embedding" and truth(build.arguments.get("mask_zero", Const(False))) is not False
    ):
        state_of(run).makes_masks = True


def _site(run: Interpreter, origin: Origin) -> Site:
    """Return the site of a construction: that of its path of calls, or a common one once there are MOST_EVENTS."""
    state, key = state_of(run), event_key(run.path, origin)
    if key not in state.sites and state.events[id(origin.node)] >= MOST_EVENTS:
        key = (id(origin.node), "further")
    if key not in state.sites:
        state.events[id(origin.node)] += 1
    return state.sites.setdefault(key, Site(origin, run.path))


def _build(run: Interpreter, instance: Instance, name: str, dotted: str, arguments: Arguments) -> Build:
    """Return the arguments by name, and what a subclass adds."""
    names = state_of(run).names.positional.get(name, ())
    given = dict(zip(names, arguments.positional, strict=False))
    given.update({key: value for key, value in arguments.keywords.items() if not key.startswith("·")})
    written = {key: value for key, value in given.items() if not isinstance(value, ReleaseDefault)}
    given = {key: given_settings.taken(key, value) for key, value in written.items()}
    unseen = arguments.rest if arguments.open is None else arguments.open
    if unseen is None and names and len(arguments.positional) > len(names):
        unseen = f"{len(arguments.positional)} positional arguments mean different things in Keras 2 and Keras 3"
    build = Build(name, dotted, given, unseen, assumed=instance.assumed, decided_by=run.chosen)
    build.by_position = names[: len(arguments.positional)]
    if isinstance(instance.kind, Class):
        overriding.describe(build, instance.kind)
    return build


def made_of(value: Value) -> Made | None:
    """Return what Keras made of an object, if it is a Keras object."""
    made = value.table.get(MADE) if isinstance(value, Instance) else None
    if made is None:
        return None
    first = options(present(made))[0]
    return first if isinstance(first, Made) else None


def keras_base(run: Interpreter, value: Instance) -> bool:
    """Return whether an object is of Keras, or of a user's class that inherits from Keras or from something unknown."""
    if isinstance(value.kind, Library):
        return state_of(run).names.keras_class(value.kind.name) is not None
    bases = classes.lineage(value.kind)
    return any(
        isinstance(base, UnknownValue) or (isinstance(base, Library) and _layer_like(run, base)) for base in bases
    )


def _layer_like(run: Interpreter, base: Library) -> bool:
    return base.foreign or state_of(run).names.keras_class(base.name) is not None or base.name.startswith("tensorflow.")


def attribute(run: Interpreter, value: Instance, name: str, origin: Origin) -> Value | None:
    """Return an attribute that a Keras object has from its constructor arguments; None if it has none of that name."""
    made = made_of(value)
    if made is None:
        return None
    if (found := shown_layers.attribute(run, value, name, origin)) is not None:
        return found
    if name == "cell" and made.build.class_name in mutations.WITH_CELL:
        return mutations.own_cell(run, value, made.build, origin)
    copy = mutations.direction(run, value, made.build, name, origin)
    return copy or (None if name in overriding.REPLACEABLE else shown_settings.of(run, made.build, name))


def call(run: Interpreter, instance: Instance, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `object(arguments)`: a layer on its inputs, or something of another package."""
    arguments = run_time_masks.now(run, made_tensors.of_arrays(arguments))
    if isinstance(instance.kind, Class):
        inner = classes.search(instance.kind, "call")
        if inner is not None and isinstance(inner[0], Function) and isinstance(inner[1], Class):
            method_ = functions.as_method(inner[0], inner[1])
            assert isinstance(method_, Function)
            return run_time_masks.leaving(_call_own(run, instance, method_, arguments, origin))
    if made_of(instance) is not None:
        return graphs.apply(run, instance, arguments, origin)
    return of_package(instance.kind, arguments, origin)


def _call_own(run: Interpreter, instance: Instance, method_: Function, arguments: Arguments, origin: Origin) -> Value:
    """Run `call` of a user's layer, with its input's mask if it takes one, and `build` before the first call."""
    build_first(run, instance, origin)
    run.journal.write(instance.table, CALLED, Const(True))
    handed_out.fed(run, instance, arguments.get(0, "inputs") or NONE)
    names = [parameter.name.value for parameter in signatures.every_parameter(method_.node.params)]
    given = run_time_masks.entering(arguments)
    first = given.get(0, names[1] if len(names) > 1 else "inputs")
    passed = given.keywords.get("mask")
    masks_passed.add(run, method_, given)
    result = run_time_masks.line_by_line(run, method_, given.with_first(instance), origin)
    run.journal.write(instance.table, graphs.TOOK, first or NONE)
    result = masks_of_own_layers.output(run, instance, first, passed, result, origin)
    layer_order.seen_from_outside(run, instance, arguments, result)
    run.journal.write(instance.table, graphs.GAVE, result)
    return result


def build_first(run: Interpreter, instance: Instance, origin: Origin) -> None:
    """Run a layer's `build` before its first call, as Keras does."""
    assert isinstance(instance.kind, Class)
    found = classes.search(instance.kind, "build")
    if instance.table.get(BUILT) is not None or found is None or not isinstance(found[0], Function):
        return
    run.journal.write(instance.table, BUILT, Const(True))
    if isinstance(found[1], Class):
        shape = UnknownValue("is a shape that Keras passes to build()", "input_shape", "none")
        run.call(functions.as_method(found[0], found[1]), Arguments([instance, shape]), origin)


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method that a Keras object or its class has from Keras; return None if it is none that matters."""
    receiver, name = bound.receiver, bound.name
    if name == "from_config":
        return configs.make(run, receiver, arguments.get(0, "config"), origin)
    if not isinstance(receiver, Instance) or name in ("__new__", "__init__"):
        return None
    if made_of(receiver) is not None and name in ("call", "__call__"):
        return graphs.apply(run, receiver, arguments, origin, direct=name == "call")
    found = library_of(run).scope_method(run, receiver, name, arguments, origin)
    if found is None:
        found = models.method(run, receiver, name, arguments, origin)
    if found is None and name in ("get_config", "to_json"):
        made = made_of(receiver)
        found = None if made is None else configs.get_config(run, made, receiver, name, origin)
    if found is None and any(isinstance(value, Tensor) for value in arguments.every()):
        found = operation(*arguments.every())
    return found
