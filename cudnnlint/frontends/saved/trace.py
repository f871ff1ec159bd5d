"""Calls every layer of a tree as the file's connections do, and notes what reaches the recurrent ones.

For one stretch of Keras releases. It is the run that counts, not the symbolic graph: Keras 3 warns that a nested
model destroys the mask, yet at run time the mask rides on the tensors through the layers inside it. What a class
of the user's own does is not in the file, and stays Unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.fact import ABSENT, Assumed, Fact, Known, Unknown
from cudnnlint.core.place import SavedPlace
from cudnnlint.frontends.saved.masks import NONE, Given, Tensor, behind, computed_in, entering, no_mask
from cudnnlint.frontends.serialized.connections import Ref, Site
from cudnnlint.frontends.serialized.tree import Node, Role
from cudnnlint.keras.mask_epochs import Habits

MAX_CALLS = 50_000  # a model that calls a model that calls a model ... is exponential
PLAIN = Tensor()
TAKE_MASKS = (Role.RECURRENT, Role.BIDIRECTIONAL, Role.TIME_DISTRIBUTED)  # as an argument of their `call`
SECOND_LIST = ("", "initial_state")  # where the states of a recurrent layer stand among the other arguments


@dataclass(frozen=True)
class Made:
    """The outputs of a call; those beyond the listed ones are all alike."""

    listed: tuple[Tensor, ...] = ()
    rest: Tensor = PLAIN

    def at(self, output: int) -> Tensor:
        """One output."""
        return self.listed[output] if output < len(self.listed) else self.rest

    def computed(self, dtype: str) -> Made:
        """The same outputs, of this dtype when the model runs."""
        listed = tuple(replace(tensor, computed=dtype) for tensor in self.listed)
        return Made(listed, replace(self.rest, computed=dtype))


class Tracer:
    """Calls layers; `seen` holds the surroundings of each call of each recurrent layer, in order."""

    def __init__(self, habits: Habits, places: Mapping[Node, SavedPlace]) -> None:
        self.habits, self.places = habits, places
        self.seen: dict[Node, list[dict[str, Fact]]] = {}
        self.masked = False  # is there a mask anywhere, or may there be one?
        self.assuming: str | None = None  # what is assumed of the models round the current call
        self.left = MAX_CALLS

    def call(self, node: Node, given: Given) -> Made:
        """What comes out of one call of `node`."""
        self.left -= 1
        if self.left < 0:
            raise UnreadableInput("Its nested models call each other more often than cudnnlint can analyze.")
        made = self._call(node, given)
        if node.role not in (Role.MODEL, Role.OWN) and not node.own:
            made = made.computed(computed_in(_innermost(node).entry))
        self.masked = self.masked or not all(no_mask(tensor.mask) for tensor in (*made.listed, made.rest))
        return made

    def _call(self, node: Node, given: Given) -> Made:
        if node.own or node.role is Role.OWN:
            return self._own(node, given)
        if node.role is Role.MODEL:
            return self._model(node, given)
        if node.role is Role.TIME_DISTRIBUTED:
            return self._time_distributed(node, given)
        if node.role in (Role.RECURRENT, Role.BIDIRECTIONAL):
            return self._recurrent(node, given)
        for child in node.children:
            self.call(child, self._unseen(node))
        kind = node.keras or node.entry.class_name
        return Made((behind(node.entry, kind, given, self.habits, self.places[node]),))

    def _model(self, node: Node, given: Given) -> Made:
        """A model hands the masks of its inputs to its layers, and those of its last layers on."""
        graph, tensors = node.graph, given.tensors
        assert graph is not None
        if tensors and given.mask is not None:
            tensors = (replace(tensors[0], mask=given.mask), *tensors[1:])
        fed = dict(zip(graph.inputs, tensors, strict=False))
        made: dict[tuple[int, int], Made] = {}
        for layer, call in graph.order:
            site = graph.sites[layer][call]
            own = self._given(node.children[layer], site, made)
            if layer in fed and not site.first:
                own = replace(own, tensors=(self._entering(node.children[layer], fed[layer]),))
            made[layer, call] = self.call(node.children[layer], own)
        return Made(tuple(_take(made, ref) for ref in graph.outputs))

    def _entering(self, first: Node, tensor: Tensor) -> Tensor:
        """What the first layer of a model is given; in a Sequential it may stand for an Input."""
        if first.role in TAKE_MASKS and not self.habits.first_sees and "batch_input_shape" not in first.entry.config:
            return replace(tensor, mask=NONE)
        return entering(tensor, first.entry, self.habits, self.places[first])

    def _given(self, node: Node, site: Site, made: Mapping[tuple[int, int], Made]) -> Given:
        place = replace(self.places[node], key="mask")
        tensors = tuple(_take(made, ref) for ref in site.first)
        mask: Fact | None = None
        if site.mask == "tensor":  # Keras 3 writes out the masks that it hands on: the tensor says where they are from
            rides = tensors[0].mask if tensors else NONE
            mask = rides if isinstance(rides, Known) and not no_mask(rides) else Known("data", place)
            self.masked = True
        elif site.mask == "constant":
            mask = Unknown("a constant is given as the mask", place)
        elif site.mask == "none" and self.habits.major == 2:  # Keras 3 takes None for "not given"
            mask = NONE
        states = sum(len(refs) for key, refs in site.others.items() if key in SECOND_LIST)
        hidden = bool(site.others) and self.habits.extra_tensors_hide
        return Given(tensors, mask, states, hidden)

    def _recurrent(self, node: Node, given: Given) -> Made:
        """A recurrent layer or a Bidirectional: notes what reaches it."""
        layers = node.children if node.role is Role.BIDIRECTIONAL else (node,)
        arriving = NONE if given.hidden and given.mask is None else given.effective
        states = given.states + max(0, len(given.tensors) - 1) - _constants(node)
        for layer in layers:
            self._note(layer, replace(given.first, mask=arriving), states > 0)
        if not layers[0].entry.config.get("return_sequences"):
            return Made()
        leaving = Tensor(given.effective if self.habits.explicit else given.first.mask, ragged=given.first.ragged)
        if node is not layers[0] and node.entry.config.get("merge_mode", "concat") is None:
            return Made((leaving, leaving))
        return Made((leaving,))

    def _note(self, node: Node, arriving: Tensor, states: bool) -> None:
        if node.role is not Role.RECURRENT:
            self.call(node, Given((arriving,)))
            return
        place = self.places[node]
        around = {"mask": arriving.mask, "input_dtype": arriving.dtype, "ragged": arriving.ragged}
        around["initial_state"] = Known(True, place) if states else ABSENT
        self.seen.setdefault(node, []).append({key: self._told(fact) for key, fact in around.items() if fact != ABSENT})

    def _told(self, fact: Fact) -> Fact:
        if self.assuming is None or not isinstance(fact, Known):
            return fact
        return Assumed(fact.value, self.assuming, fact.place)

    def _time_distributed(self, node: Node, given: Given) -> Made:
        """The layer inside is called with the steps, one after the other or as one large batch."""
        mask, place = given.effective, self.places[node]
        if no_mask(mask):
            made = self.call(node.children[0], Given((replace(given.first, mask=NONE),))).at(0)
            # Keras 2 asks the layer inside for a mask, Keras 3 does not
            return Made((Tensor(made.mask if self.habits.major == 2 else NONE, ragged=made.ragged),))
        because = "the TimeDistributed around it gets a mask, and its shape decides which mask the layer inside gets"
        made = self.call(node.children[0], Given((replace(given.first, mask=Unknown(because, place)),))).at(0)
        stops = self.habits.stops.get("TimeDistributed")
        if stops:
            mask = Unknown(f"{stops} stop with an error when a mask reaches TimeDistributed", place)
        return Made((Tensor(mask, ragged=made.ragged),))

    def _own(self, node: Node, given: Given) -> Made:
        """A class whose code is not in the file: nothing can be told of what is inside it or behind it.

        Except for a functional model: who gives one a class of their own does so for its training step.
        """
        if node.graph is not None:
            outside, self.assuming = (
                self.assuming,
                f"{node.entry.own_name} is assumed to call its layers as Keras would",
            )
            made = self._model(node, given)
            self.assuming = outside
            return made
        unseen = self._unseen(node)
        left = unseen.first if given.first.ragged != ABSENT else replace(unseen.first, ragged=ABSENT)
        for child in node.children:
            self.call(child, unseen)
        if node.role is Role.RECURRENT:  # what reaches it is known all the same
            self._recurrent(node, given)
            if no_mask(given.effective):
                because = f"{node.entry.own_name}, a class of your own, is assumed to make no mask if it gets none"
                left = replace(left, mask=Assumed("none", because, self.places[node]))
        return Made((), left)

    def _unseen(self, node: Node) -> Given:
        place = self.places[node]
        because = f"{node.entry.own_name} is a class of your own, whose code is not in the file"
        mask = Unknown(f"{because}, so it is not known what it does with masks", place)
        return Given((Tensor(mask, ragged=Unknown(because, place)),))


def _innermost(node: Node) -> Node:
    """The layer that a wrapper wraps, whose output it hands on."""
    wraps = node.role in (Role.TIME_DISTRIBUTED, Role.BIDIRECTIONAL) and node.children
    return _innermost(node.children[0]) if wraps else node


def _take(made: Mapping[tuple[int, int], Made], ref: Ref) -> Tensor:
    return made[ref.layer, ref.call].at(ref.output)


def _constants(node: Node) -> int:
    """How many of a Keras 2 layer's inputs are constants for its cell."""
    count = node.entry.config.get("num_constants")
    return count if type(count) is int else 0
