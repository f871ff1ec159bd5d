"""The documents tell the truth: each of their commands is run, and prints what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cudnnlint.dev import examples, site

DOCUMENTS = examples.documents()


@pytest.mark.parametrize("document", DOCUMENTS, ids=[str(path.relative_to(examples.ROOT)) for path in DOCUMENTS])
def test_every_command_prints_what_the_document_says(document: Path) -> None:
    written = document.read_text(encoding="utf-8")
    assert examples.current(document) == written, "run `python -m cudnnlint.dev.examples` and read what changed"


@pytest.mark.parametrize(
    ("written", "now", "same"),
    [
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\n", "a\n", True),
        ("a\n...\nd\n", "a\nb\n", False),
        ("a\n", "b\n", False),
    ],
)
def test_three_points_stand_for_any_lines(written: str, now: str, same: bool) -> None:
    assert examples.alike(written, now) is same


def test_every_link_of_a_document_leads_somewhere() -> None:
    """Between the documents, and to the pages that the site is given from the program."""
    made = {f"docs/{path}" for path, _ in site.pages()}
    broken = []
    for document in [examples.ROOT / "README.md", *sorted((examples.ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text(encoding="utf-8")):
            path = (document.parent / target).resolve()
            inside = path.is_relative_to(examples.ROOT) and path.relative_to(examples.ROOT).as_posix()
            if not re.match(r"https?:", target) and not path.exists() and inside not in made:
                broken.append(f"{document.name}: {target}")
    assert broken == []


def test_every_rule_has_a_page_where_its_address_leads() -> None:
    from cudnnlint.rulebook import loader

    made = {path for path, _ in site.pages()}
    assert [name for name in loader.load().rules if f"rules/{name}.md" not in made] == []
    assert loader.URL.format(name="activation").endswith("/rules/activation/")
