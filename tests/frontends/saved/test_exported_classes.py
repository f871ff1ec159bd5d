"""Classes that Keras exports among its layers: a file that holds one is not said to fail for it."""

from __future__ import annotations

import inspect
import json

import pytest

from cudnnlint.frontends.saved import read_bytes
from cudnnlint.rulebook import loader

NAMES = loader.load().tables.names
#: Exported below `keras.layers`, and no layers.
NO_LAYERS = {"InputSpec"}


@pytest.mark.parametrize(("class_name", "known"), [*((name, True) for name in sorted(NAMES.exported)), ("Pipe", False)])
def test_only_a_class_that_no_release_has_keeps_a_file_from_loading(class_name: str, known: bool) -> None:
    parts = [
        ("InputLayer", {"name": "i", "batch_shape": [None, 5, 4], "dtype": "float32"}),
        (class_name, {"name": "x"}),
        ("LSTM", {"name": "lstm", "units": 3}),
    ]
    layers = [{"module": "keras.layers", "class_name": one, "config": config} for one, config in parts]
    model = {"module": "keras", "class_name": "Sequential", "config": {"name": "s", "layers": layers}}
    (layer,) = read_bytes("m.json", json.dumps(model).encode(), NAMES).layers
    assert any("no release has a layer of its class" in fault.says for fault in layer.unloadable) is not known


@pytest.mark.slow
@pytest.mark.parametrize("package", ["keras", "tf_keras"])
def test_every_class_that_the_installed_keras_exports_is_known(package: str) -> None:
    exported = pytest.importorskip(package).layers
    classes = {name for name in dir(exported) if inspect.isclass(getattr(exported, name))}
    known = {*NAMES.masks.classes, *NAMES.recurrent, *NAMES.cells, *NAMES.exported}
    assert len(classes) > 100
    assert classes - known == NO_LAYERS
