"""One file on the page: its models drawn, its findings, every layer with its verdict, and what other releases do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cudnnlint.core.language import tr
from cudnnlint.core.report import FileReport, LayerReport, Report
from cudnnlint.core.text import plural, visible
from cudnnlint.core.verdict import WORST_FIRST
from cudnnlint.reporters import words
from cudnnlint.reporters.blocks import Block
from cudnnlint.reporters.headline import class_name
from cudnnlint.reporters.page.decisive import failed
from cudnnlint.reporters.page.finding_view import finding
from cudnnlint.reporters.page.markup import Markup, element
from cudnnlint.reporters.page.picture_svg import picture
from cudnnlint.reporters.page.release_table import releases
from cudnnlint.reporters.page.scene import Box, scenes
from cudnnlint.reporters.page.verdict_marks import badge, counted

MOST_BLOCKS = 200  # findings of one file that are written out
MANY_LAYERS = 12  # of a table that is open
WIDEST = 480  # of a drawing with findings beside it
ANCHOR = "layer-"


def body(file: FileReport, blocks: Sequence[Block], report: Report, unsafe: bool, anchors: bool = True) -> Markup:
    """Return everything that is known of a file, below its name. `blocks` are its findings."""
    drawn, wide = pictures(file, anchors)
    found = [finding(block, file, unsafe) for block in blocks[:MOST_BLOCKS]]
    if len(blocks) > MOST_BLOCKS:
        more = plural(len(blocks) - MOST_BLOCKS, "more finding")
        found.append(element("p", tr(f"{more}: see --output-format json."), class_="cl-fine"))
    said = [*words.assumptions(file, report), *file.notes]
    sides = [element("div", *drawn, class_="cl-pictures")] if drawn else []
    sides += [element("div", *found, class_="cl-findings")] if found else []
    return element(
        "div",
        *(element("p", tr(sentence), class_="cl-fine") for sentence in said),
        element("div", *sides, class_="cl-sides" if len(sides) > 1 and not wide else None) if sides else None,
        layer_table(file, anchors),
        releases(file),
        class_="cl-file-body",
    )


def pictures(file: FileReport, anchors: bool = True) -> tuple[list[Markup], bool]:
    """Return a drawing of each model of a file, and whether one of them is too wide to have findings beside it."""
    if file.graph is None:
        return [], False
    roots = scenes(file.graph, file)
    if roots is None:
        return [
            element("p", tr("The model is too large to be drawn; its layers are listed below."), class_="cl-fine")
        ], True
    figures = [_figure(root, anchors) for root in roots]
    return [figure for figure, _ in figures], any(width > WIDEST for _, width in figures)


def _figure(root: Box, anchors: bool) -> tuple[Markup, float]:
    counts = Counter(box.verdict for box in _leaves(root) if box.verdict is not None)
    said = ", ".join(counted(verdict, counts[verdict]) for verdict in WORST_FIRST if counts[verdict])
    name = visible(f"{root.title} {root.subtitle}".strip())
    caption = element("figcaption", element("b", root.title), " ", root.subtitle)
    drawn, width = picture(root, tr(f"Layer graph of {name}: {said}"), ANCHOR if anchors else None)
    figure = element("figure", caption, element("div", drawn, class_="cl-scroll", tabindex=0), class_="cl-picture")
    return figure, width


def _leaves(box: Box) -> list[Box]:
    return [leaf for one in box.inside for leaf in _leaves(one)] if box.inside else [box]


def counts(layers: Sequence[LayerReport]) -> list[Markup]:
    """Return a badge for each verdict that some layer has, with how many have it."""
    found = Counter(layer.worst for layer in layers)
    return [badge(verdict, counted(verdict, found[verdict])) for verdict in WORST_FIRST if found[verdict]]


def layer_table(file: FileReport, anchors: bool = True) -> Markup | None:
    """Return every layer with its verdict, the worst of those for its targets, and why."""
    if not file.layers:
        return None
    heads = element("tr", *(element("th", tr(name), scope="col") for name in ("layer", "class", "on a GPU", "why")))
    rows = [_row(layer, file, anchors) for layer in file.layers]
    table = element("table", element("thead", heads), element("tbody", *rows), class_="cl-table")
    summary = element("summary", tr(f"All {len(file.layers)} layers" if len(file.layers) > 1 else "The layer"))
    is_open = len(file.layers) <= MANY_LAYERS
    return element("details", summary, element("div", table, class_="cl-scroll", tabindex=0), open=is_open)


def _row(layer: LayerReport, file: FileReport, anchors: bool) -> Markup:
    place = layer.place
    name = layer.layer_path or layer.name or layer.role or ""
    where = f"{words.layer_place(file, layer)} " if place is not None else ""
    why = "; ".join(failed(layer))
    return element(
        "tr",
        element("th", element("code", f"{where}{name}".strip()), scope="row"),
        element("td", class_name(layer)),
        element("td", badge(layer.worst)),
        element("td", why),
        id=f"{ANCHOR}{layer.id}" if anchors else None,
        data_item=True,
        data_verdict=layer.worst.value,
    )
