"""Runs a drawn program in Python, and holds what cudnnlint says of its layers against what Python made.

    PYTHONPATH=. python tests/frontends/source/composed/comparing.py 5000 --seed 1

prints how many layers were wrong, missing, listed too often and unknown, and the first programs of each kind.
With `--record` the numbers go to fixtures/evidence/composed.json, one row for each seed and way of drawing.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import io
import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import stubs
from pieces import DISTURBANCES, EDGES, MAKERS, PRELUDE, VALUES, Draw, Program

from cudnnlint.core.fact import Absent, Assumed, Fact, Known, Opaque, Single, alternatives
from cudnnlint.core.layer import Construction, Layer
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read
from cudnnlint.rulebook.loader import folder
from cudnnlint.rulebook.table_loader import load

RECORDS = Path(__file__).resolve().parents[4] / "fixtures" / "evidence" / "composed.json"
Made = list[stubs.Made]
#: What is wrong with a layer, from the worst on.
PLAIN = (bool, int, float, str, type(None))
KINDS = ("wrong", "missing", "extra", "unknown", "right")


def run(text: str) -> tuple[Made, str]:
    """Return the layers that Python constructs, and the name of the error that ends the program, if one does."""
    made: Made = []
    modules = stubs.keras(made) | stubs.elsewhere()
    before = {name: sys.modules.get(name) for name in (*modules, "__main__")}
    main = stubs._module("__main__", {})
    sys.modules.update(modules, __main__=main)
    error = ""
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            exec(compile(text, "program", "exec", dont_inherit=True), main.__dict__)
    except (Exception, SystemExit) as raised:
        error = f"{type(raised).__name__}: {raised}"
    finally:
        for name, module in before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module
    return made, error


def compare(program: Program, made: Made, names: Names) -> Iterator[tuple[str, str, str]]:
    """Yield for every layer its tag, one of KINDS, and what is wrong with it."""
    layers: dict[str, list[Layer]] = collections.defaultdict(list)
    for layer in read("program.py", (PRELUDE + program.text).encode(), names).layers:
        if not any(wrapper.role == "backward" for wrapper in layer.wrappers):
            layers[_tag(layer)].append(layer)
    truth: dict[str, Made] = collections.defaultdict(list)
    for name, arguments in made:
        truth[arguments.get("name", "")].append((name, arguments))
    for tag in program.tags:
        yield from ((tag, kind, why) for kind, why in _of_tag(layers[tag], truth[tag]))


def _tag(layer: Layer) -> str:
    for variant in layer.variants:
        for fact in alternatives(variant.argument("name")):
            if isinstance(fact, (Known, Assumed)):
                return str(fact.value)
    return ""


def _of_tag(layers: list[Layer], made: Made) -> Iterator[tuple[str, str]]:
    for one in made:
        if not layers:
            yield "missing", f"{one} is not found"
        elif not any(_fits(variant, one) for layer in layers for variant in layer.variants):
            yield "wrong", f"{one} in Python, {[_shown(layer) for layer in layers]} for us"
    for layer in layers:
        fitting = [variant for variant in layer.variants if any(_fits(variant, one) for one in made)]
        if made and not fitting:
            yield "wrong", f"{_shown(layer)} for us, {made} in Python"
        elif made:
            unknown = len(layer.variants) > 1 or not _known(layer.variants[0])
            yield ("unknown" if unknown else "right"), _shown(layer)
    if made and len(layers) > len(made):
        yield "extra", f"{[_shown(layer) for layer in layers]} for us, {made} in Python"


def _fits(variant: Construction, one: stubs.Made) -> bool:
    name, arguments = one
    if variant.unsure is not None:
        return True
    if variant.class_name != name:
        return False
    return all(
        _may_be(variant.argument(key), arguments.get(key), key in arguments, variant.open is not None)
        for key in {*variant.arguments, *arguments}
    )


def _may_be(fact: Fact, value: Any, given: bool, is_open: bool) -> bool:
    """Return whether an argument may have a value; None and not given are the same to the recorded layers."""
    return any(_is(single, value, given, is_open) for single in alternatives(fact))


def _is(single: Single, value: Any, given: bool, is_open: bool) -> bool:
    if isinstance(single, Absent):
        return not given or value is None or is_open
    if not isinstance(single, (Known, Assumed)) or isinstance(single.value, Opaque):
        return True
    if type(single.value) is type(value) and single.value == value:
        return True
    return not isinstance(value, PLAIN) and not isinstance(single.value, PLAIN)


def _known(variant: Construction) -> bool:
    def known(fact: Fact) -> bool:
        single = alternatives(fact)
        return len(single) == 1 and isinstance(single[0], (Known, Assumed, Absent))

    return variant.open is None and variant.unsure is None and all(map(known, variant.arguments.values()))


def _shown(layer: Layer) -> str:
    def shown(fact: Fact) -> str:
        return "|".join(str(getattr(one, "value", getattr(one, "because", "-"))) for one in alternatives(fact))

    variants = [
        f"{variant.class_name}({', '.join(f'{name}={shown(fact)}' for name, fact in variant.arguments.items())}"
        f"{', **?' if variant.open else ''})"
        for variant in layer.variants
    ]
    return " / ".join(variants)


class Tally:
    """The numbers of a run, with an example for each kind and piece."""

    def __init__(self) -> None:
        self.counts: collections.Counter[str] = collections.Counter()
        self.pieces: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
        self.examples: dict[tuple[str, str], str] = {}
        self.failed: collections.Counter[str] = collections.Counter()
        self.worked: collections.Counter[str] = collections.Counter()

    def add(self, program: Program, names: Names) -> list[str]:
        """Run and compare one program; return the faults that make it wrong."""
        made, error = run(PRELUDE + program.text)
        for part in program.parts:
            (self.failed if error else self.worked)[part] += 1
        if error:
            self.examples.setdefault(("failed", program.parts[0]), error)
            self.counts["not run"] += 1
            return []
        self.counts["programs"] += 1
        faults = []
        for tag, kind, why in compare(program, made, names):
            told = f"{kind} (disturbed)" if tag in program.disturbed and kind != "wrong" else kind
            self.counts[told] += 1
            self.pieces[told][program.tags[tag]] += 1
            self.examples.setdefault((told, program.tags[tag]), f"{tag}: {why}\n{program.text}")
            if kind == "wrong":
                faults.append(f"{tag}: {why}\n{program.text}")
        return faults

    def unknown_share(self) -> float:
        """Return the share of unknown and missing layers among those that Python itself fixes."""
        open_ones = self.counts["unknown"] + self.counts["missing"]
        return open_ones / max(1, open_ones + self.counts["right"] + self.counts["wrong"])


def record(seed: int, opened: bool, tally: Tally) -> None:
    """Write the numbers of a run into the evidence, in place of those of the same seed."""
    rows = json.loads(RECORDS.read_text(encoding="utf-8")) if RECORDS.exists() else []
    names = ("programs", "not run", "right", "unknown", "wrong", "missing", "extra")
    made = {"seed": seed, "opened": opened, **{name: tally.counts[name] for name in names}}
    made["right (disturbed)"] = tally.counts["right (disturbed)"]
    made["missing (disturbed)"] = tally.counts["missing (disturbed)"]
    kept = [row for row in rows if (row["seed"], row["opened"]) != (seed, opened)]
    every = sorted([*kept, made], key=lambda row: (row["opened"], row["seed"]))
    RECORDS.write_text("[\n" + ",\n".join(map(json.dumps, every)) + "\n]\n", encoding="utf-8")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=int, help="how many; 0 runs every piece once by itself")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--opened", action="store_true", help="programs with one expression that is not followed")
    parser.add_argument("--record", action="store_true", help="write the numbers into the evidence")
    parser.add_argument("--show", default="wrong", help="the kinds of which examples are shown")
    parser.add_argument("--most", type=int, default=20)
    given = parser.parse_args()
    names, tally, draw = load(folder() / "tables").names, Tally(), Draw(given.seed)
    if given.programs:
        for _ in range(given.programs):
            tally.add(draw.opened() if given.opened else draw.program(), names)
    else:
        rows = (("values", VALUES), ("makers", MAKERS), ("disturbances", DISTURBANCES), ("edges", EDGES))
        for kind, pieces in rows:
            for piece in pieces:
                tally.add(draw.of(piece, kind), names)
    if given.record:
        record(given.seed, given.opened, tally)
    for kind in given.show.split(","):
        shown = [(origin, text) for (told, origin), text in tally.examples.items() if told == kind]
        for origin, text in shown[: given.most]:
            print(f"=== {kind}\n{text if kind != 'failed' else origin + chr(10) + text}")
    print({"share unknown": round(tally.unknown_share(), 4), **dict(tally.counts.most_common())})


if __name__ == "__main__":
    main()
