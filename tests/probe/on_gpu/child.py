"""Runs programs one after another, and says what each executed: JSON in (one line), a line of JSON for each.

    python child.py BACKEND FOLDER < {"programs": [{"name", "path"}]}

The profiler of the framework watches the whole program; what XLA compiles is written to FOLDER, and read.
Numbers (`result`) go to FOLDER. Runs under any interpreter with the framework.
"""

from __future__ import annotations

import glob
import importlib
import json
import os
import re
import runpy
import sys
from typing import Any

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3)
ENTRY = runpy.run_path(os.path.join(ROOT, "cudnnlint", "probe", "child", "__main__.py"))
RANDOM = re.compile(r"\.jit_(?:_\w+|qr|householder\w*)\.")  # JAX's own programs that draw and make orthogonal weights
HIDES = 'os.environ["CUDA_VISIBLE_DEVICES"] = "-1"'


def of_the_probe(module: str) -> Any:
    """Return a module of the probe's child, which needs no cudnnlint to be installed."""
    if ENTRY["NAME"] not in sys.modules:
        ENTRY["load"]()
    return importlib.import_module(f"{ENTRY['NAME']}.{module}")


def watched(backend: str, folder: str, signs: Any, run: Any) -> dict[str, Any]:
    """Run a program and return what it executed."""
    if backend == "torch":
        torch = importlib.import_module("torch")
        return signs.observed(*of_the_probe("on_torch").profiled(torch, torch.cuda.is_available(), run))
    before = set(compiled(folder))
    if backend == "jax":
        importlib.import_module("jax").clear_caches()  # so that what earlier programs compiled is compiled again
        run()
        return signs.observed(targets(folder, before, signs))
    ops, kernels = of_the_probe("on_tensorflow").profiled(importlib.import_module("tensorflow"), run)
    return signs.observed(ops | targets(folder, before, signs), kernels)


def compiled(folder: str) -> list[str]:
    """Return the files of the programs that XLA compiled, without JAX's own that draw weights."""
    return [path for path in glob.glob(f"{folder}/hlo/*after_optimizations.txt") if not RANDOM.search(path)]


def targets(folder: str, before: set[str], signs: Any) -> set[str]:
    """Return the loops and custom calls of what was compiled since."""
    found: set[str] = set()
    for path in set(compiled(folder)) - before:
        with open(path) as file:
            found |= signs.targets_in(file.read())
    return found


def main() -> None:
    """The command."""
    backend, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    dump = f"--xla_dump_to={folder}/hlo --xla_dump_hlo_as_text"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {dump}"
    signs = of_the_probe("signs")
    job = json.loads(sys.stdin.readline())
    for number, one in enumerate(job["programs"]):
        print(json.dumps({"begin": one["name"]}), flush=True)
        with open(one["path"]) as file:
            text = file.read()
        if HIDES in text:  # the profiler would look for GPUs before the program hides them
            os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
        space: dict[str, Any] = {"__name__": "__main__"}
        try:
            code = compile(text, one["path"], "exec")
            seen = watched(backend, folder, signs, lambda c=code, s=space: exec(c, s))
        except Exception as error:
            seen = signs.raised(error)
        seen["numbers"] = save(space.get("result"), f"{folder}/{number}.npz")
        print(json.dumps({"end": one["name"], **seen}), flush=True)
        keras = space.get("keras")
        if keras is not None:
            keras.backend.clear_session()
    os._exit(0)


def save(result: Any, path: str) -> str | None:
    """Write the numbers that a program ends with; return the file's path."""
    if result is None:
        return None
    numpy = importlib.import_module("numpy")
    numpy.savez(path, *[numpy.asarray(one).astype("float64") for one in result])
    return path


if __name__ == "__main__":
    main()
