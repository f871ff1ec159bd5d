"""Runs the command line without what Windows lacks: locks, limits, owners and signals.

The libraries are imported before, as those of Windows are others. Standard output is a pipe of code page 1252.
"""

from __future__ import annotations

import asyncio  # noqa: F401
import concurrent.futures.process  # noqa: F401
import os
import shutil
import signal
import sqlite3  # noqa: F401
import subprocess
import sys
import tempfile  # noqa: F401
import zipfile  # noqa: F401

import click  # noqa: F401
import h5py  # noqa: F401
import libcst  # noqa: F401
import numpy  # noqa: F401

MODULES = ("fcntl", "grp", "posix", "pwd", "resource", "termios")
OF_OS = (
    "O_NOFOLLOW", "O_NONBLOCK", "chown", "fchmod", "fork", "geteuid", "getuid", "killpg", "sched_getaffinity", "setsid",
)  # fmt: skip
SIGNALS = ("SIGALRM", "SIGHUP", "SIGKILL", "SIGUSR1")


def main() -> None:
    """Take it away, and run."""
    sys.platform = "win32"
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for name in OF_OS:
        delattr(os, name)
    for name in SIGNALS:
        delattr(signal, name)
    shutil._use_fd_functions = False  # type: ignore[attr-defined]  # it opens folders by O_NONBLOCK elsewhere
    subprocess.Popen.kill = lambda process: process.send_signal(9)  # type: ignore[method-assign]
    sys.stdout.reconfigure(encoding="cp1252", newline="\r\n")  # type: ignore[union-attr]
    from cudnnlint.__main__ import main as run

    run()


if __name__ == "__main__":
    main()
