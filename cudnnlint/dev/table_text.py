"""Changes of the tables' texts that keep every other character: a release added to a list, a newer `checked`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from packaging.version import Version

WIDTH = 118


def with_release(text: str, framework: str, version: Version) -> str:
    """Return releases.toml with a release put into its place in the list of `framework`."""
    start = text.index(f"[{framework}]\n")
    begin = text.index("releases = [", start) + len("releases = [")
    end = text.index("]", begin)
    body = text[begin:end]
    earlier = [one for one in re.finditer(r'"([^"]+)",?', body) if Version(one[1]) < version]
    if not earlier:
        raise ValueError(f"{framework} {version} is older than every release of the table")
    last = earlier[-1]
    line = body[body.rfind("\n", 0, last.end()) + 1 : last.end()]
    follows = f'"{version}",' if last[0].endswith(",") or '"' in body[last.end() :] else f'"{version}"'
    gap = "\n  " if len(line) + 1 + len(follows) > WIDTH else " "
    written = last[0] if last[0].endswith(",") else f"{last[0]},"
    return text[:begin] + body[: last.start()] + written + gap + follows + body[last.end() :] + text[end:]


def with_oldest_keras(text: str, version: Version, keras: Version) -> str:
    """Return releases.toml with the oldest Keras 3 that a new minor of TensorFlow admits."""
    start = text.index("[tensorflow.oldest_keras]\n")
    end = text.find("\n\n", start)
    line = f'\n"{version.major}.{version.minor}" = "{keras}"'
    return text if line in text[start:] else text[:end] + line + text[end:]


def with_checked(
    text: str, heading: str, entries: list[dict[str, Any]], holds: Callable[[Mapping[str, Any]], bool],
    framework: str, version: Version,
) -> str:  # fmt: skip
    """Return a table in which those of `entries` that hold are checked up to `version` for `framework`.

    `entries` are the tables under `heading` ("[[route]]") in the order of the text.
    """
    parts = re.split(rf"(?m)^(?={re.escape(heading)}$)", text)
    if len(parts) - 1 != len(entries):
        raise ValueError(f"the text has {len(parts) - 1} tables {heading}, and {len(entries)} were read")
    for number, entry in enumerate(entries, 1):
        if holds(entry):
            parts[number] = _checked(parts[number], entry["checked"], framework, version)
    return "".join(parts)


def _checked(part: str, was: str | Mapping[str, str], framework: str, version: Version) -> str:
    old = was if isinstance(was, str) else was.get(framework, "read")
    if old != "read" and Version(old) >= version:
        return part
    if isinstance(was, str):
        return part.replace(f'checked = "{old}"', f'checked = "{version}"', 1)
    return re.sub(rf'(checked = {{.*?\b(?<!_){framework} = )"[^"]*"', rf'\g<1>"{version}"', part, count=1)
