"""What single layers of the fixtures become: arguments, cells, wrappers, classes of the user's own, dtypes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from cudnnlint.core.fact import ABSENT, Known, Opaque, Unknown
from cudnnlint.core.layer import Layer, Model
from cudnnlint.core.place import SavedPlace
from cudnnlint.frontends.saved import read_bytes
from cudnnlint.frontends.saved.missing_weights import NONE
from cudnnlint.rulebook.loader import load

SAVED = Path(__file__).resolve().parents[3] / "fixtures" / "saved"
Layers = Callable[[str], dict[str, Layer]]
GENERATIONS = ["k2", "k3"]


def value(layer: Layer, name: str) -> object:
    fact = layer.variants[0].argument(name)
    assert isinstance(fact, Known), (name, fact)
    return fact.value


@pytest.mark.parametrize("suffix", [".keras", ".h5"])
@pytest.mark.parametrize("made", GENERATIONS)
def test_every_written_argument_is_known_with_its_place(made: str, suffix: str, layers: Layers) -> None:
    found = layers(f"{made}_plain{suffix}")
    assert list(found) == ["first", "gru", "lstm"]
    last = found["lstm"]
    arguments = ("activation", "recurrent_activation", "unroll", "use_bias", "dropout")
    assert [value(last, name) for name in arguments] == ["relu", "hard_sigmoid", True, False, 0.0]
    place = last.variants[0].argument("unroll").place  # type: ignore[union-attr]
    assert isinstance(place, SavedPlace)
    assert (place.layer_path, place.key) == ("lstm", "unroll")
    assert value(found["gru"], "reset_after") is False
    assert value(found["gru"], "recurrent_dropout") == 0.1
    assert last.saved
    assert last.variants[0].path == "keras.layers.LSTM"


@pytest.mark.parametrize("made", GENERATIONS)
def test_what_keras_does_not_save_stays_absent(made: str, layers: Layers) -> None:
    construction = layers(f"{made}_plain.keras")["first"].variants[0]
    assert construction.argument("use_cudnn") == ABSENT
    assert (construction.argument("implementation") == ABSENT) is (made == "k3")
    assert (construction.argument("time_major") == ABSENT) is (made == "k3")
    assert construction.open is None


@pytest.mark.parametrize("made", GENERATIONS)
def test_the_mask_names_the_layer_that_made_it(made: str, layers: Layers) -> None:
    found = layers(f"{made}_plain.keras")
    for name in ("first", "gru"):
        mask = found[name].calls[0].context("mask")
        assert isinstance(mask, Known)
        assert mask.value == "data"
        assert mask.place == SavedPlace(found[name].place.path, "embedding", "mask_zero")
    assert found["lstm"].calls[0].context("mask").value == "none"  # type: ignore[union-attr]


@pytest.mark.parametrize("suffix", [".keras", ".h5"])
@pytest.mark.parametrize("made", GENERATIONS)
def test_a_bidirectional_is_two_layers(made: str, suffix: str, layers: Layers) -> None:
    found = layers(f"{made}_directions{suffix}")
    kinds = [(layer.wrappers[0].role, layer.wrappers[0].derived) for layer in found.values()]
    derived = [("forward", False), ("backward", True)]
    assert kinds == [*derived, *derived, ("forward", False), ("backward", False), *derived]
    assert [value(layer, "go_backwards") for layer in found.values()] == [False, True] * 4
    written = {layer.wrappers[0].explicit for layer in found.values()}
    assert written == ({True} if made == "k3" else {False, True})
    merges = [layer.wrappers[0].arguments["merge_mode"] for layer in list(found.values())[::2]]
    assert [fact.value for fact in merges] == ["concat", "sum", None, "concat"]  # type: ignore[union-attr]
    one, two = list(found.values())[:2]
    assert one.wrappers[0].sibling == two.variants[0]
    assert two.wrappers[0].sibling == one.variants[0]


@pytest.mark.parametrize("suffix", [".keras", ".h5"])
@pytest.mark.parametrize("made", GENERATIONS)
def test_cells_come_with_their_arguments(made: str, suffix: str, layers: Layers) -> None:
    found = list(layers(f"{made}_cells{suffix}").values())
    cells = [[cell.class_name for cell in layer.variants[0].cells or ()] for layer in found]
    assert cells == [["LSTMCell"], ["GRUCell", "LSTMCell"], [], []]
    assert found[0].variants[0].cells[0].argument("recurrent_dropout").value == 0.2  # type: ignore[index, union-attr]
    assert [layer.variants[0].class_name for layer in found] == ["RNN", "RNN", "SimpleRNN", "ConvLSTM2D"]
    assert found[2].variants[0].cells is None


@pytest.mark.parametrize("made", GENERATIONS)
def test_wrappers_stand_from_the_innermost_outwards(made: str, layers: Layers) -> None:
    found = layers(f"{made}_spread.keras")
    kinds = {path: [wrapper.kind for wrapper in layer.wrappers] for path, layer in found.items()}
    assert kinds["steps/direct"] == ["TimeDistributed"]
    assert kinds["time_distributed/sentence/inside"] == ["TimeDistributed"]
    assert kinds["time_distributed_1/pair/forward_g"] == ["Bidirectional", "TimeDistributed"]
    assert found["steps/direct"].layer_path == "steps"
    assert found["steps/direct"].name == "direct"


@pytest.mark.parametrize("suffix", [".keras", ".h5"])
@pytest.mark.parametrize("made", GENERATIONS)
def test_a_class_of_the_users_own_stays_open(made: str, suffix: str, layers: Layers) -> None:
    found = layers(f"{made}_own{suffix}")
    own = found["peephole"].variants[0]
    assert (own.class_name, own.subclass) == ("LSTM", "Peephole")
    assert own.open == "Peephole is a class of your own; its code is not in the file"
    assert own.overrides == own.may_call_super == ("call",)
    inner = found["box/inner"]
    assert inner.variants[0].class_name == "GRU"
    assert isinstance(inner.calls[0].context("mask"), Unknown)
    assert isinstance(found["squashed"].calls[0].context("mask"), Unknown)


@pytest.mark.parametrize("made", GENERATIONS)
def test_activations_are_names_or_opaque(made: str, layers: Layers) -> None:
    found = layers(f"{made}_own.keras")
    own = value(found["squashed"], "activation")
    assert isinstance(own, Opaque)
    assert own.what == "mine>squash, a function of your own"
    assert value(found["plain"], "activation") == "tanh"


@pytest.mark.parametrize("suffix", [".keras", ".h5"])
def test_a_layer_as_activation_is_opaque(suffix: str, layers: Layers) -> None:
    layered = value(layers(f"k3_own{suffix}")["layered"], "activation")
    assert isinstance(layered, Opaque)
    assert (layered.what, layered.like) == ("a layer of the class Activation", "tanh")


@pytest.mark.parametrize("made", GENERATIONS)
def test_a_policy_is_a_compute_dtype(made: str, layers: Layers) -> None:
    half = layers(f"{made}_dtypes.keras")["half"]
    assert value(half, "dtype") == "mixed_float16"
    assert half.calls[0].context("dtype").value == "float16"  # type: ignore[union-attr]


def test_whole_numbers_that_go_straight_in_are_seen(layers: Layers) -> None:
    whole = layers("k3_dtypes.keras")["whole"].calls[0].context("input_dtype")
    assert isinstance(whole, Known)
    assert whole.value == "int32"


@pytest.mark.parametrize("suffix", [".keras", ".h5"])
def test_a_ragged_input_is_seen(suffix: str, layers: Layers) -> None:
    assert layers(f"k2_ragged{suffix}")["lstm"].calls[0].context("ragged").value is True  # type: ignore[union-attr]


def test_cudnn_layers_and_old_ones_are_what_the_file_calls_them(layers: Layers) -> None:
    found = layers("k2_cudnn.h5")
    assert [layer.variants[0].class_name for layer in found.values()] == ["LSTM", "CuDNNGRU", "CuDNNLSTM", "CuDNNLSTM"]
    assert value(found["old"], "recurrent_activation") == "hard_sigmoid"


@pytest.mark.parametrize("made", GENERATIONS)
def test_what_the_model_was_compiled_with(made: str, layers: Layers) -> None:
    assert layers(f"{made}_compiled.keras")["lstm"].calls[0].context("jit_compile").value is True  # type: ignore[union-attr]


def test_a_model_that_is_code_has_no_layers_and_a_note(reads: Callable[[str], Model]) -> None:
    model = reads("k3_tagger.keras")
    assert model.layers == ()
    assert model.notes == (
        "Tagger is a class of your own: recurrent layers that its code makes are not in the file and are not checked.",
    )


def test_an_archive_without_weights_is_judged_and_said_not_to_load(reads: Callable[[str], Model]) -> None:
    with zipfile.ZipFile(SAVED / "k3_plain.keras") as whole:
        kept = {name: whole.read(name) for name in whole.namelist() if not name.startswith("model.weights")}
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, member in kept.items():
            archive.writestr(name, member)
    model = read_bytes("plain.keras", data.getvalue(), load().tables.names)
    assert len(model.layers) == len(reads("k3_plain.keras").layers)
    assert model.notes == (NONE,)
    assert reads("k3_plain.keras").notes == ()


@pytest.mark.parametrize("made", GENERATIONS)
def test_weights_alone_have_no_layers_and_a_note(made: str, reads: Callable[[str], Model]) -> None:
    model = reads(f"{made}_plain.weights.h5")
    assert model.layers == ()
    (note,) = model.notes
    assert note.startswith("This file contains weights only; the architecture is not in it.")
    assert "convert --config" in note


@pytest.mark.parametrize("made", GENERATIONS)
def test_json_says_the_same_as_the_archive(made: str, layers: Layers) -> None:
    text, archive = layers(f"{made}_masks.json"), layers(f"{made}_masks.keras")
    assert list(text) == list(archive)
    for path in text:
        one, two = text[path].variants[0], archive[path].variants[0]
        for key, fact in one.arguments.items():
            if "initializer" not in key:  # these are numbered anew each time that Keras 3 saves
                assert getattr(fact, "value", fact) == getattr(two.argument(key), "value", None)
        assert len(text[path].calls) == len(archive[path].calls)
