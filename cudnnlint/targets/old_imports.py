"""What the imports of a file prove about its Keras, and other names that it uses: some are gone for years."""

from __future__ import annotations

import re
from collections.abc import Sequence

from packaging.version import Version

from cudnnlint.core.layer import FileHints
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.target import Release, Span, Target
from cudnnlint.targets import requested
from cudnnlint.targets.newest import chosen
from cudnnlint.targets.releases import KERAS_3, TENSORFLOW_WITH_KERAS_3, Releases


def target(hints: FileHints, known: Releases) -> Target | None:
    """Return the old Keras that the names in a file prove; None where they prove none, or where the file tries several.

    What it imports counts with what the modules of its project do that lead to its layers.
    """
    if hints.asks or hints.keras_major == 3 or hints.legacy_keras:
        return None
    imported = {**hints.modules_beside, **dict.fromkeys(hints.modules, "")}
    for table, end in ((known.old_imports, known.standalone_until), (known.later_imports, None)):
        found = {name: path for module, path in imported.items() for name in _above(module) if name in table}
        if found:
            name = min(found, key=lambda one: (table[one][0] == "keras", table[one][1]))
            return _before(name, found[name], *table[name], end, hints, known)
    return None


def _before(
    name: str, path: str, package: str, until: Version, end: Version | None, hints: FileHints, known: Releases
) -> Target | None:
    """Return the release for a file that imports `name`, itself or through the module at `path`."""
    own = hints.packages or tuple(hints.imports)
    opens = _opens(own, package, until, end, known)
    if not opens:
        return None
    proper = {"keras": "Keras", "tensorflow": "TensorFlow"}[package]
    who = f"the file imports {path}, and that uses {name}" if path else f"the file uses {name}"
    alone = "keras" in own and end is not None and (package == "tensorflow" or until >= end)
    what = "the last Keras that had its own layers" if alone else "the newest release before them"
    origin = f"{who}, which {proper} {until} and later do not have: {what} is assumed"
    return replace(chosen(opens, known), origin=origin, assumed=True)


def _opens(own: Sequence[str], package: str, until: Version, end: Version | None, known: Releases) -> list[Target]:
    """Return what layers may run on where a package is older than `until`, and the standalone Keras than `end`."""
    if "keras" in own:
        bounds = [one for one in (until if package == "keras" else known.standalone_until, end) if one is not None]
        return requested.of_keras(Release(span=Span(known.known["keras"][0], min(bounds))), "tensorflow", None, known)
    if "tensorflow" in own:  # from 2.6 on its numbers are those of its Keras, as long as that is Keras 2
        until = TENSORFLOW_WITH_KERAS_3 if package == "keras" and until >= KERAS_3 else until
        return requested.of_tensorflow(Release(span=Span(known.known["tensorflow"][0], until)), known)
    return []


def _above(module: str) -> list[str]:
    """Return a dotted name and those of the packages that it is in."""
    return [module, *(module[: found.start()] for found in re.finditer(r"\.", module))]
