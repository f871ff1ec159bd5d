"""Running a model on data (fit, predict ...), and saving it: as compile() and the scopes that are open say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.context import (
    devices,
    execution_context,
    gradients,
    graph_mode,
    late_weights,
    recorder,
)
from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.context.scoped import AT_CALL
from cudnnlint.frontends.source.keras import handed_out, layers, model_files, models, padding, stops
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Site
from cudnnlint.frontends.source.keras.tensors import fresh
from cudnnlint.frontends.source.python import classes, containers, functions
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
    Class,
    Const,
    Function,
    Instance,
    Library,
    Listing,
    UnknownValue,
    Value,
    identity,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The method of an own model that takes the place of Keras's step, for each method that runs a model.
STEPS = {
    **dict.fromkeys(("fit", "fit_generator", "train_on_batch"), "train_step"),
    **dict.fromkeys(("evaluate", "test_on_batch"), "test_step"),
    **dict.fromkeys(("predict", "predict_on_batch"), "predict_step"),
}
#: The cells of a model that say that fit() or the like ran it, and that it was compiled.
FED = "·fed"


def on_data(run: Interpreter, model: Instance, name: str, data: Value, origin: Origin) -> None:
    """Run `model.fit(data)` and the like."""
    run.journal.write(model.table, FED, Const(True))
    devices.initialised(run)
    ends = stops.by_place(model, data)
    given = {**({"run_stops": ends[0]} if ends else {}), **late_weights.of_run(model), **graph_mode.of_run(run, name)}
    with execution_context.entered(run, model, given):
        padded = padding.known_in(data)
        handed_out.fed(run, model, data)
        (state_of(run).padded if padded else state_of(run).unpadded).update(models.inputs_of(run, model))
        step = STEPS.get(name, "")
        if not padded and not _first(run, model, step):
            return
        if models.is_functional(model) and not padded:
            describe(run, model)
        elif models.is_model(model):
            models.run_model(run, model, data, origin)
        else:
            run.call(model, Arguments([data]), origin)
        _own_step(run, model, step, origin)


def _first(run: Interpreter, model: Instance, step: str) -> bool:
    """Return whether a model with these layers and attributes is run so for the first time in this execution context.

    In a loop it need not be run again.
    """
    found = [(name, execution_context.now(run, name)) for name in (*AT_CALL, gradients.OPEN)]
    said = tuple((name, *map(identity, options(value))) for name, value in found if value is not None)
    listing = model.table.get(models.LAYERS)
    inner = containers.contents_of(listing) if isinstance(listing, Listing) else model.table.get(models.OUTPUTS)
    state = tuple(entry for entry in model.table.items() if not str(entry[0]).startswith("·"))
    before = len(context_of(run).fed)
    context_of(run).fed.add((model.table, step, said, inner, state))
    return len(context_of(run).fed) > before


def _own_step(run: Interpreter, model: Instance, name: str, origin: Origin) -> None:
    found = classes.search(model.kind, name) if isinstance(model.kind, Class) else None
    if found is not None and isinstance(found[0], Function) and isinstance(found[1], Class):
        run.call(functions.as_method(found[0], found[1]), Arguments([model, fresh()]), origin)


def describe(run: Interpreter, model: Instance) -> None:
    """Give the calls in a functional model's graph, which describes the model, the execution context of this run."""
    for source in models.sources_of(run, model):
        event = context_of(run).events.get(id(source.inputs))
        if event is not None and isinstance(source.layer, Instance):
            _, site, seen = event
            seen.runs.append(recorder.at_call(run, source.layer, site, symbolic=False))


def finish(run: Interpreter) -> None:
    """Run the functional models that were compiled, or made in a device scope, and never fed: other code will."""
    for model in state_of(run).models:
        if execution_context.is_configured(model) and model.table.get(FED) is None and models.is_functional(model):
            run.journal.write(model.table, FED, Const(True))
            with execution_context.somewhere(run, model):
                describe(run, model)


#: Functions that take a model as it is traced, and write it or look into it: what reads the graph.
READERS: Mapping[str, str] = {
    "tensorflow.saved_model.save": "graph",
    "tensorflow.lite.TFLiteConverter.from_keras_model": "tflite",
    "tf2onnx.convert.from_keras": "onnx",
    "keras2onnx.convert_keras": "onnx",
    "shap.DeepExplainer": "shap",
    "shap.GradientExplainer": "shap",
}


def saved(run: Interpreter, model: Value, origin: Origin, reader: str | None = None, by: str = "") -> None:
    """Record on each layer of a model the call that saves it, or that exports its graph for a `reader`."""
    call = Const(f"{by}{origin}", at=origin)
    said = {"saved": call} if reader is None else {"exported_by": call, "graph_reader": Const(reader, at=origin)}
    for site in _sites(run, model, set()):
        for name, value in said.items():
            before = site.context.get(name)
            site.context[name] = value if before is None else join([before, value])


def saving(reader: str | None = None) -> Callable[[Interpreter, Arguments, Origin], Value]:
    """Return what evaluates a function that saves a model, or exports its graph for a `reader`.

    It is `save_model(model, path)`, `tf.saved_model.save(model, path)` or `TFLiteConverter.from_keras_model(model)`.
    """

    def evaluate(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
        model = arguments.get(0, "model") or arguments.get(0, "obj") or NONE
        saved(run, model, origin, reader)
        model_files.saved(run, model, arguments.get(1, "filepath"))
        return UnknownValue("is the result of saving a model")

    return evaluate


def exporting(run: Interpreter, receiver: Instance, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `ExportArchive().track(model)`; None for any other method."""
    archive = isinstance(receiver.kind, Library) and receiver.kind.name.endswith(".ExportArchive")
    if not archive or name not in ("track", "track_and_add_endpoint"):
        return None
    saved(run, arguments.get(0 if name == "track" else 1, "resource") or NONE, origin, "graph", "ExportArchive: ")
    return NONE


def _sites(run: Interpreter, model: Value, seen: set[int]) -> Iterator[Site]:
    """Yield the sites of the layers in a model, in a user's layer, or in a wrapper."""
    for option in options(model):
        if not isinstance(option, (Instance, Listing)) or id(option.table) in seen:
            continue
        seen.add(id(option.table))
        if isinstance(option, Listing):
            for item in containers.contents_of(option).items:
                yield from _sites(run, item, seen)
            continue
        made = layers.made_of(option)
        inner: list[Value] = list(models.layers_of(run, option)) if models.is_model(option) else []
        if made is not None:
            inner += [value for name, value in made.build.arguments.items() if name in ("layer", "backward_layer")]
            if made.site is not None:
                yield made.site
        if isinstance(option.kind, Class):
            inner += [cell_ for name, cell_ in option.table.items() if not str(name).startswith("·")]
        for one in inner:
            yield from _sites(run, one, seen)
