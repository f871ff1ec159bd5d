"""Python 2, told from a broken file: what only it has is written as Python 3 has it, and then the text parses."""

from __future__ import annotations

import ast
import re
import warnings

#: What a statement of Python 2 begins with, its rest up to a comment, and how Python 3 writes it.
_REST = r"(?P<rest>(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[^#\n;\"'\\]|\\.)*)"
#: Characters of a line: those that are longer are data, and would be searched for long.
LONGEST = 1_000
_STATEMENTS = (
    (r"\bprint[ \t]*>>[ \t]*(?P<file>[\w.]+)(?P<rest>[^#\n;]*)", r"print(\g<file>\g<rest>)"),
    (rf"(?<![\w.])(?P<name>print|exec)(?![ \t]*[(=,).:\]])[ \t]*(?=[^ \t\n#;]){_REST}", r"\g<name>(\g<rest>)"),
    (r"(?<![\w.])(?P<name>print)(?P<rest>[ \t]*\([^#\n;]*\)[ \t]*[%.,][^#\n;]*)", r"\g<name>(\g<rest>)"),
    (r"\bexcept[ \t]+(?P<kind>[\w.]+|\([^()\n]*\))[ \t]*,[ \t]*(?P<name>\w+)[ \t]*:", r"except \g<kind> as \g<name>:"),
    (rf"\braise[ \t]+(?P<kind>[\w.]+)[ \t]*,{_REST}", r"raise \g<kind>(\g<rest>)"),
    (r"<>", "!="),
    (r"`(?P<rest>[^`\n]+)`", r"repr(\g<rest>)"),
    (r"\b[uU][rR](?=[\"'])", "r"),
    (r"\b(?P<number>\d+)[lL]\b", r"\g<number>"),
    (r"(?<![\w.])0(?P<number>[0-7]+)\b", r"0o\g<number>"),
)


def is_python_2(text: str) -> bool:
    """Return whether a text that is no Python 3 is Python 2."""
    if max(map(len, text.split("\n"))) > LONGEST:
        return False
    changed = text.replace("\\\n", " ")
    for old, new in _STATEMENTS:
        changed = re.sub(old, new, changed)
    if changed == text:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(changed.expandtabs())
    except (SyntaxError, ValueError, MemoryError):
        return False
    return True
