"""The parent survives its child: silence, crashes, kills, broken imports and noise become sentences."""

import json
import os
import queue
import select
import signal
from pathlib import Path

import pytest

from cudnnlint.probe import parent
from cudnnlint.probe.parent import Child, Host, Lost, ask, one_answer

FAKE = Path(__file__).with_name("fake_child.py")
ITEMS = [{"id": 0}, {"id": 1}, {"id": 2}]
ABOUT = {"about": {"gpus": ["GPU:0"]}}
BLINK = 0.5  # seconds; only for a child that blocks on purpose
PATIENCE = 60.0  # seconds; nothing takes so long unless it never happens


def begin(number):
    return {"begin": number}


def end(number):
    return {"end": number, "error": None, "layers": []}


@pytest.fixture
def host(tmp_path):
    def make(timeout=60.0, **answers):
        file = tmp_path / "answers.json"
        file.write_text(json.dumps(answers))
        return Host(environment={"FAKE_ANSWERS": str(file)}, timeout=timeout, script=FAKE)

    return make


def work(host, wanted=lambda about: True, progress=lambda done, total: None):
    return ask(host, {"kind": "ask", "items": ITEMS}, wanted, progress)


def test_every_item_is_answered(host):
    counted = []
    answers = work(host(ask=[ABOUT, *[step for n in range(3) for step in (begin(n), end(n))]]),
                   progress=lambda done, total: counted.append((done, total)))  # fmt: skip
    assert answers.about == {"gpus": ["GPU:0"]}
    assert sorted(answers.items) == [0, 1, 2]
    assert counted == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"do": "kill", "signal": signal.SIGKILL}, "was killed, most likely because it ran out of memory"),
        ({"do": "kill", "signal": signal.SIGSEGV}, "crashed (SIGSEGV)"),
        ({"do": "exit", "code": 7, "words": "out of memory"}, "exit status 7; its last output: out of memory"),
    ],
)  # fmt: skip
def test_a_lost_child_costs_one_item_and_the_others_go_to_a_new_one(host, step, words):
    answers = work(host(ask=[ABOUT, begin(0), end(0), begin(1), step, begin(2), end(2)]))
    assert sorted(answers.items) == [0, 1, 2]
    assert answers.items[1]["stage"] == "lost"
    assert words in answers.items[1]["error"]
    assert [answers.items[n]["error"] for n in (0, 2)] == [None, None]
    assert answers.fault is None


class HeardSinceItHangs(queue.Queue):
    """Counts a child's silence from where it says that it hangs: how long Python takes to start is the machine's."""

    hanging = False

    def get(self, block=True, timeout=None):
        line = super().get(block, timeout if self.hanging else PATIENCE)
        self.hanging = line == "hanging\n"
        return line


def test_a_child_that_hangs_is_ended_and_the_others_go_on(host, monkeypatch):
    monkeypatch.setattr(parent.queue, "Queue", HeardSinceItHangs)
    answers = work(host(BLINK, ask=[ABOUT, begin(0), {"do": "hang"}, begin(1), end(1), begin(2), end(2)]))
    assert "gave no answer for 0.5 seconds" in answers.items[0]["error"]
    assert answers.items[1]["error"] is None


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([{"fault": "ImportError: libcudart.so.12"}], "ImportError: libcudart.so.12"),
        ([{"do": "exit", "code": 1, "words": "Traceback\nSystemError: broken"}], "Traceback SystemError: broken"),
        ([{"do": "kill", "signal": signal.SIGABRT}], "crashed (SIGABRT)"),
    ],
)
def test_a_framework_that_does_not_start_is_a_fault(host, steps, words):
    answers = work(host(ask=steps))
    assert words in answers.fault
    assert answers.items == {}


def test_what_is_no_message_is_passed_over(host):
    noise = {"do": "print", "text": "2025-01-01 W tensorflow/core: hello"}
    answers = work(host(ask=[noise, ABOUT, begin(0), noise, {"do": "print", "text": "[1, 2]"}, end(0)]))
    assert answers.items[0]["error"] is None


def test_nothing_is_asked_where_it_is_not_wanted(host):
    answers = work(host(ask=[ABOUT, begin(0), {"do": "hang"}]), wanted=lambda about: False)
    assert (answers.items, answers.fault) == ({}, None)


def test_a_python_that_does_not_exist_is_a_sentence(tmp_path):
    with pytest.raises(Lost, match="could not be started"):
        one_answer(Host(python=str(tmp_path / "nothing")), {"kind": "about"})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_no_process_outlives_the_conversation(host, tmp_path):
    file = tmp_path / "held"
    os.mkfifo(file)
    spawning = host(ask=[ABOUT, {"do": "spawn", "file": str(file)}, begin(0), {"do": "hang"}])
    with Child(spawning, {"kind": "ask", "items": ITEMS}) as child:
        for message in child.messages():
            if "begin" in message:
                break
        held = os.open(file, os.O_RDONLY)  # waits for the grandchild, which opens it for writing
        assert select.select([held], [], [], 0) == ([], [], [])
    assert child.process.returncode is not None
    assert select.select([held], [], [], PATIENCE)[0], "the grandchild still holds the pipe"
    assert os.read(held, 1) == b""
    os.close(held)


def test_the_child_ends_when_its_parent_does(host):
    """The real child leaves as soon as standard input closes, whatever it is doing."""
    real = Host()
    with Child(real, {"kind": "libraries", "paths": []}) as child:
        list(child.messages())
        child.process.stdin.close()
        assert child.process.wait() in (0, 3)


def test_the_real_child_says_what_is_installed_and_what_cannot_be_imported():
    (installed,) = one_answer(Host(), {"kind": "installed"})
    assert installed["python"]["version"].startswith("3.")
    (about,) = one_answer(Host(), {"kind": "about", "package": "no_such_package"})
    assert about["error"].startswith("ModuleNotFoundError")
    (library,) = one_answer(Host(), {"kind": "libraries", "paths": ["libnothing.so.9"]})
    assert library["version"] is None
    assert "libnothing" in library["error"]


def test_a_framework_that_is_missing_is_a_fault():
    job = {"kind": "ask", "dry": True, "framework": "no_such_keras", "items": ITEMS}
    answers = ask(Host(), job, lambda about: True)
    assert answers.fault.startswith("ModuleNotFoundError")
