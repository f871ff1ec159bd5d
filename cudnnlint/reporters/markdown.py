"""`markdown`: a table of the findings, for a pull request's comment or a job's summary."""

from __future__ import annotations

import re
from typing import TextIO

from cudnnlint.core import report_text
from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.language import tr
from cudnnlint.core.report import Report
from cudnnlint.core.text import visible
from cudnnlint.reporters import Look, words

HEADS = ("where", "severity", "rule", "problem", "fix")


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write the summary, then one row for each finding; those that differ in their target only share one."""
    stream.write(f"## cudnnlint\n\n**{_plain(tr(report_text.closing(report)))}**\n\n")
    groups = words.groups(report)
    assumed = [(file.path, line) for file in report.files for line in words.assumptions(file, report)]
    stream.writelines(f"- {_plain(f'{path}: {tr(line)}')}\n" for path, line in assumed)
    if assumed:
        stream.write("\n")
    if groups:
        stream.write(f"| {' | '.join(map(tr, HEADS))} |\n|---|---|---|---|---|\n")
    stream.writelines(_row(group) for group in groups)
    if groups:
        stream.write("\n")
    stream.writelines(f"- {_plain(tr(target))}\n" for target in words.targets(report))


def _row(group: list[Diagnostic]) -> str:
    first = words.worst(group)
    paths = [diagnostic.layer_path for diagnostic in group if diagnostic.layer_path]
    layer = f" {words.some(list(dict.fromkeys(paths)))}" if paths else ""
    fix = first.fix.message if first.fix else first.advice or ""
    rule = f"{first.code} {first.name}"
    cells = (words.where(first) + layer, first.severity.value, rule, " ".join(words.messages(group)), fix)
    return f"| {' | '.join(_plain(cell) for cell in cells)} |\n"


def _plain(text: str) -> str:
    """Return text that Markdown and HTML take as it is."""
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|~#@!])", r"\\\1", shown)
