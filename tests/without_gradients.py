"""Keras 2 without the gradients that it writes into the graph of every recurrent layer, for one who trains there.

That takes half of the time of building a model. Nothing that is only called needs them. Of every TensorFlow 2.
"""

from __future__ import annotations

import sys
from typing import Any


def spare_gradients() -> None:
    """Let the TensorFlow that is imported write no gradients into a graph, in this process."""
    for name in ("function", "polymorphic_function.concrete_function"):
        concrete: Any = getattr(sys.modules.get("tensorflow.python.eager." + name), "ConcreteFunction", None)
        if hasattr(concrete, "add_gradient_functions_to_graph"):
            concrete.add_gradient_functions_to_graph = lambda self, g=None: None
