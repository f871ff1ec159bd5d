"""Modules for drawn programs: a Keras that records what its layers are constructed with, and one that is not followed.

`elsewhere` changes what it is given, as a package that is not read may do.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from types import ModuleType
from typing import Any

POSITIONAL = ("units", "activation", "recurrent_activation", "use_bias")
#: A layer that was constructed: its class, and its arguments by name.
Made = tuple[str, dict[str, Any]]


def keras(made: list[Made]) -> dict[str, ModuleType]:
    """Return fresh modules of Keras and TensorFlow, whose recurrent layers add what they are given to `made`."""

    class Layer:
        def __init__(self, *given: Any, **named: Any) -> None:
            self.given = dict(zip(POSITIONAL, given, strict=False)) | named

        def __getattr__(self, name: str) -> Any:
            try:
                return self.__dict__["given"][name]
            except KeyError:
                raise AttributeError(name) from None

        def __call__(self, *tensors: Any, **more: Any) -> Any:
            return tensors

        def get_config(self) -> dict[str, Any]:
            return dict(self.given)

        @classmethod
        def from_config(cls, config: dict[str, Any]) -> Any:
            return cls(**config)

    class Recurrent(Layer):
        name_in_keras = ""

        def __init__(
            self, units: Any = None, activation: Any = None, recurrent_activation: Any = None, use_bias: Any = None,
            unroll: Any = None, go_backwards: Any = None, name: Any = None, **more: Any,
        ) -> None:  # fmt: skip
            named = locals() | more
            shown = ("units", "activation", "recurrent_activation", "use_bias", "unroll", "go_backwards", "name", *more)
            super().__init__(**{key: named[key] for key in shown if named[key] is not None})
            made.append((self.name_in_keras, self.given))

    layers: dict[str, Any] = {
        name: type(name, (Recurrent,), {"name_in_keras": name}) for name in ("LSTM", "GRU", "SimpleRNN")
    }
    layers |= {name: type(name, (Layer,), {}) for name in ("Dense", "Bidirectional", "TimeDistributed", "Input")}
    layers["Layer"] = Layer
    layers["deserialize"] = lambda config: layers[config["class_name"]].from_config(config["config"])

    class Model(Layer):
        def add(self, layer: Any) -> None:
            pass

    inner = _module("keras.layers", layers)
    top = _module("keras", {"layers": inner, "Sequential": Model, "Model": Model, "Input": Layer})
    flow = _module("tensorflow", {"keras": top})
    found = {"keras": top, "keras.layers": inner, "tensorflow": flow}
    return found | {"tensorflow.keras": top, "tensorflow.keras.layers": inner}


def elsewhere() -> dict[str, ModuleType]:
    """Return a fresh package that changes what it is given, at once or later."""
    kept: list[Any] = []
    hooks: list[Any] = []

    def fill(*given: Any, **named: Any) -> None:
        for one in given:
            _change(one, named.get("unroll", 77))
        for one in named.values():
            _change(one, 77)

    class Thing:
        def __init__(self, target: Any) -> None:
            self.target = target

        def run(self) -> None:
            fill(self.target)
            getattr(self, "step", int)()

        def poke(self) -> None:
            self.target.go()

        def close(self) -> None:
            fill(self.target)

    class Observer:
        cfg: Any = None

        def fire(self) -> None:
            fill(self.cfg)

    class Signal:
        def connect(self, function: Any) -> None:
            kept.append(function)

        def send(self) -> None:
            flush()

    def run(*given: Any, callback: Any = None) -> None:
        (callback or given[0])(*given[1:])

    def flush() -> None:
        for one in [*kept, *hooks]:
            fill(one)

    def registering(function: Any) -> Any:
        kept.append(function)
        return function

    def setting(**named: Any) -> Any:
        def wrap(made: Any) -> Any:
            for key, value in named.items():
                setattr(made, key, value)
            return made

        return wrap

    def wrapping(function: Any) -> Any:
        @functools.wraps(function)
        def inner(*given: Any, **named: Any) -> Any:
            function(*given, **named)

        return inner

    @contextlib.contextmanager
    def touching(target: Any) -> Iterator[Any]:
        yield target
        fill(target)

    @contextlib.contextmanager
    def swallowing() -> Iterator[None]:
        with contextlib.suppress(Exception):
            yield

    def walk(target: Any) -> Iterator[int]:
        fill(target)
        yield 1

    def fail(target: Any) -> None:
        fill(target)
        raise ValueError("no")

    def answer(value: Any) -> Any:
        def asked(target: Any = None) -> Any:
            fill(target)
            return value

        return asked

    def rolled(target: list[Any]) -> list[Any]:
        target.append(77)
        return [77, 78]

    def filled(target: Any) -> Any:
        fill(target)
        return target

    def names_of_caller() -> None:
        sys._getframe(1).f_globals["rate"] = 77

    def plug(target: Any) -> None:
        names = target if isinstance(target, dict) else vars(target)
        names["rate"] = 77
        fill(names.get("cfg"), names.get("holder"))

    parser = ArgumentParser()
    parser.add_argument("--unroll", type=int, default=77)
    module = _module("elsewhere", {
        "fill": fill, "Thing": Thing, "Observer": Observer, "signal_": Signal(), "run_it": run, "flush_it": flush,
        "keep": kept.append, "registering": registering, "setting": setting, "wrapping": wrapping, "parser": parser,
        "touching": touching, "swallowing": swallowing, "walk": walk, "fail": fail, "done_with": answer(True),
        "yes_or": answer(0), "filled": filled, "pair_of": lambda n: (n, n + 1), "rolled": rolled,
        "get_rate": lambda n: n + 1, "plugin_main": plug, "frame_hack": names_of_caller, "yaml_like": fill,
        "ctypes_like": fill, "sort_it": lambda target: target.sort(reverse=True), "HOOKS": hooks, "TABLE": {},
        "module_of": lambda target: sys.modules["elsewhere"], "same": lambda target: target,
    })  # fmt: skip
    module.__dict__["touch_current"] = lambda: fill(module.__dict__["CURRENT"])
    module.__dict__["touch_table"] = lambda: fill(*module.__dict__["TABLE"].values())
    merging = _module("mergedeep", {"merge": lambda target, *others: [target.update(one) for one in others]})
    return {"elsewhere": module, "mergedeep": merging}


def _module(name: str, names: dict[str, Any]) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(names)
    return module


def _change(target: Any, value: Any, depth: int = 0) -> None:
    """Change everything that a value leads to, and call what can be called."""
    if depth > 4:
        return
    if isinstance(target, dict):
        target["unroll"] = value
        inside = list(target.values())
    elif isinstance(target, list):
        inside = list(target)
        target[:1] = [value]
    elif hasattr(target, "__dict__") and not callable(target) and not isinstance(target, ModuleType):
        inside = list(vars(target).values())
        target.unroll = value
        getattr(target, "go", int)()
    else:
        inside = list(target) if isinstance(target, tuple) else []
        if callable(target) and getattr(target, "__module__", "") == "__main__":
            target()
    for one in inside:
        _change(one, value, depth + 1)
