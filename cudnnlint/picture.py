"""`cudnnlint.show`: a model as a picture in a notebook, and as text everywhere else."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from cudnnlint import pipeline
from cudnnlint.check import in_memory
from cudnnlint.core.report import Report
from cudnnlint.files import atomic
from cudnnlint.reporters import Look, writer
from cudnnlint.settings.settings import Flags

COMPARED = 12  # layers that differ, of a model in memory, whose releases are compared


class Picture:
    """What `show` returns: a notebook draws it, a prompt or `print` shows the text report, and `save` writes a page.

    `report` has everything as data.
    """

    def __init__(self, report: Report) -> None:
        self.report = report

    def __repr__(self) -> str:
        """Return the text report, so that a prompt shows it too."""
        return self._written("text").rstrip("\n")

    def _repr_html_(self) -> str:
        """Return the drawing with the findings, for the output of a notebook's cell."""
        from cudnnlint.reporters.page.notebook_view import shown

        return shown(self.report)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page that `--output-format html` writes. Raises OSError."""
        atomic.write(Path(path), self._written("html").encode())

    def _written(self, name: str) -> str:
        stream = io.StringIO()
        writer(name)(self.report, stream, Look(verbose=name == "text"))
        return stream.getvalue()


def show(model: Any, target: str | None = None) -> Picture:
    """Return a picture of a model: a path of a saved model or of source, or a Keras model or layer in memory.

    A notebook draws it as the last value of a cell. Elsewhere `print` it, or `save` it as a page: `show` itself prints
    and writes nothing. It is judged for `target`, else for what a check or `check_model` would choose. Raises
    UsageError for what is neither a path nor a Keras object.
    """
    if isinstance(model, (str, os.PathLike)):
        flags = Flags(target=(target,) if target else (), jobs=1)
        return Picture(pipeline.check(pipeline.Request((os.fspath(model),), flags, compare=True)).report)
    return Picture(in_memory.compared_model(model, target, COMPARED))
