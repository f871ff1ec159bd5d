"""Runs old models in the old framework that this interpreter has: outputs for random inputs, and their layers.

    python published_old.py JOBS ANSWERS FRAMEWORK

FRAMEWORK is keras (standalone, on TensorFlow 1), tensorflow or tf_keras. JOBS is a JSON list of `file` (the model, or
weights alone), `layers` (the file with the architecture), `build` (a function below, for weights whose layers stand in
code alone), `root` (the folder of the source), `steps`, and `made` (where NAME.npz and NAME.json go). Written for
Python 3.7 and later, and started by published_models.py.
"""

import importlib
import json
import os
import pickle
import re
import sys
import traceback
import types

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy

ROWS = 4


class Idle:
    """An object of a module that is not installed: it takes anything, and does nothing."""

    def __init__(self, *_, **__):
        pass

    def __call__(self, *_, **__):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def get_config(self):
        """Keras registers no class without it."""
        return {}


class Nothing(types.ModuleType):
    """A module that is not installed: every name in it is a class, or an object, that does nothing."""

    def __init__(self, name):
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Idle,), {}) if name[0].isupper() else Idle()


def of_source(root, name):
    """A module of the source itself; what it imports and is not installed here is replaced by nothing."""
    if root not in sys.path:
        sys.path.insert(0, root)
    absent = []
    while True:
        try:
            found = importlib.import_module(name)
        except ModuleNotFoundError as error:
            absent.append(error.name)
            sys.modules[error.name] = re if error.name == "regex" else Nothing(error.name)
        else:
            for missing in absent:
                del sys.modules[missing]
            return found


def mhcnuggets(job):
    """Both classes of its networks have the same layers, and differ in how many steps they read."""
    steps = 30 if "-D" in job["file"] else 15  # MHCII_MASK_LEN, MHCI_MASK_LEN
    return of_source(job["root"], "mhcnuggets.src.models").mhcnuggets_lstm((steps, 21))


def chars2vec(job):
    """Its embedding model: two LSTMs over the letters of a word, with the sizes that stand beside the weights."""
    with open(os.path.join(os.path.dirname(job["file"]), "model.pkl"), "rb") as file:
        size, letters = pickle.load(file)
    return of_source(job["root"], "chars2vec.model").Chars2Vec(size, letters).embedding_model


def delft(job):
    """The architecture that config.json names, of DeLFT's sequence labelling or text classification."""
    folder = os.path.dirname(job["file"])
    with open(os.path.join(folder, "config.json")) as file:
        said = json.load(file)
    if "textClassification" in folder:
        module = of_source(job["root"], "delft.textClassification.models")
        config = of_source(job["root"], "delft.textClassification.config")
        options = config.ModelConfig.load(os.path.join(folder, "config.json"))
        training = config.TrainingConfig(0.001)
        options.embed_size = options.word_embedding_size
        return getattr(module, said["architecture"])(options, training).model
    module = of_source(job["root"], "delft.sequenceLabelling.models")
    config = of_source(job["root"], "delft.sequenceLabelling.config")
    config = config.ModelConfig.load(os.path.join(folder, "config.json"))
    with open(os.path.join(folder, "preprocessor.json")) as file:
        tags = len(json.load(file)["vocab_tag"])
    return getattr(module, said["architecture"])(config, tags).model


def deepcut(job):
    """The one network of deepcut."""
    return of_source(job["root"], "deepcut.model").get_convo_nn2()


def textgenrnn(job):
    """The network that its weights were published for."""
    module = of_source(job["root"], "textgenrnn.model")
    options = {"rnn_layers": 2, "rnn_size": 128, "rnn_bidirectional": False, "max_length": 40, "dim_embeddings": 100}
    return module.textgenrnn_model(465, options)


def handwriting(job):
    """The recogniser without its loss; the layer is LSTM, as CuDNNLSTM does not run without a GPU."""
    layers = importlib.import_module("keras.layers")
    module = of_source(job["root"], "models.ctc_model")
    return module.CtcModel(layers.LSTM, 4, range(99), save_path="").inference_model


def framework(name):
    """The module that has `models` and `layers`."""
    return importlib.import_module("tensorflow.keras" if name == "tensorflow" else name)


def old_model(job, keras):
    """The model of a job, in the old framework."""
    if job["build"]:
        model = globals()[job["build"]](job)
        model.load_weights(job["file"])
    elif job["layers"]:
        with open(job["layers"]) as file:
            model = keras.models.model_from_json(file.read())
        model.load_weights(job["file"])
    else:
        model = keras.models.load_model(job["file"], compile=False)
    return model


def records(value):
    """Every layer of a configuration."""
    if isinstance(value, dict):
        if "class_name" in value and isinstance(value.get("config"), dict):
            yield value
        value = list(value.values())
    for part in value if isinstance(value, list) else []:
        yield from records(part)


def inputs(model, steps):
    """Random inputs: ids below every vocabulary, or numbers; all rows but the first end in padding."""
    draw = numpy.random.RandomState(7)
    layers = list(records(json.loads(model.to_json())))
    words = [one["config"]["input_dim"] for one in layers if one["class_name"] == "Embedding"]
    padding = [one["config"]["mask_value"] for one in layers if one["class_name"] == "Masking"]
    made = []
    for tensor in model.inputs:
        shape = [None if size is None else int(size) for size in list(tensor.shape.as_list())]
        sizes = [shape[0] or ROWS] + [size or steps for size in shape[1:]]
        whole = "int" in str(tensor.dtype) or (words and len(sizes) == 2)
        one = draw.randint(0, min(words or [10]), sizes) if whole else draw.normal(size=sizes)
        for row in range(1, sizes[0] if (whole or padding) and len(sizes) > 1 and sizes[1] > 1 else 1):
            one[row, max(1, sizes[1] - 2 * row) :] = 0 if whole else padding[0]
        made.append(one.astype("int32" if "int" in str(tensor.dtype) else "float32"))
    return made


def answer(job, keras):
    """Runs one model; what is made of it lies at `made`."""
    model = old_model(job, keras)
    layers = model.to_json()
    with open(job["made"] + ".json", "w") as file:
        file.write(layers)
    given = inputs(model, job["steps"])
    found = model.predict(given if len(given) > 1 else given[0], batch_size=len(given[0]))
    found = found if isinstance(found, list) else [found]
    arrays = {f"input_{index}": one for index, one in enumerate(given)}
    arrays.update({f"output_{index}": one for index, one in enumerate(found)})
    numpy.savez(job["made"] + ".npz", **arrays)


def main(jobs, answers, name):
    """The command."""
    keras, told = framework(name), []
    with open(jobs) as file:
        wanted = json.load(file)
    for job in wanted:
        keras.backend.clear_session()
        try:
            answer(job, keras)
            told.append(None)
        except Exception as error:
            traceback.print_exc()
            told.append(f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:200]}")
    with open(answers, "w") as file:
        json.dump({"release": keras.__version__, "failed": told}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
