"""What a file says about the target that it is written for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cudnnlint.core.layer import FileHints

if TYPE_CHECKING:
    from cudnnlint.frontends.source.interpret import Interpreter
    from cudnnlint.frontends.source.unit import Unit

_IMPORT = re.compile(r"^\s*(?:from|import)\s+(keras|tensorflow|tf_keras)\b", re.MULTILINE)


def of(run: Interpreter, units: list[Unit]) -> FileHints:
    """The hints of the units of one file."""
    imports = frozenset(found for unit in units for found in _IMPORT.findall(unit.text))
    return FileHints(imports=imports)
