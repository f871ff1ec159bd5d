"""The result cache: what was read of a file, kept in a SQLite database until something that it rests on changes.

A key is a digest of everything that a result rests on and that is known beforehand. What cannot be read or written
is left out: a cache that is locked, full or read-only costs time and nothing else, and one that is damaged is dropped.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
import zlib
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from cudnnlint.core.version import __version__

NAME = "results.sqlite3"
_BESIDE = ("", "-wal", "-shm", "-journal")
_TABLE = "CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, value BLOB NOT NULL, day INTEGER NOT NULL)"
#: Bytes of the database; above it the half that was not used for longest is deleted.
LARGEST = 256 << 20
_DAY = 86_400
_WAIT = 10.0  # seconds for another run that is writing


def default_folder() -> Path | None:
    """Return where results are kept for this user: outside of any project, as a repository may bring files along."""
    home = Path(os.path.expanduser("~"))
    given = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    if given and os.path.isabs(given):
        return Path(given) / "cudnnlint"
    if not home.is_absolute():
        return None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "cudnnlint"


def digest(*parts: bytes | str | int | None) -> str:
    """Return a digest of several parts, each with its length."""
    import hashlib

    made = hashlib.blake2b(digest_size=20)
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode("utf-8", "backslashreplace")
        made.update(b"%d:" % len(data))
        made.update(data)
    return made.hexdigest()


@lru_cache(maxsize=4)
def program(rules: Path) -> str:
    """Return a digest of this program: its version, Python's, the rulebook's bytes, and the state of its own files."""
    book = sorted(path for pattern in ("*.py", "tables/*.toml") for path in rules.glob(pattern))
    own = [os.path.join(at, name) for at, _, names in os.walk(Path(__file__).parents[1]) for name in names]
    sources = sorted(path for path in own if path.endswith(".py"))
    states = [(path, status.st_size, status.st_mtime_ns) for path in sources for status in (os.stat(path),)]
    texts = [part for path in book for part in (path.name, path.read_bytes())]
    return digest(__version__, sys.version, repr(states), *texts)


class Cache:
    """The results in one folder, as one process sees them."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / NAME
        self.connection = self._opened()

    def get(self, key: str) -> bytes | None:
        """Return what is kept under a key."""
        today = int(time.time()) // _DAY
        row = self._run("SELECT value, day FROM results WHERE key = ?", key)
        if not row:
            return None
        value, day = row[0]
        if day != today:
            self._run("UPDATE results SET day = ? WHERE key = ?", today, key)
        with suppress(zlib.error, TypeError):
            return zlib.decompress(value)
        return None

    def put(self, key: str, value: bytes) -> None:
        """Keep a result under a key."""
        today = int(time.time()) // _DAY
        self._run("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", key, zlib.compress(value, 1), today)
        self._shrink()

    def _run(self, command: str, *given: object) -> list[tuple[bytes, int]]:
        """Run one command in a transaction of its own; return its rows, none where that is not possible now."""
        if self.connection is None:
            return []
        try:
            return self.connection.execute(command, given).fetchall()
        except sqlite3.OperationalError:  # locked, read-only, or the disk is full
            return []
        except sqlite3.DatabaseError:
            self.connection.close()
            self.connection = None
            _remove(self.file)
            return []

    def _opened(self) -> sqlite3.Connection | None:
        for _ in range(2):
            try:
                return self._connected()
            except (sqlite3.OperationalError, OSError):
                return None
            except sqlite3.DatabaseError:
                _remove(self.file)
        return None

    def _connected(self) -> sqlite3.Connection:
        with suppress(OSError):  # a folder that is there and read-only may hold results
            make_folder(self.file.parent)
        made = sqlite3.connect(self.file, _WAIT, isolation_level=None, check_same_thread=False)
        try:
            with suppress(sqlite3.OperationalError):
                made.execute("PRAGMA journal_mode = WAL")
                made.execute("PRAGMA synchronous = NORMAL")
                made.execute(_TABLE)
            made.execute("SELECT count(*) FROM (SELECT key FROM results LIMIT 1)")
        except sqlite3.DatabaseError:
            made.close()  # Windows removes no file that is open
            raise
        return made

    def _shrink(self) -> None:
        """Delete the half of the results that was not used for longest, if there are too many."""
        with suppress(OSError):
            if self.file.stat().st_size > LARGEST:
                half = "SELECT key FROM results ORDER BY day, rowid LIMIT (SELECT (count(*) + 1) / 2 FROM results)"
                self._run(f"DELETE FROM results WHERE key IN ({half})")
                self._run("VACUUM")
                self._run("PRAGMA wal_checkpoint(TRUNCATE)")  # only then is the file itself smaller


def make_folder(folder: Path) -> None:
    """Make the folder; inside a project, Git and backups pass it over."""
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".gitignore").write_text("*\n")
        (folder / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n")


@lru_cache(maxsize=4)
def _cache(folder: str, process: int) -> Cache:
    return Cache(Path(folder))


def opened(folder: str) -> Cache:
    """Return the cache in a folder; a connection is not shared with the process that this one was forked from."""
    return _cache(folder, os.getpid())


def clean(folder: Path) -> bool:
    """Delete all results in a folder; return whether there were any. Raises OSError."""
    found = (folder / NAME).exists()
    for name in (*(NAME + more for more in _BESIDE), ".gitignore", "CACHEDIR.TAG"):
        if found:
            (folder / name).unlink(missing_ok=True)
    if found:
        with suppress(OSError):  # something else is in it
            folder.rmdir()
    return found


def _remove(file: Path) -> None:
    for more in _BESIDE:
        with suppress(OSError):
            file.with_name(file.name + more).unlink(missing_ok=True)
