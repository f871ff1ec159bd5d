"""`html`: one page complete in itself, for an artifact that people open."""

from __future__ import annotations

from html import escape
from typing import TextIO

from cudnnlint.core import report_text
from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.report import FileReport, Report
from cudnnlint.core.text import visible
from cudnnlint.reporters import Look, words
from cudnnlint.reporters.excerpt import cut

STYLE = """
:root { color-scheme: light dark; --line: #8886; --error: #c62828; --warning: #b26a00; --info: #00798c; }
@media (prefers-color-scheme: dark) { :root { --error: #ff7b72; --warning: #e3b341; --info: #56d4dd; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
article { border: 1px solid var(--line); border-left-width: 4px; border-radius: 4px; }
article { margin: 1rem 0; padding: .5rem 1rem; }
article.error { border-left-color: var(--error); } article.warning { border-left-color: var(--warning); }
article.info { border-left-color: var(--info); }
.error b { color: var(--error); } .warning b { color: var(--warning); } .info b { color: var(--info); }
pre { overflow-x: auto; background: #8881; padding: .5rem; border-radius: 4px; }
mark { background: none; color: inherit; text-decoration: underline wavy var(--error); }
h2 { font-size: 1rem; margin: .25rem 0; overflow-wrap: anywhere; }
dt { font-weight: 600; } dd { margin: 0 0 .25rem 1rem; }
""".strip()


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write the page; nothing in it is loaded from elsewhere, and no script runs."""
    files = {file.path: file for file in report.files}
    stream.write(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n<title>cudnnlint</title>\n'
        f"<style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>cudnnlint</h1>\n<p>{_text(report_text.closing(report))}</p>\n"
    )
    for file in report.files:
        stream.writelines(f"<p>{_text(f'{file.path}: {line}')}</p>\n" for line in words.assumptions(file, report))
    stream.writelines(_article(group, files.get(group[0].path)) for group in words.groups(report))
    stream.writelines(f"<p>{_text(target)}</p>\n" for target in words.targets(report))
    stream.write("</body>\n</html>\n")


def _article(group: list[Diagnostic], file: FileReport | None) -> str:
    first = words.worst(group)
    level = first.severity.value
    details = [("found", first.found), ("needed", first.needed if first.found else None), ("when", first.consequence)]
    details.append(("fix", first.fix.message) if first.fix else ("help", first.advice))
    listed = "".join(f"<dt>{label}</dt><dd>{_text(text)}</dd>" for label, text in details if text)
    messages = "".join(f"<p>{_text(message)}</p>\n" for message in words.messages(group))
    paths = dict.fromkeys(diagnostic.layer_path for diagnostic in group if diagnostic.layer_path)
    layer = "".join(f"<p>{_text(path)}</p>\n" for path in paths)
    return (
        f'<article class="{level}">\n<h2>{_text(words.where(first))}: <b>{level}[{first.code}]</b> {_text(first.name)}'
        f"</h2>\n{_excerpt(first, file)}{layer}{messages}<dl>{listed}</dl>\n</article>\n"
    )


def _excerpt(diagnostic: Diagnostic, file: FileReport | None) -> str:
    if file is None or diagnostic.location is None:
        return ""
    rows = []
    for line in cut(diagnostic, file, 400):
        mark = f"<mark>{_text(line.under)}</mark>" if line.under else ""
        rows.append(f"{line.row:>5} | {_text(line.before)}{mark}{_text(line.after)}")
    return "<pre>" + "\n".join(rows) + "</pre>\n"


def _text(text: str) -> str:
    return escape(visible(text))
