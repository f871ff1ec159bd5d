"""Settle: one variant and one call of a layer, completed by what the target's tables say.

Turns a `Layer` into a `Case` for one exact release: the operation that the class means there, the
defaults of what is not written, the settings that the target drops, and the library functions that
it takes for tanh or sigmoid. Judges nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from cudnnlint.core.fact import (
    ABSENT,
    Absent,
    Assumed,
    Default,
    Fact,
    Known,
    Unknown,
    alternatives,
    one_of,
    values,
)  # fmt: skip
from cudnnlint.core.layer import Call, Construction, Layer, Model
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case
from cudnnlint.core.surroundings import QUIET
from cudnnlint.core.tables import Signature, Tables
from cudnnlint.core.target import Point
from cudnnlint.engine import given_functions, rejected

_QUIET: Mapping[str, Fact] = {name: Default(value) for name, value in QUIET.items()}



def settle(layer: Layer, variant: Construction, call: Call, point: Point, tables: Tables, model: Model) -> Case:
    """Return the case of one variant and one call at one exact release; `model` is the file that holds it."""
    operation, missing = operate(variant, point, tables, model.kind if layer.saved else None)
    signature = tables.signature(operation, point)
    variant = rejected.without_misread(variant, signature)
    lost = _lost(layer, point, tables)
    made = _as_set_after(_as_handed_on(layer, variant, point, tables), point)
    arguments = given_functions.settled(_arguments(made, signature, lost), variant, call, point, tables)
    row, here = tables.row(operation, point), tables.at(point)
    return Case(
        layer=layer,
        construction=variant,
        operation=operation,
        arguments=arguments,
        surroundings=_surroundings(call, lost, point),
        point=point,
        rejected=rejected.names(variant, signature),
        lost=tuple(lost),
        missing=missing,
        moved=_moved(variant, point, tables) if missing and not layer.saved else None,
        gone_cell=None if layer.saved else _gone_cell(variant, point, tables),
        gone_imports=_gone_imports(call, point, tables),
        file_keras=model.hints.keras_version if layer.saved else None,
        dtypes=row.dtypes if row else (),
        fuses=row.fuses if row else False,
        refusals=here.refusals,
        defaults=signature.defaults if signature else {},
        traits=tables.traits, taken=tables.names.taken,
        words=here.words,
    )


def operate(variant: Construction, point: Point, tables: Tables, saved: str | None) -> tuple[str, bool]:
    """Return the operation that the class means at `point`, and whether the target has no such class.

    A saved file's class is found by the loader, not by an import: its path is "saved.h5", "saved.keras", ...
    A graph holds the outcome itself: its path is "graph.op", "graph.pair" or "graph.loop".
    """
    path = variant.path if saved in (None, "savedmodel") else f"saved.{saved}"
    meaning = tables.meaning(path, variant.class_name, point)
    if meaning is None:
        return variant.class_name, False
    return meaning.operation or variant.class_name, meaning.operation is None


def _moved(variant: Construction, point: Point, tables: Tables) -> str | None:
    """Return the public name of a class in a target without the module that the file names; None where it is gone."""
    root = next((root for root in tables.names.roots if variant.path.startswith(f"{root}.")), None)
    if root is None:
        return None
    public = f"{root.replace('.python', '')}.layers.{variant.class_name}"
    meaning = tables.meaning(public, variant.class_name, point)
    there = meaning is None or meaning.operation is not None
    return public if there and public != variant.path else None


def _gone_cell(variant: Construction, point: Point, tables: Tables) -> Construction | None:
    """Return a cell of the layer whose class the target has not, if there is one."""
    found = ((cell, tables.meaning(cell.path, cell.class_name, point)) for cell in variant.cells or ())
    return next((cell for cell, meaning in found if meaning is not None and meaning.operation is None), None)


def _gone_imports(call: Call, point: Point, tables: Tables) -> frozenset[str]:
    """Return the classes that the program imports before the layer is made, and the target has not."""
    named = {name: name.rpartition(".")[2] for text in values(call.context("imports")) for name in str(text).split()}
    found = {name: tables.meaning(name, class_name, point) for name, class_name in named.items()}
    lacking = {name: one for name, one in found.items() if one is not None and one.operation is None}
    gone = {name for name, meaning in lacking.items() if not meaning.imported}
    return frozenset(
        gone | {name for name in found if tables.names.in_no_release(name) or _old(name, point, tables)}
    )


def _old(name: str, point: Point, tables: Tables) -> bool:
    """Return whether an import names a module of old Keras, or of TensorFlow 1, that the target certainly lacks."""
    package, until = tables.names.old_module(name) or ("", point.keras)
    if package == "tensorflow":
        return point.keras_3 and point.backend == package if point.tensorflow is None else point.tensorflow >= until
    return package == point.framework == "keras" and point.keras >= until


def _lost(layer: Layer, point: Point, tables: Tables) -> dict[str, str]:
    """Names of the settings that do not reach the layer, each with what drops it.

    What a file holds does reach it, although Keras 3 writes no such file itself (asked of 3.2.1 to 3.15.1).
    """
    kinds = {wrapper.kind for wrapper in layer.wrappers} | {"always"}
    direction = layer.direction
    if direction is not None and direction.explicit and direction.role == "backward":
        kinds -= {"Bidirectional"}  # an explicit backward layer is used as it is
    return {loss.name: loss.by for loss in tables.losses if loss.by in kinds and loss.scope.holds(point)}


def _as_handed_on(layer: Layer, variant: Construction, point: Point, tables: Tables) -> Construction:
    """Return an explicit backward layer as the Bidirectional leaves it: some settings are the forward layer's.

    This applies to source only: a file no longer has them, and a model in memory shows what they became.
    """
    direction = layer.direction
    if layer.saved or direction is None or direction.sibling is None:
        return variant
    if not direction.explicit or direction.role != "backward":
        return variant
    handed = {h.name for h in tables.handed_on if h.by == direction.kind and h.scope.holds(point)}
    sibling = direction.sibling
    own = tables.signature(sibling.class_name, point)
    handed &= set(own.defaults if own else ())  # a plain RNN has nothing to hand on
    return replace(variant, arguments={**variant.arguments, **{name: sibling.argument(name) for name in handed}})


def _as_set_after(variant: Construction, point: Point) -> Construction:
    """Return a layer with the settings that were changed on it: Keras 3 reads them when it runs, Keras 2 before."""
    if not variant.after or not point.keras_3:
        return variant
    changed = {
        name: one_of(
            [variant.argument(name) if isinstance(single, Absent) else single for single in alternatives(fact)],
            _because(fact),
        )
        for name, fact in variant.after.items()
    }
    return replace(variant, arguments={**variant.arguments, **changed})


def _arguments(variant: Construction, signature: Signature | None, lost: Mapping[str, str]) -> dict[str, Fact]:
    """Return what is written, and then the defaults of the rest."""
    defaults = signature.settled if signature else {}
    unwritten = Unknown(variant.open, variant.place) if variant.open else ABSENT
    settled: dict[str, Fact] = {}
    for name in {**variant.arguments, **defaults}:
        fact = ABSENT if name in lost else variant.arguments.get(name, ABSENT)
        fact = unwritten if isinstance(fact, Absent) and name not in lost else fact
        settled[name] = _complete(fact, name, defaults)
    return settled


def _complete(fact: Fact, name: str, defaults: Mapping[str, Fact]) -> Fact:
    """Return the fact with every Absent in it replaced by the target's default, where it has one."""
    if isinstance(fact, (Known, Assumed, Unknown)) or name not in defaults:
        return fact
    default = defaults[name]
    if isinstance(fact, Absent):
        return default
    return one_of([default if isinstance(single, Absent) else single for single in alternatives(fact)], _because(fact))


def _because(fact: Fact) -> str:
    return getattr(fact, "because", "")


def _surroundings(call: Call, lost: Mapping[str, str], point: Point) -> dict[str, Fact]:
    seen = {name: fact for name, fact in call.surroundings.items() if name in QUIET and name not in lost}
    if point.gpu is not None:
        seen["device"] = _on_that_gpu(seen.get("device", ABSENT), point.gpu)
    return {**_QUIET, **{name: _complete(fact, name, _QUIET) for name, fact in seen.items()}}


def _on_that_gpu(device: Fact, gpu: Assumed | Unknown) -> Fact:
    """Return the device where the project installs TensorFlow for a GPU of another make: a GPU is that one."""
    found: list[Fact] = []
    for single in alternatives(device):
        any_gpu = isinstance(single, Absent) or (isinstance(single, (Known, Assumed)) and single.value in (None, "gpu"))
        found.append(gpu if any_gpu else single)
    return one_of(found, _because(device))
