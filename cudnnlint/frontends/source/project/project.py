"""The project: which file a dotted module name is, so that imports between linted files can be followed.

Files are found the way Python finds them from the importing file: relative imports in its package,
absolute ones beside the package's top, beside the script, in the project's root folder (and its
`src`), or in a folder that the file adds to `sys.path`. Only files under the root are read, nothing
is imported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache

from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.python.sources import Project as Project
from cudnnlint.frontends.source.python.sources import SourceFile as SourceFile

#: A larger file is a table of data, not a module with layers.
LARGEST = 1 << 20
#: The same for a notebook, which holds its figures.
LARGEST_BOOK = 16 << 20
#: Programs of one folder that are looked through for what they put on a search path.
MOST_BESIDE = 500
#: Answers of each kind that are kept in mind; a tree of 100,000 files has as many of some kinds.
KEPT = 2_000
#: Folders into which packages are installed.
INSTALLED = ("site-packages", "dist-packages")
#: Packages that are installed: a folder of this name without an `__init__.py` (examples, say) is never imported.
FRAMEWORKS = ("jax", "keras", "numpy", "tensorflow", "tf_keras", "torch")
#: The rest of a line that adds to the search path, and the texts in it.
_ADDS = regex(rb"\bsys\.path\.(?:append|insert|extend)\((.*)")
#: The same for a program that runs the files beside it with a search path: `os.environ["PYTHONPATH"] = ... + "../x"`.
_GIVES = regex(rb"""\bPYTHONPATH["']\][ \t]*\+?=((?:[^\n\\]|\\\r?\n)*)""")
_TEXT = regex(rb"""["']([\w./-]+)\\?["']""")


def real_paths() -> Callable[[str], str]:
    """Return a function that is `os.path.realpath`, but looks at a folder once for all files in it."""
    real_folder = cache(os.path.realpath)

    def real(path: str) -> str:
        folder, name = os.path.split(path)
        found = os.path.join(real_folder(folder), name)
        return os.path.realpath(found) if name in ("", ".", "..") or os.path.islink(found) else found

    return real


class Folder:
    """The files below one root folder; `linted` are the paths that were asked for, as they are reported.

    `drafts` are what files are to hold once they are written, by their real paths. Where the folder holds what is
    installed, the package that a file belongs to is its project, and those beside it are libraries.
    """

    def __init__(self, root: str, linted: Iterable[str], drafts: Mapping[str, bytes] | None = None) -> None:
        self.root = os.path.realpath(root)
        self.inside = os.path.join(self.root, "")
        self.installed = os.path.basename(self.root) in INSTALLED
        self.drafts = drafts or {}
        real = real_paths()
        self.linted = {real(path): path for path in linted}
        kept = lru_cache(maxsize=KEPT)
        self._look, self._named, self._found = kept(self._file), kept(self._name_of), kept(self._find)
        self._roots, self._added, self._given = kept(self._folders), kept(self._added_by), kept(self._given_in)

    def name_of(self, path: str) -> tuple[str, bool]:
        """Return the dotted name of a file inside its packages, and whether it is a package's `__init__`."""
        return self._named(path)

    def _name_of(self, path: str) -> tuple[str, bool]:
        folder, name = os.path.split(os.path.realpath(path))
        stem = os.path.splitext(name)[0]
        parts = [] if stem == "__init__" else [stem]
        while folder.startswith(self.root) and os.path.isfile(os.path.join(folder, "__init__.py")):
            folder, package = os.path.split(folder)
            parts.insert(0, package)
        return ".".join(parts), stem == "__init__"

    def find(self, name: str, beside: str) -> SourceFile | None:
        """Return the module `name` as the file `beside` would import it."""
        if self.installed and name.partition(".")[0] != self.name_of(beside)[0].partition(".")[0]:
            return None
        return self._found(name, self._roots(beside))

    def _find(self, name: str, folders: tuple[str, ...]) -> SourceFile | None:
        parts = name.split(".")
        if not all(part.isidentifier() for part in parts):
            return None
        tops = [os.path.join(folder, parts[0]) for folder in folders]
        holds = _is_regular if len(parts) == 1 else _is_package  # a file beside it that has its name holds no module
        top = next((top for top in tops if holds(top)), None)
        if top is None and parts[0] not in FRAMEWORKS:
            top = next((top for top in tops if os.path.isdir(top)), None)
        return None if top is None else self._look(os.path.join(top, *parts[1:]), name)

    def at(self, path: str, beside: str) -> SourceFile | None:
        """Return the file at a path that counts from the folder of the file `beside`."""
        real = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(beside)), path))
        if not real.startswith(self.inside) or not os.path.isfile(real) or os.path.getsize(real) > LARGEST_BOOK:
            return None
        return SourceFile(_shown(real), "__main__", self._read(real, LARGEST_BOOK), linted=False)

    def _folders(self, beside: str) -> tuple[str, ...]:
        """Return the folders in which an absolute import of this file looks, nearest first."""
        return tuple(dict.fromkeys(self._around(os.path.realpath(beside))))

    def _around(self, path: str) -> Iterator[str]:
        name, package = self.name_of(path)
        top = path
        for _ in range(name.count(".") + 1 + package):
            top = os.path.dirname(top)
        yield top
        yield os.path.dirname(path)
        while top.startswith(self.root) and top != self.root:
            top = os.path.dirname(top)
            yield top
        yield self.root
        yield os.path.join(self.root, "src")
        yield from self._added(path)
        yield from self._given(os.path.dirname(path))

    def _given_in(self, folder: str) -> tuple[str, ...]:
        """Return the folders that the programs of a folder put on the search path of what they run."""
        try:
            beside = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".py")]
        except OSError:  # text that was given stands in no folder, and some may not be listed
            return ()
        readable = (path for path in beside[:MOST_BESIDE] if os.path.isfile(path) and os.access(path, os.R_OK))
        lines = [line for path in readable for line in _GIVES.findall(self._read(path))]
        texts = [text.decode() for line in lines for text in _TEXT.findall(line)]
        found = (os.path.normpath(os.path.join(folder, text)) for text in texts)
        return tuple(one for one in dict.fromkeys(found) if one.startswith(self.root))

    def _added_by(self, path: str) -> tuple[str, ...]:
        """Return the folders that a file adds to the search path, by the texts in the lines that do."""
        if not os.path.isfile(path):
            return ()
        found: list[str] = []
        for line in _ADDS.findall(self.drafts.get(path) or self._read(path)):
            added = os.path.join("", *(text.decode() for text in _TEXT.findall(line)))
            at = os.path.dirname(path)
            while added and at.startswith(self.root):  # what else stands in the line may be any folder above
                found.append(os.path.normpath(os.path.join(at, added)))
                at = os.path.dirname(at)
        return tuple(folder for folder in dict.fromkeys(found) if folder.startswith(self.root))

    def _file(self, stem: str, name: str) -> SourceFile | None:
        """Return the module at a path without its suffix: a file, a package, or a folder that is a namespace."""
        init = os.path.join(stem, "__init__.py")
        for path, package in ((stem + ".py", False), (init, True)):
            real = os.path.realpath(path)
            if os.path.isfile(real) and real.startswith(self.inside) and os.path.getsize(real) <= LARGEST:
                data = self.drafts.get(real) or self._read(real)
                reported = self.linted.get(real)
                return SourceFile(reported or _shown(real), name, data, package, reported is not None)
        return SourceFile(stem, name, b"", True, False) if os.path.isdir(stem) else None

    def _read(self, path: str, most: int = LARGEST) -> bytes:
        with open(path, "rb") as file:
            return file.read(most + 1)


def _shown(real: str) -> str:
    """Return how a file is reported that was not asked for: its path from here."""
    try:
        return os.path.relpath(real)
    except ValueError:  # Windows: it is on another drive
        return real


def _is_regular(top: str) -> bool:
    """Return whether a module or a package with an `__init__.py` is here; Python takes any before a mere folder."""
    return os.path.isfile(top + ".py") or _is_package(top)


def _is_package(top: str) -> bool:
    """Return whether a path is that of a package with a body."""
    return os.path.isfile(os.path.join(top, "__init__.py"))
