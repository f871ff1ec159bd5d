"""The probe's child on a machine whose GPU is there in name only. Started as the child is, by a path:

    python -m cudnnlint probe ... starts cudnnlint/probe/child; run.py starts this in its place.

What is asked, and in what order, is the child's own code. What differs is how a layer is run, one way for each backend:
see fake_cuda.py, lowered.py and grappler.py.
"""

from __future__ import annotations

import importlib
import runpy
from pathlib import Path

CHILD = Path(__file__).parents[3] / "cudnnlint" / "probe" / "child" / "__main__.py"


def main() -> None:
    """Load the child, give it these sides, and let it work."""
    loader = runpy.run_path(str(CHILD))
    loader["load"]()
    sides = importlib.import_module(loader["NAME"] + ".asker").SIDES
    for backend, module in (("torch", "fake_cuda"), ("jax", "lowered"), ("tensorflow", "grappler")):
        sides[backend] = importlib.import_module(module).side(loader["NAME"])
    importlib.import_module(loader["NAME"] + ".main").main()


main()
