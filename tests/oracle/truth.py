"""Writes down the truth about generated programs: what the installed Keras says of each, in three forms.

    python truth.py DIR --framework keras --models 50 --seed 1     generate into DIR, then judge
    python truth.py DIR --framework tf_keras                       judge the scripts that are there

Beside each `NNN.py` it saves `NNN.keras` and `NNN.h5`; `truth.json` holds what happens to the model as the script
built it and as it comes back from each file. A program that does not work without a GPU either is dropped, and
another generated in its place.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import glob
import json
import os
import re
import sys
import time
import warnings
from typing import Any, Iterator

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import wide
from ask import PHASES, Json, Oracle
from generate import generate
from watch import said

os.environ.setdefault("TF_NUM_INTEROP_THREADS", "1")  # the operations are small: a second thread only waits
os.environ.setdefault("TF_NUM_INTRAOP_THREADS", "1")

AT_INFERENCE = re.compile(r"layers\.(Random|Solarization|AutoContrast|Equalization|ContrastLimited)")
SEED_STEP = 100000  # room for the programs of one seed
WORST_LUCK = 3  # tries for each program wanted


class Unfit(Exception):
    """The program does not work, whatever the machine."""


def judge(oracle: Oracle, path: str, seed: int, wanted: list[str]) -> Json:
    """Run one script, save its model, and ask about all forms that are wanted."""
    try:
        seed_everything(oracle, seed)
        models = oracle.run(path)
        wanted = [] if oracle.own and oracle.hide_own else wanted  # no file shows the code of the script's own classes
        files = save(models[0], os.path.splitext(path)[0], wanted) if models else {}
        forms: Json = {"script": script_form(oracle, models, path)}
    except Exception as error:
        raise Unfit(said(error)) from error
    fit(oracle)
    for form, (file, failure) in files.items():
        forms[form] = {"error": failure, "layers": []} if failure else loaded(oracle, file)
        fit(oracle)
    return forms


def fit(oracle: Oracle) -> None:
    """Raise Unfit if a layer stops without a GPU too, because of its mask's shape."""
    if oracle.watch.broken:
        raise Unfit(oracle.watch.broken)


def differs(path: str) -> bool:
    """Return whether a program has a layer that gives its very input at inference: a mask or integers come through."""
    with open(path, encoding="utf-8") as file:
        return bool(AT_INFERENCE.search(file.read()))


def script_form(oracle: Oracle, models: list[Any], path: str) -> Json:
    """What the script built; the lines of a notebook are (cell, row)."""
    program = oracle.program
    built = [[program.place(line) for line in lines] for lines in oracle.built()]
    number = {id(layer): place for place, layer in enumerate(oracle.recurrent())}
    layers = oracle.judge(models)
    numbers = [number.get(id(layer)) for layer in oracle.judged]
    form = {"error": None, "layers": layers, "built": built, "dark": program.dark()}
    open_masks = any(layer["graph"] == "depends" for layer in layers)
    if open_masks and program.feeds and hasattr(oracle.side, "stepping_eagerly"):
        paddings = oracle.paddings(path)
        for layer, place in zip(layers, numbers):
            if place is not None and paddings[place]:
                layer["padding"] = paddings[place]
    for layer in layers:
        layer["via"] = [program.place(line) for line in layer["via"]]
        if program.cells is not None:
            layer["cell"], layer["row"] = program.place(layer["row"])
    return form


def loaded(oracle: Oracle, file: str) -> Json:
    """Ask about a saved model."""
    try:
        return {"error": None, "layers": oracle.judge(oracle.load(file, oracle.own))}
    except Exception as error:
        return {"error": said(error), "layers": []}


def save(model: Any, stem: str, wanted: list[str]) -> dict[str, tuple[str, Any]]:
    """Save in the formats that are wanted: form -> (file, what went wrong or None)."""
    files: dict[str, tuple[str, Any]] = {}
    for form in (form for form in ("keras", "h5") if form in wanted):
        file = f"{stem}.{form}"
        try:
            model.save(file)
            files[form] = (file, None)
        except Exception as error:
            with contextlib.suppress(OSError):
                os.remove(file)
            files[form] = (file, "not saved: " + said(error))
    return files


def seed_everything(oracle: Oracle, seed: int) -> None:
    """The same weights every time."""
    set_seed = getattr(oracle.keras.utils, "set_random_seed", None)
    if set_seed:
        set_seed(seed)


def programs(options: argparse.Namespace, about: Json, oracle: Oracle) -> Iterator[tuple[str, int, str]]:
    """The scripts to judge: (number, seed, path); generated ones go on until enough were good."""
    if not options.models:
        for number, path in enumerate(sorted(found_in(options.folder))):
            yield os.path.splitext(os.path.basename(path))[0], number, path
        return
    version = about["tensorflow"] if options.framework == "tensorflow" else about["keras"]
    seeds = range(options.seed * SEED_STEP, options.seed * SEED_STEP + options.models * WORST_LUCK)
    if options.wide:
        around = contextlib.nullcontext if options.runs else oracle.side.drawing
        drawn = wide.programs(options.framework, version, oracle.keras, seeds, around)
    else:
        drawn = ((seed, generate(seed, options.framework, version, about["backend"])) for seed in seeds)
    for seed, program in drawn:
        path = os.path.join(options.folder, "next.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(program.source)
        yield "next", seed, path


def found_in(folder: str) -> list[str]:
    """Scripts and notebooks."""
    return [path for suffix in ("py", "ipynb") for path in glob.glob(os.path.join(folder, "*." + suffix))]


def settle(options: argparse.Namespace, name: str, path: str, good: int) -> tuple[str, str]:
    """Give a generated program its number, now that it is known to be tried: (name, path)."""
    if not options.models:
        return name, path
    numbered = os.path.join(options.folder, f"{good:03d}.py")
    os.replace(path, numbered)
    return f"{good:03d}", numbered


def main() -> None:
    """Judge all, write truth.json."""
    options = arguments()
    os.makedirs(options.folder, exist_ok=True)
    warnings.simplefilter("ignore")
    found: dict[str, Json] = {}
    dropped: list[Json] = []
    started = time.time()
    with Oracle(options.framework) as oracle:
        about = oracle.about()
        gc.collect()
        gc.freeze()  # what was imported stays: every clear_session() would look through all of it
        gc.set_threshold(100000, 50, 100)
        oracle.hide_own, oracle.side.quick = options.wide, options.wide and not options.runs
        if options.brief:  # the step that fit runs; a quarter of the time
            oracle.side.eagerly = options.eager
        for name, seed, path in programs(options, about, oracle):
            name, path = settle(options, name, path, len(found))
            oracle.phases = PHASES[:1] if options.brief and not differs(path) else PHASES
            try:
                found[name] = dict(judge(oracle, path, seed, options.forms.split(",")), seed=seed)
            except Unfit as reason:
                dropped.append({"name": name, "seed": seed, "error": str(reason)})
            if options.models and len(found) == options.models:
                break
    write(options.folder, {"about": about, "programs": found, "dropped": dropped})
    print(f"{len(found)} programs, {len(dropped)} dropped, {time.time() - started:.0f} s")


def write(folder: str, truth: Json) -> None:
    """truth.json, whole or not at all; a program a line."""
    path = os.path.join(folder, "truth.json")
    lines = [json.dumps(name) + ": " + json.dumps(program) for name, program in truth["programs"].items()]
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write('{{"about": {},\n"dropped": {},\n"programs": {{\n{}\n}}}}\n'.format(
            json.dumps(truth["about"]), json.dumps(truth["dropped"]), ",\n".join(lines)
        ))  # fmt: skip
    os.replace(path + ".part", path)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--framework", default="keras", choices=("keras", "tf_keras", "tensorflow"))
    parser.add_argument("--forms", default="script,keras,h5", help="without keras and h5 nothing is saved")
    parser.add_argument("--wide", action="store_true", help="programs of wide.py, tried line by line")
    parser.add_argument("--runs", action="store_true", help="with --wide: run what is traced")
    parser.add_argument("--brief", action="store_true", help="ask the traced training step alone (TensorFlow)")
    parser.add_argument("--eager", action="store_true", help="with --brief: the eager training step too")
    parser.add_argument("--models", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
