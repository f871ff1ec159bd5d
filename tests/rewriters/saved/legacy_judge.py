"""Converts generated legacy models and loads them in real Keras 3: outputs against tf_keras's own, on a CPU.

    python tests/rewriters/saved/legacy_judge.py 320 fixtures/evidence/convert.json

The old file holds CuDNN layers, which no CPU runs. The truth is the same model with LSTM and GRU, built in tf_keras,
into which tf_keras's own `load_weights` (`hdf5_format.preprocess_weights_for_loading`) brings the old weights: the
layouts come from there and not from us. Models that must be refused are judged too: by the layer that is named.
Some six minutes of one core; it may be interrupted, and goes on where it was (NAME.partial). Both Kerases run in
this one process. Needs tf_keras, keras and tensorflow.
"""

from __future__ import annotations

import collections
import gc
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

import keras
import legacy_wiring  # noqa: F401  # its recipes join the others
import numpy
import tensorflow
import tf_keras
from legacy_models import RECIPES, build, data, fill, flat, run
from legacy_refusals import REFUSALS
from saved_samples import convert_here, records
from without_gradients import spare_gradients

from cudnnlint.core.errors import Refused

spare_gradients()

TOLERANCE = 1e-6
WAYS = [(".h5", ".keras"), (".keras", ".keras"), (".h5", ".h5"), (".keras", ".h5")]


def apart(one: Any, two: Any) -> float:
    """The largest difference, over all outputs; in units of the largest number where that is beyond 1."""
    pairs = list(zip(flat(one), flat(two), strict=True))
    assert all(a.shape == b.shape and numpy.isfinite(a).all() for a, b in pairs)
    return max(float(numpy.max(numpy.abs(a - b)) / max(1.0, numpy.max(numpy.abs(a)))) for a, b in pairs)


def judge(seed: int, folder: Path, generation: int = 3) -> dict[str, Any]:
    """One generated model: saved, converted for Keras 3 (or without its CuDNN layers for Keras 2), and compared."""
    old, new = WAYS[(seed // len(RECIPES)) % len(WAYS)]
    record = {"seed": seed, "recipe": RECIPES[seed % len(RECIPES)].__name__, "from": old, "to": new}
    legacy = build(seed, cudnn=True)
    fill(legacy, seed)
    source = folder / f"{seed}{old}"
    legacy.save(source)
    classes = [layer["class_name"] for layer in records(json.loads(legacy.to_json()))]
    truth = legacy
    if any("CuDNN" in name for name in classes):
        legacy.save_weights(folder / f"{seed}.weights-as.h5")
        truth = build(seed, cudnn=False)
        truth.load_weights(folder / f"{seed}.weights-as.h5")
    batch, named = data(truth, seed), sorted(truth.input) if isinstance(truth.input, dict) else []
    expected = run(truth, batch, named)
    record["layers"] = collections.Counter(name for name in classes if name in vars(tf_keras.layers) or "CuDNN" in name)
    try:
        result, outcome = convert_here(source, folder, new, generation)
    except Refused as refusal:
        return {**record, "refused": refusal.reason, "layer": refusal.layer_path}
    loaded = (keras if generation == 3 else tf_keras).models.load_model(result, compile=False)
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


def judge_all(count: int, partial: Path | None) -> list[dict[str, Any]]:
    """Every model, those first that an interrupted run has left."""
    lines = partial.read_text().splitlines() if partial is not None and partial.exists() else []
    found = [json.loads(line) for line in lines]
    gc.disable()  # Keras's objects are many and long-lived
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(len(found), count):
            found.append(judge(seed, Path(folder)))
            print(seed, found[-1]["recipe"], found[-1].get("difference", found[-1].get("refused")), file=sys.stderr)
            if partial is not None:
                with partial.open("a") as stream:
                    stream.write(json.dumps(found[-1]) + "\n")
            for path in Path(folder).iterdir():
                path.unlink()
            if seed % 20 == 0:
                gc.collect()
    return found


def main(count: int, report: Path | None) -> int:
    partial = report and report.with_suffix(".partial")
    found = judge_all(count, partial)
    with tempfile.TemporaryDirectory() as folder:
        refusals = [judge_refusal(name, Path(folder)) for name in REFUSALS]
    numbers = summary(found, refusals)
    made_with = {"tf_keras": tf_keras.__version__, "keras": keras.__version__, "tensorflow": tensorflow.__version__}
    text = json.dumps({"made_with": made_with, "tolerance": TOLERANCE, **numbers}, indent=1)
    if report is not None and partial is not None:
        report.write_text(text + "\n")
        partial.unlink(missing_ok=True)
    print(text)
    wrong = [record for record in refusals if not record["right"]]
    print(*wrong, sep="\n", file=sys.stderr)
    return int(numbers["beyond_tolerance"] > 0 or bool(wrong))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None))
