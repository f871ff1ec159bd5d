"""RNN(LSTMCell(64), ...) becomes LSTM(64, ...), argument by argument; several cells become a chain of layers."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from cudnnlint.core.edit import CellToLayer, Edit, Unroll
from cudnnlint.rewriters.source import class_names, listing, side_effects
from cudnnlint.rewriters.source.fix_context import FixContext, Impossible, Need
from cudnnlint.rewriters.source.flow import bindings, last_name
from cudnnlint.rewriters.source.parsed_page import Page

#: The parameters of RNN, in order.
OF_RNN = ("cell", "return_sequences", "return_state", "go_backwards", "stateful", "unroll")
#: Arguments of a cell that its layer does not get: the outer ones hold.
OWN = frozenset({"name", "trainable", "dtype"})
#: Arguments of an RNN that the first layer of a chain gets; the last one gets all others.
FIRST = frozenset({"input_shape", "batch_input_shape", "input_dim", "batch_size"})


def to_layer(context: FixContext, need: Need, step: CellToLayer) -> list[Edit]:
    """Return the edits that make one layer of an RNN and its one cell."""
    edits: list[Edit] = []
    for place in dict.fromkeys(made.place for made in need.made):
        page, call = context.call(place)
        if call.args and isinstance(call.args[0].value, cst.Name):
            edits += _moved_in(context, page, call, step)
            continue
        if len(stacked := _cells(call)) == 1:
            edits += _taken_out(context, page, call, stacked[0], step)
            continue
        cell = _cell(call)
        _uncommented(page, page.span(call)[0], _open(page, cell))
        text, imports = class_names.sibling(context, page, cell.func, step.layer_class)
        edits += [*imports, page.edit(page.span(call)[0], _open(page, cell), f"{text}(")]
        edits += listing.change(page, cell, _own(page, cell), [])
        edits.append(_closed(page, cell, more=len(call.args) > 1))
        edits += _named(page, call.args[1:])
    return list(dict.fromkeys(edits))


def _own(page: Page, cell: cst.Call) -> list[cst.Arg]:
    """Return the arguments of a cell that its layer does not get."""
    found = [arg for arg in cell.args if _keyword(arg) in OWN]
    for arg in found:
        side_effects.none(page, arg.value)
    return found


def _taken_out(context: FixContext, page: Page, call: cst.Call, cell: cst.Call, step: CellToLayer) -> list[Edit]:
    """Return the edits for a cell alone in a list or in StackedRNNCells."""
    _uncommented(page, *page.span(call))
    _own(page, cell)
    text, imports = class_names.sibling(context, page, cell.func, step.layer_class)
    return [*imports, page.edit(*page.span(call), f"{text}({_arguments(page, call, cell, 0, 1)})")]


def _cell(call: cst.Call) -> cst.Call:
    """Return the call that makes the cell, written inside that of the RNN."""
    if not call.args or _keyword(call.args[0]) not in (None, "cell") or call.args[0].star:
        raise Impossible("the cell is not the first argument of the RNN")
    cell = call.args[0].value
    if not isinstance(cell, cst.Call) or not cell.args:
        raise Impossible("the cell is not made inside the RNN call")
    if last_name(cell.func) == "StackedRNNCells":
        raise Impossible("the cell is in StackedRNNCells")
    if cell.lpar:
        raise Impossible("the cell is in parentheses")
    return cell


def _moved_in(context: FixContext, page: Page, call: cst.Call, step: CellToLayer) -> list[Edit]:
    """Return the edits for a cell with a name of its own: its line goes, and the layer takes its arguments."""
    assert isinstance(call.args[0].value, cst.Name)
    line, cell = _made_before(context, page, call, call.args[0].value.value)
    text, imports = class_names.sibling(context, page, cell.func, step.layer_class)
    given = ", ".join(page.source(arg) for arg in cell.args if _keyword(arg) not in OWN)
    first = page.span(call.args[0])
    _uncommented(page, page.span(call)[0], first[1])
    head = page.edit(page.span(call)[0], first[1], f"{text}({given}")
    return [*imports, page.edit(*line, ""), head, *_named(page, call.args[1:])]


def _made_before(context: FixContext, page: Page, call: cst.Call, name: str) -> tuple[tuple[int, int], cst.Call]:
    """Return the line that makes a cell under a name that only this call uses, and the call that makes it."""
    bound = [node for one in context.pages for node in bindings(one, name)]
    used = [node for one in context.pages for node in one.every(cst.Name) if node.value == name]
    target = page.parents.get(bound[0]) if len(bound) == 1 and len(used) == 2 else None
    assign = page.parents.get(target) if target is not None else None
    statement = page.parents.get(assign) if assign is not None else None
    if not isinstance(assign, cst.Assign) or not isinstance(assign.value, cst.Call) or statement is None:
        raise Impossible("the cell is not made inside the RNN call")
    start, end = page.span(statement)
    indent, rest = page.indent(start), page.line_from(end)
    using = page.above(call, cst.SimpleStatementLine)
    together = using is not None and page.parents[using] is page.parents[statement]
    if not together or indent is None or rest.strip() or not all(map(_plain, assign.value.args)):
        raise Impossible("the cell is not made inside the RNN call")
    return (start - len(indent), end + len(rest)), assign.value


def _plain(arg: cst.Arg) -> bool:
    """Return whether the argument is a literal, which is the same wherever it is written."""
    literals = (cst.Integer, cst.Float, cst.SimpleString)
    value = arg.value
    return isinstance(value, literals) or (isinstance(value, cst.Name) and value.value in ("True", "False", "None"))


def _keyword(arg: cst.Arg) -> str | None:
    return arg.keyword.value if arg.keyword is not None else None


def _open(page: Page, call: cst.Call) -> int:
    """Return the offset behind the opening bracket of a call."""
    return page.text.index("(", page.span(call.func)[1]) + 1


def _uncommented(page: Page, start: int, end: int) -> None:
    if "#" in page.text[start:end]:
        raise Impossible("there is a comment in the text that has to change")


def _closed(page: Page, cell: cst.Call, more: bool) -> Edit:
    """Take away the closing bracket of the cell, and one of two commas: the outer one if a comment is between them."""
    last, end = page.span(cell.args[-1])[1], page.span(cell)[1]
    if not more or "," not in page.text[last:end]:
        return page.edit(end - 1, end, "")
    if "#" not in page.text[last:end]:
        return page.edit(last, end, "")
    start, stop = end - 1, page.text.index(",", end) + 1
    if page.indent(start) is not None and page.ends_line(stop) and "#" not in page.line_from(stop):
        return page.edit(start - len(page.indent(start) or ""), stop + len(page.line_from(stop)), "")
    return page.edit(start, stop, "")


def _named(page: Page, args: Sequence[cst.Arg]) -> list[Edit]:
    """Arguments that were passed to the RNN by position get their names."""
    edits = []
    for index, arg in enumerate(args, 1):
        positional = arg.keyword is None and arg.star != "**"
        if arg.star == "*" or (positional and index >= len(OF_RNN)):
            raise Impossible("the positional arguments of the RNN call are not known")
        if positional:
            start = page.span(arg)[0]
            edits.append(page.edit(start, start, f"{OF_RNN[index]}="))
    return edits


# ---------------------------------------------------------------- several cells


def to_chain(context: FixContext, need: Need, step: Unroll) -> list[Edit]:
    """Return the edits that make a chain of layers of an RNN that wraps several cells."""
    places = dict.fromkeys(made.place for made in need.made)
    if len(places) != 1:
        raise Impossible("the RNN is made in more than one place")
    page, call = context.call(next(iter(places)))
    cells = _cells(call)
    if len(cells) != len(step.layer_classes):
        raise Impossible("the cells are not made inside the RNN call")
    _uncommented(page, *page.span(call))
    texts, imports = [], []
    for index, (cell, layer_class) in enumerate(zip(cells, step.layer_classes, strict=True)):
        text, more = class_names.sibling(context, page, cell.func, layer_class)
        imports += more
        _own(page, cell)
        texts.append(f"{text}({_arguments(page, call, cell, index, len(cells))})")
    return list(dict.fromkeys([*imports, *_chained(page, call, texts)]))


def _cells(call: cst.Call) -> list[cst.Call]:
    """Return the calls that make the cells, in a list or in StackedRNNCells."""
    given: cst.BaseExpression | None = call.args[0].value if call.args else None
    if isinstance(given, cst.Call) and last_name(given.func) == "StackedRNNCells" and len(given.args) == 1:
        given = given.args[0].value
    elements = given.elements if isinstance(given, (cst.List, cst.Tuple)) else ()
    return [one.value for one in elements if isinstance(one, cst.Element) and isinstance(one.value, cst.Call)]


def _arguments(page: Page, call: cst.Call, cell: cst.Call, index: int, count: int) -> str:
    """Return the arguments of one layer of the chain, as text."""
    texts = [page.source(arg) for arg in cell.args if _keyword(arg) not in OWN]
    for position, arg in enumerate(call.args[1:], 1):
        if arg.star or (arg.keyword is None and position >= len(OF_RNN)):
            raise Impossible("the arguments of the RNN call are not known")
        name = _keyword(arg) or OF_RNN[position]
        if index == (0 if name in FIRST else count - 1):
            texts.append(f"{name}={page.whole(arg.value)}")
    return ", ".join([*texts, "return_sequences=True"] if index < count - 1 else texts)


def _chained(page: Page, call: cst.Call, texts: Sequence[str]) -> list[Edit]:
    """Return the edits that put the layers in the place of the RNN.

    The layers are called on one another, entries of a list, or added one after the other.
    """
    parent = page.parents[call]
    if isinstance(parent, cst.Call) and parent.func is call:
        if len(parent.args) != 1 or parent.args[0].keyword is not None or parent.args[0].star:
            raise Impossible("the RNN is called with other arguments than its input")
        nested = page.source(parent.args[0])
        for text in texts:
            nested = f"{text}({nested})"
        return [page.edit(*page.span(parent), nested)]
    if isinstance(parent, cst.Element) and _in_sequential(page, parent):
        return [page.edit(*page.span(call), ", ".join(texts))]
    if isinstance(parent, cst.Arg):
        return _added(page, call, texts)
    raise Impossible("the RNN is neither called where it is made nor an entry of a Sequential")


def _in_sequential(page: Page, element: cst.Element) -> bool:
    arg = page.parents[page.parents[element]]
    call = page.parents[arg] if isinstance(arg, cst.Arg) else None
    return isinstance(call, cst.Call) and last_name(call.func) == "Sequential"


def _added(page: Page, call: cst.Call, texts: Sequence[str]) -> list[Edit]:
    """`model.add(RNN(...))` on a line of its own."""
    adding = page.parents[page.parents[call]]
    if not isinstance(adding, cst.Call) or last_name(adding.func) != "add" or len(adding.args) != 1:
        raise Impossible("the RNN is neither called where it is made nor an entry of a Sequential")
    start, end = page.span(adding)
    indent = page.indent(start)
    if indent is None or not isinstance(page.parents[adding], cst.Expr) or not page.ends_line(end):
        raise Impossible("the RNN is not added on a line of its own")
    line = page.source(adding.func)
    return [page.edit(start, end, f"{page.newline}{indent}".join(f"{line}({text})" for text in texts))]
