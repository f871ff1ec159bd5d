"""How a verdict looks: its name, its sign and its outline. The sign and the outline tell it without colour."""

from __future__ import annotations

from cudnnlint.core.language import tr
from cudnnlint.core.verdict import Verdict
from cudnnlint.reporters.page.markup import Markup, element, join

NAMES = {
    Verdict.CUDNN: "cuDNN",
    Verdict.FALLBACK: "falls back",
    Verdict.RAISES: "raises",
    Verdict.DEPENDS: "depends",
    Verdict.UNKNOWN: "unknown",
}
#: The same of several layers.
SEVERAL = {**NAMES, Verdict.FALLBACK: "fall back", Verdict.RAISES: "raise", Verdict.DEPENDS: "depend"}
MEANINGS = {
    Verdict.CUDNN: "runs in cuDNN",
    Verdict.FALLBACK: "runs in a loop without cuDNN",
    Verdict.RAISES: "stops with an error on a GPU",
    Verdict.DEPENDS: "depends on the data",
    Verdict.UNKNOWN: "the code or file does not show enough",
}
#: Strokes on a field of 16 by 16: a tick, a loop, a cross, a fork, a question mark.
STROKES = {
    Verdict.CUDNN: "M4.5,8.5l2.4,2.4,4.8,-5.4",
    Verdict.FALLBACK: "M11.6,6.2A4,4,0,1,0,12,8.6M12,3.8v2.8H9.2",
    Verdict.RAISES: "M5.3,5.3l5.4,5.4M10.7,5.3l-5.4,5.4",
    Verdict.DEPENDS: "M8,12.2V8.6M8,8.6L5,4.6M8,8.6l3,-4",
    Verdict.UNKNOWN: "M6,6.3a2,2,0,1,1,2.9,1.8c-.6,.3,-.9,.7,-.9,1.4M8,11.9v.1",
}


def sign(verdict: Verdict) -> Markup:
    """Return the sign of a verdict, for a drawing; it fills a field of 16 by 16."""
    disc = element("circle", cx=8, cy=8, r=8, class_="cl-disc")
    return join([disc, element("path", d=STROKES[verdict], class_="cl-stroke")])


def counted(verdict: Verdict, count: int) -> str:
    """Return "2 fall back"."""
    return f"{count} {tr((NAMES if count == 1 else SEVERAL)[verdict])}"


def badge(verdict: Verdict, label: str | None = None) -> Markup:
    """Return sign and name of a verdict, for a text."""
    drawn = element("svg", sign(verdict), viewbox="0 0 16 16", class_="cl-sign", aria_hidden="true")
    return element("span", drawn, tr(NAMES[verdict]) if label is None else label, class_=f"cl-badge cl-{verdict.value}")
