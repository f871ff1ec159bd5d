"""The model of Keras: what its classes, objects and tensors do in a program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import (
    attributes_had,
    config_texts,
    input_tensors,
    layers,
    made_tensors,
    mask_makers,
    padding,
    star_imports,
    tensor_functions,
    tensor_shapes,
    tensorflow_functions,
    tensors,
    unsure,
    waiting_models,
)
from cudnnlint.frontends.source.keras.sites import MADE
from cudnnlint.frontends.source.keras.tensor_values import TensorValues
from cudnnlint.frontends.source.keras.tensors import UNMASKED, Tensor, computed, mask_of
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.values import (
    Bound,
    Class,
    Const,
    Foreign,
    Function,
    Instance,
    Library,
    UnknownValue,
    Value,
    words,
)
from cudnnlint.frontends.source.stdlib import concurrent, dispatching
from cudnnlint.frontends.source.syntax.prefilter import NAMES
from cudnnlint.frontends.source.syntax.unit import Origin, Unit

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Classes of Keras from which others inherit: those that do, where they are known ("" means all).
_BASES = {
    "Layer": ("",),
    "Wrapper": ("Bidirectional", "TimeDistributed"),
    "RNN": ("LSTM", "GRU", "SimpleRNN"),
    "Model": ("Sequential", "Functional"),
}
#: Classes of Keras from which no other class of Keras inherits.
_LEAVES = words(
    "LSTM GRU SimpleRNN CuDNNLSTM CuDNNGRU Bidirectional TimeDistributed Embedding Masking InputLayer Dense Activation "
    "Flatten Reshape Lambda BatchNormalization LayerNormalization Concatenate Sequential LSTMCell GRUCell SimpleRNNCell"
)
#: The cells of an object that say that Keras has called a method of its life cycle.
_LIVED = {"build": layers.BUILT, "call": layers.CALLED}


class KerasModel(TensorValues):
    """The behaviour of Keras, as the interpreter asks for it."""

    life = ("build", "call")

    # ------------------------------------------------------------ names

    def knows(self, name: str) -> bool:
        """Return whether it is a class of Keras (or of numpy)."""
        return self.state.names.keras_class(name) is not None or super().knows(name)

    def object_has(self, kind: Library, name: str) -> bool | None:
        """Return whether a layer or cell has an attribute by which code tells recurrent ones from others."""
        return attributes_had.has(self.state.names, self.state.names.keras_class(kind.name), name)

    def inherits(self, name: str, base: str) -> bool | None:
        """Return whether one class is another, or inherits from it."""
        of_keras = self.state.names.keras_class(name) is not None
        if base.startswith("builtins."):
            return False if of_keras else None
        theirs = base.rsplit(".", 1)[-1]
        heirs = _BASES.get(theirs, ())
        if name.rsplit(".", 1)[-1] in heirs or "" in heirs or super().inherits(name, base):
            return True
        return False if of_keras and self.state.names.keras_class(base) is not None and theirs in _LEAVES else None

    def one_class(self, names: Sequence[str]) -> bool:
        """Return whether two names are one class of Keras from several packages (`try: import tf_keras`).

        The recurrent ones are kept apart: releases differ in which of them they have.
        """
        found = {self.state.names.keras_class(name) for name in names}
        return len(found) == 1 and None not in found and not any(map(self.state.names.recurrent_class, names))

    def differ(self, one: str, other: str) -> bool:
        """Return whether two names are different recurrent classes: any other thing may have several names."""
        named = {self.state.names.recurrent_class(one), self.state.names.recurrent_class(other)}
        return None not in named and len(named) == 2

    # ------------------------------------------------------------ imports

    def owns(self, module: str) -> bool:
        """Return whether a module is part of Keras, even where Keras's own sources are linted."""
        return any(f"{module}.".startswith(f"{root}.") for root in self.state.names.roots)

    def exports(self, module: str, name: str) -> bool:
        """Return whether a star import brings a name: from Keras and torch it brings their layers."""
        if module.split(".")[0] == "torch":
            return NAMES.fullmatch(name) is not None
        return star_imports.brings(self.state.names, module, name)

    # ------------------------------------------------------------ calls

    def call(self, run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> Value | None:
        """Call a function or class by its dotted name; an unknown one makes a tensor from tensors."""
        result = super().call(run, callee, arguments, origin)
        if result is None or isinstance(result, UnknownValue):
            result = config_texts.call(run, callee.name, arguments, origin) or result
        if result is None:
            function = tensor_functions.table().get(callee.name)
            result = None if function is None else function(run, arguments, origin)
        if result is None:
            result = self.called(run, callee.name, arguments, origin)
        if result is None:
            result = layers.from_library(run, callee, arguments, origin)
        if result is None:
            result = unsure.foreign(run, callee, arguments, origin)
        if result is None and any(isinstance(value, Tensor) for value in arguments.every()):
            of_tensors = tensors.of_package(callee, arguments, origin) if callee.foreign else None
            asked = arguments.keywords.get("dtype")
            name = callee.name.rsplit(".", 1)[-1]
            result = of_tensors or computed(self.state.names.masks, name, arguments.every(), asked)
            input_tensors.reshaped(run, "" if of_tensors is not None else name, result)
        tensorflow_functions.noted(run, callee.name, arguments, result)
        return result

    def call_unknown(
        self, run: Interpreter, callee: UnknownValue, arguments: Arguments, origin: Origin
    ) -> Value | None:
        """Call something that is not followed: on tensors it may be a layer that makes or keeps a mask."""
        layer = unsure.unknown(run, callee, arguments, origin)
        if layer is not None:
            return layer
        inputs = tuple(value for value in arguments.every() if isinstance(value, Tensor))
        if not inputs:
            return super().call_unknown(run, callee, arguments, origin)
        because = Sentence("the mask of the result of `", origin, "` is not known")
        mask = UNMASKED if callee.mask == "none" else UnknownValue(because, None, callee.mask)
        return input_tensors.reshaped(run, "", tensors.unfollowed(inputs, mask, origin))

    def construct(self, run: Interpreter, instance: Instance, base: str, arguments: Arguments, origin: Origin) -> None:
        """Run the constructor of a class of Keras on an object."""
        if self.state.names.keras_class(base) is None:
            super().construct(run, instance, base, arguments, origin)
        else:
            layers.initialise(run, instance, base, arguments, origin)

    def call_object(self, run: Interpreter, instance: Instance, arguments: Arguments, origin: Origin) -> Value:
        """Return the output of a layer for its inputs."""
        if isinstance(instance.kind, Library) and instance.kind.name in (dispatching.DISPATCH, concurrent.PARALLEL):
            return super().call_object(run, instance, arguments, origin)
        return layers.call(run, instance, arguments, origin)

    def method(self, run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
        """Call a method of a Keras object, of its class, or of a tensor."""
        if isinstance(bound.receiver, Tensor):
            if bound.name in padding.SAME_ROWS and bound.receiver.padding is not None:
                return bound.receiver
            asked = arguments.get(0, "dtype") if bound.name in ("astype", "to", "type") else None
            made = computed(self.state.names.masks, bound.name, [bound.receiver, *arguments.every()], asked)
            return input_tensors.reshaped(run, bound.name, made)
        found = layers.method(run, bound, arguments, origin) if isinstance(bound.receiver, (Instance, Class)) else None
        found = config_texts.method(run, bound, arguments, origin) if found is None else found
        found = made_tensors.weight(bound, arguments) if found is None else found
        return super().method(run, bound, arguments, origin) if found is None else found

    # ------------------------------------------------------------ values

    def attribute(
        self, run: Interpreter, value: Instance | Foreign, name: str, origin: Origin, owner: Library | None = None
    ) -> Value:
        """Return an attribute of a Keras object, or of a tensor."""
        if isinstance(value, Tensor) and name == "_keras_mask":
            return mask_of(value)
        if name == "shape" and (shape := tensor_shapes.of(run, value)) is not None:
            return shape
        found = layers.attribute(run, value, name, origin) if isinstance(value, Instance) else None
        return super().attribute(run, value, name, origin, owner) if found is None else found

    def made(self, value: Value) -> bool:
        """Return whether it is a Keras object."""
        return isinstance(value, Instance) and value.table.get(MADE) is not None

    # ------------------------------------------------------------ what no code calls

    def adopt(self, run: Interpreter, instance: Instance, base: Library, origin: Origin) -> None:
        """Construct the base class, unless that would be a reported layer, which no code here constructs."""
        names = self.state.names
        name = names.keras_class(base.name)
        if name not in names.recurrent and name not in names.wrappers:
            self.construct(run, instance, base.name, Arguments(), origin)

    def awaits(self, run: Interpreter, instance: Instance, name: str) -> bool | None:
        """Return whether Keras has yet to build or call an object: it does so with every layer."""
        lives = name in _LIVED and layers.keras_base(run, instance)
        return instance.table.get(_LIVED[name]) is None if lives else None

    @contextmanager
    def entering(self, run: Interpreter, function: Function, receiver: Instance | None) -> Iterator[None]:
        """Run a function that no code here calls: a method of Keras's life cycle is run once."""
        if receiver is not None and function.name in _LIVED:
            run.journal.write(receiver.table, _LIVED[function.name], Const(True))
        yield

    def settle(self, run: Interpreter) -> None:
        """Run every Sequential that nothing ran: its layers are called one after another on data."""
        waiting_models.run_waiting(run)

    def finish(self, run: Interpreter, read: Iterable[Unit]) -> None:
        """Look for what makes a mask in all that was read."""
        self.state.makes_masks = self.state.makes_masks or any(map(mask_makers.are_in, read))
