"""What the tests share: no settings of the caller, a place of its own for each, and a run of the command line."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shell_run import Run
from shell_samples import saved_model, source_model

from cudnnlint.__main__ import OBJECTS
from cudnnlint.cli import cli
from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.files import reading
from cudnnlint.files.found import Found
from cudnnlint.targets import environment

#: What Keras, TensorFlow, terminals and CI services read; a test that is about one of them sets it.
SETTINGS = (
    "CI_PROJECT_DIR",
    "COLUMNS",
    "FORCE_COLOR",
    "KERAS_BACKEND",
    "NO_COLOR",
    "TF_USE_LEGACY_KERAS",
)
#: Imports two Kerases to say which tests it has, all of them slow.
IMPORTS_KERAS = "test_saved_in_keras.py"
#: The folders whose tests run the program, and so must not see what is installed here or where they are started.
APART = {"check", "cli", "end_to_end", "files", "fix", "merging", "reporters", "settings", "targets"}


def pytest_configure(config: pytest.Config) -> None:
    """Take away what would choose a backend, a Keras, a width or a colour, and the caller's keras.json."""
    gc.set_threshold(OBJECTS)  # as the program does
    for name in SETTINGS:
        os.environ.pop(name, None)
    os.environ["KERAS_HOME"] = str(Path(os.devnull) / "keras")  # nothing is found there, and nothing can be left
    os.environ["CUDNNLINT_NO_CACHE"] = "1"  # what another test, or another version, found


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what would import TensorFlow only to be deselected."""
    unwanted = config.getoption("markexpr") == "not slow"
    return True if unwanted and collection_path.name == IMPORTS_KERAS else None


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare the garbage collector what was read for the tests: it stays to the end."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Leave all to the end of the process: pytest collects garbage five times more, for ten seconds and more."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _apart(request: pytest.FixtureRequest) -> None:
    if request.path.relative_to(Path(__file__).parent).parts[0] in APART:
        request.getfixturevalue("nothing_around")


@pytest.fixture
def nothing_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test stands in an empty repository, with no framework installed and no variable set."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(environment, "_installed", lambda: environment.Pins("the running environment", {}))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """Run the command line in this process."""

    def command(*args: str) -> Run:
        with pytest.raises(SystemExit) as ending:
            cli.main(list(args))
        assert isinstance(ending.value.code, int)
        return Run(ending.value.code, *capsys.readouterr())

    return command


@pytest.fixture
def rewritten_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sound models are rewritten in this process: to start one for each costs more than the work itself.

    tests/fix and test_rewrite_hostile.py start it.
    """
    from cudnnlint.rewriters.saved import isolation, worker

    def answer(job: dict[str, Any], seconds: float) -> Any:
        return json.loads(json.dumps(worker.work(json.loads(json.dumps(job)))))

    monkeypatch.setattr(isolation, "answer_of_worker", answer)


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of the front ends: model.py is SOURCE, *.keras a model of two layers, and clean.py has none."""

    def read(found: Found, names: Names, *more: Any) -> Model | None:
        if found.problem or found.path.endswith(("clean.py", "broken.py")):
            return real(found, names, *more)
        return source_model(found.path) if found.path.endswith(".py") else saved_model(found.path)

    real = reading.read
    monkeypatch.setattr(reading, "read", read)
