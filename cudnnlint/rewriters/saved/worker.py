"""A worker: one rewrite in a process of its own, the job as JSON on standard input, the answer on standard output.

It ends when standard input does, or after the seconds of processor time that it is given: the run that wants its answer
may be killed, and where the HDF5 library loops, no other thread runs.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cudnnlint.core.edit import CellToLayer, DropArgument, ReplaceClass, SetArgument, Step, Unroll
from cudnnlint.core.errors import Refused, UnreadableInput
from cudnnlint.core.file_limits import Limits, held
from cudnnlint.rewriters.saved.bounds import bound_processor_time, bounded_memory
from cudnnlint.rewriters.saved.summary import Summary
from cudnnlint.rulebook import loader, table_loader

_STEPS = {step.__name__: step for step in (CellToLayer, DropArgument, ReplaceClass, SetArgument, Unroll)}


def work(job: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to one job: changes and warnings, or why it was refused, not read or not written."""
    try:
        with bounded_memory(Path(job["source"])):
            return asdict(_do(job))
    except Refused as refusal:
        return {"refused": [refusal.layer_path, refusal.reason]}
    except UnreadableInput as error:
        return {"unreadable": error.reason, "pointer": error.pointer}
    except MemoryError:
        why = "it may be damaged: reading it takes far more memory than a file of its size needs"
        return {"unreadable": why, "pointer": False}
    except OSError as error:
        return {"unwritten": [error.errno or 0, error.strerror or str(error)]}
    except RuntimeError as error:  # the HDF5 library, which could not close a file
        from cudnnlint.rewriters.saved.guards import errno_of

        if not (number := errno_of(error)):
            raise
        return {"unwritten": [number, os.strerror(number)]}


def _do(job: dict[str, Any]) -> Summary:
    from cudnnlint.rewriters.saved.completion import completed
    from cudnnlint.rewriters.saved.conversion import converted
    from cudnnlint.rewriters.saved.steps import rewritten

    source, scratch, kind = Path(job["source"]), Path(job["scratch"]), job["kind"]
    tables = table_loader.load(loader.folder() / "tables")
    if job["job"] == "complete":
        return Summary(completed(source, Path(job["architecture"]), scratch, job["newest"], tables))
    if job["job"] == "convert":
        return converted(source, scratch, kind, job["keras"], job["newest"], tables)
    plan = [(item["path"], _step(item)) for item in job["plan"]]
    return rewritten(source, scratch, kind, plan, tables)


def _step(item: dict[str, Any]) -> Step:
    return _STEPS[item["step"]](**item["with"])


def _unusable() -> str | None:
    """Return why h5py cannot be imported, as where it was built for another numpy; None where it can be."""
    try:
        import h5py  # noqa: F401
    except (ImportError, ValueError) as error:
        return str(error)
    return None


def _end_with_the_run() -> None:
    """Wait until nobody wants an answer any more: standard input ends."""
    with suppress(OSError):
        while os.read(0, 1):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    wanted = json.loads(sys.stdin.readline())
    bound_processor_time(wanted["seconds"])
    threading.Thread(target=_end_with_the_run, daemon=True).start()
    unusable = _unusable()
    with held(Limits(**wanted["limits"])):
        json.dump(work(wanted) if unusable is None else {"unusable": unusable}, sys.stdout)
    sys.stdout.flush()
