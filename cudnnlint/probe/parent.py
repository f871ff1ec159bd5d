"""The probe's parent: starts the child, listens to it, and survives whatever happens to it.

A child that is silent for too long, is killed, or crashes costs the item that it was working on; the others go to a
new child. No process outlives the conversation: the child leads its own process group, which is killed, and it ends
by itself when its standard input closes.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import IO, Any

from cudnnlint.core.quick_dataclass import dataclass

CHILD = Path(__file__).with_name("child") / "__main__.py"
LAST_WORDS = 400  # characters of a dead child's standard error that are worth telling
KILLED = -9  # by SIGKILL, of which Windows has not even the name
CRASHED = 0xC0000000  # the least exit status of a program that Windows ended for a fault
TIMEOUT = 300.0  # seconds: importing TensorFlow from a cold disk takes over a minute
Message = dict[str, Any]


class Lost(Exception):
    """The child is gone or silent; the text says how, as the end of a sentence that begins with "the child"."""


@dataclass(frozen=True)
class Host:
    """Which interpreter is asked, with what environment, and how long its silence is borne."""

    python: str = sys.executable
    environment: Mapping[str, str] = field(default_factory=dict)
    timeout: float = TIMEOUT
    script: Path = CHILD


class Child:
    """A running child. Use it as a context manager."""

    def __init__(self, host: Host, job: Message) -> None:
        self.host = host
        self.errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # closed by end()
        self.heard: queue.Queue[str | None] = queue.Queue()
        try:
            self.process = subprocess.Popen(
                [host.python, str(host.script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                env={**os.environ, "PYTHONIOENCODING": "utf-8", **host.environment},
                start_new_session=True,
            )
        except OSError as error:
            self.errors.close()
            raise Lost(f"could not be started with {host.python}: {error.strerror or error}") from error
        threading.Thread(target=self._listen, daemon=True).start()
        self._tell(json.dumps(job) + "\n")

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def _tell(self, line: str) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):  # it is gone already: the listener will say so
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.heard.put(line.decode("utf-8", "replace"))
        self.heard.put(None)

    def messages(self) -> Iterator[Message]:
        """Yield the messages of the child until it says that it is done. Raises Lost when it ends without that."""
        while True:
            try:
                line = self.heard.get(timeout=self.host.timeout)
            except queue.Empty:
                raise Lost(f"gave no answer for {self.host.timeout:g} seconds and was stopped") from None
            if line is None:
                raise Lost(self._death())
            message = _parsed(line)
            if message.get("bye"):
                return
            if message:
                yield message

    def _death(self) -> str:
        code = self.process.wait()
        words = self._last_words()
        said = f"; its last output: {words}" if words else ""
        return f"{_ending(code)}{said if code != KILLED else ''}"

    def _last_words(self) -> str:
        size = self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, size - 4 * LAST_WORDS))
        lines = self.errors.read().decode("utf-8", "replace").strip().splitlines()
        return " ".join(" ".join(lines[-2:]).split())[-LAST_WORDS:]

    def end(self) -> None:
        """Kill the child and everything that it started."""
        if hasattr(os, "killpg"):
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                self.process.kill()
        else:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            with contextlib.suppress(OSError, AttributeError):
                stream.close()  # type: ignore[union-attr]


def _ending(code: int) -> str:
    """Return what the exit status of a child says: below zero a signal, on Windows 0xC0000005 and the like a crash."""
    if code == KILLED:
        return "was killed, most likely because it ran out of memory"
    if code < 0:
        return f"crashed ({signal.Signals(-code).name})"
    return f"crashed ({code:#X})" if code >= CRASHED else f"ended with exit status {code}"


def _parsed(line: str) -> Message:
    """Return a message; {} for a line that is none, such as one that a framework printed."""
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def one_answer(host: Host, job: Message) -> list[Message]:
    """Every message of a job that needs no second child. Raises Lost."""
    with Child(host, job) as child:
        return list(child.messages())


@dataclass
class Replies:
    """What the children said: about themselves, and of each item. `fault`: the framework did not even start."""

    about: Message = field(default_factory=dict)
    fault: str | None = None
    items: dict[int, Message] = field(default_factory=dict)


Progress = Callable[[int, int], object]


def ask(host: Host, job: Message, wanted: Callable[[Message], bool], progress: Progress = lambda *_: None) -> Replies:
    """Work through a job's items, with a new child after each that is lost.

    `wanted(about)` False ends it before the first item (there is no GPU, say).
    """
    answers = Replies()
    waiting = list(job["items"])
    while waiting and answers.fault is None:
        begun = _converse(host, {**job, "items": waiting}, answers, wanted, progress, len(job["items"]))
        if begun is None:
            break
        waiting = [item for item in waiting if item["id"] not in answers.items]
    return answers


def _converse(
    host: Host, job: Message, answers: Replies, wanted: Callable[[Message], bool], progress: Progress, total: int
) -> int | None:
    """One child's life. The id of the item that it was lost with; None where nothing is left to do."""
    begun: int | None = None
    try:
        with Child(host, job) as child:
            for message in child.messages():
                if "begin" in message:
                    begun = message["begin"]
                elif "end" in message:
                    answers.items[message["end"]] = message
                    begun = None
                    progress(len(answers.items), total)
                elif "about" in message:
                    answers.about = message["about"]
                    if not wanted(answers.about):
                        return None
                elif "fault" in message:
                    answers.fault = message["fault"]
        return None
    except Lost as lost:
        if begun is None:
            answers.fault = f"the probe process {lost}"
            return None
        answers.items[begun] = {"end": begun, "error": f"the probe process {lost}", "stage": "lost", "layers": []}
        return begun
