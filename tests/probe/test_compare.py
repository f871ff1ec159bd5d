"""Agreement: what was predicted against what was seen, and never more certain than what was seen."""

import pytest
from packaging.version import Version

from cudnnlint.core.target import Release, Target
from cudnnlint.core.verdict import Judgement, Verdict
from cudnnlint.probe.compare import Agreement, compare, compare_training, in_phase, observe, unbuilt

TARGET = Target("keras", Release(Version("3.15.1")))
CUDNN, FALLBACK, RAISES, DEPENDS, UNKNOWN = Verdict


def predicted(verdict, *possible):
    return Judgement(TARGET, verdict, possible or (verdict,))


def answer(route, error=None, ops=()):
    return {"route": route, "error": error, "ops": list(ops), "kernels": []}


def calls(training, inference=None, mode="graph"):
    """One call; each phase maps paddings to routes."""
    phases = {"training": training, "inference": training if inference is None else inference}
    return [{mode: {name: {pad: answer(route) for pad, route in phase.items()} for name, phase in phases.items()}}]


MASKED = {"right": "cudnn", "left": "raises", "empty": "raises"}


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (calls({"none": "cudnn"}), CUDNN),
        (calls({"none": "fallback"}), FALLBACK),
        (calls({"none": "raises"}, {"none": "cudnn"}), RAISES),
        (calls({"none": "cudnn"}, {"none": None}), None),
        (calls({"none": None}), None),
        (calls(MASKED), DEPENDS),
        (calls({"right": "fallback", "left": "fallback"}), FALLBACK),
        (calls({"right": "cudnn", "left": None}), None),
        (calls({"none": "cudnn"}) + calls({"none": "raises"}), RAISES),
        (calls({"none": "cudnn"}, mode="eager"), CUDNN),
    ],
)
def test_what_calls_and_phases_amount_to(found, verdict):
    assert observe(found, "graph", 3).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "found", "agreement"),
    [
        (predicted(CUDNN), calls({"none": "cudnn"}), Agreement.CONFIRMED),
        (predicted(CUDNN), calls({"none": "fallback"}), Agreement.CONTRADICTED),
        (predicted(FALLBACK), calls({"none": "raises"}), Agreement.CONTRADICTED),
        (predicted(CUDNN), calls({"none": None}), Agreement.UNDECIDED),
        (predicted(CUDNN), calls(MASKED), Agreement.CONTRADICTED),
        (predicted(DEPENDS), calls(MASKED), Agreement.CONFIRMED),
        (predicted(DEPENDS), calls({"none": "cudnn"}), Agreement.UNDECIDED),
        (predicted(DEPENDS), calls({"right": "cudnn"}), Agreement.UNDECIDED),
        (predicted(DEPENDS), calls(dict.fromkeys(MASKED, "fallback")), Agreement.CONTRADICTED),
        (predicted(UNKNOWN, CUDNN, RAISES), calls({"none": "cudnn"}), Agreement.UNDECIDED),
        (predicted(UNKNOWN, CUDNN, RAISES), calls(MASKED), Agreement.UNDECIDED),
        (predicted(UNKNOWN, CUDNN, RAISES), calls({"none": "fallback"}), Agreement.CONTRADICTED),
    ],
)
def test_agreement(claim, found, agreement):
    assert compare(claim, observe(found, "graph", 3)).agreement is agreement


def test_the_reason_names_each_padding_and_the_error():
    reason = compare(predicted(CUDNN), observe(calls(MASKED), "graph", 3)).reason
    assert reason == (
        "The verdict was cudnn, but the layer ran in cuDNN with a right-padded mask, stopped with an error with a "
        "left-padded mask, stopped with an error with a mask with an empty row."
    )
    raising = [{"graph": {"training": {"none": answer("raises", "TypeError: no")}}}]
    reason = compare(predicted(RAISES), observe(raising, "graph", 3)).reason
    assert reason == "The layer stopped with an error: TypeError: no."


def test_evidence_is_gathered_over_phases():
    found = [{"graph": {"training": {"none": answer("cudnn", ops=["CudnnRNNV3", "CudnnRNNBackpropV3"])},
                        "inference": {"none": answer("cudnn", ops=["CudnnRNNV3"])}}}]  # fmt: skip
    assert observe(found, "graph", 3).ops == ("CudnnRNNBackpropV3", "CudnnRNNV3")


def test_calls_that_differ_count_by_the_worst_as_in_a_prediction():
    calls = [{"eager": {"training": {"right": answer("fallback")}}}, {"eager": {"training": {"none": answer("cudnn")}}}]
    assert observe(calls, "eager", 1).verdict is FALLBACK


UNKNOWN_LAYER = "TypeError: Could not locate class 'MyDense'. Make sure custom classes are decorated"
LAMBDA = "ValueError: The `Lambda` layer is a Python lambda. Deserializing it is unsafe, so safe_mode stops it"
TIME_MAJOR = "ValueError: Unrecognized keyword arguments passed to LSTM: {'time_major': False}"
REMOVED = "TypeError: Could not locate class 'CuDNNLSTM'."


@pytest.mark.parametrize(
    ("claim", "error", "stage", "saved", "agreement"),
    [
        (predicted(CUDNN), UNKNOWN_LAYER, "build", True, Agreement.SKIPPED),
        (predicted(RAISES), UNKNOWN_LAYER, "build", True, Agreement.SKIPPED),
        (predicted(CUDNN), LAMBDA, "build", True, Agreement.SKIPPED),
        (predicted(RAISES), TIME_MAJOR, "build", True, Agreement.SKIPPED),
        (predicted(RAISES), TIME_MAJOR, "build", False, Agreement.CONFIRMED),
        (predicted(CUDNN), TIME_MAJOR, "build", False, Agreement.CONTRADICTED),
        (predicted(RAISES), REMOVED, "build", False, Agreement.CONFIRMED),
        (predicted(CUDNN), "ValueError: what", "build", False, Agreement.CONTRADICTED),
        (predicted(RAISES), "ValueError: what", "build", False, Agreement.CONFIRMED),
        (predicted(CUDNN), "ModuleNotFoundError: No module named 'x'", "import", False, Agreement.SKIPPED),
        (predicted(UNKNOWN), "ValueError: what", "build", False, Agreement.SKIPPED),
        (predicted(CUDNN), "ValueError: what", "call", False, Agreement.SKIPPED),
        (predicted(CUDNN), "OSError: no such file", "build", True, Agreement.SKIPPED),
        (predicted(RAISES), "the child was killed", "lost", False, Agreement.UNDECIDED),
    ],
)
def test_what_could_not_be_built_or_was_lost(claim, error, stage, saved, agreement):
    assert unbuilt(claim, error, stage, saved).agreement is agreement


def test_a_file_that_was_foreseen_not_to_load():
    assert unbuilt(predicted(RAISES), UNKNOWN_LAYER, "build", True, foreseen=True).agreement is Agreement.CONFIRMED


def test_a_backend_without_a_graph_is_taken_by_its_eager_calls_and_not_the_other_way_round():
    found = calls({"none": "cudnn"}, mode="eager")
    assert observe(found, "graph", 1).verdict is CUDNN
    traced = calls({"none": "raises"})
    assert compare(predicted(FALLBACK), observe(traced, "eager", 1)).agreement is Agreement.UNDECIDED


@pytest.mark.parametrize(("route", "agreement"), [("raises", Agreement.CONFIRMED), ("cudnn", Agreement.CONTRADICTED)])
def test_a_layer_that_cannot_be_trained_has_to_run_and_to_stop_in_training(route, agreement):
    found = calls({"none": route}, {"none": "cudnn"})
    ran = compare(predicted(CUDNN), observe(in_phase(found, "inference"), "graph", 3))
    assert (ran.agreement, ran.observation.verdict) == (Agreement.CONFIRMED, CUDNN)
    trained = compare_training(ran, observe(in_phase(found, "training"), "graph", 3))
    assert trained.agreement is agreement
    assert trained.observation == ran.observation
