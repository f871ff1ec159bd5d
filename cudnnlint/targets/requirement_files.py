"""The lines of requirements files, as pip reads them, and as `conda list` and `pip list` write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from packaging.version import InvalidVersion

from cudnnlint.core.distributions import DISTRIBUTIONS, canonical
from cudnnlint.core.file_limits import in_force
from cudnnlint.targets.pins import WantedPackage
from cudnnlint.targets.small_texts import small_text

_SPECIFIER = r"(?:(?:[<>=!]=|[<>])\s*\d+(?:\.\d+)*|~=\s*\d+(?:\.\d+)+)"
#: Patterns are texts, which are compiled when they are used first.
#: What most requirements are: a name and ranges. The parser of all others takes longer to import than a file to read.
_PLAIN = rf"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*((?:{_SPECIFIER}(?:\s*,\s*{_SPECIFIER})*)?)"
#: What most others are: a name, and behind it extras, ranges and the machines that want it.
_NAMED = r"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*[\[<>=!~;][^@/]*"
#: What people save under this name, though pip does not take it: `conda list --export`, and the table of `pip list`.
_LISTED = r"([A-Za-z][\w.-]*)(?:\s*=\s*|\s+)(\d+(?:\.\d+)+)(?:=\S*|\s+\S*)?"
#: A release of Keras in its repository.
_REPOSITORY = r"git\+\S*github\.com[/:](?:keras-team|fchollet)/(keras|tf-keras)(?:\.git)?@v?(\d+(?:\.\d+)+)(?![\w.])"


def requirements(
    folder: Path, text: str, seen: set[Path] | None = None, extra: bool = False
) -> Iterator[WantedPackage]:
    """Yield the lines of a requirements file in `folder`, and of the files that it includes, each file once.

    `extra`: only some machines may want them.
    """
    seen = set() if seen is None else seen
    for line in text.replace("\\\n", " ").splitlines():
        included = re.match(r"(?:-r|-c|--requirement|--constraint)[\s=]*([^\s=]\S*)", line.strip())
        if included:
            path = (folder / included[1]).resolve()
            if path not in seen and len(seen) < in_force().requirements_files:
                seen.add(path)
                yield from requirements(path.parent, small_text(path), seen, extra)
            continue
        written = re.split(r"\s#|\s--", line, maxsplit=1)[0].strip()
        written = re.sub(r"^(?:-e|--editable)[\s=]+", "", written)
        if written and written[0] not in "#-":
            yield from requirement(written, extra)


def requirement(written: str, extra: bool = False) -> Iterator[WantedPackage]:
    """Yield a requirement as pip reads it; none for another line. `extra`: only some machines want it."""
    if plain := re.fullmatch(_PLAIN, written, re.ASCII):
        yield WantedPackage(plain[1], plain[2], not extra)
        return
    named = re.fullmatch(_NAMED, written, re.ASCII)
    if named and canonical(named[1]) not in DISTRIBUTIONS and (extra or ";" in written):
        return  # another package, which is not everywhere: nothing is asked of it
    found = re.fullmatch(_LISTED, written, re.ASCII) or re.search(_REPOSITORY, written, re.ASCII)
    if found:
        yield WantedPackage(found[1], f"=={found[2]}", not extra)
        return
    if not written[:1].isalnum():
        yield from _wheel(written)  # a path: the name of a package begins with a letter or a digit
        return
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        parsed = Requirement(written)
    except InvalidRequirement:
        yield from _wheel(written)
        return
    everywhere = not extra and parsed.marker is None
    yield WantedPackage(parsed.name, str(parsed.specifier), everywhere)
    yield from _wheel(parsed.url or "", everywhere)


def _wheel(url: str, everywhere: bool = True) -> Iterator[WantedPackage]:
    """Yield what the address of a wheel says."""
    file = url.partition("#")[0].rpartition("/")[2]
    if not file.endswith(".whl"):
        return
    from packaging.utils import InvalidWheelFilename, parse_wheel_filename

    try:
        name, version, *_ = parse_wheel_filename(file)
    except (InvalidWheelFilename, InvalidVersion):
        return
    yield WantedPackage(name, f"=={version}", everywhere)
