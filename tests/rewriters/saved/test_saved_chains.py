"""Which stacks of cells may become a chain of layers: what reaches them decides, not what the model holds elsewhere."""

from __future__ import annotations

from typing import Any

import pytest
from saved_samples import TABLES

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.chain import cell_to_layer, unroll_cells
from cudnnlint.rewriters.saved.layer_tree import LayerPart, grow
from cudnnlint.rewriters.saved.traced import TracedModel

CELLS = [{"class_name": "LSTMCell", "config": {"name": f"cell_{size}", "units": size}} for size in (3, 2)]
STACK = {"class_name": "StackedRNNCells", "config": {"name": "cells", "cells": CELLS}}


def layer(kind: str, name: str, calls: Any, **config: Any) -> dict[str, Any]:
    return {"class_name": kind, "name": name, "config": {"name": name, **config}, "inbound_nodes": calls}


def model(*calls: Any, backwards: bool = True) -> LayerPart:
    """A model of Keras 2 with two inputs, one of them masked, and a stack of cells that is called so."""
    layers = [
        layer("InputLayer", "x", [], batch_input_shape=[None, 5, 4]),
        layer("InputLayer", "h", [], batch_input_shape=[None, 3]),
        layer("Masking", "masked", [[["x", 0, 0, {}]]], mask_value=0.0),
        layer("Dense", "plain", [[["x", 0, 0, {}]]], units=4),
        layer("RNN", "stack", [*calls], cell=STACK, go_backwards=backwards, return_sequences=False),
    ]
    config = {"name": "m", "layers": layers, "input_layers": [["x", 0, 0]], "output_layers": [["stack", 0, 0]]}
    return grow({"class_name": "Functional", "config": config})


def unroll(root: LayerPart) -> list[str]:
    """The names of the layers that take the place of the stack; raises Refused."""
    arrivals = TracedModel(root, TABLES.names, 2).arrivals(root.parts[-1])
    unroll_cells("stack", root.parts[-1], root, arrivals)
    return [part.name for part in root.parts[4:]]


def test_a_stack_that_gets_no_mask_becomes_a_chain_whatever_is_masked_elsewhere() -> None:
    root = model([["plain", 0, 0, {}]])
    assert unroll(root) == ["stack_part_1", "stack"]
    assert [part.record["inbound_nodes"] for part in root.parts[4:]] == [
        [[["plain", 0, 0, {}]]],
        [[["stack_part_1", 0, 0, {}]]],
    ]


def test_a_stack_that_runs_forwards_may_get_a_mask() -> None:
    assert unroll(model([["masked", 0, 0, {}]], backwards=False)) == ["stack_part_1", "stack"]


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        ([[["masked", 0, 0, {}]]], "may get a mask"),
        ([[["plain", 0, 0, {"mask": ["masked", 0, 0]}]]], "may get a mask"),
        ([[["plain", 0, 0, {}]], [["masked", 0, 0, {}]]], "may get a mask"),
        ([[["plain", 0, 0, {}], ["h", 0, 0, {}]]], "an initial state is passed"),
        ([[["plain", 0, 0, {"initial_state": [["h", 0, 0]]}]]], "an initial state is passed"),
    ],
    ids=["masked input", "mask by hand", "second call masked", "state by position", "state by name"],
)
def test_a_stack_that_a_chain_would_not_equal_is_refused(calls: Any, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        unroll(model(*calls))


def alone(*calls: Any, **config: Any) -> str:
    """What becomes of an RNN with one cell in StackedRNNCells; raises Refused."""
    stack = {"class_name": "StackedRNNCells", "config": {"name": "cells", "cells": CELLS[:1], **config.pop("of", {})}}
    root = model(*calls, backwards=False)
    part = root.parts[-1]
    part.config.update(cell=stack, **config)
    part.parts = [grow(stack, "cell")]
    said = cell_to_layer("stack", part, TracedModel(root, TABLES.names, 2).arrivals(part))
    assert part.class_name == "LSTM"
    assert part.config["units"] == 3
    assert "cell" not in part.config
    return said


def test_a_cell_alone_in_a_stack_becomes_its_layer() -> None:
    assert alone([["plain", 0, 0, {}]]) == "stack: RNN(LSTMCell) is now LSTM, with the same weights"


@pytest.mark.parametrize(
    ("calls", "config", "reason"),
    [
        ([[["plain", 0, 0, {}], ["h", 0, 0, {}]]], {}, "whose states a layer takes and gives in another form"),
        ([[["plain", 0, 0, {}]]], {"return_state": True}, "whose states a layer takes and gives in another form"),
        ([[["plain", 0, 0, {}]]], {"of": {"dtype": "float64"}}, "its cells compute in another dtype"),
        ([[["plain", 0, 0, {}]]], {"of": {"cells": CELLS}}, "it has 2 cells, and a layer has one"),
    ],
    ids=["initial state", "states", "dtype", "two cells"],
)
def test_a_cell_alone_in_a_stack_that_a_layer_would_not_equal_is_refused(calls: Any, config: Any, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        alone(*calls, **config)
