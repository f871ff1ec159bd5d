"""The conformance run with a simulated child: cases from the tables, each outcome, the table, and going on later."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cudnnlint.cli.on_machine import judged
from cudnnlint.core.errors import UsageError
from cudnnlint.core.target import Target
from cudnnlint.core.verdict import Verdict
from cudnnlint.probe import conformance, conformance_record, controls, proof
from cudnnlint.probe.cases import BLOCKER, CONCERN, DTYPE, EAGER, INSISTED, MASK, ROUTE, Claim, claims
from cudnnlint.probe.chosen import choose
from cudnnlint.probe.compare import Observation, compare
from cudnnlint.probe.elsewhere import REASONS
from cudnnlint.probe.options import Installed, Options
from cudnnlint.probe.outcome import ProbeOutcome, ProbeResult
from cudnnlint.probe.parent import Host
from cudnnlint.probe.rebuild import point
from cudnnlint.probe.request import request
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, requested

FAKE = Path(__file__).with_name("fake_child.py")
BOOK = loader.load()
RELEASES = environment.releases(BOOK.tables)
INSTALLED = Installed("keras", "jax", {"keras": "3.15.1", "jax": "0.10.2"})
GPU = {"about": {"gpus": ["GPU:0"], "releases": {"keras": "3.15.1"}, "python": "3.11.7"}}
KINDS = (ROUTE, BLOCKER, INSISTED, MASK, DTYPE, EAGER)
DRY = Options(dry_run=True)


def target(text: str) -> Target:
    (found,) = requested.parse([text], RELEASES)
    return found


POINT = point(target(INSTALLED.text))
ROW = BOOK.tables.row("GRU", POINT)
assert ROW is not None


def book_of(row):
    """A rulebook whose tables have one row alone."""
    return replace(BOOK, tables=replace(BOOK.tables, rows=(row,), gates=(), defects=(), notes=()))


def judge(paths):
    return judged(tuple(paths), (INSTALLED.text,))


BLOCKERS = {"unrolled-loop": "falls_back", "own-loop": "falls_back"}
SMALL = replace(ROW, blocked_by=BLOCKERS, insisted=frozenset({"unrolled-loop"}))


@pytest.fixture(scope="module")
def chosen(tmp_path_factory):
    return choose(tmp_path_factory.mktemp("cases"), book_of(SMALL), POINT, judge)


@pytest.fixture(scope="module")
def beside(tmp_path_factory, chosen):
    return controls.choose(tmp_path_factory.mktemp("controls"), chosen.cases, book_of(SMALL), POINT, judge)


def saw(route, error=None):
    return {"route": route, "error": error, "ops": ["While"] if route == "fallback" else [], "kernels": []}


def end(number, route, seconds=None):
    phases = {"training": {"none": saw(route)}, "inference": {"none": saw(route)}}
    layer = {"layer_path": "gru", "calls": [{"graph": phases}], "ragged": False, "seconds": seconds}
    return [{"begin": number}, {"end": number, "error": None, "layers": [layer], "whole": None}]


def stopped(item):
    return [{"begin": item}, {"end": item, "error": "ValueError: no", "stage": "build", "layers": []}]


@pytest.fixture
def run(tmp_path, chosen, beside):
    """Run the small book; `others` are steps for the cases of some claims, by name, in the place of the right ones."""

    def runs(others=None, options=DRY, before=None, about=GPU, keep=lambda record: None):
        all_of_it = conformance_record.Collected(chosen, beside)
        report, names = all_of_it.report(chosen.cases), all_of_it.names
        items, asked = request(report, options.dry_run, POINT.framework, True, all_of_it.run_whole)
        steps = [about]
        for one in asked:
            if one.item is None:
                continue
            verdict = one.layer.judgements[0].verdict.value
            if verdict == "depends":
                verdict = "fallback"
            wrong = next((made for name, made in (others or {}).items() if name in names[one.file.path]), None)
            steps += wrong(one.item) if wrong else end(one.item, verdict)
        assert len(items) > 3
        file = tmp_path / "answers.json"
        file.write_text(json.dumps({"ask": steps}))
        host = Host(environment={"FAKE_ANSWERS": str(file)}, timeout=60.0, script=FAKE)
        ways = conformance.Ways(judge, lambda *_: "routes.toml: GRU", keep, where=host)
        return conformance.run(book_of(SMALL), options, INSTALLED, POINT, ways, before)

    return runs


def agreements(found):
    return {one["path"].removeprefix("conformance/"): one["agreement"] for one in found.results}


# ---------------------------------------------------------------- cases


@pytest.mark.parametrize(
    "text", ["keras@3.15.1:tensorflow@2.21.0", "keras@3.15.1:torch", "keras@3.15.1:jax", "tf_keras@2.21.0"]
)
def test_every_row_gate_defect_and_note_of_a_release_is_claimed(text):
    where = point(target(text))
    found = set(claims(BOOK, where))
    for operation in ("LSTM", "GRU"):
        row = BOOK.tables.row(operation, where)
        own = [one for one in found if one.operation == operation]
        by_kind = {kind: {one.what for one in own if one.kind == kind} for kind in KINDS}
        assert by_kind[ROUTE] == {row.because or ""}
        assert by_kind[BLOCKER] == set(row.blocked_by)
        assert by_kind[INSISTED] == row.insisted
        assert by_kind[MASK] == {"right", "left", "data"}
        assert by_kind[DTYPE] >= {dtype.removesuffix("?") for dtype in row.dtypes}
        assert by_kind[EAGER] == {rule for rule, then in row.blocked_by.items() if not isinstance(then, str)}
    concerns = [*BOOK.tables.gates, *BOOK.tables.defects, *BOOK.tables.notes]
    wanted = {one.rule for one in concerns if one.scope.holds(where)}
    assert {one.what for one in found if one.kind == CONCERN} == wanted


def test_a_claim_about_no_class_of_the_release_is_not_made():
    old = {"v1.LSTM", "CuDNNLSTM"}
    assert not old & {one.operation for one in claims(BOOK, POINT)}
    assert old <= {one.operation for one in claims(BOOK, point(target("tf_keras@2.21.0")))}


def test_each_claim_has_a_case_or_is_named_as_open(chosen):
    shown = [claim for case in chosen.cases for of in case.shown.values() for claim in of]
    assert sorted(one.name for one in [*shown, *chosen.open]) == sorted(
        one.name for one in set(claims(book_of(SMALL), POINT))
    )
    assert not chosen.open
    assert len({case.name for case in chosen.cases}) == len(chosen.cases) <= len(shown)


def test_a_new_row_brings_its_cases_by_itself(tmp_path):
    row = BOOK.tables.row("LSTM", POINT)
    new = replace(row, blocked_by={"missing-bias": "falls_back"}, insisted=frozenset(), dtypes=("float32",))
    found = choose(tmp_path, book_of(new), POINT, judge)
    assert {"conformance/LSTM-blocker-missing-bias.py", "conformance/LSTM-dtype-float32.py"} <= {
        case.name for case in found.cases
    }


# ---------------------------------------------------------------- outcomes


INSISTED_CASE = "GRU-insisted-unrolled-loop.py"


def test_an_error_is_the_predicted_one_where_the_example_without_the_fault_runs(run):
    found = run({INSISTED_CASE: stopped})
    assert agreements(found)[INSISTED_CASE] == "confirmed"
    (result,) = (one for one in found.results if one["path"].endswith(INSISTED_CASE))
    (control,) = (one for one in found.record["controls"] if one["path"] == result["control"])
    assert control["observed"] == control["predicted"] != "raises"
    assert not any(one["path"] == control["path"] for one in found.results)  # it is no claim


@pytest.mark.parametrize(
    ("control", "words"),
    [(stopped, "and so does the example without the fault"), (lambda item: end(item, None), "was not seen to run")],
)
def test_an_error_that_the_fault_need_not_have_made_shows_nothing(run, control, words):
    found = run({INSISTED_CASE: stopped, "GRU-insisted-unrolled-loop-control": control})
    (result,) = (one for one in found.results if one["path"].endswith(INSISTED_CASE))
    assert (result["agreement"], result["observed"], result["masks"]) == ("skipped", None, {})
    assert words in result["reason"]
    assert found.status(require_gpu=False) == 0


def test_an_error_without_an_example_that_lacks_the_fault_shows_nothing():
    result = {"agreement": "confirmed", "observed": "raises", "reason": "The layer stopped with an error: No."}
    assert controls.held(result, None)["agreement"] == "skipped"
    assert controls.held({**result, "observed": "fallback"}, None)["agreement"] == "confirmed"
    assert controls.held({**result, "agreement": "contradicted"}, None)["agreement"] == "contradicted"


def test_an_older_record_of_an_error_is_asked_again(run):
    whole = run({INSISTED_CASE: stopped})
    old = [{key: value for key, value in one.items() if key != "control"} for one in whole.results]
    again = run({INSISTED_CASE: stopped}, before={**whole.record, "results": old})
    assert [one.get("control") for one in again.results] == [one.get("control") for one in whole.results]


@pytest.mark.parametrize("text", ["keras@3.15.1:tensorflow@2.21.0", "keras@3.15.1:torch", "tf_keras@2.21.0"])
def test_what_is_to_stop_is_held_against_its_example_without_the_fault(tmp_path, text):
    where = point(target(text))

    def judging(paths):
        return judged(tuple(paths), (text,))

    one = choose(tmp_path, BOOK, where, judging)
    found = controls.choose(tmp_path, one.cases, BOOK, where, judging)
    stopping = {(case.name, layer.id) for case in one.cases for layer in case.stopping}
    assert set(found) <= stopping
    left = {path.removeprefix("conformance/") for path, _ in stopping - set(found)}
    assert left <= {"LSTM-eager-xla-compiled.py", "GRU-eager-xla-compiled.py"}  # which are not run at all
    whole = {(case.name, identity) for case in one.cases for identity in case.whole}
    assert {held for held, control in found.items() if control.whole} == whole & set(found)
    for control in found.values():
        verdict = control.layer.judgements[0]
        assert "raises" not in {verdict.verdict.value, *(one.value for one in verdict.possible)}


def test_what_is_as_predicted_is_confirmed_and_what_cannot_be_run_is_skipped(run):
    found = run()
    assert found.status(require_gpu=False) == 0
    seen = agreements(found)
    assert seen["GRU-route-backend-without-kernel.py"] == seen["GRU-blocker-unrolled-loop.py"] == "confirmed"
    assert seen["GRU-blocker-own-loop.py"] == "confirmed"  # run as a program
    assert found.record["summary"]["contradicted"] == 0


def test_what_is_left_out_says_why_this_run_cannot_show_it(run):
    hidden, other = (Claim("GRU", BLOCKER, rule) for rule in ("gpu-hidden", "activation"))
    left = {**run().results[0], "agreement": "skipped", "reason": "The program chooses the device."}
    told = conformance_record._told(left, [hidden])
    assert told["elsewhere"] == REASONS["gpu-hidden"]
    assert conformance_record._told(left, [other]) is left
    assert conformance_record._told({**left, "agreement": "confirmed"}, [hidden]) == {**left, "agreement": "confirmed"}
    text = proof.as_text({**run().record, "results": [told]})
    assert "The program chooses the device. A layer alone cannot show this." in " ".join(text.split())


def test_an_example_that_does_not_run_here_shows_nothing(run):
    def unusable(item):
        return [{"begin": item}, {"end": item, "error": "it makes no model", "stage": "program", "layers": []}]

    found = run({"own-loop": unusable})
    assert agreements(found)["GRU-blocker-own-loop.py"] == "skipped"
    assert found.record["summary"]["contradicted"] == 0


def test_a_contradiction_names_its_row_and_fails(run):
    found = run({"blocker-unrolled-loop": lambda item: end(item, "cudnn")})
    assert agreements(found)["GRU-blocker-unrolled-loop.py"] == "contradicted"
    assert found.status(require_gpu=False) == 1
    text = proof.as_text(found.record)
    assert "conformance/GRU-blocker-unrolled-loop.py: contradicted" in text
    assert "The verdict rests on this row: routes.toml: GRU." in text


def test_no_sign_and_a_crash_leave_one_case_undecided_each(run):
    found = run({
        "route": lambda item: end(item, None),
        "blocker-unrolled-loop": lambda item: [{"begin": item}, {"do": "kill", "signal": 11}],
    })  # fmt: skip
    seen = agreements(found)
    assert seen["GRU-route-backend-without-kernel.py"] == seen["GRU-blocker-unrolled-loop.py"] == "undecided"
    assert found.record["summary"]["undecided"] == 2
    assert found.status(require_gpu=False) == 0
    assert "SIGSEGV" in proof.as_text(found.record)


@pytest.mark.parametrize(("require", "status"), [(False, 0), (True, 2)])
def test_without_a_gpu_there_is_one_sentence_and_no_record(run, require, status):
    kept = []
    found = run(options=Options(), about={"about": {"gpus": []}}, keep=kept.append)
    assert found.status(require) == status
    assert proof.as_text(found.record).startswith("keras on jax finds no GPU here")
    assert not kept


def test_a_run_goes_on_where_the_record_ends(run):
    kept = []
    whole = run(keep=kept.append)
    assert kept[-1] == whole.record
    dead = {"route": lambda item: end(item, "cudnn")}
    assert run(dead, before=kept[-1]).record == whole.record  # nothing was asked
    less = {**whole.record, "results": [one for one in whole.results if "route" not in one["path"]]}
    again = run(before=json.loads(json.dumps(less)))
    assert agreements(again) == agreements(whole)


def test_a_case_is_run_again_where_the_prediction_is_another(run):
    whole = run()
    old = [{**one, "predicted": "cudnn"} if "route" in one["path"] else one for one in whole.results]
    again = run(before={**whole.record, "results": old})
    assert [one["predicted"] for one in again.results] == [one["predicted"] for one in whole.results]


def test_a_record_about_another_framework_is_refused(run):
    whole = run()
    other = {**whole.record, "machine": {**whole.record["machine"], "target": "tf_keras@2.21.0"}}
    with pytest.raises(UsageError, match=r"dry run of tf_keras@2\.21\.0\. Name another file"):
        run(before=other)


def test_the_table_has_a_line_for_each_layer_and_cause_with_its_times(run):
    times = {"route": 0.0012, "generic": 0.0034, "kernel": None}
    found = run({"GRU-route": lambda item: end(item, "fallback", times)}, options=Options())
    lines = [line.split() for line in proof.as_text(found.record).splitlines()]
    assert lines[0][:2] == ["layer", "cause"]
    assert ["GRU", "as", "it", "is", "1", "1.20", "/", "3.40"] in lines
    assert lines[-1][1] == "confirmed,"


def test_no_path_of_the_machine_is_in_a_record(run, chosen):
    told = json.dumps(run().record)
    assert not any(str(Path(case.file.path).parent) in told for case in chosen.cases)


def test_several_at_once_time_the_plain_layers_alone_afterwards(monkeypatch, chosen, beside):
    """What is asked beside others is not timed; then the layers as they are are timed, one after another."""
    asked_for = []

    def ran(report, options, installed, row_of, told, where, programs, whole, stopping):
        asked_for.append((options.repeats, len(report.files)))
        _, asked = request(report, False, POINT.framework, programs, whole)
        seconds = {"route": 0.002, "generic": 0.03, "kernel": None} if options.repeats else None
        results = []
        for one in asked:
            predicted = one.layer.judgements[0]
            verdict = Verdict.FALLBACK if predicted.verdict is Verdict.DEPENDS else predicted.verdict
            seen = compare(predicted, Observation(verdict, {"none": verdict.value}, tried=True))
            results.append(ProbeResult(one, predicted.verdict, seen, seconds=seconds))
        return ProbeOutcome({"target": INSTALLED.text, "releases": {"keras": "3.15.1"}}, results, False)

    monkeypatch.setattr(conformance.probe, "run", ran)
    options = Options(jobs=3, repeats=7)
    found = conformance.run(book_of(SMALL), options, INSTALLED, POINT, conformance.Ways(judge, lambda *_: None))
    assert {repeats for repeats, _ in asked_for[:-1]} == {0}
    assert asked_for[-1] == (7, 1)
    assert len(asked_for) > 3
    plain = [one for one in found.results if any(claim["kind"] == ROUTE for claim in one["claims"])]
    others = [one for one in found.results if one not in plain]
    assert [one["seconds"]["route"] for one in plain] == [0.002]
    assert {one["seconds"]["route"] for one in others} == {None}
    assert found.record["summary"]["contradicted"] == 0
    again = conformance.run(
        book_of(SMALL), options, INSTALLED, POINT, conformance.Ways(judge, lambda *_: None), found.record
    )
    assert again.record["results"] == found.record["results"]
