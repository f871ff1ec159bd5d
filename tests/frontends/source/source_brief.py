"""Facts in one short line, for the comments in `programs/`.

`LSTM(units=32, dropout=~0.1) in Bidirectional.forward @data <-4,9` is an LSTM with units 32 and dropout
0.1 by assumption, called with a mask that data decides, reached by the calls in rows 4 and 9.
`unroll:=True` is set on the finished layer, `?` is unknown, `-` not written, `a|b` one of both, `@` a call
(its mask, then what else surrounds it). `LSTM?` has the name of Keras's class, and may be another one.
"""

from __future__ import annotations

from cudnnlint.core.fact import Absent, Assumed, Fact, Known, alternatives, show
from cudnnlint.core.layer import Call, Construction, Layer
from cudnnlint.core.place import Place, SourcePlace
from cudnnlint.core.target import Era


def brief(layer: Layer) -> str:
    """A layer in one line."""
    made = " / ".join(construction(variant) for variant in layer.variants)
    wraps = "".join(f" in {w.kind}{'.' + w.role if w.role else ''}" for w in layer.wrappers)
    calls = "".join(f" @{text}" for text in dict.fromkeys(call(one) for one in layer.calls))
    via = ",".join(_step(step, layer.place) for step in layer.via)
    return made + wraps + calls + (f" <-{via}" if via else "")


def _step(step: SourcePlace, place: Place) -> str:
    """A row; with its cell, or with its path if that is another file's."""
    elsewhere = f"{step.path}:" if isinstance(place, SourcePlace) and step.path != place.path else ""
    return f"{elsewhere}{'' if step.cell is None else f'{step.cell}:'}{step.row}"


def construction(made: Construction) -> str:
    """A construction: the class, the user's subclass, the arguments."""
    arguments = [
        f"{name}={fact(value)}" for name, value in made.arguments.items() if made.cells is None or name != "cell"
    ]
    arguments += [construction(cell) for cell in made.cells or ()]
    arguments += [f"{name}:={fact(value)}" for name, value in made.after.items()]
    arguments += ["**?"] if made.open else []
    subclass = f":{made.subclass}" if made.subclass else ""
    return f"{made.class_name}{'?' if made.unsure else ''}{subclass}({', '.join(arguments)})"


OWN = (
    "batch", "mask", "steps", "input_rank", "states", "call_keywords", "listed", "late_weights", "input_arguments",
    "names_beside", "outermost_name", "packages_met", "refused_beside",
    "stops_before", "direct_call_keywords",
)  # fmt: skip


def call(seen: Call) -> str:
    """What surrounds a call, the mask first; the others have tests of their own."""
    when = "/".join(_era(era) for era in seen.when)
    more = [f"{name}={fact(value)}" for name, value in sorted(seen.surroundings.items()) if name not in OWN]
    return ",".join([fact(seen.context("mask")).replace("'", ""), *more, *([f"in {when}"] if when else [])])


def _era(era: Era) -> str:
    """2, 3, <3.4, 3.4-3.12, >3.12."""
    since, until = era.span.since, era.span.until
    if since and until:
        return f"{since}-{until}"
    return f">{since}" if since else f"<{until}" if until else str(era.major)


def fact(value: Fact) -> str:
    """A fact."""
    return "|".join(dict.fromkeys(_single(single) for single in alternatives(value)))


def _single(value: Fact) -> str:
    if isinstance(value, Known):
        return show(value.value)
    if isinstance(value, Assumed):
        return f"~{show(value.value)}"
    return "-" if isinstance(value, Absent) else "?"
