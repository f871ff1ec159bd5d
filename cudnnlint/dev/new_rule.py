"""Writes the file of a new rule: `python -m cudnnlint.dev.new_rule NAME --hundred 1 --argument A --value V ...`.

The rule finds layers whose argument A has the value V; its page has a bad and a good example, which the tests run. What
is left is to name the rule in a row of rules/tables, which says where it bites, and to sharpen the words.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import textwrap
from pathlib import Path

from cudnnlint.core.book import Rulebook
from cudnnlint.rulebook import loader

HUNDREDS = {
    "1": "a layer's own settings", "2": "stops with an error", "3": "costs speed or gets lost", "4": "environment",
    "5": "limits of the analysis", "6": "the kernel computes wrong numbers in some releases",
}  # fmt: skip
TEMPLATE = '''"""{summary}

## What it does
Finds recurrent layers with `{argument}={value}`.

## Why it matters
{why}

## Bad
```python
import keras

layer = keras.layers.LSTM(64, {argument}={value})
```

## Good
```python
import keras

layer = keras.layers.LSTM(64)
```

## Fix safety
There is no fix: only you know what the layer is meant to compute.

## References
- {source}
"""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "{code}"
NEEDED = "another {argument}"
SAYS = "{argument} is {{found}}"
ADVICE = "Give the layer another {argument}, or leave it out."


def find(case: Case) -> Finding:
    """YES where the argument has this value."""
    return judge_argument(case, "{argument}", lambda value: value == {value})
'''
LEFT = """{path} written, with the code {code}.
Name {name} in rules/tables, where it bites: in blocked_by of a [[route]] or as a [[gate]] of routes.toml, or as a
[[defect]] or [[note]] of defects.toml, with its source. Then run python -m cudnnlint.dev.docs and the tests of
tests/rulebook; cases that a page cannot show go into tests/rulebook/test_find.py."""


class NotWritten(Exception):
    """Why the rule is not written; a sentence."""


def code_of(options: argparse.Namespace, book: Rulebook) -> str:
    """Return the code that is asked for, or the next free one of the hundred. Raises NotWritten where it is taken."""
    taken = {rule.code: rule.name for rule in book.rules.values()}
    if options.code is None:
        last = max(int(code[3:]) for code in (*taken, f"CDN{options.hundred}00") if code[3] == options.hundred)
        return f"CDN{last + 1}"
    if not re.fullmatch(r"CDN[1-6]\d\d", options.code):
        raise NotWritten(f"{options.code} is no code; write CDN and three digits, the first of them 1 to 6.")
    if options.code in taken:
        raise NotWritten(f"{options.code} is the code of {taken[options.code]}.")
    return str(options.code)


def path_of(name: str, folder: Path) -> Path:
    """Return the file of a rule. Raises NotWritten for a name that is none, or that another rule has."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise NotWritten(f"{name} is no name; write small letters and digits, joined by hyphens.")
    path = folder / f"{name.replace('-', '_')}.py"
    if path.exists():
        raise NotWritten(f"The rule {name} is there already: rules/{path.name}.")
    return path


def text_of(options: argparse.Namespace, code: str) -> str:
    """Return the text of the rule's file. Raises NotWritten for words that do not fit."""
    try:
        value = repr(ast.literal_eval(options.value))
    except (ValueError, SyntaxError):
        raise NotWritten(f"{options.value} is no literal of Python; a text needs quotes of its own.") from None
    if not options.argument.isidentifier():
        raise NotWritten(f"{options.argument} is no name of an argument.")
    if "\n" in options.summary or not options.summary.endswith(".") or len(options.summary) > 120:
        raise NotWritten("The summary should be one sentence of at most 120 characters, with its full stop.")
    why = textwrap.fill(options.why, 118)
    return TEMPLATE.format(
        summary=options.summary, argument=options.argument, value=value, why=why, source=options.source, code=code
    )


def arguments(words: list[str]) -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(prog="new_rule", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", help="what the rule is called: small-letters-and-hyphens")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--code", help="its code, for example CDN113")
    which.add_argument("--hundred", choices=HUNDREDS, help="; ".join(f"{k}: {v}" for k, v in HUNDREDS.items()))
    parser.add_argument("--argument", required=True, help="the argument that is at fault")
    parser.add_argument("--value", required=True, help="the value at fault, as Python writes it")
    parser.add_argument("--summary", required=True, help="the first line of the page: one sentence")
    parser.add_argument("--why", required=True, help="why it matters")
    parser.add_argument("--source", required=True, help="the line of Keras, or the issue, that it rests on")
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Run the command and return the exit status."""
    options = arguments(words)
    try:
        path = path_of(options.name, loader.folder())
        code = code_of(options, loader.load())
        path.write_text(text_of(options, code), encoding="utf-8")
    except NotWritten as reason:
        print(reason, file=sys.stderr)
        return 2
    print(LEFT.format(path=f"rules/{path.name}", code=code, name=options.name))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
