"""`python -m cudnnlint.dev.lower FILE...`: print the facts that the source front end reads from files."""

from __future__ import annotations

import sys
from pathlib import Path

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.fact import Fact, shown
from cudnnlint.core.layer import Construction, Layer, Model
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read
from cudnnlint.rulebook.loader import folder
from cudnnlint.rulebook.table_loader import load


def main(paths: list[str]) -> None:
    """Print the facts of every file."""
    names: Names = load(folder() / "tables").names
    for path in paths:
        try:
            show(read(path, Path(path).read_bytes(), names))
        except UnreadableInput as error:
            print(f"{path}:{error.row}:{error.column}: {error.reason}")


def show(model: Model) -> None:
    """Print one model."""
    for layer in model.layers:
        show_layer(layer)
    for note in model.notes:
        print(f"{model.path}: note: {note}")
    for reason, place in model.errors:
        print(f"{place or model.path}: error: {reason}")


def show_layer(layer: Layer) -> None:
    """Print one layer."""
    via = "".join(f" <- {step}" for step in layer.via)
    wraps = "".join(f" in {wrapper.kind}{':' + wrapper.role if wrapper.role else ''}" for wrapper in layer.wrappers)
    print(f"{layer.place}: {layer.name or '-'}{wraps}{via}")
    for variant in layer.variants:
        show_construction(variant, "    ")
    for call in layer.calls:
        around = ", ".join(f"{name}={shown_with_kind(fact)}" for name, fact in call.surroundings.items())
        print(f"    called at {call.place}: {around}")


def show_construction(made: Construction, indent: str) -> None:
    """Print how a layer is constructed."""
    own = f" ({made.subclass}: {', '.join(made.overrides) or 'replaces nothing'})" if made.subclass else ""
    print(f"{indent}{made.class_name} [{made.path}]{own}{' open: ' + made.open if made.open else ''}")
    for name, fact in made.arguments.items():
        print(f"{indent}  {name} = {shown_with_kind(fact)}")
    for cell in made.cells or ():
        show_construction(cell, indent + "  cell ")


def shown_with_kind(fact: Fact) -> str:
    """Return a fact with its kind, as text."""
    return f"{type(fact).__name__} {shown(fact)}"


if __name__ == "__main__":
    main(sys.argv[1:])
