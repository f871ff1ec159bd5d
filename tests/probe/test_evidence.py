"""Records of probes: facts survive the way into a record and back, and today's tables agree with every record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cudnnlint import probe
from cudnnlint.core.codec import pack, unpack
from cudnnlint.core.layer import Layer, Model
from cudnnlint.core.target import Target
from cudnnlint.core.verdict import Judgement, Verdict
from cudnnlint.engine import judge
from cudnnlint.files.found import Found
from cudnnlint.files.reading import read
from cudnnlint.probe.compare import Agreement, Observation, compare
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, requested

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
RECORDS = sorted((FIXTURES / "evidence" / "probe").glob("*.json"))
BOOK = loader.load()
RELEASES = environment.releases(BOOK.tables)


def layers() -> list[Layer]:
    """Those of every saved fixture and every whole program."""
    paths = [
        *sorted((FIXTURES / "saved").glob("*.keras")),
        *sorted((FIXTURES / "saved").glob("*.h5")),
        *sorted((FIXTURES / "files").glob("*/*.py")),
    ]
    models = [read(Found(str(path), str(path)), BOOK.tables.names) for path in paths]
    return [layer for model in models if model is not None for layer in model.layers]


def test_a_layer_is_judged_alike_after_its_way_through_a_record() -> None:
    found = layers()
    assert len(found) > 300
    wanted = requested.parse(["keras@3.15.1:tensorflow", "tf_keras@2.21.0", "keras@3.13:torch"], RELEASES)
    for number, layer in enumerate(found):
        told = json.dumps(pack(layer))
        again = unpack(json.loads(told))
        assert json.dumps(pack(again)) == told  # here True is not 1
        one = (wanted[number % len(wanted)],)  # for all of them it would take three times as long
        assert _verdicts(again, one) == _verdicts(layer, one)


def _verdicts(layer: Layer, wanted: tuple[Target, ...]) -> list[Any]:
    (report,) = judge(Model("m", "keras" if layer.saved else "python", (layer,)), wanted, BOOK).layers
    return [(one.verdict, one.possible, [(r.name, r.met, r.found) for r in one.requirements])
            for one in report.judgements]  # fmt: skip


def test_there_are_records_of_every_backend() -> None:
    backends = {json.loads(path.read_text())["machine"]["target"].split(":")[-1].split("@")[0] for path in RECORDS}
    assert {"tensorflow", "jax", "torch"} <= backends


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_tables_agree_with_what_was_seen(path: Path) -> None:
    record = json.loads(path.read_text())
    held = 0
    for result in record["results"]:
        if result["observed"] is not None:
            outcome = compare(judgement_of(result), observation_of(result))
            assert outcome.agreement is not Agreement.CONTRADICTED, (result["path"], result["layer"], outcome.reason)
            held += outcome.agreement is Agreement.CONFIRMED
    assert held >= 0.9 * record["summary"]["confirmed"] > 0


def judgement_of(result: dict[str, Any]) -> Judgement:
    """What the tables say of a record's layer today."""
    (target,) = requested.parse([result["target"]], RELEASES)
    model = Model(result["path"], result["kind"], (unpack(result["facts"]),))
    return judge(model, (target,), BOOK).layers[0].judgements[0]


def observation_of(result: dict[str, Any]) -> Observation:
    """What was seen then."""
    paddings: dict[str, str | None] = result["masks"]
    wanted = probe.PADDINGS[result["target"].split(":")[-1].split("@")[0] if ":" in result["target"] else "tensorflow"]
    tried = len(set(paddings) - {"none"}) >= wanted
    return Observation(Verdict(result["observed"]), paddings, tried=tried)
