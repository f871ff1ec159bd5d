"""The conformance command as a user starts it, whole, for every framework; a recorded child answers in its place.

The records are the dry runs in fixtures/evidence/probe. So a row that has changed shows here; a claim that is newer
than the records is left out. Made anew with `cudnnlint probe --conformance --dry-run --evidence FILE`.
"""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from recorded_child import key

from cudnnlint.cli.on_machine import judged
from cudnnlint.core.codec import unpack
from cudnnlint.core.target import Target
from cudnnlint.probe.chosen import choose
from cudnnlint.probe.rebuild import describe, point
from cudnnlint.probe.rebuilt_arguments import Unfit
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, requested

HERE = Path(__file__).parent
RECORDS = sorted((HERE.parents[1] / "fixtures" / "evidence" / "probe").glob("conformance-dry-run-*.json"))
FRAMEWORKS = ("keras-3.15.1-tensorflow", "keras-3.15.1-torch", "keras-3.15.1-jax", "tf_keras-2.21.0")
BOOK = loader.load()
RELEASES = environment.releases(BOOK.tables)
SECONDS = "2"  # that the silence of a child is borne where one hangs

pytestmark = pytest.mark.slow


def recorded(name):
    (path,) = (path for path in RECORDS if path.stem.endswith(name))
    return json.loads(path.read_text())


def target_of(record) -> Target:
    (found,) = requested.parse([record["machine"]["target"]], RELEASES)
    return found


def saw(route):
    return {"route": route, "error": None, "ops": [], "kernels": []}


def steps(result, also=None):
    """What a child says of one layer, so that it is seen as it was; `also` is the same layer in the other mode."""
    if not result["masks"]:
        error = result["reason"].partition(": ")[2] or "RuntimeError: it did not run"
        stage = "build" if result["observed"] == "raises" else "call"
        return [{"error": error, "stage": stage, "layers": [], "whole": None}]
    modes = dict.fromkeys(("graph", "eager"), result) | {one["mode"]: one for one in (result, also) if one}
    calls = {mode: dict.fromkeys(("training", "inference"), routes(one)) for mode, one in modes.items()}
    layer = {"layer_path": "layer", "calls": [calls], "ragged": False, "seconds": None}
    return [{"error": None, "layers": [layer, layer], "whole": None}]  # both directions of a Bidirectional


def routes(result):
    return {padding: saw(route) for padding, route in result["masks"].items()}


def files_of(record, folder):
    """The name of the file that each case is written to, which another claim may have given it."""
    folder.mkdir()
    target = record["machine"]["target"]
    cases = choose(folder, BOOK, point(target_of(record)), lambda paths: judged(paths, (target,))).cases
    return {case.name: Path(case.file.path).name for case in cases}


def answers(record, files):
    """The answers by item, as far as a layer of the record was asked at all; `files` are those of its cases."""
    results = {}
    for result in [*record["results"], *record["controls"]]:
        file = files.get(result["path"], Path(result["path"]).name)
        results.setdefault(file, []).append(result)  # where it is asked by its whole program, or is a model file
        try:
            if any(claim["cause"] == "stopped-before" for claim in result.get("claims", ())):
                raise Unfit("the layer alone does not show it")
            spec, paddings, _ = describe(unpack(result["facts"]), target_of(record), dry=True)
        except Unfit:
            continue
        results.setdefault(key({"layer": spec, "paddings": paddings}), []).append(result)
    return {item: steps(found[0], found[-1]) for item, found in results.items()}


class Simulation:
    """A folder with an interpreter whose framework is a record."""

    def __init__(self, folder, record):
        self.folder, self.record = folder, record
        self.evidence, self.log = folder / "evidence.json", folder / "asked.txt"
        self.python, self.recorded = folder / "python", folder / "recorded.json"
        child = shlex.join([sys.executable, str(HERE / "recorded_child.py")])
        self.python.write_text(f'#!/bin/sh\nRECORDED={shlex.quote(str(self.recorded))} exec {child} "$@"\n')
        self.python.chmod(0o755)
        self.answers = answers(record, files_of(record, folder / "cases"))

    def command(self, *more):
        machine = self.record["machine"]
        packages = {name.replace("_", "-"): release for name, release in machine["releases"].items()}
        self.recorded.write_text(json.dumps({
            "installed": {"packages": packages},
            "about": {"about": {"gpus": [], "releases": machine["releases"], "python": machine["python"]}},
            "answers": self.answers,
            "log": str(self.log),
        }))  # fmt: skip
        framework, _, rest = machine["target"].partition("@")
        backend = rest.partition(":")[2].partition("@")[0]
        wanted = ["--framework", framework, *(["--backend", backend] if backend else [])]
        evidence = ["--evidence", str(self.evidence), "--python", str(self.python)]
        return [sys.executable, "-m", "cudnnlint", "probe", "--conformance", "--dry-run", *wanted, *evidence, *more]

    def run(self, *more):
        """Run the command; return its status, its text and the record that it wrote."""
        done = subprocess.run(self.command(*more), capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return done.returncode, done.stdout, json.loads(self.evidence.read_text())

    def asked(self):
        """How many items the children were asked so far."""
        return len(self.log.read_text().splitlines())

    def alter(self, claim, route):
        """Make the children see another route of the layer that shows a claim: what was asked about it."""
        (found,) = (one for one in self.record["results"] if one["path"] == f"conformance/{claim}")
        spec, paddings, _ = describe(unpack(found["facts"]), target_of(self.record), dry=True)
        masks = dict.fromkeys(found["masks"], route)
        self.answers[key({"layer": spec, "paddings": paddings})] = steps({**found, "masks": masks})
        return key({"layer": spec, "paddings": paddings})


@pytest.fixture
def simulate(tmp_path):
    return lambda name: Simulation(tmp_path, recorded(name))


def agreements(record):
    """What became of each claim."""
    return {(one["path"], claim["cause"]): one["agreement"] for one in record["results"] for claim in one["claims"]}


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_the_record_of_a_dry_run_is_confirmed_again_claim_by_claim(simulate, name):
    simulation = simulate(name)
    status, text, found = simulation.run()
    assert status == 0, text
    assert found["summary"]["contradicted"] == 0
    confirmed = {claim for claim, agreement in agreements(simulation.record).items() if agreement == "confirmed"}
    again = {claim for claim, agreement in agreements(found).items() if agreement == "confirmed"}
    assert len(confirmed & again) >= 0.9 * len(confirmed) > 0
    assert text.splitlines()[0].split()[:4] == ["layer", "cause", "confirmed", "contradicted"]


def test_each_outcome_is_told_apart_and_costs_one_case(simulate):
    """Confirmed, contradicted, crashed, silent for too long, unobservable."""
    simulation = simulate("keras-3.15.1-torch")
    simulation.alter("LSTM-blocker-activation.py", "cudnn")
    simulation.alter("GRU-blocker-activation.py", None)
    for claim, step in (
        ("GRU-blocker-recurrent-dropout.py", {"do": "kill", "signal": int(signal.SIGSEGV)}),
        ("GRU-blocker-missing-bias.py", {"do": "hang"}),
    ):
        simulation.answers[simulation.alter(claim, None)] = [step]
    status, text, found = simulation.run("--timeout", SECONDS)
    assert status == 1
    seen = agreements(found)
    assert seen.pop(("conformance/LSTM-blocker-activation.py", "activation")) == "contradicted"
    for claim in ("activation", "recurrent-dropout", "missing-bias"):
        assert seen.pop((f"conformance/GRU-blocker-{claim}.py", claim)) == "undecided"
    assert seen["conformance/GRU-blocker-unrolled-loop.py", "unrolled-loop"] == "confirmed"
    assert "contradicted" not in seen.values()
    for words in (
        "The verdict was fallback, but the layer ran in cuDNN.",
        "The verdict rests on this row: routes.toml: LSTM in keras",
        "It was not possible to see which route ran.",
        "The probe process crashed (SIGSEGV).",
        f"The probe process gave no answer for {SECONDS} seconds and was stopped.",
    ):
        assert " ".join(words.split()) in " ".join(text.split())


def test_a_run_that_was_killed_goes_on_where_its_record_ends(simulate):
    simulation = simulate("keras-3.15.1-jax")
    whole = simulation.run()[2]
    everything = simulation.asked()
    order = [item for item in simulation.log.read_text().splitlines() if item in simulation.answers]
    simulation.evidence.unlink()
    simulation.log.unlink()
    reached = simulation.folder / "reached"
    os.mkfifo(reached)
    last, right = order[-1], simulation.answers[order[-1]]
    simulation.answers[last] = [{"do": "spawn", "file": str(reached)}, {"do": "hang"}]
    with subprocess.Popen(simulation.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        reached.open().close()  # waits for the child to come so far
        run.kill()
    kept = json.loads(simulation.evidence.read_text())
    assert 0 < len(kept["results"]) < len(whole["results"])
    before = simulation.asked()
    simulation.answers[last] = right
    status, _, found = simulation.run()
    assert status == 0
    assert found == whole
    assert 0 < simulation.asked() - before < everything
    assert json.loads(simulation.evidence.read_text()) == whole
