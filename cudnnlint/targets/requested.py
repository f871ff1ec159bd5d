"""Read the texts of `--target` into targets. Looks at the text only."""

from __future__ import annotations

import re
from collections.abc import Iterable

from packaging.version import InvalidVersion, Version

from cudnnlint.core.errors import UsageError
from cudnnlint.core.regex import regex
from cudnnlint.core.target import BACKENDS, CPU_BACKENDS, FRAMEWORKS, Release, Span, Target
from cudnnlint.core.text import closest
from cudnnlint.targets.newest import chosen
from cudnnlint.targets.releases import KERAS_3, PACKAGED, TENSORFLOW_WITH_KERAS_3, Releases

#: A release as pip asks for it, and the forms that say the same here.
_PIP = regex(r"(?P<name>[\w-]+)\s*(?P<how>===?|>=|<)\s*(?P<version>\d[\d.]*)(?:\.\*)?")
_HERE = {"==": "{}@{}", "===": "{}@{}", ">=": "{}@{}..", "<": "{}@..<{}"}
FORMS = "for example keras@3.15:tensorflow, tf_keras@2.21, tensorflow@2.12, several with commas, or all"


def parse(texts: Iterable[str], releases: Releases) -> tuple[Target, ...]:
    """Return the targets that `texts` (each one or a comma list) name, each once, in the order given.

    Raises UsageError, with a did-you-mean where there is one.
    """
    targets: dict[Target, None] = {}
    for text in texts:
        for part in filter(None, (piece.strip() for piece in text.split(","))):
            targets |= dict.fromkeys(_all(releases) if part == "all" else [_one(part, releases)])
    if not targets:
        raise UsageError(f"--target is empty. Write {FORMS}.")
    return tuple(targets)


def _all(releases: Releases) -> list[Target]:
    texts = [
        *(f"tensorflow@{a}.{b}" for a, b in releases.minors("tensorflow") if a > 1 and Version(f"{a}.{b}") < PACKAGED),
        *(f"keras@{a}.{b}" for a, b in releases.minors("keras") if PACKAGED <= Version(f"{a}.{b}") < KERAS_3),
        *(f"tf_keras@{a}.{b}" for a, b in releases.minors("tf_keras")),
        *(f"keras@{a}.{b}:{backend}" for backend in BACKENDS for a, b in releases.minors("keras") if a == 3),
    ]
    return [_one(text, releases) for text in texts]


def _one(text: str, releases: Releases) -> Target:
    """Return the target that a text names: its newest release, where it leaves the release open."""
    return chosen(_opens(text, releases), releases)


def _opens(text: str, releases: Releases) -> list[Target]:
    head, colon, tail = text.partition(":")
    framework, release = _named(head, FRAMEWORKS, text, releases)
    if framework == "tensorflow":
        if colon:
            hint = "Write keras@VERSION:tensorflow@VERSION."
            raise UsageError(f'The target "{text}" is not valid: tensorflow has no backend. {hint}')
        return of_tensorflow(release, releases)
    backend, beneath = _named(tail, (*BACKENDS, *CPU_BACKENDS), text, releases) if colon else ("tensorflow", None)
    if backend != "tensorflow" and "@" in tail:
        raise UsageError(f'The target "{text}" is not valid: only tensorflow takes a version here, {backend} does not.')
    if backend != "tensorflow" and Target(framework, release).keras_2:
        raise UsageError(f'The target "{text}" is not valid: {framework} {release} runs on TensorFlow only.')
    given = beneath if "@" in tail else None
    if framework == "keras":
        return of_keras(release, backend, given, releases)
    return [Target(framework, release, backend, given or below(framework, release, releases))]


def below(framework: str, keras: Release, releases: Releases) -> Release | None:
    """Return the TensorFlow under a Keras 2, which is of the same minor; None where the release is open."""
    if keras.version is None:
        return None
    return releases.of_minor("tensorflow", keras.version.major, keras.version.minor)


def of_keras(release: Release, backend: str, beneath: Release | None, releases: Releases) -> list[Target]:
    """Return what the package `keras` is: standalone Keras, tf.keras handed on, the Keras 2 of TensorFlow, Keras 3.

    Of an open release those are left out that no installer puts beside the TensorFlow `beneath`, unless that is all.
    """
    found: list[Target] = []
    wanted: list[Target] = []
    for span, window in _eras(releases):
        part = release.part(span)
        if part is None or (backend != "tensorflow" and span.since != KERAS_3):
            continue
        found.append(_on(part, span, backend, beneath, releases))
        both = _together(part, window, beneath) if beneath is not None else None
        if both is not None:
            wanted.append(_on(both[0], span, backend, both[1], releases))
    return wanted or found


def _eras(releases: Releases) -> list[tuple[Span, Span]]:
    """Return the eras of the package `keras`, each with the TensorFlows that it can be installed beside.

    A TensorFlow asks for a Keras of its minor from 2.6 on, and for Keras 3 from 2.16 on.
    """
    return [
        (Span(None, releases.standalone_until), Span(None, PACKAGED)),
        (Span(releases.standalone_until, PACKAGED), Span(releases.handed_on, PACKAGED)),
        (Span(PACKAGED, KERAS_3), Span(PACKAGED, TENSORFLOW_WITH_KERAS_3)),
        (Span(KERAS_3, None), Span(TENSORFLOW_WITH_KERAS_3, None)),
    ]


def _together(keras: Release, window: Span, beneath: Release) -> tuple[Release, Release] | None:
    """Return what is left of a Keras and of a TensorFlow that are installed together; None for nothing."""
    cut = beneath.as_span.cut(window)
    if cut is not None and window.since == PACKAGED:  # of one minor
        own = keras.as_span.cut(cut.of_minors)
        cut = None if own is None else cut.cut(keras.as_span)
        keras = keras if own is None else keras.within(own)
    return None if cut is None else (keras, beneath.within(cut))


def _on(keras: Release, era: Span, backend: str, beneath: Release | None, releases: Releases) -> Target:
    """Return the target that a release of an era is on a TensorFlow, None where nothing names one."""
    if era.until == PACKAGED:
        own = beneath or Release(span=Span(releases.handed_on, PACKAGED))
        return Target("tensorflow", own, "tensorflow", own)
    if era.until == KERAS_3:
        return Target("keras", keras, "tensorflow", beneath or below("keras", keras, releases))
    return Target("keras", keras, backend, beneath)


def of_tensorflow(release: Release, releases: Releases) -> list[Target]:
    """Return the Keras that a TensorFlow brings: its own up to 2.5, `keras` of the same minor, then an open Keras 3.

    An open release is one that there is: before 2.16.1 is Keras 2, as there is no 2.16.0.
    """
    if release.version is not None:
        return [_of_one_tensorflow(release.version, release, releases)]
    found = []
    lies_in = [version for version in releases.known["tensorflow"] if version in release.span]
    for span in (Span(None, PACKAGED), Span(PACKAGED, TENSORFLOW_WITH_KERAS_3), Span(TENSORFLOW_WITH_KERAS_3, None)):
        cut = release.span.cut(span)
        if cut is None or (lies_in and not any(version in cut for version in lies_in)):
            continue
        part = Release(span=cut)
        if span.since is None:
            found.append(Target("tensorflow", part, "tensorflow", part))
        elif span.until is not None:
            found.append(Target("keras", Release(span=cut.of_minors), "tensorflow", part))
        else:
            oldest = releases.oldest_under(cut.since or TENSORFLOW_WITH_KERAS_3)
            found.append(Target("keras", Release(span=Span(oldest, None)), "tensorflow", part))
    return found


def _of_one_tensorflow(version: Version, release: Release, releases: Releases) -> Target:
    if version < PACKAGED:
        return Target("tensorflow", release, "tensorflow", release)
    if version < TENSORFLOW_WITH_KERAS_3:
        return Target("keras", releases.of_minor("keras", version.major, version.minor), "tensorflow", release)
    return Target("keras", Release(span=Span(releases.oldest_under(version), None)), "tensorflow", release)


def _named(text: str, names: tuple[str, ...], whole: str, releases: Releases) -> tuple[str, Release]:
    """Return the name and release of `NAME` or `NAME@VERSION`. Raises UsageError for an unknown name."""
    written, at, version = text.partition("@")
    name = written.strip().lower().replace("-", "_")
    if name not in names:
        pip = _PIP.fullmatch(written.strip())
        close = _HERE[pip["how"]].format(pip["name"], pip["version"]) if pip else closest(name, names, 0.5)
        hint = f'Did you mean "{close}"?' if close else f"Write {FORMS}."
        raise UsageError(f'The target "{whole}" is not valid: "{written}" is not one of {", ".join(names)}. {hint}')
    if name not in FRAMEWORKS:
        return name, Release()
    if not at:
        return name, releases.newest(name)
    return name, _release(name, version.strip(), whole, releases)


def _release(framework: str, text: str, whole: str, releases: Releases) -> Release:
    open_range = re.fullmatch(r"([\d.]*\d)?\.\.(?:<([\d.]*\d))?", text)
    try:
        if open_range:
            return Release(span=Span.of(*open_range.groups()))
        version = Version(text)
    except InvalidVersion:
        raise UsageError(f'The target "{whole}" is not valid: "{text}" is not a version. Write {FORMS}.') from None
    _refuse_unknown(framework, version, whole, releases)
    if "." not in text:
        return Release(span=_major(framework, version, releases))
    if re.fullmatch(r"\d+\.\d+", text):
        return releases.of_minor(framework, version.major, version.minor)
    return Release(version)


def _major(framework: str, version: Version, releases: Releases) -> Span:
    oldest = [known for known in releases.known[framework] if known.major == version.major]
    return Span(oldest[0] if oldest else version, Version(f"{version.major + 1}"))


def _refuse_unknown(framework: str, version: Version, whole: str, releases: Releases) -> None:
    """Raise UsageError for a release before the first known one, or between two known ones."""
    known = releases.known[framework]
    width = len(version.release)
    if version > known[-1] or any(one.release[:width] == version.release for one in known):
        return
    older = f"is too old: the oldest known {framework} is {known[0]}"
    why = older if version < known[0] else "does not exist"
    meant = f"{_meant(framework, version, releases)}{whole.partition(str(version))[2]}"
    raise UsageError(f'The target "{whole}" {why}. Did you mean "{meant}"?')


def _meant(framework: str, version: Version, releases: Releases) -> str:
    """Return the same minor of another package, else the release of this one that is nearest."""
    minor = version.release[:2]
    other = {"keras": "tf_keras", "tf_keras": "keras"}.get(framework, framework)
    if other != framework and any(one.release[:2] == minor for one in releases.known[other]):
        return f"{other}@{'.'.join(map(str, minor))}"
    known = releases.known[framework]
    same = [one for one in known if one.release[:2] == minor]
    nearest = same[-1] if same else next((one for one in reversed(known) if one < version), known[0])
    return f"{framework}@{nearest if same else '.'.join(map(str, nearest.release[:2]))}"
