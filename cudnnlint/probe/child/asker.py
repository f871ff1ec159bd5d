"""Works through the items of a job: builds or loads, notes what reaches the layers, and asks each alone."""

from __future__ import annotations

import contextlib
import inspect
import json
import sys
import zipfile
from collections.abc import Iterator
from typing import Any

from .about import keras_of, releases
from .builder import Builder
from .channel import Channel, Json, said
from .feeder import Feeder
from .on_jax import JaxSide
from .on_tensorflow import TensorFlowSide
from .on_torch import TorchSide
from .program import Unusable, has_inputs, run, spec_of
from .recurrent import PACKAGES, is_recurrent, walk, wrapped_both_ways
from .subject import BATCH, PADDINGS, SIZE, STEPS, Notes, Subject

SIDES = {"tensorflow": TensorFlowSide, "jax": JaxSide, "torch": TorchSide}  # type: dict[str, Any]
PHASES = (("training", True), ("inference", False))
UNWRITTEN = ("use_cudnn", "implementation", "autocast")  # what a layer or its cell is given, and no config of it holds
WORKLOAD = (32, 64, 32)  # the same where it is timed: what a GPU needs to have something to do


class Asker:
    """Works through work items in one framework."""

    def __init__(self, job: Json) -> None:
        self.job = job
        self.dry = bool(job["dry"])
        self.stage = "build"  # what is being done with an item: build, call, ask
        self.known = {}  # type: dict[str, Json]  # what equal layers were seen to run, in a dry run
        self.keras = keras_of(job["framework"])
        self.side = SIDES[self.backend()](self.keras, self.dry)
        batch, *others = (BATCH, STEPS, SIZE) if self.dry else WORKLOAD
        self.feeder = Feeder(self.side, (job.get("batch_size") or batch, *others), job.get("input_shape") or [])

    def backend(self) -> str:
        """Return the backend that Keras runs on."""
        version = str(getattr(self.keras, "__version__", "2"))
        return str(self.keras.backend.backend()) if int(version.partition(".")[0]) >= 3 else "tensorflow"

    def about(self) -> Json:
        """Return what is asked: framework, backend, releases, GPUs."""
        return {
            "framework": self.job["framework"],
            "keras": str(getattr(self.keras, "__version__", "")) or None,
            "backend": self.backend(),
            "releases": releases(PACKAGES),
            "python": sys.version.split()[0],
            "gpus": [] if self.dry else self.side.gpus(),
        }

    def work(self, item: Json) -> Json:
        """Return what the recurrent layers of one work item run."""
        self.stage = "build"
        self.side.fresh()
        if "model" in item:
            model = load(self.keras, item["model"])
            feed = self.feeder.for_model(model)
        elif "program" in item:
            with self.side.believing() if self.dry else contextlib.nullcontext():
                model = run(item["program"], self.keras, item["count"])
            feed = self.feeder.for_model(model) if has_inputs(model) else self.feeder.for_layer(model, spec_of(model))
        else:
            self.side.set_policy(item["layer"]["policy"] or "float32")
            model = Builder(self.keras).build(item["layer"])
            feed = self.feeder.for_layer(model, item["layer"])
        places = list(walk(model)) if not is_recurrent(model) else [(model, (model.name,))]
        self.stage = "call"
        subjects = self.note(places, list(wrapped_both_ways(model)), feed)
        self.stage = "ask"
        answers = [self.answer(layer, path, subjects, item) for layer, path in places]
        whole = self.whole(feed) if "model" in item and not self.dry else None
        return {"layers": answers, "whole": whole}

    def note(self, places: Any, both_ways: Any, feed: Any) -> Any:
        """Run once, and note what reaches each recurrent layer.

        Where a Bidirectional runs both directions as one, and calls neither, what reaches it counts for both.
        """
        notes = Notes(self.side)
        with notes.watching([*(layer for layer, _ in places), *(around for _, around in both_ways)]):
            feed(False)
        for layer, around in both_ways:
            notes.subjects.setdefault(id(layer), notes.subjects.get(id(around), []))
        return notes.subjects

    def answer(self, layer: Any, path: Any, subjects: Any, item: Json) -> Json:
        """Return all that one layer runs."""
        asked = item.get("paddings") or PADDINGS
        wanted = [padding for padding in ("none", *self.side.paddings) if padding in asked] or asked[:1]
        own = subjects.get(id(layer), [])
        answer = {
            "layer_path": "/".join(path),
            "name": layer.name,
            "class_name": type(layer).__name__,
            "masked": any(subject.masked for subject in own),
            "ragged": any(subject.ragged for subject in own),
            "calls": [self.modes(subject, wanted) for subject in distinct(own)],
            "seconds": None,
        }
        repeats = int(self.job.get("repeats", 10))
        if repeats and not self.dry and own:
            answer["seconds"] = self.times(layer, own[0], repeats)
        return answer

    def modes(self, subject: Subject, wanted: Any) -> Json:
        """Return what a subject runs, by mode, phase and padding; in a dry run equal layers are asked once."""
        key = fingerprint(subject, wanted) if self.dry else None
        if key is not None and key in self.known:
            return self.known[key]
        found = {
            mode: {phase: self.side.ask(subject, mode, training, wanted) for phase, training in PHASES}
            for mode in self.side.modes
        }
        if key is not None:
            self.known[key] = found
        return found

    def whole(self, feed: Any) -> Json:
        """Run the whole model once in training and once at inference; return the error, or None."""
        try:
            for _, training in PHASES:
                feed(training)
        except Exception as error:
            return said(error)
        return None

    def times(self, layer: Any, subject: Subject, repeats: int) -> Json:
        """Return the seconds of a training step: as it is, in the loop, and in cuDNN (None where it cannot be had)."""
        found = {"route": None, "generic": None, "kernel": None}  # type: dict[str, Any]
        with contextlib.suppress(Exception):
            found["route"] = self.side.seconds(subject, repeats)
        with contextlib.suppress(Exception), refusing(layer):
            found["generic"] = self.side.seconds(subject, repeats)
        with contextlib.suppress(Exception):
            plain = type(layer)(layer.units)
            like = Subject(plain, subject.shape, "float32", False, [])
            plain(self.side.ones(like.shape, "float32"))
            found["kernel"] = self.side.seconds(like, repeats)
        return found


def load(keras: Any, path: str) -> Any:
    """Load a saved model without running code that it carries."""
    if path.endswith(".json"):
        with open(path, encoding="utf-8") as file:
            return keras.models.model_from_json(file.read())
    options = {"compile": False}  # type: dict[str, Any]
    if zipfile.is_zipfile(path) and "safe_mode" in inspect.signature(keras.models.load_model).parameters:
        options["safe_mode"] = True
    return keras.models.load_model(path, **options)


@contextlib.contextmanager
def refusing(layer: Any) -> Iterator[None]:
    """Make a layer do without cuDNN within the context; raise AttributeError where its Keras has no switch for it."""
    name = next(name for name in ("use_cudnn", "_could_use_gpu_kernel", "could_use_cudnn") if hasattr(layer, name))
    before = getattr(layer, name)
    setattr(layer, name, False)
    try:
        yield
    finally:
        setattr(layer, name, before)


def distinct(subjects: Any) -> Any:
    """Return the subjects of one layer that differ in what decides a route."""
    kept = {}  # type: dict[Any, Subject]
    for subject in subjects:
        if not subject.ragged:
            kept.setdefault(subject.kind, subject)
    return list(kept.values())


def fingerprint(subject: Subject, wanted: Any) -> Any:
    """Return a key that is equal for layers that differ in a usual name only; None for a layer without such a key."""
    layer = subject.layer
    name = None if layer.name.isidentifier() else layer.name  # others stop some releases
    try:
        config = json.dumps(dict(layer.get_config(), name=name), sort_keys=True, default=repr)
        unwritten = [getattr(one, name, None) for one in (layer, getattr(layer, "cell", None)) for name in UNWRITTEN]
        return repr((type(layer), unwritten, subject.kind, wanted, config))
    except (NotImplementedError, TypeError, ValueError):
        return None


def ask(job: Json, answers: Channel) -> None:
    """Work through the items. What goes wrong in one is its answer, and the others go on."""
    try:
        asker = Asker(job)
    except (Exception, SystemExit) as error:
        answers.send(fault=said(error))
        return
    answers.send(about=asker.about())
    for item in job["items"]:
        answers.send(begin=item["id"])
        try:
            answers.send(end=item["id"], error=None, **asker.work(item))
        except (Exception, SystemExit) as error:
            own = "program" if isinstance(error, Unusable) else asker.stage
            stage = "import" if isinstance(error, ModuleNotFoundError) else own
            answers.send(end=item["id"], error=said(error), stage=stage, layers=[], whole=None)
