"""What the layers of Keras 3 take out of a saved file, as a table: `python -m cudnnlint.dev.layer_table`.

Makes rules/tables/layers.toml of fixtures/evidence: layer_constructors.json (what the constructors of every release
take, read in its wheel), layer_arguments.json (which values stopped real Keras) and written_arguments.json (what
Keras 2 writes). A kind of value counts as refused where a release stopped at each value of it that was asked.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from packaging.version import Version

from cudnnlint.core.refused_values import kinds_of
from cudnnlint.dev.message_texts import ROOT

EVIDENCE, TABLE = ROOT / "fixtures" / "evidence", ROOT / "rules" / "tables" / "layers.toml"
#: The kinds of values that a row names, and those that it need not name beside another.
KINDS = {
    "none": (), "boolean": (), "true": ("boolean",), "false": ("boolean",), "integer": (), "0": ("integer",),
    "float": (), "negative": ("integer",), "more than one": (), "text": (), "empty text": ("text",), "sequence": (),
    "dict": (),
}  # fmt: skip
#: Arguments that other rows speak of, or whose values are judged by what else the layer was given.
ELSEWHERE = frozenset({"name", "seed", "output_padding", "mean", "variance"})
#: What Keras 3 makes a shape of while it loads an HDF5 file.
TURNED = {"batch_input_shape"}
#: A number that is no axis of one model may be one of another.
AXES = frozenset({"axis", "axes", "shared_axes", "attention_axes"})
NUMBERS = frozenset({"true", "false", "0", "negative", "boolean", "integer"})
HEAD = """# What the layers of Keras 3 take out of a saved file. Written by `python -m cudnnlint.dev.layer_table`.
#
# [[layer]]     classes with the arguments that some release takes; [[object]] the same of initializers and the like.
# [[some]]      an argument that not every release takes; [[class]] layers that not every release has.
# [needed]      the arguments without which no model is made of the file.
# [[refused]]   the kinds of values (cudnnlint/core/refused_values.py) that stop Keras 3, `since` the earliest release
#               that was asked and stopped where an earlier one did not, or was not asked.
# [written]     what Keras 2 writes for a class, and no release of Keras 3 takes.
"""


def table() -> str:
    """Return the text of the table."""
    read = json.loads((EVIDENCE / "layer_constructors.json").read_text(encoding="utf-8"))
    answers = [json.loads(line) for line in (EVIDENCE / "layer_arguments.json").read_text("utf-8").splitlines()]
    releases, layers, objects = read["releases"], read["layers"], read["objects"]
    several = ((name, one) for part in (layers, objects) for name, one in part.items())
    each = ((name, key, letters) for name, one in several for key, letters in one.items())
    lines = [f'{HEAD}\nchecked = "{releases[-1]}"', *_taken("layer", layers), *_taken("object", objects)]
    lines += ["\n[written]", *_written(layers), "\n[needed]", *_needed(layers)]
    lines += _rows("class", _spans(releases, ((name, "", one[""]) for name, one in layers.items())))
    lines += _rows("some", _spans(releases, (one for one in each if one[1])))
    return "\n".join([*lines, *_refused(answers)]) + "\n"


def _taken(heading: str, found: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield the classes that take the same."""
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, arguments in found.items():
        alike[tuple(sorted(arguments.keys() - {""}))].append(name)
    for names, classes in alike.items():
        yield f"\n[[{heading}]]\nclass = {_listed(classes)}\narguments = {_listed(names)}"


def _written(layers: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield what Keras 2 writes for each class that its constructor in Keras 3 does not take."""
    lines = (EVIDENCE / "written_arguments.json").read_text(encoding="utf-8").splitlines()
    answers = [json.loads(line)["found"] for line in lines]
    for name, arguments in layers.items():
        written = {one for found in answers for one in found.get(name, [])}
        if foreign := sorted(written - {*arguments} - TURNED):
            yield f"{name} = {_listed(foreign)}"


def _spans(releases: list[str], found: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str], list[str]]:
    """Return the classes by what is theirs in some releases alone, and in which."""
    spans: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, argument, letters in found:
        if "n" in letters:
            have = [number for number, letter in enumerate(letters) if letter in "ry"]
            since = "" if have[0] == 0 else f'since = "{releases[have[0]]}"\n'
            until = "" if have[-1] + 1 == len(releases) else f'until = "{releases[have[-1] + 1]}"\n'
            assert letters[have[0] : have[-1] + 1].strip("ry") == "", (name, argument)
            spans[argument, since + until].append(name)
    return spans


def _rows(heading: str, spans: Mapping[tuple[str, str], list[str]]) -> Iterator[str]:
    for (argument, when), classes in spans.items():
        key = f'argument = "{argument}"\n' if argument else ""
        yield f"\n[[{heading}]]\nclass = {_listed(classes)}\n{key}{when}".rstrip()


def _needed(layers: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for name, arguments in layers.items():
        if needed := [argument for argument, letters in arguments.items() if not letters.strip("r.")]:
            yield f"{name} = {_listed(needed)}"


def _refused(answers: list[dict[str, Any]]) -> Iterator[str]:
    """Yield rows of values that stop the newest release, and every earlier one down to the one that a row begins at."""
    newest_first = sorted(answers, key=lambda answer: Version(answer["keras"]), reverse=True)
    since: dict[tuple[str, str], dict[str, str]] = {}
    for number, answer in enumerate(newest_first):
        for name, argument in ((n, a) for n, found in answer["values"].items() for a in found.keys() - ELSEWHERE):
            stopping = _stopping(answer, name, argument) - (NUMBERS if argument in AXES else set())
            before = newest_first[number - 1]["keras"]
            found = since.setdefault((name, argument), {})
            found.update({kind: answer["keras"] for kind in stopping if number == 0 or found.get(kind) == before})
    alike: dict[tuple[str, tuple[str, ...], str], list[str]] = defaultdict(list)
    for (name, argument), found in sorted(since.items()):
        for begins in sorted({*found.values()}, key=Version):
            stopping = {kind for kind, first in found.items() if Version(first) <= Version(begins)}
            new = {kind for kind in stopping if found[kind] == begins}
            shown = tuple(kind for kind, beside in KINDS.items() if kind in new and stopping.isdisjoint(beside))
            if shown:
                alike[begins, shown, argument].append(name)
    grouped: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[str]] = defaultdict(list)
    for (begins, shown, argument), classes in alike.items():
        grouped[begins, shown, tuple(classes)].append(argument)
    for (begins, shown, several), arguments in grouped.items():
        kept = f'argument = {_listed(arguments)}\nkinds = {_listed(shown)}\nsince = "{begins}"'
        yield f"\n[[refused]]\nclass = {_listed(several)}\n{kept}"


def _stopping(answer: Mapping[str, Any], name: str, argument: str) -> set[str]:
    """Return the kinds of values of which each stopped a release."""
    every = answer["values"][name][argument]
    pairs = (pair for letters in every for pair in zip(answer["asked"], letters, strict=True))
    passing = [value for value, letter in pairs if letter == "r"]
    passed = frozenset[str]().union(*map(kinds_of, (*passing, *answer["written"][name][argument])))
    stopping = KINDS.keys() & frozenset[str]().union(*map(kinds_of, answer["asked"])) - passed
    if passed <= {"none", "dict"}:  # words and objects that were not asked
        stopping -= {"text", "empty text"}
    if "float" not in passed:  # a number of something, which other layers may have more of
        stopping -= {"more than one"}
    return stopping - {"dict"} if passed <= {"none", "text"} else stopping


def _listed(words: Iterable[str]) -> str:
    """Return a list as TOML has it, broken where it is long."""
    line = f"[{', '.join(json.dumps(word) for word in words)}]"
    if len(line) < 100:
        return line
    lines = [""]
    for word in words:
        part = f" {json.dumps(word)},"
        if len(lines[-1]) + len(part) > 112:
            lines.append("")
        lines[-1] += part
    return "[\n" + "\n".join(f"  {one.strip()}" for one in lines) + "\n]"


def main() -> None:
    """Write the table."""
    TABLE.write_text(table(), encoding="utf-8")


if __name__ == "__main__":
    main()
