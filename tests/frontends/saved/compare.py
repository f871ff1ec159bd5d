"""Builds random models, saves and loads them, and holds the front end's masks, states and names against the run.

    python tests/frontends/saved/compare.py keras|tf_keras COUNT FOLDER [FIRST_SEED]

Prints every difference; exit status 1 if there is one, or if too few layers were compared.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections import Counter
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path[:0] = [str(Path(__file__).resolve().parents[3]), str(Path(__file__).resolve().parent)]
warnings.simplefilter("ignore")

from observe import RandomModel, Seen, observe, recurrent_layers  # noqa: E402
from packaging.version import Version  # noqa: E402

from cudnnlint.core.fact import Absent, Known  # noqa: E402
from cudnnlint.core.layer import Layer  # noqa: E402
from cudnnlint.core.target import Point  # noqa: E402
from cudnnlint.frontends import saved  # noqa: E402
from cudnnlint.rulebook import loader  # noqa: E402

NAMES = loader.load().tables.names


def predicted(layer: Layer, point: Point) -> list[tuple[bool | None, bool]]:
    """(mask arrives, or None for unknown; state arrives) for each call that holds at `point`."""
    calls = [call for call in layer.calls if call.holds(point)]
    masks = [call.context("mask") for call in calls]
    states = [not isinstance(call.context("initial_state"), Absent) for call in calls]
    known = [mask.value != "none" if isinstance(mask, Known) else None for mask in masks]
    return list(zip(known, states, strict=True))


def differences(path: Path, seen: Seen, point: Point, count: Counter[str]) -> list[str]:
    """One line for each layer where the front end is wrong."""
    layers = {layer.place.layer_path: layer for layer in saved.read(str(path), NAMES).layers}  # type: ignore[union-attr]
    if list(layers) != list(seen):
        return [f"{path.name}: names {list(layers)} should be {list(seen)}"]
    found = []
    for name, layer in layers.items():
        guess, truth = predicted(layer, point), seen[name]
        count.update("unknown" if mask is None else str(mask) for mask, _ in guess)
        repeated = any(wrapper.kind == "TimeDistributed" for wrapper in layer.wrappers)
        if repeated:
            guess, truth = sorted(set(guess), key=str), sorted(set(truth), key=str)
        if not _fits(guess, truth):
            found.append(f"{path.name} {name}: said {guess}, is {truth}")
    return found


def _fits(guess: list[tuple[bool | None, bool]], truth: list[tuple[bool, bool]]) -> bool:
    """Is there an order of the calls in which all agree?"""
    left = list(truth)
    for mask, state in sorted(guess, key=lambda pair: pair[0] is None):
        match = next((one for one in left if one[1] == state and mask in (None, one[0])), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def main(framework: str, models: int, folder: Path, first: int) -> int:
    """Compare `models` models; the number of differences."""
    keras = importlib.import_module(framework)
    if framework == "tf_keras":  # it traces a cuDNN version beside every layer's own, which nothing here looks at
        importlib.import_module("tf_keras.src.layers.rnn.gru_lstm_utils").function_register = lambda *_, **__: None
    point = Point(framework, Version(keras.__version__), "tensorflow", None)
    wrong: list[str] = []
    count: Counter[str] = Counter()
    for seed in range(first, first + models):
        keras.backend.clear_session()
        path = folder / f"model{seed}{'.h5' if seed % 3 == 0 else '.keras'}"
        try:
            RandomModel(keras, seed).build().save(path)
            model = keras.models.load_model(path, compile=False)
            seen = observe(model)
        except (ValueError, TypeError, NotImplementedError, OSError) as error:  # some files Keras cannot load itself
            count[f"not loaded: {type(error).__name__}"] += 1
            print(path.name, str(error).strip().splitlines()[-1][:150], flush=True)
            continue
        assert recurrent_layers(model)
        found = differences(path, seen, point, count)
        print(*found, sep="\n", end="\n" if found else "", flush=True)
        wrong += found
        path.unlink()
    print(dict(count))
    return len(wrong) or int(count["True"] < models or count["False"] < models)


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), int((sys.argv[4:] or ["0"])[0]))))
