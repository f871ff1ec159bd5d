"""The exact releases that a target may be, as far as the tables can tell them apart."""

from __future__ import annotations

from collections.abc import Sequence

from packaging.version import Version

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.tables import Tables
from cudnnlint.core.target import Point, Span, Target


def points(
    target: Target, tables: Tables, eras: Sequence[Span] = (), tensorflow_eras: Sequence[Span] = ()
) -> list[Point]:
    """One point for every stretch of releases in which the tables say the same, oldest first; the target's own last.

    `eras` are further stretches (of Keras, of TensorFlow), those in which the layer's own calls or making differ.
    """
    own = _points(target, tables, eras, tensorflow_eras)
    every = [replace(other, gpu=target.gpu) for other in target.admits]
    admitted = [point for other in every for point in _points(other, tables, eras, tensorflow_eras)]
    return [*(point for point in admitted if point not in own), *own]


def _points(target: Target, tables: Tables, eras: Sequence[Span], tensorflow_eras: Sequence[Span]) -> list[Point]:
    return [
        Point(target.framework, keras, target.backend, tensorflow, gpu=target.gpu)
        for keras in _keras(target, tables, eras)
        for tensorflow in _tensorflow(target, keras, tables, tensorflow_eras)
    ]


def _keras(target: Target, tables: Tables, eras: Sequence[Span]) -> list[Version]:
    if target.keras.version is not None:
        return [target.keras.version]
    span = target.keras.span
    scopes = [scope for scope in tables.scopes if scope.framework == target.framework]
    spans = [*eras, *(scope.keras for scope in scopes if scope.backend in (None, target.backend))]
    bounds = {bound for s in spans for bound in (s.since, s.until) if bound is not None and bound in span}
    start = span.since or tables.milestones.first[target.framework]
    end = tables.milestones.end.get(target.framework)
    kept = {bound for bound in bounds if bound > start and (end is None or bound < end)}
    return sorted(kept | {start})


def _tensorflow(target: Target, keras: Version, tables: Tables, eras: Sequence[Span]) -> list[Version | None]:
    if target.backend != "tensorflow":
        return [None]
    if target.tensorflow is not None and target.tensorflow.version is not None:
        return [target.tensorflow.version]
    if target.framework == "tensorflow":
        return [keras]
    beneath = target.tensorflow.span if target.tensorflow is not None else Span()
    if target.framework == "keras" and keras < tables.milestones.first["keras"]:  # standalone Keras runs on any
        return [None] if beneath.since is None else _stretches(beneath, beneath.since, tables, eras)
    if keras.major < 3:  # keras 2.x and tf_keras 2.x go with the TensorFlow of the same minor
        return [Version(f"{keras.major}.{keras.minor}.0")]
    oldest = tables.milestones.dates["beneath_keras_3"]
    return _stretches(beneath, max(beneath.since or oldest, oldest), tables, eras)


def _stretches(within: Span, start: Version, tables: Tables, eras: Sequence[Span]) -> list[Version | None]:
    """Return the stretches of TensorFlow beneath the package keras, from `start` on."""
    bounds = {
        bound
        for span in (*eras, *(scope.tensorflow for scope in tables.scopes if scope.framework == "keras"))
        for bound in (span.since, span.until)
        if bound is not None and bound in within
    }
    return [*sorted({bound for bound in bounds if bound > start} | {start})]
