"""Small configurations, as Keras 2 writes them, and where the fixtures stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"


def lstm(name: str = "lstm", **arguments: Any) -> dict[str, Any]:
    """A Keras 2 entry of an LSTM."""
    return {"class_name": "LSTM", "config": {"name": name, "units": 2, "return_sequences": True, **arguments}}


def layer(kind: str, name: str, **arguments: Any) -> dict[str, Any]:
    """A Keras 2 entry of any layer."""
    return {"class_name": kind, "config": {"name": name, **arguments}}


def functional(parts: list[dict[str, Any]], inputs: Any, outputs: Any, name: str = "model") -> dict[str, Any]:
    """A Keras 2 functional model; each part has its inbound_nodes already."""
    config = {"name": name, "layers": parts, "input_layers": inputs, "output_layers": outputs}
    return {"class_name": "Functional", "config": config, "name": name}


def at(entry: dict[str, Any], *calls: Any) -> dict[str, Any]:
    """The entry with its calls."""
    return {**entry, "name": entry["config"]["name"], "inbound_nodes": list(calls)}
