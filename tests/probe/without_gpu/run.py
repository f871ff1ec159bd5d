"""Makes evidence of a kind of its own for every claim of the tables, on a machine without a GPU.

    python tests/probe/without_gpu/run.py torch --python TORCH_FOR_CUDA --cc cc --evidence FILE
    python tests/probe/without_gpu/run.py jax --python PYTHON --evidence FILE
    python tests/probe/without_gpu/run.py tf_keras --python PYTHON --evidence FILE

The cases, their predictions and the table are those of `probe --conformance`; the layers are run as fake_cuda.py,
lowered.py and grappler.py say. Exit 1 if anything is contradicted.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from cudnnlint import probe
from cudnnlint.cli.on_machine import _earlier, _keep, judged
from cudnnlint.probe import conformance, proof, rows
from cudnnlint.probe.options import host
from cudnnlint.probe.rebuild import point
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, requested

HERE = Path(__file__).parent
ASKED = {
    "torch": ("keras", "torch"),
    "jax": ("keras", "jax"),
    "tf_keras": ("tf_keras", None),
    "tensorflow": ("tensorflow", None),
}


def gpu_for(python: str, compiler: str, capability: int, folder: Path) -> dict[str, str]:
    """Compile the GPU that is none against the headers of an interpreter's torch; return the environment with it."""
    where = "import triton, pathlib; print(pathlib.Path(triton.__file__).parent / 'backends' / 'nvidia' / 'include')"
    headers = subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout.strip()
    library = folder / "libcuda.so.1"
    options = ["-shared", "-fPIC", f"-DCAPABILITY={capability}", f"-I{headers}", "-Wl,-soname,libcuda.so.1"]
    subprocess.run([compiler, *options, "-o", str(library), str(HERE / "one_gpu.c")], check=True)
    return {"LD_PRELOAD": str(library), "LD_LIBRARY_PATH": str(folder)}


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=ASKED)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--capability", type=int, default=9)
    parser.add_argument("--evidence", type=Path)
    chosen = parser.parse_args()
    framework, backend = ASKED[chosen.what]
    options = probe.Options(python=chosen.python, framework=framework, backend=backend)
    installed = probe.find(options)
    book = loader.load()
    (target,) = requested.parse([installed.text], environment.releases(book.tables))
    with tempfile.TemporaryDirectory() as folder:
        where = replace(host(options, installed), script=HERE / "child.py")
        gpu = gpu_for(chosen.python, chosen.cc, chosen.capability, Path(folder)) if chosen.what == "torch" else {}
        hidden = {} if chosen.what == "torch" else {"CUDA_VISIBLE_DEVICES": "-1", "JAX_PLATFORMS": "cpu"}
        ways = conformance.Ways(
            judged=lambda paths: judged(paths, (installed.text,)),
            row_of=lambda layer, kind, target: rows.describe(layer, kind, target, book.tables),
            keep=lambda record: _keep(str(chosen.evidence), record) if chosen.evidence else None,
            where=replace(where, environment={**where.environment, **gpu, **hidden}),
        )
        before = _earlier(str(chosen.evidence)) if chosen.evidence else None
        found = conformance.run(book, options, installed, point(target), ways, before)
    print(proof.as_text(found.record))
    return found.status(require_gpu=False)


if __name__ == "__main__":
    sys.exit(main())
