"""What containers, schedulers and launchers put around the lines of a program, taken off again."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

#: A line as Kubernetes stores it; P says that the next one of the same stream goes on.
_STORED = re.compile(r"\d{4}-\d\d-\d\dT\S+ (?P<stream>stdout|stderr) (?P<tag>[PF])(?::\S*)? ?")
_PREFIX = re.compile(
    r"(?:[\w.@-]{1,80} *\| "  # docker compose: `trainer-1  | `
    r"|\[pod/[^\]\s]{1,200}\] "  # kubectl logs --prefix
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d) "  # docker logs --timestamps
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \S{1,80} [\w.@/()-]{1,80}(?:\[\d+\])?: "  # journald, syslog
    r"|\(pid=\d+(?:, ip=[\d.]+)?\) "  # Ray; where it names the kind of worker, that tells something
    r"|\[\d+,\d+\]<std(?:err|out)>: ?"  # mpirun, horovodrun
    r"|\d{1,4}: (?=\D))+"  # srun --label
)
NESTED = 100  # brackets; a line of a log has fewer, and json gives up at a thousand inside one another
_KEYS = ("log", "message", "msg", "textPayload", "line")


class Record(NamedTuple):
    """The text of a line, the stream that it came from, and whether the next line of that stream goes on with it."""

    text: str
    stream: str = ""
    open: bool = False


def record(line: str) -> Record:
    """Return what the program wrote of a line of a log."""
    stored = _STORED.match(line)
    if stored is not None:
        return Record(line[stored.end() :].rstrip("\r"), stored["stream"], stored["tag"] == "P")
    if line.startswith('{"') and line.count("[") + line.count("{") < NESTED:
        return _from_json(line)
    return Record(line)


def unprefixed(line: str) -> str:
    """Return the line without the name and the time that a launcher put before it."""
    found = _PREFIX.match(line)
    return line[found.end() :] if found is not None else line


def _from_json(line: str) -> Record:
    """Return the text of a line that is a JSON object, as Docker and cloud services write them; else the line."""
    try:
        data = json.loads(line)
    except ValueError:
        return Record(line)
    key = next((key for key in _KEYS if isinstance(data.get(key), str)), None)
    if key is None:
        return Record(line)
    text = data[key]
    docker = key == "log" and "stream" in data
    return Record(text.rstrip("\r\n"), str(data.get("stream", "")), docker and not text.endswith("\n"))
