"""Releases and sizes that a message states are told as what they mean."""

import pytest

from cudnnlint.trainlog import told_numbers, told_shapes, told_values
from cudnnlint.trainlog.frames import Stop

LOADED = "Loaded runtime CuDNN library: {} but source was compiled with{} {}"


@pytest.mark.parametrize("release", ["8..1", ".1", "9" * 5000, "1." * 40 + "1"])
def test_what_is_no_release_is_not_told(release: str) -> None:
    assert not told_numbers.said(LOADED.format(release, ":", "8.1.0"))
    assert not told_numbers.said(LOADED.format("8.1.0", ":", f"{release}.")[:40])


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (
            LOADED.format("8.0.5", ":", "8.1.0"),
            "cuDNN 8.0.5 is loaded; the program was built for 8.1.0 and takes 8.1 or a later 8",
        ),
        (
            LOADED.format("7102 (compatibility version 7100)", "", "7005 (compatibility version 7000)"),
            "cuDNN 7.1.2 is loaded; the program was built for 7.0.5 and takes 7.0",
        ),
        (
            LOADED.format("90201", ":", "90300"),
            "cuDNN 9.2.1 is loaded; the program was built for 9.3.0 and takes 9.3 or a later 9",
        ),
        ("OOM when allocating tensor with shape[131072,2048]", "the array that did not fit takes 1.0 GiB"),
        ("OOM when allocating tensor with shape[1024,1024] and type half", "the array that did not fit takes 2 MiB"),
        (
            "OOM when allocating tensor with shape[32,4096] and type float",
            "the array that did not fit is small (512 KiB): the memory was used up before",
        ),
    ],
)
def test_numbers_are_read(message, told):
    assert told_numbers.said(message) == [told]


@pytest.mark.parametrize("message", ["Loaded cuDNN version 8100", "CUDA out of memory", "OOM when allocating"])
def test_other_numbers_say_nothing(message):
    assert told_numbers.said(message) == []


def test_a_slice_that_is_not_there_is_counted():
    message = "slice index {} of dimension {} out of bounds. for 'a' (op: 'b') with input shapes: [?,7,2], [3]"
    assert told_shapes.said(message.format(9, 1)) == ["index 9 of axis 1: (None, 7, 2) has 7 there, 0 to 6"]
    assert told_shapes.said(message.format(9, 0)) == []


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("Attempt to convert a value (<keras.layers.recurrent.GRUCell object at 0x7f>) to a Tensor.", "GRUCell"),
        ("Failed to convert object of type <class 'keras.src.layers.rnn.lstm.LSTM'> to Tensor.", "LSTM"),
        ("Failed to convert object of type <class 'keras.src.backend.KerasTensor'> to Tensor.", None),
        ("Failed to convert object of type <class 'tuple'> to Tensor.", None),
    ],
)
def test_a_layer_in_place_of_a_tensor_is_named(given, kind):
    told = told_values.said(given, [], Stop(None, None))
    belongs = "itself is given where a tensor is wanted: what it returns when it is called belongs there"
    assert told == ([f"a {kind} {belongs}"] if kind else [])
