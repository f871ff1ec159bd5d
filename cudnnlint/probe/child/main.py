"""One job, from its line of JSON to the child's goodbye."""

from __future__ import annotations

import json
import os
import sys

from .about import about, installed, libraries
from .asker import ask
from .channel import Channel, leave_with_parent
from .verify import verify

KINDS = {"installed": installed, "about": about, "libraries": libraries, "ask": ask, "verify": verify}


def main() -> None:
    """Read the job, do it, and leave without the framework's own farewell, which may crash."""
    answers = Channel()
    job = json.loads(sys.stdin.buffer.readline().decode("utf-8"))
    leave_with_parent()
    KINDS[job["kind"]](job, answers)
    answers.send(bye=True)
    os._exit(0)
