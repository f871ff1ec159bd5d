"""The functions that a layer is given as its activations: which of them the target takes for tanh and sigmoid."""

from __future__ import annotations

from cudnnlint.core.fact import Absent, Assumed, Fact, Known, Opaque, Ref, Unknown, alternatives, one_of, place_of
from cudnnlint.core.keras_packages import package_of
from cudnnlint.core.layer import Call, Construction
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.tables import Tables
from cudnnlint.core.target import Point

FUNCTIONS = ("activation", "recurrent_activation")
MEANS = {"activation": "tanh", "recurrent_activation": "sigmoid"}


def settled(
    arguments: dict[str, Fact], made: Construction, call: Call, point: Point, tables: Tables
) -> dict[str, Fact]:
    """Return the arguments, in which the functions that the target takes for tanh and sigmoid have these names."""
    given = {name: arguments[name] for name in FUNCTIONS if name in arguments}
    named = {name: _as_registered(fact, call, point, tables) for name, fact in given.items()}
    found = {name: identify(fact, MEANS[name], point, tables, made.path) for name, fact in named.items()}
    return {**arguments, **found}


def _as_registered(fact: Fact, call: Call, point: Point, tables: Tables) -> Fact:
    """Return an activation given by its name as the function that the program registered under it, if it did."""
    if not any(entry.scope.holds(point) for entry in tables.registries):
        return fact
    own = {means: call.context(f"named_{means}") for means in MEANS.values()}
    found: list[Fact] = []
    for single in alternatives(fact):
        text = single.value if isinstance(single, (Known, Assumed)) and isinstance(single.value, str) else ""
        registered = own.get(text, Absent())
        found += [single if isinstance(one, Absent) else one for one in alternatives(registered)]
    return one_of(found, getattr(fact, "because", ""))


def identify(fact: Fact, means: str, point: Point, tables: Tables, path: str = "") -> Fact:
    """Return the fact with each library function that the target takes for `means` settled to that string.

    `path` is the dotted name of the layer's class, where that is known.
    """
    apart = point.framework == package_of(path) == "tf_keras"
    found = (_of_other_keras(one) if apart else one for one in alternatives(fact))
    return one_of([_identify(single, means, point, tables) for single in found], getattr(fact, "because", ""))


def _of_other_keras(fact: Fact) -> Fact:
    """Return what a layer of the package tf_keras is given; a function of tf.keras is that of tf_keras or another."""
    given = fact.value if isinstance(fact, (Known, Assumed)) else None
    other = isinstance(given, Ref) and package_of(given.name) == "tensorflow.keras" and ".keras." in given.name
    because = f"{given} is another function, unless TF_USE_LEGACY_KERAS=1 is set"
    return Unknown(because, place_of(fact)) if other else fact


def _identify(fact: Fact, means: str, point: Point, tables: Tables) -> Fact:
    if not isinstance(fact, (Known, Assumed)) or not isinstance(fact.value, Ref):
        return fact
    value = fact.value
    if value.name.split(".")[0] not in tables.names.frameworks:
        return Unknown(f"{value} comes from a package that cudnnlint does not read", fact.place)
    accepted = any(
        canonical(value.name) in identity.accepts
        for identity in tables.identities
        if identity.means == means and identity.scope.holds(point)
    )
    if accepted:
        return replace(fact, value=means, written=str(value)) if isinstance(fact, Known) else replace(fact, value=means)
    stand_in = Opaque(str(value), like=means if value.name.rpartition(".")[2].lower() == means else None)
    return replace(fact, value=stand_in)


def canonical(dotted: str) -> str:
    """One spelling for the module paths that re-export Keras's activations.

    "keras.src.activations.activations.tanh" and "keras.api.activations.tanh" are "keras.activations.tanh".
    """
    parts = dotted.split(".")
    if parts[0] in ("keras", "tf_keras") and "activations" in parts[:-1]:
        return f"{parts[0]}.activations.{parts[-1]}"
    return dotted
