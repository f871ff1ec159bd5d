"""Settings of a layer that are changed after its construction: `layer.unroll = True`, `layer.cell.activation = f`.

Keras 3 reads them where the layer runs; Keras 2 decided in the constructor. They are in the cells of the object and of
its cell, so that branches join them like anything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import ends_here, locked_settings
from cudnnlint.frontends.source.keras.sites import MADE, Build, Made
from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.state import Table
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Class,
    Const,
    Function,
    Instance,
    Library,
    Unbound,
    UnknownValue,
    Value,
    choice,
    join,
    options,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

ON_LAYER = words("unroll use_cudnn")
ON_CELL = words("activation recurrent_activation recurrent_dropout dropout use_bias reset_after implementation")
#: By which Keras 2 chooses cuDNN at each call: the constructor sets it, and programs do.
CHOICE = "_could_use_gpu_kernel"
#: What decides what a layer gives; every release reads it when the layer is called.
RETURNS = words("return_sequences return_state")
#: The layers that a Bidirectional makes of the one that it is given.
DIRECTIONS = words("forward_layer backward_layer")
#: Layers whose cell is their own.
WITH_CELL = words("LSTM GRU SimpleRNN")
CELLS = frozenset(f"{name}Cell" for name in WITH_CELL)
#: What a cell of Keras's own is where it is not told otherwise, and what the kernel computes.
STANDARD = {
    "activation": "tanh",
    "recurrent_activation": "sigmoid",
    "recurrent_dropout": 0.0,
    "dropout": 0.0,
    "use_bias": True,
    "reset_after": True,
}
#: The cell of an object that says that its `cell` is the one that Keras made.
_OWN = "·own cell"


def begin(run: Interpreter, instance: Instance, build: Build) -> None:
    """Start to watch a constructed layer; Keras's constructor overwrites what the user's class set before."""
    if instance.table.get("supports_masking") is not None:
        run.journal.write(instance.table, "supports_masking", UNBOUND)
    if build.class_name == "Bidirectional":
        build.objects.append(instance.table)
    if build.class_name not in WITH_CELL:
        return
    shown = locked_settings.LOCKED[build.class_name]
    if not _defines(instance.kind, "__setattr__"):
        build.shown = frozenset(name for name in shown if not _defines(instance.kind, name))
    for name in (CHOICE, *ON_LAYER, *RETURNS, *shown, "cell", "stateful"):
        if instance.table.get(name) is not None:
            run.journal.write(instance.table, name, UNBOUND)
    build.objects.append(instance.table)


def _defines(kind: Value, name: str) -> bool:
    """Return whether a class of the user's, or one of its bases, has an attribute of that name."""
    found = classes.search(kind, name) if isinstance(kind, Class) else None
    return found is not None and isinstance(found[1], Class)


def own_cell(run: Interpreter, instance: Instance, build: Build, origin: Origin) -> Instance:
    """Return `layer.cell`: the cell that Keras made from the layer's arguments."""
    name = f"{build.class_name}Cell"
    cell = Instance(Library(f"{build.path.rpartition('.')[0]}.{name}"), run.journal.table(), at=origin)
    run.journal.write(cell.table, MADE, Made(Build(name, cell.kind.name, build.arguments, build.open)))
    run.journal.write(cell.table, _OWN, cell)
    run.journal.write(instance.table, "cell", cell)
    return cell


def direction(run: Interpreter, instance: Instance, build: Build, name: str, origin: Origin) -> Instance | None:
    """Return `forward_layer` or `backward_layer` of a Bidirectional: a copy of the layer that it is given.

    None for other attributes, and where it is an object that is given, or one of a class of the user's.
    """
    if build.class_name == "Bidirectional" and name == "layer":
        ends_here.asked(run, name, origin, ends_here.LAYER)
    if build.class_name != "Bidirectional" or name not in DIRECTIONS:
        return None
    layer = build.arguments.get("layer")
    made = layer.table.get(MADE) if isinstance(layer, Instance) else None
    explicit = build.arguments.get(name, NONE) is not NONE
    if explicit or not isinstance(made, Made) or not isinstance(layer, Instance) or made.build.subclass is not None:
        return None
    copy = Instance(layer.kind, run.journal.table(), at=origin)
    run.journal.write(copy.table, MADE, Made(replace(made.build, objects=[copy.table])))
    run.journal.write(instance.table, name, copy)
    return copy


def on_direction(build: Build, name: str) -> dict[str, Value]:
    """Return what was set on one direction of a Bidirectional."""
    copies = [table.get(name) for table in build.objects]
    return _joined([_on_copy(copy.table) if isinstance(copy, Instance) else {} for copy in copies])


def _on_copy(table: Table) -> dict[str, Value]:
    cell = table.get("cell")
    if cell is None or is_own(cell) or replacement(table) is not None:
        return dict(_of(table))
    return {**dict(_of(table)), "activation": UnknownValue("one direction is given another cell", None)}


def is_own(cell: Value) -> bool:
    """Return whether a cell is the one that Keras made, not a replacement."""
    return isinstance(cell, Instance) and cell.table.get(_OWN) is not None


def replacement(layer: Table) -> Build | None:
    """Return the construction of a cell that replaces a layer's own, where it is Keras's cell for such a layer."""
    made, cell = layer.get(MADE), layer.get("cell")
    if not isinstance(made, Made) or not isinstance(cell, Instance) or not isinstance(cell.kind, Library):
        return None
    other = cell.table.get(MADE)
    same = isinstance(other, Made) and other.build.class_name == f"{made.build.class_name}Cell" and not is_own(cell)
    return other.build if isinstance(other, Made) and same else None


def cell_of_keras(layer: Table) -> str | None:
    """Return the class of a cell of Keras's own that replaces a layer's; None where it may loop in every release."""
    cell = layer.get("cell")
    made = cell.table.get(MADE) if isinstance(cell, Instance) and isinstance(cell.kind, Library) else None
    if not isinstance(made, Made) or made.build.class_name not in CELLS or made.build.open is not None:
        return None
    return None if "recurrent_dropout" in made.build.arguments else made.build.class_name


def returned(build: Build, name: str) -> Value:
    """Return `return_sequences` or `return_state` as it is now: set on the layer, else as constructed."""
    made = build.arguments.get(name, UNBOUND)
    later = [table.get(name) or UNBOUND for table in build.objects]
    settings = [made if isinstance(one, Unbound) else one for value in later or [made] for one in options(value)]
    return join(settings, choice(*later))


def stateful(build: Build) -> dict[str, Value]:
    """Return `stateful` where the program sets it later: what it was when it was built counts, too."""
    later = [value for table in build.objects if (value := table.get("stateful")) is not None]
    made = build.arguments.get("stateful", UNBOUND)
    return {"stateful": join([made, *later], "it is set after the layer is constructed")} if later else {}


def setting_of(cell: Build, name: str) -> Value:
    """Return one setting of a cell: as it is written, else as it is in every release."""
    unseen = Const(STANDARD[name]) if cell.open is None else UnknownValue(cell.open, None)
    return cell.arguments.get(name, unseen)


def settings(build: Build) -> dict[str, Value]:
    """Return the arguments that were set later; Unbound is among the values where an object may be as constructed."""
    return {name: one for name, one in build.settled.items() if name != CHOICE} | _joined(
        [dict(_of(table)) for table in build.objects]
    )


def chosen(build: Build) -> dict[str, Value]:
    """Return what the user's class sets, and what the program sets Keras 2's own choice to, where it does."""
    found = [{} if (value := table.get(CHOICE)) is None else {CHOICE: value} for table in build.objects]
    settled = {name: one for name, one in build.settled.items() if name == CHOICE}
    return build.by_class | settled | _joined(found)


def _joined(objects: list[dict[str, Value]]) -> dict[str, Value]:
    """Return what is set on any of the objects."""
    found = {name: [each.get(name, UNBOUND) for each in objects] for each in objects for name in each}
    return {name: join(values, "it is set after the layer is constructed") for name, values in found.items()}


def _of(table: Table) -> Iterator[tuple[str, Value]]:
    """Yield the settings that are set on one object or on its cell."""
    for name in sorted(ON_LAYER):
        if (value := table.get(name)) is not None:
            yield name, value
    known = options(table.get("cell") or UNBOUND)  # a cell for each branch that asked for it, and none for the others
    cells = [one for one in known if isinstance(one, Instance) and is_own(one)]
    for name in sorted(ON_CELL):
        set_on = [cell.table.get(name) or UNBOUND for cell in cells]
        if any(not isinstance(one, Unbound) for one in set_on):
            open_ = name == "use_bias" or len(cells) < len(known)  # once it is built, a cell keeps its bias
            yield name, join([*set_on, UNBOUND] if open_ else set_on)
    other = replacement(table)
    if other is not None:
        yield from ((name, setting_of(other, name)) for name in STANDARD if _has(other, name))


def _has(cell: Build, name: str) -> bool:
    return name != "reset_after" or cell.class_name == "GRUCell"


def settle(build: Build, kind: Value) -> None:
    """Count the settings so far as arguments.

    A wrapper makes its layer anew from the config; later changes of the given layer have no effect. What the
    constructor of a class of the user's sets itself, it sets again.
    """
    build.settled = {name: one for name, one in (settings(build) | chosen(build)).items() if _sets_itself(kind, name)}
    later = {name: one for name, one in settings(build).items() if name != "use_cudnn" or name not in build.settled}
    by_class = {name: one for name, one in build.by_class.items() if name != CHOICE}
    build.arguments.update(by_class | later)
    build.from_config = frozenset(later)
    build.locked = locked_settings.tried_on(build)
    build.objects.clear()


def settle_built(build: Build, table: Table, run_build: Callable[[], None]) -> None:
    """Keep what the `build` of a class of the user's sets on a layer: it does so on the copies of a wrapper, too."""
    names = (*ON_LAYER, CHOICE)
    before = [table.get(name) for name in names]
    run_build()
    found = {name: table.get(name) for name in names}
    set_there = [(name, one) for (name, one), was in zip(found.items(), before, strict=True) if one is not was]
    build.settled |= {name: one for name, one in set_there if one is not None}


def _sets_itself(kind: Value, name: str) -> bool:
    """Return whether the constructor of a class of the user's, or of one of its bases, sets an attribute."""
    every = classes.lineage(kind) if isinstance(kind, Class) else []
    made = (one.table.get("__init__") for one in every if isinstance(one, Class))
    texts = [one.unit.text_of(one.node) for one in made if isinstance(one, Function)]
    return any(re.search(rf"\b\w+\.{name}\s*=[^=]", text) for text in texts)
