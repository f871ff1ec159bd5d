"""The paths that a run lints, as all its readings share them: many paths, which are sent to each process once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property


class Linted:
    """The paths of a run's files, as they are reported.

    Where a process is told them beforehand (`tell`), a digest of them alone is sent to it with each task.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = tuple(paths)
        self._hash = hash(self.paths)  # it is asked for with each file

    @cached_property
    def digest(self) -> str:
        """A digest of the paths."""
        import hashlib  # it loads OpenSSL, which takes 2 ms

        made = hashlib.blake2b(digest_size=16)
        for path in self.paths:
            made.update(path.encode("utf-8", "surrogateescape") + b"\0")
        return made.hexdigest()

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Linted) and other.paths == self.paths)

    def __hash__(self) -> int:
        return self._hash

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
