"""signatures.toml held against what the wheels of the newest releases were read to take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from packaging.version import Version

from cudnnlint.core.target import Point
from cudnnlint.rulebook.loader import load

TABLES = load().tables
EVIDENCE = json.loads((Path(__file__).parents[2] / "fixtures/evidence/signatures.json").read_text(encoding="utf-8"))
NEWEST = {
    framework: max(Version(name.split()[1]) for name in EVIDENCE["releases"] if name.split()[0] == framework)
    for framework in ("keras", "tf_keras")
}
RECORDED = [
    (framework, name, EVIDENCE["signatures"][number])
    for framework, version in NEWEST.items()
    for name, number in EVIDENCE["releases"][f"{framework} {version}"].items()
    if name in TABLES.names.positional
]


def test_the_recurrent_classes_of_both_are_held() -> None:
    assert len(RECORDED) >= 15


@pytest.mark.parametrize(("framework", "name", "found"), RECORDED, ids=[f"{f}-{n}" for f, n, _ in RECORDED])
def test_a_position_means_what_the_constructor_takes_there(framework: str, name: str, found: dict[str, object]) -> None:
    told = TABLES.names.positional[name]
    order = [*found["required"], *found["defaults"]]
    assert tuple(order[: len(told)]) == told


@pytest.mark.parametrize("framework", sorted(NEWEST))
@pytest.mark.parametrize("operation", ["LSTM", "GRU"])
def test_what_is_left_out_is_what_the_constructor_has_then(framework: str, operation: str) -> None:
    signature = TABLES.signature(operation, Point(framework, NEWEST[framework], "tensorflow", None))
    assert signature is not None
    told = {name: value for name, value in TABLES.left_out.items() if name in signature.defaults}
    assert told == {name: signature.defaults[name] for name in told}
    assert len(told) >= 8
