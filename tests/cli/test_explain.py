"""The pages of the rules, and the table of releases that is computed from the rows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from shell_run import Run

from cudnnlint.rulebook import explain, loader, topics

BOOK = loader.load()


@pytest.mark.parametrize("name", sorted(BOOK.rules))
def test_every_rule_has_a_page_in_every_format(name: str, run: Callable[..., Run]) -> None:
    rule = BOOK.rules[name]
    text = run("explain", rule.code).out
    assert text.startswith(f"{rule.code} {name}\n\n")
    assert rule.summary in text
    markdown = run("explain", name, "--output-format", "markdown").out
    assert markdown.startswith(f"# {rule.code} {name}\n")
    page = json.loads(run("explain", rule.code.lower(), "--output-format", "json").out)
    assert (page["code"], page["name"], page["explanation"]) == (rule.code, name, rule.page)
    assert len(page["matrix"]) == len(explain.bites(name, BOOK.tables))


def test_every_row_that_names_a_rule_is_in_its_table() -> None:
    for row in BOOK.tables.rows:
        for name in row.blocked_by:
            assert any(
                bite.framework == row.scope.framework
                and set(row.operations) <= set(bite.layers)
                and (row.scope.keras.since is None or row.scope.keras.since in bite.keras)
                for bite in explain.bites(name, BOOK.tables)
            )


def test_neighbouring_releases_that_do_the_same_are_one_row() -> None:
    found = explain.bites("recurrent-dropout", BOOK.tables)
    assert found
    for first, second in pairwise(found):
        assert not explain._continues(first, second)


def test_all_rules_are_listed_by_code(run: Callable[..., Run]) -> None:
    listed = json.loads(run("rules", "--output-format", "json").out)
    assert [rule["code"] for rule in listed] == sorted(rule.code for rule in BOOK.rules.values())
    pages = topics.names()
    assert len(run("rules").out.splitlines()) == len(listed) + len(pages) + 2
    assert len(run("rules", "--output-format", "markdown").out.splitlines()) == len(listed) + len(pages) + 5


def test_the_topics_are_listed_below_the_rules(run: Callable[..., Run]) -> None:
    for form in ("text", "markdown"):
        said = run("rules", "--output-format", form).out
        assert all(f"{name} " in said.split("CDN606")[1] for name in ("determinism", "metal", "rocm", "directml"))


@pytest.mark.parametrize("name", topics.names())
def test_every_topic_has_a_page_in_every_format(name: str, run: Callable[..., Run]) -> None:
    page = topics.topic(name)
    assert page is not None
    text = run("explain", name).out
    assert text.startswith(f"{name}\n\n{page.summary}")
    assert all(len(line) <= 100 for line in text.splitlines())
    assert run("explain", name, "--output-format", "markdown").out.startswith(f"# {name}\n\n{page.summary}\n")
    found = json.loads(run("explain", name.upper(), "--output-format", "json").out)
    assert (found["code"], found["name"], found["explanation"]) == (None, name, page.page)


def test_what_a_topic_refers_to_is_there() -> None:
    every = {rule.code for rule in BOOK.rules.values()} | set(topics.names())
    for name in topics.names():
        page = topics.topic(name)
        assert page is not None
        assert {*re.findall(r"CDN\d{3}", page.page), *re.findall(r"explain ([a-z][a-z-]+)", page.page)} <= every


def test_slow_on_a_gpu_names_the_causes_that_are_no_fault(run: Callable[..., Run]) -> None:
    text = run("explain", "slow-on-gpu").out
    assert all(word in text for word in ("batch", "stateful", "predict", "tf.data", "cudnnlint probe"))
    assert "ms" not in text.split()
