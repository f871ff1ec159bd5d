"""Datasets of tf.data that are made of arrays: `tf.data.Dataset.from_tensor_slices((x, y)).batch(32)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import NONE, Bound, Instance, Library, Listing, Tuple, Value, words
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

DATASET = "tensorflow.data.Dataset"
MAKERS = (f"{DATASET}.from_tensor_slices", f"{DATASET}.from_tensors")
#: The cell of a dataset with what it was made of.
_OF = "·made of"
#: Methods that give a dataset with elements of the same dtypes.
_SAME = words("batch cache padded_batch prefetch rebatch repeat shard shuffle skip take unbatch with_options")


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    return dict.fromkeys(MAKERS, made)


def made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `tf.data.Dataset.from_tensor_slices(data)`."""
    dataset = Instance(Library(DATASET), run.journal.table(), at=origin)
    run.journal.write(dataset.table, _OF, arguments.get(0, "tensors") or NONE)
    return dataset


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of a dataset that changes nothing about what its elements hold; None for any other."""
    return bound.receiver if bound.name in _SAME and _made_of(bound.receiver) is not None else None


def inputs(value: Value) -> Value:
    """Return what a model gets of data: of a dataset the inputs alone, without the targets."""
    data = _made_of(value)
    if isinstance(data, Tuple) and data.contents.items:
        return data.contents.items[0]
    return value if data is None else Tuple(containers.contents_of(data)) if isinstance(data, Listing) else data


def _made_of(value: Value | None) -> Value | None:
    of_tensorflow = isinstance(value, Instance) and isinstance(value.kind, Library) and value.kind.name == DATASET
    return value.table.get(_OF) if isinstance(value, Instance) and of_tensorflow else None
