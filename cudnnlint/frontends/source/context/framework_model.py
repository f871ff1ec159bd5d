"""The model of Keras in its execution context: what the libraries around it switch, open and ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.context import (
    devices,
    environ,
    execution_context,
    failing_imports,
    gradients,
    late_weights,
    model_runs,
    recorder,
    refused_imports,
    switches,
    target_queries,
    transforms,
)
from cudnnlint.frontends.source.context.context_state import KerasInContext
from cudnnlint.frontends.source.context.scoped import SWITCHES
from cudnnlint.frontends.source.keras import handed_out, made_in_call, tensorflow_functions
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import CallSeen, Site
from cudnnlint.frontends.source.keras.tensors import Source, Tensor
from cudnnlint.frontends.source.python import raising
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.library_model import Handler
from cudnnlint.frontends.source.python.values import Bound, Const, Function, Instance, Library, Partial, Value
from cudnnlint.frontends.source.syntax.unit import Origin, Unit

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


class Frameworks(KerasInContext):
    """The behaviour of the frameworks in a program: the model that the source front end reads with."""

    # ------------------------------------------------------------ target queries

    def member(self, run: Interpreter, owner: Library, name: str) -> Value | None:
        """Return the version of a framework, where the target says it."""
        if name in target_queries.VERSION_NAMES:
            return target_queries.version(run, owner.name)
        guarded = run.guards and raising.taken(run, "AttributeError") is not False
        doubtful = guarded and state_of(run).names.may_be_absent(f"{owner.name}.{name}")
        if doubtful and target_queries.has(run, owner.name, name) is False:
            raising.throw_python(run, "AttributeError", Const(name))
        return super().member(run, owner, name)

    def has(self, run: Interpreter, owner: Library, name: str) -> bool | None:
        """Return whether a module has a name, as the target says."""
        return target_queries.has(run, owner.name, name)

    def lists(self, run: Interpreter, owner: Library, name: str) -> bool | None:
        """Return whether a release has this name: the tables have the classes of `keras.layers` of every one."""
        names, dotted = state_of(run).names, f"{owner.name}.{name}"
        if names.keras_class(dotted) is None or not owner.name.endswith(".layers"):
            return names.lasts(dotted) or None
        known = names.recurrent | names.cells | names.wrappers | names.masks.classes.keys()
        return name in known or names.lasts(dotted)

    def failure(self, run: Interpreter, dotted: str, named: bool) -> str | None:
        """Return what the import of what the target lacks raises."""
        return failing_imports.failure(run, dotted, named)

    def imported(self, run: Interpreter, dotted: str, origin: Origin) -> None:
        """Record the import of a name that some release may lack."""
        refused_imports.note(run, dotted, origin)

    def attempting(self, run: Interpreter, node: cst.Try | cst.TryStar) -> AbstractContextManager[None]:
        """Run the body of a `try` with what its handlers import instead in mind."""
        return failing_imports.attempting(run, node)

    def handlers(self, run: Interpreter, node: cst.Try | cst.TryStar) -> list[Handler]:
        """Return the handlers that may run on the target."""
        return failing_imports.handlers(run, node)

    def acts_on_import(self, data: bytes) -> bool:
        """Return whether a module switches something for the whole program."""
        return _switches(data)

    # ------------------------------------------------------------ calls and scopes

    def call(self, run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> Value | None:
        """Call a function or class by its dotted name; some make TensorFlow look for its GPUs."""
        of_tensorflow = callee.name.startswith("tensorflow.")
        if of_tensorflow and switches.canonical(callee.name).partition(".")[2] in devices.INITIALISING:
            devices.initialised(run)
        return super().call(run, callee, arguments, origin)

    def called(self, run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value | None:
        """Call a function that changes the execution context, or asks for it."""
        return switches.call(run, name, arguments, origin)

    def method(self, run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
        """Call a method; some of a tensor's cut its gradient."""
        found = super().method(run, bound, arguments, origin)
        if isinstance(bound.receiver, Tensor) and isinstance(found, Tensor) and bound.name in gradients.CUTS:
            return found if found is bound.receiver else gradients.detached(run, bound.receiver)
        return found

    def scope_method(
        self, run: Interpreter, receiver: Instance, name: str, arguments: Arguments, origin: Origin
    ) -> Value | None:
        """Enter or leave a scope by hand, take a gradient."""
        return execution_context.method(run, receiver, name, arguments, origin)

    def wrapped(self, value: Partial) -> Value | None:
        """Return the function that is called in a scope."""
        return transforms.wrapped(value)

    def set_item(self, run: Interpreter, owner: Value, index: Value, value: Value) -> None:
        """Set a variable of the environment."""
        if isinstance(owner, Library) and owner.name == "os.environ":
            environ.environment(run, index, value, None)

    def item(self, run: Interpreter, value: Value, index: Value | None) -> Value | None:
        """Return `value[index]` of an object of the library: of the environment, what the program has set."""
        if isinstance(value, Library) and value.name == "os.environ":
            return environ.shown(run, index)
        return super().item(run, value, index)

    def decorate(self, run: Interpreter, function: Function, name: str, arguments: Arguments, origin: Origin) -> None:
        """Record the scope in which a decorator runs a function."""
        super().decorate(run, function, name, arguments, origin)
        execution_context.decorate(run, function, name, arguments, origin)

    def entered(self, run: Interpreter, context: Value) -> AbstractContextManager[None]:
        """Run a block in a scope."""
        return self._entered(run, context)

    @contextmanager
    def _entered(self, run: Interpreter, context: Value) -> Iterator[None]:
        with super().entered(run, context), execution_context.entered(run, context):
            yield

    def inside(self, run: Interpreter, function: Function) -> AbstractContextManager[None]:
        """Run a function in the scopes of its decorators."""
        return execution_context.marked(run, function)

    def elsewhere(self, run: Interpreter) -> AbstractContextManager[None]:
        """Run another file: the scopes that are open here do not matter to it."""
        return execution_context.elsewhere(run)

    @contextmanager
    def entering(self, run: Interpreter, function: Function, receiver: Instance | None) -> Iterator[None]:
        """Run a function that no code here calls: what it switches holds for no other function."""
        watched = made_in_call.entered(run, function, receiver)
        alone = execution_context.unasked(run, function, receiver)
        with super().entering(run, function, receiver), alone, watched:
            yield

    # ------------------------------------------------------------ what happens to layers and models

    def constructed(self, run: Interpreter, instance: Instance) -> None:
        """Record the device scope in which a Keras object is constructed."""
        recorder.made(run, instance)

    def at_construction(self, run: Interpreter, site: Site) -> None:
        """Record what holds where a recurrent layer is constructed."""
        recorder.at_construction(run, site)

    def at_call(self, run: Interpreter, instance: Instance, site: Site, symbolic: bool) -> dict[str, Value]:
        """Return what holds where a recurrent layer is called."""
        return recorder.at_call(run, instance, site, symbolic)

    def is_traced(self, run: Interpreter) -> bool:
        """Return whether what runs now runs in a graph, which makes the weights of what it makes."""
        return late_weights.are_open(run)

    def layer_called(self, run: Interpreter, site: Site, seen: CallSeen, source: Source) -> None:
        """Record that a recurrent layer was called."""
        recorder.record_call(run, site, seen, source)

    def compiled(self, run: Interpreter, model: Instance, arguments: Arguments) -> None:
        """Record how fit() and the like will run a model."""
        execution_context.compiled(run, model, arguments)

    def leaving(self, run: Interpreter, function: Function, held: Iterable[Value], called: bool = True) -> None:
        """Hand the models in these values out to whoever calls the function."""
        (handed_out.returned if called else handed_out.hand_out)(run, function, held)
        if called and execution_context.is_traced(run, function):
            tensorflow_functions.traced(run, held)

    def on_data(self, run: Interpreter, model: Instance, name: str, data: Value, origin: Origin) -> None:
        """Run a model on data."""
        model_runs.on_data(run, model, name, data, origin)

    def saved(self, run: Interpreter, model: Value, origin: Origin, reader: str | None = None) -> None:
        """Record by which call a model is saved, or its graph exported for a reader."""
        model_runs.saved(run, model, origin, reader)

    def exporting(
        self, run: Interpreter, receiver: Instance, name: str, arguments: Arguments, origin: Origin
    ) -> Value | None:
        """Export a model."""
        return model_runs.exporting(run, receiver, name, arguments, origin)

    def somewhere(self, run: Interpreter, model: Instance) -> AbstractContextManager[None]:
        """Run a model as its compile() says."""
        return execution_context.somewhere(run, model)

    def finish(self, run: Interpreter, read: Iterable[Unit]) -> None:
        """Run the models that were compiled, or made in a device scope, and never fed."""
        super().finish(run, read)
        model_runs.finish(run)
        handed_out.finish(run)


@lru_cache(maxsize=4096)
def _switches(data: bytes) -> bool:
    """Return whether the bytes of a module switch something; every file that imports it asks."""
    return SWITCHES.search(data) is not None
