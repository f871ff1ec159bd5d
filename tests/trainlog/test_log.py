"""The log as a whole: repeated lines, layers named elsewhere in a traceback, and layers found in a report."""

import io
import json

import pytest
from packaging.version import Version

from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import FileReport, LayerReport, Report
from cudnnlint.core.target import Release, Target
from cudnnlint.core.verdict import Judgement, Requirement, Verdict
from cudnnlint.trainlog import run

WARNING = (
    "WARNING:tensorflow:Layer {} will not use cuDNN kernels since it doesn't meet the criteria. "
    "It will use a generic GPU kernel as fallback when running on GPU.\n"
)
TARGET = Target("tf_keras", Release(Version("2.21.0")))


def explained(text, report=None):
    told, status = run(io.BytesIO(text.encode()), report, "json")
    return json.loads(told), status


def layer(identity, name, class_name, verdict, row, requirements=()):
    judgement = Judgement(TARGET, verdict, (verdict,), requirements=requirements)
    place = SourcePlace("model.py", row, 1, row, 20)
    return LayerReport(identity, name, class_name, place, None, (), (judgement,))


def report(*layers):
    return Report((FileReport("model.py", "python", (TARGET,), layers),), (), 1, "0")


DROPOUT = Requirement("recurrent-dropout", "CDN103", "no", "0.2", "0", None, "written")


def test_repeated_lines_are_counted_and_told_once():
    data, status = explained("epoch 1\n" + WARNING.format("lstm") * 3 + WARNING.format("gru") + "end\n")
    told = [(entry["layer"], entry["line"], entry["count"]) for entry in data["entries"]]
    assert told == [("lstm", 2, 3), ("gru", 5, 1)]
    assert data["lines"] == 6
    assert status == 1


def test_what_stops_the_program_is_told_before_what_only_slows_it():
    log = "Successfully opened dynamic library libcudnn.so.8\n" + WARNING.format("lstm") + "CUDNN_STATUS_BAD_PARAM\n"
    told, _ = run(io.BytesIO(log.encode()))
    heads = [line for line in told.split("\n") if line.startswith("line ")]
    assert [head.split(":")[0] for head in heads] == ["line 3", "line 2, layer lstm"]


def test_a_plug_in_is_part_of_the_error_that_it_explains():
    error = "No OpKernel was registered to support Op 'CudnnRNNV3' used by {{node lstm/CudnnRNNV3}}\n"
    told, _ = run(io.BytesIO(f"Metal device set to: Apple M1\n{error}".encode()))
    assert "1 message in 2 log lines" in told
    assert "line 2 (2 times), layer lstm: it stops with an error" in told


def test_a_log_without_news_says_that_keras_3_is_silent():
    told, status = run(io.BytesIO(b"epoch 1\nepoch 2\n"))
    assert status == 0
    assert "Keras 3 never logs it" in " ".join(told.split())


def test_an_empty_log_is_no_fault():
    data, status = explained("")
    assert (data["entries"], data["lines"], status) == ([], 0, 0)


@pytest.mark.parametrize(
    ("text", "layer"),
    [
        (
            "UnknownError:\nCUDNN_STATUS_BAD_PARAM\nin cuda_dnn.cc(1430): 'cudnnSetRNNDataDescriptor('\n"
            "\t [[{{node cond/then/_0/CudnnRNNV3}}]]\n"
            "\t [[sequential_6/bidirectional_2/backward_lstm_3/StatefulPartitionedCall]]\n"
            "\t [[training/Adam/Adam/update_12/mul_3/_90]]\n",
            "backward_lstm_3",
        ),
        (
            "Exception encountered when calling layer 'decoder' (type LSTM).\n\n"
            "use_cudnn=True was specified, but cuDNN is not supported for this layer configuration.\n",
            "decoder",
        ),
        ("CUDNN_STATUS_BAD_PARAM\n [[metrics/accuracy/Mean/_109]]\n", None),
        ("Exception encountered when calling layer 'old'\n" + "\n" * 9 + "CUDNN_STATUS_BAD_PARAM\n", None),
    ],
)
def test_the_layer_is_found_in_the_lines_around(text, layer):
    data, _ = explained(text)
    assert [entry["layer"] for entry in data["entries"]] == [layer]


def test_harmless_lines_end_well():
    data, status = explained("Unable to register cuDNN factory: Attempting to register factory\n")
    assert [entry["tells"] for entry in data["entries"]] == ["harmless"]
    assert status == 0


def test_a_named_layer_is_matched_and_its_failed_requirement_told():
    slow = layer(0, "encoder", "LSTM", Verdict.FALLBACK, 4, (DROPOUT,))
    fast = layer(1, "decoder", "LSTM", Verdict.CUDNN, 5)
    data, _ = explained(WARNING.format("encoder"), report(slow, fast))
    (match,) = data["entries"][0]["matches"]
    assert (match["row"], match["sure"], match["verdict"]) == (4, True, "fallback")
    assert match["failed"] == [{"name": "recurrent-dropout", "code": "CDN103", "found": "0.2", "needed": "0"}]
    told, _ = run(io.BytesIO(WARNING.format("encoder").encode()), report(slow, fast))
    assert "model.py:4:1 LSTM, fallback; recurrent-dropout (CDN103): found 0.2, needed 0" in " ".join(told.split())


def test_a_bidirectional_is_matched_with_and_without_its_prefix():
    forward = layer(0, "forward_words", "GRU", Verdict.FALLBACK, 7, (DROPOUT,))
    for name in ("words", "forward_words"):
        data, _ = explained(WARNING.format(name), report(forward))
        assert [match["row"] for match in data["entries"][0]["matches"]] == [7]


def test_a_name_made_up_by_keras_is_matched_by_class_and_verdict_only():
    layers = (
        layer(0, None, "LSTM", Verdict.FALLBACK, 1, (DROPOUT,)),
        layer(1, None, "LSTM", Verdict.CUDNN, 2),
        layer(2, None, "GRU", Verdict.FALLBACK, 3),
        layer(3, "mine", "LSTM", Verdict.FALLBACK, 4),
    )
    data, _ = explained(WARNING.format("lstm_5"), report(*layers))
    assert [(match["row"], match["sure"]) for match in data["entries"][0]["matches"]] == [(1, False)]


def test_a_layer_that_is_not_in_the_files_is_said_to_be_missing():
    told, _ = run(io.BytesIO(WARNING.format("other").encode()), report())
    assert "no layer in the given files can be other" in " ".join(told.split())


def test_a_rejected_argument_is_matched_by_its_class():
    gru = layer(0, "g", "GRU", Verdict.RAISES, 9)
    line = "ValueError: Unrecognized keyword arguments passed to GRU: {'time_major': False}\n"
    data, _ = explained(line, report(gru))
    assert [match["row"] for match in data["entries"][0]["matches"]] == [9]


def test_control_characters_of_a_log_do_not_reach_the_terminal():
    told, _ = run(io.BytesIO(("\x1b]0;title\x07\x00" + WARNING.format("a\x9bb")).encode()))
    assert not any(character in told for character in "\x1b\x07\x00\x9b")


def test_an_error_is_not_laid_on_a_layer_that_only_ever_loops():
    loops = layer(0, None, "LSTM", Verdict.FALLBACK, 1)
    may = layer(1, None, "LSTM", Verdict.DEPENDS, 2)
    data, _ = explained("CUDNN_STATUS_BAD_PARAM\n [[model/lstm_1/CudnnRNNV3]]\n", report(loops, may))
    assert [match["row"] for match in data["entries"][0]["matches"]] == [2]
