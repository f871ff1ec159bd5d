"""What pytest does for the mutation run: measures the tests once, and runs those that concern a mutant."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

Items = list[pytest.Item]


@dataclass
class Measured:
    """Seconds of every test and of collecting its file; for each file and line the tests that execute it.

    The number of a test is its place in `seconds`; rows.py has two more, for what executes a line before.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    collecting: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[int]]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)


def spent() -> float:
    """Seconds of processor time of this process and of those that it has started."""
    mine, theirs = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


class Measuring:
    """Runs every test, with a context for each; `begin` is told its number."""

    def __init__(self, begin: Callable[[int], None]) -> None:
        self.begin = begin
        self.measured = Measured()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        begin = spent()
        yield
        if isinstance(collector, pytest.Module):
            self.measured.collecting[collector.nodeid] = spent() - begin

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.begin(len(self.measured.seconds))
        begin = spent()
        yield
        self.measured.seconds[item.nodeid] = spent() - begin

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.measured.failed.append(report.nodeid)


class Serving:
    """Hands the collected tests over instead of running them."""

    def __init__(self, serve: Callable[[pytest.Session], None]) -> None:
        self.serve = serve

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.serve(session)
        return True


class Running:
    """Runs chosen tests in the order given, up to the first that fails."""

    def __init__(self, chosen: list[str]) -> None:
        self.chosen = chosen
        self.failed: str | None = None

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run them instead of all that were collected."""
        by_name = {item.nodeid: item for item in session.items}
        items = [by_name[name] for name in self.chosen if name in by_name]
        for item, following in zip(items, [*items[1:], None], strict=False):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                break
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember the first that fails."""
        if report.failed and self.failed is None:
            self.failed = report.nodeid
