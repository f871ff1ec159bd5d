"""The commands that show the rulebook: `explain`, `rules`, and `target`, which says what a path is checked for.

The command line passes in how to write a page and how wide it may be; they print nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import click

from cudnnlint.core.text import visible

Emit = Callable[[str], None]
PAGES = click.option("--output-format", type=click.Choice(("text", "json", "markdown")), default="text", help="[text]")


def commands(emit: Emit, width: Callable[[], int]) -> list[click.Command]:
    """Return the commands, for a command line that writes pages in its own way."""
    return [_explain(emit, width), _rules(emit), _target(emit)]


def _explain(emit: Emit, width: Callable[[], int]) -> click.Command:
    @click.command("explain")
    @click.argument("rule", metavar="CODE-OR-NAME")
    @PAGES
    def explain(rule: str, output_format: str) -> None:
        """Explain a rule, with the releases and backends that it affects."""
        from cudnnlint.rulebook import explain as pages
        from cudnnlint.rulebook import loader
        from cudnnlint.settings import settings

        book = loader.load()
        (code, *more) = sorted(settings.codes_of([rule], book))
        found = book.by_code(code)
        if more or found is None:
            raise click.UsageError(f'"{rule}" matches {len(more) + 1} rules. Name one of them; see cudnnlint rules.')
        if output_format == "json":
            emit(pages.as_json(found, found.summary, loader.URL.format(name=found.name), book.tables))
        elif output_format == "markdown":
            emit(pages.markdown(found, book.tables))
        else:
            emit(pages.text(found, book.tables, width()))

    return explain


def _rules(emit: Emit) -> click.Command:
    @click.command("rules")
    @PAGES
    def rules(output_format: str) -> None:
        """List all rules."""
        from cudnnlint.rulebook import explain as pages
        from cudnnlint.rulebook import loader

        found = sorted(loader.load().rules.values(), key=lambda rule: rule.code)
        emit(pages.listing([(rule.code, rule.name, rule.summary) for rule in found], output_format))

    return rules


def _target(emit: Emit) -> click.Command:
    @click.command("target")
    @click.argument("path", default=".", metavar="[PATH]")
    @click.option("--target", multiple=True, metavar="LIST", help="Show this target, written as for check.")
    @click.option("--output-format", type=click.Choice(("text", "json")), default="text", help="[text]")
    def target(path: str, target: tuple[str, ...], output_format: str) -> None:
        """Show which Keras release and backend check uses for PATH, and why."""
        from cudnnlint import pipeline
        from cudnnlint.reporters.machine import target_object

        found = [target_object(item) for item in pipeline.targets_of(path, target)]
        lines = [f"{item['text']}\n  {visible(item['origin'])}\n" for item in found]
        emit(json.dumps(found, indent=2) + "\n" if output_format == "json" else "".join(lines))

    return target
