"""What other releases do with the layers of a file: releases and backends across, layers that fare alike down."""

from __future__ import annotations

from cudnnlint.core.language import tr
from cudnnlint.core.report import Comparison, FileReport, ReleaseRange
from cudnnlint.core.target import GENERATION
from cudnnlint.core.text import plural
from cudnnlint.reporters.page.markup import Markup, element
from cudnnlint.reporters.page.verdict_marks import badge

#: The columns: framework, backend, whether it is of the newest generation; and what they are called.
COLUMNS = {
    ("tensorflow", "tensorflow", False): "tf.keras in TensorFlow",
    ("keras", "tensorflow", False): f"Keras {GENERATION - 1}",
    ("tf_keras", "tensorflow", False): "tf_keras",
    ("keras", "tensorflow", True): f"Keras {GENERATION} on TensorFlow",
    ("keras", "jax", True): f"Keras {GENERATION} on JAX",
    ("keras", "torch", True): f"Keras {GENERATION} on torch",
}
MOST_NAMES = 6


def releases(file: FileReport) -> Markup | None:
    """Return the table, closed; None where nothing was compared."""
    if not file.comparisons:
        return None
    head = element(
        "tr", element("th", tr("layers"), scope="col"), *(element("th", one, scope="col") for one in COLUMNS.values())
    )
    rows = [_row(comparison, file) for comparison in file.comparisons]
    compared = sum(len(one.layers) for one in file.comparisons)
    rest = len(file.layers) - compared
    notes = [tr("Each minor release as its newest patch.")]
    notes += [tr(f"{plural(rest, 'more layer')} not compared: there are too many that differ.")] if rest else []
    table = element("table", element("thead", head), element("tbody", *rows), class_="cl-table cl-releases")
    summary = element("summary", tr("Which releases of Keras do what"))
    return element(
        "details",
        summary,
        element("div", table, class_="cl-scroll", tabindex=0),
        element("p", " ".join(notes), class_="cl-fine"),
    )


def _row(comparison: Comparison, file: FileReport) -> Markup:
    names = [_name(file, place) for place in comparison.layers]
    shown = ", ".join(names[:MOST_NAMES]) + (f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else "")
    cells = [
        element("td", *(_range(one) for one in comparison.ranges if _column(one) == column), data_label=title)
        for column, title in COLUMNS.items()
    ]
    return element("tr", element("th", shown, scope="row"), *cells)


def _name(file: FileReport, place: int) -> str:
    layer = file.layers[place]
    where = f":{layer.place.row}" if layer.place is not None else ""
    return (layer.layer_path or layer.name or layer.class_name) + where


def _column(one: ReleaseRange) -> tuple[str, str, bool]:
    return one.framework, one.backend, one.framework == "keras" and int(one.since.partition(".")[0]) >= GENERATION


def _range(one: ReleaseRange) -> Markup:
    spread = one.since if one.since == one.until else f"{one.since}–{one.until}"
    if one.verdict is None:
        return element("span", f"{spread} ", element("span", tr("not there"), class_="cl-fine"), class_="cl-range")
    return element("span", f"{spread} ", badge(one.verdict), class_="cl-range")
