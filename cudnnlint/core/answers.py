"""What a file asks of the installation that it runs on, as one target answers it."""

from __future__ import annotations

from collections.abc import Callable

from packaging.version import Version

from cudnnlint.core.quick_dataclass import dataclass


@dataclass(frozen=True)
class Answers:
    """What one target answers.

    A release is None where it is open. `keras_3` says whether the target's Keras is Keras 3, `tf_keras_3` whether
    `tf.keras` of its TensorFlow is; both are None where the release is open. `has_class` says whether a dotted name
    is a recurrent class there, None where that is open.
    """

    framework: str
    backend: str
    keras: Version | None
    tensorflow: Version | None
    keras_3: bool | None
    tf_keras_3: bool | None
    has_class: Callable[[str], bool | None]
