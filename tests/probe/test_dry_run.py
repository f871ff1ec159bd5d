"""The dry run against the Keras that is installed: generated programs and the saved fixtures, nothing contradicted."""

import importlib.util
import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GENERATE = ROOT / "tests" / "oracle" / "generate.py"
SAVED = ROOT / "fixtures" / "saved"
PROGRAMS = 20

pytestmark = pytest.mark.slow


def probe(framework, *paths):
    command = [sys.executable, "-m", "cudnnlint", "probe", "--dry-run", "--framework", framework]
    command += ["--output-format", "json", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode in (0, 1), done.stderr
    data = json.loads(done.stdout)
    wrong = [result for result in data["results"] if result["agreement"] == "contradicted"]
    assert not wrong, json.dumps(wrong, indent=2)
    assert done.returncode == 0
    return data


@pytest.fixture(params=["keras", "tf_keras"])
def framework(request):
    if not all(importlib.util.find_spec(name) for name in ("tensorflow", request.param)):
        pytest.skip(f"{request.param} is not installed")
    return request.param


def test_generated_programs(framework, tmp_path):
    release = metadata.version(framework)
    command = [sys.executable, str(GENERATE), "--framework", framework, "--release", release, "--out", str(tmp_path)]
    subprocess.run([*command, "--models", str(PROGRAMS), "--seed", "77"], check=True, capture_output=True)
    counts = probe(framework, tmp_path)["summary"]
    assert counts["confirmed"] > 3 * PROGRAMS
    assert counts["skipped"] < counts["confirmed"]


def test_saved_models(framework):
    generation = "k3" if framework == "keras" else "k2"
    files = sorted(path for path in SAVED.glob(f"{generation}_*") if path.suffix in (".keras", ".h5", ".json"))
    assert len(files) > 8
    counts = probe(framework, *files)["summary"]
    assert counts["confirmed"] > len(files)


def test_a_keras_2_file_in_keras_3_stops_as_predicted():
    if not all(importlib.util.find_spec(name) for name in ("tensorflow", "keras")):
        pytest.skip("keras is not installed")
    data = probe("keras", SAVED / "k2_plain.h5")
    assert {result["observed"] for result in data["results"]} == {"raises"}
    assert data["summary"]["confirmed"] == len(data["results"]) > 0
