"""Runs the linter on whole public repositories: `python tests/real/repositories.py CHECKOUTS [--only NAME ...]`.

CHECKOUTS is a folder outside this one. The repositories of repositories.toml are looked for in it as OWNER+NAME; one
that is not there is fetched from GitHub at its commit. Nothing of them runs, and none of their code is kept: what was
found is counted in fixtures/evidence/repositories.json. The page fixtures/evidence/repositories.md is written from it
and from repositories_judged.json (layers that were judged by hand, as they were first reported). `--page` only writes
the page anew. A repository without a pinned release is judged for what is installed here.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from decided_outside import DECIDERS, outside
from named_calls import calls
from notebook_cells import cells

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
EVIDENCE = HERE.parents[1] / "fixtures" / "evidence"
FOUND, PAGE = EVIDENCE / "repositories.json", EVIDENCE / "repositories.md"
JUDGED = EVIDENCE / "repositories_judged.json"
VERDICTS = ("cudnn", "fallback", "raises", "depends", "unknown")
_KERAS = re.compile(r"keras|tensorflow")


def listed() -> list[dict[str, Any]]:
    """The repositories to look at."""
    repositories: list[dict[str, Any]] = tomllib.loads((HERE / "repositories.toml").read_text())["repository"]
    return repositories


def checkout(one: dict[str, Any], folder: Path) -> Path:
    """The checkout of a repository, fetched if it is not there."""
    path = folder / one["name"].replace("/", "+")
    if not path.is_dir():
        path.mkdir(parents=True)
        address = f"https://github.com/{one['name']}"
        for command in (["init", "-q"], ["fetch", "-q", "--depth", "1", address, one["commit"]]):
            subprocess.run(["git", *command], cwd=path, check=True)
        subprocess.run(["git", "checkout", "-q", "FETCH_HEAD"], cwd=path, check=True)
    return path


def lint(path: Path) -> dict[str, Any]:
    """The linter's report on a whole repository."""
    check = [sys.executable, "-m", "cudnnlint", "check", ".", "--jobs", "1", "--no-cache"]
    command = [*check, "--output-format", "report", "--exit-zero"]
    done = subprocess.run(command, cwd=path, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{path.name}: exit status {done.returncode}\n{done.stderr}")
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def counted(one: dict[str, Any], path: Path, report: dict[str, Any]) -> dict[str, Any]:
    """What is kept of one repository: numbers."""
    codes = [d["code"] for d in report["diagnostics"]]
    read = {file["path"] for file in report["files"] if file["error"] is None}
    calls = [place for place in constructors(path) if place[0] in read]
    seen = set(_rows(report))
    return {
        "name": one["name"],
        "commit": one["commit"],
        "files": report["summary"]["files"],
        **{verdict: report["summary"][verdict] for verdict in VERDICTS},
        "outside": outside(report),
        "crashes": codes.count("CDN003"),
        "unreadable": sum(file["error"] is not None for file in report["files"]),
        "constructors": len(calls),
        "listed": sum(place in seen for place in calls),
    }


def _rows(report: dict[str, Any]) -> Iterator[tuple[str, int | None, int]]:
    """Every place at which a layer is listed: file, cell, row."""
    for file in report["files"]:
        for layer in file["layers"]:
            last = layer["end_row"] or layer["row"] or 0
            yield from ((file["path"], layer["cell"], row) for row in range(layer["row"] or 0, last + 1))
            yield from ((step["path"], step.get("cell"), step["row"]) for step in layer["via"])


def constructors(path: Path) -> Iterator[tuple[str, int | None, int]]:
    """Calls by the name of a recurrent layer in files that mention Keras: file, cell, row."""
    for file in sorted([*path.rglob("*.py"), *path.rglob("*.ipynb")]):
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        if _KERAS.search(text):
            name = file.relative_to(path).as_posix()
            for cell, code in cells(text) if file.suffix == ".ipynb" else [(None, text)]:
                yield from ((name, cell, call.lineno) for call in calls(code))


def page(found: list[dict[str, Any]]) -> str:
    """The evidence as a page to read."""
    by_hand = {one["name"]: one for one in listed()}
    lines = [
        "# Whole public repositories",
        "",
        "Written by `python tests/real/repositories.py CHECKOUTS`. None of their code is kept here.",
        "",
        "- outside: unknown layers that the command line, the environment, data that the program reads or a caller "
        "that is not there decides, by the reasons that cudnnlint gives (`tests/real/decided_outside.py`)",
        "- found by text: calls by a layer's name in files that mention Keras and can be read; seen: those listed",
        "- unreadable: Python 2, broken files, Git LFS pointers",
        "",
        "| repository | commit | files | layers | cuDNN | fall back | raise | depend | unknown | outside | crashes "
        "| unreadable | found by text | seen |",
        "|---|---|" + "---:|" * 12,
    ]
    for one in found:
        verdicts = [layers(one), *(one[v] for v in VERDICTS), undecided(one)]
        numbers = [one["files"], *verdicts, one["crashes"], one["unreadable"]]
        cells = [one["name"], one["commit"][:12], *numbers, one["constructors"], one["listed"]]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    lines += ["", summary(found), "", "## Verdicts that were wrong, and why", ""]
    lines += ["Each was mended, and is a case of our own in the tests.", "", "| repository | layers | cause |"]
    lines += ["|---|---:|---|"]
    lines += [f"| {one['name']} | {one['wrong']} | {one['cause']} |" for one in by_hand.values() if "wrong" in one]
    return "\n".join([*lines, "", "## Judged by hand", "", *_judged(json.loads(JUDGED.read_text()))]) + "\n"


def _judged(places: list[dict[str, Any]]) -> list[str]:
    """What came of holding layers against their code: how many, and those that were not right when first read."""
    unknown = sum(one["layers"] for one in places if one["verdict"] == "unknown")
    repositories = len({one["repository"] for one in places})
    lines = [
        f"{sum(one['layers'] for one in places)} layers at {len(places)} places of {repositories} repositories "
        f"were held against the code, {unknown} of them unknown. All are in "
        "repositories_judged.json; these were not right:",
        "",
        "| repository | where | class | layers | verdict | judged | why |",
        "|---|---|---|---:|---|---|---|",
    ]
    for one in places:
        if one["judged"] != "right":
            cell = "" if one["cell"] is None else f" cell {one['cell']},"
            where = f"`{one['path']}`,{cell} line {one['row']}"
            rest = (one[key] for key in ("class", "layers", "verdict", "judged", "remark"))
            cells = [one["repository"], where, *rest]
            lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return lines


def layers(one: dict[str, Any]) -> int:
    """How many layers a repository has."""
    return sum(one[verdict] for verdict in VERDICTS)


def undecided(one: dict[str, Any]) -> int:
    """How many unknown layers of a repository are decided outside its code."""
    return sum(one["outside"].values())


def share(found: list[dict[str, Any]]) -> float:
    """The share of known layers among those that the code itself decides."""
    total = sum(map(layers, found))
    return (total - sum(one["unknown"] for one in found)) / max(1, total - sum(map(undecided, found)))


def summary(found: list[dict[str, Any]]) -> str:
    """The numbers of all repositories together."""
    holding = sum(layers(one) > 0 for one in found)
    total, unknown = sum(map(layers, found)), sum(one["unknown"] for one in found)
    who = {name: sum(one["outside"][name] for one in found) for name in DECIDERS}
    by = ", ".join(f"{count} by the {name}" for name, count in who.items() if count)
    text, seen = sum(one["constructors"] for one in found), sum(one["listed"] for one in found)
    return (
        f"{len(found)} repositories, {holding} of them with recurrent layers: {total} layers, {unknown} of them "
        f"unknown. {sum(who.values())} of these are decided outside the code ({by}); "
        f"{100 * share(found):.1f} % of the others are known. "
        f"{seen} of {text} constructors that a text search finds are in the reports."
    )


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, nargs="?")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    if not options.page and options.checkouts is None:
        parser.error("name the folder of the checkouts")
    known = {one["name"]: one for one in (json.loads(FOUND.read_text()) if FOUND.exists() else [])}
    for one in [] if options.page else listed():
        if not options.only or one["name"] in options.only:
            path = checkout(one, options.checkouts)
            known[one["name"]] = counted(one, path, lint(path))
            print(json.dumps(known[one["name"]]), flush=True)
            write(known)
    return 1 if any(one["crashes"] for one in write(known)) else 0


def write(known: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Write the evidence and its page; the repositories in the order of the list."""
    found = [known[one["name"]] for one in listed() if one["name"] in known]
    FOUND.write_text("[\n" + ",\n".join(map(json.dumps, found)) + "\n]\n")
    PAGE.write_text(page(found))
    return found


if __name__ == "__main__":
    sys.exit(main())
