"""Which mask comes out of every layer class of the installed Keras: JSON on standard output.

    python mask_table.py --framework keras            or tf_keras, tensorflow (tf.keras)

Runs the programs of mask_cases.py one after the other. A probe at the end, and every recurrent layer, writes down
whether a mask reaches it when the model runs (traced on TensorFlow, else called). Runs on Python 3.7 and up.

    {"about", "unasked": [classes of keras.layers without a recipe], "paths": {class: where else than keras.layers},
     "cases": {name: {"seen": {layer: MASK} | null, "error": text or null, "config": text or null}}}

A case whose class the release does not have is left out. MASK: 1 a mask, 0 none, 2 both (called twice), - never
called. `config` is the model as Keras itself writes it, the probe as an LSTM.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import inspect
import json
import os
import sys
import warnings
from typing import Any, Dict, Iterator, Set

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from without_gradients import spare_gradients

from ask import keras_of
from mask_cases import LEFT_OUT, MERGES, PAIRS, QUERIES, RECIPES, cases, moved
from watch import known, said

FOLDERS = ("experimental", "preprocessing")  # of keras.layers, in old releases
RECURRENT = {"RNN", "ConvRNN", "ConvRNN2D", "_CuDNNRNN"}
Seen = Dict[str, Set[bool]]


class Table:
    """The installed Keras, with its layer classes by name and a probe class."""

    def __init__(self, framework: str) -> None:
        self.framework = framework
        self.keras: Any = keras_of(framework)
        self.classes = dict(self.found(self.keras.layers))
        self.seen: Seen = {}
        self.probe = self.probe_class()

    def found(self, module: Any) -> Iterator[Any]:
        """Layer classes by name; those of the old folders, where the main one has them not."""
        for folder in FOLDERS:
            if hasattr(module, folder):
                yield from self.found(getattr(module, folder))
        for name in dir(module):
            value = getattr(module, name)
            if inspect.isclass(value) and issubclass(value, self.keras.layers.Layer) and not name.startswith("_"):
                yield name, value

    def probe_class(self) -> Any:
        """A layer that takes a tensor of any rank, looks at its mask, and is saved as an LSTM."""
        layers, seen = self.keras.layers, self.seen

        class Probe(layers.Layer):  # type: ignore[misc, name-defined]
            def __init__(self, **settings: Any) -> None:
                super().__init__(**settings)
                self.supports_masking = True

            def call(self, inputs: Any, mask: Any = None) -> Any:
                seen.setdefault(self.name, set()).add(mask is not None)
                return inputs

            def get_config(self) -> Any:
                return dict(layers.LSTM(2).get_config(), **super().get_config())

        return Probe

    def answers(self) -> dict[str, Any]:
        """What became of every program."""
        gc.freeze()  # Keras collects garbage for every new session; what is loaded need not be looked through
        return {case.name: self.answer(case) for case in cases() if case.layer in self.classes}

    def answer(self, case: Any) -> dict[str, Any]:
        """Build one model, write it down, run it."""
        self.keras.backend.clear_session()
        names: dict[str, Any] = {"Probe": self.probe, "__name__": "__main__"}
        result: dict[str, Any] = {"seen": None, "error": None, "config": None}
        try:
            exec(self.program(case), names)
            model = names["model"]
        except Exception as error:
            return dict(result, error="built: " + said(error))
        try:
            result["config"] = written(model)
        except Exception as error:
            result["error"] = "written: " + said(error)
        self.seen.clear()
        recurrent = list(recurrent_layers(model))
        for layer in recurrent:
            layer.__dict__["call"] = self.watched(layer)
        try:
            run(model)
        except Exception as error:
            return dict(result, error="run: " + said(error))
        wanted = [layer.name for layer in recurrent] + list(self.seen)
        return dict(result, seen={name: said_of(self.seen.get(name, set())) for name in sorted(set(wanted))})

    def program(self, case: Any) -> str:
        """Its text; a class that only an old folder holds is taken from there."""
        return str(moved(case, self.paths()).asked(self.framework))

    def paths(self) -> dict[str, str]:
        """Where below `keras` the classes are that `keras.layers` itself has not."""
        there = {}
        for name in set(self.classes) - set(dir(self.keras.layers)):
            folder = getattr(self.keras.layers, "experimental", None)
            deeper = hasattr(getattr(folder, "preprocessing", None), name)
            there[name] = "layers.experimental.{}{}".format("preprocessing." if deeper else "", name)
        return there

    def watched(self, layer: Any) -> Any:
        """A recurrent layer's `call` that looks at its mask."""
        original = type(layer).call.__get__(layer)

        def call(*args: Any, **kwargs: Any) -> Any:
            mask = inspect.signature(original).bind(*args, **kwargs).arguments.get("mask")
            there = any(part is not None for part in mask) if isinstance(mask, (list, tuple)) else mask is not None
            self.seen.setdefault(layer.name, set()).add(there)
            return original(*args, **kwargs)

        call.__signature__ = inspect.signature(original)  # type: ignore[attr-defined]
        if "tensorflow" in sys.modules:
            return sys.modules["tensorflow"].autograph.experimental.do_not_convert(call)
        return call

    def unasked(self) -> list[str]:
        """Classes that no program asks."""
        return sorted(set(self.classes) - {*RECIPES, *MERGES, *PAIRS, *QUERIES, *LEFT_OUT})

    def about(self) -> dict[str, Any]:
        """What was asked."""
        version = str(getattr(self.keras, "__version__", None) or sys.modules["keras"].__version__)
        backend = str(self.keras.backend.backend()) if version.startswith("3") else "tensorflow"
        beneath = {name: getattr(sys.modules.get(name), "__version__", None) for name in ("tensorflow", "jax", "torch")}
        return dict(framework=self.framework, keras=version, backend=backend, python=sys.version.split()[0], **beneath)


def said_of(masks: set[bool]) -> str:
    """A letter for what a layer saw."""
    return "2" if len(masks) > 1 else "-" if not masks else "1" if True in masks else "0"


def recurrent_layers(part: Any) -> Iterator[Any]:
    """Every recurrent layer of a model, however deep."""
    if {kind.__name__ for kind in type(part).__mro__} & RECURRENT:
        yield part
    elif hasattr(part, "forward_layer"):
        yield from recurrent_layers(part.forward_layer)
        yield from recurrent_layers(part.backward_layer)
    elif isinstance(getattr(part, "layers", None), list):
        for inner in part.layers:
            yield from recurrent_layers(inner)
    elif hasattr(part, "layer"):
        yield from recurrent_layers(part.layer)


def written(model: Any) -> str:
    """The configuration as Keras writes it, the probe as an LSTM of the same arguments."""
    return json.dumps(renamed(json.loads(model.to_json())))


def renamed(value: Any) -> Any:
    """The same with every probe as an LSTM."""
    if isinstance(value, list):
        return [renamed(part) for part in value]
    if not isinstance(value, dict):
        return value
    made = {key: renamed(part) for key, part in value.items()}
    if value.get("class_name") == "Probe":
        made["class_name"] = "LSTM"
        if "module" in made:
            made.update(module="keras.layers", registered_name=None)
    return made


def run(model: Any) -> None:
    """Trace the model as `predict` does; on other backends call it."""
    specs = [(known(tuple(tensor.shape)), tensor.dtype) for tensor in model.inputs]
    if os.environ.get("KERAS_BACKEND", "tensorflow") == "tensorflow":
        tf = importlib.import_module("tensorflow")
        signature = [tf.TensorSpec([None, *shape[1:]], dtype) for shape, dtype in specs]
        step = tf.function(lambda inputs: model(inputs[0] if len(inputs) == 1 else inputs), autograph=False)
        step.get_concrete_function(signature)
        return
    numpy = importlib.import_module("numpy")
    inputs = [numpy.ones(shape, str(dtype)) for shape, dtype in specs]
    model(inputs[0] if len(inputs) == 1 else inputs)


def main() -> None:
    """Ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--framework", default="keras", choices=("keras", "tf_keras", "tensorflow"))
    warnings.simplefilter("ignore")
    table = Table(parser.parse_args().framework)
    spare_gradients()
    about = {"about": table.about(), "unasked": table.unasked(), "paths": table.paths()}
    print(json.dumps(dict(about, cases=table.answers())))


if __name__ == "__main__":
    main()
