"""The record of long runs: a line of JSON for each turn of a target, from which the table of README.md is made.

python tests/fuzz/record.py tests/fuzz/record.jsonl            print the table
python tests/fuzz/record.py tests/fuzz/record.jsonl --write    and put it into README.md
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- made by record.py -->\n", "<!-- end -->\n"


def add(path: Path, target: str, seed: int, following: int, inputs: int, finds: dict[str, int]) -> None:
    """Add a turn: how many inputs, the number of the input that follows, and the first input of each find."""
    line = {"target": target, "seed": seed, "next": following, "inputs": inputs, "finds": finds}
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(line) + "\n")


def lines(path: Path) -> list[dict[str, Any]]:
    """Every turn of a record."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def reached(path: Path, target: str, seed: int) -> int:
    """The number of the input that a target goes on with."""
    return max((one["next"] for one in lines(path) if (one["target"], one["seed"]) == (target, seed)), default=0)


def table(turns: list[dict[str, Any]]) -> str:
    """The inputs and finds of each target, in Markdown. The same find in several turns is one."""
    inputs: defaultdict[str, int] = defaultdict(int)
    finds: defaultdict[str, set[str]] = defaultdict(set)
    for one in turns:
        inputs[one["target"]] += one["inputs"]
        finds[one["target"]] |= set(one["finds"])
    rows = [f"| {name} | {count:,} | {len(finds[name])} |" for name, count in inputs.items()]
    whole = f"| all | {sum(inputs.values()):,} | {len(set().union(*finds.values()))} |"
    return "\n".join(["| target | inputs | finds |", "|---|---|---|", *rows, whole]) + "\n"


def written(text: str, new: str) -> str:
    """README.md with another table."""
    head, rest = text.split(BEGIN)
    return head + BEGIN + new + END + rest.split(END)[1]


def main() -> None:
    """Print the table, and write it where that is asked for."""
    made = table(lines(Path(sys.argv[1])))
    print(made, end="")
    if "--write" in sys.argv:
        README.write_text(written(README.read_text("utf-8"), made), "utf-8")


if __name__ == "__main__":
    main()
