"""Converts generated legacy models and loads them in real Keras 3: outputs against tf_keras's own.

    python tests/rewriters/saved/legacy_judge.py 320 fixtures/evidence/convert.json

writes one record a model: the recipe, the containers, how far the outputs are apart, or why it was refused.
Takes some ten minutes on two cores. Needs tf_keras, keras and tensorflow.
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
import numpy
import tensorflow
import tf_keras
from legacy_models import RECIPES, build, data, fill

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved import convert

TOLERANCE = 1e-6
WAYS = [(".h5", ".keras"), (".keras", ".keras"), (".h5", ".h5"), (".keras", ".h5")]


def flat(outputs: Any) -> list[Any]:
    return [numpy.asarray(part) for part in (outputs if isinstance(outputs, (list, tuple)) else [outputs])]


def apart(one: Any, two: Any) -> float:
    """The largest difference, over all outputs; in units of the largest number where that is beyond 1."""
    pairs = list(zip(flat(one), flat(two), strict=True))
    assert all(a.shape == b.shape and numpy.isfinite(a).all() for a, b in pairs)
    return max(float(numpy.max(numpy.abs(a - b)) / max(1.0, numpy.max(numpy.abs(a)))) for a, b in pairs)


def judge(seed: int, folder: Path) -> dict[str, Any]:
    """One generated model, there and compared."""
    old, new = WAYS[(seed // len(RECIPES)) % len(WAYS)]
    record = {"seed": seed, "recipe": RECIPES[seed % len(RECIPES)].__name__, "from": old, "to": new}
    legacy = build(seed, cudnn=True)
    fill(legacy, seed)
    source = folder / f"{seed}{old}"
    legacy.save(source)
    legacy.save_weights(folder / f"{seed}.weights-as.h5")
    truth = build(seed, cudnn=False)
    truth.load_weights(folder / f"{seed}.weights-as.h5")
    batch = data(truth, seed)
    expected = [truth.predict(batch, verbose=0) for _ in range(2)]
    record["cudnn"] = sum("CuDNN" in line for line in json.dumps(legacy.to_json()).split("class_name"))
    try:
        outcome = convert(source, folder / f"{seed}.out{new}")
    except Refused as refusal:
        return {**record, "refused": str(refusal)}
    loaded = keras.saving.load_model(folder / f"{seed}.out{new}", compile=False)
    found = [loaded.predict(batch, verbose=0) for _ in range(2)]
    far = max(apart(a, b) for a, b in zip(expected, found, strict=True))
    spread = max(float(numpy.std(part, axis=0).max()) for part in flat(expected[0]))
    return {**record, "difference": far, "spread": spread, "warnings": outcome.warnings}


def main(count: int, report: Path | None) -> int:
    records = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            records.append(judge(seed, Path(folder)))
            print(records[-1]["seed"], records[-1].get("difference", records[-1].get("refused")), file=sys.stderr)
            if records[-1].get("difference", 0.0) > TOLERANCE:
                print(records[-1], file=sys.stderr)
            for path in Path(folder).iterdir():
                path.unlink()
    compared = [record["difference"] for record in records if "difference" in record]
    summary = {
        "models": len(records),
        "compared": len(compared),
        "refused": len(records) - len(compared),
        "with_cudnn_layers": sum(record["cudnn"] > 0 for record in records),
        "cudnn_layers": sum(record["cudnn"] for record in records),
        "largest_difference": max(compared),
        "models_whose_outputs_hardly_vary": sum(record.get("spread", 1.0) < 1e-3 for record in records),
        "beyond_tolerance": sum(far > TOLERANCE for far in compared),
        "recipes": dict(collections.Counter(record["recipe"] for record in records)),
    }
    made_with = {"tf_keras": tf_keras.__version__, "keras": keras.__version__, "tensorflow": tensorflow.__version__}
    text = json.dumps({"made_with": made_with, "tolerance": TOLERANCE, "summary": summary, "models": records}, indent=1)
    if report is not None:
        report.write_text(text + "\n")
    print(json.dumps(summary))
    return int(summary["beyond_tolerance"] > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None))
