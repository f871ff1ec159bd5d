"""`check_many`: one report a file, in order, with any executor, and never far ahead of what was asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from shell_samples import keras_file

import cudnnlint
from cudnnlint.core.errors import UsageError

LAYER = "import keras\nlayer = keras.layers.LSTM(8, recurrent_dropout=0.5)\n"


@pytest.fixture
def uris() -> list[str]:
    keras_file(Path("model.keras"), {}, {"recurrent_dropout": 0.2})
    Path("model.py").write_text(LAYER)
    Path("broken.py").write_text("layer = (\n")
    Path("clean.py").write_text("x = 1\n")
    return ["model.py", "model.keras", "missing.h5", "broken.py", "clean.py", "model.py"]


class Counting(Executor):
    """Does the work when it is submitted, and keeps in mind how many results nobody has asked for."""

    def __init__(self) -> None:
        self.open = self.most = self.submitted = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        outer = self
        self.open, self.submitted = self.open + 1, self.submitted + 1
        self.most = max(self.most, self.open)

        class Asked(Future[Any]):
            def result(self, timeout: float | None = None) -> Any:
                outer.open -= 1
                return super().result(timeout)

        future = Asked()
        future.set_result(fn(*args, **kwargs))
        return future


def test_each_file_gets_a_report_in_the_order_of_the_uris(uris: list[str]) -> None:
    reports = list(cudnnlint.check_many([*uris[:-1], Path(uris[-1])]))
    assert [report.counts()["fallback"] for report in reports] == [1, 1, 0, 0, 0, 1]
    paths = [[file.path for file in report.files] for report in reports]
    assert paths == [*([uri] for uri in uris[:4]), [], ["model.py"]]
    assert [report.seen for report in reports] == [1] * 6
    assert [code for report in reports[2:4] for code in (one.code for one in report.diagnostics)] == ["CDN001"] * 2


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_gives_the_same_reports(uris: list[str], pool: type[Executor]) -> None:
    with pool(2) as executor:  # type: ignore[call-arg]
        assert list(cudnnlint.check_many(uris * 3, executor, ahead=4)) == list(cudnnlint.check_many(uris * 3))


def test_a_registry_without_end_is_read_as_far_as_it_is_asked_for(uris: list[str]) -> None:
    def registry() -> Iterator[str]:
        while True:
            yield "model.py"

    executor = Counting()
    reports = cudnnlint.check_many(registry(), executor, ahead=5)
    for _ in range(20):
        assert next(reports).counts()["fallback"] == 1
    assert executor.most == 5
    assert executor.submitted <= 25


def test_a_target_is_judged_for(uris: list[str]) -> None:
    (report,) = cudnnlint.check_many(["model.py"], target="keras@3.4.1:torch")
    assert str(report.files[0].targets[0]).startswith("keras@3.4.1:torch")
    with pytest.raises(UsageError, match="nonsense"):
        list(cudnnlint.check_many(["model.py"], target="nonsense@1"))


def test_a_changed_configuration_counts_in_the_next_call(uris: list[str]) -> None:
    (first,) = cudnnlint.check_many(["model.py"])
    Path("cudnnlint.toml").write_text('ignore = ["CDN103"]\n')
    (second,) = cudnnlint.check_many(["model.py"])
    assert ([one.code for one in first.diagnostics], second.diagnostics) == (["CDN103"], ())


def test_a_dask_cluster_is_an_executor(uris: list[str]) -> None:
    distributed = pytest.importorskip("distributed")
    target = "keras@3.4.1:torch"  # what is installed where a worker runs is its own
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        client.run(os.chdir, str(Path.cwd()))
        found = list(cudnnlint.check_many(uris, client.get_executor(), target=target))
    assert found == list(cudnnlint.check_many(uris, target=target))
