"""Small programs and the facts that must be read from them.

Each file in `programs/` holds programs, each headed by `# case: a sentence`. What is expected stands in
`#:` comments on the row of the layer, in the notation of `brief`; no comment means no layer.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from source_brief import brief

from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

FOLDER = Path(__file__).parent / "programs"


def cases() -> list[tuple[str, str]]:
    """Every program with its name."""
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        for part in re.split(r"^# case: ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            title, _, text = part.partition("\n")
            found.append((f"{path.stem}: {title}", text))
    assert found
    return found


@pytest.mark.parametrize(("title", "text"), cases(), ids=[title for title, _ in cases()])
def test_program(title: str, text: str, names: Names) -> None:
    model = read("case.py", text.encode(), names)
    expected = {}
    for row, line in enumerate(text.splitlines(), 1):
        if "#:" in line:
            expected[row] = [part.strip() for part in line.split("#:", 1)[1].split(";;")]
    got: dict[int, list[str]] = {}
    for layer in model.layers:
        got.setdefault(layer.place.row, []).append(brief(layer))
    assert got == expected
