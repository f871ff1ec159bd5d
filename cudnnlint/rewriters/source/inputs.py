"""Puts an Input in front of a layer that was given the shape of its batches as an argument."""

from __future__ import annotations

import libcst as cst

from cudnnlint.core.edit import Edit, PutInput
from cudnnlint.rewriters.source import class_names, listing, side_effects
from cudnnlint.rewriters.source.fix_context import FixContext, Impossible, Need
from cudnnlint.rewriters.source.flow import last_name
from cudnnlint.rewriters.source.parsed_page import Page


def put(context: FixContext, need: Need, step: PutInput) -> list[Edit]:
    """Return the edits that move the argument into an Input; where a layer is called on a tensor it is only removed."""
    edits: list[Edit] = []
    for place in dict.fromkeys(made.place for made in need.made):
        page, call = context.call(place)
        arg = listing.argument(call, step.name)
        if arg is None:
            raise Impossible(f"{step.name} is not written at the call")
        edits += listing.change(page, call, [arg], [])
        parent = page.parents[call]
        if isinstance(parent, cst.Call) and parent.func is call:
            side_effects.none(page, arg.value)
            continue  # called on a tensor, which has a shape
        text, imports = class_names.sibling(context, page, call.func, "Input")
        edits += [*imports, *_in_front(page, call, f"{text}(batch_shape={page.whole(arg.value)})")]
    return list(dict.fromkeys(edits))


def _in_front(page: Page, call: cst.Call, text: str) -> list[Edit]:
    """Return the edits that put an Input in front of the layer, as an entry of a list or on a line of its own.

    There is none where the layer is not the first of a model.
    """
    parent = page.parents[call]
    if isinstance(parent, cst.Element):
        return [_entry(page, parent, text)] if _elements(page, parent)[0] is parent else []
    adding = page.parents[parent]
    if not isinstance(parent, cst.Arg) or not isinstance(adding, cst.Call) or last_name(adding.func) != "add":
        raise Impossible("the layer is neither an entry of a Sequential nor added to a model")
    start, end = page.span(adding)
    indent = page.indent(start)
    statement = page.above(adding, cst.SimpleStatementLine)
    if indent is None or statement is None or not page.ends_line(end):
        raise Impossible("the layer is not added on a line of its own")
    if not _is_first(page, adding, statement):
        return []
    return [page.edit(start, start, f"{page.source(adding.func)}({text}){page.newline}{indent}")]


def _elements(page: Page, element: cst.Element) -> list[cst.BaseElement]:
    listed = page.parents[element]
    arg = page.parents[listed]
    call = page.parents[arg] if isinstance(arg, cst.Arg) else None
    if not isinstance(call, cst.Call) or last_name(call.func) != "Sequential" or not isinstance(listed, cst.List):
        raise Impossible("the layer is neither an entry of a Sequential nor added to a model")
    return list(listed.elements)


def _entry(page: Page, element: cst.Element, text: str) -> Edit:
    start = page.span(element.value)[0]
    indent = page.indent(start)
    gap = " " if indent is None else f"{page.newline}{indent}"
    return page.edit(start, start, f"{text},{gap}")


def _is_first(page: Page, adding: cst.Call, statement: cst.SimpleStatementLine) -> bool:
    """Return whether this is the first layer that is added to the model; the statements between must show it."""
    assert isinstance(adding.func, cst.Attribute)
    model = page.source(adding.func.value)
    body = getattr(page.parents[statement], "body", ())
    before = [page.source(one) for one in body[: list(body).index(statement)]]
    for text in reversed(before):
        if text.replace(" ", "").startswith(f"{model}=") and "Sequential()" in text:
            return True
        if text.replace(" ", "").startswith(f"{model}.add("):
            return False
    raise Impossible("it is not clear whether it is the first layer of its model")
