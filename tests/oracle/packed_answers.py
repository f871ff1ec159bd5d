"""Saved files and what Keras answered about them, in one small file."""

from __future__ import annotations

import json
import lzma
import os
from typing import Any, Callable, Iterable


def pack(paths: Iterable[str], lines: str, kept: Callable[[str], dict[str, Any]], evidence: str) -> None:
    """Write what is kept of each file, and the answers of the file `lines`, which has one in each line."""
    with open(lines) as file:
        answers = [json.loads(line) for line in file]
    text = json.dumps({"files": {os.path.basename(path): kept(path) for path in paths}, "answers": answers})
    with open(evidence, "wb") as packed:
        packed.write(lzma.compress(text.encode(), preset=9))
