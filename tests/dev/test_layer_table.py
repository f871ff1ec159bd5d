"""rules/tables/layers.toml is what `python -m cudnnlint.dev.layer_table` makes of the evidence."""

from __future__ import annotations

import json

from cudnnlint.dev import layer_table
from cudnnlint.rulebook.loader import load

TAKEN = load().tables.names.taken


def test_the_table_is_current() -> None:
    assert layer_table.TABLE.read_text(encoding="utf-8") == layer_table.table()


def test_what_a_dense_layer_takes_is_in_it() -> None:
    assert {"units", "activation", "quantization_config", "name"} <= TAKEN.taken["Dense"]
    assert "foo" not in TAKEN.taken["Dense"]
    assert str(TAKEN.spans["Dense", "quantization_config"]) == "3.13.0 and later"
    assert str(TAKEN.classes["RMSNormalization"]) == "3.9.0 and later"
    assert TAKEN.needed["Embedding"] == ("input_dim", "output_dim")
    assert "seed" in TAKEN.objects["GlorotUniform"]
    assert "noise_shape" in TAKEN.written["SpatialDropout1D"]


def test_a_value_that_some_layer_takes_is_not_refused() -> None:
    """Every value that a release took is of no kind that is refused there."""
    answers = (layer_table.EVIDENCE / "layer_arguments.json").read_text(encoding="utf-8").splitlines()
    assert answers
    for answer in map(json.loads, answers):
        for name, arguments in answer["values"].items():
            for argument, ways in arguments.items():
                for refused, span in TAKEN.refused.get((name, argument), ()):
                    taken = {i for letters in ways for i, letter in enumerate(letters) if letter == "r"}
                    kinds = [layer_table.kinds_of(answer["asked"][i]) for i in taken]
                    assert layer_table.Version(answer["keras"]) not in span or all(refused.isdisjoint(k) for k in kinds)
