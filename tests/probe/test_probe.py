"""A whole probe with a simulated child: results, evidence, exit status, and the sentences for what does not work."""

import json
from pathlib import Path

import pytest
from packaging.version import Version

from cudnnlint import probe
from cudnnlint.core.errors import UsageError
from cudnnlint.core.fact import Known, Opaque
from cudnnlint.core.layer import Construction, Layer
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import FileReport, LayerReport, Report
from cudnnlint.core.target import Release, Target
from cudnnlint.core.verdict import Judgement, Verdict
from cudnnlint.probe.options import Installed, Options, find
from cudnnlint.probe.parent import Host

FAKE = Path(__file__).with_name("fake_child.py")
TARGET = Target("keras", Release(Version("3.15.1")), "tensorflow")
INSTALLED = Installed("keras", "tensorflow", {"keras": "3.15.1", "tensorflow": "2.21.0", "nvidia-cudnn-cu12": "9.3.0"})
GPU = {"about": {"gpus": ["GPU:0"], "releases": {"keras": "3.15.1"}, "python": "3.11.7"}}
LSTM = Construction("LSTM", "keras.layers.LSTM", {"units": Known(8)})


def saw(route, error=None, ops=(), kernels=()):
    return {"route": route, "error": error, "ops": list(ops), "kernels": list(kernels)}


def layer_answer(path, route="cudnn", eager=None, seconds=None, **more):
    phases = {name: {"none": saw(route, ops=["CudnnRNNV3"] if route == "cudnn" else ["While"])}
              for name in ("training", "inference")}  # fmt: skip
    calls = [{"graph": phases, "eager": {"training": {"none": saw(eager or route)}}}]
    return {"layer_path": path, "calls": calls, "ragged": False, "seconds": seconds, **more}


def end(number, *layers, **more):
    return {"end": number, "error": None, "layers": list(layers), "whole": None, **more}


def reported(*layers, path="a.py", kind="python", construction=LSTM):
    found = []
    for identity, (name, verdict) in enumerate(layers):
        place = SourcePlace(path, identity + 1, 1, identity + 1, 9) if kind == "python" else None
        facts = Layer(name, place or SourcePlace(path, 1, 1, 1, 1), (construction,), saved=kind != "python")
        judgement = Judgement(TARGET, verdict, (verdict,))
        shown = None if kind == "python" else name
        found.append(LayerReport(identity, name, "LSTM", place, shown, (), (judgement,), layer=facts))
    return Report((FileReport(path, kind, (TARGET,), tuple(found)),), (), 1, "0")


@pytest.fixture
def run(tmp_path):
    def probed(report, steps, options=None, timeout=60.0):
        file = tmp_path / "answers.json"
        file.write_text(json.dumps({"ask": steps}))
        host = Host(environment={"FAKE_ANSWERS": str(file)}, timeout=timeout, script=FAKE)
        options = options or Options(dry_run=True)
        outcome = probe.run(report, options, INSTALLED, lambda *_: "routes.toml: LSTM", where=host)
        return outcome.as_data(), probe.status(outcome, options), outcome.as_text()

    return probed


TWO = reported(("fast", Verdict.CUDNN), ("slow", Verdict.FALLBACK))


def test_confirmed_layers_with_their_evidence(run):
    data, status, text = run(TWO, [GPU, {"begin": 0}, end(0, layer_answer("fast")), {"begin": 1},
                                   end(1, layer_answer("slow", "fallback"))])  # fmt: skip
    assert status == 0
    assert data["summary"] == {"confirmed": 2, "contradicted": 0, "undecided": 0, "skipped": 0}
    first = data["results"][0]
    assert (first["path"], first["layer"], first["row"]) == ("a.py", "fast", 1)
    assert (first["predicted"], first["observed"], first["agreement"]) == ("cudnn", "cudnn", "confirmed")
    assert first["evidence"] == {"ops": ["CudnnRNNV3"], "kernels": []}
    assert first["seconds"] == {"route": None, "generic": None, "kernel": None}
    assert "2 confirmed, 0 contradicted, 0 undecided, 0 skipped." in text


def test_a_contradiction_names_the_row_and_fails(run):
    data, status, text = run(TWO, [GPU, {"begin": 0}, end(0, layer_answer("fast", "fallback")), {"begin": 1},
                                   end(1, layer_answer("slow", "fallback"))])  # fmt: skip
    assert status == 1
    assert data["results"][0]["table_row"] == "routes.toml: LSTM"
    assert data["results"][1]["table_row"] is None
    assert "The verdict rests on this row: routes.toml: LSTM." in text


def test_times_are_told_in_milliseconds(run):
    options = Options(dry_run=False)
    seconds = {"route": 0.0113, "generic": 0.0113, "kernel": 0.0009}
    data, _, text = run(reported(("slow", Verdict.FALLBACK)), [
        GPU, {"begin": 0}, end(0, layer_answer("slow", "fallback", seconds=seconds))], options)  # fmt: skip
    assert data["results"][0]["seconds"] == seconds
    told = " ".join(text.split())
    assert "11.30 ms for this layer, 11.30 ms in a loop, 0.90 ms for a plain layer of this size in cuDNN" in told


def test_where_eager_calls_differ_it_is_said(run):
    steps = [GPU, {"begin": 0}, end(0, layer_answer("fast", eager="fallback"))]
    data, _, text = run(reported(("fast", Verdict.CUDNN)), steps)
    assert data["results"][0]["eager"] == "fallback"
    assert "In eager calls: fallback." in text


@pytest.mark.parametrize(("require", "status"), [(False, 0), (True, 2)])
def test_without_a_gpu_everything_is_skipped_with_one_sentence(run, require, status):
    blind = {"about": {"gpus": []}}
    data, found, text = run(TWO, [blind, {"begin": 0}, {"do": "hang"}], Options(require_gpu=require))
    assert found == status
    assert data["summary"]["skipped"] == 2
    assert data["note"].startswith("keras on tensorflow finds no GPU here")
    assert text.count("finds no GPU here") == 1


def test_a_child_killed_in_the_middle_costs_one_layer(run):
    data, status, _ = run(TWO, [GPU, {"begin": 0}, {"do": "kill", "signal": 9}, {"begin": 1},
                                end(1, layer_answer("slow", "fallback"))])  # fmt: skip
    assert status == 0
    assert [result["agreement"] for result in data["results"]] == ["undecided", "confirmed"]
    assert data["results"][0]["reason"] == "The probe process was killed, most likely because it ran out of memory."


def test_a_framework_that_does_not_start_is_wrong_use(run):
    with pytest.raises(UsageError, match="cannot be started: ImportError: libcudart"):
        run(TWO, [{"fault": "ImportError: libcudart.so.12"}])


def test_a_stand_in_that_does_not_build_says_nothing(run):
    activation = Construction("LSTM", "keras.layers.LSTM", {"units": Known(8), "activation": Known(Opaque("a lambda"))})
    report = reported(("own", Verdict.FALLBACK), construction=activation)
    broken = {"end": 0, "error": "ValueError: Improper config format", "stage": "build", "layers": [], "whole": None}
    data, status, _ = run(report, [GPU, {"begin": 0}, broken])
    assert (data["results"][0]["agreement"], status) == ("skipped", 0)
    assert "The probe replaces a function of your program" in data["results"][0]["reason"]


MODEL = reported(("lstm", Verdict.CUDNN), ("stack/forward_lstm", Verdict.CUDNN), path="m.keras", kind="keras")


def test_the_layers_of_a_model_are_found_by_path_or_by_place(run):
    for names in (("lstm", "stack/forward_lstm"), ("lstm", "stack/forward_lstm_7")):
        data, _, _ = run(MODEL, [GPU, {"begin": 0}, end(0, *[layer_answer(name) for name in names])])
        assert data["summary"]["confirmed"] == 2


def test_a_model_that_does_not_load_is_skipped_where_its_layers_cannot_be_built_alone(run):
    error = "TypeError: Could not locate class 'MyLayer'."
    broken = {"end": 0, "error": error, "stage": "build", "layers": [], "whole": None}
    data, status, _ = run(MODEL, [GPU, {"begin": 0}, broken])
    assert status == 0
    assert data["summary"]["skipped"] == 2
    assert (
        data["results"][0]["reason"]
        == f"The file cannot be loaded, which need not be this layer's fault: {error}."
    )


def test_its_layers_are_built_from_their_facts_where_those_suffice(run):
    error = "TypeError: Could not locate class 'MyLayer'."
    broken = {"end": 0, "error": error, "stage": "build", "layers": [], "whole": None}
    alone = [step for n in (1, 2) for step in ({"begin": n}, end(n, layer_answer("lstm")))]
    data, _, text = run(MODEL, [GPU, {"begin": 0}, broken, *alone])
    assert data["summary"]["confirmed"] == 2
    assert data["results"][0]["rebuilt"] == error
    assert "The file cannot be loaded, so the layer was rebuilt from its settings: TypeError" in " ".join(text.split())


def test_a_layer_that_cannot_be_built_alone_either_is_what_stops_its_file(run):
    error = "TypeError: Could not locate class 'CuDNNLSTM'."
    broken = {"end": 0, "error": error, "stage": "build", "layers": [], "whole": None}
    alone = [step for n in (1, 2) for step in ({"begin": n}, {**broken, "end": n})]
    data, status, _ = run(MODEL, [GPU, {"begin": 0}, broken, *alone])
    assert (data["summary"]["contradicted"], status) == (2, 1)
    assert data["results"][0]["observed"] == "raises"


def test_a_whole_model_that_stops_is_reported(run):
    answers = [layer_answer("lstm"), layer_answer("stack/forward_lstm")]
    data, _, text = run(MODEL, [GPU, {"begin": 0}, end(0, *answers, whole="ResourceExhaustedError: OOM")], Options())
    assert data["models"] == [{"path": "m.keras", "error": "ResourceExhaustedError: OOM"}]
    assert "m.keras: the model as a whole stopped with an error: ResourceExhaustedError: OOM" in text


def test_a_ragged_layer_and_one_that_nothing_calls_are_skipped(run):
    answers = [layer_answer("lstm", calls=[], ragged=True), layer_answer("stack/forward_lstm", calls=[])]
    data, _, _ = run(MODEL, [GPU, {"begin": 0}, end(0, *answers)])
    reasons = [result["reason"] for result in data["results"]]
    ragged = "The layer gets a ragged tensor, which the probe cannot make."
    assert reasons == [ragged, "The model does not call this layer."]


def test_the_machine_is_in_the_record(run):
    data, _, _ = run(TWO, [GPU, {"begin": 0}, end(0, layer_answer("fast")), {"begin": 1}, end(1, layer_answer("slow"))])
    machine = data["machine"]
    assert machine["target"] == "keras@3.15.1:tensorflow@2.21.0"
    assert machine["gpus"] == ["GPU:0"]
    assert machine["nvidia"] == {"nvidia-cudnn-cu12": "9.3.0"}
    assert set(machine["driver"]) >= {"how", "driver", "gpus"}


def test_no_layer_no_child(run):
    data, status, text = run(reported(), [{"do": "hang"}])
    assert (data["results"], status) == ([], 0)
    assert text.strip() == "No recurrent layer was found."


# ---------------------------------------------------------------- what is asked


@pytest.fixture
def found(tmp_path):
    def look(packages, options=None, **environment):
        file = tmp_path / "answers.json"
        file.write_text(json.dumps({"installed": [{"packages": packages}]}))
        host = Host(environment={"FAKE_ANSWERS": str(file)}, script=FAKE, timeout=60)
        return find(options or Options(), {"HOME": str(tmp_path), **environment}, host)

    return look


BOTH = {"keras": "3.15.1", "tf-keras": "2.21.0", "tensorflow": "2.21.0", "torch": "2.9.0"}


@pytest.mark.parametrize(
    ("packages", "options", "environment", "text"),
    [
        (BOTH, Options(), {}, "keras@3.15.1:tensorflow@2.21.0"),
        (BOTH, Options(backend="torch"), {}, "keras@3.15.1:torch"),
        (BOTH, Options(), {"KERAS_BACKEND": "torch"}, "keras@3.15.1:torch"),
        (BOTH, Options(), {"TF_USE_LEGACY_KERAS": "1"}, "tf_keras@2.21.0"),
        (BOTH, Options(framework="tf_keras"), {}, "tf_keras@2.21.0"),
        ({"keras": "3.15.1", "jax": "0.10.2"}, Options(), {}, "keras@3.15.1:jax"),
        ({"keras": "2.12.0", "tensorflow": "2.12.0"}, Options(), {}, "keras@2.12.0"),
        ({"tensorflow": "2.4.1"}, Options(), {}, "tensorflow@2.4.1"),
        ({"keras": "3.15.1", "tensorflow-cpu": "2.21.0"}, Options(), {}, "keras@3.15.1:tensorflow@2.21.0"),
        ({"tensorflow-cpu": "2.2.3"}, Options(), {}, "tensorflow@2.2.3"),
        ({"keras": "2.10.0", "tensorflow-gpu": "2.10.1"}, Options(framework="tensorflow"), {}, "tensorflow@2.10.1"),
    ],
)
def test_what_is_installed_is_what_is_asked(found, packages, options, environment, text):
    assert found(packages, options, **environment).text == text


@pytest.mark.parametrize(
    ("packages", "options", "words"),
    [
        ({}, Options(), "Keras is not installed"),
        ({"keras": "3.15.1"}, Options(), "The backend tensorflow is not installed"),
        (BOTH, Options(backend="jax"), "The backend jax is not installed"),
        ({"keras": "3.15.1", "tensorflow": "2.21.0"}, Options(framework="tf_keras"), "tf_keras is not installed"),
        (BOTH, Options(framework="tf_keras", backend="torch"), "runs on TensorFlow only"),
    ],
)
def test_what_is_missing_is_a_sentence(found, packages, options, words):
    with pytest.raises(UsageError, match=words):
        found(packages, options)
