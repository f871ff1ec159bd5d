"""Files that old releases themselves wrote, converted, and held against what the same release computed on a CPU.

In an environment of each release (TensorFlow 2.1 to 2.15, Python 3.7 and later), then once in today's:

    python tests/rewriters/saved/legacy_releases.py write DIR/2.8.4 32
    python tests/rewriters/saved/legacy_releases.py judge DIR fixtures/evidence/convert_releases.json

`write` builds the recipes of `legacy_models` with that release's own Keras: a file with CuDNN layers, its inputs, and
the outputs of the same model with LSTM and GRU, into which that release's own `load_weights` brought the weights.
(tensorflow-2.8.4-masked_attention.h5 in fixtures/saved/legacy is one of these.)
"""

from __future__ import annotations

import collections
import json
import os
import sys
import tempfile
import types
from pathlib import Path
from typing import Any

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

import numpy
import tensorflow


def pose() -> None:
    """Let this release's Keras stand where the recipes import tf_keras."""
    old = tensorflow.compat.v1.keras.layers
    names = {
        "cudnn_gru": {"CuDNNGRU": old.CuDNNGRU},
        "cudnn_lstm": {"CuDNNLSTM": old.CuDNNLSTM},
        "gru_v1": {"GRU": old.GRU},
        "lstm_v1": {"LSTM": old.LSTM},
    }
    sys.modules["tf_keras"] = tensorflow.keras
    package = types.ModuleType("tf_keras.src.layers.rnn")
    for name, found in names.items():
        module = types.ModuleType(f"{package.__name__}.{name}")
        vars(module).update(found)
        setattr(package, name, module)
        sys.modules[module.__name__] = module
    for name in ("tf_keras.src", "tf_keras.src.layers"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules[package.__name__] = package


def write(folder: Path, count: int) -> int:
    """Write `count` models of the release that runs this; what it does not have is told and left out."""
    pose()
    import legacy_models as models
    import legacy_wiring  # noqa: F401  # its recipes join the others

    folder.mkdir(parents=True, exist_ok=True)
    release = tensorflow.__version__
    archives = tuple(int(number) for number in release.split(".")[:2]) >= (2, 12)
    left_out = {}
    for seed in range(count):
        recipe = models.RECIPES[seed % len(models.RECIPES)].__name__
        path = folder / f"{seed}-{recipe}{'.keras' if archives and seed % 2 else '.h5'}"
        try:
            write_one(models, seed, path)
        except (AttributeError, TypeError, ValueError, NotImplementedError, RuntimeError, ImportError) as error:
            left_out[path.name] = f"{type(error).__name__}: {error}"[:200]
            path.unlink() if path.exists() else None
        print(path.name, left_out.get(path.name, ""), file=sys.stderr)
    (folder / "release.json").write_text(json.dumps({"release": release, "left_out": left_out}))
    return 0


def write_one(models: Any, seed: int, path: Path) -> None:
    """One model: the file, and beside it NAME.npz with inputs and outputs."""
    model = models.build(seed, cudnn=True)
    models.fill(model, seed)
    model.save(str(path))
    weights = str(path.with_suffix(".weights-as.h5"))
    model.save_weights(weights)
    truth = models.build(seed, cudnn=False)
    truth.load_weights(weights)
    os.unlink(weights)
    batch = models.data(truth, seed)
    named = sorted(truth.input) if isinstance(truth.input, dict) else []
    arrays = {f"input_{named[index] if named else index}": one for index, one in enumerate(batch)}
    for run, outputs in enumerate(models.run(truth, batch, named)):
        arrays.update({f"output_{run}_{index}": array for index, array in enumerate(outputs)})
    numpy.savez_compressed(str(path.with_suffix(".npz")), **arrays)


def judge_one(path: Path, folder: Path) -> dict[str, Any]:
    """Convert one file, load it in Keras 3 and compare."""
    import keras
    from legacy_judge import apart
    from legacy_models import run
    from saved_samples import convert_here

    from cudnnlint.core.errors import Refused

    with numpy.load(path.with_suffix(".npz")) as file:
        given = {key[len("input_") :]: file[key] for key in file.files if key.startswith("input_")}
        expected = [[file[key] for key in file.files if key.startswith(f"output_{time}_")] for time in (0, 1)]
    named = [] if "0" in given else sorted(given)
    record: dict[str, Any] = {"recipe": path.stem.partition("-")[2], "file": path.name}
    try:
        result, outcome = convert_here(path, folder, (".keras", ".h5")[int(path.stem.partition("-")[0]) % 3 == 0])
    except Refused as refusal:
        return {**record, "refused": str(refusal)}
    found = run(keras.saving.load_model(result, compile=False), [given[key] for key in named or sorted(given)], named)
    far = max(apart(one, two) for one, two in zip(expected, found, strict=True))
    cudnn = sum("CuDNN" in change for change in outcome.changes)
    return {**record, "difference": far, "cudnn": cudnn, "warnings": outcome.warnings}


def judge(folder: Path, report: Path | None) -> int:
    """Judge the files of every release below `folder`."""
    summary: dict[str, Any] = {}
    worst = 0.0
    for about in sorted(folder.glob("*/release.json"), key=lambda path: json.loads(path.read_text())["release"]):
        told = json.loads(about.read_text())
        found = []
        for path in sorted(path for path in about.parent.iterdir() if path.with_suffix(".npz").exists()):
            if path.suffix == ".npz":
                continue
            with tempfile.TemporaryDirectory() as scratch:
                found.append(judge_one(path, Path(scratch)))
            print(told["release"], found[-1], file=sys.stderr)
        half = [record["difference"] for record in found if record["recipe"] == "half_precision"]
        compared = [record for record in found if "difference" in record and record["recipe"] != "half_precision"]
        summary[told["release"]] = {
            "files": len(found),
            "compared": len(compared) + len(half),
            "largest_difference_in_float16": max(half, default=None),
            "with_cudnn_layers": sum(record["cudnn"] > 0 for record in compared),
            "largest_difference": max(record["difference"] for record in compared),
            "refused": dict(collections.Counter(record["refused"] for record in found if "refused" in record)),
            "not_in_this_release": len(told["left_out"]),
        }
        worst = max(worst, summary[told["release"]]["largest_difference"])
    text = json.dumps(summary, indent=1)
    if report is not None:
        report.write_text(text + "\n")
    print(text)
    return int(worst > 1e-6)  # float16, which TensorFlow rounds otherwise from release to release, is told apart


if __name__ == "__main__":
    where = Path(sys.argv[2])
    if sys.argv[1] == "write":
        sys.exit(write(where, int(sys.argv[3])))
    sys.exit(judge(where, Path(sys.argv[3]) if len(sys.argv) > 3 else None))
