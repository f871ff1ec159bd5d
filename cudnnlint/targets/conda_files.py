"""What conda's environment.yml says of packages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cudnnlint.targets.pins import WantedPackage


def conda(text: str) -> Iterator[WantedPackage]:
    """Yield the lines of the `dependencies` list, with those under `pip:`; conda's single `=` is fuzzy."""
    for line in re.sub(r"^dependencies:\s*\[([^\]]*)\]", _listed, text, flags=re.M).splitlines():
        match = re.match(r"""\s*-\s*["']?(?:[\w.-]+::)?([A-Za-z][\w.-]*)\s*([^"'#]*)""", line)
        if not match:
            continue
        name, wanted = match[1], match[2].strip()
        fuzzy = re.fullmatch(r"=?\s*([\d.]+)(?:\.\*|\*)?(?:=\S*)?", wanted)
        exact = wanted.startswith("=") and wanted.count("=") == 2 and "==" not in wanted
        if fuzzy and not wanted.startswith("=="):
            wanted = f"=={fuzzy[1]}" if exact or fuzzy[1].count(".") > 1 else f"=={fuzzy[1].rstrip('.')}.*"
        yield WantedPackage(name, wanted.replace(" ", ""), True)


def _listed(inline: re.Match[str]) -> str:
    """Return a list written in one line, as lines."""
    return "\n".join(f"- {item.strip()}" for item in inline[1].split(","))
