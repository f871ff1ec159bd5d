"""`--lang` and CUDNNLINT_LANG: the language of everything that the commands say, their help among it."""

from __future__ import annotations

import os
from collections.abc import Iterable

import click

from cudnnlint.core.language import foreign, tr

VARIABLE = "CUDNNLINT_LANG"
CHOICES = ("en", "es")


class Formatter(click.HelpFormatter):
    """Help in the reader's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line that begins with "Usage:"."""
        super().write_usage(prog, args, f"{tr('Usage:')} " if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """Write a heading: "Options"."""
        super().write_heading(tr(heading))

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        super().write_text("\n\n".join(tr(" ".join(part.split())) for part in text.split("\n\n")))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write options or commands, each with its text."""
        super().write_dl([(name, tr(text)) for name, text in rows], col_max, col_spacing)


class Context(click.Context):
    """Writes help with it."""

    formatter_class = Formatter


def of_environment() -> None:
    """Speak the language of CUDNNLINT_LANG from the start: also for errors in the options. Raises UsageError."""
    _use(os.environ.get(VARIABLE) or CHOICES[0])


def everywhere(group: click.Group) -> None:
    """Add `--lang` to a group and to each of its commands, and let their help be in that language."""
    for command in (group, *group.commands.values()):
        command.params.append(_option())
        command.context_class = Context


def _option() -> click.Option:
    return click.Option(
        ["--lang"], type=click.Choice(CHOICES), is_eager=True, expose_value=False, callback=_chosen,
        help="Language of messages and help [en, or CUDNNLINT_LANG].",
    )  # fmt: skip


def _chosen(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        _use(value)


def _use(name: str) -> None:
    if name == CHOICES[0] and not foreign():
        return  # nothing to load
    from cudnnlint import language

    language.use(name)
