"""Runs two programs in the installed Keras and compares their models: equal weights, equal inputs, equal outputs?

Stand-alone: `python same_numbers.py --framework keras`, with pairs of file names as JSON on standard input. For each
pair: how far the outputs are apart at inference and in training (null where dropout draws), by the largest difference.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import runpy
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy
from without_gradients import spare_gradients


def compare(old: Any, new: Any, seed: int) -> dict[str, float]:
    """The largest difference of the outputs in both modes, the new model with the old one's weights."""
    draw = numpy.random.default_rng(seed)
    weights = [draw.normal(0, 0.5, weight.shape).astype("float32") for weight in old.get_weights()]
    shape = [3 if size is None else size for size in old.input_shape]
    inputs = draw.normal(0, 1, shape).astype("float32")
    outputs = []
    for model in (old, new):
        model.set_weights(weights)
        outputs.append([numpy.asarray(model(inputs, training=training)) for training in (False, True)])
    inference, training = (float(numpy.abs(a - b).max()) for a, b in zip(*outputs, strict=True))
    return {"inference": inference, "training": training}


def main() -> None:
    """Answer all pairs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--framework", required=True)
    options = parser.parse_args()
    utils = importlib.import_module(f"{options.framework}.utils")
    spare_gradients()
    answers = []
    for seed, pair in enumerate(json.load(sys.stdin)):
        models = []
        for path in pair:
            utils.set_random_seed(7)
            models.append(runpy.run_path(path)["model"])
        answers.append(compare(*models, seed))
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
