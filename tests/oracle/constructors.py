"""How the installed Keras takes the arguments of its layers, and how many outputs its recurrent layers give: JSON.

    python constructors.py --framework keras            or tf_keras, tensorflow (tf.keras)

    {"about": {"framework", "keras"}, "orders": {class: [positional parameters]}, "outputs": {expression: number}}

The answers of several releases are in fixtures/evidence/constructors.json, one a line. Runs on Python 3.7 and up.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
from typing import Any, Iterator

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from ask import named_keras

KINDS = ("LSTM", "GRU", "SimpleRNN")
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def expressions() -> Iterator[str]:
    """Calls of recurrent layers that give more than one output."""
    for kind in KINDS:
        for given in ("", ", return_sequences=True"):
            inner = f"layers.{kind}(2{given}, return_state=True)"
            yield inner
            for mode in ("'concat'", "'sum'", "None"):
                yield f"layers.Bidirectional({inner}, {mode})"
        yield f"layers.Bidirectional(layers.{kind}(2), merge_mode=None)"
    yield "layers.RNN(layers.LSTMCell(2), return_state=True)"
    yield "layers.RNN(layers.GRUCell(2), return_state=True)"


def order(kind: Any) -> list[str]:
    """The parameters that can be given without a name."""
    parameters = list(inspect.signature(kind.__init__).parameters.values())[1:]
    return [parameter.name for parameter in parameters if parameter.kind in POSITIONAL]


def main() -> None:
    """Ask, print."""
    framework, keras = named_keras(__doc__)
    layers, tensor = keras.layers, keras.Input((5, 3))
    kinds = {name: kind for name, kind in vars(layers).items() if inspect.isclass(kind)}
    outputs = {text: len(eval(text, {"layers": layers})(tensor)) for text in expressions()}
    about = {"framework": framework, "keras": str(getattr(keras, "__version__", ""))}
    orders = {name: order(kind) for name, kind in sorted(kinds.items())}
    print(json.dumps({"about": about, "orders": orders, "outputs": outputs}))


if __name__ == "__main__":
    main()
