"""What the imports of a file prove about its Keras: some modules are gone for years."""

from __future__ import annotations

from collections.abc import Sequence

from packaging.version import Version

from cudnnlint.core.layer import FileHints
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.target import Release, Span, Target
from cudnnlint.targets import requested
from cudnnlint.targets.newest import chosen
from cudnnlint.targets.releases import Releases


def target(hints: FileHints, known: Releases) -> Target | None:
    """Return the newest Keras that has all that a file imports; None where that proves none, or a file tries several.

    What it imports counts with what the modules of its project do that lead to its layers.
    """
    if hints.asks or hints.keras_major == 3 or hints.legacy_keras:
        return None
    imported = {**hints.modules_beside, **dict.fromkeys(hints.modules, "")}
    found = {name: path for name in known.old_imports for module, path in imported.items() if _below(module, name)}
    if not found:
        return None
    name = min(found, key=lambda one: (known.old_imports[one][0] == "keras", known.old_imports[one][1]))
    package, until = known.old_imports[name]
    opens = _opens(hints.packages or tuple(hints.imports), package, until, known)
    if not opens:
        return None
    proper = {"keras": "Keras", "tensorflow": "TensorFlow"}[package]
    who = f"the file imports {found[name]}, and that imports {name}" if found[name] else f"the file imports {name}"
    origin = f"{who}, which {proper} {until} and later do not have: the newest release before them is assumed"
    return replace(chosen(opens, known), origin=origin, assumed=True)


def _opens(own: Sequence[str], package: str, until: Version, known: Releases) -> list[Target]:
    """Return what the layers of these packages may run on, where a package has to be older than `until`."""
    if "keras" in own:
        end = until if package == "keras" else known.standalone_until
        return requested.of_keras(Release(span=Span(known.known["keras"][0], end)), "tensorflow", None, known)
    if "tensorflow" in own:
        return requested.of_tensorflow(Release(span=Span(known.known["tensorflow"][0], until)), known)
    return []


def _below(module: str, name: str) -> bool:
    return f"{module}.".startswith(f"{name}.")
