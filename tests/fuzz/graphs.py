"""Small models as configurations: layers of others in a graph that may be cyclic, broken, or repeat itself."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from mutations import STRANGE

NAMES = ["a", "b", "c", "d", "lstm", "in", ""]


def layers_of(configs: list[bytes]) -> list[Any]:
    """Every serialised layer in some configurations, the small ones."""
    found, waiting = [], [json.loads(data) for data in configs]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(one.values())
            if isinstance(one.get("class_name"), str) and isinstance(one.get("config"), dict) and len(str(one)) < 3000:
                found.append(one)
        elif isinstance(one, list):
            waiting.extend(one)
    return sorted(found, key=lambda one: json.dumps(one, sort_keys=True))


def woven(layers: list[Any], draw: Random) -> Any:
    """A Sequential or Functional model of a few layers, of Keras 2 or 3, perhaps with models inside."""
    return _model(layers, draw, draw.choice([0, 0, 0, 1, 3]), draw.random() < 0.5)


def _model(layers: list[Any], draw: Random, depth: int, new: bool) -> Any:
    few = [_layer(layers, draw, depth, new) for _ in range(draw.choice([1, 2, 2, 3, 5]))]
    if draw.random() < 0.1:
        few *= draw.choice([2, 20])  # the same names again
    name = draw.choice(NAMES)
    if draw.random() < 0.35:
        return {"class_name": "Sequential", "config": {"name": name, "layers": few}, **_module(new, "Sequential")}
    for at, one in enumerate(few):
        one["name"] = one["config"]["name"] = (
            draw.choice(NAMES) if draw.random() < 0.1 else f"{NAMES[at % 6]}{at // 6 or ''}"
        )
    names = [one["name"] for one in few]
    for at, one in enumerate(few):
        one["inbound_nodes"] = [_node(names, at, draw, new) for _ in range(draw.choice([0, 1, 1, 1, 2]))]
    ends = [[draw.choice(names), draw.choice([0, 0, 0, 1]), 0] for _ in range(draw.choice([0, 1, 1, 2]))]
    config = {"name": name, "layers": few, "input_layers": [[names[0], 0, 0]], "output_layers": ends}
    for key in list(config):
        if draw.random() < 0.02:
            del config[key]
    return {"class_name": draw.choice(["Functional", "Model"]), "config": config, **_module(new, "Functional")}


def _module(new: bool, name: str) -> dict[str, Any]:
    return {"module": "keras", "registered_name": name} if new else {}


def _layer(layers: list[Any], draw: Random, depth: int, new: bool) -> Any:
    if depth and draw.random() < 0.4:
        return _model(layers, draw, depth - 1, new)
    one = json.loads(json.dumps(draw.choice(layers)))
    for _ in range(draw.choice([0, 0, 0, 1, 2])):
        inner = json.loads(json.dumps(draw.choice(layers)))
        key = draw.choice(["layer", "cell", "backward_layer", "cells", "activation", "dtype", "units", "mask"])
        one["config"][key] = draw.choice([inner, [inner, inner], draw.choice(STRANGE)])
    return one


def _node(names: list[str], at: int, draw: Random, new: bool) -> Any:
    """What a layer is called on: mostly layers before it, sometimes later ones, itself, or none that is there."""

    def history() -> list[Any]:
        before = names[:at] if at and draw.random() < 0.9 else [*names, "gone"]
        return [draw.choice(before), draw.choice([0, 0, 0, 0, 1, -1, 10**9]), draw.choice([0, 0, 0, 0, 1])]

    def tensor() -> Any:
        shape = draw.choice([[None, 3, 4], [None, None], None, [], [2**63]])
        config = {"shape": shape, "dtype": draw.choice(["float32", "int64", "é"]), "keras_history": history()}
        return {"class_name": "__keras_tensor__", "config": config}

    kwargs = {draw.choice(["mask", "training", "initial_state", "x"]): tensor() if new else history() for _ in
              range(draw.choice([0, 0, 0, 1]))}  # fmt: skip
    several = draw.choice([1, 1, 1, 2, 3])
    if new:
        given: list[Any] = [tensor() for _ in range(several)]
        return {"args": [given] if draw.random() < 0.3 else given, "kwargs": kwargs}
    return [[*history(), kwargs] for _ in range(several)]
