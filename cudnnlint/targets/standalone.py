"""Standalone Keras, the package before Keras 3, which is never the Keras that `tf.keras` is."""

from __future__ import annotations

from collections.abc import Sequence

from cudnnlint.core.layer import FileHints
from cudnnlint.core.target import Release, Target
from cudnnlint.targets import requested
from cudnnlint.targets.releases import Releases


def fits(target: Target, imported: frozenset[str], hints: FileHints, known: Releases) -> bool:
    """Return whether a target can be what a file imports: standalone Keras is never `tf.keras`."""
    if not imported:
        return True
    if is_standalone(target, known) and hints.packages == ("tensorflow",):
        return False
    return bool(imported & {target.framework, "tensorflow"})


def meant(target: Target, hints: FileHints, known: Releases) -> Sequence[Target]:
    """Return what a target is for a file of `tf.keras`: that of the TensorFlow which is named with standalone Keras."""
    beneath = target.tensorflow.version if target.tensorflow is not None else None
    if hints.packages != ("tensorflow",) or beneath is None or not is_standalone(target, known):
        return [target]
    return requested.of_tensorflow(Release.at(str(beneath)), known)


def is_standalone(target: Target, known: Releases) -> bool:
    """Return whether a target is standalone Keras, at least where it is oldest."""
    oldest = target.keras.version or target.keras.span.since
    return target.framework == "keras" and oldest is not None and oldest < known.standalone_until
