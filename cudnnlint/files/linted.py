"""The paths that a run lints, as all its readings share them: many paths, which are sent to each process once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


class Linted:
    """The paths of a run's files, as they are reported; equal to another by a digest of them.

    Where a process is told them beforehand (`tell`), the digest alone is sent to it with each task.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = tuple(paths)
        made = hashlib.blake2b(digest_size=16)
        for path in self.paths:
            made.update(path.encode("utf-8", "surrogateescape") + b"\0")
        self.digest = made.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Linted) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as the digest, where the processes of this run know it."""
        return (_told, (self.digest,)) if self.digest in _KNOWN else (Linted, (self.paths,))


NONE_LINTED = Linted(())
_KNOWN: dict[str, Linted] = {}


def tell(paths: tuple[str, ...]) -> None:
    """Let this process know the paths of the run that it works for, and forget those of an earlier one."""
    linted = Linted(paths)
    _KNOWN.clear()
    _KNOWN[linted.digest] = linted


def _told(digest: str) -> Linted:
    return _KNOWN[digest]
