"""The target of a file whose release no source names: the newest, which is assumed."""

from __future__ import annotations

from cudnnlint.core.layer import FileHints
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.target import Release, Span, Target
from cudnnlint.rulebook.milestones import MILESTONES
from cudnnlint.targets import requested
from cudnnlint.targets.newest import chosen
from cudnnlint.targets.releases import KERAS_3, PACKAGED, Releases

EVERY = {"keras": Span(PACKAGED, None), "tf_keras": Span(MILESTONES.first["tf_keras"], None)}
UNKNOWN_RELEASE = "no {package} version found, so the newest is assumed; set one with --target"


def newest(framework: str, hints: FileHints, backend: str, known: Releases) -> Target:
    """Return the newest known release; `admits` are the others that it may be, unless the file queries its release."""
    legacy = framework == "tf_keras" or hints.keras_major == 2
    newest = UNKNOWN_RELEASE.format(package="tf_keras" if legacy else "Keras")
    opens = [Target("tf_keras", Release(span=EVERY["tf_keras"]), backend)] if legacy else _any(framework, backend)
    target = replace(chosen(opens, known), origin=newest, assumed=True)
    if legacy:
        why = hints.because.get("keras_major")
        beneath = requested.below("tf_keras", target.keras, known)
        target = replace(target, origin=f"{newest}; {why}" if why else newest, tensorflow=beneath)
    return replace(target, admits=()) if hints.asks else target


def _any(framework: str, backend: str) -> list[Target]:
    """Return the targets of a file of which nothing is known, as far as people still install them."""
    bundled = Release(span=Span(MILESTONES.first["tensorflow"], PACKAGED))
    own = [Target("tensorflow", bundled, "tensorflow", bundled)] if framework == "tensorflow" else []
    keras_2 = [Target("keras", Release(span=Span(PACKAGED, KERAS_3)))] if backend == "tensorflow" else []
    return [*own, *keras_2, Target("keras", Release(span=Span(KERAS_3, None)), backend)]
