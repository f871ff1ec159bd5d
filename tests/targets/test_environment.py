"""Which target a file is judged for where no option says it, and the reason that is given."""

from __future__ import annotations

import json
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from newest_releases import NEWEST, NEWEST_MINOR, NEWEST_TF_KERAS
from shell_samples import write

from cudnnlint.core.fact import Assumed, Unknown
from cudnnlint.core.layer import FileHints
from cudnnlint.core.target import Target
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment
from cudnnlint.targets.environment import Pins, RequestedTargets
from cudnnlint.targets.releases import Releases

KERAS = FileHints(imports=frozenset({"keras"}))
TENSORFLOW = FileHints(imports=frozenset({"tensorflow"}))
TF_KERAS = FileHints(framework="tf_keras", imports=frozenset({"tf_keras", "tensorflow"}))


@pytest.fixture(scope="module")
def known() -> Releases:
    return environment.releases(loader.load().tables)


@pytest.fixture(autouse=True)
def _anew() -> None:
    environment.near.cache_clear()


def decide(folder: Path, known: Releases, hints: FileHints = KERAS, *asked: str) -> tuple[Target, ...]:
    return environment.decide(RequestedTargets(asked, "--target") if asked else None, hints, folder, known)


def one(folder: Path, known: Releases, hints: FileHints = KERAS, *asked: str) -> str:
    (target,) = decide(folder, known, hints, *asked)
    assert target.origin
    return str(target)


def locked(**versions: str) -> str:
    return "".join(f'[[package]]\nname = "{name}"\nversion = "{version}"\n' for name, version in versions.items())


@pytest.mark.parametrize(
    ("name", "text", "meant"),
    [
        ("uv.lock", locked(keras="3.8.0", tensorflow="2.18.1"), "keras@3.8.0:tensorflow@2.18.1"),
        ("uv.lock", locked(keras="3.14.1", torch="2.9.0"), "keras@3.14.1:torch"),
        ("poetry.lock", '[[package]]\nname = "keras"\nversion = "2.12.0"\n', "keras@2.12.0"),
        ("Pipfile.lock", json.dumps({"default": {"keras": {"version": "==3.9.2"}, "jax": {"version": "==0.5"}}}),
         "keras@3.9.2:jax"),
        ("requirements.txt", "numpy\nkeras==3.4.1  # pinned\ntensorflow-cpu==2.17.0 ; sys_platform == 'linux'\n",
         "keras@3.4.1:tensorflow@2.17.0"),
        ("requirements.txt", "Keras>=3.4,<3.9\n", "keras@3.8.0:tensorflow"),
        ("requirements.txt", "keras~=3.8.0\n", "keras@3.8.0:tensorflow"),
        ("requirements.txt", "keras>=3.5\n", "keras@3.15.1:tensorflow"),
        ("requirements-gpu.txt", "-r base.txt\n--index-url https://example.org\ntensorflow==2.12.1\n", "keras@2.12.0"),
        ("requirements.txt", "tensorflow==2.4.1\n", "tensorflow@2.4.1"),
        ("requirements.txt", "tensorflow>=2.12,<2.16\n", "keras@2.15.0"),
        ("requirements.txt", "tensorflow[and-cuda]==2.16.1\nkeras==3.4.1 \\\n    --hash=sha256:00\n",
         "keras@3.4.1:tensorflow@2.16.1"),
        ("requirements.txt", "keras==3.16.2\n", "keras@3.16.2:tensorflow"),
        ("pdm.lock", locked(keras="2.13.1", tensorflow="2.13.0"), "keras@2.13.1"),
        ("pylock.toml", '[[packages]]\nname = "keras"\nversion = "3.8.0"\n', "keras@3.8.0:tensorflow"),
        ("pyproject.toml", '[project.optional-dependencies]\ngpu = ["tensorflow==2.15.*"]\n', "keras@2.15.0"),
        ("requirements.txt", "tensorflow~=2.15.0\n", "keras@2.15.0"),
        ("environment.yml", "dependencies: [python=3.11, keras=3.8, jax]\n", "keras@3.8.0:jax"),
        ("pyproject.toml", '[project]\nname = "x"\ndependencies = ["keras==3.10.0", "jax"]\n', "keras@3.10.0:jax"),
        ("pyproject.toml", '[dependency-groups]\ndev = ["keras==3.10.0"]\n', "keras@3.10.0:tensorflow"),
        ("pyproject.toml", '[tool.poetry.dependencies]\nkeras = "^3.4"\n', "keras@3.15.1:tensorflow"),
        ("pyproject.toml", '[tool.poetry.dependencies]\nkeras = {version = "~3.9"}\n', "keras@3.9.2:tensorflow"),
        ("environment.yml", "dependencies:\n  - python=3.11\n  - pip:\n    - keras==3.6.0\n", "keras@3.6.0:tensorflow"),
        ("environment.yml", "dependencies:\n  - conda-forge::tensorflow=2.12.1=cpu_py310\n", "keras@2.12.0"),
        ("requirements.in", "tensorflow==2.15.*\n", "keras@2.15.0"),
        ("Dockerfile", "FROM tensorflow/tensorflow:2.8.0-gpu\nRUN pip install numpy\n", "keras@2.8.0"),
        ("Dockerfile", "FROM python:3.10\nRUN apt-get update && \\\n    pip3 install -q \\\n    # the model\n"
         "    'keras<2.12' tensorflow==2.11.1\n", "keras@2.11.0"),
        ("Dockerfile.gpu", "ARG TF=2.4.1\nFROM --platform=linux/amd64 tensorflow/tensorflow:${TF}-gpu AS base\n"
         "FROM base as final\nCMD python train.py\n", "tensorflow@2.4.1"),
        ("docker/Dockerfile", "FROM tensorflow/tensorflow:2.4.1\nRUN python -m pip install -U tensorflow-gpu==2.9.1\n",
         "keras@2.9.0"),
        ("Dockerfile", "FROM tensorflow/tensorflow:2.4.1 AS old\nFROM python:3.12\n"
         'RUN ["pip", "install", "keras==3.8.0", "jax"]\n', "keras@3.8.0:tensorflow"),
        ("environment.yml", "dependencies:\n  - keras=3.6\n  - pytorch\n", "keras@3.6.0:torch"),
        ("requirements/base.txt", "keras==3.6.0\n", "keras@3.6.0:tensorflow"),
        ("dev-requirements.txt", "keras==3.6.0\n", "keras@3.6.0:tensorflow"),
        ("requirements.txt", "intel-tensorflow==2.13.0\n", "keras@2.13.1"),
        ("requirements.txt", "https://example.org/tensorflow_gpu-2.6.0-cp36-cp36m-linux_x86_64.whl\n", "keras@2.6.0"),
        ("requirements.txt", "tensorflow @ https://example.org/tensorflow-2.6.0-cp36-cp36m-linux_x86_64.whl#sha256=0\n",
         "keras@2.6.0"),
    ],
)  # fmt: skip
def test_a_lock_file_or_requirement_decides(name: str, text: str, meant: str, tmp_path: Path, known: Releases) -> None:
    write(tmp_path, name, text)
    folder = tmp_path / "src" / "models"
    folder.mkdir(parents=True)
    (target,) = decide(folder, known)
    assert str(target) == meant
    assert name in target.origin


#: The names under which builds of a package are published, on the package index and by conda.
BUILDS = {
    "keras-nightly==3.8.0": "keras@3.8.0:tensorflow", "tf-keras==2.17.0": "tf_keras@2.17.0",
    "tf-keras-nightly==2.17.0": "tf_keras@2.17.0",
    **{f"{name}==2.12.0": "keras@2.12.0" for name in (
        "tensorflow", "tensorflow-cpu", "tensorflow-gpu", "tf-nightly", "tf-nightly-cpu", "tf-nightly-gpu",
        "tensorflow-base", "tensorflow-mkl", "tensorflow-eigen", "tensorflow-macos", "tensorflow-intel",
        "tensorflow-aarch64", "tensorflow-cpu-aws", "intel-tensorflow", "intel-tensorflow-avx512",
        "nvidia-tensorflow", "tensorflow-rocm", "tensorflow-directml")},
    "keras==3.8.0\npytorch==2.5": "keras@3.8.0:torch", "keras==3.8.0\njax==0.5": "keras@3.8.0:jax",
}  # fmt: skip


@pytest.mark.parametrize("text", BUILDS, ids=lambda text: text.replace("\n", " "))
def test_a_build_by_another_name_decides_as_the_package_does(text: str, tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "requirements.txt", f"{text}\n")
    hints = TF_KERAS if text.startswith("tf-keras") else KERAS
    assert one(tmp_path, known, hints) == BUILDS[text]


@pytest.mark.parametrize(
    ("name", "text", "gpu"),
    [
        ("requirements.txt", "tensorflow==2.18\ntensorflow-metal\n", "metal"),
        ("requirements.txt", "tensorflow-macos==2.12.0\n", "metal"),
        ("requirements.txt", "tensorflow-cpu==2.10\ntensorflow-directml-plugin\n", "directml"),
        ("requirements.txt", "tensorflow_directml==1.15.8\n", "directml"),
        ("Pipfile", "[packages]\ntensorflow = '*'\ntensorflow-metal = '*'\n", "metal"),
        ("pyproject.toml", '[project]\ndependencies = ["tensorflow==2.18", "tensorflow-metal"]\n', "metal"),
        ("environment.yml", "dependencies:\n  - pip:\n    - tensorflow-macos==2.12\n", "metal"),
        ("requirements.txt", "tensorflow==2.18\ntensorflow-metal; sys_platform == 'darwin'\n", None),
        ("requirements.txt", "tensorflow==2.18\ntensorflow-metal\nnvidia-cudnn-cu12\n", None),
        ("requirements.txt", "tensorflow-macos==2.10\ntensorflow-directml-plugin\n", None),
        ("requirements.txt", "tensorflow-gpu==2.10\n", None),
        ("pyproject.toml", '[project]\ndependencies = ["tensorflow"]\n'
         '[project.optional-dependencies]\nmac = ["tensorflow-metal"]\n', None),
        ("pyproject.toml", "[tool.poetry.dependencies]\ntensorflow = '2.17.0'\n"
         "tensorflow-metal = {version = '1.1', markers = \"sys_platform == 'darwin'\"}\n", None),
        ("setup.py", "from setuptools import setup\nsetup(install_requires=['tensorflow-metal'])\n", None),
        ("uv.lock", locked(tensorflow="2.18.0") + locked(**{"tensorflow-metal": "1.2.0"}), None),
    ],
)  # fmt: skip
def test_requirements_for_every_machine_name_its_gpu(
    name: str, text: str, gpu: str | None, tmp_path: Path, known: Releases
) -> None:
    write(tmp_path, name, text)
    (target,) = decide(tmp_path, known, TENSORFLOW)
    assert (target.gpu.value if isinstance(target.gpu, Assumed) else target.gpu) == gpu
    (asked,) = decide(tmp_path, known, TENSORFLOW, "tensorflow@2.18")
    assert asked.gpu is None


def test_what_a_notebook_installs_comes_before_what_its_project_asks_for(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "requirements.txt", "tensorflow==2.18.0\ntensorflow-metal\n")
    hints = replace(TENSORFLOW, installs=("pandas==1.0", "tensorflow-gpu==2.1"))
    (target,) = decide(tmp_path, known, hints)
    assert (str(target), target.origin) == ("tensorflow@2.1.0", "from what the notebook installs")
    assert target.gpu is None
    assert one(tmp_path, known, replace(TENSORFLOW, installs=("tensorflow<2",))) == "tensorflow@1.15.5"
    assert one(tmp_path, known, hints, "keras@3.8.0:tensorflow") == "keras@3.8.0:tensorflow"


def test_rocm_puts_miopen_in_the_place_of_cudnn_so_nothing_is_known(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "requirements.txt", "tensorflow-rocm==2.16.1\nkeras==3.5.0\n")
    (target,) = decide(tmp_path, known)
    assert isinstance(target.gpu, Unknown)
    assert "MIOpen" in target.gpu.because


def test_requirements_include_others_and_no_circle_hangs(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "requirements.txt", "-r requirements/gpu.txt\n-c requirements.txt\n")
    write(tmp_path, "requirements/gpu.txt", "--requirement base.txt\n-r missing.txt\n")
    write(tmp_path, "requirements/base.txt", "keras==3.2.1\n")
    assert one(tmp_path, known) == "keras@3.2.1:tensorflow"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_requirements_that_windows_wrote_are_read(encoding: str, tmp_path: Path, known: Releases) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    (tmp_path / "requirements.txt").write_bytes(f"{mark}numpy\r\nkeras==3.2.1\r\n".encode(encoding))
    assert one(tmp_path, known) == "keras@3.2.1:tensorflow"


def test_a_release_newer_than_the_tables_is_named_as_assumed(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "uv.lock", locked(keras="3.99.1"))
    (target,) = decide(tmp_path, known)
    assert target.origin == f"from uv.lock; newer than {NEWEST}, the newest known release, so its verdicts are assumed"


def test_a_tensorflow_newer_than_the_tables_is_named_as_assumed(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "uv.lock", locked(keras=NEWEST, tensorflow="2.99.0"))
    (target,) = decide(tmp_path, known)
    newest = known.known["tensorflow"][-1]
    assert f"newer than TensorFlow {newest}, the newest known release, so its verdicts are assumed" in target.origin
    assert not target.certain


def test_the_lock_file_beats_what_the_requirements_ask_for(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "pyproject.toml", '[project]\nname = "x"\ndependencies = ["keras>=3"]\n')
    write(tmp_path, "uv.lock", '[[package]]\nname = "keras"\nversion = "3.2.1"\n')
    assert one(tmp_path, known) == "keras@3.2.1:tensorflow"


def test_the_nearest_folder_decides_and_none_above_the_repository(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "requirements.txt", "keras==3.1.1\n")
    write(tmp_path, "inner/requirements.txt", "keras==3.2.1\n")
    assert one(tmp_path / "inner", known) == "keras@3.2.1:tensorflow"
    (tmp_path / "other" / ".git").mkdir(parents=True)
    assert one(tmp_path / "other", known) == f"keras@{NEWEST}:tensorflow"


def test_a_lock_file_that_is_none_says_nothing(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "uv.lock", "[[package\n")
    write(tmp_path, "Pipfile.lock", "[1, 2]")
    write(tmp_path, "requirements.txt", "keras==3.1.1\nno version here !!\n")
    assert one(tmp_path, known) == "keras@3.1.1:tensorflow"


def test_the_running_environment_comes_after_the_project(
    tmp_path: Path, known: Releases, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"keras": ("==3.13.0",), "jax": ("==0.6",)}
    monkeypatch.setattr(environment, "_installed", lambda: Pins("installed packages", found))
    (target,) = decide(tmp_path, known)
    assert (str(target), target.origin) == ("keras@3.13.0:jax", "from installed packages")


def test_with_nothing_to_go_by_the_newest_release_is_assumed(tmp_path: Path, known: Releases) -> None:
    (target,) = decide(tmp_path, known)
    assert str(target) == f"keras@{NEWEST}:tensorflow"
    assert "assumed" in target.origin


@pytest.mark.parametrize(
    ("hints", "meant"),
    [
        (FileHints(keras_version="3.10.0", backend="jax"), "keras@3.10.0:jax"),
        (FileHints(keras_version="3.10.0"), "keras@3.10.0:tensorflow"),
        (FileHints(keras_version="2.12.0", backend="tensorflow"), "keras@2.12.0"),
        (FileHints(keras_version="2.21.0"), "tf_keras@2.21.0"),
        (FileHints(keras_version="2.4.0"), "tensorflow@2.4.4"),
        (FileHints(keras_version="2.2.4-tf"), "tensorflow@2.0.4"),
        (FileHints(keras_version="2.3.0-tf"), "tensorflow@2.2.3"),
        (FileHints(keras_version="2.5.0"), "tensorflow@2.5.3"),
        (FileHints(keras_version="2.6.0"), "keras@2.6.0"),
        (FileHints(keras_version="2.3.1"), "keras@2.3.1"),
        (FileHints(keras_version="2.1.6"), "keras@2.1.6"),
        (FileHints(keras_version="2.1.6-tf"), "tensorflow@1.12.3"),
        (FileHints(keras_version="3.10.0", backend="numpy"), "keras@3.10.0:tensorflow"),
        (FileHints(keras_major=2), f"tf_keras@{NEWEST_TF_KERAS}"),
        (FileHints(keras_version="nonsense"), f"keras@{NEWEST}:tensorflow"),
        (TF_KERAS, f"tf_keras@{NEWEST_TF_KERAS}"),
        (FileHints(imports=frozenset({"tensorflow"}), legacy_keras=True), f"tf_keras@{NEWEST_TF_KERAS}"),
        (FileHints(imports=frozenset({"keras"}), backend="torch"), f"keras@{NEWEST}:torch"),
        (FileHints(imports=frozenset({"keras"}), backend="openvino"), f"keras@{NEWEST}:openvino"),
    ],
)
def test_the_file_itself_decides(hints: FileHints, meant: str, tmp_path: Path, known: Releases) -> None:
    assert one(tmp_path, known, hints) == meant


def test_a_file_of_standalone_keras_says_why_it_is_one(tmp_path: Path, known: Releases) -> None:
    (target,) = decide(tmp_path, known, FileHints(keras_version="2.2.4"))
    assert (target.framework, str(target.keras), target.certain) == ("keras", "2.2.4", True)
    assert "standalone Keras 2.2.4" in target.origin


def test_a_saved_file_beats_the_project_and_an_option_beats_the_file(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "requirements.txt", "keras==3.1.1\n")
    saved = FileHints(keras_version="2.12.0")
    assert one(tmp_path, known, saved) == "keras@2.12.0"
    assert one(tmp_path, known, saved, f"keras@{NEWEST_MINOR}") == f"keras@{NEWEST}:tensorflow"


def test_tf_keras_comes_from_the_tensorflow_that_is_pinned(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "requirements.txt", "tensorflow==2.18.1\n")
    assert one(tmp_path, known, TENSORFLOW) == "keras@3.15.1:tensorflow@2.18.1"
    write(tmp_path, "requirements.txt", "tensorflow==2.18.1\nkeras==3.8.0\n")
    environment.near.cache_clear()
    assert one(tmp_path, known, TENSORFLOW) == "keras@3.8.0:tensorflow@2.18.1"
    write(tmp_path, "requirements.txt", "tensorflow==2.11.0\nkeras==2.11.0\n")
    environment.near.cache_clear()
    assert one(tmp_path, known, TENSORFLOW) == "keras@2.11.0"


def test_standalone_keras_beside_no_tensorflow_says_nothing_exact_about_its_own_keras(
    tmp_path: Path, known: Releases
) -> None:
    write(tmp_path, "requirements.txt", "keras==2.2.4\n")
    assert one(tmp_path, known) == "keras@2.2.4"
    (target,) = decide(tmp_path, known, TENSORFLOW)
    assert target.framework == "tensorflow"
    assert str(target.keras).startswith("2.5.")


def test_an_open_tensorflow_is_judged_for_the_newest_and_admits_the_others(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "requirements.txt", "tensorflow>=2.4\n")
    (target,) = decide(tmp_path, known, TENSORFLOW)
    assert str(target) == "keras@3.15.1:tensorflow@2.21.0"
    assert "the newest" in target.origin
    assert [str(other) for other in target.admits] == [
        "tensorflow@2.4.0..<2.6.0", "keras@2.6.0..<2.16.0", "keras@3.0.0..:tensorflow@2.16.0..",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "hints", "meant"),
    [
        ("tensorflow>=2.4\nkeras==2.12.0\n", TENSORFLOW, "keras@2.12.0"),
        ("tensorflow>=2.4\nkeras==2.3.1\n", TENSORFLOW, "tensorflow@2.5.3"),
        ("tensorflow==2.1.0\n", KERAS, "keras@2.3.1:tensorflow@2.1.0"),
        ("tensorflow>=2.12.1,<2.13\n", TENSORFLOW, "keras@2.12.0"),
        ("keras<2.4\n", KERAS, "keras@2.3.1"),
        ("keras>=2.2,<2.5\ntensorflow>=1.13\n", KERAS, "tensorflow@2.5.3"),
        ("keras>=2.1.0\ntensorflow<2.4\n", KERAS, "tensorflow@2.3.4"),
        ("keras>=2.2,<2.5\ntensorflow==2.2.0\n", KERAS, "tensorflow@2.2.0"),
        ("keras>=2.2,<2.5\ntensorflow==2.1.0\n", KERAS, "keras@2.3.1:tensorflow@2.1.0"),
        ("keras>=2.2\ntensorflow>=1.5,<2\n", KERAS, "keras@2.3.1:tensorflow@1.15.5"),
        ("keras\ntensorflow>=2.8,<2.10\n", KERAS, "keras@2.9.0"),
        ("keras\ntensorflow==2.15.1\n", KERAS, "keras@2.15.0"),
        ("keras>=2.8,<2.12\ntensorflow>=2.8\n", KERAS, "keras@2.11.0"),
        ("keras>=3\ntensorflow==2.15.1\n", KERAS, "keras@3.15.1:tensorflow@2.15.1"),
        ("keras==2.3.1\ntensorflow>=2.0\n", KERAS, "keras@2.3.1:tensorflow@2.5.3"),
        ("keras==2.4.3\ntensorflow==2.3.1\n", KERAS, "tensorflow@2.3.1"),
        ("tensorflow~=2.14.0\n", FileHints(imports=frozenset({"tensorflow"}), legacy_keras=True), "keras@2.14.0"),
    ],
)
def test_ranges_of_keras_and_tensorflow_go_together(
    wanted: str, hints: FileHints, meant: str, tmp_path: Path, known: Releases
) -> None:
    write(tmp_path, "requirements.txt", wanted)
    assert one(tmp_path, known, hints) == meant


@pytest.mark.parametrize(
    ("release", "oldest"),
    [("2.16.1", "3.0.0"), ("2.17.1", "3.2.0"), ("2.18.0", "3.5.0"), ("2.19.0", "3.5.0"), ("2.20.0", "3.10.0"),
     ("2.21.0", "3.12.0")],
)  # fmt: skip
def test_a_tensorflow_admits_the_keras_that_its_wheel_asks_for(
    release: str, oldest: str, tmp_path: Path, known: Releases
) -> None:
    """Requires-Dist of the wheels."""
    write(tmp_path, "requirements.txt", f"tensorflow=={release}\n")
    (target,) = decide(tmp_path, known, TENSORFLOW)
    assert [str(other) for other in target.admits] == [f"keras@{oldest}..:tensorflow@{release}"]


def test_setup_py_is_read_without_being_run(tmp_path: Path, known: Releases) -> None:
    write(
        tmp_path,
        "setup.py",
        textwrap.dedent("""\
        import sys
        from setuptools import setup
        raise SystemExit("never run")
        VERSION = "3.4.1"
        needs = ["numpy"]
        if sys.platform == "win32":
            needs.append("keras==%s" % VERSION)
        else:
            needs += [f"keras=={VERSION}"]
        setup(name="x", install_requires=needs, extras_require={"gpu": ["jax"]})
        """),
    )
    (target,) = decide(tmp_path, known)
    assert (str(target), target.origin) == ("keras@3.4.1:jax", "from setup.py")
    write(tmp_path, "setup.cfg", "[options]\ninstall_requires =\n    keras==3.2.1\n")
    write(tmp_path, "Pipfile", '[packages]\nkeras = "==3.1.1"\n')
    environment.near.cache_clear()
    assert one(tmp_path, known) == "keras@3.2.1:tensorflow"


@pytest.mark.parametrize(
    "text", ["setup(", f"setup(install_requires={'[' * 150}{']' * 150})", "a = a + a\nsetup(install_requires=a)"]
)
def test_a_setup_py_that_says_nothing_is_passed_over(text: str, tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "setup.py", text)
    write(tmp_path, "Pipfile", '[packages]\nkeras = "==3.1.1"\n')
    assert one(tmp_path, known) == "keras@3.1.1:tensorflow"


def test_old_import_paths_prove_old_keras_unless_somebody_says_otherwise(tmp_path: Path, known: Releases) -> None:
    old = replace(KERAS, modules=("keras.layers.recurrent.LSTM",), packages=("keras",))
    (target,) = decide(tmp_path, known, old)
    assert (str(target), target.assumed) == ("keras@2.3.1", True)
    assert "keras.layers.recurrent" in target.origin
    assert one(tmp_path, known, replace(old, modules=("keras.engine.InputSpec",))) == "keras@2.3.1"
    assert one(tmp_path, known, replace(old, modules=("keras.preprocessing.text",))) == "keras@2.15.0"
    contrib = replace(TENSORFLOW, modules=("tensorflow.contrib",), packages=("tensorflow",))
    assert one(tmp_path, known, contrib) == "tensorflow@1.15.5"
    assert one(tmp_path, known, old, "keras@3.15") == "keras@3.15.1:tensorflow"
    write(tmp_path, "requirements.txt", "keras==3.8.0\n")
    environment.near.cache_clear()
    assert one(tmp_path, known, old) == "keras@3.8.0:tensorflow"


@pytest.mark.parametrize(
    ("module", "gone"),
    [("tensorflow.contrib", "TensorFlow 2.0.0"),
     *((f"keras.layers.{name}", "Keras 2.9.0") for name in (
         "recurrent", "convolutional_recurrent", "cudnn_recurrent", "wrappers", "embeddings", "advanced_activations"))],
)  # fmt: skip
def test_an_old_import_says_which_release_has_it_no_more(
    module: str, gone: str, tmp_path: Path, known: Releases
) -> None:
    package = module.partition(".")[0]
    hints = replace(KERAS if package == "keras" else TENSORFLOW, modules=(module,), packages=(package,))
    (target,) = decide(tmp_path, known, hints)
    assert f"uses {module}, which {gone} and later do not have" in target.origin


def test_a_source_file_is_judged_for_what_it_imports(tmp_path: Path, known: Releases) -> None:
    only_tf_keras = FileHints(imports=frozenset({"tf_keras"}))
    (target,) = decide(tmp_path, known, only_tf_keras, "keras@3.15")
    assert str(target) == "tf_keras@2.21.0"
    assert "imports tf_keras" in target.origin
    (target,) = decide(tmp_path, known, KERAS, "tf_keras@2.21")
    assert (str(target), target.assumed) == ("keras@3.15.1:tensorflow", True)
    found = decide(tmp_path, known, only_tf_keras, "keras@3.15,tf_keras@2.21")
    assert [str(target) for target in found] == ["tf_keras@2.21.0"]


def test_the_backend_variable_counts_after_the_file(
    tmp_path: Path, known: Releases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    assert one(tmp_path, known) == f"keras@{NEWEST}:jax"
    assert one(tmp_path, known, FileHints(imports=frozenset({"keras"}), backend="torch")) == f"keras@{NEWEST}:torch"


def test_layers_of_tensorflow_run_on_it_though_the_project_names_another_backend(
    tmp_path: Path, known: Releases
) -> None:
    (tmp_path / "requirements.txt").write_text("keras==3.8.0\ntorch\n")
    assert one(tmp_path, known, KERAS) == "keras@3.8.0:torch"
    assert one(tmp_path, known, TENSORFLOW) == "keras@3.8.0:tensorflow"


def test_a_file_that_decides_for_itself_leaves_the_target_in_doubt(tmp_path: Path, known: Releases) -> None:
    doubt = "which backend Keras runs on is decided while the file runs ('jax', or left as it is)"
    (target,) = decide(tmp_path, known, FileHints(imports=frozenset({"keras"}), because={"backend": doubt}))
    assert (str(target), target.certain) == (f"keras@{NEWEST}:tensorflow", False)
    assert target.origin.endswith(doubt)


@pytest.mark.parametrize("backend", ["theano", "cntk", "plaidml.keras.backend"])
def test_what_an_old_backend_runs_on_is_not_known(tmp_path: Path, known: Releases, backend: str) -> None:
    reason = f"the file runs Keras on {backend}, which is not in the tables"
    (target,) = decide(tmp_path, known, replace(KERAS, backend=backend), "keras@2.1.6")
    assert target.gpu == Unknown(reason)
    (target,) = decide(tmp_path, known, replace(KERAS, backend=backend))
    assert target.gpu == Unknown(reason)
    (saved,) = decide(tmp_path, known, FileHints(keras_version="2.1.6", backend=backend))
    assert saved.gpu is None


@pytest.mark.parametrize(
    ("asked", "meant", "says"),
    [
        ("keras@2.3", f"keras@{NEWEST}", "imports tf.keras, which is not in --target"),
        ("keras@2.3:tensorflow@2.0", "tensorflow@2.0.4", "--target"),
        ("keras@2.9", "keras@2.9.0", "--target"),
    ],
)
def test_standalone_keras_is_not_the_keras_of_tensorflow(
    asked: str, meant: str, says: str, tmp_path: Path, known: Releases
) -> None:
    (target,) = decide(tmp_path, known, replace(TENSORFLOW, packages=("tensorflow",)), asked)
    assert str(target).removesuffix(":tensorflow") == meant
    assert says in target.origin


def test_a_file_with_layers_of_both_is_judged_for_standalone_keras(tmp_path: Path, known: Releases) -> None:
    hints = FileHints(imports=frozenset({"keras", "tensorflow"}), packages=("keras", "tensorflow"))
    assert one(tmp_path, known, hints, "keras@2.3") == "keras@2.3.1"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"requirements.txt": "tensorflow-cpu==2.10.0\n"}, "requirements.txt asks for tensorflow-cpu, which uses"),
        ({"requirements.txt": "intel-tensorflow\n"}, "requirements.txt asks for intel-tensorflow, which uses no GPU"),
        ({"environment.yml": "dependencies:\n  - tensorflow-mkl=2.10\n"}, "environment.yml asks for tensorflow-mkl"),
        ({"requirements.txt": "tf-nightly\n"}, "requirements.txt asks for tf-nightly, which is newer than any release"),
        ({"requirements.txt": "keras-nightly\n"}, "requirements.txt asks for keras-nightly, which is newer than any"),
    ],
    ids=str,
)
def test_a_build_for_the_cpu_or_of_tonight_leaves_a_doubt(
    files: dict[str, str], says: str, tmp_path: Path, known: Releases
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (target,) = decide(tmp_path, known, replace(TENSORFLOW, packages=("keras",)) if "keras-" in says else TENSORFLOW)
    assert says in target.origin
    assert not target.certain


@pytest.mark.parametrize(
    "text",
    [
        "tensorflow==2.10.0\ntensorflow-intel==2.10.0\n",
        "tensorflow-cpu==2.10.0; sys_platform == 'darwin'\n",
        "keras-nightly==3.15.0\ntensorflow==2.21.0\n",
        "tensorflow==2.10.0\n",
    ],
)
def test_a_build_for_some_machines_or_of_a_release_leaves_none(text: str, tmp_path: Path, known: Releases) -> None:
    (tmp_path / "requirements.txt").write_text(text)
    (target,) = decide(tmp_path, known, TENSORFLOW)
    assert target.certain


def test_a_package_for_a_gpu_of_another_make_counts_alone_and_decides_no_folder(
    tmp_path: Path, known: Releases
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "requirements.txt").write_text("tensorflow-metal\n")
    (target,) = decide(tmp_path / "sub", known, TENSORFLOW)
    assert target.gpu == Assumed("metal", "requirements.txt asks for tensorflow-metal")
    environment.forget()
    (tmp_path / "requirements.txt").write_text("keras==2.9.0\n")
    (target,) = decide(tmp_path / "sub", known, KERAS)
    assert str(target) == "keras@2.9.0"
    assert target.gpu == Assumed("metal", "requirements.txt asks for tensorflow-metal")


def test_a_gpu_of_another_make_does_not_count_beside_one_of_nvidia(tmp_path: Path, known: Releases) -> None:
    (tmp_path / "requirements.txt").write_text("tensorflow-gpu==2.9.0\ntensorflow-metal\n")
    (target,) = decide(tmp_path, known, TENSORFLOW)
    assert target.gpu is None


@pytest.mark.parametrize(
    ("text", "backend"),
    [("jax", "jax"), ("torch", "torch"), ("jax\ntorch", "tensorflow"), ("tensorflow\ntorch", "tensorflow")],
)
def test_the_only_backend_that_is_installed_is_the_one_that_runs(
    text: str, backend: str, tmp_path: Path, known: Releases
) -> None:
    (tmp_path / "requirements.txt").write_text(f"keras==3.8.0\n{text}\n")
    (target,) = decide(tmp_path, known)
    assert target.backend == backend


@pytest.mark.parametrize(
    ("hints", "frameworks"),
    [(KERAS, ["keras", "keras"]), (TENSORFLOW, ["tensorflow", "keras", "keras"]),
     (replace(KERAS, backend="jax"), ["keras"])],
    ids=["keras", "tf.keras", "on JAX"],
)  # fmt: skip
def test_without_a_release_it_may_be_any_that_people_still_install(
    hints: FileHints, frameworks: list[str], tmp_path: Path, known: Releases
) -> None:
    (target,) = decide(tmp_path, known, hints)
    assert [one.framework for one in target.admits] == frameworks
    (asking,) = decide(tmp_path, known, replace(hints, asks=frozenset({"keras"})))
    assert asking.admits == ()


def test_without_a_release_the_words_name_the_package(tmp_path: Path, known: Releases) -> None:
    (target,) = decide(tmp_path, known)
    (legacy,) = decide(tmp_path, known, replace(TENSORFLOW, legacy_keras=True))
    assert target.origin.startswith("no Keras version found")
    assert legacy.origin.startswith("no tf_keras version found")


@pytest.mark.parametrize(
    ("hints", "text", "found"),
    [
        (TENSORFLOW, "tensorflow>=2.16\nkeras==3.8.0\n", ("3.8.0", "2.19.1")),
        (TENSORFLOW, "tensorflow>=2.16\nkeras>=3.1,<3.5\n", ("3.4.1", "2.17.1")),
        (FileHints(imports=frozenset({"tf_keras"})), "tf-keras==2.17.0\n", ("2.17.0", "2.17.1")),
        (FileHints(imports=frozenset({"tf_keras"})), "tf-keras==2.17.0\ntensorflow==2.17.0\n", ("2.17.0", "2.17.0")),
    ],
    ids=["a Keras", "some Kerases", "the TensorFlow of its minor", "the TensorFlow that is named"],
)
def test_a_keras_and_a_tensorflow_that_are_named_are_both_judged(
    hints: FileHints, text: str, found: tuple[str, str], tmp_path: Path, known: Releases
) -> None:
    (tmp_path / "requirements.txt").write_text(text)
    (target,) = decide(tmp_path, known, hints)
    assert (str(target.keras), str(target.tensorflow)) == found


def test_where_no_release_runs_on_the_project_s_python_the_requirement_decides(tmp_path: Path, known: Releases) -> None:
    (tmp_path / ".python-version").write_text("3.8\n")
    (tmp_path / "requirements.txt").write_text("keras>=3.13\n")
    (target,) = decide(tmp_path, known)
    assert str(target.keras) == "3.13"


def test_what_a_file_imports_bounds_a_requirement_before_its_layers_are_known(tmp_path: Path, known: Releases) -> None:
    (tmp_path / "requirements.txt").write_text("keras>=2.0\n")
    (target,) = decide(tmp_path, known, replace(KERAS, modules=("keras.layers.recurrent.LSTM",)))
    assert str(target.keras) == "2.3.1"
    (target,) = decide(tmp_path, known, replace(KERAS, modules=("keras.layers.recurrent", "tensorflow.contrib")))
    assert "tensorflow.contrib" in target.origin
