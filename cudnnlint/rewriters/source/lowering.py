"""From the intent of a fix to the ways in which it can be written into the text."""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.core.edit import DropArgument, Edit, SetArgument
from cudnnlint.rewriters.source import arguments
from cudnnlint.rewriters.source.sheet import Impossible, Need, Sheet


def ways(sheet: Sheet, need: Need) -> Iterator[tuple[Edit, ...]]:
    """The edits of each way to write the fix, the best way first. Raises Impossible, with the reason, after the last.

    The edits of one way do not overlap, and stand in the order of the text.
    """
    steps = [step for step in need.intent.steps if isinstance(step, (SetArgument, DropArgument))]
    if len(steps) < len(need.intent.steps):
        raise Impossible("this fix is not written into source")
    for edits in arguments.ways(sheet, need, steps):
        if edits:
            yield tuple(sorted(edits, key=lambda edit: edit.place))
