"""Arguments of a call, or entries of a list: taken out and put in, with the commas, comments and layout kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst

from cudnnlint.core.edit import Edit
from cudnnlint.core.regex import regex
from cudnnlint.rewriters.source.parsed_page import Page

_BLANK = " \t\f"
_REST = regex(r"[ \t\f]*,?[ \t\f]*(?P<end>\r\n|\r|\n|#|$)")


def argument(call: cst.Call, name: str) -> cst.Arg | None:
    """Return the keyword argument of that name."""
    return next((arg for arg in call.args if arg.keyword is not None and arg.keyword.value == name), None)


def change(page: Page, call: cst.Call, drop: Sequence[cst.Arg], add: Sequence[tuple[str, str]]) -> list[Edit]:
    """Take arguments out of a call and put others (name, source text) in; a new one takes the place of an old one."""
    texts = [f"{name}={text}" for name, text in add]
    kept = list(drop)
    edits = []
    while kept and texts:
        edits.append(page.edit(*page.span(kept.pop(0)), texts.pop(0)))
    edits += [_taken_out(page, call, run) for run in _runs(call, kept)]
    if texts:
        edits.append(_put_in(page, call, texts, drop))
    return edits


def _runs(call: cst.Call, dropped: Sequence[cst.Arg]) -> list[tuple[int, int]]:
    """Return the runs of neighbouring arguments to be dropped, by the indices of the first and the last of each."""
    runs: list[tuple[int, int]] = []
    for index, arg in enumerate(call.args):
        if not any(arg is one for one in dropped):
            continue
        if runs and runs[-1][1] == index - 1:
            runs[-1] = runs[-1][0], index
        else:
            runs.append((index, index))
    return runs


def _taken_out(page: Page, call: cst.Call, run: tuple[int, int]) -> Edit:
    """Return the edit that takes out the arguments from one index to another."""
    text, args = page.text, call.args
    (start, _), (_, end) = page.span(args[run[0]]), page.span(args[run[1]])
    before = page.span(args[run[0] - 1])[1] if run[0] else None
    after = page.span(args[run[1] + 1])[0] if run[1] + 1 < len(args) else None
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    alone = not text[line:start].strip(_BLANK)
    rest = _REST.match(text, end)
    if alone and rest is not None:  # lines of its own: they go, a comment behind it stays
        return page.edit(start, rest.start("end"), "") if rest["end"] == "#" else page.edit(line, rest.end(), "")
    if after is not None and (before is None or rest is None):
        stop = after if "#" not in text[end:after] else text.index(",", end) + 1
        return page.edit(start, stop, "")
    if after is not None:
        assert before is not None
        return page.edit(text.index(",", before), text.index(",", end), "")
    if before is not None and "#" not in text[before:start]:
        return page.edit(before, end, "")
    comma = re.compile(r"\s*,").match(text, end)
    return page.edit(start, comma.end() if comma and "#" not in comma.group() else end, "")


def _put_in(page: Page, call: cst.Call, texts: Sequence[str], dropped: Sequence[cst.Arg]) -> Edit:
    """Return the edit that adds arguments behind the last one that is not spread."""
    listed = ", ".join(texts)
    plain = [arg for arg in call.args if not arg.star]
    if plain:
        end = page.span(plain[-1])[1]
        return page.edit(end, end, f", {listed}")
    if call.args:
        start = page.span(call.args[0])[0]
        return page.edit(start, start, f"{listed}, ")
    end = page.span(call)[1] - 1
    return page.edit(end, end, listed)
