"""Reads the texts of `--target` into targets. Looks at nothing but the text."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import replace

from packaging.version import InvalidVersion, Version

from cudnnlint.core.errors import UsageError
from cudnnlint.core.target import BACKENDS, FRAMEWORKS, Release, Span, Target
from cudnnlint.targets.releases import KERAS_3, PACKAGED, TENSORFLOW_WITH_KERAS_3, Releases

FORMS = "for example keras@3.15:tensorflow, tf_keras@2.21, tensorflow@2.12, a comma list of such, or all"


def parse(texts: Iterable[str], releases: Releases) -> tuple[Target, ...]:
    """The targets that `texts` (each one or a comma list) name, each once, in the order given.

    Raises UsageError, with a did-you-mean where there is one.
    """
    targets: dict[Target, None] = {}
    for text in texts:
        for part in filter(None, (piece.strip() for piece in text.split(","))):
            targets |= dict.fromkeys(_all(releases) if part == "all" else _one(part, releases))
    if not targets:
        raise UsageError(f"A target is missing; write {FORMS}.")
    return tuple(targets)


def _all(releases: Releases) -> list[Target]:
    texts = [
        *(f"tensorflow@{a}.{b}" for a, b in releases.minors("tensorflow") if Version(f"{a}.{b}") < PACKAGED),
        *(f"keras@{a}.{b}" for a, b in releases.minors("keras") if a == 2),
        *(f"tf_keras@{a}.{b}" for a, b in releases.minors("tf_keras")),
        *(f"keras@{a}.{b}:{backend}" for backend in BACKENDS for a, b in releases.minors("keras") if a == 3),
    ]
    return [target for text in texts for target in _one(text, releases)]


def _one(text: str, releases: Releases) -> list[Target]:
    head, colon, tail = text.partition(":")
    framework, release = _named(head, FRAMEWORKS, text, releases)
    if framework == "tensorflow":
        if colon:
            raise UsageError(f'The target "{text}" gives TensorFlow a backend; write keras@VERSION:tensorflow@VERSION.')
        return of_tensorflow(release, releases)
    if not colon:
        return [_complete(Target(framework, release), releases)]
    backend, beneath = _named(tail, BACKENDS, text, releases)
    if backend != "tensorflow" and (beneath is not None and "@" in tail):
        raise UsageError(f'The target "{text}" gives a release of {backend}; only TensorFlow\'s plays a part.')
    target = Target(framework, release, backend, beneath if "@" in tail else None)
    if backend != "tensorflow" and target.keras_2:
        raise UsageError(f'The target "{text}" cannot be: {framework} {release} runs on TensorFlow only.')
    return [_complete(target, releases)]


def _complete(target: Target, releases: Releases) -> Target:
    """A Keras 2 stands on the TensorFlow of the same minor."""
    version = target.keras.version
    if not target.keras_2 or version is None or target.tensorflow is not None:
        return target
    return replace(target, tensorflow=releases.of_minor("tensorflow", version.major, version.minor))


def of_tensorflow(release: Release, releases: Releases) -> list[Target]:
    """The Keras that a TensorFlow brings: its own up to 2.5, `keras` of the same minor, then an open Keras 3.

    An open release that reaches over 2.6 gives two targets, the newer one last.
    """
    version, span = release.version, release.span
    if version is not None:
        return [_of_one_tensorflow(version, release, releases)]
    targets = []
    if span.since is None or span.since < PACKAGED:
        bundled = Release(span=Span(span.since, min(span.until or PACKAGED, PACKAGED)))
        targets.append(Target("tensorflow", bundled, "tensorflow", bundled))
    if span.until is None or span.until > PACKAGED:
        since = max(span.since or PACKAGED, PACKAGED)
        rest = Release(span=Span(since, span.until))
        targets.append(Target("keras", _packaged(since, span.until, releases), "tensorflow", rest))
    return targets


def _of_one_tensorflow(version: Version, release: Release, releases: Releases) -> Target:
    if version < PACKAGED:
        return Target("tensorflow", release, "tensorflow", release)
    if version < TENSORFLOW_WITH_KERAS_3:
        return Target("keras", releases.of_minor("keras", version.major, version.minor), "tensorflow", release)
    return Target("keras", Release(span=Span(_oldest(version, releases), None)), "tensorflow", release)


def _packaged(since: Version, until: Version | None, releases: Releases) -> Release:
    """The releases of `keras` that go with TensorFlow `since` to before `until`."""
    oldest = _oldest(since, releases) if since >= TENSORFLOW_WITH_KERAS_3 else since
    with_keras_3 = until is None or until > TENSORFLOW_WITH_KERAS_3
    return Release(span=Span(oldest, None if with_keras_3 else until))


def _oldest(tensorflow: Version, releases: Releases) -> Version:
    known = [v for minor, v in releases.oldest_keras.items() if Version(minor) <= tensorflow]
    return max(known, default=KERAS_3)


def _named(text: str, names: tuple[str, ...], whole: str, releases: Releases) -> tuple[str, Release]:
    """`NAME` or `NAME@VERSION`, with the name checked."""
    written, at, version = text.partition("@")
    name = written.strip().lower().replace("-", "_")
    if name not in names:
        close = difflib.get_close_matches(name, names, 1, 0.5)
        hint = f'did you mean "{close[0]}"?' if close else f"write {FORMS}."
        raise UsageError(f'The target "{whole}" names "{written}", which is none of {", ".join(names)}; {hint}')
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
        raise UsageError(f'The target "{whole}" has the version "{text}", which is none; write {FORMS}.') from None
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
    """A release before the first known one, or in a gap between known majors, is a slip of the pen."""
    known = releases.known[framework]
    majors = [release for release in known if release.major == version.major]
    if version.release < known[0].release[: len(version.release)]:
        hint = "; for the Keras in TensorFlow write tensorflow@VERSION" if framework == "keras" else ""
        raise UsageError(f'The target "{whole}" is older than {framework} {known[0]}, the first that is known{hint}.')
    if majors and version.release[:2] > majors[-1].release[:2] and majors[-1] is not known[-1]:
        hint = f', did you mean "tf_keras@{version}"?' if framework == "keras" else ""
        raise UsageError(f'The target "{whole}" is none: {framework} ended that line with {majors[-1]}{hint}')
