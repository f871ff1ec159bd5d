"""From the intent of a fix to the ways in which it can be written into the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cudnnlint.core.edit import (
    CellToLayer,
    DropArgument,
    Edit,
    PadRight,
    PutInput,
    ReplaceClass,
    SetArgument,
    SetContext,
    Step,
    Unroll,
)
from cudnnlint.core.place import SourcePlace
from cudnnlint.rewriters.source import argument_changes, cells, class_replacement, execution_context, inputs
from cudnnlint.rewriters.source.fix_context import FixContext, Impossible, Need
from cudnnlint.rewriters.source.source_text import meet


def ways(context: FixContext, need: Need) -> Iterator[tuple[Edit, ...]]:
    """Yield the edits of each way to write the fix, the best way first; raise Impossible, with the reason, at the end.

    The edits of one way do not overlap, and are in the order of the text.
    """
    steps = [step for step in need.intent.steps if isinstance(step, (SetArgument, DropArgument))]
    others = [edit for step in need.intent.steps for edit in _others(context, need, step)]
    for edits in argument_changes.ways(context, need, steps) if steps else iter([[]]):
        every = tuple(_joined([*others, *edits]))
        if any(meet([one], every[index + 1 :]) for index, one in enumerate(every)):
            raise Impossible("two parts of the fix would change the same text")
        if not every:
            raise Impossible("the cause is not in this file")
        yield every


def _joined(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits in the order of the text; what several of them add at one point is one edit."""
    contents: dict[SourcePlace, dict[str, None]] = {}
    for edit in edits:
        contents.setdefault(edit.place, {})[edit.content] = None
    found = []
    for place in sorted(contents):
        adds = (place.row, place.column) == (place.end_row, place.end_column)
        texts = list(contents[place])
        found += [Edit(place, "".join(texts))] if adds else [Edit(place, text) for text in texts]
    return found


def _others(context: FixContext, need: Need, step: Step) -> list[Edit]:
    """Return the edits of a step that is about more than one argument."""
    if isinstance(step, ReplaceClass):
        return class_replacement.replace(context, need, step)
    if isinstance(step, CellToLayer):
        return cells.to_layer(context, need, step)
    if isinstance(step, Unroll):
        return cells.to_chain(context, need, step)
    if isinstance(step, PutInput):
        return inputs.put(context, need, step)
    if isinstance(step, SetContext):
        return execution_context.switch(context, need, step)
    return execution_context.pad_right(context) if isinstance(step, PadRight) else []
