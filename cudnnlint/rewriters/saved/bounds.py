"""Bounds on a rewrite: a damaged file may declare gigabytes that it does not hold, or send HDF5 round in a circle.

The HDF5 library takes the room for a text or an array before it looks whether the file has it (h5py 3.16,
`H5T__conv_vlen`), so what is declared cannot be held against what is there from outside.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: Bytes that any file may take, and how many times its own size: a weight that changes is held three times over.
ROOM, TIMES = 768 << 20, 8
_STATUS = Path("/proc/self/statm")


def bound_processor_time(seconds: float) -> None:
    """End this process once it has computed for so many seconds, where the system can."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    wanted = max(1, math.ceil(seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


@contextmanager
def bounded_memory(source: Path) -> Iterator[None]:
    """Let the process take no more memory than a file of this size needs; what asks for more raises MemoryError.

    Only Linux holds a process to it.
    """
    if sys.platform != "linux" or not source.is_file():
        yield
        return
    import resource

    taken = int(_STATUS.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = taken + ROOM + TIMES * source.stat().st_size
    others = [limit for limit in (before, most) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *others]), most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, most))
