"""What a reading asked of its project: when the answers are still the same, so is what was read."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from cudnnlint.frontends.source.python.sources import Project, SourceFile

#: A question, and a digest of its answer.
Lookup = tuple[str, str, str, str]


class Lookups:
    """A project that keeps in mind what it was asked."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.made: dict[tuple[str, str, str], str] = {}

    def name_of(self, path: str) -> tuple[str, bool]:
        """Return the dotted name of a file, and whether it is a package's `__init__`."""
        answer = self.project.name_of(path)
        self.made["name_of", path, ""] = str(answer)
        return answer

    def find(self, name: str, beside: str) -> SourceFile | None:
        """Return the module `name` as the file `beside` would import it."""
        answer = self.project.find(name, beside)
        self.made["find", name, beside] = _digest(answer)
        return answer

    def at(self, path: str, beside: str) -> SourceFile | None:
        """Return the file at a path that counts from the folder of the file `beside`."""
        answer = self.project.at(path, beside)
        self.made["at", path, beside] = _digest(answer)
        return answer

    def listed(self) -> list[Lookup]:
        """Return what was asked so far, with the answers."""
        return [(*question, answer) for question, answer in self.made.items()]


def hold(lookups: Iterable[Lookup], project: Project) -> bool:
    """Return whether a project gives the same answers now."""
    return all(_answer(project, *question) == answer for *question, answer in lookups)


def _answer(project: Project, kind: str, name: str, beside: str) -> str:
    if kind == "name_of":
        return str(project.name_of(name))
    return _digest(project.find(name, beside) if kind == "find" else project.at(name, beside))


@lru_cache(maxsize=4096)
def _digest(file: SourceFile | None) -> str:
    """Return a digest of a file that is a module: of its names and of its content."""
    if file is None:
        return ""
    import hashlib

    about = repr((file.path, file.name, file.package, file.linted)).encode("utf-8", "backslashreplace")
    return hashlib.blake2b(file.data, digest_size=20, key=hashlib.blake2b(about, digest_size=32).digest()).hexdigest()
