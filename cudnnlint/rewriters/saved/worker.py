"""A worker: one rewrite in a process of its own, the job as JSON on standard input, the answer on standard output.

It ends when standard input does, or some time after the seconds that it is given: the run that wants its answer may
be killed.
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
from cudnnlint.rewriters.saved.completion import completed
from cudnnlint.rewriters.saved.conversion import converted
from cudnnlint.rewriters.saved.guards import errno_of
from cudnnlint.rewriters.saved.steps import rewritten
from cudnnlint.rewriters.saved.summary import Summary
from cudnnlint.rulebook import loader, table_loader

SPARE = 10  # seconds after which a worker ends that the run itself did not end
_STEPS = {step.__name__: step for step in (CellToLayer, DropArgument, ReplaceClass, SetArgument, Unroll)}


def work(job: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to one job: changes and warnings, or why it was refused, not read or not written."""
    try:
        return asdict(_do(job))
    except Refused as refusal:
        return {"refused": [refusal.layer_path, refusal.reason]}
    except UnreadableInput as error:
        return {"unreadable": error.reason, "pointer": error.pointer}
    except OSError as error:
        return {"unwritten": [error.errno or 0, error.strerror or str(error)]}
    except RuntimeError as error:  # the HDF5 library, which could not close a file
        if not (number := errno_of(error)):
            raise
        return {"unwritten": [number, os.strerror(number)]}


def _do(job: dict[str, Any]) -> Summary:
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


def _end_with_the_run() -> None:
    """Wait until nobody wants an answer any more: standard input ends."""
    with suppress(OSError):
        while os.read(0, 1):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    if hasattr(signal, "alarm"):  # where the HDF5 library loops, no other thread runs
        signal.alarm(int(float(sys.argv[1])) + SPARE)
    asked = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_the_run, daemon=True).start()
    json.dump(work(asked), sys.stdout)
    sys.stdout.flush()
