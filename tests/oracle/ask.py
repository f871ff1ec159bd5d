"""The oracle: asks the installed Keras itself what each recurrent layer would do on a GPU. No GPU is needed.

Stand-alone: the standard library, the framework, and the files beside it. JSON in, JSON out.

    echo '{"model": "a.keras"}' | python ask.py --framework keras
    echo '[{"script": "a.py"}, {"model": "a.h5"}]' | python ask.py --framework tf_keras

A job is a saved model, or a script that builds models (the one called `model`, else all of them). The answer
to a job: `{"job", "error", "layers"}`; a layer's entry is described in README.md.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import inspect
import json
import os
import sys
import warnings
from typing import Any, Dict, Iterable, Iterator

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from program import Program
from watch import Watch, is_bidirectional, is_recurrent, said

Json = Dict[str, Any]
PHASES = (("training", True), ("inference", False))
TIDIED = 12  # once in so many models the memory is searched for what nobody holds
WORST_FIRST = ("raises", "mixed", "depends")


class Oracle:
    """One framework, watched. Use it as a context manager; ask it about one model after another."""

    def __init__(self, framework: str) -> None:
        self.framework = framework
        self.keras: Any = keras_of(framework)
        self.side: Any = importlib.import_module("on_" + self.backend()).Side(self.keras)
        self.watch: Watch = self.side.watch
        self.own: Json = {}  # the last script's classes
        self.program: Any = None  # the last script
        self.judged: list[Any] = []  # the layers of the last answer
        self.hooks = contextlib.ExitStack()
        self.phases = PHASES
        self.cleared = 0  # how often the framework was made clean
        self.hide_own = False  # are programs with classes of their own not saved?

    def __enter__(self) -> Oracle:
        self.hooks.enter_context(self.watch.hooked(self.keras.layers.Layer))
        self.hooks.enter_context(self.watch.hooked(self.keras.Model))  # TensorFlow 2.1: past Layer's constructor
        return self

    def __exit__(self, *_: object) -> None:
        self.hooks.close()

    def backend(self) -> str:
        """Which backend Keras runs on."""
        return str(self.keras.backend.backend()) if self.version().startswith("3") else "tensorflow"

    def version(self) -> str:
        """Keras's release; `tf.keras` of TensorFlow 2.13 to 2.15 does not know its own."""
        return str(getattr(self.keras, "__version__", None) or sys.modules["keras"].__version__)

    def about(self) -> Json:
        """What was asked: framework, releases, backend."""
        beneath = {name: getattr(sys.modules.get(name), "__version__", None) for name in ("tensorflow", "jax", "torch")}
        return {
            "framework": self.framework,
            "keras": self.version(),
            "backend": self.backend(),
            **beneath,
            "python": sys.version.split()[0],
        }

    def fresh(self) -> None:
        """A clean framework, as in a new process."""
        clear = self.keras.backend.clear_session
        self.cleared += 1
        spared = self.cleared % TIDIED and "free_memory" in inspect.signature(clear).parameters
        clear(**({"free_memory": False} if spared else {}))
        self.watch.forget()
        self.watch.script = None
        self.keras.backend.set_floatx("float32")
        mixed: Any = getattr(self.keras, "mixed_precision", None)
        if hasattr(mixed, "set_global_policy") and not self.version().startswith("3"):
            mixed.set_global_policy("float32")  # Keras 3 forgot it with the session, and takes floatx for it

    def run(self, path: str) -> list[Any]:
        """Execute a script; the models that it leaves behind."""
        try:
            names = self.execute(path, self.side.believing())
        except Exception:  # a step of its own stops on a GPU; then that GPU is found when the models are asked
            names = self.execute(path, contextlib.nullcontext())
        classes = {name: item for name, item in names.items() if isinstance(item, type)}
        self.own = {name: item for name, item in classes.items() if item.__module__ == "__main__"}
        models = [names["model"]] if "model" in names else [item for value in names.values() for item in held(value)]
        return [item for item in models if isinstance(item, self.keras.Model)]

    def execute(self, path: str, around: Any) -> Json:
        """A script's names after it ran."""
        self.fresh()
        self.watch.script = os.path.abspath(path)
        self.program = Program(path)
        names: Json = {"__name__": "__main__", "__file__": self.watch.script}
        with around, self.program.traced():
            exec(self.program.code, names)
        return names

    def paddings(self, path: str) -> list[list[str]]:
        """How the data that the script itself brings is padded: for every recurrent layer, as they were built."""
        self.execute(path, self.side.stepping_eagerly())
        return [sorted(self.watch.paddings.get(id(layer), ())) for layer in self.recurrent()]

    def recurrent(self) -> list[Any]:
        """The recurrent layers built so far, in order."""
        return [layer for layer, _ in self.watch.lines.values() if is_recurrent(layer)]

    def load(self, path: str, custom: Json | None = None) -> list[Any]:
        """Load a saved model, with the script's own classes where they are given."""
        self.fresh()
        load = self.keras.models.load_model
        trusting = {"safe_mode": False} if "safe_mode" in inspect.signature(load).parameters else {}
        with self.side.believing():
            return [load(path, custom_objects=custom, compile=False, **trusting)]

    def judge(self, models: list[Any]) -> list[Json]:
        """What each recurrent layer of the models would do on a GPU; one that several of them share is one entry."""
        places: dict[int, Any] = {}
        asked: Json = {phase: {"graph": [], "eager": []} for phase, _ in self.phases}
        for model in distinct(models):
            here = list(walk(model, ()))
            for place in here:
                places.setdefault(id(place[0]), place)
            for phase, flag in self.phases:
                answer = self.side.ask(model, [layer for layer, _, _ in here], flag)
                for mode, calls in answer.items():
                    asked[phase][mode] += calls
        self.judged = [layer for layer, _, _ in places.values()]
        return [self.entry(layer, path, wrapper, asked) for layer, path, wrapper in places.values()]

    def built(self) -> list[list[int]]:
        """Where the script built a recurrent layer, used or not: its lines, innermost first, each place once."""
        wrappers = [layer for layer, _ in self.watch.lines.values() if is_bidirectional(layer)]
        copies = {id(child) for wrapper in wrappers for child in children(wrapper)}
        every = [lines for layer, lines in self.watch.lines.values() if is_recurrent(layer) and id(layer) not in copies]
        return [list(lines) for lines in dict.fromkeys(map(tuple, every)) if lines]

    def entry(self, layer: Any, path: tuple[str, ...], wrapper: Any, asked: Json) -> Json:
        """All that is known of one layer."""
        written = self.written(layer, wrapper)
        lines = self.lines(written)
        result: Json = {
            "layer_path": "/".join(path),
            "name": layer.name,
            "class_name": type(layer).__name__,
            "direction": direction(layer, wrapper),
            "row": lines[0] if lines else None,
            "column": self.watch.columns.get(id(written)) if lines else None,
            "via": lines[1:],
        }
        for mode in ("graph", "eager"):
            calls = {phase: calls_of(asked[phase][mode], layer, wrapper) for phase in asked}
            result.update(self.mode(mode, calls))
        return result

    def mode(self, mode: str, calls: dict[str, list[Json]]) -> Json:
        """One mode of execution: its verdict, and what it rests on."""
        every = [call for phase in calls.values() for call in phase]
        return {
            mode: across(across(verdict(call["routes"]) for call in phase) for phase in calls.values()),
            mode + "_detail": {
                "routes": {phase: [call["routes"] for call in found] for phase, found in calls.items()},
                "masked": any(call["masked"] for call in every),
                "fused": any(call["fused"] for call in every),
                "error": first(call["error"] for call in every),
                "defect": first(call["defect"] for call in every),
                "device": first(call["device"] for call in every),
                "raises_in": [phase for phase, found in calls.items() if raises(found)],
            },
        }

    def written(self, layer: Any, wrapper: Any) -> Any:
        """The layer that the script wrote: for a copy in a Bidirectional, what was copied."""
        forward, backward = self.watch.wrapped.get(id(wrapper), (None, None))
        if wrapper is None or forward is None:
            return layer
        return backward if backward is not None and layer is wrapper.backward_layer else forward

    def lines(self, layer: Any) -> list[int]:
        """The script's lines that built a layer, innermost first."""
        found = self.watch.lines.get(id(layer))
        return found[1] if found else []


def held(value: Any) -> list[Any]:
    """A value, or what is in it."""
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, (list, tuple)) else [value]


def distinct(items: list[Any]) -> list[Any]:
    """Each object once."""
    return list({id(item): item for item in items}.values())


def keras_of(framework: str) -> Any:
    """The Keras that a framework's name means."""
    if framework == "tensorflow":
        return importlib.import_module("tensorflow").keras
    return importlib.import_module(framework)


def named_keras(description: str | None) -> tuple[str, Any]:
    """The framework that the command line names by `--framework`, and its Keras; warnings are ignored from here on."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--framework", default="keras", choices=("keras", "tf_keras", "tensorflow"))
    warnings.simplefilter("ignore")
    framework = parser.parse_args().framework
    return framework, keras_of(framework)


def asked_of(framework: str, keras: Any) -> Json:
    """What was asked, as the records of single facts have it; no TensorFlow beneath torch and JAX."""
    backend = keras.backend.backend() if hasattr(keras.backend, "backend") else "tensorflow"
    beneath = importlib.import_module("tensorflow").__version__ if backend == "tensorflow" else ""
    release = str(getattr(keras, "__version__", ""))
    return {"framework": framework, "keras": release, "tensorflow": beneath, "backend": backend}


def walk(layer: Any, path: tuple[str, ...], wrapper: Any = None, seen: set[int] | None = None) -> Iterator[Any]:
    """Every recurrent layer below a model, once: (layer, names from the root, its Bidirectional or None)."""
    seen = set() if seen is None else seen
    if id(layer) in seen:
        return
    seen.add(id(layer))
    if is_recurrent(layer):
        yield layer, path, wrapper
        return
    for child in children(layer):
        yield from walk(child, (*path, child.name), layer if is_bidirectional(layer) else None, seen)


def children(layer: Any) -> list[Any]:
    """The layers directly inside a layer, in the order of the model."""
    if is_bidirectional(layer):
        return [layer.forward_layer, layer.backward_layer]
    if hasattr(layer, "layers"):
        return list(layer.layers)
    if hasattr(layer, "layer"):
        return [layer.layer]
    inner = getattr(layer, "_layers", None) or getattr(layer, "_self_tracked_trackables", None) or []
    return [item for item in inner if hasattr(item, "name") and hasattr(item, "call")]


def direction(layer: Any, wrapper: Any) -> str | None:
    """Which direction of a Bidirectional it is, if any: an explicit backward layer may have any name."""
    if wrapper is None:
        return None
    return "forward" if layer is wrapper.forward_layer else "backward"


def calls_of(calls: list[Json], layer: Any, wrapper: Any) -> list[Json]:
    """The calls that are a layer's: its own, and its wrapper's where that ran both directions as one."""
    return [call for call in calls if call["layer"] is layer or (call["layer"] is wrapper and call["fused"])]


def verdict(routes: dict[str, str]) -> str:
    """One call's verdict: data decides where the masks' routes differ."""
    return next(iter(routes.values())) if len(set(routes.values())) == 1 else "depends"


def across(verdicts: Iterable[str]) -> str:
    """Several calls or phases as one: equal ones stand, else the worst; a mere difference is `mixed`."""
    found = set(verdicts) - {"uncalled"}
    if len(found) < 2:
        return found.pop() if found else "uncalled"
    return next((word for word in WORST_FIRST if word in found), "mixed")


def raises(calls: list[Json]) -> bool:
    """Whether any call raises, with any mask."""
    return any("raises" in call["routes"].values() for call in calls)


def first(items: Iterable[str | None]) -> str | None:
    """The first that is there."""
    return next((item for item in items if item), None)


def answer(oracle: Oracle, job: Json) -> Json:
    """One job, done; what goes wrong is part of the answer."""
    result: Json = {"job": job, "error": None, "layers": []}
    try:
        models = oracle.load(job["model"]) if "model" in job else oracle.run(job["script"])
        result["layers"] = oracle.judge(models)
    except Exception as error:
        result["error"] = said(error)
    return result


def jobs_in(text: str) -> list[Json]:
    """A list of jobs, or one job a line."""
    if text.lstrip().startswith("["):
        return list(json.loads(text))
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def main() -> None:
    """Read jobs, write answers: one JSON object with `about` and `answers`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--framework", default="keras", choices=("keras", "tf_keras", "tensorflow"))
    parser.add_argument("--brief", action="store_true", help="only the step that fit runs")
    options = parser.parse_args()
    with contextlib.redirect_stdout(sys.stderr), Oracle(options.framework) as oracle:
        if options.brief:
            oracle.phases, oracle.side.eagerly = PHASES[:1], False
        answers = [answer(oracle, job) for job in jobs_in(sys.stdin.read())]
        about = oracle.about()
    json.dump({"about": about, "answers": answers}, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
