"""What a command line of pip asks for, as notebooks and container files write it."""

from __future__ import annotations

import re

_INSTALLS = r"\bpip[\d.]*[\"',\s]+install\b([^&|;\n]*)"
_WANTED = r"(?<![\w.{-])[A-Za-z][\w.-]*(?:\[[\w,-]*\])?(?:(?:==|~=|<=|>=|<|>)[\d.*]+(?![\w.{-]),?)+"


def installed(text: str) -> list[str]:
    """Return what stands behind each `pip install` of a text, up to the end of the command."""
    return re.findall(_INSTALLS, text)


def with_versions(arguments: str) -> list[str]:
    """Return the requirements that name a version ("keras<3"), of what stands behind `pip install`."""
    return re.findall(_WANTED, arguments.replace("'", " ").replace('"', " "))
