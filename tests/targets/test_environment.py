"""Which target a file is judged for where no option says it, and the reason that is given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from newest_releases import NEWEST, NEWEST_MINOR, NEWEST_TF_KERAS, NEWEST_TF_KERAS_MINOR
from packaging.specifiers import SpecifierSet
from shell_samples import write

from cudnnlint.core.layer import FileHints
from cudnnlint.core.target import Target
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment
from cudnnlint.targets.environment import Pins, Wish
from cudnnlint.targets.releases import Releases

KERAS = FileHints(imports=frozenset({"keras"}))
TENSORFLOW = FileHints(imports=frozenset({"tensorflow"}))
TF_KERAS = FileHints(framework="tf_keras", imports=frozenset({"tf_keras", "tensorflow"}))


@pytest.fixture(scope="module")
def known() -> Releases:
    return environment.releases(loader.load().tables)


@pytest.fixture(autouse=True)
def _anew() -> None:
    environment.sources.cache_clear()


def decide(folder: Path, known: Releases, hints: FileHints = KERAS, *asked: str) -> tuple[Target, ...]:
    return environment.decide(Wish(asked, "--target") if asked else None, hints, folder, known)


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
        ("requirements.txt", "Keras>=3.4,<3.9\n", "keras@3.4.0..<3.9.0:tensorflow"),
        ("requirements.txt", "keras~=3.8.0\n", "keras@3.8.0:tensorflow"),
        ("requirements.txt", "keras>=3.5\n", "keras@3.5.0..:tensorflow"),
        ("requirements-gpu.txt", "-r base.txt\n--index-url https://example.org\ntensorflow==2.12.1\n", "keras@2.12.0"),
        ("requirements.txt", "tensorflow==2.4.1\n", "tensorflow@2.4.1"),
        ("requirements.txt", "tensorflow>=2.12,<2.16\n", "keras@2.12.0..<2.16"),
        ("requirements.txt", "tensorflow[and-cuda]==2.16.1\nkeras==3.4.1 \\\n    --hash=sha256:00\n",
         "keras@3.4.1:tensorflow@2.16.1"),
        ("requirements.txt", "keras==3.16.2\n", "keras@3.16.2:tensorflow"),
        ("pdm.lock", locked(keras="2.13.1", tensorflow="2.13.0"), "keras@2.13.1"),
        ("pylock.toml", '[[packages]]\nname = "keras"\nversion = "3.8.0"\n', "keras@3.8.0:tensorflow"),
        ("pyproject.toml", '[project.optional-dependencies]\ngpu = ["tensorflow==2.15.*"]\n', "keras@2.15"),
        ("requirements.txt", "tensorflow~=2.15.0\n", "keras@2.15"),
        ("environment.yml", "dependencies: [python=3.11, keras=3.8, jax]\n", "keras@3.8.0:jax"),
        ("pyproject.toml", '[project]\nname = "x"\ndependencies = ["keras==3.10.0", "jax"]\n', "keras@3.10.0:jax"),
        ("pyproject.toml", '[dependency-groups]\ndev = ["keras==3.10.0"]\n', "keras@3.10.0:tensorflow"),
        ("pyproject.toml", '[tool.poetry.dependencies]\nkeras = "^3.4"\n', "keras@3.4.0..<4:tensorflow"),
        ("pyproject.toml", '[tool.poetry.dependencies]\nkeras = {version = "~3.9"}\n', "keras@3.9:tensorflow"),
        ("environment.yml", "dependencies:\n  - python=3.11\n  - pip:\n    - keras==3.6.0\n", "keras@3.6.0:tensorflow"),
        ("environment.yml", "dependencies:\n  - conda-forge::tensorflow=2.12.1=cpu_py310\n", "keras@2.12.0"),
        ("environment.yml", "dependencies:\n  - keras=3.6\n  - pytorch\n", "keras@3.6.0:torch"),
    ],
)  # fmt: skip
def test_a_lock_file_or_requirement_decides(name: str, text: str, meant: str, tmp_path: Path, known: Releases) -> None:
    write(tmp_path, name, text)
    folder = tmp_path / "src" / "models"
    folder.mkdir(parents=True)
    (target,) = decide(folder, known)
    assert str(target) == meant
    assert name in target.origin


def test_requirements_include_others_and_no_circle_hangs(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "requirements.txt", "-r requirements/gpu.txt\n-c requirements.txt\n")
    write(tmp_path, "requirements/gpu.txt", "--requirement base.txt\n-r missing.txt\n")
    write(tmp_path, "requirements/base.txt", "keras==3.2.1\n")
    assert one(tmp_path, known) == "keras@3.2.1:tensorflow"


def test_a_release_newer_than_the_tables_is_named_as_assumed(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "uv.lock", locked(keras="3.99.1"))
    (target,) = decide(tmp_path, known)
    assert target.origin == f"uv.lock says so; newer than {NEWEST}, the newest known: its verdicts are assumed"


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
    found = {"keras": (SpecifierSet("==3.13.0"),), "jax": (SpecifierSet("==0.6"),)}
    monkeypatch.setattr(environment, "_installed", lambda: Pins("the running environment", found))
    (target,) = decide(tmp_path, known)
    assert (str(target), target.origin) == ("keras@3.13.0:jax", "the running environment says so")


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
        (FileHints(keras_version="2.4.0"), "tensorflow@2.3.0..<2.5.0"),
        (FileHints(keras_version="2.2.4-tf"), "tensorflow@2.0.0..<2.2.0"),
        (FileHints(keras_version="2.3.1"), "tensorflow@2.0.0..<2.6.0"),
        (FileHints(keras_version="3.10.0", backend="numpy"), "keras@3.10.0:tensorflow"),
        (FileHints(keras_major=2), f"tf_keras@{NEWEST_TF_KERAS}"),
        (FileHints(keras_version="nonsense"), f"keras@{NEWEST}:tensorflow"),
        (TF_KERAS, f"tf_keras@{NEWEST_TF_KERAS}"),
        (FileHints(imports=frozenset({"tensorflow"}), legacy_keras=True), f"tf_keras@{NEWEST_TF_KERAS}"),
        (FileHints(imports=frozenset({"keras"}), backend="torch"), f"keras@{NEWEST}:torch"),
    ],
)
def test_the_file_itself_decides(hints: FileHints, meant: str, tmp_path: Path, known: Releases) -> None:
    assert one(tmp_path, known, hints) == meant


def test_the_doubt_about_a_very_old_file_is_stated(tmp_path: Path, known: Releases) -> None:
    (target,) = decide(tmp_path, known, FileHints(keras_version="2.3.1"))
    assert not target.certain
    assert "in doubt" in target.origin


def test_a_saved_file_beats_the_project_and_an_option_beats_the_file(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "requirements.txt", "keras==3.1.1\n")
    saved = FileHints(keras_version="2.12.0")
    assert one(tmp_path, known, saved) == "keras@2.12.0"
    assert one(tmp_path, known, saved, f"keras@{NEWEST_MINOR}") == f"keras@{NEWEST}:tensorflow"


def test_tf_keras_comes_from_the_tensorflow_that_is_pinned(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "requirements.txt", "tensorflow==2.18.1\n")
    assert one(tmp_path, known, TENSORFLOW) == "keras@3.5.0..:tensorflow@2.18.1"
    write(tmp_path, "requirements.txt", "tensorflow==2.18.1\nkeras==3.8.0\n")
    environment.sources.cache_clear()
    assert one(tmp_path, known, TENSORFLOW) == "keras@3.8.0:tensorflow@2.18.1"
    write(tmp_path, "requirements.txt", "tensorflow==2.11.0\nkeras==2.11.0\n")
    environment.sources.cache_clear()
    assert one(tmp_path, known, TENSORFLOW) == "keras@2.11.0"


def test_an_open_tensorflow_that_reaches_over_2_6_is_two_targets(tmp_path: Path, known: Releases) -> None:
    write(tmp_path, "requirements.txt", "tensorflow>=2.4,<2.12\n")
    found = decide(tmp_path, known, TENSORFLOW)
    assert [str(target) for target in found] == ["tensorflow@2.4.0..<2.6.0", "keras@2.6.0..<2.12.0"]


def test_a_source_file_is_judged_for_what_it_imports(tmp_path: Path, known: Releases) -> None:
    only_tf_keras = FileHints(imports=frozenset({"tf_keras"}))
    (target,) = decide(tmp_path, known, only_tf_keras, f"keras@{NEWEST_MINOR}")
    assert str(target) == "tf_keras@2.15.0.."
    assert "imports tf_keras" in target.origin
    (target,) = decide(tmp_path, known, KERAS, f"tf_keras@{NEWEST_TF_KERAS_MINOR}")
    assert target.framework == "keras"
    assert target.keras.version is None
    found = decide(tmp_path, known, only_tf_keras, f"keras@{NEWEST_MINOR},tf_keras@{NEWEST_TF_KERAS_MINOR}")
    assert [str(target) for target in found] == [f"tf_keras@{NEWEST_TF_KERAS}"]


def test_the_backend_variable_counts_after_the_file(
    tmp_path: Path, known: Releases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    assert one(tmp_path, known) == f"keras@{NEWEST}:jax"
    assert one(tmp_path, known, FileHints(imports=frozenset({"keras"}), backend="torch")) == f"keras@{NEWEST}:torch"


def test_a_file_that_decides_for_itself_leaves_the_target_in_doubt(tmp_path: Path, known: Releases) -> None:
    doubt = "which backend Keras runs on is decided while the file runs ('jax', or left as it is)"
    (target,) = decide(tmp_path, known, FileHints(imports=frozenset({"keras"}), because={"backend": doubt}))
    assert (str(target), target.certain) == (f"keras@{NEWEST}:tensorflow", False)
    assert target.origin.endswith(doubt)
