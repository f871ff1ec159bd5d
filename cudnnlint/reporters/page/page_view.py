"""The page as a whole: the counts, the causes, the files, and the words of the summary."""

from __future__ import annotations

from collections.abc import Sequence

from cudnnlint.core import report_text
from cudnnlint.core.language import tr
from cudnnlint.core.report import Report
from cudnnlint.core.text import plural, visible
from cudnnlint.core.verdict import Verdict
from cudnnlint.reporters import words
from cudnnlint.reporters.blocks import Block, blocks, joined
from cudnnlint.reporters.causes import FoundCause, causes
from cudnnlint.reporters.headline import cost
from cudnnlint.reporters.page import file_view
from cudnnlint.reporters.page.finding_view import finding
from cudnnlint.reporters.page.markup import Markup, element, join
from cudnnlint.reporters.page.verdict_marks import MEANINGS, NAMES, badge, sign

MOST_OPEN = 6  # files that are unfolded
MOST_PLACES, MOST_REASONS = 8, 3  # of one cause
#: From best to worst, as the counts are shown.
ORDER = (Verdict.CUDNN, Verdict.FALLBACK, Verdict.RAISES, Verdict.DEPENDS, Verdict.UNKNOWN)


def content(report: Report, unsafe: bool) -> Markup:
    """Return what is on the page, from its heading to its last line."""
    found = joined(blocks(report))
    return join(
        [
            _head(report, unsafe),
            _filter(report),
            _causes(causes(found), report),
            _files(report, found, unsafe),
            _foot(report),
        ]
    )


def _head(report: Report, unsafe: bool) -> Markup:
    total = sum(len(file.layers) for file in report.files)
    title = tr(plural(total, "recurrent layer") if total else "No recurrent layer found")
    said = [f"{plural(report.seen, 'file')} checked", words.findings(report), *words.fixable(report, unsafe)]
    counted = report.counts()
    tiles = [_tile(verdict, counted[verdict.value]) for verdict in ORDER if counted[verdict.value]]
    return element(
        "header",
        element("p", element("b", "cudnnlint"), f" {report.version}", class_="brand"),
        element("h1", title),
        element("p", "; ".join(tr(one) for one in said if one).replace("[*] ", ""), class_="cl-fine"),
        _bar(counted, total) if total else None,
        element("ul", *tiles, class_="tiles") if tiles else None,
    )


def _tile(verdict: Verdict, count: int) -> Markup:
    drawn = element("svg", sign(verdict), viewbox="0 0 16 16", class_="cl-sign", aria_hidden="true")
    name = element("span", drawn, tr(report_text.COUNTED[verdict][count != 1]))
    return element("li", element("b", f"{count}"), name, class_=f"cl-{verdict.value}", title=tr(MEANINGS[verdict]))


def _bar(counted: dict[str, int], total: int) -> Markup:
    """Return the shares of the verdicts as a bar; the numbers are in the tiles."""
    parts, at = [], 0.0
    for verdict in ORDER:
        width = 1000 * counted[verdict.value] / total
        if width:
            parts.append(element("rect", x=at, y=0, width=max(width - 3, 1.0), height=10, class_=f"cl-{verdict.value}"))
        at += width
    return element("svg", *parts, viewbox="0 0 1000 10", preserveAspectRatio="none", class_="bar", aria_hidden="true")


def _filter(report: Report) -> Markup:
    """Return what the script shows and listens to: without a script it stays hidden."""
    counted = report.counts()
    switches = [
        element(
            "label",
            element("input", type="checkbox", value=verdict.value, checked=True),
            badge(verdict),
            class_="switch",
        )
        for verdict in ORDER
        if counted[verdict.value]
    ]
    codes = sorted({(one.code, one.name) for one in report.diagnostics})
    options = [element("option", tr("every cause"), value="")]
    options += [element("option", f"{code} {name}", value=code) for code, name in codes]
    search = element("input", type="search", name="words", placeholder=tr("Search layers, files, causes"))
    return element(
        "form",
        element("label", element("span", tr("Search layers, files, causes"), class_="unseen"), search),
        element("label", element("span", tr("Causes"), class_="unseen"), element("select", *options, name="code"))
        if codes
        else None,
        element("fieldset", element("legend", tr("Verdicts"), class_="unseen"), *switches),
        element("output", name="shown", aria_live="polite", class_="cl-fine"),
        element("button", tr("Light or dark"), type="button", name="theme"),
        id="filter",
        role="search",
        hidden=True,
    )


def _causes(found: Sequence[FoundCause], report: Report) -> Markup | None:
    if not found:
        return None
    numbers = {file.path: number for number, file in enumerate(report.files)}
    pages = {page.code: page.summary for page in report.rules}
    cards = [_cause(cause, numbers, pages) for cause in found]
    return element(
        "section",
        element("h2", tr("Causes"), id="causes"),
        element("div", *cards, class_="causes"),
        aria_labelledby="causes",
    )


def _cause(cause: FoundCause, numbers: dict[str, int], pages: dict[str, str]) -> Markup:
    first = cause.faults[0].first
    level = first.severity.value
    reasons = cause.reasons.most_common(MOST_REASONS)
    rest = len(cause.reasons) - len(reasons)
    several = len(cause.reasons) > 1
    said = [
        element("p", f"{reason}{f' ({count} times)' if count > 1 and several else ''}") for reason, count in reasons
    ]
    steps = cost(list(cause.layers.values()))
    pairs = [(cause.action[0], cause.action[1])] if cause.action else []
    pairs += [("cost", steps)] if steps else []
    rows = [element("div", element("dt", tr(label)), element("dd", text)) for label, text in pairs]
    rows.append(element("div", element("dt", tr("at")), element("dd", _places(cause, numbers))))
    size = element("span", tr(f"{cause.size} in {plural(len(cause.paths), 'file')}"), class_="size")
    return element(
        "article",
        element("h3", element("span", first.code, class_=f"cl-code cl-{level}"), " ", first.name, size),
        element("p", pages[first.code], class_="cl-fine") if pages.get(first.code) else None,
        *said,
        element("p", tr(plural(rest, "more reason")), class_="cl-fine") if rest else None,
        element("dl", *rows, class_="cl-pairs"),
        class_=f"cause cl-{level}",
        data_item=True,
        data_codes=first.code,
        data_verdict=" ".join(dict.fromkeys(layer.worst.value for layer in cause.layers.values())),
    )


def _places(cause: FoundCause, numbers: dict[str, int]) -> Markup:
    """Return the places of a cause, each of which leads to its file."""
    firsts = {words.where(fault.first): fault.first.path for fault in reversed(cause.faults)}
    places = cause.places
    links = [_link(where, firsts[where], numbers) for where in places[:MOST_PLACES]]
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else None
    return join([join(links, ", "), more])


def _link(where: str, path: str, numbers: dict[str, int]) -> Markup:
    shown = element("code", where)
    return element("a", shown, href=f"#file-{numbers[path]}") if path in numbers else shown


def _files(report: Report, found: Sequence[Block], unsafe: bool) -> Markup:
    own: dict[str, list[Block]] = {}
    for block in found:
        own.setdefault(block.path, []).append(block)
    known = {file.path for file in report.files}
    loose = [finding(block, None, unsafe) for path, those in own.items() if path not in known for block in those]
    shown = [at for at, file in enumerate(report.files) if file.layers or file.path in own or file.notes]
    is_open = len(shown) <= MOST_OPEN
    drawn = [_file(report, number, own.get(report.files[number].path, []), unsafe, is_open) for number in shown]
    clean = len(report.files) - len(shown)
    without = f"{plural(clean, 'more file')} without a recurrent layer"
    return element(
        "section",
        element("h2", tr("Files"), id="files"),
        *loose,
        *drawn,
        element("p", tr(without), class_="cl-fine") if clean else None,
        aria_labelledby="files",
    )


def _file(report: Report, number: int, own: Sequence[Block], unsafe: bool, is_open: bool) -> Markup:
    file = report.files[number]
    title = element("h3", element("code", file.path))
    kind = tr("saved model") if file.kind in ("keras", "h5", "savedmodel", "config") else file.kind
    summary = element("summary", title, element("span", kind, class_="kind"), *file_view.counts(file.layers))
    return element(
        "details",
        summary,
        file_view.body(file, own, report, unsafe),
        id=f"file-{number}",
        class_="file",
        open=is_open,
        data_file=True,
    )


def _foot(report: Report) -> Markup:
    meanings = [element("li", badge(verdict), f" {tr(MEANINGS[verdict])}") for verdict in ORDER]
    assert set(ORDER) == set(NAMES)
    masks = element(
        "p",
        tr(
            "In a drawing the broad band along a line is a mask on its way: a full band is padded on the right, "
            "a broken one depends on the data, a dotted one is unknown."
        ),
    )
    return element(
        "footer",
        element("h2", tr("How to read this page")),
        element("ul", *meanings, class_="legend"),
        masks,
        *(element("p", visible(tr(line))) for line in (*words.targets(report), *words.slow(report))),
    )
