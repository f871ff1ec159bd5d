"""Whether data has the shape of the JSON schema of `report`; knows the words of JSON Schema that our schemas use.

A key that the schema does not have is passed over: a later version may write more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "schemas" / "report.schema.json"
_TYPES: Mapping[str, type[Any]] = {
    "object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None),
}  # fmt: skip
Schema = Mapping[str, Any]


@lru_cache(maxsize=1)
def _written() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def fault(data: Any) -> str | None:
    """Return the first thing that is wrong with a report, as `files[0].path is not a string`; None if it is sound."""
    return next(_faults(data, _written(), ""), None)


def _faults(data: Any, schema: Schema, where: str) -> Iterator[str]:
    """Yield what is wrong with data at a place, and inside it."""
    if "$ref" in schema:
        schema = _written()["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        kinds = [next(_faults(data, one, where), None) for one in schema["anyOf"]]
        if None not in kinds:
            yield str(kinds[0])
        return
    wrong = _wrong(data, schema)
    if wrong is not None:
        yield f"{where or 'it'} {wrong}"
    elif isinstance(data, dict):
        yield from (f"{_inside(where, key)} is missing" for key in schema.get("required", ()) if key not in data)
        for key, inner in schema.get("properties", {}).items():
            if key in data:
                yield from _faults(data[key], inner, _inside(where, key))
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield from _faults(item, schema.get("items", {}), f"{where}[{index}]")


def _inside(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _wrong(data: Any, schema: Schema) -> str | None:
    """Return what is wrong with a value itself, None if nothing is."""
    given = schema.get("type")
    kinds = [given] if isinstance(given, str) else list(given or ())
    if kinds and not any(_is(data, kind) for kind in kinds):
        return f"is not {' or '.join(kinds)}"
    allowed = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if allowed is not None and data not in allowed:
        return f"is none of {', '.join(map(json.dumps, allowed))}"
    if isinstance(data, int) and data < schema.get("minimum", data):
        return f"is less than {schema['minimum']}"
    if isinstance(data, (str, list)) and len(data) < schema.get("minLength", schema.get("minItems", 0)):
        return "is empty"
    return None


def _is(data: Any, kind: str) -> bool:
    return isinstance(data, _TYPES[kind]) and not (kind == "integer" and isinstance(data, bool))
