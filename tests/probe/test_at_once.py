"""Work in several threads: all results come, errors too, and as many run at once as were asked for."""

import threading

import pytest

from cudnnlint.probe import conformance
from cudnnlint.probe.at_once import each


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_every_result_comes_once(jobs):
    assert sorted(each(lambda number: number * 2, range(5), jobs)) == [0, 2, 4, 6, 8]
    assert list(each(len, [], jobs)) == []


def test_as_many_run_at_once_as_are_asked_for():
    meeting = threading.Barrier(3)  # broken after a minute, where they do not all come
    assert sorted(each(lambda one: (meeting.wait(60), one)[1], "abc", 3)) == ["a", "b", "c"]


@pytest.mark.parametrize("jobs", [1, 3])
def test_what_the_work_raises_is_raised(jobs):
    def work(number):
        if number == 2:
            raise ValueError("two")
        return number

    with pytest.raises(ValueError, match="two"):
        list(each(work, range(4), jobs))


def test_every_job_has_a_part_of_the_cases_and_no_part_is_long():
    cases = list(range(50))
    assert [len(part) for part in conformance._batches(cases, 1)] == [20, 20, 10]
    assert [len(part) for part in conformance._batches(cases, 8)] == [7] * 7 + [1]
    assert conformance._batches([], 4) == []
    for jobs in (1, 3, 8, 100):
        assert [one for part in conformance._batches(cases, jobs) for one in part] == cases
