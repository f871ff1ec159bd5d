"""How the command line is read: `check` by default, and errors that say what was meant. Prints nothing."""

from __future__ import annotations

import difflib
import os
import re

import click

OWN = ("--help", "-h", "--version")


class Commands(click.Group):
    """A group whose default command is `check`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `check` in front of what begins with no command."""
        first = args[0] if args else OWN[0]
        if first not in self.commands and first not in OWN:
            self._refuse(first)
            args = ["check", *args]
        return super().parse_args(ctx, args or [first])

    def _refuse(self, word: str) -> None:
        """Raise UsageError for a command that does not exist, unless the word may well be a path."""
        close = difflib.get_close_matches(word, list(self.commands), 1)
        if close and word.isalpha() and not os.path.lexists(word):
            raise click.UsageError(f'There is no command or path "{word}". Did you mean "{close[0]}"?')


def sentence(error: click.ClickException) -> str:
    """Click's message in one line; for a wrong choice with a did-you-mean."""
    text = " ".join(error.format_message().split())
    wrong = re.search(r"'(.*)' is not one of", error.message)
    param = getattr(error, "param", None)
    if wrong and param is not None and isinstance(param.type, click.Choice):
        close = difflib.get_close_matches(wrong[1], [str(choice) for choice in param.type.choices], 1)
        text += f' Did you mean "{close[0]}"?' if close else ""
    return text
