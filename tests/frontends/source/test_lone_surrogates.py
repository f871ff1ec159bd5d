"""Text that no file can hold, but the JSON of a notebook can."""

from __future__ import annotations

import pytest

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.frontends.source.syntax.parsing import parse


def test_half_a_character_is_not_valid_python_and_its_row_is_told() -> None:
    with pytest.raises(UnreadableInput, match="not valid Python: half a character") as found:
        parse("x = 1\ny = '\ud800'\n")
    assert (found.value.row, found.value.column) == (2, 1)
