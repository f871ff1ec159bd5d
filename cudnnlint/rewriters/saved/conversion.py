"""Converts a whole saved model: CuDNN layers, Keras 2 to 3, one container to the other. Runs in the worker."""

from __future__ import annotations

import time
from pathlib import Path

from cudnnlint.core.errors import Refused
from cudnnlint.core.names import Names
from cudnnlint.core.tables import Tables
from cudnnlint.rewriters.saved.files import Saved, opened, write
from cudnnlint.rewriters.saved.fitting import must_be_claimed, must_be_whole
from cudnnlint.rewriters.saved.keras3.lift import lift
from cudnnlint.rewriters.saved.layer_tree import paths
from cudnnlint.rewriters.saved.legacy import replace_cudnn
from cudnnlint.rewriters.saved.sharing import unshare
from cudnnlint.rewriters.saved.spelling import compile_config, for_archive, training_config
from cudnnlint.rewriters.saved.summary import Summary
from cudnnlint.rewriters.saved.vocabularies import write_out
from cudnnlint.rulebook.conversion_table import conversion_table


def converted(source: Path, scratch: Path, kind: str, keras: int, newest: str, tables: Tables) -> Summary:
    """Write the model of `source` as `result` into the folder `scratch`, in a container that Keras `keras` loads.

    `newest` is the release that a model lifted to Keras 3 names as its own.
    """
    with opened(source, scratch, tables.names) as saved:
        summary = Summary()
        moved = (kind, keras) != (saved.kind, saved.keras)
        if moved:
            must_be_claimed(saved.root)
            summary.warnings.extend(unshare(saved.root))
            write_out(saved, kind, keras)
        summary.changes.extend(replace_cudnn(saved.root, tables.left_out))
        _change_generation(saved, keras, newest, summary, tables.names)
        if moved:
            must_be_whole(saved.root)
        _change_container(saved, kind, summary)
        settle_optimizer(saved, summary)
        write(saved, scratch, kind, bool(summary.changes))
    return summary


def _change_generation(saved: Saved, keras: int, newest: str, summary: Summary, names: Names) -> None:
    if saved.keras == keras:
        return
    if keras < saved.keras:
        raise Refused("", "a Keras 3 model cannot be converted to Keras 2")
    turned = next((path for path, part in paths(saved.root) if "Conv" in part.class_name), None)
    if saved.metadata.get("backend") == "theano" and turned is not None:
        raise Refused(turned, "was written by Keras on Theano, which stores convolution kernels the other way around")
    lift(saved.root, saved.version, summary, names, conversion_table())
    summary.changes.append(f"written for Keras 3 (the keras_version in the file is {saved.version})")
    if saved.training is not None or any(group.weights for group in saved.root.groups.values()):
        summary.warnings.append(
            "the compile() settings and the optimizer's state are not converted: compile the model again to train it"
        )
    saved.training = None
    saved.root.groups.clear()
    saved.keras = 3
    saved.metadata = {**saved.metadata, "keras_version": newest}


def _change_container(saved: Saved, kind: str, summary: Summary) -> None:
    if kind == saved.kind:
        return
    training, reported = saved.training, summary.warnings
    if kind == "keras":
        for_archive(saved.root, saved.keras)
        saved.training = training and compile_config(training, saved.keras, reported)
        saved.metadata.pop("backend", None)
        saved.metadata["date_saved"] = time.strftime("%Y-%m-%d@%H:%M:%S", time.gmtime(saved.path.stat().st_mtime))
    else:
        saved.training = training and training_config(training, saved.keras, reported)
        saved.metadata = {"keras_version": saved.metadata.get("keras_version"), "backend": "tensorflow"}
        reported.extend(f"{member} is dropped: an .h5 file cannot store it" for member in saved.extra)
    kept = saved.root.groups.pop("optimizer", None)
    if any(group.weights for group in saved.root.groups.values()):
        reported.append("running sums of metrics are dropped: an .h5 file cannot store them")
    saved.root.groups = {} if saved.training is None or kept is None else {"optimizer": kept}
    summary.changes.append(f"the file format is now {'.keras' if kind == 'keras' else '.h5'}")


def settle_optimizer(saved: Saved, summary: Summary) -> None:
    """Drop the optimizer's state where weights changed: its slots belong to the old ones."""
    groups = [group for _, part in paths(saved.root) for group in part.groups.values()]
    changed = any(weight.change is not None for group in groups for weight in group.weights.values())
    if changed and saved.root.groups.pop("optimizer", None) is not None:
        summary.warnings.append("the optimizer's state belongs to the old weights and is dropped")
