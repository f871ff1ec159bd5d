"""The names of the two directions of a Bidirectional, as Keras gave them when it loaded `.keras` and `.h5` files."""

from __future__ import annotations

import pytest

from cudnnlint.core.layer import Wrapper
from cudnnlint.keras.naming import direction_name


@pytest.mark.parametrize(
    ("major", "role", "explicit", "wrapped", "named"),
    [
        (2, "forward", False, "lstm", "forward_lstm"),
        (2, "backward", False, "lstm", "backward_lstm"),
        (2, "forward", False, "forward_x", "forward_forward_x"),
        (2, "backward", False, "backward_x", "backward_backward_x"),
        (2, "backward", True, "b", "backward_b"),
        (2, "backward", True, "backward_b", "backward_backward_b"),
        (3, "forward", False, "lstm", "forward_lstm"),
        (3, "backward", False, "lstm", "backward_lstm"),
        (3, "forward", False, "forward_x", "forward_x"),
        (3, "backward", False, "forward_x", "backward_forward_x"),
        (3, "forward", False, "backward_x", "forward_backward_x"),
        (3, "backward", False, "backward_x", "backward_x"),
        (3, "forward", True, "forward_lstm", "forward_lstm"),
        (3, "backward", True, "backward_lstm", "backward_lstm"),
        (3, "backward", True, "b", "b"),
        (3, "backward", True, "lstm_1", "lstm_1"),
    ],
)
def test_a_direction_is_named_as_keras_names_it(
    major: int, role: str, explicit: bool, wrapped: str, named: str
) -> None:
    assert direction_name(major, Wrapper("Bidirectional", role, explicit=explicit), wrapped) == named
