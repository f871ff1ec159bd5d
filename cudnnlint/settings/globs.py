"""Path globs as in a .gitignore: which can be matched, and in a time that is worth it.

`pathspec` makes regular expressions of them. One star more multiplies what a long name costs by its length, and
files from strangers may bring both.
"""

from __future__ import annotations

import re

from cudnnlint.core.regex import regex

#: Stars in a name, and `**` in a path. With one more, a name of 255 letters takes minutes.
MOST_STARS, MOST_LEVELS = 4, 4
_STARS = regex(r"\*+")


def readable(glob: str) -> bool:
    """Return whether a glob can be matched. Git, too, passes over a line that it cannot read."""
    parts = glob.split("/")
    if sum(part.startswith("**") for part in parts) > MOST_LEVELS:
        return False
    if any(len(_STARS.findall(part)) > MOST_STARS for part in parts):
        return False
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([glob])
    except (ValueError, re.error):
        return False
    return True
