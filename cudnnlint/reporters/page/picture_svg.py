"""A model's boxes as a drawing in SVG: what a GPU does with each layer, what failed, and the way of the mask."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from cudnnlint.core.graph import LayerEdge, NodeKind
from cudnnlint.core.language import tr
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.text import visible
from cudnnlint.core.verdict import Verdict
from cudnnlint.reporters.page.decisive import deciding
from cudnnlint.reporters.page.layered import Layout, Spot, arrange
from cudnnlint.reporters.page.markup import Markup, element, join
from cudnnlint.reporters.page.scene import Box
from cudnnlint.reporters.page.verdict_marks import MEANINGS, NAMES, sign

TITLE, SMALLER = 8.3, 7.1  # width of a character
LINE, HEAD, FRAME, PADDING = 17.0, 30.0, 16.0, 12.0
NARROWEST, LONGEST = 132.0, 34  # a box's width, and the characters of a line in it
SIGN = 24.0  # room for the sign of the verdict
MARGIN = 6.0
MASKS = {
    "right": "mask, right-padded",
    "left": "mask, left-padded",
    "data": "mask from the data",
    "unknown": "mask unknown",
    "varies": "mask in some calls",
}


@dataclass(frozen=True)
class _Measured:
    """A box with its size, and where the boxes in it are."""

    box: Box
    size: Spot
    inside: tuple[_Measured, ...] = ()
    layout: Layout | None = None


def picture(root: Box, label: str, anchor: str | None) -> tuple[Markup, float]:
    """Return the drawing of a model, and its width.

    `label` is what a screen reader says of it; with `anchor` each layer leads to the row with that prefix and its id.
    """
    shown = root if root.inside and root.kind is NodeKind.MODEL else Box("", "", NodeKind.MODEL, inside=[root])
    drawn = _contents(shown)
    assert drawn.layout is not None
    size = drawn.layout.width + 2 * MARGIN, drawn.layout.height + 2 * MARGIN
    drawing = element(
        "svg",
        _inside(drawn, (MARGIN, MARGIN), anchor),
        viewbox=f"0 0 {size[0]:.0f} {size[1]:.0f}",
        width=f"{size[0]:.0f}",
        height=f"{size[1]:.0f}",
        class_="cl-drawing",
        role="group",
        aria_label=label,
    )
    return drawing, size[0]


def _contents(box: Box) -> _Measured:
    """Measure what is in a container, and lay it out."""
    inside = tuple(_measured(one) for one in box.inside)
    layout = arrange([one.size for one in inside], [(link.source, link.target) for link in box.links])
    for link, text in _labels(box.links).items():
        path = layout.paths.get((link.source, link.target))
        if path is not None:
            layout.width = max(layout.width, _label_at(path)[0] + len(text) * SMALLER)
    return _Measured(box, (layout.width, layout.height), inside, layout)


def _measured(box: Box) -> _Measured:
    if not box.inside:
        return _Measured(box, (_width(box), 2 * LINE + 12 + LINE * len(box.fails) - (0 if box.subtitle else LINE)))
    found = _contents(box)
    width = max(found.size[0] + 2 * FRAME, _width(box))
    return _Measured(box, (width, found.size[1] + HEAD + FRAME), found.inside, found.layout)


def _width(box: Box) -> float:
    texts = [len(_short(box.title)) * TITLE, *(len(_short(text)) * SMALLER for text in (box.subtitle, *box.fails))]
    if box.inside:
        texts = [len(_short(box.title)) * TITLE + len(_short(box.subtitle)) * SMALLER + PADDING]
    return max(NARROWEST, max(texts) + 2 * PADDING + (SIGN if box.verdict else 0.0))


def _short(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def _inside(drawn: _Measured, corner: Spot, anchor: str | None) -> Markup:
    """Draw what is in a container, whose contents begin at a corner: the ways first, then the boxes."""
    layout = drawn.layout
    assert layout is not None
    labels = _labels(drawn.box.links)
    links = [_link(link, layout, corner, labels.get(link)) for link in drawn.box.links]
    boxes = [
        _box(one, (corner[0] + x, corner[1] + y), anchor)
        for one, (x, y) in zip(drawn.inside, layout.corners, strict=True)
    ]
    return join([*links, *boxes])


def _labels(links: Sequence[LayerEdge]) -> dict[LayerEdge, str]:
    """Return the words on those edges on which a mask begins, or becomes another."""
    arriving: dict[int, set[str]] = {}
    for link in links:
        arriving.setdefault(link.target, set()).add(link.mask)
    changed = (link for link in links if link.mask != "none" and arriving.get(link.source) != {link.mask})
    found = {(link.source, link.mask): link for link in reversed(list(changed))}
    return {link: tr(MASKS[link.mask]) for link in found.values()}


def _link(link: LayerEdge, layout: Layout, corner: Spot, label: str | None) -> Markup | None:
    points = layout.paths.get((link.source, link.target))
    if points is None:  # a box that leads to itself
        return None
    moved = [(x + corner[0], y + corner[1]) for x, y in points]
    curve = _curve(moved)
    (x, y), down = moved[-1], 1 if moved[-1][1] >= moved[-2][1] else -1
    parts: list[Markup | None] = []
    if link.mask != "none":
        said = tr(MASKS[link.mask]) + (f": {tr(link.because)}" if link.because else "")
        parts.append(element("path", element("title", said), d=curve, class_=f"cl-mask cl-mask-{link.mask}"))
    parts.append(element("path", d=curve, class_="cl-way cl-beside" if link.beside else "cl-way"))
    parts.append(element("path", d=f"M{x - 4:.1f} {y - 6 * down:.1f}h8l-4 {6 * down}z", class_="cl-head"))
    if label is not None:
        at = _label_at(moved)
        parts.append(element("text", label, x=at[0], y=at[1], class_="cl-on-way"))
    return element("g", *parts)


def _label_at(points: Sequence[Spot]) -> Spot:
    (x, y), (next_x, next_y) = points[0], points[1]
    return max(x, (x + next_x) / 2) + 9, (y + next_y) / 2 + 4


def _curve(points: Sequence[Spot]) -> str:
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (x, y), (next_x, next_y) in pairwise(points):
        if abs(x - next_x) < 1:
            parts.append(f"L{next_x:.1f} {next_y:.1f}")
        else:
            middle = (y + next_y) / 2
            parts.append(f"C{x:.1f} {middle:.1f} {next_x:.1f} {middle:.1f} {next_x:.1f} {next_y:.1f}")
    return "".join(parts)


def _box(drawn: _Measured, corner: Spot, anchor: str | None) -> Markup:
    box, (x, y), (width, height) = drawn.box, corner, drawn.size
    verdict = f" cl-{box.verdict.value}" if box.verdict else ""
    parts: list[Markup | None] = [element("title", _said(box))]
    if box.count > 1:
        parts.append(element("rect", x=x + 4, y=y + 4, width=width, height=height, rx=8, class_="cl-behind"))
    parts.append(element("rect", x=x, y=y, width=width, height=height, rx=8, class_="cl-plate"))
    if drawn.layout is not None:
        parts.append(_text(x + PADDING, y + 20, _short(box.title), "cl-title", box.subtitle))
        left = x + (width - drawn.layout.width) / 2
        return element("g", *parts, _inside(drawn, (left, y + HEAD), anchor), class_=f"cl-box cl-kind-{box.kind.value}")
    if box.verdict is not None:
        parts.append(element("g", sign(box.verdict), transform=f"translate({x + 10:.1f} {y + 9:.1f})"))
    left = x + PADDING + (SIGN if box.verdict else 0.0)
    parts.append(_text(left, y + 21, _short(box.title), "cl-title"))
    lines = [(box.subtitle, "cl-class"), *((text, "cl-fails") for text in box.fails)]
    shown = [(text, kind) for text, kind in lines if text]
    parts += [_text(left, y + 21 + LINE * row, _short(text), kind) for row, (text, kind) in enumerate(shown, 1)]
    group = element("g", *parts, class_=f"cl-box cl-kind-{box.kind.value}{verdict}")
    if anchor is None or box.layer is None:
        return group
    return element("a", group, href=f"#{anchor}{box.layer.id}", aria_label=_said(box).replace("\n", ", "))


def _text(x: float, y: float, text: str, kind: str, beside: str = "") -> Markup:
    more = element("tspan", _short(beside), dx=PADDING / 2, class_="cl-class") if beside else None
    return element("text", text, more, x=x, y=y, class_=kind)


def _said(box: Box) -> str:
    """Return what a box says in full: on a mouse's touch, and to a screen reader."""
    lines = [visible(f"{box.title} {box.subtitle}".strip())]
    if box.verdict is not None:
        lines.append(f"{tr(NAMES[box.verdict])}: {tr(MEANINGS[box.verdict])}")
    if box.layer is not None and box.verdict is not Verdict.CUDNN:
        asked = [one for one in deciding(box.layer).requirements if one.met != "yes"]
        lines += [visible(f"{one.name}: {one.found}; {tr('needed')}: {one.needed}") for one in asked[:4]]
    return "\n".join(lines)
