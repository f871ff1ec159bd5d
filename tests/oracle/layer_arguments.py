"""Which values of their arguments stop the layers of the installed Keras 3 in a saved file: one line of JSON.

    KERAS_BACKEND=jax PYTHONPATH=FOLDER python layer_arguments.py [--brief] > ANSWER

    {"keras", "backend", "asked": VALUES, "written": {class: {argument: [value]}},
     "values": {class: {argument: [a letter for each value, for each way to make the layer]}}}

A functional model with the layer is made of its configuration, in which one argument is written otherwise: r, it is
made; s, it stops. `written`: what the layer writes itself, which loads. With --brief few values are asked, of the
commonest layers. The answers of several releases are in fixtures/evidence/layer_arguments.json, one a line;
`python -m cudnnlint.dev.layer_table` makes rules/tables/layers.toml of them, and of what the constructors take, which
is read in the wheels (tests/rulebook/layer_constructors.py).
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Callable, Iterator

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from mask_cases import FEATURES, IMAGE, MERGES, RECIPES, STEPS

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, 3, -1, -2, 0.5, 1.0, 1.5, 2.0, -0.5, "4", "x", "", [], [1], [2], [1, 1], [2, 1],
    [1, 1, 1], [1, 1, 1, 1], [[1, 1]], [[1, 1], [1, 1]], [0.25, 0.5], ["a", "b"], {}, {"a": 1},
)  # fmt: skip
BRIEF = (None, True, False, 0, 2, -1, 0.5, 2.0, "4", [1], {})
#: The layers that are asked, those that are asked in brief, and how many tensors those take that have no recipe.
NAMES = (
    "Activation", "ActivityRegularization", "AlphaDropout", "BatchNormalization", "Dense", "Dropout", "ELU",
    "EinsumDense", "Flatten", "GaussianDropout", "GaussianNoise", "GroupNormalization", "Identity",
    "LayerNormalization", "LeakyReLU", "Masking", "Normalization", "PReLU", "Permute", "RMSNormalization", "ReLU",
    "Rescaling", "Reshape", "Softmax", "SpatialDropout1D", "UnitNormalization", "RepeatVector", "Conv1D", "Conv2D",
    "Conv1DTranspose", "SeparableConv1D", "DepthwiseConv1D", "MaxPooling1D", "AveragePooling1D", "MaxPooling2D",
    "AveragePooling2D", "GlobalMaxPooling1D", "GlobalAveragePooling1D", "GlobalMaxPooling2D",
    "GlobalAveragePooling2D", "Cropping1D", "ZeroPadding1D", "UpSampling1D", "SpatialDropout2D", "Embedding",
    "CategoryEncoding", "Bidirectional", "TimeDistributed",
)  # fmt: skip
COMMON = (
    "Activation", "BatchNormalization", "Bidirectional", "Conv1D", "Dense", "Dropout", "Embedding",
    "LayerNormalization", "MaxPooling1D", "RepeatVector", "SpatialDropout1D", "TimeDistributed",
)  # fmt: skip
BESIDES = {"Attention": ("", 2), "AdditiveAttention": ("", 2), "Dot": ("(2, 2)", 2), "MultiHeadAttention": ("2, 3", 3)}
#: Other ways to make a layer: a value is refused where it stops all of them.
OTHERWISE = (
    ("CategoryEncoding", 'output_mode="one_hot", num_tokens=9', FEATURES, "int32"),
    ("Normalization", "", STEPS, "float32"), ("Embedding", "9, 4, mask_zero=True", "(6,)", "int32"),
    ("BatchNormalization", "axis=1, scale=False", STEPS, "float32"), ("Dropout", "0.0", FEATURES, "float32"),
    ("Conv1D", '4, 2, padding="causal"', STEPS, "float32"), ("Softmax", "", FEATURES, "float32"),
    ("Dense", '4, "relu", use_bias=False', FEATURES, "float32"), ("Permute", "(2, 1, 3)", IMAGE, "float32"),
    ("Reshape", "(4,)", FEATURES, "float32"), ("Rescaling", "0.5", FEATURES, "float32"),
)  # fmt: skip
#: Arguments that are layers, which are judged by themselves.
HELD = frozenset({"layer", "backward_layer"})


def recipes() -> Iterator[tuple[str, str, int, str, str]]:
    """Yield classes, the text of their arguments, how many tensors they take, and their shape and dtype."""
    for name in NAMES:
        text, shape, dtype = RECIPES[name]
        yield name, text, 1, shape, dtype
    for name, text, shape, dtype in OTHERWISE:
        yield name, text, 1, shape, dtype
    for name in MERGES:
        yield name, "", 2, STEPS, "float32"
    for name, (text, number) in BESIDES.items():
        yield name, text, number, STEPS, "float32"


def made(keras: Any, name: str, text: str, number: int, shape: str, dtype: str) -> Any:
    """Return a model with a layer of a class."""
    layer = eval(f"layers.{name}({text + ', ' if text else ''}name='asked')", {"keras": keras, "layers": keras.layers})
    given = [keras.Input(eval(shape), dtype=dtype) for _ in range(number)]
    return keras.Model(given, layer(*given) if number == 3 else layer(given if number > 1 else given[0]))


def entry(written: Any) -> Any:
    """Return the layer that is asked in the configuration of a model."""
    return next(one for one in written["config"]["layers"] if one["name"] == "asked")


def answer(keras: Any, text: str, change: Callable[[dict[str, Any]], object]) -> str:
    """Make the model of a configuration in which the layer is written otherwise."""
    written = json.loads(text)
    change(entry(written)["config"])
    try:
        keras.models.model_from_json(json.dumps(written))
    except Exception:
        return "s"
    return "r"


def with_value(name: str, value: Any) -> Callable[[dict[str, Any]], object]:
    """Return the change that writes another value."""
    return lambda config: config.update({name: value})


def asked(keras: Any, names: tuple[str, ...], palette: tuple[Any, ...]) -> dict[str, Any]:
    """Return everything that is asked of a release: about the layers of these names, and with these values."""
    values: dict[str, dict[str, list[str]]] = {}
    written: dict[str, dict[str, list[Any]]] = {}
    for recipe in recipes():
        keras.backend.clear_session()
        name = recipe[0]
        if not hasattr(keras.layers, name) or (names and name not in names):
            continue
        try:
            text = made(keras, *recipe).to_json()
            assert answer(keras, text, lambda config: None) == "r", "it is not made again"
        except Exception as error:
            print(name, str(error)[:100], file=sys.stderr)
            continue
        config = entry(json.loads(text))["config"]
        for key in config.keys() - HELD:
            letters = "".join(answer(keras, text, with_value(key, value)) for value in palette)
            values.setdefault(name, {}).setdefault(key, []).append(letters)
            written.setdefault(name, {}).setdefault(key, []).append(config[key])
    return {"written": written, "values": values}


def main() -> None:
    """The command."""
    import keras

    names, palette = (COMMON, BRIEF) if "--brief" in sys.argv[1:] else ((), VALUES)
    about = {"keras": keras.__version__, "backend": keras.backend.backend(), "asked": palette}
    print(json.dumps({**about, **asked(keras, names, palette)}))


if __name__ == "__main__":
    main()
