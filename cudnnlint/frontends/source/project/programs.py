"""What the programs set that a module's layers are reached from, before they import it."""

from __future__ import annotations

from collections.abc import Iterable

from cudnnlint.core.layer import FileHints, Model
from cudnnlint.core.quick_dataclass import replace

#: What a program sets for every module that it imports, and what that decides.
SET = {
    "legacy_keras": "whether tf.keras is Keras 2 (TF_USE_LEGACY_KERAS)",
    "backend": "which backend Keras runs on",
}


def hints(model: Model, readers: Iterable[Model]) -> FileHints:
    """Return a file's hints, with what the files set alike in whose readings its layers are; unlike is not known.

    A file that is a program, too, sets what it sets by itself.
    """
    found, others = model.hints, [one for one in readers if one is not model]
    programs = [*others, model] if "__main__" in (model.source or "") else others
    for name, what in SET.items():
        if others and getattr(found, name) is None and name not in found.because:
            found = _with(found, name, what, programs)
    return found


def _with(found: FileHints, name: str, what: str, programs: list[Model]) -> FileHints:
    said = {getattr(one.hints, name): one.path for one in programs}
    doubt = next((one.hints.because[name] for one in programs if name in one.hints.because), None)
    if len(said) > 1:
        sets = next(path for value, path in said.items() if value is not None)
        other = next(path for path in said.values() if path != sets)
        doubt = f"{what} is set in {sets}, and not so in {other}"
    if doubt:
        return replace(found, because={**found.because, name: doubt})
    (value,) = said
    return replace(found, **{name: value})
