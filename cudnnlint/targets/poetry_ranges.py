"""Ranges of versions with the operators that only Poetry has."""

from __future__ import annotations

from packaging.version import InvalidVersion, Version


def as_pip(text: str) -> str:
    """Return a range in the words of PEP 440: ^3.4 is >=3.4,<4; ~3.4 is >=3.4,<3.5; 3.4.1 is ==3.4.1."""
    parts = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        operator, digits = part[0], part.lstrip("^~= ")
        try:
            release = Version(digits).release
        except InvalidVersion:
            parts.append("" if part == "*" else f"=={part}" if part[0].isdigit() else part)
            continue
        if operator == "^":
            parts.append(f">={digits},<{release[0] + 1}")
        elif operator == "~" and part[1] != "=":
            until = f"{release[0]}.{release[1] + 1}" if len(release) > 1 else f"{release[0] + 1}"
            parts.append(f">={digits},<{until}")
        else:
            parts.append(f"=={part}" if part[0].isdigit() else part)
    return ",".join(filter(None, parts))
