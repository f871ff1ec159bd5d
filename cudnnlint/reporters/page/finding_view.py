"""A finding on the page: what happens to its layers, the lines of source, each fault with its fix, the cost."""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.core.edit import Applicability
from cudnnlint.core.language import tr
from cudnnlint.core.report import FileReport
from cudnnlint.core.verdict import WORST_FIRST
from cudnnlint.reporters import words
from cudnnlint.reporters.blocks import Block, Fault
from cudnnlint.reporters.details import of_block, of_fault
from cudnnlint.reporters.excerpt import cut
from cudnnlint.reporters.headline import headline
from cudnnlint.reporters.page import fix_diff
from cudnnlint.reporters.page.markup import Markup, element, join, raw, text
from cudnnlint.reporters.page.verdict_marks import NAMES, badge

WIDTH = 100  # columns of an excerpt
MOST_NAMES = 12  # layers of a saved model that are named
APPLIED = {
    Applicability.SAFE: "--fix",
    Applicability.UNSAFE: "--fix --unsafe-fixes",
    Applicability.DISPLAY_ONLY: "by hand",
}


def finding(block: Block, file: FileReport | None, unsafe: bool) -> Markup:
    """Return one block of findings."""
    first = block.faults[0].first
    verdicts = [verdict for verdict in WORST_FIRST if any(layer.worst is verdict for layer in block.all_layers)]
    level = first.severity.value
    sign = badge(verdicts[0]) if verdicts else element("span", level, class_=f"cl-badge cl-{level}")
    says = headline(block.faults, block.layers) if block.layers else first.name
    return element(
        "article",
        element("h4", sign, element("span", tr(says)), class_="cl-says"),
        element("p", *_where(block), class_="cl-where"),
        *(part for fault in block.faults for part in _fault(fault, block, file, unsafe)),
        _pairs(of_block(block)),
        class_=f"cl-finding cl-{verdicts[0].value if verdicts else level}",
        data_item=True,
        data_verdict=" ".join(verdict.value for verdict in verdicts),
        data_codes=" ".join(dict.fromkeys(fault.first.code for fault in block.faults)),
    )


def _where(block: Block) -> Iterator[Markup]:
    if block.faults[0].first.location is not None or not block.layers:
        yield element("code", words.where(block.faults[0].first))
        return
    names = [layer.layer_path or layer.name or layer.class_name for layer in block.all_layers]
    yield join([element("code", name) for name in names[:MOST_NAMES]], ", ")
    if len(names) > MOST_NAMES:
        yield text(f" and {len(names) - MOST_NAMES} more")


def _fault(fault: Fault, block: Block, file: FileReport | None, unsafe: bool) -> Iterator[Markup | None]:
    first = fault.first
    yield _excerpt(fault, file)
    reasons = words.reasons(fault.group) if block.layers else words.messages(fault.group)
    kind = element("span", first.code, class_=f"cl-code cl-{first.severity.value}")
    yield element("p", kind, " ", element("b", first.name), " ", " ".join(map(tr, reasons)), class_="cl-reason")
    yield _pairs(of_fault(first, unsafe))
    if first.fix is not None and file is not None:
        lines = fix_diff.changes(first.fix, file)
        if lines:
            caption = element("figcaption", f"{tr('fix')} ({tr(APPLIED[first.fix.applicability])})")
            yield element("figure", caption, element("pre", *map(_changed, lines), tabindex=0), class_="cl-diff")


def _excerpt(fault: Fault, file: FileReport | None) -> Markup | None:
    first = fault.first
    if file is None or first.location is None:
        return None
    rows = []
    for line in cut(first, file, WIDTH):
        marked = element("mark", line.under) if line.under else None
        number = element("span", f"{line.row:>4} ", class_="cl-row")
        rows.append(join([number, line.before, marked, line.after, "\n"]))
    return element("pre", *rows, class_=f"cl-source cl-{first.severity.value}", tabindex=0)


def _changed(line: fix_diff.ChangedLine) -> Markup:
    kind = {"-": "del", "+": "ins"}.get(line.mark)
    number = element("span", f"{line.row or '':>4} {line.mark} ", class_="cl-row")
    part = element("em", line.changed) if line.changed else None
    whole = join([number, line.before, part, line.after])
    return join([element(kind, whole) if kind else element("span", whole), raw("\n")])


def _pairs(found: Iterator[tuple[str, str]]) -> Markup | None:
    rows = [element("div", element("dt", tr(label)), element("dd", tr(said))) for label, said in found]
    return element("dl", *rows, class_="cl-pairs") if rows else None


assert set(NAMES) == set(WORST_FIRST)
