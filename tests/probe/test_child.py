"""The parts of the child that need no framework: reading evidence, masks, and building from facts."""

import ast
import re
import sys
from types import SimpleNamespace

import pytest

from cudnnlint.probe.child.asker import Asker, fingerprint
from cudnnlint.probe.child.builder import Builder
from cudnnlint.probe.child.channel import said
from cudnnlint.probe.child.feeder import Feeder
from cudnnlint.probe.child.program import spec_of
from cudnnlint.probe.child.recurrent import walk, wrapped_both_ways
from cudnnlint.probe.child.signs import names_in, observed, route_of, targets_in
from cudnnlint.probe.child.subject import Subject
from cudnnlint.probe.parent import CHILD, Host, Lost, one_answer

MODULES = sorted(CHILD.parent.glob("*.py"))
OLDEST = (3, 7)  # the Python of the oldest TensorFlow that the child is run with


@pytest.mark.parametrize(
    ("ops", "route"),
    [
        (["CudnnRNNV3", "CudnnRNNBackpropV3", "MatMul"], "cudnn"),
        (["CudnnRNN"], "cudnn"),
        (["aten::_cudnn_rnn", "aten::mm"], "cudnn"),
        (["cudnn_rnn_ffi", "while"], "cudnn"),
        (["cudnn_rnn_bwd_ffi"], "cudnn"),
        (["_MklMatMul", "TensorListPushBack"], "fallback"),
        (["StatelessWhile"], "fallback"),
        (["_FusedMatMul"], "fallback"),
        (["_MklNativeFusedMatMul"], "fallback"),
        (["Conv2D"], "fallback"),
        (["_XlaRun"], "fallback"),
        (["aten::addmm", "aten::lstm"], "fallback"),
        (["while", "dot"], "fallback"),
        (["Cast", "Identity", "FunctionRun"], None),
        (["CudnnRNNCanonicalToParams"], "cudnn"),
        ([], None),
    ],
)
def test_what_names_of_operations_show(ops, route):
    assert route_of(ops) == route


class RNN:
    """A stand-in for a recurrent layer, and for a layer around it."""

    __module__ = "keras.fake"
    name = "rnn"
    weights = ()

    def call(self, sequences, mask=None):
        return sequences


class Bidirectional:
    __module__ = "keras.fake"
    name = "both"

    def __init__(self, as_one):
        self.forward_layer, self.backward_layer, self.as_one = RNN(), RNN(), as_one

    def call(self, sequences, mask=None):
        return sequences if self.as_one else [self.forward_layer.call(sequences), self.backward_layer.call(sequences)]


@pytest.mark.parametrize("as_one", [True, False])
def test_directions_that_run_as_one_are_seen_by_what_reaches_the_bidirectional(as_one):
    """Keras 3.13 and later on torch and JAX; asked one by one they would not be seen to be called."""
    both, sequences = Bidirectional(as_one), SimpleNamespace(shape=(3, 5, 4), dtype="float32")
    asker = Asker.__new__(Asker)
    asker.side = SimpleNamespace(unconverted=lambda function: function)
    subjects = asker.note(list(walk(both)), list(wrapped_both_ways(both)), lambda training: both.call(sequences))
    for direction in (both.forward_layer, both.backward_layer):
        (subject,) = subjects[id(direction)]
        assert subject.layer is (both if as_one else direction)
        assert subject.shape == (3, 5, 4)


def test_a_layer_that_is_built_is_fed_what_it_was_built_for():
    layer = RNN()
    feeder = Feeder(None, (32, 64, 32), [])
    assert feeder.shape_for(spec_of(layer)) == (32, 64, 32)
    layer.weights = [SimpleNamespace(shape=(4, 256)), SimpleNamespace(shape=(64, 256))]
    assert feeder.shape_for(spec_of(layer)) == (32, 64, 4)
    layer.weights = [SimpleNamespace(shape=(256,))]
    assert feeder.shape_for(spec_of(layer)) == (32, 64, 32)


def test_only_telling_names_are_kept_as_evidence():
    seen = observed(["CudnnRNNV3", "MatMul", "Cast"], ["LSTM_elementWise_fp", "LSTM_elementWise_fp"])
    assert seen == {"route": "cudnn", "error": None, "ops": ["CudnnRNNV3"], "kernels": ["LSTM_elementWise_fp"]}
    assert observed(["Cast"])["ops"] == []


def test_names_are_read_out_of_a_profile_whatever_its_format(tmp_path):
    names = [b"functional/lstm/CudnnRNNV3:CudnnRNNV3", b"EagerLocalExecute: CudnnRNNBackpropV3"]
    kernels = [b"void RNN_blockPersist_fp_LSTM<float, 128>(int)", b"LSTM_elementWise_bp1"]
    data = b"\x08\x01".join(b"\x12" + bytes([len(name)]) + name + b"\x1a\x00" for name in names + kernels)
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "host.xplane.pb").write_bytes(data)
    ops, found = names_in(str(tmp_path))
    assert {"CudnnRNNV3", "CudnnRNNBackpropV3"} <= ops
    assert any("RNN_blockPersist_fp_LSTM" in name for name in found)
    assert any("LSTM_elementWise_bp1" in name for name in found)


def test_custom_calls_and_loops_of_a_compiled_program():
    program = 'a = f32[3] custom-call(b), custom_call_target="cudnn_rnn_ffi"\nc = (s32[]) while(d), body=e\n'
    assert targets_in(program) == {"cudnn_rnn_ffi", "while"}


def subject(steps=4, rows=3, masked=True, time_major=False):
    shape = (steps, rows, 2) if time_major else (rows, steps, 2)
    return Subject(SimpleNamespace(time_major=time_major), shape, "float32", masked, [])


def padded(rows):
    """Is every row right-padded, left-padded, empty?"""
    text = ["".join("x" if step else "." for step in row) for row in rows]
    return {"." if not set(row) - {"."} else re.sub(r"(.)\1*", r"\1", row) for row in text}


def test_masks():
    assert padded(subject().mask("right")) == {"x."}
    assert padded(subject().mask("left")) == {".x"}
    assert padded(subject().mask("empty")) == {"x.", "."}
    assert len(subject(time_major=True).mask("right")) == 4
    assert subject(masked=False).paddings(("right",)) == ["none"]
    assert subject(steps=1).paddings(("right", "left", "empty")) == ["right", "empty"]


class Bare:
    """A layer whose config, like Keras's own, leaves out some of what it was given."""

    def __init__(self, name, use_cudnn="auto", autocast=True, implementation=2):
        self.name, self.use_cudnn, self.autocast = name, use_cudnn, autocast
        self.cell = SimpleNamespace(implementation=implementation)

    def get_config(self):
        return {"name": self.name, "units": 4}


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ({}, True),
        ({"implementation": 1}, False),
        ({"use_cudnn": True}, False),
        ({"use_cudnn": False}, False),
        ({"autocast": False}, False),
    ],
)
def test_layers_are_equal_only_where_what_their_config_leaves_out_is_equal_too(other, same):
    one, two = (Subject(layer, (3, 5, 4), "float32", False, []) for layer in (Bare("a"), Bare("b", **other)))
    assert (fingerprint(one, ["none"]) == fingerprint(two, ["none"])) is same


def test_an_unusual_name_makes_a_layer_another_one():
    one, two = (Subject(Bare(name), (3, 5, 4), "float32", False, []) for name in ("lstm_1", "my lstm"))
    assert fingerprint(one, ["none"]) != fingerprint(two, ["none"])


def test_an_error_is_one_line_without_colour_and_without_a_traceback_before_the_assertion():
    assert said(ValueError("\x1b[1mbad\x1b[0m\n\n thing")) == "ValueError: bad thing"
    assert said(RuntimeError("Traceback...\n assertion failed: [mask]")) == "RuntimeError: assertion failed: [mask]"
    loader = "could not be deserialized properly. config={...} Exception encountered: Unknown layer: 'Own'"
    assert said(TypeError(loader)) == "TypeError: Exception encountered: Unknown layer: 'Own'"


class Made:
    def __init__(self, *args, **kwargs):
        self.args, self.kwargs = args, kwargs


class Forward(Made):
    pass


KERAS = SimpleNamespace(layers=SimpleNamespace(LSTM=Forward, LSTMCell=Made, RNN=Made, Bidirectional=Made,
                                               TimeDistributed=Made, Activation=Made))  # fmt: skip


def spec(class_name="LSTM", wrappers=(), cells=None, **arguments):
    return {"class_name": class_name, "path": f"keras.layers.{class_name}", "arguments": arguments, "cells": cells,
            "wrappers": list(wrappers)}  # fmt: skip


def test_a_layer_is_built_from_facts():
    values = {"a": {"tuple": [1, 2]}, "b": {"dict": [["k", {"tuple": []}]]}, "c": [1, None]}
    strangers = {"e": {"own": "a lambda"}, "f": {"own": "an Activation layer"}}
    built = Builder(KERAS).bare(spec(**values, **strangers))
    assert built.kwargs["a"] == (1, 2)
    assert built.kwargs["b"] == {"k": ()}
    assert built.kwargs["c"] == [1, None]
    assert built.kwargs["e"](3) == 3
    assert isinstance(built.kwargs["f"], Made)


def test_no_code_of_the_user_s_can_be_named():
    with pytest.raises(ValueError, match="no library's function"):
        Builder(KERAS).function("os.system")


@pytest.mark.parametrize(
    ("role", "explicit", "backward"), [("forward", True, 2), ("backward", True, 1), ("forward", False, None)]
)
def test_both_directions(role, explicit, backward):
    wrapper = {"kind": "Bidirectional", "arguments": {}, "role": role, "explicit": explicit, "other": spec(units=2)}
    built = Builder(KERAS).build(spec(units=1, wrappers=[wrapper]))
    assert built.args[0].kwargs["units"] == (1 if role == "forward" else 2)
    found = built.kwargs.get("backward_layer")
    assert (found.kwargs["units"] if found else None) == backward


def test_cells_are_given_alone_or_as_a_list():
    one = Builder(KERAS).bare(spec("RNN", cells=[spec("LSTMCell")]))
    two = Builder(KERAS).bare(spec("RNN", cells=[spec("LSTMCell"), spec("LSTMCell")]))
    assert isinstance(one.args[0], Made)
    assert len(two.args[0]) == 2


def test_the_child_has_modules():
    assert len(MODULES) > 10


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_the_child_imports_nothing_of_cudnnlint_and_no_framework_by_itself(path):
    imported = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            imported.add(node.module.split(".")[0])
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 1
            assert (path.parent / f"{node.module}.py").exists()
    assert imported <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_the_oldest_python_can_read_the_child_and_no_module_of_its_takes_the_name_of_another(path):
    ast.parse(path.read_text(), feature_version=OLDEST)
    assert path.stem not in sys.stdlib_module_names


def test_the_folder_of_the_child_is_not_on_its_search_path():
    (installed,) = one_answer(Host(), {"kind": "installed"})
    assert str(CHILD.parent) not in installed["python"]["paths"]


def test_an_interpreter_that_has_no_packages_runs_the_child(tmp_path):
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\nexec '{sys.executable}' -S -E \"$@\"\n")
    python.chmod(0o755)
    (about,) = one_answer(Host(python=str(python)), {"kind": "about", "package": "cudnnlint"})
    assert about["error"] == "ModuleNotFoundError: No module named 'cudnnlint'"


def test_a_broken_job_ends_the_child_with_words_and_not_with_a_hang():
    with pytest.raises(Lost, match="KeyError"):
        one_answer(Host(), {})


def test_what_a_framework_prints_does_not_reach_the_answers(tmp_path):
    (tmp_path / "noisy.py").write_text("print('{\"hello\": \"from a framework\"}')\n")
    (answer,) = one_answer(Host(environment={"PYTHONPATH": str(tmp_path)}), {"kind": "about", "package": "noisy"})
    assert answer["error"] is None


def test_a_framework_that_leaves_is_an_answer(tmp_path):
    (tmp_path / "leaving.py").write_text("raise SystemExit('no GPU licence')\n")
    (answer,) = one_answer(Host(environment={"PYTHONPATH": str(tmp_path)}), {"kind": "about", "package": "leaving"})
    assert answer["error"] == "SystemExit: no GPU licence"
