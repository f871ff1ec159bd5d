"""Write the manual page from the command line itself: `python -m cudnnlint.dev.man [--check]`.

docs/cudnnlint.1 is installed as share/man/man1/cudnnlint.1. `--check` writes nothing and exits 1 if it is stale.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from cudnnlint.cli.cli import cli
from cudnnlint.core.version import __version__

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cudnnlint.1"
STATUS = """0: clean, or everything that was found was fixed.
1: findings at or above --fail-on remain.
2: wrong use, a wrong configuration, or a fault of cudnnlint itself."""
VARIABLES = {
    "CUDNNLINT_CACHE_DIR": "Folder of the result cache, as --cache-dir.",
    "CUDNNLINT_NO_CACHE": "Keep no results, as --no-cache.",
    "NO_COLOR": "Never write colours.",
    "FORCE_COLOR": "Write colours also where no terminal is.",
}


def page() -> str:
    """Return the page as roff (man macros)."""
    assert isinstance(cli, click.Group)
    return "\n".join([*_head(cli), *_commands(cli), *_tail()]) + "\n"


def _head(group: click.Group) -> Iterator[str]:
    first, *rest = (group.help or "").split("\n\n")
    yield f'.TH CUDNNLINT 1 "" "cudnnlint {__version__}" "User Commands"'
    yield f".SH NAME\ncudnnlint \\- {_plain(first)}"
    yield ".SH SYNOPSIS\n.B cudnnlint\n[check] PATH... [OPTIONS]\n.br\n.B cudnnlint\nCOMMAND [ARGUMENTS]"
    yield ".SH DESCRIPTION"
    yield from (_plain(part) for part in rest)


def _commands(group: click.Group) -> Iterator[str]:
    yield ".SH COMMANDS"
    context = click.Context(group, info_name="cudnnlint")
    for name in sorted(group.commands, key=lambda name: (name != "check", name)):
        command = group.commands[name]
        inner = click.Context(command, info_name=name, parent=context)
        words = " ".join(_plain(word) for word in command.collect_usage_pieces(inner))
        yield f".SS cudnnlint {name} {words}\n{_plain(command.help or '')}"
        for param in command.params:
            if isinstance(param, click.Option):
                yield f".TP\n.B {_plain(_written(param))}\n{_plain(param.help or '')}"


def _written(option: click.Option) -> str:
    """Return an option as it is typed: its names, and a word for its value."""
    names = ", ".join(sorted([*option.opts, *option.secondary_opts], key=lambda name: (name.startswith("--"), name)))
    if option.is_flag:
        return names
    choices = "|".join(map(str, option.type.choices)) if isinstance(option.type, click.Choice) else option.type.name
    return f"{names} {option.metavar or (choices if '|' in choices else choices.split()[0].upper())}"


def _tail() -> Iterator[str]:
    yield ".SH EXIT STATUS"
    yield "\n.br\n".join(_plain(line) for line in STATUS.splitlines())
    yield ".SH ENVIRONMENT"
    for name, text in VARIABLES.items():
        yield f".TP\n.B {name}\n{_plain(text)}"


def _plain(text: str) -> str:
    """Return text that roff prints as it is: one line, its hyphens, backslashes and leading points kept."""
    line = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    return f"\\&{line}" if line[:1] in (".", "'") else line


def main() -> None:
    """Write the page, or with `--check` say whether it is stale."""
    if "--check" in sys.argv[1:]:
        if PAGE.read_text(encoding="utf-8") != page():
            sys.exit(f"{PAGE.name} is stale: run `python -m cudnnlint.dev.man`.")
        return
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
