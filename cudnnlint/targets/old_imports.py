"""What the imports of a file prove about its Keras, and other names that it uses: some are gone for years."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from packaging.version import Version

from cudnnlint.core.layer import FileHints
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.target import Release, Span, Target
from cudnnlint.targets import requested
from cudnnlint.targets.newest import chosen
from cudnnlint.targets.releases import KERAS_3, TENSORFLOW_WITH_KERAS_3, Releases
from cudnnlint.targets.standalone import is_standalone

#: The backends that standalone Keras alone has, beside TensorFlow.
BACKENDS = ("theano", "cntk")
#: How the names of Keras and TensorFlow begin.
OWN = ("keras.", "tensorflow.", "Model.")


@dataclass(frozen=True)
class _Bound:
    """A name that a file uses, and the first release of a package without it.

    `path` is another file that uses it, "" for the file itself; `around`: one that imports the file.
    `end` is where the package ends for which the name is meant, None for one that later releases had, too; `beneath`
    the first TensorFlow on which standalone Keras is without it.
    """

    name: str
    path: str
    around: bool
    package: str
    until: Version
    end: Version | None
    beneath: Version | None


def proving(used: Iterable[str], known: Releases) -> bool:
    """Return whether one of these dotted names is one that releases have dropped."""
    tables = (known.old_imports, known.later_imports)
    return any(name in table for used_name in used for name in _above(used_name) for table in tables)


def target(hints: FileHints, known: Releases) -> Target | None:
    """Return the old Keras that the names in a file prove; None where they prove none.

    What it imports counts with what the modules of its project do that lead to its layers.
    """
    if _bound(hints, known, where_open=False) is None:
        return None
    bound = _bound(hints, known, where_open=True)  # what is old anyway is judged for a release that has all it uses
    own = hints.packages or tuple(hints.imports)
    opens = _opens(own, bound, bound.end, known) if bound is not None else []
    if bound is None or not opens:
        return None
    return replace(chosen(opens, known), origin=_because(bound, opens, known), assumed=True)


def within(opens: Sequence[Target], hints: FileHints, known: Releases) -> tuple[Sequence[Target], str]:
    """Return what a project's files leave open (oldest first) as far as it has what a file uses, and a reason.

    Everything, without a reason, where that proves nothing, or where nothing of it fits: then the program stops.
    """
    bound = _bound(hints, known, where_open=True)
    if bound is None:
        return opens, ""
    own = hints.packages or tuple(hints.imports)
    for end in (bound.end, None):
        allowed = _opens(own, bound, end, known)
        left = [both for one in opens for other in allowed if (both := _common(one, other)) is not None]
        if left and left != list(opens):
            return left, _because(bound, left, known)
    return opens, ""


def _bound(hints: FileHints, known: Releases, where_open: bool) -> _Bound | None:
    """Return the oldest bound of what a file uses; `where_open`: names count that bound only what is left open."""
    if hints.keras_major == 3 or hints.legacy_keras:
        return None
    used = _used(hints)
    if "keras" not in (hints.packages or hints.imports):
        used = {name: user for name, user in used.items() if name not in BACKENDS}
    old = {**known.old_imports, **known.layer_names} if where_open else known.old_imports
    for table, end in ((old, known.standalone_until), (known.later_imports, None)):
        found = {name: user for module, user in used.items() for name in _above(module) if name in table}
        if found:
            name = min(found, key=lambda one: (table[one][0] == "keras", table[one][1]))
            package, until = table[name]
            beneath = until if package == "tensorflow" else known.beneath.get(name)
            return _Bound(name, *found[name], package, until, end, beneath)
    return None


def _used(hints: FileHints) -> dict[str, tuple[str, bool]]:
    """Return what a file uses, or the files that it imports and that import it, with `path` and `around` of a bound."""
    around = {name: (path, True) for name, path in hints.modules_around.items()}
    beside = {name: (path, False) for name, path in hints.modules_beside.items()}
    own = (*hints.modules, hints.backend) if hints.backend in BACKENDS else hints.modules
    return {**around, **beside, **dict.fromkeys(own, ("", False))}


def _who(bound: _Bound) -> str:
    if not bound.path:
        return f"the file uses {bound.name}"
    if bound.around:
        return f"{bound.path} imports the file, and uses {bound.name}"
    return f"the file imports {bound.path}, and that uses {bound.name}"


def _because(bound: _Bound, left: Sequence[Target], known: Releases) -> str:
    """Return why the releases that are left are these."""
    proper = {"keras": "Keras", "tensorflow": "TensorFlow"}[bound.package]
    name = bound.name
    who = f"the program is for {name}" if name in BACKENDS else _who(bound)
    alone = bound.until >= known.standalone_until or bound.package == "tensorflow"
    newest = left[-1].keras.version in (None, max(v for v in known.known["keras"] if v < known.standalone_until))
    alone = alone and newest and bound.end is not None and is_standalone(left[-1], known)
    what = "the last Keras that had its own layers" if alone else "the newest release before them"
    if name.startswith(OWN):
        return f"{who}, which {proper} {bound.until} and later do not have: {what} is assumed"
    return f"{who}, which does not run with {proper} {bound.until} and later: {what} is assumed"


def _opens(own: Sequence[str], bound: _Bound, end: Version | None, known: Releases) -> list[Target]:
    """Return what layers may run on where a package is older than a bound, and the standalone Keras than `end`."""
    first, until, of_keras = known.known["keras"][0], bound.until, bound.package == "keras"
    if "keras" in own:
        bounds = [one for one in (until if of_keras else known.standalone_until, end) if one is not None]
        below = Span(known.known["tensorflow"][0], bound.beneath) if bound.beneath is not None else None
        beneath = Release(span=below) if below is not None and (end is not None or not of_keras) else None
        return requested.of_keras(Release(span=Span(first, min(bounds))), "tensorflow", beneath, known)
    if "tensorflow" in own:  # from 2.6 on its numbers are those of its Keras, as long as that is Keras 2
        until = TENSORFLOW_WITH_KERAS_3 if of_keras and until >= KERAS_3 else until
        return requested.of_tensorflow(Release(span=Span(known.known["tensorflow"][0], until)), known)
    return []


def _common(one: Target, other: Target) -> Target | None:
    """Return what is left of a target that may be no other than another one; None for nothing."""
    if one.framework != other.framework:
        return None
    keras, beneath = one.keras.part(other.keras.as_span), one.tensorflow
    if beneath is not None and other.tensorflow is not None:
        beneath = beneath.part(other.tensorflow.as_span)
        return None if keras is None or beneath is None else replace(one, keras=keras, tensorflow=beneath)
    return None if keras is None else replace(one, keras=keras, tensorflow=beneath or other.tensorflow)


def _above(module: str) -> list[str]:
    """Return a dotted name and those of the packages that it is in."""
    return [module, *(module[: found.start()] for found in re.finditer(r"\.", module))]
