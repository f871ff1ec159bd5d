"""Converts generated legacy models and loads them in real Keras 3: outputs against tf_keras's own, on a CPU.

    python tests/rewriters/saved/legacy_judge.py 480 fixtures/evidence/convert.json

The old file holds CuDNN layers, which no CPU runs. The truth is the same model with LSTM and GRU, built in tf_keras,
into which tf_keras's own `load_weights` (`hdf5_format.preprocess_weights_for_loading`) brings the old weights: the
layouts come from there and not from us. Models that must be refused are judged too: by the layer that is named.
Some ten minutes of one core. Needs tf_keras, keras and tensorflow; both Kerases run in this one process.
"""

from __future__ import annotations

import collections
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, str(Path(__file__).parent))

import keras
import legacy_wiring  # noqa: F401  # its recipes join the others
import numpy
import tensorflow
import tf_keras
from legacy_models import RECIPES, build, data, fill
from legacy_refusals import REFUSALS
from saved_samples import convert_here, records

from cudnnlint.core.errors import Refused

TOLERANCE = 1e-6
WAYS = [(".h5", ".keras"), (".keras", ".keras"), (".h5", ".h5"), (".keras", ".h5")]


def flat(outputs: Any) -> list[Any]:
    """The arrays of what a model returned."""
    if isinstance(outputs, dict):
        outputs = [outputs[key] for key in sorted(outputs)]
    return [numpy.asarray(part) for part in (outputs if isinstance(outputs, (list, tuple)) else [outputs])]


def apart(one: Any, two: Any) -> float:
    """The largest difference, over all outputs; in units of the largest number where that is beyond 1."""
    pairs = list(zip(flat(one), flat(two), strict=True))
    assert all(a.shape == b.shape and numpy.isfinite(a).all() for a, b in pairs)
    return max(float(numpy.max(numpy.abs(a - b)) / max(1.0, numpy.max(numpy.abs(a)))) for a, b in pairs)


def run(model: Any, batch: list[Any], named: list[str]) -> list[list[Any]]:
    """What the model computes, twice: the second time a stateful one goes on from where it was."""
    tensors = [tensorflow.constant(one) for one in batch]
    given = dict(zip(named, tensors, strict=True)) if named else tensors if len(tensors) > 1 else tensors[0]
    return [flat(model(given, training=False)) for _ in range(2)]


def judge(seed: int, folder: Path) -> dict[str, Any]:
    """One generated model: saved, converted, loaded and compared."""
    old, new = WAYS[(seed // len(RECIPES)) % len(WAYS)]
    record = {"seed": seed, "recipe": RECIPES[seed % len(RECIPES)].__name__, "from": old, "to": new}
    legacy = build(seed, cudnn=True)
    fill(legacy, seed)
    source = folder / f"{seed}{old}"
    legacy.save(source)
    legacy.save_weights(folder / f"{seed}.weights-as.h5")
    truth = build(seed, cudnn=False)
    truth.load_weights(folder / f"{seed}.weights-as.h5")
    batch, named = data(truth, seed), sorted(truth.input) if isinstance(truth.input, dict) else []
    expected = run(truth, batch, named)
    classes = [layer["class_name"] for layer in records(json.loads(legacy.to_json()))]
    record["layers"] = collections.Counter(name for name in classes if name in vars(tf_keras.layers) or "CuDNN" in name)
    try:
        result, outcome = convert_here(source, folder, new)
    except Refused as refusal:
        return {**record, "refused": refusal.reason, "layer": refusal.layer_path}
    loaded = keras.saving.load_model(result, compile=False)
    found = run(loaded, batch, named)
    far = max(apart(a, b) for a, b in zip(expected, found, strict=True))
    spread = max(float(numpy.std(part, axis=0).max()) for part in expected[0])
    return {**record, "difference": far, "spread": spread, "warnings": outcome.warnings}


def judge_refusal(name: str, folder: Path) -> dict[str, Any]:
    """One model that must be refused, in each container that tf_keras writes it in."""
    blamed, make = REFUSALS[name]
    reasons = {}
    for suffix in (".h5", ".keras"):
        tf_keras.backend.clear_session()
        model = make()
        source = folder / f"{name}{suffix}"
        try:
            model.save(source)
        except NotImplementedError:
            continue  # a subclassed model has no .h5 file
        try:
            convert_here(source, folder, ".keras")
        except Refused as refusal:
            named = refusal.layer_path.rpartition("/")[2]
            right = named.startswith(blamed) if blamed else not named
            reasons[suffix] = str(refusal) if right else f"WRONG LAYER {refusal.layer_path!r}: {refusal}"
        else:
            reasons[suffix] = "WRONG: not refused"
    return {"model": name, "reasons": reasons, "right": not any("WRONG" in reason for reason in reasons.values())}


def summary(found: list[dict[str, Any]], refusals: list[dict[str, Any]]) -> dict[str, Any]:
    """The numbers of a run."""
    compared = [record for record in found if "difference" in record]
    refused = [record for record in found if "refused" in record]
    layers: collections.Counter[str] = collections.Counter()
    for record in compared:
        layers.update(record["layers"])
    cudnn = [name for name in layers if name.startswith("CuDNN")]
    return {
        "models": len(found),
        "compared": len(compared),
        "largest_difference": max(record["difference"] for record in compared),
        "beyond_tolerance": sum(record["difference"] > TOLERANCE for record in compared),
        "models_with_cudnn_layers": sum(any(name in record["layers"] for name in cudnn) for record in compared),
        "cudnn_layers": sum(layers[name] for name in cudnn),
        "models_whose_outputs_hardly_vary": sum(record["spread"] < 1e-3 for record in compared),
        "ways": dict(collections.Counter(f"{record['from']} to {record['to']}" for record in compared)),
        "layers": dict(sorted(layers.items())),
        "recipes": dict(collections.Counter(record["recipe"] for record in compared)),
        "refused": dict(collections.Counter(record["refused"] for record in refused)),
        "refused_by_design": {record["model"]: next(iter(record["reasons"].values())) for record in refusals},
    }


def main(count: int, report: Path | None) -> int:
    found, refusals = [], []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            record = judge(seed, Path(folder))
            found.append(record)
            print(seed, record["recipe"], record.get("difference", record.get("refused")), file=sys.stderr)
            for path in Path(folder).iterdir():
                path.unlink()
        for name in REFUSALS:
            refusals.append(judge_refusal(name, Path(folder)))
            print(refusals[-1], file=sys.stderr)
    numbers = summary(found, refusals)
    made_with = {"tf_keras": tf_keras.__version__, "keras": keras.__version__, "tensorflow": tensorflow.__version__}
    text = json.dumps({"made_with": made_with, "tolerance": TOLERANCE, **numbers}, indent=1)
    if report is not None:
        report.write_text(text + "\n")
    print(text)
    return int(numbers["beyond_tolerance"] > 0 or not all(record["right"] for record in refusals))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None))
