"""What the tests of the source front end share."""

from __future__ import annotations

import pytest

from cudnnlint.core.names import Names
from cudnnlint.rulebook.loader import folder
from cudnnlint.rulebook.table_loader import load


@pytest.fixture(scope="session")
def names() -> Names:
    """The vocabulary of the rulebook."""
    return load(folder() / "tables").names
