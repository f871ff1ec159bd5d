"""Which layers beside a recurrent one a release of Keras 3 refuses to make (tables/layers.toml)."""

from __future__ import annotations

from cudnnlint.core.named_objects import refused_name
from cudnnlint.core.refused_values import kinds_of
from cudnnlint.core.rule import Case
from cudnnlint.core.truth import Truth

#: What a line of the surrounding "refused_beside" has in place of a value that is not plain.
ANY = "..."


def refuses(case: Case, line: str) -> Truth:
    """Return whether the target does not make the layer of a line, `Class(argument=value)` or `Class()`."""
    class_name, _, rest = line.removesuffix(")").partition("(")
    argument, _, text = rest.partition("=")
    taken, release = case.taken, case.point.keras
    if not case.point.keras_3 or class_name not in taken.taken:
        return Truth.NO
    if not argument:
        return Truth.of(class_name in taken.classes and release not in taken.classes[class_name])
    if argument not in taken.taken[class_name]:
        return Truth.YES
    value = None if text == ANY else _plain(text)
    kinds = frozenset() if text == ANY else kinds_of(value)
    refused = (span for some, span in taken.refused.get((class_name, argument), ()) if kinds & some)
    span = taken.spans.get((class_name, argument))
    if (span is not None and release not in span) or any(release in span for span in refused):
        return Truth.YES
    return refused_name(case, argument, value) if argument == "activation" else Truth.NO


def _plain(text: str) -> object:
    """Return the plain value that a text of Python stands for."""
    words = {"None": None, "True": True, "False": False}
    if text in words or text[0] in "'\"":
        return words.get(text, text[1:-1])
    return int(text) if text.lstrip("-").isdigit() else float(text)
