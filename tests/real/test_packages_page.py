"""The evidence from published packages: complete, free of what is wrong, and rendered as it stands."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from packages import CHECKED, FOUND, PAGE, VERDICTS, page, wanted

FINDINGS = CLEAN = 60
MACHINE = re.compile(r"(?<![\w.])/(?:tmp|root|home|work|usr|var)/")


def test_the_page_is_what_the_evidence_says() -> None:
    assert PAGE.read_text() == page(json.loads(FOUND.read_text()), json.loads(CHECKED.read_text()))


def test_every_listed_package_was_looked_at() -> None:
    packages = json.loads(FOUND.read_text())["packages"]
    assert [(one["name"], one["version"]) for one in packages] == [(one["name"], one["version"]) for one in wanted([])]
    assert len({one["name"] for one in packages if one["layers"]}) >= 10
    for one in packages:
        assert one["crashes"] == 0, one["name"]
        assert sum(one["verdicts"].values()) == len(one["layers"])
        assert one["holds"] == "keras" or not one["layers"], f"{one['name']} has nothing to do with Keras"


def test_what_was_judged_by_hand_is_what_is_told() -> None:
    packages = json.loads(FOUND.read_text())["packages"]
    told = {
        (f"{one['name']} {one['version']}", layer["path"], layer["row"], layer["class"], layer["verdict"])
        for one in packages
        for layer in one["layers"]
    }
    checked = json.loads(CHECKED.read_text())
    for one in checked:
        assert (one["package"], one["path"], one["row"], one["class"], one["verdict"]) in told, one
        assert one["judged"] == "right", one
        assert one["verdict"] in VERDICTS
    assert sum(one["verdict"] != "cudnn" for one in checked) >= FINDINGS
    assert sum(one["verdict"] == "cudnn" for one in checked) >= CLEAN


def test_the_evidence_tells_nothing_of_the_machine() -> None:
    for path in (FOUND, CHECKED, PAGE):
        assert not MACHINE.search(path.read_text()), path.name
