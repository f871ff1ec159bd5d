"""What whole programs were seen to run on a GPU, held against what is said of them today."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from gpu_programs import Program, programs  # noqa: E402
from gpu_run import FRAMEWORKS, agreement, apart, children, conversation, judged, told, write  # noqa: E402

RECORDS = sorted((HERE.parents[2] / "fixtures" / "evidence" / "gpu_programs").glob("*.json"))
TELLS_OTHER_NUMBERS = {"CDN606"}


def test_every_framework_has_its_record():
    assert {path.stem for path in RECORDS} == set(FRAMEWORKS)


@pytest.mark.slow  # some 250 programs for each framework
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_what_ran_on_a_gpu_is_what_is_said_today(path, tmp_path):
    record = json.loads(path.read_text())
    written = {one.name: place for one, place in write(record["framework"], tmp_path)}
    layers = judged(list(written.values()), record["target"])
    found = []
    for row in record["groups"]:
        assert {one["name"] for one in row["programs"]} <= set(written), "gpu_programs.py is newer than the record"
        again = told(row["group"], row["programs"], layers[written[row["programs"][0]["name"]].name])
        again["observed"] = row["observed"]
        found.append(agreement(again))
        assert found[-1] != "contradicted", (row["group"], again["predicted"], row["observed"])
    assert found.count("confirmed") >= 0.85 * len(found) > 100


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_no_number_differs_between_gpu_and_cpu_where_no_rule_says_so(path):
    groups = json.loads(path.read_text())["groups"]
    assert sum("difference" in one for row in groups for one in row["programs"]) > 100
    for row in groups:
        assert not apart(row) or TELLS_OTHER_NUMBERS & set(row["codes"]), row["group"]


def row_of(predicted: str, *observed: str, group: str = "a", codes: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"group": group, "predicted": [predicted], "codes": list(codes), "observed": sorted(set(observed)),
            "programs": [{"name": str(number)} for number in range(len(observed))]}  # fmt: skip


@pytest.mark.parametrize(
    ("row", "result"),
    [
        (row_of("cudnn", "cudnn"), "confirmed"),
        (row_of("cudnn", "fallback"), "contradicted"),
        (row_of("cudnn", "cudnn", "raises"), "contradicted"),
        (row_of("fallback", "None"), "undecided"),
        (row_of("unknown", "cudnn"), "undecided"),
        (row_of("depends", "cudnn", "cudnn", "raises"), "confirmed"),
        (row_of("depends", "cudnn", "cudnn"), "undecided"),
        (row_of("depends", "cudnn", "cudnn", "cudnn"), "contradicted"),
        (row_of("cudnn", "raises", group="stateful, fit", codes=("CDN607",)), "confirmed"),
        (row_of("cudnn", "cudnn", group="stateful, fit", codes=("CDN607",)), "contradicted"),
        (row_of("raises", "cudnn", group="dropout, predict", codes=("CDN212",)), "confirmed"),
    ],
)
def test_agreement(row, result):
    assert agreement(row) == result


def test_programs_that_change_a_process_have_one_of_their_own():
    written = [(one, Path()) for one in programs("keras", "torch")]
    parts = children(written, 3)
    assert sum(map(len, parts)) == len(written)
    assert all(len(part) == 1 for part in parts if any(one.alone for one, _ in part))
    assert len({one.name for one, _ in written}) == len(written)


def test_a_program_that_ends_its_process_costs_that_program_alone(tmp_path):
    """The programs import no framework of their own: their child is torch's, whose profiler is a stand-in."""
    (tmp_path / "torch.py").write_text(TORCH)
    texts = {"one": "result = None", "two": "import os\nos._exit(3)", "three": "raise ValueError('no')"}
    some = []
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
        some.append((Program(name, text), tmp_path / f"{name}.py"))
    environment = {"PYTHONPATH": str(tmp_path)}
    seen = {one["name"]: one for one in conversation(sys.executable, "torch", tmp_path / "child", some, environment)}
    assert {name: one["route"] for name, one in seen.items()} == {"one": "fallback", "two": "raises", "three": "raises"}
    assert seen["two"]["died"]
    assert "ValueError: no" in seen["three"]["error"]


TORCH = '''
import contextlib
import types

class Event:
    key = "aten::mm"

class Profile(contextlib.nullcontext):
    def __enter__(self):
        return self

    def key_averages(self):
        return [Event()]

profiler = types.SimpleNamespace(profile=lambda activities: Profile(),
                                 ProfilerActivity=types.SimpleNamespace(CPU=0, CUDA=1))
cuda = types.SimpleNamespace(is_available=lambda: False)
'''
