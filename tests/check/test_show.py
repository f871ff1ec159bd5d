"""`cudnnlint.show`: a picture in a notebook, text at a prompt, a page in a file."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from newest_releases import NEWEST

import cudnnlint
from cudnnlint.core.errors import UsageError

DEMO = Path(__file__).parents[2] / "fixtures" / "demo"
EMPTY = {"input", "meta"}


class Tags(HTMLParser):
    """The elements, each closed by its own end."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_notebook_draws_a_saved_model_without_touching_anything_around_it() -> None:
    shown = cudnnlint.show(DEMO / "sentiment.keras")._repr_html_()
    tags = Tags()
    tags.feed(shown)
    assert tags.open == []
    names = [tag for tag, _ in tags.seen]
    assert names.count("svg") > 1
    assert not {"iframe", "script", "html", "body", "h1", "a"} & set(names)
    assert not any("id" in attributes for _, attributes in tags.seen)
    style = shown.partition("<style>")[2].partition("</style>")[0]
    for line in style.splitlines():
        rules = line.partition("{")[0].strip()
        if "{" in line and not rules.startswith("@"):
            assert all(".cl" in one for one in rules.split(",") if one), line
    assert "recurrent-dropout: 0.2" in shown


def test_a_prompt_shows_the_text_and_save_writes_the_page(tmp_path: Path) -> None:
    shown = cudnnlint.show(str(DEMO / "train.py"), target=f"keras@{NEWEST}")
    assert "warning[CDN103] recurrent-dropout" in repr(shown)
    assert "4 recurrent layers" in str(shown)
    shown.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "CDN103" in page


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(UsageError, match="not a Keras model"):
        cudnnlint.show(3)
