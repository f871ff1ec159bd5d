"""The pages of the documentation that are made from the program: run by mkdocs (plugin gen-files) at each build.

A page for each rule and each topic, the list of rules, the matrix of releases, the commands with their options, the
JSON schemas, and the documents that stand at the top of the repository.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from cudnnlint.cli.cli import cli
from cudnnlint.rulebook import explain, loader, topics

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "https://github.com/cudnnlint/cudnnlint/blob/main"
#: Documents of the repository that are pages here, too.
COPIED = {"CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md", "rules/README.md": "rules/releases.md"}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path of each page below docs/, and its text."""
    book = loader.load()
    rules = sorted(book.rules.values(), key=lambda rule: rule.code)
    for rule in rules:
        yield f"rules/{rule.name}.md", explain.markdown(rule, book.tables)
    found = [topic for name in topics.names() if (topic := topics.topic(name)) is not None]
    for topic in found:
        yield f"topics/{topic.name}.md", explain.headed(topic)
    rows = "\n".join(f"| {rule.code} | [{rule.name}]({rule.name}.md) | {rule.summary} |" for rule in rules)
    listed = "\n".join(f"- [{topic.name}](../topics/{topic.name}.md)" for topic in found)
    yield "rules/index.md", f"# Rules\n\n| code | name | finds |\n|---|---|---|\n{rows}\n\n## Topics\n\n{listed}\n"
    yield "reference/commands.md", "".join(_commands())
    for schema in sorted((ROOT / "cudnnlint" / "schemas").glob("*.json")):
        yield f"schemas/{schema.name}", schema.read_text(encoding="utf-8")
    for name, page in COPIED.items():
        yield page, _moved((ROOT / name).read_text(encoding="utf-8"), Path(name).parent)


def _commands() -> Iterator[str]:
    """Yield the page of the commands: each with its arguments and options."""
    assert isinstance(cli, click.Group)
    yield "# Commands\n\n`cudnnlint PATH...` is short for `cudnnlint check PATH...`.\n"
    context = click.Context(cli, info_name="cudnnlint")
    for name in sorted(cli.commands, key=lambda name: (name != "check", name)):
        command = cli.commands[name]
        usage = " ".join(command.collect_usage_pieces(click.Context(command, info_name=name, parent=context)))
        yield f"\n## {name}\n\n```text\ncudnnlint {name} {usage}\n```\n\n{' '.join((command.help or '').split())}\n\n"
        options = [param for param in command.params if isinstance(param, click.Option)]
        if options:
            yield "| option | effect |\n|---|---|\n"
        for option in options:
            names = ", ".join([*option.opts, *option.secondary_opts])
            yield f"| `{names}` | {(option.help or '').replace('|', '/')} |\n"


def _moved(text: str, folder: Path) -> str:
    """Return a document with its relative links leading to the repository."""

    def link(found: re.Match[str]) -> str:
        target = found[1]
        return found[0] if re.match(r"https?:|#", target) else f"]({SOURCE}/{(folder / target).as_posix()})"

    return re.sub(r"\]\(([^)\s]+)\)", link, text)


def write(opened: Callable[..., object]) -> None:
    """Write every page with `opened(path, "w")`."""
    for path, text in pages():
        with opened(path, "w") as stream:  # type: ignore[attr-defined]
            stream.write(text)


if __name__ in ("__main__", "<run_path>"):
    import mkdocs_gen_files

    write(mkdocs_gen_files.open)
