"""What the versions of one source (a lock file, requirements, the installed packages) mean for a file's framework."""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.core.distributions import DISTRIBUTIONS
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.target import Release, Span, Target
from cudnnlint.targets import requested
from cudnnlint.targets.pins import Pins
from cudnnlint.targets.releases import PACKAGED, Releases
from cudnnlint.targets.standalone import is_standalone


def targets(framework: str, pins: Pins, backend: str, legacy: bool, known: Releases) -> list[Target]:
    """Return the targets that a file's framework may be, oldest first; none where the source gives it no version.

    `legacy`: it is tf_keras by TF_USE_LEGACY_KERAS, which means nothing to a TensorFlow that is Keras 2 anyway.
    """
    tensorflow, keras, tf_keras = (
        known.of_range(name, _ranges(name, pins, known)) for name in ("tensorflow", "keras", "tf_keras")
    )
    if framework == "tf_keras":
        return _tf_keras(tf_keras, tensorflow, legacy, known)
    bundled = Release(span=Span(known.known["tensorflow"][0], PACKAGED))  # a newer one asks for a newer Keras
    if framework == "tensorflow" and tensorflow is None and keras is not None and _stands_alone(keras, known):
        tensorflow = bundled
    if framework == "tensorflow" and tensorflow is not None:
        found = _on_tensorflow(tensorflow, keras, known)
    elif keras is not None:
        found = requested.of_keras(keras, "tensorflow", tensorflow, known)
        if framework == "tensorflow" and any(is_standalone(one, known) for one in found):  # which is no tf.keras
            later = [one for one in found if one.framework == "keras" and not is_standalone(one, known)]
            found = [Target("tensorflow", bundled, "tensorflow", bundled), *later]
    elif tensorflow is not None:
        found = [of for one in requested.of_tensorflow(tensorflow, known) for of in imported_as_keras(one, known)]
    else:
        return []
    if backend == "tensorflow":
        return found
    return [one if one.keras_2 else replace(one, backend=backend, tensorflow=None) for one in found]


def _ranges(name: str, pins: Pins, known: Releases) -> Iterator[str]:
    """Yield the ranges of a package; that of a build which is published no more stops at its last release.

    Where none has a range, the release that another package asks for counts.
    """
    ranges = [*pins.packages.get(name, ())] if not pins.builds else []
    for build, wanted in pins.builds:
        if DISTRIBUTIONS[build] == name:
            last = f"<={known.ended[build]}" if build in known.ended else ""
            ranges.append(",".join(filter(None, (wanted, last))))
    brought = [known.brings[one] for one in sorted(pins.everywhere) if one in known.brings]
    yield from ranges if any(ranges) else [f"=={release}" for package, release in brought if package == name]


def _stands_alone(keras: Release, known: Releases) -> bool:
    """Return whether a Keras is standalone Keras for certain, which is not the `tf.keras` of any TensorFlow."""
    return not keras.as_span.meets(Span(known.standalone_until, None))


def _tf_keras(own: Release | None, tensorflow: Release | None, legacy: bool, known: Releases) -> list[Target]:
    if own is not None:
        return [Target("tf_keras", own, "tensorflow", tensorflow or requested.below("tf_keras", own, known))]
    if tensorflow is None:
        return []
    span = tensorflow.as_span.cut(Span(known.known["tf_keras"][0], None))
    if span is None:  # no tf_keras goes with so old a TensorFlow
        return requested.of_tensorflow(tensorflow, known) if legacy else []
    if tensorflow.version is not None:
        own = known.of_minor("tf_keras", tensorflow.version.major, tensorflow.version.minor)
        return [Target("tf_keras", own, "tensorflow", tensorflow)]
    return [Target("tf_keras", Release(span=span.of_minors), "tensorflow", Release(span=span))]


def _on_tensorflow(tensorflow: Release, keras: Release | None, known: Releases) -> list[Target]:
    """`tf.keras` of a TensorFlow: from 2.6 on it is the package `keras`, whose range counts as well."""
    found = requested.of_tensorflow(tensorflow, known)
    if keras is None:
        return found
    fitting = [replace(one, keras=own) for one in found if (own := _common(one, keras)) is not None]
    return fitting or found


def _common(target: Target, keras: Release) -> Release | None:
    """Return what is left of a target's Keras where the package has a range of its own; None for nothing."""
    if target.framework != "keras":
        return target.keras
    span = target.keras.as_span.cut(keras.as_span)
    return None if span is None else keras if keras.version is not None else target.keras.within(span)


def imported_as_keras(target: Target, known: Releases) -> list[Target]:
    """Return what `import keras` finds beside a TensorFlow: standalone Keras, until it hands on tf.keras."""
    if target.framework != "tensorflow":
        return [target]
    before, after = target.keras.part(Span(None, known.handed_on)), target.keras.part(Span(known.handed_on, None))
    newest = max(version for version in known.known["keras"] if version < known.standalone_until)
    alone = [Target("keras", Release(newest), "tensorflow", before)] if before is not None else []
    return alone + ([replace(target, keras=after, tensorflow=after)] if after is not None else [])
