"""What a layer is given, as the release of the target takes it, and how severe each finding is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cudnnlint.core.fact import ABSENT, Known, OneOf, Ref

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rulebook"))

from test_find import K3, ask, judged

from cudnnlint.core.verdict import Verdict


@pytest.mark.parametrize("fact", [OneOf((Known(1), Known(2))), Known(1)])
def test_an_argument_that_has_no_default_is_told_whatever_it_may_be(fact: Known | OneOf) -> None:
    assert ask(K3, bogus=fact) == (Verdict.RAISES, {"CDN208"})
    assert ask(K3, bogus=OneOf((Known(1), ABSENT)))[0] is Verdict.UNKNOWN


@pytest.mark.parametrize(("name", "fix"), [("tanh", "safe"), ("relu", "unsafe")])
def test_only_a_function_of_the_same_name_is_left_out_safely(name: str, fix: str) -> None:
    (found,) = judged(K3, activation=Ref(f"keras.backend.{name}")).diagnostics
    assert found.fix is not None
    assert (found.code, found.fix.applicability.value) == ("CDN101", fix)


@pytest.mark.parametrize(
    ("module", "target", "there"),
    [
        ("tensorflow.contrib", "tensorflow 1.15.5", True),
        ("tensorflow.contrib.rnn", "tensorflow 2.3.0", False),
        ("tensorflow.contrib", "keras 2.3.1 tensorflow 1.15.5", True),
        ("tensorflow.contrib", "keras 2.3.1 tensorflow 2.0.0", False),
        ("tensorflow.contrib", "keras 2.3.1 jax", True),  # which TensorFlow is beside it is not known
        ("tensorflow.contrib", "keras 3.15.1 jax", True),  # perhaps there is none, and the import is tried
        ("tensorflow.contrib", "keras 3.15.1 tensorflow", False),
        ("keras.utils.np_utils", "keras 2.12.0", True),
        ("keras.utils.np_utils", "keras 2.13.0", False),
        ("keras.utils.np_utils", "keras 3.15.1 jax", False),
        ("keras.utils.np_utils", "tf_keras 2.21.0", True),  # which says nothing of the package keras
        ("keras.layers", "keras 3.15.1", True),
    ],
)
def test_an_import_of_an_old_module_stops_the_program_where_a_release_is_without_it(
    module: str, target: str, there: bool
) -> None:
    found = judged(target, around={"imports": module}).diagnostics
    assert ("CDN203" in {one.code for one in found}) is not there


def test_what_a_moved_class_meets_once_it_is_found_is_less_than_an_error() -> None:
    found = judged(K3, made={"path": "keras.layers.recurrent.LSTM"}, activation="relu").diagnostics
    assert {one.code: one.severity.value for one in found} == {"CDN203": "error", "CDN101": "warning"}
