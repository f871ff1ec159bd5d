"""What is generated is current: rules/README.md is what the rulebook says today."""

from __future__ import annotations

from cudnnlint.dev import docs


def test_the_rulebooks_page_is_current() -> None:
    assert docs.main(["--check"]) == 0, "run python -m cudnnlint.dev.docs"
