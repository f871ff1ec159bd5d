"""One report in the output of a notebook's cell: no frame, no script, and styles that touch nothing around it."""

from __future__ import annotations

from cudnnlint.core import report_text
from cudnnlint.core.report import Report
from cudnnlint.reporters.blocks import blocks, joined
from cudnnlint.reporters.page import file_view
from cudnnlint.reporters.page.assets import asset
from cudnnlint.reporters.page.finding_view import finding
from cudnnlint.reporters.page.markup import Markup, element, join


def shown(report: Report) -> Markup:
    """Return every file of a report: its drawings, its findings and its tables."""
    found = joined(blocks(report))
    known = {file.path for file in report.files}
    parts: list[Markup] = [finding(block, None, False) for block in found if block.path not in known]
    for file in report.files:
        name = element("code", file.path) if len(report.files) > 1 else report_text.closing(report)
        head = element("p", element("span", name), *file_view.counts(file.layers), class_="cl-note-head")
        own = [block for block in found if block.path == file.path]
        parts.append(join([head, file_view.body(file, own, report, False, anchors=False)]))
    return join([element("style", asset("picture.css")), element("div", *parts, class_="cl cl-note")])
