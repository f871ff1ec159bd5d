"""The arithmetic of the rewrites, held against slow and obvious versions of itself."""

from __future__ import annotations

import numpy
import pytest

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved import arithmetic
from cudnnlint.rewriters.saved.weights import Weight

SIZES = [(1, 1), (3, 1), (1, 4), (5, 3), (4, 4), (2, 7)]


def to_cudnn_kernel(kernel: numpy.ndarray, gates: int) -> numpy.ndarray:
    """LSTM's kernel as a CuDNN layer keeps it: `k.T.ravel().reshape(d, u)` per gate."""
    return numpy.hstack([gate.T.ravel().reshape(gate.shape) for gate in numpy.hsplit(kernel, gates)])


@pytest.mark.parametrize("gates", [3, 4])
@pytest.mark.parametrize(("inputs", "units"), SIZES)
def test_the_kernel_comes_back(inputs: int, units: int, gates: int) -> None:
    kernel = numpy.arange(inputs * units * gates, dtype="float32").reshape(inputs, -1)
    assert numpy.array_equal(arithmetic.cudnn_kernel(gates)(to_cudnn_kernel(kernel, gates)), kernel)


@pytest.mark.parametrize(("inputs", "units"), SIZES)
def test_the_kernel_is_not_a_transposition_but_a_column_order(inputs: int, units: int) -> None:
    gate = numpy.arange(inputs * units, dtype="float32").reshape(inputs, units)
    found = arithmetic.cudnn_kernel(1)(gate)
    assert numpy.array_equal(found, gate.T.reshape(gate.shape, order="F"))
    flat = gate.ravel()
    for row in range(inputs):
        for column in range(units):
            assert found[row, column] == flat[column * inputs + row]


@pytest.mark.parametrize("gates", [3, 4])
def test_each_gate_of_the_recurrent_kernel_is_transposed(gates: int) -> None:
    kernel = numpy.arange(gates * 9, dtype="float32").reshape(3, -1)
    found = arithmetic.cudnn_recurrent_kernel(gates)(kernel)
    for gate in range(gates):
        columns = slice(gate * 3, gate * 3 + 3)
        assert numpy.array_equal(found[:, columns], kernel[:, columns].T)


def test_the_two_biases_are_added_for_lstm_and_kept_for_gru() -> None:
    bias = numpy.arange(24, dtype="float32")
    assert numpy.array_equal(arithmetic.cudnn_bias("LSTM")(bias), bias[:12] + bias[12:])
    assert numpy.array_equal(arithmetic.cudnn_bias("GRU")(bias), [bias[:12], bias[12:]])


@pytest.mark.parametrize(
    ("step", "shape"),
    [
        (arithmetic.cudnn_kernel(4), (3, 6)),
        (arithmetic.cudnn_kernel(4), (3, 4, 4)),
        (arithmetic.cudnn_recurrent_kernel(3), (3, 12)),
        (arithmetic.cudnn_bias("LSTM"), (12,)),
        (arithmetic.cudnn_bias("GRU"), (2, 9)),
        (arithmetic.scaled_gates(4, (0,), 1.2), (6,)),
        (arithmetic.zero_bias("LSTM", False), (3,)),
    ],
)
def test_a_weight_of_another_shape_is_refused(step: object, shape: tuple[int, ...]) -> None:
    with pytest.raises(Refused, match="does not fit"):
        step(numpy.zeros(shape, "float32"))  # type: ignore[operator]


def test_chosen_gates_are_scaled_in_their_own_dtype_and_the_rest_is_untouched() -> None:
    kernel = numpy.ones((2, 2, 3, 8), "float32")
    found = arithmetic.scaled_gates(4, (0, 1, 3), 1.2)(kernel)
    assert found.dtype == numpy.float32
    assert found[0, 0, 0].tolist() == pytest.approx([1.2, 1.2, 1.2, 1.2, 1.0, 1.0, 1.2, 1.2])
    assert kernel.max() == 1.0


def test_hard_sigmoid_of_keras_2_at_x_is_that_of_keras_3_at_the_scaled_x() -> None:
    x = numpy.linspace(-6, 6, 4001)
    two = numpy.clip(0.2 * x + 0.5, 0, 1)
    three = numpy.clip(1.2 * x + 3, 0, 6) / 6
    assert numpy.abs(two - three).max() < 1e-15


@pytest.mark.parametrize(
    ("class_name", "reset_after", "shape"), [("LSTM", False, (12,)), ("GRU", False, (12,)), ("GRU", True, (2, 12))]
)
def test_a_zero_bias_has_the_shape_that_its_class_wants(class_name: str, reset_after: bool, shape: object) -> None:
    found = arithmetic.zero_bias(class_name, reset_after)(numpy.ones((4, 12), "float16"))
    assert found.shape == shape
    assert found.dtype == numpy.float16
    assert not found.any()


def test_steps_follow_one_another() -> None:
    weight = Weight("w").changed(lambda array: array + 1).changed(lambda array: array * 10)
    assert weight.change is not None
    assert weight.change(numpy.array([1.0])).tolist() == [20.0]
