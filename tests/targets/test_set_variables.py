"""KERAS_BACKEND and TF_USE_LEGACY_KERAS, as the files of a project set them."""

from __future__ import annotations

from pathlib import Path

import pytest
from newest_releases import NEWEST

from cudnnlint.core.layer import FileHints
from cudnnlint.core.target import Target
from cudnnlint.targets import environment

LEGACY = "TF_USE_LEGACY_KERAS"
KERAS = FileHints(imports=frozenset({"keras"}))
TENSORFLOW = FileHints(imports=frozenset({"tensorflow"}))


def decided(folder: Path, files: dict[str, str], hints: FileHints = KERAS) -> Target:
    """Return the target of a file in the folder `src` of a project with these files."""
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "src").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    environment.forget()
    (target,) = environment.decide(None, hints, folder / "src", environment.known())
    return target


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Dockerfile", "FROM python:3.11\nENV KERAS_BACKEND=jax\n"),
        ("Dockerfile.gpu", "ENV A=1 KERAS_BACKEND=jax\n"),
        ("docker/train.dockerfile", "ENV KERAS_BACKEND jax\n"),
        (".devcontainer/Dockerfile", "ARG CHOSEN=jax\nENV KERAS_BACKEND=$CHOSEN\n"),
        ("docker-compose.yml", "services:\n  train:\n    environment:\n      - KERAS_BACKEND=jax\n"),
        ("compose.yaml", "services: {a: {environment: {KERAS_BACKEND: jax}}}\n"),
        ("compose.gpu.yml", "      KERAS_BACKEND: ${KERAS_BACKEND:-jax}\n"),
        ("environment.yml", "name: x\nvariables:\n  KERAS_BACKEND: jax\n"),
        (".env", 'KERAS_BACKEND="jax"  # as the paper\n'),
        ("Makefile", "BACKEND ?= jax\nexport KERAS_BACKEND := $(BACKEND)\n"),
        ("makefile", "export KERAS_BACKEND = jax\n"),
        ("GNUmakefile", "export KERAS_BACKEND=jax\n"),
        ("src/.env", "KERAS_BACKEND=jax\n"),
    ],
    ids=lambda given: given.partition("\n")[0],
)
def test_what_a_program_is_started_with_decides_its_backend(tmp_path: Path, name: str, text: str) -> None:
    target = decided(tmp_path, {"requirements.txt": f"keras=={NEWEST}\n", name: text})
    assert (target.backend, target.certain) == ("jax", True)
    assert target.origin.endswith(f"{name.removeprefix('src/')} sets the variable KERAS_BACKEND to jax")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tox.ini", "[testenv]\npassenv = KERAS_BACKEND\nsetenv =\n    KERAS_BACKEND = jax\n"),
        ("pytest.ini", "[pytest]\nenv =\n    D:KERAS_BACKEND=jax\n"),
        ("setup.cfg", "[tool:pytest]\nenv =\n    KERAS_BACKEND=jax\n"),
        ("pyproject.toml", '[tool.pytest_env]\nKERAS_BACKEND = "jax"\n'),
        (".github/workflows/test.yml", "env:\n  KERAS_BACKEND: jax\nif: env.KERAS_BACKEND == 'torch'\n"),
        ("Makefile", "# KERAS_BACKEND=torch is slower\ntrain:\n\tKERAS_BACKEND=jax python train.py $(KERAS_BACKEND)\n"),
    ],
    ids=lambda given: given.partition("\n")[0],
)
def test_what_some_runs_are_started_with_is_assumed_of_the_others(tmp_path: Path, name: str, text: str) -> None:
    target = decided(tmp_path, {"requirements.txt": f"keras=={NEWEST}\n", name: text})
    assert (target.backend, target.certain) == ("jax", False)
    assert target.origin.endswith(f"only {name} sets the variable KERAS_BACKEND, to jax")


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"Dockerfile": "ENV KERAS_BACKEND=jax\n", "Dockerfile.torch": "ENV KERAS_BACKEND=torch\n"},
         "the variable KERAS_BACKEND is set in Dockerfile, and not so in Dockerfile.torch"),
        ({"tox.ini": "setenv =\n    jax: KERAS_BACKEND = jax\n    torch: KERAS_BACKEND = torch\n"},
         "tox.ini sets the variable KERAS_BACKEND in several ways"),
        ({".github/workflows/test.yaml": "      KERAS_BACKEND: ${{ matrix.backend }}\n"},
         ".github/workflows/test.yaml sets the variable KERAS_BACKEND to what is not known"),
        ({"Dockerfile": "ARG CHOSEN\nENV KERAS_BACKEND=${CHOSEN}\n"},
         "Dockerfile sets the variable KERAS_BACKEND to what is not known"),
    ],
    ids=["unlike files", "unlike lines", "a matrix", "an argument"],
)  # fmt: skip
def test_a_variable_that_is_not_certain_leaves_the_target_in_doubt(
    tmp_path: Path, files: dict[str, str], says: str
) -> None:
    target = decided(tmp_path, files)
    assert (target.backend, target.certain) == ("tensorflow", False)
    assert target.origin.endswith(says)


def test_what_starts_a_program_counts_before_what_its_tests_run_with(tmp_path: Path) -> None:
    files = {"Dockerfile": "ENV KERAS_BACKEND=torch\n", "tox.ini": "KERAS_BACKEND = jax\n"}
    target = decided(tmp_path, files)
    assert (target.backend, target.certain) == ("torch", True)


def test_the_nearest_folder_decides_a_variable(tmp_path: Path) -> None:
    files = {"Dockerfile": "ENV KERAS_BACKEND=torch TF_USE_LEGACY_KERAS=1\n", "src/.env": "KERAS_BACKEND=jax\n"}
    target = decided(tmp_path, files)
    assert target.backend == "jax"
    assert "Dockerfile" not in target.origin


@pytest.mark.parametrize(("value", "framework"), [("1", "tf_keras"), ("True", "tf_keras"), ("0", "keras")])
def test_a_dockerfile_may_make_tf_keras_keras_2(tmp_path: Path, value: str, framework: str) -> None:
    files = {"Dockerfile": f"ENV TF_USE_LEGACY_KERAS={value}\n", "requirements.txt": "tensorflow==2.17.0\n"}
    target = decided(tmp_path, files, TENSORFLOW)
    assert (target.framework, target.certain) == (framework, True)
    assert target.origin.startswith(f"from requirements.txt; Dockerfile sets the variable {LEGACY} to {value}")


def test_a_file_that_sets_a_variable_itself_is_judged_by_that(tmp_path: Path) -> None:
    target = decided(tmp_path, {"Dockerfile": "ENV KERAS_BACKEND=jax\n"}, FileHints(backend="torch"))
    assert target.backend == "torch"
    assert "Dockerfile" not in target.origin


def test_a_doubt_of_the_file_itself_stays(tmp_path: Path) -> None:
    hints = FileHints(imports=frozenset({"keras"}), because={"backend": "it is decided while the file runs"})
    target = decided(tmp_path, {"Dockerfile": "ENV KERAS_BACKEND=jax\n"}, hints)
    assert (target.backend, target.certain) == ("tensorflow", False)


def test_what_switches_only_tf_keras_is_not_said_of_a_file_that_imports_keras(tmp_path: Path) -> None:
    target = decided(tmp_path, {"Dockerfile": "ENV TF_USE_LEGACY_KERAS=1\n", "tox.ini": "TF_USE_LEGACY_KERAS = 0\n"})
    assert "LEGACY" not in target.origin


def test_a_keras_that_has_one_backend_only_is_not_said_to_have_another(tmp_path: Path) -> None:
    files = {"Dockerfile": "ENV KERAS_BACKEND=jax\n", "requirements.txt": "keras==2.10.0\n"}
    target = decided(tmp_path, files)
    assert (str(target), target.origin) == ("keras@2.10.0", "from requirements.txt")


def test_the_variables_of_the_process_count_before_those_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    monkeypatch.setenv("TF_USE_LEGACY_KERAS", "1")
    files = {"Dockerfile": "ENV KERAS_BACKEND=jax TF_USE_LEGACY_KERAS=0\n"}
    target = decided(tmp_path, files)
    assert (target.backend, target.certain) == ("torch", True)
    assert target.origin.endswith("the variable KERAS_BACKEND is set to torch here")
    (target,) = environment.decide(None, TENSORFLOW, tmp_path, environment.known())
    assert target.framework == "tf_keras"


def test_an_option_counts_before_the_variables_of_files(tmp_path: Path) -> None:
    decided(tmp_path, {"Dockerfile": "ENV KERAS_BACKEND=jax\n"})
    wanted = environment.RequestedTargets((f"keras@{NEWEST}:torch",), "--target")
    (target,) = environment.decide(wanted, KERAS, tmp_path, environment.known())
    assert (target.backend, target.origin) == ("torch", "--target")
