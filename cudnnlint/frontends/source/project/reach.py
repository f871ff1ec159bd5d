"""Whether a file has anything to do with Keras, by the text of its imports, before anything is parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.project.project import Project, SourceFile

#: Files looked into; behind that the answer is yes.
MOST_FILES = 300

#: Where a statement may begin: on a line (the first one may have a byte order mark), behind \r, ; or :
_BEGIN = rb"(?:^|\xef\xbb\xbf|[\r;:])[ \t\f]*"
#: An import of it, its name as a text that may be imported by, or its layers as an attribute of something.
#: A function may be given the module: `layers.LSTM(4)`.
_KERAS = regex(
    _BEGIN
    + rb"(?:import|from)[ \t\\]+(?:[^\n#]|\\\r?\n)*(?:keras|tensorflow)|[\"'](?:keras|tensorflow|tf_keras)\b"
    + rb"|\bkeras\.layers\b|\blayers\.(?:LSTM|GRU|\w*RNN|ConvLSTM\d?D?|CuDNN\w+)\(",
    re.MULTILINE,
)
_STAR = regex(_BEGIN + rb"from[ \t]+(?P<source>\w[.\w]*)[ \t]+import[ \t]*\*", re.MULTILINE)
_IMPORT = regex(
    _BEGIN + rb"(?:from[ \t]+(?P<source>[.\w]+)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n#]*)"
    rb"|import[ \t]+(?P<modules>[^\n#]*))",
    re.MULTILINE,
)


def reaches_keras(path: str, data: bytes, project: Project | None) -> bool:
    """Return whether a file, or a file of the project that it imports, names Keras or TensorFlow at all.

    All names of a module that is not in the project may be Keras's, too.
    """
    if _KERAS.search(data) or _has_unread_star(path, data, project):
        return True
    if project is None:
        return False
    name, package = project.name_of(path)
    seen, waiting = {path}, [SourceFile(path, name, data, package)]
    while waiting:
        file = waiting.pop()
        for module in _imported(file):
            found = project.find(module, file.path)
            if found is None or found.path in seen:
                continue
            if _KERAS.search(found.data) or len(seen) >= MOST_FILES:
                return True
            seen.add(found.path)
            waiting.append(found)
    return False


def _has_unread_star(path: str, data: bytes, project: Project | None) -> bool:
    """Return whether a file imports all names of a module that is not a file of the project."""
    modules = (match["source"].decode("utf-8", "replace") for match in _STAR.finditer(data))
    return any(project is None or project.find(module, path) is None for module in modules)


def _imported(file: SourceFile) -> Iterator[str]:
    """Yield the modules that a file may import, by their absolute names."""
    package = file.name.split(".") if file.package else file.name.split(".")[:-1]
    for match in _IMPORT.finditer(file.data):
        if match["modules"] is not None:
            for part in match["modules"].decode("utf-8", "replace").split(","):
                yield (part.split() or [""])[0]
            continue
        source = match["source"].decode("utf-8", "replace")
        level = len(source) - len(source.lstrip("."))
        base = ".".join([*package[: len(package) - level + 1], source.lstrip(".")]).strip(".") if level else source
        yield base
        for part in re.findall(r"\w+", match["names"].decode("utf-8", "replace")):
            yield f"{base}.{part}"
