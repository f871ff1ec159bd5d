"""Which release is judged where a target leaves it open: the newest, which is what an installer would choose."""

from __future__ import annotations

from collections.abc import Sequence

from packaging.version import Version

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.target import Release, Span, Target
from cudnnlint.targets.releases import KERAS_3, PACKAGED, Releases


def chosen(opens: Sequence[Target], known: Releases) -> Target:
    """Return the target judged where a file may run on any of `opens` (oldest first), each of which may be open."""
    opens = [part for target in opens if (part := known.fitting(target)) is not None] or opens
    fixed = _fixed(opens[-1], known)
    newer = fixed.keras.version is not None and fixed.keras.version > known.known[fixed.framework][-1]
    if len(opens) == 1 and (newer or (fixed.keras == opens[0].keras and fixed.tensorflow == opens[0].tensorflow)):
        return fixed
    return replace(fixed, admits=tuple(replace(other, origin="") for other in opens))


def _fixed(target: Target, known: Releases) -> Target:
    keras = _newest(target.framework, target.keras, known)
    if target.framework == "tensorflow":
        return replace(target, keras=keras, tensorflow=keras)
    version = keras.version
    if target.tensorflow is None and version is not None and PACKAGED <= version < KERAS_3:
        minor = known.of_minor("tensorflow", version.major, version.minor)
        return replace(target, keras=keras, tensorflow=_newest("tensorflow", minor, known))
    return replace(target, keras=keras, tensorflow=_beneath(keras, target, known))


def _newest(framework: str, release: Release, known: Releases) -> Release:
    """Return the newest known release in a span; one that the table does not know begins it."""
    if release.version is not None:
        return release
    admitted = [version for version in known.known[framework] if version in release.span]
    version = admitted[-1] if admitted else release.span.since
    return Release(version) if version is not None else release


def _beneath(keras: Release, target: Target, known: Releases) -> Release | None:
    """Return the newest TensorFlow under a Keras: of its minor under TensorFlow's Keras 2, one that takes a Keras 3."""
    given = target.tensorflow
    if given is None or given.version is not None or keras.version is None:
        return given
    if target.framework == "keras" and keras.version < PACKAGED:
        return _newest("tensorflow", given, known)
    minor = Version(f"{keras.version.major}.{keras.version.minor}")
    if target.framework != "keras" or keras.version < KERAS_3:
        span = given.span.cut(Span(minor, Version(f"{minor.major}.{minor.minor + 1}")))
        return _newest("tensorflow", Release(span=span or given.span), known)
    takes = [v for v in known.known["tensorflow"] if v in given.span and known.oldest_under(v) <= keras.version]
    return Release(takes[-1]) if takes else _newest("tensorflow", given, known)


def open_words(target: Target) -> str | None:
    """Describe the release that an open target is checked for; None where it is not open."""
    if not target.admits:
        return None
    beneath = target.tensorflow
    over = f" on TensorFlow {beneath}" if beneath is not None and not target.keras_2 else ""
    name = {"keras": "Keras", "tensorflow": "TensorFlow"}.get(target.framework, target.framework)
    return f"checked for the newest matching release, {name} {target.keras}{over}"
