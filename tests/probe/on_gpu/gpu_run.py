"""Runs whole programs on this machine's GPU, and holds what `check` says of each against what ran.

    python gpu_run.py tensorflow|torch|jax|tf_keras FOLDER [--python PYTHON] [-j 8]
    python gpu_run.py tensorflow|torch|jax|tf_keras FOLDER --cpu CPU_FOLDER --target keras@3.15.1:torch --evidence FILE

The first writes FOLDER/seen.json and the numbers that each program ended with; run it twice, once where the GPU is
hidden (CUDA_VISIBLE_DEVICES=-1 JAX_PLATFORMS=cpu). The second makes the record of both. Exit 1 if anything is
contradicted.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT)]

from gpu_programs import Program, programs  # noqa: E402

from cudnnlint.probe.at_once import each  # noqa: E402
from cudnnlint.probe.verify import compared  # noqa: E402

SILENT = 120  # seconds that a program may take
FRAMEWORKS = {"tensorflow": ("keras", "tensorflow"), "torch": ("keras", "torch"), "jax": ("keras", "jax"),
              "tf_keras": ("tf_keras", "tensorflow")}  # fmt: skip
ALIKE = 2e-2  # of the largest number: TF32 and half precision are above 1e-3, a fault is above this
Seen = dict[str, Any]


def write(framework: str, folder: Path) -> list[tuple[Program, Path]]:
    """Write the programs of a framework."""
    (folder / "programs").mkdir(parents=True, exist_ok=True)
    found = []
    for one in programs(*FRAMEWORKS[framework]):
        path = folder / "programs" / (re.sub(r"\W+", "_", one.name) + ".py")
        path.write_text(one.text)
        found.append((one, path))
    return found


def children(written: Sequence[tuple[Program, Path]], jobs: int) -> list[list[tuple[Program, Path]]]:
    """Return which programs share a process."""
    alone = [[one] for one in written if one[0].alone]
    others = [one for one in written if not one[0].alone]
    return sorted([others[start::jobs] for start in range(jobs)], key=len, reverse=True) + alone


def run(framework: str, folder: Path, python: str, jobs: int) -> None:
    """Run the programs, and keep what they executed."""
    backend = FRAMEWORKS[framework][1]
    environment = {
        **os.environ, "KERAS_BACKEND": backend, "TF_CPP_MIN_LOG_LEVEL": "2", "TF_FORCE_GPU_ALLOW_GROWTH": "true",
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false", "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }  # fmt: skip
    kept: list[Seen] = []

    def work(place: tuple[int, list[tuple[Program, Path]]]) -> list[Seen]:
        number, some = place
        return list(conversation(python, backend, folder / f"child-{number}", some, environment))

    for found in each(work, list(enumerate(children(write(framework, folder), jobs))), jobs):
        kept += found
        (folder / "seen.json").write_text(json.dumps(kept, indent=1))


def conversation(
    python: str, backend: str, folder: Path, some: list[tuple[Program, Path]], environment: dict[str, str]
) -> Iterator[Seen]:
    """Yield what each program executed; a child that dies or is silent costs the program that it was in."""
    waiting, again = list(some), 0
    while waiting:
        job = {"programs": [{"name": one.name, "path": str(path.resolve())} for one, path in waiting]}
        place = (folder.parent / f"{folder.name}-{again}").resolve()
        again += 1
        limit = SILENT + 20 * len(waiting)
        command, pipe = [python, str(HERE / "child.py"), backend, str(place)], subprocess.PIPE
        with subprocess.Popen(command, env=environment, text=True, stdin=pipe, stdout=pipe, stderr=pipe) as child:
            try:
                out, err = child.communicate(json.dumps(job) + "\n", timeout=limit)
            except subprocess.TimeoutExpired:
                child.kill()
                out, err = child.communicate()
        begun, ended = None, set()
        for line in out.splitlines():
            if not line.startswith("{"):
                continue
            message = json.loads(line)
            begun = message.get("begin", begun)
            if "end" in message:
                ended.add(message["end"])
                yield {**message, "name": message.pop("end")}
        lost = [one for one in waiting if one[0].name not in ended]
        if lost and begun == lost[0][0].name:
            ended_with = "the process ended: " + " ".join(err.split())[-300:]
            yield {"name": begun, "route": "raises", "error": ended_with, "died": True}
            lost = lost[1:]
        elif lost:
            for one, _ in lost:
                yield {"name": one.name, "route": None, "error": "not run: " + " ".join(err.split())[-300:]}
            return
        waiting = lost


def judged(paths: Sequence[Path], target: str) -> dict[str, list[dict[str, Any]]]:
    """Return the recurrent layers of each program as `check` has them, with the codes of what it found."""
    options = ["--no-cache", "--output-format", "report", "--target", target]
    command = [sys.executable, "-m", "cudnnlint", "check", *options, *map(str, paths)]
    out = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout
    report = json.loads(out)
    return {
        Path(file["path"]).name: [
            {**layer, "codes": sorted({one["code"] for one in report["diagnostics"] if layer["id"] in one["layers"]})}
            for layer in file["layers"]
        ]
        for file in report["files"]
    }


def joined(framework: str, target: str, gpu: Path, cpu: Path, machine: str) -> Seen:
    """Return the record: what was predicted for each group of programs, what ran, and how far the numbers are apart."""
    seen = {one["name"]: one for one in json.loads((gpu / "seen.json").read_text())}
    other = {one["name"]: one for one in json.loads((cpu / "seen.json").read_text())}
    written = write(framework, gpu)
    layers = judged([path for _, path in written], target)
    groups: dict[str, list[Seen]] = defaultdict(list)
    for one, path in written:
        ran, there = seen.get(one.name, {"route": None, "error": "not run"}), other.get(one.name, {})
        row = {"name": one.name, "route": ran["route"], "ops": ran.get("ops", []), "kernels": ran.get("kernels", []),
               "error": ran.get("error"), "on a CPU": there.get("error")}  # fmt: skip
        row["difference"] = None if one.random else difference(gpu, ran.get("numbers"), there.get("numbers"))
        groups[one.group].append({**row, "path": path.name})
    rows = [told(group, some, layers[some[0]["path"]]) for group, some in groups.items()]
    return {"framework": framework, "target": target, "machine": machine, "groups": rows}


def difference(folder: Path, gpu: str | None, cpu: str | None) -> float | None:
    """Return how far the numbers of a GPU and a CPU are apart, against the largest; None where there are none.

    What cannot be compared (it is not finite, or of another shape) is infinitely far apart.
    """
    place = None if gpu is None else folder / Path(*Path(gpu).parts[-2:])
    if place is None or cpu is None or not place.exists() or not Path(cpu).exists():
        return None
    found = compared(Path(cpu), place)
    return math.inf if found.difference is None else round(found.difference / max(found.scale, 1e-6), 6)


def told(group: str, some: list[Seen], layers: list[dict[str, Any]]) -> Seen:
    """Return a row of the record."""
    verdicts = sorted({one["verdicts"][0]["verdict"] for one in layers})
    codes = sorted({code for one in layers for code in one["codes"]})
    routes = sorted({str(one.get("route")) for one in some})
    return {"group": group, "predicted": verdicts, "codes": codes, "observed": routes, "programs": [
        {key: value for key, value in one.items() if value not in (None, [], "")} for one in some]}  # fmt: skip


def agreement(row: Seen) -> str:
    """Return "confirmed", "contradicted" or "undecided" for a row of the record."""
    (predicted, *more), routes = row["predicted"], set(row["observed"])
    if more or predicted == "unknown" or "None" in routes:
        return "undecided"
    if set(row["codes"]) & IN_TRAINING:  # a verdict speaks of fit and predict; each group is one of them
        return "confirmed" if ("fit" in row["group"]) == (routes == {"raises"}) else "contradicted"
    if routes == {predicted} or (predicted == "depends" and len(routes) > 1):
        return "confirmed"
    if predicted == "depends" and len(row["programs"]) < 3:
        return "undecided"  # its data take one way only: nothing is padded left
    return "contradicted"


IN_TRAINING = {"CDN212", "CDN607"}  # the layer runs, and stops where it is trained


def apart(row: Seen) -> list[Seen]:
    """Return the programs whose numbers differ between GPU and CPU by more than rounding."""
    return [one for one in row["programs"] if one.get("difference", 0.0) > ALIKE]


def show(record: Seen) -> bool:
    """Print what is not confirmed; return whether anything is contradicted."""
    counts: dict[str, int] = defaultdict(int)
    for row in record["groups"]:
        found = agreement(row)
        counts[found] += 1
        if found != "confirmed":
            print(f"{found}: {row['group']}: predicted {row['predicted']} {row['codes']}, ran {row['observed']}",
                  *{str(one.get("error", ""))[:200] for one in row["programs"]})  # fmt: skip
        for one in apart(row):
            print(f"  other numbers: {one['name']}: {one['difference']} {row['predicted']} {row['codes']}")
        for one in row["programs"]:
            if "raises" not in row["observed"] and "on a CPU" in one:
                print(f"  stops on a CPU: {one['name']}: {one['on a CPU'][:200]}")
    print(record["target"], dict(counts))
    return counts["contradicted"] > 0


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("framework", choices=FRAMEWORKS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("-j", "--jobs", type=int, default=4)
    parser.add_argument("--cpu", type=Path, help="the folder of the run on a CPU: nothing is run, a record is made")
    parser.add_argument("--target", help="as `check` takes it, for the record")
    parser.add_argument("--machine", default="", help="the GPU, the driver and the releases, for the record")
    parser.add_argument("--evidence", type=Path)
    given = parser.parse_args()
    if given.cpu is None:
        run(given.framework, given.folder, given.python, given.jobs)
        return 0
    record = joined(given.framework, given.target, given.folder, given.cpu, given.machine)
    if given.evidence:
        given.evidence.write_text(json.dumps(record, indent=1) + "\n")
    return int(show(record))


if __name__ == "__main__":
    sys.exit(main())
