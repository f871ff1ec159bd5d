"""What `cudnnlint doctor` says: lines of ok, problem or note, each with what to do."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cudnnlint.core.text import visible

WIDTH = 100
MARGIN = 28  # columns before the words: the state and the subject


@dataclass(frozen=True)
class Line:
    """One finding. `state` is ok, problem or note; `do` is empty where there is nothing to do."""

    state: str
    subject: str
    found: str
    do: str = ""
    code: str | None = None


def ok(subject: str, found: str) -> Line:
    """What is as it should be."""
    return Line("ok", subject, found)


def note(subject: str, found: str, do: str = "", code: str | None = None) -> Line:
    """What is worth knowing and stops nothing."""
    return Line("note", subject, found, do, code)


def problem(subject: str, found: str, do: str, code: str | None = None) -> Line:
    """What keeps cuDNN from running, or from running right."""
    return Line("problem", subject, found, do, code)


def as_data(lines: Sequence[Line], machine: dict[str, Any]) -> dict[str, Any]:
    """The findings as plain data."""
    return {
        "schema_version": 1,
        "ok": healthy(lines),
        "machine": machine,
        "lines": [asdict(line) for line in lines],
    }


def as_text(lines: Sequence[Line]) -> str:
    """The findings for people, and a last line that sums them up."""
    count = sum(line.state == "problem" for line in lines)
    if count:
        last = f"{count} problem{'s' * (count > 1)}: no recurrent layer runs in cuDNN here as it should."
    else:
        last = "cuDNN RNN kernels can run here. `cudnnlint probe` shows whether a layer of yours does."
    return "\n".join([*(_told(line) for line in lines), "", last])


def _told(line: Line) -> str:
    code = f" ({line.code})" if line.code else ""
    head = f"{line.state:<9}{line.subject:<{MARGIN - 9}}"
    told = [_wrap(line.found + code, head)]
    if line.do:
        told.append(_wrap(f"-> {line.do}", " " * MARGIN))
    return "\n".join(told)


def _wrap(text: str, head: str) -> str:
    return textwrap.fill(
        visible(text),
        WIDTH,
        initial_indent=head,
        subsequent_indent=" " * MARGIN,
        break_on_hyphens=False,
        break_long_words=False,
    )


def healthy(lines: Sequence[Line]) -> bool:
    """Is there no problem?"""
    return not any(line.state == "problem" for line in lines)
