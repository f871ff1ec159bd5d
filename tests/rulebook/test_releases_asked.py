"""The tables' `checked` against the committed evidence: what is said to be proved was asked, and nothing disagreed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from packaging.version import Version

from cudnnlint.core.tables import Row
from cudnnlint.rulebook.loader import folder, load

BOOK = load()
RECORDS: list[dict[str, Any]] = json.loads(
    (folder().parent / "fixtures" / "evidence" / "releases.json").read_text(encoding="utf-8")
)
#: A SavedModel's graph is no layer of Keras: tests/end_to_end/test_saved_graphs.py holds these rows against graphs.
ROWS = [row for row in BOOK.tables.rows if not row.operations[0].startswith("graph.")]
PARTS = {"graph": 30, "eager": 30, ".keras": 20, ".h5": 15}  # and how few layers are asked of one release

every_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["release"])


def concerned(row: Row, record: dict[str, Any]) -> bool:
    """Did the record ask a layer that the row decides?"""
    scope = row.scope
    asked = any(record["operations"].get(operation) for operation in row.operations)
    here = record["framework"] == scope.framework and scope.backend in (None, record["backend"])
    return asked and here and Version(record["keras"]) in scope.keras


@every_record
def test_nothing_disagrees_with_a_release(record: dict[str, Any]) -> None:
    assert "graph" in record
    for part, fewest in PARTS.items():
        numbers = record.get(part)
        if numbers is None:
            continue
        assert numbers["disagreements"] == 0
        assert numbers["agreements"] + numbers["unknowns"] == numbers["configurations"] >= fewest
        few = max(numbers["configurations"] * 0.05, 5)  # a small file that may not load is unknown as a whole
        assert numbers["unknowns"] <= few
        assert sum(numbers["verdicts"].values()) == numbers["configurations"]


def test_a_release_stands_once() -> None:
    names = [record["release"] for record in RECORDS]
    assert len(set(names)) == len(names) >= 30


def test_the_documentation_tells_these_numbers() -> None:
    parts = [record[part] for record in RECORDS for part in PARTS if part in record]
    asked, unknown = (sum(numbers[name] for numbers in parts) for name in ("configurations", "unknowns"))
    sentence = f"{len(RECORDS)} releases, {asked:,} configurations, no difference, `unknown` for {unknown} "
    assert sentence in (folder().parent / "docs" / "evidence.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "row",
    ROWS,
    ids=lambda row: f"{'+'.join(row.operations)} {row.scope.framework} {row.scope.backend} {row.scope.keras}",
)
def test_checked_is_the_newest_release_that_was_asked(row: Row) -> None:
    asked = [Version(record["keras"]) for record in RECORDS if concerned(row, record)]
    newest = str(max(asked)) if asked else "read"
    assert row.checked == newest
