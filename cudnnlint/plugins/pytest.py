"""The pytest plugin: `pytest --cudnnlint`, the marker `cudnnlint` and the fixture `assert_cudnn`.

`--cudnnlint` adds an item for every Python file, notebook and saved model in the paths that pytest collects; it fails
for what `cudnnlint check` would fail for. Nothing heavy is imported unless one of the three is used.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

if TYPE_CHECKING:
    from cudnnlint.core.report import Report
    from cudnnlint.pipeline import Outcome

SUFFIXES = frozenset({".py", ".ipynb", ".keras", ".h5", ".hdf5"})
MARKER = (
    "cudnnlint(*paths, fixture=None, target=None, depends=False): before the test runs, assert that every recurrent "
    "layer of these files, or of the model (or path) that the fixture gives, runs in cuDNN."
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--cudnnlint`."""
    group = parser.getgroup("cudnnlint")
    group.addoption("--cudnnlint", action="store_true", help="check Python files, notebooks and saved models")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", MARKER)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Return what collects a file that cudnnlint reads; None without `--cudnnlint`."""
    if parent.config.getoption("cudnnlint") and file_path.suffix.lower() in SUFFIXES:
        return LintedFile.from_parent(parent, path=file_path)
    return None


class LintedFile(pytest.File):
    """A file with one item: its check. A file that the configuration excludes has none."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the item."""
        yield LintedItem.from_parent(self, name="cudnnlint")


class FindingsError(Exception):
    """What the check of one file found, as text."""


class LintedItem(pytest.Item):
    """The check of one file. It uses no fixture; some plugins (pytest-lsp) fail at an item that does not say so."""

    funcargs: ClassVar[dict[str, object]] = {}

    def runtest(self) -> None:
        """Check the file. Raises FindingsError for what fails the check."""
        outcome = _checked(self.path)
        if outcome.failing:
            raise FindingsError(_text(outcome.report))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the findings without a traceback; any other error as pytest shows it."""
        if isinstance(excinfo.value, FindingsError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the place that a failure is reported at, and its title."""
        return self.path, None, f"{self.nodeid.rpartition('::')[0]}: cudnnlint"


@pytest.fixture(scope="session")
def assert_cudnn() -> Callable[..., None]:
    """Assert that every recurrent layer of a model, or of a file, runs in cuDNN: `assert_cudnn(model_or_path)`.

    Takes `target` and `depends` as `cudnnlint.assert_cudnn` does. Raises AssertionError with a reason for each layer.
    """
    return _assert


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Hold the marker of a test: before the test itself, when its fixtures are ready."""
    for mark in item.iter_markers("cudnnlint"):
        for model in _marked(item, *mark.args, fixture=mark.kwargs.get("fixture")):
            _assert(model, mark.kwargs.get("target"), bool(mark.kwargs.get("depends")))


def _marked(item: pytest.Item, *paths: str, fixture: str | None) -> Iterator[Any]:
    """Yield what a marker names: files as the run's folder sees them, and the value of a fixture."""
    if not paths and fixture is None:
        raise pytest.UsageError("The marker cudnnlint needs a path, or fixture=NAME.")
    yield from (item.config.rootpath / path for path in paths)
    if fixture is not None:
        values = getattr(item, "funcargs", {})
        if fixture not in values:
            raise pytest.UsageError(f"The marker cudnnlint names the fixture {fixture}, which the test does not use.")
        yield values[fixture]


def _assert(model: Any, target: str | None = None, depends: bool = False) -> None:
    __tracebackhide__ = True
    import cudnnlint

    if isinstance(model, str | Path):
        report = _checked(Path(model), target).report
        unread = [f"{file.path}: {file.error[1]}" for file in report.files if file.error]
        assert not unread, "\n".join(unread)
        report.assert_cudnn(depends)
    else:
        cudnnlint.assert_cudnn(model, target, depends)


def _checked(path: Path, target: str | None = None) -> Outcome:
    from cudnnlint import pipeline
    from cudnnlint.settings.settings import Flags

    flags = Flags(target=(target,) if target else (), jobs=1, force_exclude=target is None)
    near = Path.cwd() in path.parents
    return pipeline.check(pipeline.Request((os.path.relpath(path) if near else str(path),), flags, edits=False))


def _text(report: Report) -> str:
    from cudnnlint.core import report_text
    from cudnnlint.reporters import Look, writer

    stream = io.StringIO()
    look = Look(100, quiet=True, named=frozenset(file.path for file in report.files))
    writer("text")(report, stream, look)
    return f"{report_text.closing(report)}\n\n{stream.getvalue()}"
