"""The GitHub Action and the GitLab component: their own scripts are run, as the two services would run them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
CHECK = next(step for step in ACTION["runs"]["steps"] if step.get("id") == "check")
SLOW = "import keras\nLAYER = keras.layers.LSTM(8, recurrent_dropout=0.1)\n"
CONFIG = '[tool.cudnnlint]\ntarget = "keras@3.15:tensorflow"\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A checkout with one slow layer, and beside it the runner's folder with the installed command."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(CONFIG)
    (folder / "train.py").write_text(SLOW)
    binary = tmp_path / "temp" / "cudnnlint" / "bin" / "cudnnlint"
    binary.parent.mkdir(parents=True)
    binary.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cudnnlint "$@"\n')
    binary.chmod(0o755)
    return folder


def expanded(text: str, inputs: Mapping[str, str], temp: Path) -> str:
    """What a runner makes of an expression of action.yml."""
    text = re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], text)
    return text.replace("${{ runner.temp }}", str(temp))


Run = Callable[..., tuple[subprocess.CompletedProcess[str], dict[str, str], str]]


@pytest.fixture
def run(project: Path) -> Run:
    """Run the step "Check" with some inputs: what it prints, its outputs and the job's page."""

    def step(**given: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str], str]:
        temp = project.parent / "temp"
        inputs = {name: str(one["default"]) for name, one in ACTION["inputs"].items()}
        inputs |= {name.replace("_", "-"): value for name, value in given.items()}
        files = {name: temp / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.touch()
        env = {name: expanded(text, inputs, temp) for name, text in CHECK["env"].items()}
        runner = {"RUNNER_TEMP": temp, "GITHUB_ACTION_PATH": ROOT, **files, "PYTHONPATH": ROOT}
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", CHECK["run"]],
            cwd=project,
            env={**os.environ, **env, **{name: str(value) for name, value in runner.items()}},
            capture_output=True,
            text=True,
        )
        lines = files["GITHUB_OUTPUT"].read_text().splitlines()
        return done, dict(line.split("=", 1) for line in lines), files["GITHUB_STEP_SUMMARY"].read_text()

    return step


def test_findings_are_annotated_and_summed_up_and_the_code_is_an_output(run: Run, project: Path) -> None:
    done, outputs, page = run(sarif="found.sarif", comment="true")
    assert (done.returncode, outputs["exit-code"]) == (0, "1")
    assert re.search(r"^::warning .*file=\S*train\.py,line=2.*CDN103", done.stdout, re.M), done.stdout + done.stderr
    assert "recurrent-dropout" in page
    assert page == Path(outputs["comment"]).read_text()
    assert json.loads((project / "found.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "CDN103"
    assert json.loads(Path(outputs["report"]).read_text())["summary"]["fallback"] == 1


def test_options_reach_the_command(run: Run) -> None:
    given = {"target": "keras@3.15:jax", "fail_on": "error", "args": "--ignore CDN103"}
    done, outputs, page = run(**given, annotations="false", summary="false")
    assert (done.returncode, outputs["exit-code"], done.stdout, page) == (0, "0", "", "")


def test_wrong_use_fails_with_its_reason(run: Run) -> None:
    done, outputs, _ = run(target="keras@banana")
    assert outputs["exit-code"] == "2"
    assert "keras@banana" in done.stderr


def test_every_input_of_the_action_is_used() -> None:
    steps = json.dumps(ACTION["runs"]["steps"])
    assert [name for name in ACTION["inputs"] if f"inputs.{name}" not in steps] == []


def test_the_gitlab_component_writes_code_quality_and_fails(project: Path) -> None:
    head, body = (ROOT / "templates" / "cudnnlint" / "template.yml").read_text(encoding="utf-8").split("\n---\n")
    inputs = {name: str(one["default"]) for name, one in yaml.safe_load(head)["spec"]["inputs"].items()}
    job = yaml.safe_load(re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda found: inputs[found[1]], body))["cudnnlint"]
    install, *script = job["script"]
    assert install.startswith("python -m venv .cudnnlint")
    shutil.copytree(project.parent / "temp" / "cudnnlint", project / ".cudnnlint")
    env = {**os.environ, "CUDNNLINT_TARGET": job["variables"]["CUDNNLINT_TARGET"] or "", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-e", "-c", "\n".join(script)], cwd=project, env=env, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    found = json.loads((project / job["artifacts"]["reports"]["codequality"]).read_text())
    assert [(one["check_name"], one["location"]["path"]) for one in found] == [("recurrent-dropout", "train.py")]
