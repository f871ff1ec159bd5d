"""Does a file that names no layer import one that does? Then its calls may construct layers elsewhere.

A search in the bytes, along the imports, in files of the project that are not linted themselves (those
are read in any case). Nothing is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cudnnlint.core.file_limits import in_force
from cudnnlint.frontends.source import wanted

if TYPE_CHECKING:
    from cudnnlint.frontends.source.project.project import Project

#: Compiled when it is used first. A line of a notebook is a text of JSON, which ends with `\n"`.
_IMPORT = (
    rb"(?m)^[ \t]*(?:\"[ \t]*)?(?:from[ \t]+(?P<dots>\.*)[ \t]*(?P<module>[\w.]*)[ \t]+import[ \t]+"
    rb"(?P<names>\([^)]*\)|[^\n#;\\\"]*)|import[ \t]+(?P<modules>[^\n#;\\\"]*))"
)


def reaches_layers(path: str, data: bytes, project: Project) -> bool:
    """Return whether a file that `path` imports, directly or not, contains the name of a recurrent layer."""
    seen: set[str] = {path}
    todo = [(path, data)]
    while todo and len(seen) < in_force().imported_files:
        path, data = todo.pop()
        for name in imported_names(data, *project.name_of(path)):
            file = project.find(name, path)
            if file is None or file.linted or file.path in seen:
                continue
            if wanted(file.data):
                return True
            seen.add(file.path)
            todo.append((file.path, file.data))
    return False


def imported_names(data: bytes, own: str, package: bool) -> Iterator[str]:
    """Yield the dotted names that may be modules; a name imported from a module may be one itself."""
    for found in re.finditer(_IMPORT, data):
        if found["modules"] is not None:
            yield from _words(found["modules"])
            continue
        base = own.split(".")[: -len(found["dots"]) + package or None] if found["dots"] else []
        module = ".".join([*base, *filter(None, [found["module"].decode("ascii", "ignore")])])
        if module:
            yield module
            yield from (f"{module}.{name}" for name in _words(found["names"]))


def _words(listed: bytes) -> Iterator[str]:
    """Yield the names in `a, b.c as d`, without what follows `as`."""
    for part in listed.strip(b"() \t\r\n").split(b","):
        words = part.split()
        if words:
            yield words[0].decode("ascii", "ignore")
