"""Which files of a run are read together, and which shard each file is in.

Files go together where one may construct layers in another: it imports it, directly or not, and the other leads to a
recurrent layer. All other files can be judged by themselves. Pure functions of what the files import.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from cudnnlint.core.quick_dataclass import dataclass


@dataclass(frozen=True)
class Scanned:
    """What is known of one file before it is read: whether it shows a layer, and the files that it imports.

    `source` is False for a saved model, which imports nothing.
    """

    source: bool
    shows: bool = False
    imports: tuple[int, ...] = ()


@dataclass(frozen=True)
class Groups:
    """The group of each file, named by its first file; `works` says which files may cost more than a glance."""

    of: tuple[int, ...]
    works: tuple[bool, ...]


def grouped(files: Sequence[Scanned]) -> Groups:
    """Return which files go together."""
    leads = _leading(files)
    group = list(range(len(files)))

    def root(at: int) -> int:
        while group[at] != at:
            group[at] = group[group[at]]
            at = group[at]
        return at

    for index, file in enumerate(files):
        for other in file.imports:
            if leads[other]:
                one, two = sorted((root(index), root(other)))
                group[two] = one
    works = tuple(not file.source or leads[index] for index, file in enumerate(files))
    return Groups(tuple(root(index) for index in range(len(files))), works)


def _leading(files: Sequence[Scanned]) -> list[bool]:
    """Return which files show a layer, or import one that does, directly or not."""
    importing: dict[int, list[int]] = {}
    for index, file in enumerate(files):
        for other in file.imports:
            importing.setdefault(other, []).append(index)
    leads = [file.shows for file in files]
    todo = [index for index, shows in enumerate(leads) if shows]
    while todo:
        for index in importing.get(todo.pop(), ()):
            if not leads[index]:
                leads[index] = True
                todo.append(index)
    return leads


def shard(groups: Groups, number: int, of: int) -> list[int]:
    """Return the files of shard `number` (from 1): each file is in exactly one.

    The numbers of files differ by at most one, and so do those of the files that work is to be done for; of these,
    groups stay together as far as that allows.
    """
    indices = range(len(groups.of))
    working = sorted((index for index in indices if groups.works[index]), key=lambda index: (groups.of[index], index))
    part = {index: place * of // len(working) for place, index in enumerate(working)}
    counts = [0] * of
    for one in part.values():
        counts[one] += 1
    fewest = [(count, one) for one, count in enumerate(counts)]
    heapq.heapify(fewest)
    for index in indices:
        if index not in part:
            count, one = fewest[0]
            heapq.heapreplace(fewest, (count + 1, one))
            part[index] = one
    return [index for index in indices if part[index] == number - 1]
