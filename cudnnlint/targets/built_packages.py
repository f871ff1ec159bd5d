"""What a package that was built asks for: `PKG-INFO` in a source archive, METADATA in a wheel that was unpacked.

A folder with the METADATA of several packages is one where packages are installed, and says nothing of any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from cudnnlint.targets.folder_names import matching

PATTERNS = ("*.dist-info/METADATA", "*.egg-info/requires.txt", "src/*.egg-info/requires.txt")


def paths(folder: Path, names: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files in a folder with these names that say what its one package asks for."""
    yield folder / "PKG-INFO"
    for pattern in PATTERNS:
        found = list(islice(matching(folder, names, pattern), 2))
        yield from found if len(found) == 1 else ()


def requirements(text: str) -> list[str]:
    """Return the requirements in such a file, each as it is written."""
    head = text.partition("\n\n")[0]
    if re.match(r"Metadata-Version:", text):
        return re.findall(r"^Requires-Dist:[ \t]*(\S.*)", head, re.MULTILINE)
    return [line for line in text.splitlines() if line and not line.startswith("[")]
