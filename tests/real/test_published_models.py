"""The evidence on published old files is large enough, and every converted one is right (published_models.py)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOUND = json.loads((Path(__file__).parents[2] / "fixtures" / "evidence" / "convert_published.json").read_text())
MODELS: list[dict[str, Any]] = FOUND["models"]
SOURCES = tomllib.loads(Path(__file__).with_name("published_models.toml").read_text(encoding="utf-8"))["source"]
TOLERANCE = 1e-5


def test_nine_of_ten_files_without_code_of_their_own_are_converted() -> None:
    plain = [one for one in MODELS if not one["own_code"]]
    assert len(plain) >= 60
    assert sum("loaded_by" in one for one in plain) >= 0.9 * len(plain)


def test_every_converted_file_was_loaded_and_nearly_all_were_held_against_the_old_keras() -> None:
    converted = [one for one in MODELS if "refused" not in one]
    assert all(one["loaded_by"].startswith("keras 3.") for one in converted)
    compared = [one for one in converted if "difference" in one]
    assert len(compared) >= 0.9 * len(converted)
    assert all(one["difference"] <= TOLERANCE for one in compared)
    assert all(one["largest"] > 0 for one in compared)


def test_a_file_that_is_not_converted_says_why() -> None:
    assert all(one["refused"] for one in MODELS if "loaded_by" not in one)


def test_every_source_of_the_list_has_a_file_in_the_evidence() -> None:
    names = [source.get("wheel") or source["repository"] for source in SOURCES]
    assert len(set(names)) > 15
    assert all(any(one["model"].startswith(f"{name}/") for one in MODELS) for name in names)


def test_the_sums_are_those_of_the_files() -> None:
    assert FOUND["files"] == len(MODELS)
    assert FOUND["compared"] == sum("difference" in one for one in MODELS)
    assert FOUND["largest_difference"] == max(one["difference"] for one in MODELS if "difference" in one)
