"""Calls every layer of a tree as the file's connections do, and records what each is called with.

For one mask epoch. It is the run that counts, not the symbolic graph: Keras 3 warns that a nested model destroys the
mask, yet at run time the mask rides on the tensors through the layers inside it. What a class of the user's own does is
not in the file, and stays Unknown.
"""

from __future__ import annotations

from collections.abc import Mapping

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.file_limits import in_force, prove_in_time
from cudnnlint.core.masking import Epoch
from cudnnlint.core.names import Names
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.serialized.bodies import Bodies
from cudnnlint.frontends.serialized.connections import LayerCall
from cudnnlint.frontends.serialized.op_output import op_output
from cudnnlint.frontends.serialized.outputs import Arrival, Outputs, built, take
from cudnnlint.frontends.serialized.saved_layer import SavedLayer, is_op
from cudnnlint.frontends.serialized.tree import Node, Role
from cudnnlint.frontends.serialized.written_masks import deep_mask, is_in_graph, unwritten_mask
from cudnnlint.keras.lattice import (
    UNMASKED,
    CallInputs,
    Dtype,
    Kind,
    Mask,
    Masks,
    Passed,
    TensorTraits,
    one,
    unknown,
)  # fmt: skip
from cudnnlint.keras.masks import recast
from cudnnlint.keras.transfer import Transfer

TAKE_MASKS = (Role.RECURRENT, Role.BIDIRECTIONAL, Role.TIME_DISTRIBUTED)  # as an argument of their `call`
SECOND_LIST = ("", "initial_state")  # where the states of a recurrent layer are among the other arguments


class Tracer:
    """Calls layers. `seen` holds what reaches each recurrent layer at each call, `calls` what every layer is given."""

    def __init__(self, names: Names, epoch: Epoch, places: Mapping[Node, SavedPlace]) -> None:
        self.names, self.epoch, self.places = names, epoch, places
        self.transfer = Transfer(names.masks, epoch)
        self.seen: dict[Node, list[Arrival]] = {}
        self.calls: list[tuple[Node, CallInputs]] = []
        self.bodies = Bodies(epoch)
        self.masked = False  # is there a mask anywhere, or may there be one?
        self.whole = False  # does a layer hand on integers, or may one do so?
        self.stops: dict[str, None] = {}  # the kinds of what stops the run, at any of its calls
        self.assuming: str | None = None  # what is assumed of the models that contain the current call

    def layer(self, node: Node) -> SavedLayer:
        """Return the layer of a node."""
        return SavedLayer(node.entry, node.keras or node.entry.class_name, self.names, self.places[node])

    def call(self, node: Node, given: CallInputs) -> Outputs:
        """Return what comes out of one call of `node`."""
        prove_in_time()
        number = len(self.calls)
        if number >= in_force().model_calls:
            raise UnreadableInput("Its nested models call each other more often than cudnnlint can analyze.")
        self.calls.append((node, given))
        made = self._call(node, given)
        if self.epoch.major == 2:
            made = replace(made, listed=tuple(map(built, made.listed)), rest=built(made.rest))
        if node.role is not Role.MODEL:
            listed = (replace(tensor, origin=(number, index)) for index, tensor in enumerate(made.listed))
            made = replace(made, listed=tuple(listed), rest=replace(made.rest, origin=(number, None)))
            if node.keras is not None and not is_op(node.entry):
                self.bodies.called(self.layer(node), given, (number, 0))
        self.masked = self.masked or not all(tensor.masks.none for tensor in (*made.listed, made.rest))
        self.whole = self.whole or any(tensor.shown and tensor.dtype.may_be_whole for tensor in made.listed)
        return made

    def _call(self, node: Node, given: CallInputs) -> Outputs:
        if node.own or node.role is Role.OWN:
            return self._own(node, given)
        if node.role is Role.MODEL:
            return self._model(node, given)
        if node.role in (Role.RECURRENT, Role.BIDIRECTIONAL):
            return self._recurrent(node, given)
        layer = self.layer(node)
        self.stops.update(dict.fromkeys(self.transfer.stops(layer, given)))
        if node.role is Role.TIME_DISTRIBUTED:
            made = self.transfer.output(layer, given, lambda step: self.call(node.children[0], step).at(0))
            return Outputs((replace(made, masks=self._left_by(node, made.masks)),))
        for child in node.children:
            self.call(child, self._unseen(node))
        if is_op(node.entry):
            made = op_output(node.entry, given, self.names.masks, self.epoch, self.places[node])
            shown = all(one.dtype.name and one.shown is None for one in (*given.inputs, *given.others))
            return Outputs((made,), traced=shown)
        return Outputs((self.transfer.output(layer, self._computing_own(node, given)),))

    def _computing_own(self, node: Node, given: CallInputs) -> CallInputs:
        """Return the call, with the mask that a Lambda computes by code of its own."""
        masked = not all(tensor.masks.none for tensor in given.inputs)
        if node.keras != "Lambda" or not (masked or node.entry.config.get("mask") is not None):
            return given
        because = "what a Lambda layer does with masks depends on its code, which cudnnlint does not run"
        return replace(given, own=unknown(because, self.places[node]))

    def _left_by(self, node: Node, masks: Masks) -> Masks:
        """Return the masks with the place where unknown ones are made."""
        place = self.places[node]
        return masks.each(lambda mask: mask if mask.kind is not Kind.UNKNOWN else replace(mask, token=place))

    def _model(self, node: Node, given: CallInputs) -> Outputs:
        """Return the output of a model.

        It hands the masks of its inputs to its layers, and those of its last layers on.
        """
        graph, tensors = node.graph, given.inputs
        assert graph is not None
        before = given.first if given.passed else None
        if tensors and given.passed:
            passed = given.mask[0]
            self.bodies.masked(tensors[0])  # the model puts the mask on its input again
            tensors = (tensors[0].masked(passed if isinstance(passed, Masks) else UNMASKED), *tensors[1:])
        fed = dict(zip(graph.inputs, tensors, strict=False))
        made: dict[tuple[int, int], Outputs] = {}
        for layer, call in graph.order:
            site = graph.sites[layer][call]
            own = self._given(node.children[layer], site, made)
            if layer in fed and not site.first:
                own = replace(own, inputs=(self._entering(node, node.children[layer], fed[layer], before),))
            self.stops.update(dict.fromkeys(deep_mask(node.children[layer], site)))
            if is_in_graph(self.epoch, site, self.layer(node.children[layer]).computes):
                self.stops.update(dict.fromkeys(unwritten_mask(node, node.children[layer], site, own)))
            made[layer, call] = self.call(node.children[layer], own)
        return Outputs(tuple(self.bodies.now(take(made, ref)) for ref in graph.outputs))

    def _entering(self, model: Node, first: Node, tensor: TensorTraits, before: TensorTraits | None) -> TensorTraits:
        """Return the input of a model's first layer, which may act as an Input in a Sequential.

        `before` is the input without the mask that the call passes, if it passes one: a Sequential without an Input
        may hand on that mask and no other, and only to a layer that takes it.
        """
        sequential = model.entry.class_name == "Sequential"
        if first.entry.class_name != "InputLayer":
            takes = first.role in TAKE_MASKS
            if self.epoch.first_sees or "batch_input_shape" in first.entry.config or takes == (before is not None):
                return tensor
            return tensor.masked(UNMASKED) if before is None else before
        wanted = self.layer(first).computes
        kept = self.epoch.model_cast_keeps and (self.epoch.sequential_cast_keeps or not sequential)
        if kept or tensor.masks.none or (self.epoch.major > 2 and tensor.dtype.whole):
            return tensor
        because = f"a nested model casts its input to {wanted.name}"
        return recast(wanted, tensor, self.epoch, because, self.places[first])

    def _given(self, node: Node, site: LayerCall, made: Mapping[tuple[int, int], Outputs]) -> CallInputs:
        tensors = tuple(self.bodies.now(take(made, ref)) for ref in site.first)
        if not is_op(node.entry):  # a cast that the graph made is an operation of the file
            tensors = tuple(
                tensor if ref.dtype is None else replace(tensor, shown=None)
                for tensor, ref in zip(tensors, site.first, strict=True)
            )
        second = (ref for key, refs in site.others.items() if key in SECOND_LIST for ref in refs)
        states = tuple(take(made, ref) for ref in second)
        others = tuple(self.bodies.now(take(made, ref)) for refs in site.others.values() for ref in refs)
        given = CallInputs(tensors, hides=bool(others), states=states, others=others, numbers=site.numbers)
        said = site.mask
        if isinstance(said, tuple) and node.graph is not None:
            return replace(given, inputs=tuple(self._each(node, said, tensors)))
        if isinstance(said, tuple):  # a layer hands on the first of them, and nothing where that is None
            said = said[0] if said else "none"
            if said == "none":
                return replace(given, mask=(UNMASKED,))
        passed = None if said is None else self._passed(node, said, given.first, site.mask_rank)
        return given if passed is None else replace(given, mask=(passed,))

    def _each(self, node: Node, said: tuple[str, ...], tensors: tuple[TensorTraits, ...]) -> list[TensorTraits]:
        """Return the inputs, each with the mask that is given for it."""
        found = []
        for number, tensor in enumerate(tensors):
            passed = self._passed(node, said[number] if number < len(said) else "none", tensor)
            masks = UNMASKED if passed is Passed.NOTHING else passed
            found.append(tensor.masked(masks) if isinstance(masks, Masks) else tensor)
        return found

    def _passed(self, node: Node, said: str, tensor: TensorTraits, rank: int | None = None) -> Masks | Passed | None:
        """Return what `mask=` sets, None for nothing; `rank` is that of the mask, where it is written.

        Keras 3 writes out the masks that it hands on: the tensor has them.
        """
        place = replace(self.places[node], key="mask")
        if said == "constant":
            return unknown("a constant is given as the mask", place)
        if said == "none":
            return Passed.NOTHING if self.epoch.major == 2 else None
        self.masked = True
        rides = tensor.masks
        known = not rides.none and all(mask.kind is not Kind.UNKNOWN for mask in rides.options)
        return rides if known else one(Mask(Kind.DATA, ("given", place), rank, token=place))

    def _recurrent(self, node: Node, given: CallInputs) -> Outputs:
        """Return the output of a recurrent layer or a Bidirectional, and record what reaches it."""
        layer, layers = self.layer(node), node.children if node.role is Role.BIDIRECTIONAL else (node,)
        arriving = self.transfer.arriving(layer, given)
        states = (*given.inputs[1:], *given.states)
        states = states[: max(0, len(states) - layer.constants)]
        for each in layers:
            self._note(each, arriving, tuple(state.dtype for state in states))
        leaving = self.transfer.output(layer, replace(given, inputs=given.inputs[:1]))
        state = TensorTraits(dtype=layer.computes)
        if not layers[0].entry.config.get("return_sequences"):
            return Outputs((leaving.masked(UNMASKED),), state)
        if node is not layers[0] and node.entry.config.get("merge_mode", "concat") is None:
            return Outputs((leaving, leaving), state)
        return Outputs((leaving,), state)

    def _note(self, node: Node, arriving: TensorTraits, states: tuple[Dtype, ...]) -> None:
        if node.role is not Role.RECURRENT:
            self.call(node, CallInputs((arriving,)))
            return
        self.seen.setdefault(node, []).append(Arrival(arriving, states, self.assuming))

    def _own(self, node: Node, given: CallInputs) -> Outputs:
        """Return the output of a class whose code is not in the file: nothing is known of what it does.

        A functional model is an exception: a user who writes a class for one does so for its training step.
        """
        if node.graph is not None:
            outside, self.assuming = self.assuming, f"{node.entry.own_name} is assumed to call its layers as Keras does"
            made = self._model(node, given)
            self.assuming = outside
            return made
        unseen = self._unseen(node)
        left = unseen.first if given.first.ragged is not False else replace(unseen.first, ragged=False)
        for child in node.children:
            self.call(child, unseen)
        if node.role is Role.RECURRENT:  # what reaches it is known all the same
            self._recurrent(node, given)
            if self.transfer.arriving(self.layer(node), replace(given, hides=False)).masks.none:
                because = f"{node.entry.own_name}, a class of your own, is assumed to make no mask if it gets none"
                left = left.masked(one(Mask(Kind.NONE, because=because, token=self.places[node])))
        return Outputs((), left)

    def _unseen(self, node: Node) -> CallInputs:
        place = self.places[node]
        because = f"{node.entry.own_name} is a class of your own, whose code is not in the file"
        mask = unknown(f"{because}, so it is not known what it does with masks", place)
        return CallInputs((TensorTraits(mask, ragged=None, ragged_because=because),))
