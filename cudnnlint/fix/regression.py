"""Is a file better off after a fix? It is rid of what was to be fixed, has nothing new, and no layer is worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cudnnlint.check.check_file import CheckedFile
from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.verdict import Judgement, Verdict

Key = tuple[str, str | None]  # the code of a finding, and its target


@dataclass(frozen=True)
class Removal:
    """What a fix should take away: these findings, in these layers of a file."""

    path: str
    layers: frozenset[int]
    keys: frozenset[Key]


def better(old: CheckedFile, new: CheckedFile, removals: Iterable[Removal]) -> bool:
    """Return whether everything to fix in a file is gone, and nothing else is worse."""
    if old.file is None or new.file is None:
        return old.file is new.file
    if old.file.error != new.file.error:
        return False
    mine = [one for one in removals if one.path == old.file.path]
    if len(old.file.layers) != len(new.file.layers):
        return _fewer(old, new, mine)
    before, after = _loose(old.diagnostics), _loose(new.diagnostics)
    had, has, taken = _codes(old), _codes(new), _taken(mine)
    return all(after[code] <= before[code] for code in after) and all(
        has.get(layer.id, set()) <= had.get(layer.id, set()) - taken.get(layer.id, set())
        and all(map(_no_worse, layer.judgements, other.judgements))
        for layer, other in zip(old.file.layers, new.file.layers, strict=True)
    )


def by_layer(diagnostics: Iterable[Diagnostic]) -> dict[int, list[Diagnostic]]:
    """Return the findings that concern each layer."""
    found: dict[int, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        for layer in diagnostic.layers:
            found.setdefault(layer, []).append(diagnostic)
    return found


def _taken(removals: Sequence[Removal]) -> dict[int, set[Key]]:
    """Return what is to be gone from each layer."""
    found: dict[int, set[Key]] = {}
    for one in removals:
        for layer in one.layers:
            found.setdefault(layer, set()).update(one.keys)
    return found


def _codes(result: CheckedFile) -> dict[int, set[Key]]:
    """Return what was found in each layer."""
    return {layer: {(d.code, d.target) for d in found} for layer, found in by_layer(result.diagnostics).items()}


def _loose(diagnostics: Iterable[Diagnostic]) -> Counter[str]:
    """Return the findings that concern no layer."""
    return Counter(diagnostic.code for diagnostic in diagnostics if not diagnostic.layers)


def _fewer(old: CheckedFile, new: CheckedFile, mine: Sequence[Removal]) -> bool:
    """One layer became several: what counts is how often each finding is there, and no verdict may be new but cuDNN."""
    assert old.file is not None
    assert new.file is not None
    taken = Counter(key for one in mine for key in one.keys for _ in one.layers)
    added = {layer.worst for layer in new.file.layers} - {layer.worst for layer in old.file.layers}
    return _all(new) <= _all(old) - taken and added <= {Verdict.CUDNN}


def _all(result: CheckedFile) -> Counter[Key]:
    return Counter((d.code, d.target) for d in result.diagnostics for _ in d.layers or (0,))


def _no_worse(old: Judgement, new: Judgement) -> bool:
    return new.verdict in (old.verdict, Verdict.CUDNN) or old.verdict is Verdict.RAISES
