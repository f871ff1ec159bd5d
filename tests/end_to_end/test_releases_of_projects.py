"""Which release a file of a project is judged for: its requirements, its Python, and what its modules import."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from newest_releases import NEWEST, NEWEST_TENSORFLOW
from shell_run import Run
from shell_samples import write

MODEL = "m = keras.Sequential([keras.layers.LSTM(4, input_shape=(3, 4))])\n"


def project(folder: Path, run: Callable[..., Run], files: dict[str, str]) -> tuple[str, str]:
    """Return the release that model.py is judged for, as `KERAS` or `KERAS on TENSORFLOW`, and why."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write(folder, name, text)
    report = json.loads(run(".", "--output-format", "report", "--no-cache").out)
    (target,) = next(file["targets"] for file in report["files"] if file["path"].endswith("model.py"))
    return f"{target['framework']} {target['keras']} on {target.get('tensorflow')}", target["origin"]


@pytest.mark.parametrize(
    "files",
    [
        {"compat.py": "from tensorflow import keras\n", "model.py": f"from compat import keras\n{MODEL}"},
        {"model.py": "import keras\nimport tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.LSTM(4)])\n"},
    ],
    ids=["through a module of the project", "beside an import of keras that makes no layer"],
)
def test_layers_decide_which_package_is_judged(tmp_path: Path, run: Callable[..., Run], files: dict[str, str]) -> None:
    found, _ = project(tmp_path, run, {"requirements.txt": "tensorflow==2.1.0\n", **files})
    assert found == "tensorflow 2.1.0 on 2.1.0"


@pytest.mark.parametrize(
    ("files", "keras", "why"),
    [
        ({"pyproject.toml": '[project]\nname = "x"\nrequires-python = "<3.9"\ndependencies = ["tensorflow>=2.4"]\n'},
         "keras 2.13.1 on 2.13.1", "pyproject.toml asks for Python <3.9"),
        ({"setup.py": "setup(python_requires='>=3.6, <3.8', install_requires=['keras'])\n"},
         "keras 2.11.0 on 2.11.0", "setup.py asks for Python >=3.6, <3.8"),
        ({"setup.cfg": "[options]\npython_requires = <3.11\ninstall_requires =\n    keras>=3.0\n"},
         "keras 3.12.4 on None", "setup.cfg asks for Python <3.11"),
        ({"runtime.txt": "python-3.8.10\n", "requirements.txt": "tensorflow\n"},
         "keras 2.13.1 on 2.13.1", "runtime.txt"),
        ({"environment.yml": "dependencies:\n  - python=3.8\n  - tensorflow>=2.6\n"}, "keras 2.13.1 on 2.13.1",
         "environment.yml asks for Python ==3.8.*"),
        ({".python-version": "3.9.2\n", "requirements.txt": "tensorflow>=2.16\n"}, "keras 3.10.0 on 2.20.0",
         ".python-version"),
        ({".python-version": "3.8\n", "setup.py": "from setuptools import setup\nsetup(python_requires='>=3.6')\n"},
         "keras 2.13.1 on 2.13.1", ".python-version"),
        ({"Pipfile": '[requires]\npython_version = "3.8"\n[packages]\ntensorflow = "*"\n'},
         "keras 2.13.1 on 2.13.1", "Pipfile"),
        ({"Dockerfile": "FROM python:3.8-slim\n", "requirements.txt": "tensorflow>2\n"},
         "keras 2.13.1 on 2.13.1", "Dockerfile"),
        ({"pyproject.toml": '[tool.poetry.dependencies]\npython = "~3.8"\ntensorflow = ">=2.4"\n'},
         "keras 2.13.1 on 2.13.1", "pyproject.toml"),
        ({".python-version": "3.8\n", "requirements.txt": "tensorflow==2.15.0\n"}, "keras 2.15.0 on 2.15.0", ""),
        ({".python-version": "3.8\n", "requirements.txt": "tf-keras\ntensorflow\n"}, "keras 2.13.1 on 2.13.1", ""),
        ({"requirements.txt": "tensorflow-gpu\n"}, "keras 2.11.0 on 2.11.0", "requirements.txt"),
        ({"requirements.txt": "tensorflow-gpu>=2.4\n"}, "keras 2.11.0 on 2.11.0", "requirements.txt"),
        ({"requirements.txt": "tensorflow-macos\n"}, "keras 3.15.1 on 2.16.2", "requirements.txt"),
        ({"requirements.txt": "intel-tensorflow\n"}, "keras 2.14.0 on 2.14.0", "requirements.txt"),
        ({"requirements.txt": "tensorflow-directml\n"}, "tensorflow 1.15.5 on 1.15.5", "requirements.txt"),
        ({"requirements.txt": "tensorflow-cpu-aws\n"}, "keras 2.15.0 on 2.15.1", "requirements.txt"),
        ({"requirements.txt": "tensorflow<=2.15.1\n"}, "keras 2.15.0 on 2.15.1", "requirements.txt"),
        ({"requirements.txt": "tensorflow-directml-plugin\n"}, "keras 2.10.0 on 2.10.0", "requirements.txt"),
        ({"requirements.txt": "tensorflow==2.9.1\ntensorflow-directml-plugin\n"}, "keras 2.9.0 on 2.9.1", ""),
    ],
    ids=str,
)  # fmt: skip
def test_an_installer_chooses_what_is_there_for_the_python_and_the_build(
    tmp_path: Path, run: Callable[..., Run], files: dict[str, str], keras: str, why: str
) -> None:
    found, origin = project(tmp_path, run, {"model.py": f"from tensorflow import keras\n{MODEL}", **files})
    assert found == keras
    assert why in origin


@pytest.mark.parametrize(
    ("model", "helpers", "found", "why"),
    [
        (f"import keras\nfrom keras.utils.np_utils import to_categorical\n{MODEL}", "",
         "keras 2.3.1 on None", "uses keras.utils.np_utils, which Keras 2.13.0 and later do not have"),
        (f"import keras\nfrom helpers import gru\n{MODEL}gru(3)\n",
         "from keras.layers.recurrent import GRU\ndef gru(n):\n    return GRU(n)\n",
         "keras 2.3.1 on None", "imports helpers.py, and that uses keras.layers.recurrent, which"),
        (f"import keras\nfrom keras.objectives import mse\nfrom keras.layers.core import Dense\n{MODEL}", "",
         "keras 2.3.1 on None", "uses keras.objectives, which Keras 2.6.0"),
        (f"import keras\nfrom keras.utils import multi_gpu_model\n{MODEL}", "", "keras 2.3.1 on None", "Keras 2.4.0"),
        (f"import keras\nfrom keras.utils.training_utils import multi_gpu_model\n{MODEL}", "", "keras 2.2.4 on None",
         "the newest release before them"),
        (f"import keras\nfrom keras.layers.attention import Attention\n{MODEL}", "", "keras 2.12.0 on 2.12.1",
         "the newest release before them"),
        (f"import keras\nfrom keras.preprocessing.text import Tokenizer\n{MODEL}", "", "keras 2.15.0 on 2.15.1",
         "Keras 3.0.0 and later do not have"),
    ],
    ids=["its own", "of a helper", "the oldest of several", "a name in a package", "older", "later", "any Keras 2"],
)  # fmt: skip
def test_old_imports_choose_the_last_standalone_keras_or_the_newest_that_has_them(
    tmp_path: Path, run: Callable[..., Run], model: str, helpers: str, found: str, why: str
) -> None:
    judged, origin = project(tmp_path, run, {"model.py": model, "helpers.py": helpers})
    assert judged == found
    assert why in origin


FUNCTIONAL = "from tensorflow import keras\nimport tensorflow as tf\n" + MODEL


@pytest.mark.parametrize(
    ("text", "found", "why"),
    [
        (f"import keras\nimport tensorflow as tf\ntf.Session()\n{MODEL}", "keras 2.3.1 on 1.15.5",
         "uses tensorflow.Session, which TensorFlow 2.0.0 and later do not have: the last Keras that had its own"),
        (f"{FUNCTIONAL}tf.placeholder()\n", "tensorflow 1.15.5 on 1.15.5", "the newest release before them"),
        (f"from keras import backend as K\nimport keras\nK.set_session(1)\n{MODEL}", "keras 2.3.1 on None",
         "keras.backend.set_session"),
        (f"{FUNCTIONAL}m.fit_generator(1)\n", "keras 2.15.0 on 2.15.1",
         "uses Model.fit_generator(), which Keras 3.0.0 and later do not have: the newest release before them"),
        (f"{FUNCTIONAL}m.predict_classes(1)\n", "tensorflow 2.5.3 on 2.5.3", "the newest release before them"),
        (f"import keras\n{MODEL}m.fit_generator(1, samples_per_epoch=3)\n", "keras 2.3.1 on None",
         "Model.fit_generator(samples_per_epoch)"),
        (f"{FUNCTIONAL}from tensorflow.keras.optimizers import Adam as A\nm.compile(A(lr=1))\n",
         "keras 2.15.0 on 2.15.1", "tensorflow.keras.optimizers.*(lr)"),
        ("import keras\nm = keras.Sequential([keras.layers.CuDNNGRU(4)])\nm.compile(keras.optimizers.Adam(lr=1))\n",
         "keras 2.3.1 on 1.15.5", "keras.layers.CuDNNGRU"),
        (f"import keras\nkeras.layers.Convolution1D(nb_filter=3)\n{MODEL}", "keras 2.3.1 on None",
         "keras.layers.*(nb_filter)"),
        (f"import numpy as np, keras.backend as K\nimport keras\ndef loss(y, z):\n    return K.sum(y - z)\n{MODEL}",
         "keras 2.15.0 on 2.15.1", "keras.backend.sum, which Keras 3.0.0 and later do not have"),
        (f"{FUNCTIONAL}tf.keras.layers.experimental.preprocessing.StringLookup()\n", "keras 2.15.0 on 2.15.1",
         "tensorflow.keras.layers.experimental, which TensorFlow 2.16.0 and later do not have"),
        (f"{FUNCTIONAL}cell = tf.keras.experimental.PeepholeLSTMCell(3)\n", "keras 2.8.0 on 2.8.4",
         "tensorflow.keras.experimental.PeepholeLSTMCell"),
        (f"{FUNCTIONAL}from tensorflow.keras import backend as K\nK.set_learning_phase(0)\n", "keras 2.15.0 on 2.15.1",
         "tensorflow.keras.backend.set_learning_phase"),
        ("from keras.preprocessing.text import Tokenizer\ntry:\n    from keras.layers import CuDNNLSTM as LSTM\n"
         f"except:\n    from keras.layers import LSTM\nimport keras\n{MODEL}m.add(LSTM(3))\n", "keras 2.15.0 on 2.15.1",
         "keras.preprocessing.text, which Keras 3.0.0"),
        (f"{FUNCTIONAL}tf.train.AdamOptimizer(1)\n", "tensorflow 1.15.5 on 1.15.5", "tensorflow.train.AdamOptimizer"),
        (f"{FUNCTIONAL}tf.keras.utils.multi_gpu_model(m, 2)\n", "tensorflow 2.3.4 on 2.3.4", "multi_gpu_model"),
        (f"import numpy as np, tensorflow_addons as tfa\n{FUNCTIONAL}", "keras 2.15.0 on 2.15.1",
         "tensorflow_addons, which does not run with TensorFlow 2.16.0 and later"),
        (f"import keras\nfrom keras_contrib.layers import CRF\n{MODEL}", "keras 2.3.1 on None",
         "keras_contrib.layers.CRF, which does not run with Keras 2.4.0 and later"),
        (f"import keras\nimport keras_contrib.layers as more\n{MODEL}", "keras 2.15.0 on 2.15.1", "uses keras_contrib"),
        (f"import keras\nimport theano.tensor as T\n{MODEL}", "keras 2.3.1 on None",
         "the program is for theano, which does not run with Keras 2.4.0 and later"),
        (f"import os\nos.environ['KERAS_BACKEND'] = 'cntk'\nimport keras\n{MODEL}", "keras 2.3.1 on None",
         "the program is for cntk"),
        *((f"import tensorflow as tf\nif {test}:\n    {then}\nfrom tensorflow.keras.layers import AbstractRNNCell\n"
           f"{FUNCTIONAL}", "keras 2.15.0 on 2.15.1", "AbstractRNNCell")
          for test, then in (("tf.__version__ < '2.0.0'", "raise ImportError"),
                             ("tf.__version__[0] == '2'", "print(2)"),
                             ("int(tf.__version__.split('.')[0]) < 2", "from tensorflow.contrib import rnn"))),
    ],
    ids=lambda given: given[-40:],
)  # fmt: skip
def test_a_name_or_keyword_that_releases_have_dropped_bounds_the_release(
    tmp_path: Path, run: Callable[..., Run], text: str, found: str, why: str
) -> None:
    judged, origin = project(tmp_path, run, {"model.py": text})
    assert judged == found
    assert why in origin


@pytest.mark.parametrize(
    "text",
    [
        f"{FUNCTIONAL}try:\n    tf.Session()\nexcept AttributeError:\n    tf.compat.v1.Session()\n",
        "import keras\nm = keras.models.Sequential([keras.layers.CuDNNGRU(4)])\n",
        "import keras\nm = keras.layers.LSTM(output_dim=3, inner_init='uniform')\n",
        f"{FUNCTIONAL}import torch\ntorch.optim.Adam([], lr=1)\n",
        f"{FUNCTIONAL}import theano\n",
        f"import keras\ntry:\n    import theano\nexcept ImportError:\n    pass\n{MODEL}",
        f"{FUNCTIONAL}def train(nb_epoch=3):\n    m.fit(1, epochs=nb_epoch)\n",
        f"{FUNCTIONAL}class Own:\n    def fit_generator(self):\n        pass\nOwn().fit_generator()\n",
        f"{FUNCTIONAL}# m.fit_generator(1) and tf.Session() are old\n'tf.placeholder()'\n",
        f"{FUNCTIONAL}import tensorflow.compat.v1 as v1\nv1.Session()\n",
        f"import keras\n{MODEL}import tf_keras\nm.fit(lr=3)\nm.Session()\n",
        f"try:\n    from keras import ops as K\nexcept ImportError:\n    from keras import backend as K\nK.sum(1)\n"
        f"import keras\n{MODEL}",
        f"import keras\nfrom keras import backend as K\nK.floatx(), K.clear_session()\n{MODEL}",
        f"{FUNCTIONAL}from tensorflow.keras import backend as K\nK.sum(1)\n",
        "try:\n    from keras.layers.recurrent import GRU\nexcept ImportError:\n    from keras.layers import GRU\n"
        "import keras\nm = keras.models.Sequential([GRU(4)])\n",
    ],
    ids=lambda given: given[-40:],
)
def test_a_name_that_is_not_certainly_the_old_one_bounds_nothing(
    tmp_path: Path, run: Callable[..., Run], text: str
) -> None:
    judged, _ = project(tmp_path, run, {"model.py": text})
    assert judged.startswith(f"keras {NEWEST}")


CUDNN = "import keras\nm = keras.models.Sequential([keras.layers.CuDNNGRU(4)])\n"
RECURRENT = f"import keras\nfrom keras.layers.recurrent import GRU\n{MODEL}"


@pytest.mark.parametrize(
    ("requirements", "text", "found", "why"),
    [
        ("tensorflow>=1.12", CUDNN, "keras 2.3.1 on 1.15.5", "keras.layers.CuDNNGRU, which Keras 2.13.0 and later"),
        ("keras>=2.0", CUDNN, "keras 2.3.1 on 1.15.5", "the last Keras that had its own layers is assumed"),
        ("tensorflow>=2.0", CUDNN, "keras 2.12.0 on 2.12.1", "the newest release before them is assumed"),
        ("keras>=2.6\ntensorflow", CUDNN, "keras 2.12.0 on 2.12.1", "the newest release before them is assumed"),
        ("keras==2.2.4\ntensorflow>=1.12", CUDNN, "keras 2.2.4 on 1.15.5", "the newest release before them is assumed"),
        ("tensorflow>=2.16", CUDNN, f"keras {NEWEST} on {NEWEST_TENSORFLOW}", "from requirements.txt; checked for"),
        ("keras==3.8.0", CUDNN, "keras 3.8.0 on None", "from requirements.txt"),
        ("tensorflow>=1.12", FUNCTIONAL + "m = keras.layers.CuDNNLSTM(4)\n", "tensorflow 1.15.5 on 1.15.5",
         "tensorflow.keras.layers.CuDNNLSTM"),
        ("keras>=2.0", RECURRENT, "keras 2.3.1 on None", "the last Keras that had its own layers is assumed"),
        ("keras>=2.6", RECURRENT, "keras 2.8.0 on 2.8.4", "the newest release before them is assumed"),
        ("tensorflow>=1.12", RECURRENT, "keras 2.3.1 on 2.1.4", "the last Keras that had its own layers is assumed"),
        ("keras>=2.0", f"import keras\nimport tensorflow as tf\ntf.Session()\n{MODEL}", "keras 2.3.1 on 1.15.5",
         "tensorflow.Session"),
        ("tensorflow>=2.0", f"{FUNCTIONAL}m.fit_generator(1)\n", "keras 2.15.0 on 2.15.1", "Model.fit_generator()"),
        ("tensorflow==2.17.0", f"{FUNCTIONAL}m.fit_generator(1)\n", f"keras {NEWEST} on 2.17.0",
         "from requirements.txt; checked for"),
    ],
    ids=str,
)  # fmt: skip
def test_an_open_requirement_is_judged_for_the_newest_release_that_has_what_the_file_uses(
    tmp_path: Path, run: Callable[..., Run], requirements: str, text: str, found: str, why: str
) -> None:
    judged, origin = project(tmp_path, run, {"requirements.txt": f"{requirements}\n", "model.py": text})
    assert judged == found
    assert why in origin


def test_an_open_tensorflow_has_standalone_keras_beside_it_until_that_hands_on_its_own(
    tmp_path: Path, run: Callable[..., Run]
) -> None:
    write(tmp_path, "model.py", f"import keras\n{MODEL}")
    write(tmp_path, "requirements.txt", "tensorflow>=1.12\n")
    report = json.loads(run(".", "--output-format", "report", "--no-cache").out)
    (layer,) = report["files"][0]["layers"]
    assert layer["verdicts"][0]["condition"].startswith("before Keras 2.4.0 and from Keras 3.0.0 to before 3.0.1 it")


def test_an_open_keras_says_nothing_of_standalone_keras_where_the_layers_are_those_of_tensorflow(
    tmp_path: Path, run: Callable[..., Run]
) -> None:
    write(tmp_path, "model.py", FUNCTIONAL)
    write(tmp_path, "requirements.txt", "keras>=2.0\n")
    report = json.loads(run(".", "--output-format", "report", "--no-cache").out)
    (layer,) = report["files"][0]["layers"]
    assert layer["verdicts"][0]["condition"].startswith("before TensorFlow 2.0.0 and from Keras 3.0.0 to before 3.0.1")


LEGACY = 'import os\nos.environ["TF_USE_LEGACY_KERAS"] = "1"\n'
BUILD = "import tensorflow as tf\ndef build():\n    return tf.keras.Sequential([tf.keras.layers.LSTM(4)])\n"
PROGRAM = "if __name__ == '__main__':\n    build()\n"
CALL = "import model\nmodel.build()\n"
MADE = "from tensorflow import keras\nm = keras.Sequential([keras.layers.LSTM(4)])\n"
FIT = "from model import m\nm.fit(1)\n"


@pytest.mark.parametrize(
    ("files", "framework", "why"),
    [
        ({"pkg/__init__.py": LEGACY, "pkg/model.py": BUILD}, "tf_keras", ""),
        ({"main.py": LEGACY + CALL, "model.py": BUILD}, "tf_keras", ""),
        ({"main.py": LEGACY + CALL, "other.py": CALL, "model.py": BUILD}, "keras",
         "(TF_USE_LEGACY_KERAS) is set in main.py, and not so in other.py"),
        ({"main.py": f"{LEGACY}# trains an LSTM\n{CALL}", "model.py": BUILD + PROGRAM},
         "keras", "is set in main.py, and not so in model.py"),
        ({"main.py": LEGACY + FIT, "model.py": MADE}, "tf_keras", ""),
        ({"main.py": LEGACY + "import train\n", "train.py": FIT, "model.py": MADE}, "tf_keras", ""),
        ({"sweep.py": "import train\n", "train.py": LEGACY + FIT, "model.py": MADE}, "tf_keras", ""),
        ({"main.py": LEGACY + FIT, "score.py": FIT, "model.py": MADE}, "keras",
         "(TF_USE_LEGACY_KERAS) is set in main.py, and not so in score.py"),
        ({"main.py": f"from model import m\n{LEGACY}m.fit(1)\n", "model.py": MADE}, "keras", ""),
        ({"main.py": f"from shapes import *\n{LEGACY}{FIT}", "shapes.py": "from tensorflow import keras\n",
          "model.py": MADE}, "keras", ""),
        ({"model.py": f"from tensorflow.keras.layers import *\n{LEGACY}m = LSTM(4)\n"}, "keras", ""),
        ({"main.py": LEGACY, "model.py": MADE}, "keras", ""),
    ],
    ids=["its package", "the program", "one of two programs", "another program than itself",
         "the program that imports it", "through a module", "in a module that a program imports",
         "one of two that import it", "too late", "too late for a module with all its names", "too late for all names",
         "a program that does not import it"],
)  # fmt: skip  # fmt: skip
def test_a_switch_counts_wherever_it_is_set_before_the_layers_are_made(
    tmp_path: Path, run: Callable[..., Run], files: dict[str, str], framework: str, why: str
) -> None:
    found, origin = project(tmp_path, run, {"requirements.txt": "tensorflow==2.17.0\n", **files})
    assert found.split()[0] == framework
    assert why in origin


@pytest.mark.parametrize(
    ("package", "said"), [("keras", "before Keras 2.4.0"), ("tensorflow", "before TensorFlow 2.0.0")]
)
def test_where_standalone_keras_ends_the_condition_names_that_package(
    tmp_path: Path, run: Callable[..., Run], package: str, said: str
) -> None:
    text = f"import {package}\nm = {'keras' if package == 'keras' else 'tensorflow.keras'}.layers.LSTM(4)\n"
    write(tmp_path, "model.py", text)
    write(tmp_path, "requirements.txt", f"{package}<2.7\n")
    report = json.loads(run(".", "--output-format", "report", "--no-cache").out)
    (layer,) = report["files"][0]["layers"]
    assert said in layer["verdicts"][0]["condition"]


TF_MODEL = "import tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.LSTM(4)])\n"
METADATA = "Metadata-Version: 2.1\nName: x\nVersion: 1.0\nRequires-Dist: tensorflow (==2.8.0)\n\nRequires-Dist: keras\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tox.ini", "[testenv]\ndeps =\n    pytest\n    tf: tensorflow==2.8.0\ncommands = pytest\n"),
        ("noxfile.py", "@nox.session\ndef tests(session):\n    session.install('pytest', 'tensorflow==2.8.0')\n"),
        (".github/workflows/test.yml", "    - run: |\n        pip install x\n        pip install tensorflow==2.8.0\n"),
        (".gitlab-ci.yml", "  script:\n    - python -m pip install 'tensorflow==2.8.0'\n"),
        ("azure-pipelines.yml", "- script: pip install tensorflow-cpu==2.8.0 && pytest\n"),
        (".travis.yml", "install:\n  - pip install numpy \\\n      tensorflow==2.8.0\n"),
        ("Makefile", "install:\n\tpip3 install tensorflow==2.8.0\n"),
        ("install.sh", "# pip install tensorflow\ncd x ; pip install tensorflow-gpu==2.8.0\n"),
        ("PKG-INFO", METADATA),
        ("x-1.0.dist-info/METADATA", METADATA),
        ("x.egg-info/requires.txt", "numpy\ntensorflow==2.8.0\n\n[plots]\nmatplotlib\n"),
    ],
)  # fmt: skip
def test_what_commands_install_and_a_built_package_asks_for_counts(
    tmp_path: Path, run: Callable[..., Run], name: str, text: str
) -> None:
    found, origin = project(tmp_path, run, {name: text, "model.py": TF_MODEL})
    assert (found, origin) == ("keras 2.8.0 on 2.8.0", f"from {name}")


@pytest.mark.parametrize(
    "files",
    [
        {"tox.ini": "[testenv]\ndeps =\n    old: tensorflow==2.8.0\n    new: tensorflow\n"},
        {".travis.yml": "  - pip install tensorflow==2.8.0\n  - pip install tensorflow==$TENSORFLOW\n"},
        {"x-1.0.dist-info/METADATA": METADATA, "y-1.0.dist-info/METADATA": METADATA.replace("2.8.0", "2.9.0")},
    ],
)
def test_what_is_installed_in_several_ways_says_nothing(
    tmp_path: Path, run: Callable[..., Run], files: dict[str, str]
) -> None:
    found, _ = project(tmp_path, run, {**files, "model.py": TF_MODEL})
    assert found == project(tmp_path / "plain", run, {"model.py": TF_MODEL})[0]


def test_what_commands_install_is_weaker_than_what_the_project_asks_for(
    tmp_path: Path, run: Callable[..., Run]
) -> None:
    files = {"requirements.txt": "tensorflow==2.9.0\n", "sub/tox.ini": "[testenv]\ndeps = tensorflow==2.8.0\n"}
    found, origin = project(tmp_path, run, {**files, "sub/model.py": TF_MODEL})
    assert (found, origin) == ("keras 2.9.0 on 2.9.0", "from requirements.txt")


BUILD = "def build():\n    return keras.Sequential([keras.layers.LSTM(4, input_shape=(3, 4))])\n"
TRAIN = "from keras.utils import np_utils\nimport model\nnp_utils.to_categorical(model.build().predict([]))\n"
OLD, WHY = "keras 2.3.1 on None", "train.py imports the file, and uses keras.utils.np_utils, which Keras 2.13.0"


@pytest.mark.parametrize(
    ("files", "found", "why"),
    [
        ({"train.py": TRAIN}, OLD, WHY),
        ({"train.py": f"# -*- coding: utf-8 -*-\n{TRAIN.replace('model', 'nets')}", "nets.py": "from model import *\n"},
         OLD, WHY),
        ({"train.py": "import model\nmodel.build().fit_generator(0)\n"}, "keras 2.15.0 on 2.15.1",
         "train.py imports the file, and uses Model.fit_generator()"),
        ({"train.py": TRAIN, "other.py": "import keras\nimport model\n"}, OLD, WHY),
        ({"train.py": TRAIN, "requirements.txt": "keras==2.12.0\n"}, "keras 2.12.0 on 2.12.1", "requirements.txt"),
        ({"train.py": TRAIN, "requirements.txt": "keras>=2.6\n"}, "keras 2.12.0 on 2.12.1", WHY),
        ({"train.py": TRAIN.replace("import model\n", ""), "other.py": "import model\n"}, f"keras {NEWEST} on ",
         "newest"),
        ({"train.py": f"import keras\nif keras.__version__ < '3':\n    {TRAIN.replace(chr(10), '; ')}\n"},
         f"keras {NEWEST} on ", "newest"),
    ],
    ids=["imported", "through another file", "by a method", "by two", "pinned", "open", "not imported", "asked for"],
)  # fmt: skip
def test_what_imports_a_file_says_for_which_keras_it_is(
    tmp_path: Path, run: Callable[..., Run], files: dict[str, str], found: str, why: str
) -> None:
    judged, origin = project(tmp_path, run, {"model.py": f"import keras\n{BUILD}", **files})
    assert judged.startswith(found)
    assert why in origin


def test_what_a_script_names_itself_comes_before_what_its_project_asks_for(
    tmp_path: Path, run: Callable[..., Run]
) -> None:
    block = '# /// script\n# dependencies = [\n#   "tensorflow==2.1.0",\n# ]\n# ///\n'
    files = {"requirements.txt": "tensorflow==2.18.0\n", "model.py": block + TF_MODEL}
    assert project(tmp_path, run, files) == ("tensorflow 2.1.0 on 2.1.0", "from what the script asks for")


IN_NOTEBOOK = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
CELLS = [{**IN_NOTEBOOK, "source": TRAIN.splitlines(keepends=True)}]
NOTEBOOK = json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


@pytest.mark.parametrize(
    ("files", "checked", "found"),
    [
        ({"train.py": TRAIN, "model.py": f"import keras\n{BUILD}"}, "model.py", OLD),
        ({"train.py": TRAIN.replace("import model", "from nets import model"), "nets/__init__.py": "",
          "nets/model.py": f"import keras\n{BUILD}"}, "nets/model.py", OLD),
        ({"train.py": TRAIN.replace("model", "nets"), "nets.py": "from model import *\n",
          "model.py": f"import keras\n{BUILD}"}, "model.py", OLD),
        ({"train.ipynb": NOTEBOOK, "model.py": f"import keras\n{BUILD}"}, "model.py", OLD),
        ({"train.py": TRAIN.replace("import model", "import others as model"), "model.py": f"import keras\n{BUILD}"},
         "model.py", f"keras {NEWEST} on "),
    ],
    ids=["beside it", "above it", "through another file", "a notebook", "not imported"],
)  # fmt: skip
def test_a_file_is_judged_alone_for_the_release_that_it_is_judged_for_with_its_project(
    tmp_path: Path, run: Callable[..., Run], files: dict[str, str], checked: str, found: str
) -> None:
    judged, origin = project(tmp_path, run, files)
    (file,) = json.loads(run(checked, "--output-format", "report", "--no-cache").out)["files"]
    assert judged.startswith(found)
    assert file["targets"][0]["origin"] == origin
