"""What one layer makes of its inputs: mask, rank, raggedness and dtype, for layers and tensors made by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from packaging.version import Version

from cudnnlint.core.layer import Wrapper
from cudnnlint.core.target import Point
from cudnnlint.keras import dtypes, naming
from cudnnlint.keras.lattice import (
    GLOBAL,
    UNMASKED,
    UNSTATED,
    CallInputs,
    Dtype,
    Kind,
    Mask,
    Masks,
    Passed,
    TensorTraits,
    join,
    one,
    unknown,
)
from cudnnlint.keras.masks import JOINED, MERGED
from cudnnlint.keras.same_tensor import hands_on
from cudnnlint.keras.transfer import Transfer
from cudnnlint.keras.view import OPEN, UNWRITTEN, Setting
from cudnnlint.rulebook.loader import load

TABLE = load().tables.names.masks
FLOATS = Dtype("float32")
NONE = Mask(Kind.NONE)
RIGHT, LEFT, DATA, UNSURE = (
    Mask(kind, kind.value, 2, "nobody looked" if kind is Kind.UNKNOWN else "")
    for kind in (Kind.RIGHT, Kind.LEFT, Kind.DATA, Kind.UNKNOWN)
)


@dataclass(frozen=True)
class View:
    """A layer with these arguments."""

    class_name: str
    written: dict[str, Any] = field(default_factory=dict)
    inner: View | None = None
    computes: Dtype = FLOATS
    token: Any = "here"

    def setting(self, name: str) -> Setting:
        found = self.written.get(name, Setting())
        return found if isinstance(found, Setting) else Setting((found,))


def transfer(release: str = "keras 3.15.1", backend: str = "tensorflow") -> Transfer:
    """The transfer function of one release."""
    framework, version = release.split()
    point = Point(framework, Version(version), backend, None)
    (epoch,) = (epoch for epoch in TABLE.epochs if epoch.era.holds(point))
    return Transfer(TABLE, epoch)


K2, K3 = "tf_keras 2.21.0", "keras 3.15.1"
SURE, UNKNOWN_SETTING = Setting((True,)), Setting((OPEN,), "a flag decides")
ASSUMED = Setting((True,), assumed=True)


def masked(*masks: Mask, **more: Any) -> TensorTraits:
    return TensorTraits(Masks(masks or (RIGHT,)), **more)


def kinds(masks: Masks) -> list[str]:
    return [mask.kind.value for mask in masks.options]


def layer(name: str, inner: View | None = None, **written: Any) -> View:
    return View(name, written, inner)


#: The layer, the rank of its input, and that of its output.
RANKS: list[tuple[View, int | None, int | None]] = [
    (layer("Reshape", target_shape=(4, 5)), None, 3), (layer("Reshape", target_shape=[20]), 3, 2),
    (layer("Reshape", target_shape=UNKNOWN_SETTING), 3, None), (layer("Reshape"), 3, None),
    (layer("RepeatVector", n=3), None, 3), (layer("RepeatVector", n=3), 2, 3),
    (layer("InputLayer", batch_shape=[None, 5, 4]), None, 3), (layer("InputLayer", batch_input_shape=(2, 5)), None, 2),
    (layer("InputLayer", shape=(5, 4)), None, 3),
    (layer("InputLayer", batch_shape=(2, 5)), 4, 4), (layer("InputLayer"), None, None),
    (layer("Conv3D"), 5, 5), (layer("Embedding"), 2, 3), (layer("Embedding"), None, None),
    (layer("LSTM"), 3, 2), (layer("LSTM", return_sequences=True), 3, 3), (layer("LSTM"), None, 2),
    (layer("LSTM", return_sequences=UNKNOWN_SETTING), 3, None), (layer("LSTM", return_sequences=ASSUMED), 3, None),
    (layer("ConvLSTM2D"), None, 4), (layer("RNN"), None, None), (layer("RNN", return_sequences=True), 4, 4),
    (layer("Bidirectional", layer("GRU", return_sequences=True)), 3, 3), (layer("Bidirectional", layer("GRU")), 3, 2),
    (layer("Dense"), 3, 3), (layer("Masking"), 3, 3), (layer("Add"), 3, 3), (layer("Concatenate"), 3, 3),
    (layer("MultiHeadAttention"), 3, 3), (layer("MultiHeadAttention", output_shape=4), 3, None),
    (layer("Flatten"), None, 2), (layer("Permute", dims=(2, 1)), None, 3), (layer("Conv1D"), 3, 3),
    (layer("Dot"), 3, None), (layer("Mine"), 3, None),
    (layer("GlobalMaxPooling2D"), 4, 2), (layer("GlobalMaxPooling2D", keepdims=True), 4, 4),
    (layer("GlobalMaxPooling1D", keepdims=ASSUMED), 3, None), (layer("ReversibleEmbedding"), 2, None),
    (layer("TimeDistributed", layer("Dense")), 4, 4), (layer("TimeDistributed", layer("LSTM")), 4, 3),
    (layer("TimeDistributed", layer("Flatten")), 4, 3), (layer("TimeDistributed"), 4, None),
    (layer("SpectralNormalization", layer("Dense")), 3, 3),
]  # fmt: skip


@pytest.mark.parametrize(("view", "before", "after"), RANKS, ids=range(len(RANKS)))
def test_a_layer_gives_a_tensor_of_this_rank(view: View, before: int | None, after: int | None) -> None:
    assert transfer().output(view, CallInputs((TensorTraits(rank=before),))).rank == after


def test_tensors_of_several_ranks_have_none_in_common() -> None:
    """Keras broadcasts them, and the output has the highest rank in some layers only."""
    given = CallInputs((TensorTraits(rank=2), TensorTraits(rank=3)))
    assert transfer().output(layer("Add"), given).rank is None


UNSEEN = Setting((OPEN,))


def conv(name: str = "Conv1D", **written: Any) -> View:
    return layer(name, **{"kernel_size": 3, **written})


#: The layer, the steps of its inputs, and those of its output, as keras 3.15.1 and tf_keras 2.21.0 give them.
STEPS: list[tuple[View, list[int | None], int | None]] = [
    (layer("RepeatVector", n=3), [4], 3), (layer("RepeatVector", n=3), [None], 3),
    (layer("RepeatVector", n=UNSEEN), [4], None), (layer("RepeatVector", n=True), [4], None),
    (layer("Reshape", target_shape=(6, 8)), [12], 6), (layer("Reshape", target_shape=[6, 8]), [None], 6),
    (layer("Reshape", target_shape=(-1, 2)), [12], None), (layer("Reshape", target_shape=()), [12], None),
    (layer("Reshape", target_shape=UNSEEN), [12], None),
    *((conv(name), [12], 10) for name in ("Conv1D", "SeparableConv1D")),
    (conv(padding="valid", strides=2, dilation_rate=2), [12], 4), (conv(kernel_size=[4], strides=(3,)), [12], 3),
    (conv(kernel_size=(4, 4)), [12], None), (conv(kernel_size=1, dilation_rate=3), [12], 12),
    (conv(padding="same", strides=5), [12], 3), (conv(padding="causal", strides=5), [12], 3),
    (conv(padding="causal", dilation_rate=2), [12], 12), (conv(kernel_size=12), [12], 1), (conv(), [1], None),
    (conv(padding=UNSEEN), [12], None), (conv(data_format="channels_last"), [12], 10),
    (conv(data_format="channels_first"), [12], None), (conv(data_format=UNSEEN), [12], None),
    (layer("Conv1D"), [12], None), (conv(kernel_size=UNSEEN, padding="same"), [12], None),
    (conv(strides=UNSEEN), [12], None), (conv(dilation_rate=UNSEEN), [12], None), (conv(strides=0), [12], None),
    (conv(), [None], None), (conv("Conv1DTranspose"), [12], None), (conv("Conv2D"), [12], None),
    *((layer(name), [13], 6) for name in ("MaxPooling1D", "MaxPool1D", "AveragePooling1D", "AvgPool1D")),
    (layer("MaxPool1D", padding="same"), [13], 7), (layer("MaxPool1D", pool_size=5, padding="valid"), [12], 2),
    (layer("MaxPool1D", pool_size=[5], strides=1), [12], 8), (layer("MaxPool1D", pool_size=13), [12], None),
    (layer("MaxPool1D", strides=(3,), padding="same"), [12], 4), (layer("MaxPool1D", padding=UNSEEN), [12], None),
    (layer("MaxPool1D", pool_size=UNSEEN), [12], None), (layer("MaxPool1D", strides=UNSEEN), [12], None),
    (layer("MaxPool1D", data_format="channels_first"), [12], None), (layer("MaxPool1D"), [None], None),
    (layer("MaxPool1D", data_format="channels_last"), [12], 6), (layer("MaxPooling2D"), [12], None),
    (layer("LSTM"), [12], None), (layer("LSTM", return_sequences=True), [12], 12),
    (layer("LSTM", return_sequences=UNSEEN), [12], None), (layer("Bidirectional", layer("GRU")), [12], None),
    (layer("Bidirectional", layer("GRU", return_sequences=True)), [12], 12),
    (layer("TimeDistributed", layer("Flatten")), [12], 12), (layer("TimeDistributed"), [None], None),
    *((layer(name), [12], 12) for name in ("Dense", "Embedding", "Masking", "Add", "Concatenate", "Attention")),
    *((layer(name), [12], None) for name in ("Flatten", "Permute", "Cropping1D", "ZeroPadding1D", "Mine")),
    (layer("Add"), [12, 12], 12), (layer("Add"), [12, 12, 12], 12), (layer("Add"), [12, 1], None),
    (layer("Add"), [12, None], None), (layer("Add", axis=1), [12, 12], 12), (layer("Concatenate"), [12, 12], 12),
    (layer("Concatenate", axis=-1), [12, 12], 12), (layer("Concatenate", axis=2), [12, 12], 12),
    (layer("Concatenate", axis=1), [12, 12], None), (layer("Concatenate", axis=-2), [12, 12], None),
    (layer("Concatenate", axis=UNSEEN), [12, 12], None), (layer("Concatenate", axis=1), [12], 12),
    (layer("Masking", batch_shape=(2, 5, 4)), [None], 5), (layer("Masking", batch_input_shape=[None, 5]), [None], 5),
    (layer("Masking", input_shape=(5, 4)), [None], 5), (layer("InputLayer", shape=[5, 4]), [None], 5),
    (layer("Masking", input_shape=(5, 4)), [12], 12), (layer("Masking", input_shape=(None, 4)), [None], None),
    (layer("Masking", batch_shape=(2,), input_shape=(5, 4)), [None], 5), (layer("Masking", shape=()), [None], None),
    (layer("Embedding", input_length=5), [None], 5), (layer("Masking", input_shape=UNSEEN), [None], None),
    (layer("Bidirectional", layer("GRU", return_sequences=True, input_shape=(5, 4))), [None], 5),
    (layer("Bidirectional", layer("GRU", return_sequences=True, input_shape=(5, 4)), input_length=6), [None], 6),
]  # fmt: skip


@pytest.mark.parametrize(("view", "before", "after"), STEPS, ids=range(len(STEPS)))
def test_a_layer_gives_a_sequence_of_this_length(view: View, before: list[int | None], after: int | None) -> None:
    given = CallInputs(tuple(TensorTraits(steps=steps) for steps in before))
    assert transfer().output(view, given).steps == after


def test_a_layer_gets_a_sequence_of_this_length() -> None:
    def arriving(steps: int | None, **written: Any) -> int | None:
        return transfer().arriving(layer("LSTM", **written), CallInputs((TensorTraits(steps=steps),))).steps

    assert (arriving(5), arriving(None, input_shape=(7, 2)), arriving(5, input_shape=(7, 2)), arriving(None)) == (
        5, 7, 5, None,
    )  # fmt: skip
    inside = transfer().step(CallInputs((TensorTraits(steps=5, rank=4),)))
    assert inside.steps is None  # the second dimension of a step is another


@pytest.mark.parametrize(
    ("view", "before", "after"),
    [(layer("Dense"), False, False), (layer("Conv1D"), False, False), (layer("Dense"), True, True),
     (layer("Embedding"), None, None), (layer("Conv1D"), True, None), (layer("Mine"), True, None),
     (layer("GlobalAveragePooling1D"), True, None), (layer("Lambda"), True, None),
     (layer("InputLayer", ragged=True), False, True), (layer("InputLayer", ragged=UNKNOWN_SETTING), False, False)],
)  # fmt: skip
def test_a_ragged_tensor_stays_so_or_is_in_doubt(view: View, before: bool | None, after: bool | None) -> None:
    found = transfer().output(view, CallInputs((TensorTraits(ragged=before, ragged_because="it was said"),)))
    assert found.ragged is after
    if after is None:
        assert found.ragged_because == ("it was said" if view.class_name == "Embedding" else found.ragged_because)
        assert found.ragged_because


MORE = Mask(Kind.RIGHT, "another", 2)
#: Class, release, the masks of the inputs, and the mask of the output.
COMBINED: list[tuple[View, str, list[Mask], str]] = [
    (layer("Add"), K3, [RIGHT, RIGHT], "right"), (layer("Add"), K3, [RIGHT, NONE], "none"),
    (layer("Add"), K2, [RIGHT, NONE], "right"), (layer("Add"), K3, [NONE, NONE], "none"),
    (layer("Add"), K3, [RIGHT, MORE], "right"), (layer("Add"), K3, [RIGHT, LEFT], "data"),
    (layer("Add"), K3, [RIGHT, UNSURE], "unknown"), (layer("Add"), K2, [UNSURE, UNSURE], "unknown"),
    (layer("Add"), K3, [UNSURE, NONE], "none"), (layer("Add"), K2, [RIGHT, UNSURE], "data"),
    (layer("Concatenate"), K3, [RIGHT, RIGHT], "right"), (layer("Concatenate"), K3, [RIGHT, NONE], "right"),
    (layer("Concatenate", axis=1), K3, [RIGHT, MORE], "data"),
    (layer("Concatenate", axis=1), K3, [RIGHT, NONE], "data"),
    (layer("Concatenate", axis=-1), K3, [RIGHT, MORE], "right"), (layer("Add", axis=1), K3, [RIGHT, MORE], "right"),
    (layer("Concatenate", axis=UNKNOWN_SETTING), K3, [RIGHT, MORE], "data"),
    (layer("Concatenate", axis=1), K3, [RIGHT, RIGHT], "data"),
    (layer("Concatenate", axis=2), K3, [RIGHT, RIGHT], "right"),
    (layer("Concatenate", axis=-2), K3, [RIGHT, RIGHT], "data"),
    (layer("Concatenate", axis=2), K3, [RIGHT, MORE], "right"),
    (layer("Concatenate", axis=UNKNOWN_SETTING), K3, [RIGHT, RIGHT], "data"),
    (layer("Concatenate"), K3, [LEFT, NONE], "data"), (layer("Concatenate"), K3, [NONE, DATA], "data"),
    (layer("Concatenate"), K2, [LEFT, NONE], "left"), (layer("Concatenate", axis=1), K3, [LEFT, NONE], "left"),
    (layer("Concatenate", axis=1), K3, [NONE, RIGHT, LEFT], "left"),
    (layer("Concatenate", axis=1), K2, [UNSURE, LEFT], "left"),
    (layer("Concatenate", axis=UNKNOWN_SETTING), K3, [LEFT, NONE], "data"),
    (layer("Concatenate"), K3, [LEFT, LEFT], "left"), (layer("Add"), K2, [LEFT, NONE], "left"),
    (layer("Add", axis=1), K3, [RIGHT, RIGHT], "right"), (layer("Add"), K2, [RIGHT, RIGHT, NONE], "right"),
    (layer("Add"), "keras 3.3.0", [RIGHT, RIGHT], "none"),
]  # fmt: skip


@pytest.mark.parametrize(("view", "release", "inputs", "after"), COMBINED, ids=range(len(COMBINED)))
def test_masks_are_merged(view: View, release: str, inputs: list[Mask], after: str) -> None:
    found = transfer(release).output(view, CallInputs(tuple(masked(mask) for mask in inputs))).masks
    assert kinds(found) == [after]


def test_the_merged_mask_is_the_one_mask_or_a_new_one() -> None:
    def merged(*masks: Mask, name: str = "Add") -> Mask:
        return transfer().output(layer(name), CallInputs(tuple(masked(mask) for mask in masks))).masks.options[0]

    assert merged(RIGHT, RIGHT) == merged(RIGHT, RIGHT, name="Concatenate") == RIGHT
    new, same, other = merged(RIGHT, MORE), merged(RIGHT, MORE), merged(MORE, RIGHT)
    assert new == same
    assert new not in (RIGHT, MORE, other)
    assert merged(RIGHT, NONE, name="Concatenate").origin != RIGHT.origin
    joined = transfer().output(layer("Concatenate", axis=1), CallInputs((masked(RIGHT), masked(MORE)))).masks.options
    assert (new.origin, joined[0].origin) == ((MERGED, 3, "right", "another"), (JOINED, 3, "right", "another"))
    kept = Mask(Kind.RIGHT, "first", 2, token="place")
    assert (merged(kept, MORE).token, merged(kept, LEFT).token) == ("place", None)


def test_each_combination_of_what_the_masks_may_be_is_merged_up_to_a_limit() -> None:
    both = masked(RIGHT, NONE)
    assert kinds(transfer().output(layer("Concatenate"), CallInputs((both, both))).masks) == [*["right"] * 3, "none"]
    either = TensorTraits(Masks((RIGHT, NONE), "a branch decides"))
    assert transfer().output(layer("Add"), CallInputs((masked(), either))).masks.because == "a branch decides"
    assert kinds(transfer().output(layer("Add"), CallInputs((either,) * 6)).masks) != ["unknown"]
    assert kinds(transfer().output(layer("Add"), CallInputs((either,) * 7)).masks) == ["unknown"]


PADDED = Mask(Kind.RIGHT, "padded", 2)


@pytest.mark.parametrize(
    ("view", "given", "kind", "rank"),
    [(layer("Masking"), TensorTraits(rank=3), ["data"], 2), (layer("Masking"), TensorTraits(), ["data"], None),
     (layer("Masking"), TensorTraits(padding=PADDED, fill=0.0, rank=3), ["right"], 2),
     (layer("Masking", mask_value=9.0), TensorTraits(padding=PADDED, fill=0.0, rank=3), ["data"], 2),
     (layer("Masking", mask_value=9.0), TensorTraits(padding=PADDED, fill=9.0, rank=3), ["right"], 2),
     (layer("Masking", mask_value=UNKNOWN_SETTING), TensorTraits(padding=PADDED, fill=OPEN), ["data"], None),
     (layer("Embedding", mask_zero=True), TensorTraits(rank=2), ["data"], 2),
     (layer("Embedding", mask_zero=True), TensorTraits(padding=PADDED, fill=0, rank=2), ["right"], 2),
     (layer("Embedding", mask_zero=True), TensorTraits(padding=PADDED, fill=9, rank=2), ["data"], 2),
     (layer("Embedding", mask_zero=True, mask_value=9), TensorTraits(padding=PADDED, fill=0, rank=2), ["right"], 2),
     (layer("Embedding"), TensorTraits(rank=2), ["none"], None),
     (layer("Embedding", mask_zero=UNKNOWN_SETTING), TensorTraits(rank=2), ["data", "none"], 2)],
)  # fmt: skip
def test_a_mask_is_made_of_what_is_padded(view: View, given: TensorTraits, kind: list[str], rank: int | None) -> None:
    found = transfer().output(view, CallInputs((given,))).masks
    assert (kinds(found), found.rank) == (kind, rank)


def test_two_masks_made_alike_of_one_tensor_are_the_same() -> None:
    def made(name: str, origin: str, **written: Any) -> Any:
        given = CallInputs((TensorTraits(origin=origin),))
        return transfer().output(layer(name, **written), given).masks.options[0].origin

    assert made("Masking", "x") == made("Masking", "x", mask_value=0.0)
    assert len({made("Masking", "x"), made("Masking", "y"), made("Masking", "x", mask_value=1.0),
                made("Embedding", "x", mask_zero=True)}) == 4  # fmt: skip


#: Class, release, what is given, and the mask of the output.
LEAVING: list[tuple[View, str, CallInputs, list[str]]] = [
    (layer("LSTM"), K3, CallInputs((masked(),)), ["none"]),
    (layer("LSTM", return_sequences=True), K3, CallInputs((masked(),)), ["right"]),
    (layer("LSTM", return_sequences=True), "keras 3.3.0", CallInputs((masked(), TensorTraits(), TensorTraits())),
     ["right"]),
    (layer("LSTM", return_sequences=UNKNOWN_SETTING), K3, CallInputs((masked(),)), ["right", "none"]),
    (layer("Dense"), K3, CallInputs((masked(),)), ["right"]), (layer("Flatten"), K3, CallInputs((masked(),)), ["none"]),
    (layer("GlobalAveragePooling1D"), K3, CallInputs((masked(),)), ["none"]),
    (layer("Mine"), K3, CallInputs((masked(),)), ["unknown"]),
    (layer("Mine"), K3, CallInputs((TensorTraits(),)), ["none"]),
    (layer("Lambda"), K3, CallInputs((masked(),), own=one(LEFT)), ["left"]),
    (layer("Lambda"), K3, CallInputs((masked(),)), ["none"]),
    (layer("SpectralNormalization"), K3, CallInputs((masked(),)), ["unknown"]),
    (layer("RandomFlip"), K3, CallInputs((masked(),)), ["unknown"]),
    (layer("RandomFlip"), K3, CallInputs((TensorTraits(),)), ["none"]),
    (layer("Dense"), K3, CallInputs((masked(),), mask=(one(LEFT),)), ["left"]),
    (layer("Dense"), "keras 3.8.0", CallInputs((masked(dtype=FLOATS),), mask=(one(LEFT),)), ["right"]),
    (layer("Dense"), K3, CallInputs((masked(),), mask=(Passed.NOTHING,)), ["right"]),
    (layer("Dense"), K2, CallInputs((masked(),), mask=(Passed.NOTHING,)), ["none"]),
    (layer("Dense"), K3, CallInputs((masked(),), mask=(one(LEFT), Passed.LEFT_OUT)), ["left", "right"]),
    (layer("Attention"), K3, CallInputs((masked(), masked())), ["right"]),
    (layer("ActivityRegularization"), K2, CallInputs((masked(),), mask=(one(LEFT),)), ["right"]),
    (layer("ActivityRegularization"), K2, CallInputs((TensorTraits(),), mask=(one(LEFT),)), ["left"]),
    (layer("Attention"), "keras 3.3.0", CallInputs((masked(), masked())), ["unknown"]),
    (layer("Add"), "keras 3.3.0", CallInputs((masked(), masked())), ["none"]),
    (layer("Dense"), "keras 3.3.0", CallInputs((masked(),)), ["right"]),
    (layer("TimeDistributed", layer("Dense")), K3, CallInputs((masked(),), mask=(one(LEFT),)), ["left"]),
    (layer("TimeDistributed"), "keras 3.10.0", CallInputs((masked(dtype=FLOATS),), mask=(one(LEFT),)), ["right"]),
    (layer("TimeDistributed"), "keras 3.8.0", CallInputs((masked(dtype=FLOATS),)), ["unknown"]),
    (layer("TimeDistributed"), "keras 3.8.0", CallInputs((TensorTraits(),)), ["none"]),
    (layer("Concatenate"), "keras 3.11.0", CallInputs((masked(dtype=FLOATS), TensorTraits())), ["unknown"]),
    (layer("Concatenate"), "keras 3.11.0", CallInputs((TensorTraits(), TensorTraits())), ["none"]),
]  # fmt: skip


@pytest.mark.parametrize(("view", "release", "given", "after"), LEAVING, ids=range(len(LEAVING)))
def test_a_layer_hands_the_mask_on_or_not(view: View, release: str, given: CallInputs, after: list[str]) -> None:
    assert kinds(transfer(release).output(view, given).masks) == after


#: A layer, a backend, and what is left of a mask that comes in.
UNCHANGED: list[tuple[View, str, list[str]]] = [
    (layer("Permute", dims=(1, 2)), "jax", ["right"]), (layer("Permute", dims=(2, 1)), "jax", ["none"]),
    (layer("Permute", dims=[1, 2]), "jax", ["right"]), (layer("Permute", dims=UNKNOWN_SETTING), "jax", ["unknown"]),
    (layer("Reshape", dims=(1, 2)), "jax", ["unknown"]), (layer("Permute", dims=(1, 2)), "tensorflow", ["none"]),
    (layer("Flatten", dims=(1, 2)), "jax", ["none"]), (layer("Cropping1D", cropping=0), "jax", ["right"]),
    (layer("Cropping1D", cropping=(0, 1)), "jax", ["none"]), (layer("Cropping1D", cropping=[0, 0]), "jax", ["right"]),
    (layer("Cropping2D", cropping=((0, 0), (1, 0))), "jax", ["none"]), (layer("Cropping1D"), "jax", ["unknown"]),
    (layer("Cropping3D", cropping=((0, 0), (0, 0), (0, 0))), "jax", ["right"]),
    (layer("Cropping2D", cropping=((0, 0), (0, 0))), "jax", ["right"]),
    (layer("Cropping1D", cropping=UNKNOWN_SETTING), "jax", ["unknown"]),
    (layer("Cropping1D", cropping=0), "tensorflow", ["none"]),
]  # fmt: skip


@pytest.mark.parametrize(("view", "backend", "after"), UNCHANGED, ids=range(len(UNCHANGED)))
def test_what_changes_nothing_keeps_the_mask_on_jax(view: View, backend: str, after: list[str]) -> None:
    assert kinds(transfer(K3, backend).output(view, CallInputs((masked(),))).masks) == after
    assert kinds(transfer(K3, backend).output(view, CallInputs((TensorTraits(),))).masks) == ["none"]


#: Release, what is given, and the mask that reaches a recurrent layer.
ARRIVING: list[tuple[str, CallInputs, list[str]]] = [
    (K3, CallInputs((masked(),)), ["right"]), (K3, CallInputs((masked(),), hides=True), ["none"]),
    (K2, CallInputs((masked(),), hides=True), ["right"]), (K3, CallInputs((masked(),), hides=None), ["none", "right"]),
    (K3, CallInputs((masked(),), mask=(one(LEFT),), hides=True), ["left"]),
    (K3, CallInputs((TensorTraits(),), hides=None), ["none"]),
    (K3, CallInputs((masked(Mask(Kind.RIGHT, rank=3)),)), ["unknown"]),
    (K3, CallInputs((masked(Mask(Kind.LEFT)),)), ["left"]),
    (K3, CallInputs(), ["none"]),
]  # fmt: skip


@pytest.mark.parametrize(("release", "given", "after"), ARRIVING, ids=range(len(ARRIVING)))
def test_a_mask_reaches_a_recurrent_layer_or_not(release: str, given: CallInputs, after: list[str]) -> None:
    assert kinds(transfer(release).arriving(layer("LSTM"), given).masks) == after


WORDS = Mask(Kind.RIGHT, "words", 3)
#: What is round the layer inside, release, the mask that comes in, the one inside, and the one and its rank behind.
SPREAD: list[tuple[View | None, str, TensorTraits, str, list[str], int | None]] = [
    (layer("Dense"), K3, masked(rank=4), "unknown", ["right"], 2),
    (layer("Dense"), K3, masked(WORDS, rank=4), "data", ["right"], 3),
    (layer("Dense"), K3, TensorTraits(), "none", ["none"], None),
    (layer("Embedding", mask_zero=True), K2, TensorTraits(rank=3), "none", ["data"], 3),
    (layer("Embedding", mask_zero=True), K3, TensorTraits(rank=3), "none", ["none"], None),
    (layer("Flatten"), K2, masked(), "unknown", ["unknown"], None),
    (layer("LSTM"), K2, masked(WORDS), "data", ["right"], 2), (None, K2, masked(WORDS), "data", ["right"], 2),
    (layer("LSTM", return_sequences=True), K2, masked(WORDS), "data", ["right"], 3),
    (layer("Flatten"), K2, TensorTraits(), "none", ["none"], None),
    (layer("Rescaling"), K2, masked(), "unknown", ["unknown"], None),
    (layer("Embedding", mask_zero=True), K2, masked(rank=3), "unknown", ["data"], 3),
]  # fmt: skip


@pytest.mark.parametrize(("inner", "release", "given", "inside", "after", "rank"), SPREAD, ids=range(len(SPREAD)))
def test_a_time_distributed_spreads_the_mask(
    inner: View | None, release: str, given: TensorTraits, inside: str, after: list[str], rank: int | None
) -> None:
    does = transfer(release)
    step = does.step(CallInputs((given,)))
    assert kinds(step.masks) == [inside]
    assert step.rank == (None if given.rank is None else given.rank - 1)
    found = does.output(layer("TimeDistributed", inner), CallInputs((given,)))
    assert (kinds(found.masks), found.masks.rank) == (after, rank)


def test_the_layer_inside_computes_the_dtype() -> None:
    def dtype(view: View, given: Dtype, release: str = K3) -> str | None:
        return transfer(release).output(view, CallInputs((TensorTraits(dtype=given),))).dtype.name

    halves = View("GRU", computes=Dtype("float16"))
    assert dtype(View("Bidirectional", inner=halves), FLOATS, K2) == "float16"
    assert dtype(View("Bidirectional", inner=halves), FLOATS, K3) == "float32"
    assert dtype(layer("HashedCrossing", dtype="float32"), Dtype("int32"), K2) == "int64"
    assert dtype(layer("HashedCrossing", dtype="float32"), Dtype("int32"), K3) == "float32"
    assert dtype(View("Bidirectional", computes=Dtype("float16")), FLOATS) == "float16"
    assert dtype(View("TimeDistributed", inner=halves), FLOATS) == "float16"
    assert dtype(View("SpectralNormalization", inner=View("Dense")), Dtype("int32")) == "int32"
    assert dtype(View("SpectralNormalization", inner=halves), FLOATS) == "float16"


@pytest.mark.parametrize(
    ("computes", "has", "release", "after"),
    [(FLOATS, Dtype("float64"), "keras 3.8.0", ["none"]), (FLOATS, FLOATS, "keras 3.8.0", ["right"]),
     (FLOATS, Dtype("float64"), K3, ["right"]), (FLOATS, Dtype("int32"), "keras 3.8.0", ["right"]),
     (FLOATS, UNSTATED, "keras 3.8.0", ["unknown"]), (UNSTATED, FLOATS, "keras 3.8.0", ["unknown"]),
     (Dtype(token=GLOBAL), UNSTATED, "keras 3.8.0", ["right"]),
     (Dtype(token=GLOBAL), Dtype(token=GLOBAL), "keras 3.8.0", ["right"]),
     (Dtype(token=GLOBAL), Dtype("float16"), "keras 3.8.0", ["unknown"])],
)  # fmt: skip
def test_a_cast_loses_the_mask_where_the_dtype_changes(
    computes: Dtype, has: Dtype, release: str, after: list[str]
) -> None:
    view = View("LSTM", computes=computes)
    assert kinds(transfer(release).arriving(view, CallInputs((masked(dtype=has),))).masks) == after
    lost = masked(UNSURE, RIGHT, dtype=Dtype("float64"))
    assert kinds(transfer("keras 3.8.0").arriving(View("LSTM"), CallInputs((lost,))).masks) == ["unknown", "none"]


@pytest.mark.parametrize(
    ("computes", "has", "after"),
    [("float32", "float64", ["unknown"]), ("float64", "float32", ["unknown"]), ("float16", "float64", ["none"]),
     ("float64", "float64", ["right"])],
)  # fmt: skip
def test_on_jax_a_setting_decides_whether_float64_is_another_dtype(computes: str, has: str, after: list[str]) -> None:
    view, given = View("LSTM", computes=Dtype(computes)), masked(dtype=Dtype(has))
    assert kinds(transfer("keras 3.13.2", "jax").arriving(view, CallInputs((given,))).masks) == after


@pytest.mark.parametrize(
    ("shown", "computes", "has", "after", "dtype"),
    [(FLOATS, Dtype("float64"), (RIGHT,), ["unknown"], None), (FLOATS, Dtype("float64"), (NONE,), ["none"], None),
     (FLOATS, FLOATS, (RIGHT,), ["right"], "int32"), (Dtype("int32"), Dtype("float64"), (RIGHT,), ["right"], "int32"),
     (Dtype(token=GLOBAL), Dtype(token=GLOBAL), (RIGHT,), ["right"], "int32"),
     (Dtype(token=GLOBAL), Dtype("float64"), (RIGHT,), ["unknown"], None),
     (FLOATS, Dtype(token=GLOBAL), (RIGHT,), ["unknown"], None)],
)  # fmt: skip
def test_integers_that_the_graph_shows_as_floats_may_be_cast(
    shown: Dtype, computes: Dtype, has: tuple[Mask, ...], after: list[str], dtype: str | None
) -> None:
    given = CallInputs((masked(*has, dtype=Dtype("int32"), shown=shown),))
    found = transfer("keras 3.8.0").arriving(View("LSTM", computes=computes), given)
    assert (kinds(found.masks), found.dtype.name) == (after, dtype)
    kept = transfer().arriving(View("LSTM", computes=computes), given)
    assert (kinds(kept.masks), kept.dtype.name) == ([one.kind.value for one in has], "int32")


@pytest.mark.parametrize(
    ("view", "shown"),
    [(layer("IntegerLookup", output_mode="int"), None), (layer("InputLayer"), None),
     (layer("IntegerLookup", output_mode="one_hot"), "float32"),
     (View("Discretization", {"output_mode": "one_hot"}, computes=Dtype("float16")), "float16")],
)  # fmt: skip
def test_a_graph_shows_another_dtype_than_that_of_the_run(view: View, shown: str | None) -> None:
    found = transfer("keras 3.8.0").output(view, CallInputs((TensorTraits(dtype=Dtype("int32")),))).shown
    assert (found and found.name) == shown


#: A layer, what it is called with, and whether it gives the very tensor that it got.
VERY: list[tuple[View, list[Dtype], bool]] = [
    *((layer(name), [FLOATS], True) for name in ("ActivityRegularization", "Identity", "InputLayer")),
    (layer("Dense"), [FLOATS], False), (layer("Dense", activation="linear", rate=0), [FLOATS], False),
    (layer("Activation", activation="linear"), [FLOATS], True),
    (layer("Activation", activation="relu"), [FLOATS], False),
    (layer("Activation", activation=UNKNOWN_SETTING), [FLOATS], False),
    (layer("Dropout", rate=0), [FLOATS], True), (layer("SpatialDropout1D", rate=0), [FLOATS], True),
    (layer("GaussianDropout", rate=0.0), [FLOATS], True), (layer("Dropout", rate=0.1), [FLOATS], False),
    (layer("Dropout", rate=1), [FLOATS], False), (layer("Identity"), [FLOATS, FLOATS], False),
    (layer("Identity"), [Dtype("float64")], False), (layer("Identity"), [Dtype("int32")], True),
    (layer("Identity"), [UNSTATED], True), (View("Identity", computes=UNSTATED), [FLOATS], True),
]  # fmt: skip


@pytest.mark.parametrize(("view", "inputs", "very"), VERY, ids=range(len(VERY)))
def test_a_layer_gives_the_very_tensor_that_it_got_or_another(view: View, inputs: list[Dtype], very: bool) -> None:
    assert hands_on(view, CallInputs(tuple(TensorTraits(dtype=dtype) for dtype in inputs))) is very


def test_what_nothing_says_of_a_call_is_not_there() -> None:
    assert (CallInputs().states, CallInputs().numbers, CallInputs().hides, CallInputs().passed) == (
        (), (), False, False,
    )  # fmt: skip
    assert transfer().output(layer("Flatten"), CallInputs((TensorTraits(),))).ragged is False


def named(*names: str | None) -> list[Dtype]:
    return [Dtype(name) for name in names]


@pytest.mark.parametrize(
    ("several", "name"),
    [(named("int32", "int64"), "int64"), (named("bool", "uint8"), "uint8"), (named("int8", "bool"), "int8"),
     (named("int8", "int16"), "int16"), (named("uint8", "int16"), "int16"), (named("uint16", "uint8"), "uint16"),
     (named("uint16", "int32"), "int32"), (named("uint32", "int64"), "int64"), (named("uint32", "uint64"), "uint64"),
     (named("int32", "float16"), "float16"), (named("int32", None), None), ([], None),
     (named("uint8", "int8"), "int16"), (named("int8", "uint16"), "int32"), (named("uint32", "int32"), "int64"),
     (named("bool", "int32"), "int32"), (named("uint8", "uint8"), "uint8"), (named("bool", "bool"), "bool"),
     (named("uint64", "int64"), "float32"), (named("int8", "uint64", "int16"), "float32"),
     (named("int128", "int64"), "int128")],
)  # fmt: skip
def test_dtypes_are_promoted(several: list[Dtype], name: str | None) -> None:
    assert dtypes.promoted(several).name == name
    unsure = Dtype(None, "nobody looked")
    assert dtypes.promoted([Dtype("int32"), unsure]) == unsure


#: The layer, the dtype that comes in, and the one that comes out: None is in doubt.
DTYPES: list[tuple[View, str, str | None]] = [
    (layer("Dense"), "int32", "float32"), (layer("Flatten"), "int32", "int32"), (layer("Mine"), "int32", None),
    (layer("Mine"), "float64", "float32"), (layer("Average"), "int32", "float64"),
    (layer("Average"), "float64", "float32"), (layer("Average"), "int64", "float64"),
    (layer("Average"), "uint32", "float64"), (layer("Average"), "int16", "float32"),
    (layer("Lambda", function="expand_dims"), "int32", "int32"),
    (layer("Lambda", function="one_hot"), "int32", "float32"),
    (layer("Lambda", function="mystery"), "int32", None), (layer("Lambda", function=UNKNOWN_SETTING), "float32", None),
    (layer("Add"), "int32", "int32"), (layer("Add"), "float64", "float32"),
    (layer("InputLayer", dtype="int8"), "float32", "int8"), (layer("InputLayer"), "int32", "int32"),
    (layer("Activation", activation="relu"), "int32", "int32"),
    (layer("Activation", activation="relu6"), "int32", "int32"),
    (layer("Activation", activation="linear"), "int32", "int32"),
    (layer("Activation", activation=None), "int32", "int32"),
    (layer("Activation", activation="tanh"), "int32", "float32"),
    (layer("Activation", activation="relu"), "float64", "float32"),
    (layer("Activation", activation=UNKNOWN_SETTING), "int32", None),
    (layer("Hashing"), "int32", "int64"), (layer("Hashing", dtype="int32"), "int64", "int64"),
    (layer("StringLookup", output_mode="one_hot"), "int32", "int64"), (layer("TextVectorization"), "string", "int64"),
    (layer("IntegerLookup"), "int32", "int64"), (layer("HashedCrossing"), "int32", "int64"),
    (layer("HashedCrossing", output_mode="one_hot"), "int32", "float32"), (layer("Discretization"), "float32", "int32"),
    (layer("Discretization", output_mode="one_hot"), "int32", "float32"),
    (layer("Discretization", output_mode=UNKNOWN_SETTING), "int32", None),
    (layer("Discretization", dtype=UNKNOWN_SETTING), "int32", None),
    (layer("Mine", layer("Dense")), "int32", None),
    (layer("CategoryEncoding"), "int32", "float32"), (layer("CategoryEncoding", output_mode="int"), "int32", "float32"),
]  # fmt: skip


@pytest.mark.parametrize(("view", "before", "after"), DTYPES, ids=range(len(DTYPES)))
def test_a_layer_gives_a_tensor_of_this_dtype(view: View, before: str, after: str | None) -> None:
    found = transfer().output(view, CallInputs((TensorTraits(dtype=Dtype(before)),))).dtype
    assert found.name == after
    assert bool(found.because) == (after is None)


@pytest.mark.parametrize(
    ("name", "inputs", "asked", "after"),
    [("add", ["int32", "int64"], None, "int64"), ("Add", ["int32", "float32"], None, "float32"),
     ("argmax", ["float32"], None, "int32"), ("greater", ["int32"], None, "bool"), ("exp", ["int32"], None, None),
     ("exp", ["int32", "float16"], None, "float16"), ("reshape", ["int32"], None, "int32"),
     ("exp", ["int32"], "int8", "int8"),
     ("mystery", ["float64"], None, "float64"), ("reshape", [None, "int32"], None, None)],
)  # fmt: skip
def test_an_operation_gives_a_tensor_of_this_dtype(
    name: str, inputs: list[str | None], asked: str | None, after: str | None
) -> None:
    found = dtypes.of_operation(TABLE, name, named(*inputs), asked)
    assert (found.name, found.because) == (after, "")
    assert dtypes.of_operation(TABLE, "mystery", named("int32")).because


def test_an_argument_has_one_value_or_is_open() -> None:
    assert [Setting(values).known(5) for values in ((), (1,), (UNWRITTEN,), (1, 2))] == [5, 1, 5, OPEN]
    truths = [Setting(values).truth() for values in ((), (1,), (0,), (UNWRITTEN,), (OPEN,), (1, True), (1, UNWRITTEN))]
    assert truths == [False, True, False, False, None, True, None]
    assert [Setting(values).truth(True) for values in ((), (UNWRITTEN,), (0,), (1, UNWRITTEN))] == [
        True,
        True,
        False,
        True,
    ]


def test_masks_that_may_be_several_are_joined() -> None:
    assert join([one(RIGHT)], "never said") == one(RIGHT)
    assert join([one(RIGHT), one(RIGHT), UNMASKED]).options == (RIGHT, NONE)
    assert join([one(RIGHT), Masks((LEFT,), "it was said")]).because == "it was said"
    assert join([one(RIGHT), Masks((LEFT,), "it was said")], "a branch").because == "a branch"
    assert (Masks((RIGHT, NONE)).none, UNMASKED.none, Masks((RIGHT, NONE)).rank, Masks((RIGHT, WORDS)).rank) == (
        False, True, 2, None,
    )  # fmt: skip
    assert unknown("why", "place").options == (Mask(Kind.UNKNOWN, because="why", token="place"),)


@pytest.mark.parametrize(
    ("name", "whole", "may_be"),
    [
        ("int8", True, True),
        ("uint16", True, True),
        ("bool", True, True),
        ("float16", False, False),
        (None, False, False),
    ],
)
def test_integers_and_booleans_are_whole(name: str | None, whole: bool, may_be: bool) -> None:
    assert (Dtype(name).whole, Dtype(name).may_be_whole) == (whole, may_be)
    assert Dtype(None, "nobody looked").may_be_whole


@pytest.mark.parametrize(
    ("major", "role", "explicit", "name", "called"),
    [(2, "forward", False, "x", "forward_x"), (2, "backward", False, "x", "backward_x"),
     (2, "backward", True, "x", "backward_x"), (2, "forward", False, "forward_x", "forward_forward_x"),
     (3, "forward", False, "x", "forward_x"), (3, "forward", False, "forward_x", "forward_x"),
     (3, "backward", False, "x", "backward_x"), (3, "backward", True, "x", "x"),
     (3, "forward", True, "x", "forward_x")],
)  # fmt: skip
def test_a_direction_is_called_as_keras_calls_it(major: int, role: str, explicit: bool, name: str, called: str) -> None:
    assert naming.direction_name(major, Wrapper("Bidirectional", role=role, explicit=explicit), name) == called
