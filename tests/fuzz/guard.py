"""What no input may bring about: watched by an audit hook, which stays for the life of the process."""

from __future__ import annotations

import os
import signal
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
#: What is imported may lie here, and may come late: modules are imported when a file needs them.
OWN = tuple(
    {
        str(ROOT),
        os.path.realpath(ROOT),
        *(str(Path(sysconfig.get_path(name))) for name in ("stdlib", "purelib", "platlib")),
    }
)
FRAMEWORKS = {"tensorflow", "keras", "tf_keras", "torch", "jax"}
NEVER = (
    "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.startfile", "socket.",
    "pickle.find_class", "urllib.", "ftplib.", "smtplib.", "webbrowser.", "pty.",
)  # fmt: skip
WRITING = (
    "os.remove",
    "os.rename",
    "os.mkdir",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "os.chmod",
    "shutil.",
)


#: They compile the methods of a class of a module that is imported late, or of one that is used for the first time.
CLASS_MAKERS = ("dataclasses.py", "quick_methods.py", "collections/__init__.py")


class Forbidden(BaseException):
    """An input was imported, executed, or reached out of its folder."""


class Guard:
    """The hook; it forbids while an input is read, and knows the folder that may be written to."""

    def __init__(self, folder: str, seconds: float) -> None:
        self.folder = folder
        self.seconds = seconds
        self.armed = False
        self.broken: str | None = None
        sys.addaudithook(self._hook)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)  # ends the process, wherever it is

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Forbid, and count the time: too much of it ends the process. Raises Forbidden, also where it was caught."""
        self.broken, self.armed = None, True
        signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self.armed = False
        if self.broken is not None:
            raise Forbidden(self.broken)

    def _hook(self, event: str, given: tuple[Any, ...]) -> None:
        if not self.armed:
            return
        found = self._fault(event, given)
        if found is not None:
            self.broken = found
            raise Forbidden(found)

    def _fault(self, event: str, given: tuple[Any, ...]) -> str | None:
        if event == "exec":
            return self._executed(given[0])
        if event == "import":
            return f"import of {given[0]}" if str(given[0]).split(".")[0] in FRAMEWORKS else None
        if event == "open":
            path, _, flags = given
            wrote = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            return f"open of {path!r} to write" if wrote and not self._inside(path) else None
        if event.startswith(WRITING):
            return f"{event} of {given[0]!r}" if not self._inside(given[0]) else None
        return f"{event} {given!r}"[:200] if event.startswith(NEVER) else None

    def _executed(self, code: Any) -> str | None:
        name = getattr(code, "co_filename", "?")
        if name.startswith((*OWN, "<frozen")):
            return None
        caller = sys._getframe(3).f_code.co_filename
        late = caller.startswith(OWN) and caller.endswith(CLASS_MAKERS)
        return None if late else f"execution of {name}, by {caller}"  # a class of a module that is imported late

    def _inside(self, path: Any) -> bool:
        if isinstance(path, int):
            return True
        text = os.fsdecode(path) if path is not None else ""
        return os.path.abspath(text).startswith(self.folder) or text == os.devnull or "__pycache__" in text
