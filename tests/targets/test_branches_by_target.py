"""Files that ask what they run on: each target is judged by the branch that the program takes there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
import shell_samples
from newest_releases import NEWEST, NEWEST_MINOR, NEWEST_TENSORFLOW, NEWEST_TF_KERAS
from packaging.version import Version
from shell_run import Run

from cudnnlint.core.answers import Answers
from cudnnlint.core.layer import Model
from cudnnlint.frontends.source import reader as source
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment
from cudnnlint.targets.readings import Readings

FOLDER = Path(__file__).parents[2] / "fixtures" / "evidence"
Command = Callable[..., Run]
Told = dict[tuple[int, str], list[tuple[str, str]]]

EITHER = """\
try:
    import tf_keras as keras
except ImportError:
    import keras
HAS = keras.__name__
inputs = keras.Input((5, 3))
hidden = keras.layers.LSTM(4, activation=keras.activations.tanh, return_sequences=True)(inputs)
outputs = keras.layers.GRU(3, reset_after=False)(keras.layers.Masking()(hidden))
"""
SPEC = """\
import importlib.util
if importlib.util.find_spec("tf_keras") is None:
    import keras
else:
    import tf_keras as keras
layer = keras.layers.LSTM(4, activation=keras.activations.tanh)
"""


def write(folder: Path, name: str, text: str = "") -> None:
    """A file with the text as it stands in a test, indented."""
    shell_samples.write(folder, name, dedent(text))


def told(run: Command, path: str, *more: str) -> Told:
    """By row and class: the framework and backend of each target that a layer is judged for, and the verdict."""
    report = json.loads(run(path, "--output-format", "report", *more).out)
    found: Told = {}
    for file in report["files"]:
        for layer in file["layers"]:
            for one in layer["verdicts"]:
                target = file["targets"][one["target"]]
                name = f"{target['framework']}@{target['keras']}:{target['backend']}"
                found.setdefault((layer["row"], layer["class_name"]), []).append((name, one["verdict"]))
    return found


def test_an_import_that_may_fail_gives_a_target_for_each_package(run: Command, tmp_path: Path) -> None:
    pins = f"keras=={NEWEST}\ntf_keras=={NEWEST_TF_KERAS}\ntensorflow=={NEWEST_TENSORFLOW}\n"
    write(tmp_path, "requirements.txt", pins)
    legacy, keras_3 = f"tf_keras@{NEWEST_TF_KERAS}:tensorflow", f"keras@{NEWEST}:tensorflow"
    write(tmp_path, "model.py", EITHER)
    assert told(run, "model.py") == {
        (7, "LSTM"): [(legacy, "cudnn"), (keras_3, "cudnn")],
        (8, "GRU"): [(legacy, "fallback"), (keras_3, "fallback")],
    }
    assert run("target", "model.py").out.count("the file uses layers from tf_keras and keras") == 2


@pytest.mark.parametrize("text", [EITHER, SPEC], ids=["try", "find_spec"])
@pytest.mark.parametrize(
    "target", [f"keras@{NEWEST}:tensorflow", f"keras@{NEWEST}:torch", "tf_keras@2.18.0:tensorflow"]
)
def test_the_target_that_is_asked_for_decides_the_import(text: str, target: str, run: Command, tmp_path: Path) -> None:
    write(tmp_path, "model.py", text)
    asked = target.removesuffix(":tensorflow")
    found = told(run, "model.py", "--target", asked)
    assert {name for verdicts in found.values() for name, _ in verdicts} == {target}
    (lstm,) = (verdicts for (_, name), verdicts in found.items() if name == "LSTM")
    assert lstm == [(target, "cudnn")]  # its activation is the same package's


def test_what_the_branches_set_goes_with_the_import(run: Command, tmp_path: Path) -> None:
    write(
        tmp_path,
        "model.py",
        """\
        try:
            from keras.layers import LSTM
            rate = 0.0
        except (ImportError, AttributeError):
            rate = 0.5
            from tf_keras.layers import LSTM
        layer = LSTM(4, recurrent_dropout=rate)
        """,
    )
    found = told(run, "model.py", "--target", f"keras@{NEWEST},tf_keras@{NEWEST_TF_KERAS}")
    both = [(f"keras@{NEWEST}:tensorflow", "cudnn"), (f"tf_keras@{NEWEST_TF_KERAS}:tensorflow", "fallback")]
    assert found == {(7, "LSTM"): both}


def test_another_file_may_decide_the_import(run: Command, tmp_path: Path) -> None:
    write(tmp_path, "pkg/__init__.py")
    write(tmp_path, "pkg/backend.py", "try:\n    import tf_keras as keras\n    OLD = True\n"
          "except ImportError:\n    from tensorflow import keras\n    OLD = False\n")  # fmt: skip
    write(
        tmp_path,
        "pkg/model.py",
        """\
        from .backend import OLD, keras
        def build(units):
            return keras.layers.LSTM(units, activation="tanh" if OLD else "relu")
        build(4)
        """,
    )
    found = told(run, "pkg", "--target", f"keras@{NEWEST},tf_keras@{NEWEST_TF_KERAS}")
    both = [(f"keras@{NEWEST}:tensorflow", "fallback"), (f"tf_keras@{NEWEST_TF_KERAS}:tensorflow", "cudnn")]
    assert found == {(3, "LSTM"): both}


CONSTRUCTORS = json.loads((FOLDER / "constructors.json").read_text(encoding="utf-8"))
#: Layers of the oldest TensorFlow 2 and of both newest Kerases of which releases between them were not asked.
NOT_ASKED = {
    "ActivityRegularization", "AlphaDropout", "AveragePooling2D", "AveragePooling3D", "AvgPool1D", "AvgPool2D",
    "AvgPool3D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "Convolution1D", "Convolution2D",
    "Convolution2DTranspose", "Convolution3D", "Convolution3DTranspose", "Cropping2D", "Cropping3D", "DepthwiseConv2D",
    "GlobalAveragePooling2D", "GlobalAveragePooling3D", "GlobalAvgPool1D", "GlobalAvgPool2D", "GlobalAvgPool3D",
    "GlobalMaxPool2D", "GlobalMaxPool3D", "GlobalMaxPooling2D", "GlobalMaxPooling3D", "InputSpec", "MaxPool2D",
    "MaxPool3D", "MaxPooling3D", "Minimum", "SeparableConv2D", "SeparableConvolution1D", "SeparableConvolution2D",
    "SpatialDropout2D", "SpatialDropout3D", "UpSampling2D", "UpSampling3D", "Wrapper", "ZeroPadding2D", "ZeroPadding3D",
}  # fmt: skip
#: What no Keras is without, besides its layers.
ANYWHERE = """
layers.Input layers.add layers.concatenate layers.dot layers.multiply layers.subtract Input Model Sequential
models.Model models.Sequential models.clone_model models.load_model models.model_from_json
activations backend callbacks constraints initializers layers losses metrics models optimizers regularizers utils
"""


def test_an_import_of_what_every_release_has_does_not_fail(run: Command, tmp_path: Path) -> None:
    common = set.intersection(*(set(record["orders"]) for record in CONSTRUCTORS)) - NOT_ASKED
    names = [*ANYWHERE.split(), *(f"layers.{name}" for name in sorted(common))]
    text = "try:\n    import tf_keras as keras\nexcept ImportError:\n    import keras\nLSTM = keras.layers.LSTM\n"
    for dotted in names:
        module, _, name = f"tf_keras.{dotted}".rpartition(".")
        text += f"try:\n    from {module} import {name}\n    there = True\nexcept ImportError:\n    there = False\n"
        text += f"LSTM(4, unroll=not there)(keras.Input((5, 3)))  # {dotted}\n"
    write(tmp_path, "model.py", text)
    found = told(run, "model.py", "--target", f"tf_keras@{NEWEST_TF_KERAS}")
    lines = text.splitlines()
    sure = {lines[row - 1].split()[-1] for (row, _), ((_, verdict),) in found.items() if verdict == "cudnn"}
    assert {*names} - sure == set()


def test_layers_of_two_packages_are_each_judged_for_their_own(run: Command, tmp_path: Path) -> None:
    write(
        tmp_path,
        "both.py",
        """\
        import keras
        import tf_keras
        a = keras.layers.LSTM(4)
        b = tf_keras.layers.GRU(4)
        """,
    )
    assert told(run, "both.py", "--target", f"keras@{NEWEST},tf_keras@{NEWEST_TF_KERAS}") == {
        (3, "LSTM"): [(f"keras@{NEWEST}:tensorflow", "cudnn")],
        (4, "GRU"): [(f"tf_keras@{NEWEST_TF_KERAS}:tensorflow", "cudnn")],
    }
    (other,) = told(run, "both.py", "--target", f"keras@{NEWEST}")[4, "GRU"]
    assert other[0].startswith("tf_keras@")  # it is never judged for a package that it does not come from


VERSIONS = {
    "startswith": 'tf.__version__.startswith("1.")',
    "first": "int(tf.__version__[0]) < 2",
    "split": 'int(tf.version.VERSION.split(".")[0]) == 1',
    "loose": 'LooseVersion(tf.__version__) < LooseVersion("2.0")',
    "parse": 'version.parse(tf.__version__) < version.parse("2.0.0")',
    "major": "version.Version(tf.__version__).major == 1",
    "tuple": 'tuple(int(part) for part in tf.__version__.split(".")[:2]) < (2, 0)',
    "installed": 'metadata.version("tensorflow") < "2"',
}


@pytest.mark.parametrize("test", VERSIONS.values(), ids=VERSIONS)
@pytest.mark.parametrize(
    "target", [f"keras@{NEWEST}", "keras@2.12", "tensorflow@2.3", "tf_keras@2.21", f"keras@{NEWEST_MINOR}:jax"]
)
def test_a_branch_for_tensorflow_1_is_taken_by_no_target(test: str, target: str, run: Command, tmp_path: Path) -> None:
    write(
        tmp_path,
        "model.py",
        f"""\
        from distutils.version import LooseVersion
        from importlib import metadata
        from packaging import version
        import tensorflow as tf
        if {test}:
            layer = tf.keras.layers.CuDNNLSTM(4)
        else:
            layer = tf.keras.layers.LSTM(4)
        """,
    )
    found = told(run, "model.py", "--target", target)
    assert list(found) == [(8, "LSTM")]
    assert "not built for any of the checked targets: model.py:6:13." in " ".join(run("model.py").out.split())


def test_the_release_decides_the_branch(run: Command, tmp_path: Path) -> None:
    write(
        tmp_path,
        "model.py",
        """\
        import keras
        if keras.__version__ >= "3.9":
            layer = keras.layers.LSTM(4)
        else:
            layer = keras.layers.LSTM(4, recurrent_dropout=0.1)
        """,
    )
    found = told(run, "model.py", "--target", "keras@3.8.0,keras@3.9.0,keras@3.10.0")
    assert found == {
        (3, "LSTM"): [("keras@3.9.0:tensorflow", "cudnn")],
        (5, "LSTM"): [("keras@3.8.0:tensorflow", "fallback"), ("keras@3.10.0:tensorflow", "fallback")],
    }  # "3.10.0" is less than "3.9", as texts go


def test_an_open_release_says_what_changes_where(run: Command, tmp_path: Path) -> None:
    write(
        tmp_path,
        "model.py",
        """\
        import keras
        from packaging.version import Version
        rate = 0.0 if Version(keras.__version__) >= Version("3.7") else 0.1
        layer = keras.layers.LSTM(4, recurrent_dropout=rate)
        """,
    )
    (layer,) = json.loads(run("model.py", "--output-format", "report", "--target", "keras@3.5..<3.9").out)["files"][0][
        "layers"
    ]
    assert layer["verdicts"][0]["verdict"] == "cudnn"
    assert layer["verdicts"][0]["condition"] == "before Keras 3.7.0 it falls back to a loop without cuDNN"


def test_a_tf_keras_that_no_release_fits_is_read_all_the_same(run: Command, tmp_path: Path) -> None:
    """The notebooks of handson-ml3 ask tf.__version__; tf_keras has no release for the TensorFlow that is wanted."""
    text = """\
        import tensorflow as tf
        import tf_keras
        from packaging import version
        assert version.parse(tf.__version__) >= version.parse("2.8.0")
        layer = tf_keras.layers.LSTM(4)
        """
    write(tmp_path, "model.py", text)
    for wanted in ("tensorflow~=2.14.0", "tensorflow>=2.8,<2.15", "tf-keras~=2.14.0", "tensorflow~=2.16.0"):
        write(tmp_path, "requirements.txt", f"{wanted}\n")
        environment.near.cache_clear()
        found = json.loads(run("model.py", "--output-format", "report").out)
        assert [layer["verdicts"][0]["verdict"] for layer in found["files"][0]["layers"]] == ["cudnn"], wanted
        assert "CDN003" not in {one["code"] for one in found["diagnostics"]}


def test_an_open_tensorflow_beneath_a_keras_is_told_by_its_own_release(run: Command, tmp_path: Path) -> None:
    write(
        tmp_path,
        "model.py",
        """\
        import keras
        import tensorflow as tf
        rate = 0.0 if tuple(int(part) for part in tf.__version__.split(".")[:2]) >= (2, 18) else 0.1
        layer = keras.layers.LSTM(4, recurrent_dropout=rate)
        """,
    )
    found = json.loads(run("model.py", "--output-format", "report", "--target", f"keras@{NEWEST}").out)
    assert found["files"][0]["layers"][0]["verdicts"][0]["condition"] == (
        "before TensorFlow 2.18.0 it falls back to a loop without cuDNN"
    )
    assert told(run, "model.py", "--target", f"keras@{NEWEST}:tensorflow@2.19") == {
        (4, "LSTM"): [(f"keras@{NEWEST}:tensorflow", "cudnn")]
    }


def test_the_backend_decides_the_branch(run: Command, tmp_path: Path) -> None:
    write(
        tmp_path,
        "model.py",
        """\
        import keras
        if keras.backend.backend() == "torch":
            layer = keras.layers.LSTM(4)
        else:
            layer = keras.layers.GRU(4)
        """,
    )
    assert told(run, "model.py", "--target", f"keras@{NEWEST}:torch,keras@{NEWEST}:tensorflow") == {
        (3, "LSTM"): [(f"keras@{NEWEST}:torch", "cudnn")],
        (5, "GRU"): [(f"keras@{NEWEST}:tensorflow", "cudnn")],
    }


@pytest.mark.parametrize(
    "head",
    [
        "try:\n    from keras.layers import CuDNNLSTM as Layer\nexcept ImportError:\n"
        "    from keras.layers import LSTM as Layer",
        'import keras\nLayer = keras.layers.CuDNNLSTM if hasattr(keras.layers, "CuDNNLSTM") else keras.layers.LSTM',
    ],
    ids=["try", "hasattr"],
)  # fmt: skip
def test_a_class_that_a_release_lacks_is_not_the_one_that_is_built(head: str, run: Command, tmp_path: Path) -> None:
    write(tmp_path, "model.py", f"{head}\nlayer = Layer(4)\n")
    found = told(run, "model.py", "--target", f"keras@2.8.0,keras@2.15.0,keras@{NEWEST}")
    (verdicts,) = found.values()
    assert [verdict for _, verdict in verdicts] == ["cudnn"] * 3
    found = told(run, "model.py", "--target", "keras@2.8.0")
    assert [name for _, name in found] == ["CuDNNLSTM"]
    found = told(run, "model.py", "--target", f"keras@{NEWEST}")
    assert [name for _, name in found] == ["LSTM"]


def test_a_fix_goes_into_the_branch_that_has_the_fault(run: Command, tmp_path: Path) -> None:
    write(
        tmp_path,
        "model.py",
        """\
        import keras
        if keras.__version__.startswith("3."):
            layer = keras.layers.LSTM(4, unroll=True)
        else:
            layer = keras.layers.LSTM(4, unroll=True)
        """,
    )
    run("model.py", "--fix", "--target", f"keras@{NEWEST}")
    assert (tmp_path / "model.py").read_text().count("unroll=True") == 1
    assert "unroll" not in (tmp_path / "model.py").read_text().splitlines()[2]


def test_a_notebook_is_read_for_each_target_too(run: Command, tmp_path: Path) -> None:
    options = 'kwargs = {"recurrent_activation": "hard_sigmoid"} if tf.__version__ < "2" else {}'
    cells = ["import tensorflow as tf\nprint(tf.__version__)", f"{options}\ntf.keras.layers.LSTM(4, **kwargs)"]
    notebook = {"cells": [{"cell_type": "code", "source": text} for text in cells], "nbformat": 4, "metadata": {}}
    (tmp_path / "book.ipynb").write_text(json.dumps(notebook))
    found = told(run, "book.ipynb", "--target", f"keras@{NEWEST}")
    assert found == {(2, "LSTM"): [(f"keras@{NEWEST}:tensorflow", "cudnn")]}


ASKS_THE_BACKEND = b"""\
import keras
units = 8 if keras.backend.backend() == "jax" else 4
layer = keras.layers.LSTM(units)
"""
ASKS_THE_RELEASE = ASKS_THE_BACKEND.replace(b"backend.backend()", b"__version__")


@pytest.mark.parametrize(("text", "times"), [(ASKS_THE_BACKEND, 2), (ASKS_THE_RELEASE, 2), (b"import keras\n", 1)])
def test_targets_that_answer_alike_are_read_for_once(text: bytes, times: int) -> None:
    names, done = loader.load().tables.names, list[Answers]()

    def of(answers: Answers | None) -> Model:
        assert answers is not None
        done.append(answers)
        return source.read("model.py", text, names, None, answers)

    def answers(backend: str, keras: str) -> Answers:
        return Answers("keras", backend, Version(keras), None, True, None, lambda _: True)

    readings = Readings(of)
    given = [("tensorflow", "3.4.0"), ("tensorflow", "3.5.0"), ("jax", "3.4.0"), ("jax", "3.5.0")]
    found = [readings(answers(*one)) for one in given]
    assert len(done) == times
    assert found == [source.read("model.py", text, names, None, answers(*one)) for one in given]
