"""Models in source as graphs: their layers, how they are connected, and the way of the mask."""

from __future__ import annotations

from pathlib import Path

from newest_releases import NEWEST

from cudnnlint import pipeline
from cudnnlint.core.graph import LayerEdge, ModelGraph
from cudnnlint.core.report import FileReport
from cudnnlint.settings.settings import Flags

TAGGER = """
import keras
from keras import layers

def build():
    tokens = keras.Input((20,), name="tokens")
    extra = keras.Input((20, 4))
    x = layers.Embedding(100, 8, mask_zero=True, name="table")(tokens)
    x = layers.Concatenate(name="both")([x, extra])
    seq, h, c = layers.LSTM(8, return_sequences=True, return_state=True, name="encoder")(x)
    y = layers.Bidirectional(layers.GRU(8, return_sequences=True, recurrent_dropout=.1), name="two")(seq)
    y = y + 1.0
    z = layers.LSTM(8, name="decoder")(y, initial_state=[h, c])
    return keras.Model([tokens, extra], layers.Dense(1, name="out")(z), name="tagger")

build()
"""


def checked(folder: Path, cache: Path | None = None, **texts: str) -> tuple[FileReport, ...]:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    paths = tuple(str(folder / f"{name}.py") for name in texts)
    flags = Flags(jobs=1, target=(f"keras@{NEWEST}",), cache=str(cache) if cache else None)
    return pipeline.check(pipeline.Request(paths, flags, edits=False)).report.files


def graph(file: FileReport) -> ModelGraph:
    assert file.graph is not None
    for node in file.graph.nodes:
        assert node.layer is None or file.layers[node.layer].place == node.place
        assert node.layer is None or file.layers[node.layer].class_name == node.class_name
    return file.graph


def edges(file: FileReport) -> dict[tuple[str | None, str | None], LayerEdge]:
    found = graph(file)
    return {(found.nodes[one.source].name, found.nodes[one.target].name): one for one in found.edges}


def test_a_functional_model_is_connected_by_its_tensors(tmp_path: Path) -> None:
    (file,) = checked(tmp_path, tagger=TAGGER)
    found = edges(file)
    assert {pair: edge.mask for pair, edge in found.items()} == {
        (None, "table"): "none",
        ("table", "both"): "data",
        (None, "both"): "none",
        ("both", "encoder"): "data",
        ("encoder", "two"): "data",
        ("two", "decoder"): "none",
        ("encoder", "decoder"): "none",
        ("decoder", "out"): "none",
    }
    assert [pair for pair, edge in found.items() if edge.beside] == [("encoder", "decoder")]
    nodes = graph(file).nodes
    inside = [node for node in nodes if node.parent is not None and nodes[node.parent].name == "two"]
    assert [(node.class_name, node.layer is not None) for node in inside] == [("GRU", True), ("GRU", True)]


def test_a_sequential_is_a_chain_and_each_run_of_a_loop_is_a_layer(tmp_path: Path) -> None:
    text = (
        "import keras\nfrom keras import layers\nmodel = keras.Sequential([layers.Masking(name='m')])\n"
        "for _ in range(3):\n    model.add(layers.LSTM(4, return_sequences=True))\n"
    )
    (file,) = checked(tmp_path, chain=text)
    found = graph(file)
    assert [node.class_name for node in found.nodes] == ["Sequential", "Masking", "LSTM", "LSTM", "LSTM"]
    assert [(edge.source, edge.target, edge.mask) for edge in found.edges] == [
        (1, 2, "data"), (2, 3, "data"), (3, 4, "data"),
    ]  # fmt: skip
    assert len({node.layer for node in found.nodes}) == 4


def test_a_model_that_a_branch_decides_is_not_drawn(tmp_path: Path) -> None:
    text = (
        "import keras, sys\nfrom keras import layers\n"
        "one = layers.LSTM(4) if len(sys.argv) > 1 else layers.GRU(4)\nmodel = keras.Sequential([one])\n"
    )
    (file,) = checked(tmp_path, branch=text)
    assert file.layers
    assert file.graph is None


def test_layers_of_another_file_keep_their_numbers_in_the_graph(tmp_path: Path) -> None:
    helper = "from keras import layers\n\ndef head(x):\n    return layers.GRU(4, name='head')(x)\n"
    caller = (
        "import keras\nfrom keras import layers\nfrom helper import head\n"
        "a = keras.Input((5, 3))\nlast = layers.LSTM(4, return_sequences=True, name='last')\n"
        "first = layers.LSTM(4, return_sequences=True, name='first')\n"
        "model = keras.Model(a, head(last(first(a))))\n"
    )
    for file in checked(tmp_path, helper=helper, caller=caller):
        drawn = graph(file) if file.graph is not None else ModelGraph(())
        named = {node.name: node.layer for node in drawn.nodes if node.layer is not None}
        assert all(file.layers[number].name == name for name, number in named.items())
        if file.path.endswith("caller.py"):
            assert set(named) >= {"first", "last"}


def test_the_result_cache_keeps_the_graph(tmp_path: Path) -> None:
    fresh = checked(tmp_path, tmp_path / "kept", tagger=TAGGER)
    assert checked(tmp_path, tmp_path / "kept", tagger=TAGGER) == fresh
    assert fresh[0].graph is not None


CALLED_TWICE = """
import keras
from keras import layers

lower = layers.LSTM(4, return_sequences=True, name="lower")
a, b, c = keras.Input((7, 4)), keras.Input((7, 4)), keras.Input((7, 4))
model = keras.Model([a, b, c], [lower(layers.Masking()(a)), lower(b), lower(layers.Dense(4)(c))])
"""


def test_a_layer_that_is_called_several_times_is_connected_in_the_same_order_every_time(tmp_path: Path) -> None:
    drawn = [graph(checked(tmp_path, several=CALLED_TWICE)[0]).edges for _ in range(12)]
    assert all(edges == drawn[0] for edges in drawn)
