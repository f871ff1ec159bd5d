"""The dry run against the Keras that is installed: generated programs and the saved fixtures, nothing contradicted."""

import importlib.util
import json
import subprocess
import sys
from collections import Counter
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GENERATE = ROOT / "tests" / "oracle" / "generate.py"
SAVED = ROOT / "fixtures" / "saved"
PROGRAMS = {"keras": 3, "tf_keras": 2}  # a program of tf_keras takes three times as long
#: Saved models that are asked as .h5 as well; of the others one container is enough, they hold the same layers.
ALSO_AS_H5 = ("cudnn", "masks", "own")

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


def generated(framework, folder):
    """Programs that the oracle's generator writes, and their models as it saves them."""
    command = [sys.executable, str(GENERATE), "--framework", framework, "--release", metadata.version(framework)]
    command += ["--out", str(folder), "--models", str(PROGRAMS[framework]), "--seed", "77"]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def counted(data, folder):
    """How often each agreement occurs among the files of one folder, and how many files there are."""
    results = [result for result in data["results"] if Path(result["path"]).is_relative_to(folder)]
    return Counter(result["agreement"] for result in results), len({result["path"] for result in results})


def test_generated_programs_and_saved_models_run_as_predicted(framework, tmp_path):
    """One probe of all: starting a framework takes longer than asking it."""
    generation = "k3" if framework == "keras" else "k2"
    files = sorted(path for path in SAVED.glob(f"{generation}_*") if path.suffix in (".keras", ".json"))
    files += [path for path in (SAVED / f"{generation}_{name}.h5" for name in ALSO_AS_H5) if path.exists()]
    assert len(files) > 8
    foreign = [SAVED / "k2_plain.h5"] if framework == "keras" else []
    data = probe(framework, generated(framework, tmp_path), *files, *foreign)
    programs, _ = counted(data, tmp_path)
    assert programs["confirmed"] > 3 * PROGRAMS[framework]
    assert programs["skipped"] < programs["confirmed"]
    saved, asked = counted(data, SAVED)
    assert saved["confirmed"] > asked > 8
    for path in foreign:  # a Keras 2 file stops in Keras 3, as predicted
        stopped = [result for result in data["results"] if Path(result["path"]) == path]
        assert {(result["observed"], result["agreement"]) for result in stopped} == {("raises", "confirmed")}
