"""Pages on a question that no single rule answers: `rules/topics/NAME.md`, which `explain NAME` shows."""

from __future__ import annotations

import json

from cudnnlint.core.language import tr
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.rulebook.loader import folder


@dataclass(frozen=True)
class Topic:
    """One page. It has the name of its file, and no code."""

    name: str
    page: str

    @property
    def summary(self) -> str:
        """The first line."""
        return self.page.splitlines()[0].strip()


def names() -> list[str]:
    """Return the names of all pages."""
    return sorted(path.stem for path in (folder() / "topics").glob("*.md"))


def topic(name: str) -> Topic | None:
    """Return the page of that name; None where there is none."""
    wanted = name.lower().replace("_", "-")
    if wanted not in names():
        return None
    return Topic(wanted, (folder() / "topics" / f"{wanted}.md").read_text(encoding="utf-8").strip())


def listing(output_format: str) -> str:
    """Return all pages with their summaries, to go below the rules; nothing in JSON, whose list holds rules alone."""
    if output_format == "json":
        return ""
    found = [(page.name, tr(page.summary)) for name in names() if (page := topic(name)) is not None]
    if output_format == "markdown":
        head = ["", f"| {tr('topic')} | {tr('meaning')} |", "|---|---|"]
        return "\n".join([*head, *(f"| {name} | {text} |" for name, text in found)]) + "\n"
    width = max(len(name) for name, _ in found)
    lines = [f"{name:<{width}}  {text}" for name, text in found]
    return "\n".join(["", tr("Topics, for cudnnlint explain NAME:"), *lines]) + "\n"


def as_json(found: Topic) -> str:
    """Return a page as a JSON object, with the keys of a rule's page."""
    keys = {"code": None, "name": found.name, "summary": found.summary, "url": None, "explanation": found.page}
    return json.dumps({**keys, "matrix": []}, indent=2) + "\n"
