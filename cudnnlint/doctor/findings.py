"""The findings of `cudnnlint doctor`: lines of ok, problem or note, each with what to do."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from cudnnlint.core.language import tr
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.text import plural, visible

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
    """Return a line on what is as it should be."""
    return Line("ok", subject, found)


def note(subject: str, found: str, do: str = "", code: str | None = None) -> Line:
    """Return a line on what is worth knowing and stops nothing."""
    return Line("note", subject, found, do, code)


def problem(subject: str, found: str, do: str, code: str | None = None) -> Line:
    """Return a line on what keeps cuDNN from running, or from computing right."""
    return Line("problem", subject, found, do, code)


def as_data(lines: Sequence[Line], machine: dict[str, Any]) -> dict[str, Any]:
    """Return the findings as plain data."""
    return {
        "schema_version": 1,
        "ok": healthy(lines),
        "machine": machine,
        "lines": [asdict(line) for line in lines],
    }


def as_text(lines: Sequence[Line]) -> str:
    """Return the findings as text, with a last line that sums them up."""
    count = sum(line.state == "problem" for line in lines)
    if count:
        last = f"{plural(count, 'problem')}: this machine cannot run cuDNN RNN layers."
    else:
        last = "This machine can run cuDNN RNN kernels. `cudnnlint probe` shows whether your layers do."
    return "\n".join([*(_shown(line) for line in lines), "", tr(last)])


def _shown(line: Line) -> str:
    code = f" ({line.code})" if line.code else ""
    head = f"{tr(line.state):<9}{tr(line.subject) + ' ':<{MARGIN - 9}}"
    parts = [_wrap(tr(line.found) + code, head)]
    if line.do:
        parts.append(_wrap(f"-> {tr(line.do)}", " " * MARGIN))
    return "\n".join(parts)


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
    """Return whether there is no problem."""
    return not any(line.state == "problem" for line in lines)
