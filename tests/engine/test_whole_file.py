"""A saved model runs as a whole: where one of its layers stops on every machine, Keras gets to no other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_remedies import BOOK, RELEASES

from cudnnlint import Report, check_many
from cudnnlint.core.fact import Known
from cudnnlint.core.layer import Call, Construction, Layer, Model
from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.target import Era
from cudnnlint.engine import judge
from cudnnlint.targets import requested

NEW = "keras@3.15.1"


def entry(kind: str, name: str | None, **config: Any) -> dict[str, Any]:
    """An entry of a configuration, as Keras 3 writes it."""
    named = {} if name is None else {"name": name}
    return {"module": "keras.layers", "class_name": kind, "registered_name": None, "config": {**named, **config}}


def layer(name: str, **config: Any) -> dict[str, Any]:
    return entry("LSTM", name, **{"units": 2, "return_sequences": True, **config})


def report(folder: Path, target: str, *layers: dict[str, Any]) -> Report:
    """The report on a Sequential model with these layers."""
    path = folder / "model.json"
    path.write_text(json.dumps({**entry("Sequential", "model", layers=layers), "module": "keras"}), encoding="utf-8")
    (made,) = check_many([path], target=target)
    return made


def told(made: Report) -> list[tuple[str, str]]:
    """The verdict on each layer, and the rule of its first finding."""
    first = {layer: one.code for one in reversed(made.diagnostics) for layer in one.layers}
    return [(one.judgements[0].verdict.value, first.get(one.id, "")) for one in made.files[0].layers]


FINE, LOOP, LAST = layer("fine"), layer("loop", activation="relu"), layer("last")
STOPS, ALSO = layer("stops", bogus=1), layer("also", units=-1)
ON_A_GPU = layer("insists", activation="relu", use_cudnn=True)  # a CPU runs it: the other layers are reached there
PERHAPS = layer("perhaps", activation="relu", use_cudnn=True, kernel_regularizer="ours")  # on a CPU it may run


@pytest.mark.parametrize(
    ("layers", "verdicts"),
    [
        ((FINE, LAST), [("cudnn", ""), ("cudnn", "")]),
        ((FINE, STOPS, LAST), [("raises", "CDN214"), ("raises", "CDN208"), ("raises", "CDN214")]),
        ((STOPS, LOOP), [("raises", "CDN208"), ("raises", "CDN214")]),
        ((STOPS, ALSO), [("raises", "CDN208"), ("raises", "CDN208")]),
        ((STOPS,), [("raises", "CDN208")]),
        ((FINE, ON_A_GPU, LAST), [("cudnn", ""), ("raises", "CDN101"), ("cudnn", "")]),
        ((FINE, PERHAPS, LAST), [("cudnn", ""), ("raises", "CDN101"), ("cudnn", "")]),
    ],
    ids=["none stops", "one between", "before a loop", "each by itself", "alone", "on a GPU only", "perhaps on a CPU"],
)
def test_a_layer_that_stops_everywhere_stops_the_whole_file(
    tmp_path: Path, layers: tuple[dict[str, Any], ...], verdicts: list[tuple[str, str]]
) -> None:
    assert told(report(tmp_path, NEW, *layers)) == verdicts


def test_the_first_layer_that_stops_is_named_and_where_it_has_no_name_its_class(tmp_path: Path) -> None:
    (first, *_) = report(tmp_path, NEW, FINE, STOPS, LAST).diagnostics
    assert "it stops at stops, and so gets to no other layer" in first.message
    made = report(tmp_path, NEW, FINE, STOPS, ALSO)
    assert "it stops at stops," in made.diagnostics[0].message
    unnamed = entry("GRU", None, units=2, return_sequences=True, bogus=1)
    assert "it stops at GRU," in report(tmp_path, NEW, FINE, unnamed).diagnostics[0].message


def test_only_the_releases_in_which_it_stops_are_named(tmp_path: Path) -> None:
    """Keras 3 takes any number as recurrent_dropout, Keras 2 none above 1."""
    made = report(tmp_path, "keras@3.15.1,tf_keras@2.21", FINE, layer("dropping", recurrent_dropout=1.5), LAST)
    verdicts = [[one.verdict.value for one in found.judgements] for found in made.files[0].layers]
    assert verdicts == [["cudnn", "raises"], ["fallback", "raises"], ["cudnn", "raises"]]


def test_in_source_the_other_layers_are_judged_by_themselves(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text("import keras\nkeras.layers.LSTM(2)\nkeras.layers.LSTM(2, bogus=1)\n", encoding="utf-8")
    (made,) = check_many([path], target=NEW)
    assert told(made) == [("cudnn", ""), ("raises", "CDN208")]


def test_a_file_that_one_generation_does_not_load_may_stop_in_the_other_at_a_layer() -> None:
    """Keras 3 does not load these layers at all; Keras 2 does, and takes no recurrent_dropout above 1."""
    fault = LoadFault("operation", ("h5",), Era(3), "it holds operations", anywhere=False)
    layers = []
    for name, rate in (("fine", 0.0), ("dropping", 1.5), ("last", 0.0)):
        place = SavedPlace("m.h5", name)
        given = {"units": Known(4), "recurrent_dropout": Known(rate)}
        made = Construction("LSTM", "keras.layers.LSTM", given, place=place)
        layers.append(Layer(name, place, (made,), (Call(),), saved=True, unloadable=(fault,)))
    found = judge(Model("m.h5", "h5", tuple(layers)), requested.parse(["tf_keras@2.21"], RELEASES), BOOK)
    assert [one.judgements[0].verdict.value for one in found.layers] == ["raises"] * 3
    assert [one.code for one in found.diagnostics] == ["CDN214", "CDN208", "CDN214"]
