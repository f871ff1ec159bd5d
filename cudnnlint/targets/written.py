"""The target that a saved file's own `keras_version` names (FACTS: standalone Keras and TensorFlow number apart)."""

from __future__ import annotations

from collections.abc import Callable

from packaging.version import InvalidVersion, Version

from cudnnlint.core.layer import FileHints
from cudnnlint.core.masking import TF_SUFFIX
from cudnnlint.core.target import Release, Span, Target
from cudnnlint.targets.releases import KERAS_3, PACKAGED, TENSORFLOW_WITH_KERAS_3, Releases

TF_KERAS_VERSIONS = Span(TENSORFLOW_WITH_KERAS_3, KERAS_3)  # a file that says so was written by tf_keras


def target(hints: FileHints, backend: Callable[[], str], known: Releases) -> Target | None:
    """Return the release that wrote a file, open where several write the same; None where the file does not say."""
    text = hints.keras_version
    if text is None:
        return None
    span = known.writers.get(text)
    if span is None and text.endswith(TF_SUFFIX):  # older than those in the table
        span = Span(known.known["tensorflow"][0], min(one.since for one in known.writers.values() if one.since))
    if span is not None:
        origin = f"the file was saved by the Keras in TensorFlow {span} (keras_version {text})"
        return Target("tensorflow", Release(span=span), "tensorflow", Release(span=span), origin)
    try:
        version = Version(text)
    except InvalidVersion:
        return None
    if version < PACKAGED:
        return _before_the_package(version, hints, known)
    return _saved_by(version, hints, backend, known)


def _before_the_package(version: Version, hints: FileHints, known: Releases) -> Target:
    if hints.framework == "tensorflow":
        origin = f"the file was written by TensorFlow {version}"
        return Target("tensorflow", Release(version), "tensorflow", Release(version), origin)
    if version < known.standalone_until:
        origin = f"the file was saved by standalone Keras {version} (the one in TensorFlow writes {version}{TF_SUFFIX})"
        return Target("keras", Release(version), "tensorflow", None, origin)
    span = Span(known.handed_on, PACKAGED)
    origin = f"the file was saved by Keras {version}, another name for the Keras in TensorFlow {span}"
    return Target("tensorflow", Release(span=span), "tensorflow", Release(span=span), origin)


def _saved_by(version: Version, hints: FileHints, backend: Callable[[], str], known: Releases) -> Target:
    if version >= KERAS_3:
        ran = backend()
        doubt = "" if hints.backend == ran else f"; it does not name a backend, so {ran} is assumed"
        return Target("keras", Release(version), ran, None, f"the file was saved by Keras {version}{doubt}")
    framework = "tf_keras" if version in TF_KERAS_VERSIONS else "keras"
    tensorflow = known.of_minor("tensorflow", version.major, version.minor)
    return Target(framework, Release(version), "tensorflow", tensorflow, f"the file was saved by {framework} {version}")
