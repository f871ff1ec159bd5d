"""What a shell offers while a command is typed: codes, names and targets. Read only when a shell asks."""

from __future__ import annotations

from collections.abc import Callable

import click

Completion = Callable[[click.Context, click.Parameter, str], list[str]]


def rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the codes and names of rules that go on what is typed; of a comma list, its last part."""
    from cudnnlint.rulebook import loader

    book = loader.load()
    return _going_on(incomplete, [word for rule in book.rules.values() for word in (rule.code, rule.name)])


def targets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the releases that are known, as targets, that go on what is typed."""
    from cudnnlint.targets import environment

    known = environment.known().known
    return _going_on(incomplete, ["all", *(f"{name}@{version}" for name in known for version in known[name])])


def _going_on(incomplete: str, words: list[str]) -> list[str]:
    before, comma, last = incomplete.rpartition(",")
    return sorted(f"{before}{comma}{word}" for word in words if word.startswith(last))
