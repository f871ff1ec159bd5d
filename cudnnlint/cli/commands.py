"""How the command line is read: `check` by default, and errors that say what was meant. Prints the release alone."""

from __future__ import annotations

import os
import re

import click
from click.shell_completion import CompletionItem

from cudnnlint.core.language import tr
from cudnnlint.core.text import closest
from cudnnlint.core.version import __version__

OWN = ("--help", "-h", "--version", "-V")
VERSION = "Show the version and exit."


class Commands(click.Group):
    """A group whose default command is `check`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `check` in front of what begins with no command."""
        first = args[0] if args else OWN[0]
        if first not in self.commands and first not in OWN:
            self._refuse(first)
            args = ["check", *args]
        return super().parse_args(ctx, args or [first])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands, and any path, as `check` may be left out."""
        return [*super().shell_complete(ctx, incomplete), CompletionItem(incomplete, type="file")]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the beginning of their help, in the reader's language."""
        import textwrap

        names = self.list_commands(ctx)
        width = formatter.width - max(map(len, names)) - 6
        with formatter.section("Commands"):
            texts = (tr((self.commands[name].help or "").split("\n\n")[0]) for name in names)
            rows = zip(names, texts, strict=True)
            formatter.write_dl([(name, textwrap.shorten(text, width, placeholder="...")) for name, text in rows])

    def _refuse(self, word: str) -> None:
        """Raise UsageError for a command that does not exist, unless the word may well be a path."""
        if not word.isalpha() or os.path.lexists(word):
            return
        close = closest(word, self.commands)
        if close:
            raise click.UsageError(f'There is no command or path "{word}". Did you mean "{close}"?')


def sentence(error: click.ClickException) -> str:
    """Click's message in one line; for a wrong choice with a did-you-mean."""
    text = " ".join(error.format_message().split())
    wrong = re.search(r"'(.*)' is not one of", error.message)
    param = getattr(error, "param", None)
    if wrong and param is not None and isinstance(param.type, click.Choice):
        close = closest(wrong[1], map(str, param.type.choices))
        text += f' Did you mean "{close}"?' if close else ""
    return text


def refuse_swallowed(ctx: click.Context) -> None:
    """Raise BadOptionUsage where an option without its value has taken the next option for one."""
    named = {name for param in ctx.command.params if isinstance(param, click.Option) for name in param.opts}
    for param in ctx.command.params:
        given = ctx.params.get(param.name or "")
        taken = given if isinstance(given, tuple) else (given,)
        if isinstance(param, click.Option) and any(isinstance(one, str) and one in named for one in taken):
            raise click.BadOptionUsage(param.opts[0], f"Option '{param.opts[0]}' requires an argument.", ctx)


def shard_of(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """Return "3/16" as numbers. Raises UsageError."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if found is None:
        raise click.UsageError(f'--shard takes K/N, such as 3/16 for the third of sixteen parts, not "{text}".')
    number, of = int(found[1]), int(found[2])
    if not 1 <= number <= of:
        raise click.UsageError(f"--shard {text}: the parts are numbered from 1 to {of or 'N'}.")
    return number, of


def show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Answer `--version`. The option that click has for it looks for its words in all languages at every start."""
    if wanted:
        click.echo(f"cudnnlint {__version__}")
        context.exit()
