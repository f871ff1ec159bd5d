"""What is asked of a buffer: its report, the edits of its fixes, its text with the safe ones applied."""

from __future__ import annotations

from cudnnlint import pipeline
from cudnnlint.core.edit import Applicability
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.report import FileReport, Report
from cudnnlint.language.reports import translated
from cudnnlint.pipeline import Request, Wanted
from cudnnlint.server.documents import Buffer
from cudnnlint.settings.settings import Flags

#: A text may look like something else by its first bytes; of a saved model nothing is shown.
SHOWN = ("python", "notebook")


@dataclass(frozen=True)
class Checked:
    """A buffer with the report on it. `file` is None where the file is excluded, or no layer can be in it."""

    buffer: Buffer
    report: Report
    file: FileReport | None

    @property
    def sound(self) -> bool:
        """Whether the text could be read."""
        return self.file is None or self.file.error is None


def check(buffer: Buffer, flags: Flags) -> Checked:
    """Check a buffer. Raises CudnnlintError, for a wrong configuration say."""
    return _checked(buffer, pipeline.check(_request(buffer, flags, edits=False)).report)


def offer(buffer: Buffer, flags: Flags) -> Checked:
    """Check a buffer, and write its fixes out as edits; that takes several times as long. Raises as `check` does."""
    return _checked(buffer, pipeline.check(_request(buffer, flags, edits=True)).report)


def fixed(buffer: Buffer, flags: Flags) -> tuple[str, ...] | None:
    """Return the texts of a buffer's parts after all safe fixes; None where there is none. Raises as `check` does."""
    wanted = Wanted(frozenset({Applicability.SAFE}), write=False)
    done = pipeline.fix(_request(buffer, flags, edits=False), wanted)
    files = done.outcome.report.files
    if not done.sources or not files:
        return None
    return files[0].cells if buffer.notebook else (files[0].source or "",)


def _request(buffer: Buffer, flags: Flags, edits: bool) -> Request:
    return Request(("-",), flags, buffer.data(), buffer.path, edits)


def _checked(buffer: Buffer, report: Report) -> Checked:
    shown = translated(report)
    return Checked(buffer, shown, next((file for file in shown.files if file.kind in SHOWN), None))
