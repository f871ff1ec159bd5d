"""What the imports of a file prove about its Keras: some modules are gone for years."""

from __future__ import annotations

from cudnnlint.core.layer import FileHints
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.target import Release, Span, Target
from cudnnlint.targets import requested
from cudnnlint.targets.newest import chosen
from cudnnlint.targets.releases import Releases


def target(hints: FileHints, known: Releases) -> Target | None:
    """Return the old Keras that a file's imports prove; None where they prove none, or where the file tries several."""
    if hints.asks or hints.keras_major == 3 or hints.legacy_keras:
        return None
    found = [name for name in known.old_imports if any(_below(module, name) for module in hints.modules)]
    if not found:
        return None
    name = min(found, key=lambda one: (known.old_imports[one][0] == "keras", known.old_imports[one][1]))
    package, until = known.old_imports[name]
    own = hints.packages or tuple(hints.imports)
    if "keras" in own:
        opens = [Target("keras", Release(span=Span(known.known["keras"][0], known.standalone_until)), "tensorflow")]
        what = "the last Keras that had its own layers is assumed"
    elif "tensorflow" in own:
        opens = requested.of_tensorflow(Release(span=Span(known.known["tensorflow"][0], until)), known)
        what = "the newest TensorFlow that goes with it is assumed"
    else:
        return None
    proper = {"keras": "Keras", "tensorflow": "TensorFlow"}[package]
    origin = f"the file imports {name}, which {proper} {until} and later do not have: {what}"
    return replace(chosen(opens, known), origin=origin, assumed=True)


def _below(module: str, name: str) -> bool:
    return f"{module}.".startswith(f"{name}.")
