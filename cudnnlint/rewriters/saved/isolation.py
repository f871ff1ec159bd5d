"""The entry points of the rewriter.

The work is done in a process of its own (`worker.py`), because the HDF5 library does not return from every damaged
file: it crashes or loops, which no `except` catches.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cudnnlint.core.edit import DropArgument, Effect, Intent, SetArgument, Step
from cudnnlint.core.errors import CudnnlintError, Refused, UnreadableInput
from cudnnlint.core.file_limits import in_force
from cudnnlint.formats.sniff import SUFFIXES, WRITTEN
from cudnnlint.rewriters.saved.summary import Summary

#: Bytes for each second that a rewrite may compute beyond its limit: a slow disk, read and written once each.
PACE = 2 << 20
#: How much longer it may take on a machine that is busy.
BUSY = 10
_PIPE = subprocess.PIPE


def convert(source: Path, destination: Path, newest: str, keras: int = 3) -> Summary:
    """Write the model of `source` as `destination`, a `.keras` or `.h5` file that Keras `keras` (2 or 3) loads.

    CuDNNLSTM and CuDNNGRU become LSTM and GRU. `newest` is the release that a model lifted to Keras 3 names as its
    own. Raises UnreadableInput for a file that cannot be read and Refused
    where the numbers would not survive, OSError where there is no room or no permission to write; then nothing is
    written. `destination` may be `source`.
    """
    return _run({"job": "convert", "keras": keras, "newest": newest}, source, destination)


def complete(weights: Path, architecture: Path, destination: Path, newest: str) -> Summary:
    """Write the model that a file of weights and the layers in another file make together as `destination`.

    `architecture` is a model file, or the JSON of `to_json()`; `newest` is the release that a Keras 3 configuration
    names that names none. Raises UnreadableInput, Refused and OSError as `convert` does; Refused also where the two
    files are not of one model.
    """
    job = {"job": "complete", "architecture": str(architecture.absolute()), "newest": newest}
    return _run(job, weights, destination)


def rewrite(source: Path, destination: Path, steps: Iterable[tuple[str, Intent | Step]]) -> Summary:
    """Apply each fix to the layer at its path (names from the root joined by `/`) and write `destination`.

    The container and the generation of Keras stay. Raises Refused for the first step that cannot be taken,
    UnreadableInput for a file that cannot be read and OSError where nothing can be written; then nothing is.
    `destination` may be `source`.
    """
    plan = [
        {"path": path, "step": type(step).__name__, "with": asdict(step)}
        for path, intent in steps
        for step in steps_of(path, intent)
    ]
    return _run({"job": "rewrite", "plan": plan}, source, destination)


def steps_of(path: str, intent: Intent | Step) -> tuple[Step, ...]:
    """Return the steps of a fix; raise Refused where it needs new weights."""
    if not isinstance(intent, Intent):
        return (intent,)
    if intent.effect is Effect.NEEDS_NEW_WEIGHTS:
        raise Refused(path, f"{intent.says}: {intent.effect.value}")
    named = [step.name for step in intent.steps if isinstance(step, (SetArgument, DropArgument))]
    if "use_bias" in named:  # the bias that is given is zero, whatever unit_forget_bias says
        return tuple(step for step in intent.steps if getattr(step, "name", "") != "unit_forget_bias")
    return intent.steps


def _container(destination: Path) -> str:
    suffix = destination.suffix.lower()
    if suffix not in WRITTEN:
        raise Refused("", f"{destination.name} has to end in .keras, .h5 or .hdf5")
    return SUFFIXES[suffix]


def _run(job: dict[str, Any], source: Path, destination: Path) -> Summary:
    kind = _container(destination)
    if not source.is_file():
        raise UnreadableInput(_no_file(source))
    with _replacing(destination) as scratch:
        job = {**job, "source": str(source.absolute()), "scratch": str(scratch), "kind": kind}
        answer = answer_of_worker(job, in_force().rewrite_seconds + source.stat().st_size / PACE)
        if "unusable" in answer:
            raise CudnnlintError(f"h5py cannot be imported: {answer['unusable']}. Install h5py and numpy again.")
        if "refused" in answer:
            raise Refused(*answer["refused"])
        if "unreadable" in answer:
            raise UnreadableInput(answer["unreadable"], pointer=answer["pointer"])
        if "unwritten" in answer:
            raise OSError(*answer["unwritten"])
    return Summary(answer["changes"], answer["warnings"])


def _no_file(source: Path) -> str:
    if source.is_dir():
        return (
            "it is a folder, and only .keras and .h5 files can be rewritten (load a SavedModel and save() it as .keras)"
        )
    return "it is not a regular file" if source.exists() else "the file does not exist"


@contextmanager
def _replacing(destination: Path) -> Iterator[Path]:
    """Yield a folder beside `destination` to work in; at the end its file `result` takes the destination's place."""
    destination = destination.resolve()
    if not destination.parent.is_dir():
        raise Refused("", f"the folder {destination.parent} does not exist")
    with tempfile.TemporaryDirectory(prefix=f".{destination.name}.", dir=destination.parent) as folder:
        yield Path(folder)
        os.replace(Path(folder) / "result", destination)


def answer_of_worker(job: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Return what a worker answers to the job.

    Raises UnreadableInput where the worker crashes, or computes longer than `seconds`.
    """
    late = f"it may be damaged: reading it took more than {seconds:.0f} seconds of processor time"
    text = json.dumps({**job, "seconds": seconds, "limits": asdict(in_force())})
    try:
        status, out, said = _worked(text, BUSY * seconds)
    except subprocess.TimeoutExpired:
        raise UnreadableInput(late) from None
    if sys.platform != "win32" and status == -signal.SIGXCPU:
        raise UnreadableInput(late)
    answer: dict[str, Any] = {}
    with suppress(ValueError):  # it crashed before, or while it wrote the answer
        answer = json.loads(out)
    if status < 0 or status > 1:
        if "unwritten" in answer:  # the library crashes as well when it ends with such a file
            return answer
        raise UnreadableInput("it is damaged: the HDF5 library crashed on it")
    if status:
        raise RuntimeError(said)  # a fault of ours: the worker's traceback
    return answer


def _worked(job: str, seconds: float) -> tuple[int, str, str]:
    """Return the status of a worker, and what it wrote. Its standard input stays open for as long as it is wanted.

    It works in the folder of this package: Python imports from the current folder first, where a user's file may be
    called `warnings.py`.
    """
    above = str(Path(__file__).resolve().parents[3])
    named = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([above, *named])}
    command = [sys.executable, "-m", "cudnnlint.rewriters.saved.worker"]
    with subprocess.Popen(
        command, stdin=_PIPE, stdout=_PIPE, stderr=_PIPE, text=True, env=environ, cwd=above
    ) as process:
        lifeline, process.stdin = process.stdin, None  # `communicate` would close it
        assert lifeline is not None
        try:
            with suppress(BrokenPipeError):
                lifeline.write(job + "\n")
                lifeline.flush()
            out, said = process.communicate(timeout=seconds)
        except BaseException:
            process.kill()
            raise
        finally:
            with suppress(OSError):
                lifeline.close()
    return process.returncode, out, said
