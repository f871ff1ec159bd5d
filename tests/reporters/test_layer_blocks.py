"""The text output of whole sources: what shares a block, what is marked, and what stands in place of many blocks."""

from __future__ import annotations

from pathlib import Path

import pytest
from newest_releases import NEWEST, NEWEST_TF_KERAS
from test_reporters import written

from cudnnlint import engine
from cudnnlint.core.report import FileReport, Report
from cudnnlint.frontends.source.reader import read
from cudnnlint.reporters import Look
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, requested

BOOK = loader.load()
START = "import keras\nfrom keras import layers\nx = keras.Input((200, 8))\n"


def report(*texts: str, target: str = f"keras@{NEWEST}") -> Report:
    """The report on sources called a.py, b.py ..., in a folder."""
    files, found, first = [], [], 0
    targets = requested.parse([target], environment.releases(BOOK.tables))
    for name, text in zip("abcdefghijklm", texts, strict=False):
        model = read(f"src/{name}.py", (START + text).encode(), BOOK.tables.names)
        judged = engine.judge(model, targets, BOOK)
        numbered = [layer.__class__(**{**vars(layer), "id": layer.id + first}) for layer in judged.layers]
        found += [d.__class__(**{**vars(d), "layers": tuple(i + first for i in d.layers)}) for d in judged.diagnostics]
        files.append(FileReport(model.path, "python", targets, tuple(numbered), source=model.source))
        first += len(numbered)
    return Report(tuple(files), tuple(found), len(files), "1.0")


def text(*texts: str, look: Look | None = None, target: str = f"keras@{NEWEST}") -> str:
    return written(report(*texts, target=target), "text", look)


def test_a_layer_with_two_faults_is_one_block_with_one_excerpt() -> None:
    said = text('layers.GRU(8, activation="relu", recurrent_dropout=0.2)(x)\n')
    assert said.count("GRU runs in a loop without cuDNN") == 1
    assert said.count("layers.GRU(8") == 1
    marks = next(line for line in said.splitlines() if "^" in line)
    assert marks.count("^^^^^^") == 1
    assert marks.endswith("^^^")
    assert said.index("[CDN101]") < said.index("[CDN103]")


def test_faults_in_different_rows_each_have_their_excerpt() -> None:
    said = text('layers.GRU(\n    8,\n    activation="relu",\n    recurrent_dropout=0.2,\n)(x)\n')
    assert said.count("GRU runs in a loop without cuDNN") == 1
    assert len([line for line in said.splitlines() if "^^^" in line]) == 2


def test_layers_with_the_same_fault_are_said_once_with_their_places() -> None:
    said = text("layers.SimpleRNN(8)(x)\nlayers.SimpleRNN(16)(x)\nlayers.SimpleRNN(32)(x)\n")
    assert said.count("[CDN111]") == 1
    assert "also    the same at src/a.py:5:1, src/a.py:6:1" in said
    assert text("layers.SimpleRNN(8)(x)\nlayers.SimpleRNN(16)(x)\n", look=Look(verbose=True)).count("[CDN111]") == 2


def test_layers_with_other_values_are_told_apart() -> None:
    said = text("layers.LSTM(8, recurrent_dropout=0.1)(x)\nlayers.LSTM(8, recurrent_dropout=0.2)(x)\n")
    assert said.count("[CDN103]") == 2


def test_what_fix_mends_is_marked_and_what_needs_a_flag_says_so() -> None:
    unrolled = "layers.LSTM(8, unroll=True)(x)\n"
    assert "warning[CDN105] unrolled-loop [*]:" in text(unrolled)
    relu = 'layers.LSTM(8, activation="relu")(x)\n'
    assert "activation:" in text(relu)
    assert "Needs --unsafe-fixes." in text(relu).replace("\n          ", " ")
    allowed = text(relu, look=Look(unsafe=True))
    assert "warning[CDN101] activation [*]:" in allowed
    assert "Needs" not in allowed


def test_both_directions_are_one_block_that_says_so() -> None:
    said = text("layers.Bidirectional(layers.LSTM(8, unroll=True))(x)\n")
    assert said.count("LSTM (both directions) runs in a loop without cuDNN") == 1


KINDS = "for kind in (layers.LSTM, layers.GRU):\n    x = kind(8, return_sequences=True, {})(x)\n"


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("unroll=True", "On a GPU this LSTM/GRU runs step by step in a loop"),
        ("return_sequence=True", "LSTM/GRU does not accept return_sequence"),
    ],
)
def test_a_finding_of_one_place_names_every_class_that_is_made_there(argument: str, says: str) -> None:
    found = report(KINDS.format(argument))
    assert [says in one.message for one in found.diagnostics] == [True]
    assert written(found, "text").split(": ")[1].startswith("LSTM/GRU ")


@pytest.mark.parametrize(
    ("line", "cost"),
    [
        ("layers.SimpleRNN(8)(x)", "200 steps one after another for each batch, and in training again backward"),
        ("layers.SimpleRNN(8)(keras.Input((None, 8)))", None),
        ("layers.LSTM(8)(x)", None),
        ("layers.Bidirectional(layers.SimpleRNN(8))(x)", "200 steps one after another for each batch, and in training"
         " again backward (in each of 2 layers)"),
    ],
)  # fmt: skip
def test_a_loop_costs_as_many_steps_as_are_known(line: str, cost: str | None) -> None:
    said = " ".join(text(f"{line}\n").split())
    assert (f"cost {cost}" in said) if cost else ("one after another" not in said)


def test_steps_are_given_as_a_range_where_they_differ() -> None:
    said = text("RATE = 0.1\nlayers.LSTM(8, recurrent_dropout=RATE)(x)\n"
                "layers.LSTM(8, recurrent_dropout=RATE)(keras.Input((50, 8)))\n")  # fmt: skip
    assert "cost    50 to 200 steps one after another" in said


def test_the_verdicts_of_several_targets_are_clauses_of_one_line() -> None:
    said = text("layers.LSTM(8, time_major=True)(x)\n", target=f"keras@{NEWEST},tf_keras@{NEWEST_TF_KERAS}")
    assert f"LSTM stops with an error on every machine (keras@{NEWEST}:tensorflow)" in said


def test_a_loop_that_stays_has_another_way() -> None:
    assert "or      If the loop has to stay, set use_cudnn=False" in text("layers.LSTM(8, recurrent_dropout=0.1)(x)\n")
    legacy = "import tf_keras\ntf_keras.layers.LSTM(8, recurrent_dropout=0.1)(tf_keras.Input((9, 8)))\n"
    said = text(legacy, target=f"tf_keras@{NEWEST_TF_KERAS}")
    assert "compile(jit_compile=True) lets XLA compile it" in said
    assert "Keras 3" not in said


MANY = [f'layers.LSTM({size}, activation="relu")(x)\n' for size in range(1, 9)]
FOLDER = Look(named=frozenset({"src"}))


def test_a_folder_with_many_findings_starts_with_causes_and_files() -> None:
    said = text(*MANY, "layers.CuDNNLSTM(8)(x)\n", "layers.LSTM(8)(x)\n", look=FOLDER)
    assert "^" not in said
    assert said.index("error[CDN203] removed-layer: 1 layer in 1 file [*] 1 with --fix") < said.index("warning[CDN101]")
    assert "warning[CDN101] activation: 8 layers in 8 files" in said
    assert "src/a.py:4:27" in said
    assert "src/i.py: 1 raises an error" in said
    assert "src/j.py" not in said
    assert "--verbose, or name a file" in said


def test_a_few_findings_of_a_folder_are_shown_whole() -> None:
    assert "^" in text(*MANY[:3], look=FOLDER)


def test_files_that_are_named_are_shown_whole() -> None:
    named = Look(named=frozenset(f"src/{name}.py" for name in "abcdefgh"))
    assert text(*MANY, look=named).count("^^^^^^") == 8
    both = Look(named=frozenset({"src", "src/a.py"}))
    said = text(*MANY, look=both)
    assert said.count("^^^^^^") == 1
    assert "7 layers in 7 files" in said


def test_verbose_shows_every_block() -> None:
    said = text(*MANY, look=Look(named=frozenset({"src"}), verbose=True))
    assert said.count("^^^^^^") == 8


def test_where_no_layer_runs_in_cudnn_nothing_is_said_of_its_speed() -> None:
    loop = text("layers.LSTM(8, unroll=True)(x)\n", look=Look(verbose=True))
    assert "can still be slower" not in loop
    both = text("layers.LSTM(8, unroll=True)(x)\n", "layers.LSTM(8)(x)\n", look=Look(verbose=True))
    assert "can still be slower" in both
    assert "The smallest layer has 8 units: unless the batch is large" in both
    large = text("layers.LSTM(64)(x)\nlayers.GRU(4, unroll=True)(x)\n", look=Look(verbose=True))
    assert "The smallest layer" not in large


def test_a_note_of_many_files_is_said_once() -> None:
    files = tuple(FileReport(f"{name}.h5", "h5", notes=("It holds weights only.",)) for name in "abcdef")
    said = written(Report(files, (), 6, "1.0"), "text")
    assert "note: It holds weights only. (6 files: a.h5, b.h5, c.h5 and 3 more)\n" in said


def test_the_readme_shows_the_output_and_a_program() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert "runs in a loop without cuDNN" in readme
    assert "check_model(model)" in readme


def test_a_clean_report_says_where_to_read_on_and_one_with_findings_does_not() -> None:
    clean = "layers.LSTM(8)(x)\n"
    assert text(clean).endswith("See cudnnlint explain slow-on-gpu, stops-on-gpu.\n")
    assert "slow-on-gpu" not in text(clean, look=Look(quiet=True))
    assert "slow-on-gpu" not in text(clean, "layers.LSTM(8, unroll=True)(x)\n")
    assert "slow-on-gpu" not in text("x = 1\n")


def test_a_layer_that_only_a_gpu_can_run_is_told_with_the_one_for_a_cpu() -> None:
    said = text("layers.CuDNNGRU(8)(x)\nlayers.LSTM(8)(x)\n", target="tensorflow@1.15")
    assert "CuDNNGRU runs on a GPU only" not in said  # the LSTM of this release is a finding, which comes first
    said = " ".join(text("layers.CuDNNGRU(8)(x)\n", target="tensorflow@1.15").split())
    assert 'GRU(..., recurrent_activation="sigmoid", reset_after=True) computes the same' in said


def test_a_finding_that_points_to_another_leaves_the_advice_to_it() -> None:
    """It was told to write a value where the layer is made, beside the advice on the device scope."""
    said = text(
        "import numpy as np\nimport tensorflow as tf\nwith tf.device('CPU:0'):\n"
        "    model = keras.Sequential([keras.Input((10, 3)), layers.LSTM(4)])\n    model.compile('adam', 'mse')\n"
        "    model.fit(np.zeros((8, 10, 3)), np.zeros((8, 4)))\n"
    )
    after = " ".join(said.partition("info[CDN501]")[2].split())
    assert "see CDN404" in after
    assert "help" not in after
