"""What the tables say of Keras's layers and masks: the class table and the mask epochs.

Filled from tables/masks.toml.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import field
from enum import Enum
from functools import lru_cache

from packaging.version import Version

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.target import Era, Span

#: How TensorFlow's own Keras ended its version while standalone Keras had the same numbers.
TF_SUFFIX = "-tf"


def bare_name(operation: str) -> str:
    """Return the name of an operation as the table has it: `logical_and` and `LogicalAnd` are one."""
    return operation.replace("_", "").lower()


class OnMask(Enum):
    """What a layer does with the masks of its inputs."""

    KEEPS = "keeps"  # its output has the mask of its (first) input
    DROPS = "drops"  # its output has no mask
    ENDS = "ends"  # it uses the mask itself, and its output has none
    MAKES = "makes"  # its output has a mask of its own: Masking always, Embedding with mask_zero=True
    SEQUENCES = "sequences"  # keeps the mask if return_sequences=True, else drops it; states never have one
    ANY = "any"  # its output has a mask if any input has one
    ALL = "all"  # its output has a mask if every input has one
    OWN = "own"  # its output has a mask only if mask= is given to the constructor
    SPREADS = "spreads"  # calls the layer inside on every time step
    INNER = "inner"  # its output is that of the layer inside, mask and all
    SAME = "same"  # its output is its input itself, mask and all
    INFERENCE = "inference"  # in training its output has no mask; at inference it is its input itself, mask and all


class OnDtype(Enum):
    """Which dtype comes out where integers or booleans go in. Floats always leave as what the layer computes in."""

    SAME = "same"  # that of the input
    FLOATS = "floats"  # what the layer computes in
    PROMOTES = "promotes"  # that of all inputs together
    RATIO = "ratio"  # a float, whatever the layer computes in
    BOOLEANS = "booleans"
    INDICES = "indices"  # int32
    OUTPUT_MODE = "output_mode"  # integers or floats, by output_mode and dtype


@dataclass(frozen=True)
class Epoch:
    """A stretch of Keras releases that handle masks alike.

    `lists`: the masks of a list of inputs (Add, Concatenate, Attention) are looked at.
    `explicit`: the output carries on the mask that was given as `mask=`.
    `extra_tensors_hide`: a second tensor argument (initial_state) keeps the mask from the layer.
    `first_sees`: a mask reaches the first layer of a Sequential that has no Input.
    `same_tensor`: an operation that changes nothing gives the very tensor that it got, mask and all.
    `doubles`: float64 is a dtype of its own, whatever the program says.
    `cast_keeps`: a layer that casts its input to its own dtype keeps the mask.
    `model_cast_keeps`: a model that casts its input to the dtype of its Input keeps the mask.
    `graph_casts`: where a graph shows a tensor as floats of another dtype than a layer's own, the cast stays in the
    graph, and makes floats of the integers that the tensor may hold when the model runs.
    `attention_takes`: MultiHeadAttention takes the masks off the tensors that it is called with.
    `own_indices`: Discretization gives its indices in its own dtype, which may be one of floats.
    `graph_again`: a functional model is run again on other tensors, with the masks that its layers give these.
    `sequential_cast_keeps`: so does a Sequential, which casts its input to the dtype of its first layer.
    `effects`: classes that do something else with a mask than the class table says.
    `stops`: classes that stop with an error when a mask reaches them, and the releases that do.
    """

    era: Era
    lists: bool = True
    explicit: bool = True
    extra_tensors_hide: bool = True
    first_sees: bool = True
    same_tensor: bool = False
    doubles: bool = True
    cast_keeps: bool = True
    graph_casts: bool = False
    attention_takes: bool = False
    own_indices: bool = False
    model_cast_keeps: bool = True
    graph_again: bool = True
    sequential_cast_keeps: bool = True
    effects: Mapping[str, OnMask] = field(default_factory=dict)
    stops: Mapping[str, str] = field(default_factory=dict)

    @property
    def major(self) -> int:
        """Keras 2 or 3."""
        return self.era.major


@dataclass(frozen=True)
class OldMaskUse:
    """What old releases did with the mask of a layer, and what that means for a file that one of them wrote.

    `of` is what matters of the layer; `plain` are releases by their number, `suffixed` those called 2.x.y-tf, None for
    none. `converts`: whether the file may be converted; `says` is the sentence, with {version} to be filled in.
    """

    of: str
    plain: Span | None
    suffixed: Span | None
    converts: bool
    says: str

    def holds(self, version: str) -> bool:
        """Return whether a file by Keras `version` ("2.2.4-tf") is of such a release."""
        numbers = re.match(r"\d+(\.\d+)*", version)
        span = self.suffixed if version.endswith(TF_SUFFIX) else self.plain
        return numbers is not None and span is not None and Version(numbers[0]) in span


@dataclass(frozen=True, eq=False)
class MaskTable:
    """What every class of Keras does with masks and dtypes, by Keras 2 and 3, and the mask epochs in their order.

    `at_whole` are the classes that some release stops at, where integers reach them, with the argument that decides it.
    """

    classes: Mapping[str, Mapping[int, OnMask]] = field(default_factory=dict)
    dtypes: Mapping[str, Mapping[int, OnDtype]] = field(default_factory=dict)
    operations: Mapping[str, OnDtype] = field(default_factory=dict)
    epochs: tuple[Epoch, ...] = ()
    once: tuple[OldMaskUse, ...] = ()
    at_whole: Mapping[str, str] = field(default_factory=dict)

    def on_dtype(self, operation: str) -> OnDtype | None:
        """Return what an operation, without its module, does with integers; None for one that is not in the table."""
        return self.operations.get(bare_name(operation))

    def dtype_behind(self, class_name: str, major: int) -> OnDtype | None:
        """Return what a class of Keras 2 or 3 does with integers; None for one that is not in the table."""
        return self.dtypes.get(class_name, {}).get(major)

    def on_mask(self, class_name: str, major: int) -> OnMask | None:
        """Return what a class does with a mask in Keras 2 or 3; None for a class that is not Keras's own."""
        return self.classes.get(class_name, {}).get(major)

    def effect(self, class_name: str, epoch: Epoch) -> OnMask | None:
        """Return what a class does with a mask in one epoch; None for a class that is not Keras's own."""
        return epoch.effects.get(class_name) or self.on_mask(class_name, epoch.major)

    def newest(self, major: int, backend: str = "tensorflow") -> Epoch:
        """Return the epoch of the newest releases of Keras 2 or 3 on a backend."""
        alike = (epoch for epoch in reversed(self.epochs) if epoch.major == major)
        return next(epoch for epoch in alike if not epoch.era.backends or backend in epoch.era.backends)


def stops_of(name: str) -> tuple[str, str, str]:
    """Return what the rows [[stop]] call a class: at any mask, at one of its values, at any mask of three inputs."""
    return name, f"{name} by its values", f"{name} of three inputs"


def unlike_masks(name: str) -> str:
    """Return what the rows [[stop]] call a class that stops where some of its inputs have a mask and others have none.

    The traits "stops-before" call a call of it so, too.
    """
    return f"inputs with and without a mask given to {name} along another axis than the last"


def stop_kind(name: str) -> str:
    """Return what the traits "stops-before" and "may-stop-before" call a mask that reaches a class in [[stop]]."""
    return f"a mask that reaches {name}"


@lru_cache(maxsize=4096)
def first_alike(table: MaskTable, classes: tuple[str, ...], masked: bool, whole: bool) -> tuple[int, ...]:
    """Return for each mask epoch the first one in which layers of these classes do the same with a call.

    `masked` says whether a mask may come with the call; where none does, it does not matter what becomes of masks.
    `whole` says the same of integers that a layer hands on.
    """
    first: dict[Hashable, int] = {}
    return tuple(first.setdefault(_doing(table, e, classes, masked, whole), i) for i, e in enumerate(table.epochs))


def _doing(table: MaskTable, epoch: Epoch, classes: tuple[str, ...], masked: bool, whole: bool) -> Hashable:
    """Return everything in an epoch on which it depends what layers of these classes do."""
    effects: tuple[object, ...] = tuple(table.effect(name, epoch) for name in classes)
    effects += (epoch.own_indices and "Discretization" in classes,)
    if not masked:
        return epoch.major, epoch.lists, effects, whole and epoch.graph_casts
    stops = tuple(epoch.stops.get(row) for name in classes for row in (*stops_of(name), unlike_masks(name)))
    kept = whole and epoch.graph_casts, epoch.explicit, epoch.extra_tensors_hide, epoch.same_tensor, epoch.cast_keeps
    return epoch.major, epoch.lists, effects, stops, kept
