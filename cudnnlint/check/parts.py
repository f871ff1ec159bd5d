"""A run in parts: files that may call each other are read together, and a part is forgotten once it is reported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cudnnlint.check.groups import Groups, Scanned, grouped, shard
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.files import run_imports
from cudnnlint.files.executor import Executor
from cudnnlint.files.found import Found
from cudnnlint.files.reading import RunFiles

#: Files of a run that is one part, unless it is asked for in parts.
WHOLE = 2_000
#: Files of the first part, and of the largest: the first answer comes early, and later there is less waiting.
FIRST, LARGEST = 32, 1_024


@dataclass(frozen=True)
class Part:
    """Files that are read together, by their places in the run; `own` are those that are reported."""

    read: tuple[int, ...]
    own: frozenset[int]


@dataclass(frozen=True)
class Plan:
    """The parts of a run, and which of its files are reported, in their order."""

    own: tuple[int, ...]
    parts: Iterable[Part]


def plan(
    found: Sequence[Found], run_files: RunFiles, executor: Executor, early: bool, part: tuple[int, int] | None
) -> Plan:
    """Return the plan of a run, or of its shard `part` (number, of); `early` where files are reported one by one."""
    everything = tuple(range(len(found)))
    if part is None and not (early or len(found) > WHOLE):
        return Plan(everything, [Part(everything, frozenset(everything))])
    groups = _groups(found, run_files, executor)
    own = everything if part is None else tuple(shard(groups, *part))
    return Plan(own, _parts(groups, frozenset(own)))


def _groups(found: Sequence[Found], run_files: RunFiles, executor: Executor) -> Groups:
    places = {item.real_path: index for index, item in enumerate(found)}
    places |= {item.path: index for index, item in enumerate(found)}
    seen: dict[Scanned, Scanned] = {}  # most files are alike: they show no layer, and import none of the others
    scanned = []
    for one in executor.map(run_imports.scanned, run_files, found):
        shows, imports = one or (False, ())
        file = Scanned(one is not None, shows, tuple(places[path] for path in imports if path in places))
        scanned.append(seen.setdefault(file, file))
    return grouped(scanned)


def _parts(groups: Groups, own: frozenset[int]) -> Iterator[Part]:
    others: dict[int, list[int]] = {}  # of the groups that have more than one file
    for index, group in enumerate(groups.of):
        if index != group:
            others.setdefault(group, []).append(index)
    size = FIRST
    together: list[int] = []
    for group in dict.fromkeys(groups.of[index] for index in sorted(own)):
        together += [group, *others.get(group, ())]
        if len(together) >= size:
            yield _part(together, own)
            together, size = [], min(2 * size, LARGEST)
    if together:
        yield _part(together, own)


def _part(read: list[int], own: frozenset[int]) -> Part:
    return Part(tuple(sorted(read)), own.intersection(read))
