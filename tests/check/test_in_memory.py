"""A model in memory, without any framework: objects that answer as Keras's do."""

import json
import sys
import types
import warnings

import pytest

import cudnnlint
from cudnnlint.core.errors import UsageError
from cudnnlint.core.verdict import Verdict


def living(module, name, bases=()):
    """A class of Keras's."""
    return type(name, bases, {"__module__": module})


Layer = living("keras.src.layers.layer", "Layer")
RNN = living("keras.src.layers.rnn.rnn", "RNN", (Layer,))
LSTM = living("keras.src.layers.rnn.lstm", "LSTM", (RNN,))
Bidirectional = living("keras.src.layers.rnn.bidirectional", "Bidirectional", (Layer,))
Sequential = living("keras.src.models.sequential", "Sequential", (Layer,))
Own = living("__main__", "Own", (Sequential,))
Embedding = living("keras.src.layers.core.embedding", "Embedding", (Layer,))


def lstm(name, use_cudnn="auto", **config):
    layer = LSTM()
    layer.name, layer.use_cudnn, layer.cell = name, use_cudnn, object()
    written = {"name": name, "units": 4, "activation": "tanh", "recurrent_activation": "sigmoid", "use_bias": True,
               "dropout": 0.0, "recurrent_dropout": 0.0, "unroll": False, "return_sequences": True,
               **config}  # fmt: skip
    layer.entry = {"module": "keras.layers", "class_name": "LSTM", "config": written}
    layer.get_config = lambda: written
    return layer


def both(name, forward, backward):
    layer = Bidirectional()
    layer.name, layer.forward_layer, layer.backward_layer, layer.layer = name, forward, backward, forward
    config = {"name": name, "layer": forward.entry, "backward_layer": backward.entry, "merge_mode": "concat"}
    layer.entry = {"module": "keras.layers", "class_name": "Bidirectional", "config": config}
    return layer


def sequential(*layers, kind=Sequential):
    model = kind()
    model.name, model.layers = "model", list(layers)
    start = {"module": "keras.layers", "class_name": "InputLayer",
             "config": {"batch_shape": [None, 5, 4], "name": "input", "dtype": "float32"}}  # fmt: skip
    config = {"name": "model", "layers": [start, *[layer.entry for layer in layers]]}
    model.get_config = lambda: config
    model.to_json = lambda: json.dumps({"module": "keras", "class_name": "Sequential", "config": config})
    return model


@pytest.fixture(autouse=True)
def keras(monkeypatch):
    module = types.ModuleType("keras")
    module.__version__ = "3.15.1"
    module.backend = types.SimpleNamespace(backend=lambda: "jax")
    module.layers = types.SimpleNamespace(serialize=lambda layer: layer.entry)
    monkeypatch.setitem(sys.modules, "keras", module)
    return module


def verdicts(report):
    return {layer.layer_path: layer.worst for file in report.files for layer in file.layers}


def test_a_model_is_judged_for_the_keras_that_runs():
    report = cudnnlint.check_model(sequential(lstm("fast"), lstm("slow", recurrent_dropout=0.1)))
    assert verdicts(report) == {"fast": Verdict.CUDNN, "slow": Verdict.FALLBACK}
    assert str(report.files[0].targets[0]) == "keras@3.15.1:jax"
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["CDN103"]


def test_another_target_may_be_asked_for():
    report = cudnnlint.check_model(sequential(lstm("one")), target="keras@3.9.0:torch")
    assert verdicts(report) == {"one": Verdict.FALLBACK}


def test_a_setting_that_a_file_would_lose_counts():
    forward, backward = lstm("forward_b", use_cudnn=False), lstm("backward_b", use_cudnn=False, go_backwards=True)
    report = cudnnlint.check_model(sequential(lstm("one", use_cudnn=False), both("b", forward, backward)))
    assert verdicts(report) == {
        "one": Verdict.FALLBACK, "b/forward_b": Verdict.FALLBACK, "b/backward_b": Verdict.FALLBACK,
    }  # fmt: skip


def subclassed(*layers):
    """A model of the user's own class, whose configuration does not tell its layers."""
    model = sequential(*layers, kind=Own)
    model.to_json = lambda: json.dumps({"class_name": "Own", "config": {"name": "own"}, "module": "__main__"})
    return model


def test_a_model_of_an_own_class_is_judged_layer_by_layer():
    def refuse():
        raise NotImplementedError

    for to_json in (None, refuse):
        model = subclassed(lstm("fast"), lstm("slow", unroll=True))
        model.to_json = to_json or model.to_json
        assert verdicts(cudnnlint.check_model(model)) == {"fast": Verdict.CUDNN, "slow": Verdict.FALLBACK}


def test_where_such_a_model_makes_masks_nothing_is_claimed():
    words = Embedding()
    words.name, words.mask_zero = "words", True
    words.entry = {"module": "keras.layers", "class_name": "Embedding", "config": {"name": "words"}}
    assert verdicts(cudnnlint.check_model(subclassed(words, lstm("a")))) == {"a": Verdict.UNKNOWN}


def test_a_layer_alone():
    assert verdicts(cudnnlint.check_model(lstm("a", use_bias=False))) == {"a": Verdict.FALLBACK}


def test_what_is_no_keras_object_is_a_sentence():
    with pytest.raises(UsageError, match="A int is not a Keras model or layer"):
        cudnnlint.check_model(3)
    with pytest.raises(UsageError, match="check_many"):
        cudnnlint.assert_cudnn("model.keras")


def test_assert_cudnn_names_the_layers_that_leave():
    cudnnlint.assert_cudnn(sequential(lstm("fast")))
    with pytest.raises(AssertionError) as failed:
        cudnnlint.assert_cudnn(sequential(lstm("fast"), lstm("slow", recurrent_dropout=0.1)))
    assert "slow: fallback (CDN103" in str(failed.value)
    assert "fast" not in str(failed.value)
    with pytest.raises(AssertionError, match="no recurrent layer"):
        cudnnlint.assert_cudnn(sequential())


def test_the_callback_warns_once_before_training_and_is_a_callback_otherwise():
    callback = cudnnlint.WarnBeforeTraining()
    callback.set_model(sequential(lstm("fast"), lstm("slow", recurrent_dropout=0.1)))
    callback.set_params({"epochs": 3})
    with pytest.warns(UserWarning, match="cudnnlint: slow: fallback") as told:
        callback.on_train_begin()
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        callback.on_epoch_end(0, logs={})
        callback.on_train_batch_begin(0)
        assert callback._implements_train_batch_hooks() is False
    assert not hasattr(callback, "other")


def test_the_package_offers_them_without_importing_them():
    assert "check_model" in cudnnlint.__all__
    assert set(cudnnlint.__all__) <= set(dir(cudnnlint))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        cudnnlint.nothing  # noqa: B018
