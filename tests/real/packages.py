"""Runs the linter on published packages: `python tests/real/packages.py [--cache DIR] [--only NAME ...] [--sample N]`.

The packages of packages.toml are downloaded as wheels (`pip download --no-deps`: nothing is installed, nothing of
them runs), and their sources are linted, one package at a time; Python's own standard library, too. What was found
is written to fixtures/evidence/packages.json, and from it and from packages_checked.json (layers that were judged
by hand) the page fixtures/evidence/packages.md. `--page` only writes the page anew; `--sample N` prints N findings
and N clean layers, evenly from all packages, to be judged by hand.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from named_calls import calls

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
EVIDENCE = HERE.parents[1] / "fixtures" / "evidence"
FOUND, CHECKED, PAGE = (EVIDENCE / name for name in ("packages.json", "packages_checked.json", "packages.md"))
SUFFIXES = (".py", ".ipynb")
VERDICTS = ("cudnn", "fallback", "raises", "depends", "unknown")
STDLIB = {"name": "the standard library", "version": "3.11", "target": "keras@3.15:tensorflow", "holds": "none"}


def wanted(only: list[str]) -> list[dict[str, str]]:
    """The packages to look at."""
    listed = [*tomllib.loads((HERE / "packages.toml").read_text())["package"], STDLIB]
    return [package for package in listed if not only or package["name"] in only]


def sources(package: dict[str, str], cache: Path) -> Path:
    """The folder with a package's sources, downloaded if it is not there."""
    if package is STDLIB:
        return _stdlib(cache)
    folder = cache / f"{package['name']}-{package['version']}"
    if folder.is_dir():
        return folder
    with tempfile.TemporaryDirectory() as wheels:
        platforms = ["--platform", "any", "--platform", "manylinux2014_x86_64"]
        python = ["--python-version", package["python"]] if "python" in package else []
        options = ["--quiet", "--no-deps", "--only-binary=:all:", *platforms, *python, "--dest", wheels]
        command = [sys.executable, "-m", "pip", "download", *options, f"{package['name']}=={package['version']}"]
        subprocess.run(command, check=True)
        [wheel] = Path(wheels).iterdir()
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder, [name for name in archive.namelist() if name.endswith(SUFFIXES)])
    return folder


def _stdlib(cache: Path) -> Path:
    """Python's own modules, without what is installed beside them."""
    folder, origin = cache / f"stdlib-{sys.version_info[0]}.{sys.version_info[1]}", Path(sysconfig.get_path("stdlib"))
    for path in [] if folder.is_dir() else origin.rglob("*.py"):
        inside = path.relative_to(origin)
        if "site-packages" not in inside.parts:
            (folder / inside.parent).mkdir(parents=True, exist_ok=True)
            (folder / inside).write_bytes(path.read_bytes())
    return folder


def lint(folder: Path, target: str) -> dict[str, Any]:
    """The linter's report; its paths are relative to the folder."""
    options = ["--output-format", "report", "--exit-zero", "--target", target, "--jobs", "1"]
    command = [sys.executable, "-m", "cudnnlint", "check", ".", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{folder.name}: exit status {done.returncode}\n{done.stderr}")
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def told(package: dict[str, str], folder: Path) -> dict[str, Any]:
    """What is kept of one package."""
    report = lint(folder, package["target"])
    layers = list(_layers(report))
    crashes = [d for d in report["diagnostics"] if d["code"] == "CDN003"]
    unread = [{"path": file["path"], "why": file["error"]["message"]} for file in report["files"] if file["error"]]
    return {
        "name": package["name"],
        "version": package["version"],
        "target": package["target"],
        "holds": package.get("holds", "keras"),
        "files": report["summary"]["files"],
        "verdicts": {verdict: report["summary"][verdict] for verdict in VERDICTS},
        "crashes": len(crashes),
        "unread": unread,
        "layers": layers,
        "passed_over": list(_passed_over(folder, report)),
    }


def _layers(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for file in report["files"]:
        for layer in file["layers"]:
            judged = layer["verdicts"][0]
            faults = [item for item in judged["requirements"] if item["met"] != "yes"]
            yield {
                "path": file["path"],
                "row": layer["row"],
                "via": [
                    step["row"] if step["path"] == file["path"] else [step["path"], step["row"]]
                    for step in layer["via"]
                ],
                "class": layer["class_name"],
                "verdict": judged["verdict"],
                "because": {item["code"]: item["found"] for item in faults if item["found"]},
            }


def _passed_over(folder: Path, report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Calls of something that is called like a recurrent layer, and that no layer was found at."""
    places = {
        (place["path"], place["row"])
        for file in report["files"]
        for layer in file["layers"]
        for place in ({"path": file["path"], "row": layer["row"]}, *layer["via"])
    }
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        for call in calls(path.read_bytes()):
            if (name, call.lineno) not in places:
                yield {"path": name, "row": call.lineno, "text": ast.unparse(call)[:100]}


def sample(packages: list[dict[str, Any]], count: int) -> Iterator[dict[str, Any]]:
    """`count` findings and `count` clean layers, taken evenly from all packages."""
    for clean in (False, True):
        rows = [
            [{"package": f"{p['name']} {p['version']}", **layer} for layer in p["layers"] if _clean(layer) is clean]
            for p in packages
        ]
        yield from _evenly([row for row in rows if row], count)


def _clean(layer: dict[str, Any]) -> bool:
    return bool(layer["verdict"] == "cudnn")


def _evenly(rows: list[list[dict[str, Any]]], count: int) -> Iterator[dict[str, Any]]:
    """As many from each row as can be, spread over its length; what a short one leaves goes to the longer ones."""
    taken, left = [0] * len(rows), count
    while left and any(n < len(row) for n, row in zip(taken, rows, strict=True)):
        for index, row in enumerate(rows):
            if left and taken[index] < len(row):
                taken[index] += 1
                left -= 1
    for n, row in zip(taken, rows, strict=True):
        yield from (row[step * len(row) // n] for step in range(n))


def page(found: dict[str, Any], checked: list[dict[str, Any]]) -> str:
    """The evidence as a page to read."""
    packages = found["packages"]
    lines = [
        "# Published packages",
        "",
        "Written by `python tests/real/packages.py`; what is behind each number stands in packages.json.",
        "",
        "| package | version | judged for | files | layers | cuDNN | fall back | raise | depend | unknown | crashes |",
        "|---|---|---|" + "---:|" * 8,
    ]
    for one in packages:
        numbers = [one["files"], len(one["layers"]), *one["verdicts"].values(), one["crashes"]]
        lines.append(f"| {one['name']} | {one['version']} | {one['target']} | " + " | ".join(map(str, numbers)) + " |")
    total = Counter(layer["verdict"] for one in packages for layer in one["layers"])
    layers = sum(total.values())
    known = layers - total["unknown"]
    lines += ["", f"{layers} layers, {known} of them judged ({100 * known / max(1, layers):.1f} %).", ""]
    lines += ["## Why some cannot be told", "", *_reasons(packages), "", "## Files that were not read", ""]
    lines += [f"- {p['name']} {p['version']}, `{f['path']}`: {f['why']}" for p in packages for f in p["unread"]] or [
        "None."
    ]
    lines += ["", "## Called like a recurrent layer, and not told: another library's", "", *_lookalikes(packages)]
    remarks = [f"{one['name']}: {one['remark']}" for one in wanted([]) if "remark" in one]
    lines += ["", *remarks] if remarks else []
    return "\n".join([*lines, "", "## Judged by hand", "", *_by_hand(checked)]) + "\n"


def _reasons(packages: list[dict[str, Any]]) -> list[str]:
    counted = Counter(
        (one["name"], code, why)
        for one in packages
        for layer in one["layers"]
        if layer["verdict"] == "unknown"
        for code, why in layer["because"].items()
    )
    if not counted:
        return ["Each layer is judged."]
    rows = [f"| {name} | {code} | {_cell(why)} | {times} |" for (name, code, why), times in sorted(counted.items())]
    return ["| package | code | what is missing | layers |", "|---|---|---|---:|", *rows]


def _lookalikes(packages: list[dict[str, Any]]) -> list[str]:
    rows = [
        f"| {p['name']} | `{c['path']}:{c['row']}` | `{_cell(c['text'])}` |" for p in packages for c in p["passed_over"]
    ]
    return ["| package | where | call |", "|---|---|---|", *rows] if rows else ["None."]


def _by_hand(checked: list[dict[str, Any]]) -> list[str]:
    wrong = [one for one in checked if one["judged"] != "right"]
    lines = [f"{len(checked)} layers were held against the code, {len(wrong)} verdicts of them were wrong."]
    lines += ["", "| package | where | class | verdict | judged | remark |", "|---|---|---|---|---|---|"]
    for one in checked:
        where = f"`{one['path']}:{one['row']}`"
        cells = [one["package"], where, one["class"], one["verdict"], one["judged"], _cell(one.get("remark", ""))]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "cudnnlint-packages")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    before = json.loads(FOUND.read_text()) if FOUND.exists() else {"packages": []}
    known = {(one["name"], one["version"]): one for one in before["packages"]}
    if options.sample:
        print(*map(json.dumps, sample(before["packages"], options.sample)), sep="\n")
        return 0
    for package in [] if options.page else wanted(options.only):
        start = time.monotonic()
        one = known[package["name"], package["version"]] = told(package, sources(package, options.cache))
        spent = time.monotonic() - start
        print(
            f"{one['name']} {one['version']}: {len(one['layers'])} layers, {one['verdicts']}, {spent:.1f} s", flush=True
        )
        write(known)
    kept = write(known)
    invented = [one for one in kept if one["holds"] == "none" and one["layers"]]
    return 1 if invented or any(one["crashes"] for one in kept) else 0


def write(known: dict[tuple[str, str], dict[str, Any]]) -> list[dict[str, Any]]:
    """Write the evidence and its page; the packages in the order of the list."""
    order = [(package["name"], package["version"]) for package in wanted([])]
    found = {"packages": [known[key] for key in order if key in known]}
    FOUND.write_text(
        json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n"
    )
    checked = json.loads(CHECKED.read_text()) if CHECKED.exists() else []
    PAGE.write_text(page(found, checked))
    return found["packages"]


if __name__ == "__main__":
    sys.exit(main())
