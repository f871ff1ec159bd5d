"""What surrounds a layer: switches that are written where it is called or compiled, and how its input is padded."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from cudnnlint.core.edit import Edit, SetContext
from cudnnlint.core.fact import Known, alternatives
from cudnnlint.core.place import Place
from cudnnlint.rewriters.source import listing
from cudnnlint.rewriters.source.fix_context import FixContext, Impossible, Need, literal
from cudnnlint.rewriters.source.flow import is_text, last_name


def switch(context: FixContext, need: Need, step: SetContext) -> list[Edit]:
    """Return the edits that set a switch of the execution context to another value, at the places that are at fault."""
    edits = []
    for place in dict.fromkeys(_places(need, step.name)):
        found = context.expression(place)
        if found is None:
            raise Impossible("it is not set in this file")
        page, node = found
        if not isinstance(node, cst.Name) or node.value != "True":
            raise Impossible("it is not set with the word True")
        edits.append(page.edit(*page.span(node), literal(step.value)))
    return edits


def _places(need: Need, name: str) -> Iterator[Place]:
    for call in need.calls:
        for fact in alternatives(call.context(name)):
            if isinstance(fact, Known) and fact.value is True and fact.place in need.places:
                yield fact.place


def pad_right(context: FixContext) -> list[Edit]:
    """Return the edits that let every `pad_sequences` of the file pad behind the sequences."""
    edits: list[Edit] = []
    for page in context.pages:
        for call in page.every(cst.Call):
            if last_name(call.func) != "pad_sequences" or not call.args:
                continue
            if any(arg.star for arg in call.args) or sum(arg.keyword is None for arg in call.args) > 3:
                raise Impossible("the padding argument of pad_sequences is not known")
            written = listing.argument(call, "padding")
            if written is None:
                edits += listing.change(page, call, [], [("padding", '"post"')])
            elif is_text(written.value, "pre"):
                edits.append(page.edit(*page.span(written.value), literal("post", page.source(written.value))))
    if not edits:
        raise Impossible("no call in this file pads on the left")
    return edits
