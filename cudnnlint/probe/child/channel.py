"""The line to the parent: jobs come in on standard input, lines of JSON go out on standard output."""

from __future__ import annotations

import json
import os
import re
import threading
from typing import Any

Json = Any
LONGEST_ERROR = 400


class Channel:
    """Writes JSON to what was standard output; whatever else is printed goes to standard error."""

    def __init__(self) -> None:
        self.file = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)

    def send(self, **message: Json) -> None:
        """Send one message."""
        self.file.write(json.dumps(message) + "\n")
        self.file.flush()


def leave_with_parent() -> None:
    """End as soon as the parent closes standard input or dies, whatever the framework is doing."""

    def wait() -> None:
        while os.read(0, 1):
            pass
        os._exit(3)

    threading.Thread(target=wait, daemon=True).start()


def said(error: BaseException) -> str:
    """Return an error's class and message on one line, from where it says more than that something went wrong."""
    words = " ".join(re.sub(r"\x1b\[[0-9;]*m", "", str(error)).split())
    for start in ("Exception encountered: ", "assertion failed"):  # by Keras's loader; by TensorFlow, after a traceback
        words = words[max(words.rfind(start), 0) :]
    return f"{type(error).__name__}: {words}"[:LONGEST_ERROR]
