"""What recurrent layers take: the rank of their input, batch included, the number of their states, and their name.

Source: `InputSpec(ndim=...)` of the layers, and `fixtures/evidence/input_ranks.json` (22 releases were asked).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cudnnlint.core.fact import Fact, Opaque, values
from cudnnlint.core.layer import Construction, Layer
from cudnnlint.core.target import Point

RANKS: Mapping[str, int] = {
    "LSTM": 3, "GRU": 3, "SimpleRNN": 3, "CuDNNLSTM": 3, "CuDNNGRU": 3, "ConvLSTM1D": 4, "ConvLSTM2D": 5,
    "ConvLSTM3D": 6,
}  # fmt: skip
STATES: Mapping[str, int] = {
    "LSTM": 2, "CuDNNLSTM": 2, "LSTMCell": 2, "GRU": 1, "CuDNNGRU": 1, "GRUCell": 1, "SimpleRNN": 1, "SimpleRNNCell": 1,
    "ConvLSTM1D": 2, "ConvLSTM2D": 2, "ConvLSTM3D": 2,
}  # fmt: skip
#: Cells of Keras's own that take one step of a sequence of vectors; a cell of one's own may take another rank.
VECTOR_CELLS = frozenset({"LSTMCell", "GRUCell", "SimpleRNNCell"})
#: What a call of every layer may pass by name.
_ALWAYS = frozenset({"mask", "training"})
_JOINING = str.maketrans("", "", "_-")


def taken_everywhere(name: object) -> bool:
    """Return whether every release and backend takes a name: letters without accents, digits, `_`, `-`, a letter first.

    Source: `fixtures/evidence/layer_names.json` and `stops.json`.
    """
    return isinstance(name, str) and name.isascii() and name[:1].isalpha() and name.translate(_JOINING).isalnum()


def keywords_taken(layer: Layer, point: Point) -> frozenset[str]:
    """Return the names of the arguments that a call of the layer, or of its outermost wrapper, may pass.

    Source: `fixtures/evidence/call_keywords.json`.
    """
    if _spread_over_steps(layer):
        return _ALWAYS | {"inputs"}
    return _ALWAYS | ({"sequences", "initial_state"} if point.keras_3 else {"inputs", "initial_state", "constants"})


def keywords_of_method(layer: Layer, made: Construction, point: Point) -> frozenset[str]:
    """Return the names of the arguments that the method `call` of Keras's own class takes (`super().call(x)`).

    In Keras 2 every layer is called with `constants`, and the method of a plain RNN alone takes them.
    Source: tests/end_to_end/test_calls_of_super.py.
    """
    taken = keywords_taken(layer, point)
    return taken if made.class_name == "RNN" else taken - {"constants"}


def listing_taken(layer: Layer, point: Point) -> str | None:
    """Return in what a call may pass the input and the states besides a bare input: "list", or None for nothing.

    Source: `fixtures/evidence/call_keywords.json`.
    """
    return None if point.keras_3 or _spread_over_steps(layer) else "list"


def _spread_over_steps(layer: Layer) -> bool:
    return bool(layer.wrappers) and layer.wrappers[-1].kind == "TimeDistributed"


def own_call(made: Construction) -> bool:
    """Return whether the user's class replaces how Keras's own is called."""
    return not {"call", "__call__"}.isdisjoint(made.overrides)


def takes_nested(made: Construction, point: Point) -> bool:
    """Return whether a call of an RNN may pass several tensors as one input: Keras 2 hands them to a user's cell.

    Source: tests/end_to_end/test_nested_inputs.py.
    """
    return made.class_name == "RNN" and not point.keras_3 and not (made.cells and all(map(of_vectors, made.cells)))


def rank_taken(made: Construction) -> int | None:
    """Return the rank that a layer takes; None where it is not known."""
    if made.class_name == "RNN" and made.cells and all(of_vectors(cell) for cell in made.cells):
        return RANKS["LSTM"]
    return RANKS.get(made.class_name)


def states_taken(layer: Layer, made: Construction) -> int | None:
    """Return how many states a call of the layer, constructed like this, takes; None where it is not known.

    A Bidirectional takes those of both directions.
    """
    cells, direction = made.cells or (), layer.direction
    states = STATES.get(made.class_name)
    if made.class_name == "RNN" and len(cells) == 1 and of_vectors(cells[0]):
        states = STATES[cells[0].class_name]
    if states is None or direction is None:
        return states
    return None if direction.explicit else 2 * states


def alone_in_list(made: Construction, given: Fact) -> Construction | None:
    """Return the cell of an RNN whose argument, `given`, is a list of one cell; None for anything else."""
    listed = any(isinstance(value, Opaque) and value.holds for value in values(given))
    return made.cells[0] if listed and made.cells is not None and len(made.cells) == 1 else None


def computing_cells(cells: tuple[Construction, ...] | None) -> Iterator[Construction]:
    """Yield the cells that compute, those inside a StackedRNNCells too."""
    for cell in cells or ():
        if cell.cells is not None:
            yield from computing_cells(cell.cells)
        else:
            yield cell


def every_cell(cells: tuple[Construction, ...] | None) -> Iterator[Construction]:
    """Yield the cells of an RNN, a StackedRNNCells and those inside it too."""
    for cell in cells or ():
        yield cell
        yield from every_cell(cell.cells)


def of_vectors(cell: Construction) -> bool:
    """Return whether a cell is one of Keras's own kinds over vectors, and no subclass of the user's."""
    return cell.subclass is None and cell.class_name in VECTOR_CELLS
