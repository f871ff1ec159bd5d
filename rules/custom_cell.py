"""A plain RNN loops over a cell; only the layers LSTM and GRU reach cuDNN."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN108"
NEEDED = "an LSTM or GRU layer"
SAYS = "the layer is {found}; Keras loops over a cell in Python or in the graph, whatever the cell"
ADVICE = "Use the layer of the same name as the cell."


def find(case: Case) -> Finding:
    """YES: the row for this class has no kernel."""
    cells = case.construction.cells or ()
    names = " and ".join(cell.subclass or cell.class_name for cell in cells) or "a cell"
    return Finding(Truth.YES, f"RNN around {names}", case.construction.place, "written")
