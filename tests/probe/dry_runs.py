"""Dry runs over many generated programs and models, summed up as evidence.

    python tests/probe/dry_runs.py DIR keras:tensorflow keras:jax=PYTHON --files 150 --evidence FILE

DIR was filled by tests/oracle/truth.py. Each FRAMEWORK[:BACKEND][=PYTHON] is asked about the first `--files` of its
scripts and `.keras` files; PYTHON is the interpreter that has the framework, else this one. Exit 1 if anything is
contradicted.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

#: What the reasons of skipped and undecided layers begin with; what follows differs from layer to layer.
WORDS = 7


def asked(folder: Path, files: list[str], wish: str) -> dict[str, Any]:
    """One dry run, summed up."""
    what, _, python = wish.partition("=")
    framework, _, backend = what.partition(":")
    with tempfile.TemporaryDirectory() as scratch:
        record = Path(scratch) / "record.json"
        command = [sys.executable, "-m", "cudnnlint", "probe", "--dry-run", *files, "--framework", framework]
        command += ["--evidence", str(record)]
        command += ["--backend", backend] if backend else []
        command += ["--python", python] if python else []
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if not record.exists():
            raise SystemExit(f"{wish}: {done.stderr[-2000:]}")
        return summed(json.loads(record.read_text()), len(files))


def summed(record: dict[str, Any], files: int) -> dict[str, Any]:
    """What a record comes to."""
    left = [result for result in record["results"] if result["agreement"] in ("skipped", "undecided")]
    for result in record["results"]:
        if result["agreement"] == "contradicted":
            print(result["path"], result["layer"], result["reason"], file=sys.stderr)
    return {
        "target": record["machine"]["target"],
        "releases": record["machine"]["releases"],
        "files": files,
        "layers": len(record["results"]),
        **record["summary"],
        "why_not": dict(Counter(" ".join(result["reason"].split()[:WORDS]) for result in left).most_common()),
    }


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("wishes", nargs="+")
    parser.add_argument("--files", type=int, default=150)
    parser.add_argument("--evidence", type=Path)
    options = parser.parse_args()
    files = sorted(path.name for path in options.folder.iterdir() if path.suffix in (".py", ".keras"))[: options.files]
    found = []
    for wish in options.wishes:
        found.append(asked(options.folder, files, wish))
        print(json.dumps(found[-1]))
    if options.evidence:
        before = json.loads(options.evidence.read_text()) if options.evidence.exists() else []
        again = {one["target"] for one in found}
        kept = [one for one in before if one["target"] not in again]
        options.evidence.write_text(json.dumps([*kept, *found], indent=1) + "\n")
    return int(any(one["contradicted"] for one in found))


if __name__ == "__main__":
    sys.exit(main())
