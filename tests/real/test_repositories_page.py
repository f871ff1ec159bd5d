"""The evidence from whole public repositories: complete, free of crashes, and rendered as it stands."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from decided_outside import decider
from repositories import FOUND, JUDGED, PAGE, layers, listed, page, share, undecided

MACHINE = re.compile(r"(?<![\w.])/(?:tmp|root|home|work|usr|var)/")


def test_the_page_is_what_the_evidence_says() -> None:
    assert PAGE.read_text() == page(json.loads(FOUND.read_text()))


def test_every_listed_repository_was_looked_at() -> None:
    found = json.loads(FOUND.read_text())
    assert [(one["name"], one["commit"]) for one in found] == [(one["name"], one["commit"]) for one in listed()]
    assert sum(layers(one) > 0 for one in found) >= 100
    assert not any(one["crashes"] for one in found)


def test_nearly_all_layers_are_known_and_nearly_all_constructors_seen() -> None:
    found = json.loads(FOUND.read_text())
    assert all(undecided(one) <= one["unknown"] for one in found)
    assert share(found) >= 0.93
    assert sum(one["listed"] for one in found) >= 0.97 * sum(one["constructors"] for one in found)


@pytest.mark.parametrize(
    ("reasons", "who"),
    [
        (["`v` is unpacked from a value: `x.items()` comes from data that the program reads"], "data"),
        (["`a.b` comes from parameter `a` of __init__(), whose value is not known"], "caller"),
        (["it depends on `k`, and `os.environ['K']` comes from the environment"], "environment"),
        (["`args.n` comes from the command line", "a mask whose padding depends on the data"], "command line"),
        (["`args.n` comes from the command line", "`f(x)` is the result of `f(x)`, which is not followed"], None),
        (["`'it comes from the command line'.upper()` is not evaluated"], None),
        ([], None),
    ],
)
def test_a_layer_is_decided_outside_where_every_reason_says_so(reasons: list[str], who: str | None) -> None:
    assert decider(reasons) == who


def test_the_evidence_names_no_place_on_a_machine() -> None:
    assert not MACHINE.search(FOUND.read_text() + PAGE.read_text() + JUDGED.read_text())


def test_hundreds_of_layers_were_judged_by_hand() -> None:
    places = json.loads(JUDGED.read_text())
    assert {one["repository"] for one in places} <= {one["name"] for one in listed()}
    assert sum(one["layers"] for one in places) >= 300
    assert sum(one["layers"] for one in places if one["verdict"] == "unknown") >= 100
    assert all(one["remark"] for one in places if one["judged"] != "right")


def test_no_fix_breaks_a_file_of_a_repository_or_makes_a_layer_worse() -> None:
    """One file ends otherwise: its first layer could not be made before, as Keras 3 takes no batch_input_shape."""
    found = [json.loads(line) for line in (FOUND.parent / "fixed_repositories.json").read_text().splitlines()]
    assert len(found) >= 40
    assert not [one["name"] for one in found if one["broken"] or one["worse"]]
    assert [one["otherwise"] for one in found if one["otherwise"]] == [["data/tensorflow-issue/issue_37980.py"]]
    assert sum(one["after"]["cudnn"] for one in found) > sum(one["before"]["cudnn"] for one in found)
