"""Runs an example through the real pipeline, as a user would."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulebook_pages import Example

from cudnnlint import pipeline
from cudnnlint.core.report import Report
from cudnnlint.settings.settings import Flags


@pytest.fixture
def run(tmp_path: Path):  # type: ignore[no-untyped-def]
    """A function from an example to the report on it."""

    def report(example: Example) -> Report:
        path = tmp_path / example.file_name
        path.write_text(example.text, encoding="utf-8")
        (tmp_path / "cudnnlint.toml").write_text("", encoding="utf-8")
        request = pipeline.Request((str(path),), Flags(target=(example.target,)))
        return pipeline.check(request).report

    return report
