"""The files in which projects name the releases that they are for, by the names and in the forms that people use."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudnnlint.targets.lockfiles import pins_near

CONDA = "name: x\ndependencies:\n  - python=3.7\n  - pip\n  - tensorflow=2.4.1\n"
EXACT = "==2.4.1"


def said(folder: Path, files: dict[str, str]) -> tuple[str, tuple[str, ...]]:
    """Return the strongest source of a project, and what it says of TensorFlow, or of Keras where it has none."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    found = pins_near(folder)
    if not found:
        return "", ()
    packages = found[0].packages
    return found[0].source, packages.get("tensorflow") or packages.get("keras") or ()


@pytest.mark.parametrize(
    "name",
    [
        "constraints.txt", "test_constraints.txt",
        "Requirements.txt", "requirement.txt", "require.txt", "reqs.txt", "dependencies.txt",
        "requirements", "requirements/gpu/train.txt", "binder/requirements.txt",
    ],
)  # fmt: skip
def test_requirements_count_under_the_names_that_projects_give_them(tmp_path: Path, name: str) -> None:
    assert said(tmp_path, {name: "numpy\ntensorflow==2.4.1\n"}) == (name, (EXACT,))


@pytest.mark.parametrize(
    "name",
    ["conda.yaml", "conda.yml", "environment-gpu.yml", "conda_env.yml", "tf_env.yaml", ".binder/environment.yml"],
)
def test_environments_of_conda_count_under_the_names_that_projects_give_them(tmp_path: Path, name: str) -> None:
    assert said(tmp_path, {name: CONDA}) == (name, (EXACT,))


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("tensorflow=2.4.1=gpu_py37h_0", EXACT),
        ("tensorflow=2.4.1", EXACT),
        ("tensorflow    2.4.1", EXACT),
        ("tensorflow 2.4.1 <pip>", EXACT),
        ("git+https://github.com/keras-team/keras.git@2.4.1", EXACT),
        ("-e git+https://github.com/fchollet/keras@2.4.1#egg=keras", EXACT),
        ("keras @ git+https://github.com/keras-team/keras.git@v2.4.1", EXACT),
        ("tensorflow (>=2.0,<2.3)", "<2.3,>=2.0"),
    ],
)
def test_a_line_of_requirements_counts_as_tools_write_it(tmp_path: Path, line: str, wanted: str) -> None:
    assert said(tmp_path, {"requirements.txt": f"Package Version\n------- -------\n{line}\n"})[1] == (wanted,)


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("pylock.gpu.toml", '[[packages]]\nname = "tensorflow"\nversion = "2.4.1"\n', EXACT),
        ("pixi.lock", "- conda: https://conda.example/linux-64/tensorflow-2.4.1-cpu_py39h.conda\n", EXACT),
        ("pixi.lock", "- pypi: https://files.example/ab/x.whl\n  name: tensorflow\n  version: 2.4.1\n", EXACT),
        ("conda-lock.yml", "package:\n- name: tensorflow\n  version: 2.4.1\n  manager: conda\n", EXACT),
        ("pixi.toml", '[dependencies]\npython = "3.9.*"\ntensorflow = "2.9.*"\n', "==2.9.*"),
        ("pixi.toml", '[pypi-dependencies]\ntensorflow = { version = "==2.4.1" }\n', EXACT),
        ("pyproject.toml", '[tool.pixi.dependencies]\ntensorflow = "2.4.1"\n', EXACT),
        ("pyproject.toml", '[tool.poetry.dev-dependencies]\ntensorflow = "2.4.1"\n', EXACT),
        ("pyproject.toml", '[tool.pdm.dev-dependencies]\ntest = ["tensorflow==2.4.1"]\n', EXACT),
        ("pyproject.toml", '[tool.uv]\ndev-dependencies = ["tensorflow==2.4.1"]\n', EXACT),
        ("pyproject.toml", '[tool.hatch.envs.default]\ndependencies = ["tensorflow==2.4.1"]\n', EXACT),
        ("pyproject.toml", '[tool.flit.metadata]\nrequires = ["tensorflow==2.4.1"]\n', EXACT),
        ("meta.yaml", "requirements:\n  run:\n    - tensorflow 2.4.1\n", EXACT),
        ("gpu.Dockerfile", "FROM tensorflow/tensorflow:2.4.1-gpu\n", EXACT),
        ("Containerfile", "FROM tensorflow/tensorflow:2.4.1-gpu\n", EXACT),
        (".devcontainer/Dockerfile", "FROM tensorflow/tensorflow:2.4.1-gpu\n", EXACT),
    ],
)
def test_what_other_tools_read_counts(tmp_path: Path, name: str, text: str, wanted: str) -> None:
    assert said(tmp_path, {name: text}) == (name, (wanted,))


def test_of_several_packages_of_poetrys_for_one_name_each_counts(tmp_path: Path) -> None:
    entry = '[{ version = "2.4.1", python = ">=3.8" }, { version = "2.3.0", python = "<3.8" }]'
    text = f"[tool.poetry.dependencies]\ntensorflow = {entry}\n"
    assert said(tmp_path, {"pyproject.toml": text})[1] == (EXACT, "==2.3.0")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("environment.yml", "dependencies:\n  - pip:\n    - -r lists/all.in\n"),
        ("pyproject.toml", '[tool.setuptools.dynamic]\ndependencies = { file = ["lists/all.in"] }\n'),
        ("setup.cfg", "[options]\ninstall_requires = file: lists/all.in\n"),
    ],
)
def test_a_file_of_requirements_that_another_one_names_is_read(tmp_path: Path, name: str, text: str) -> None:
    assert said(tmp_path, {name: text, "lists/all.in": "tensorflow==2.4.1\n"}) == (name, (EXACT,))


def test_the_environment_that_a_project_of_mlflow_names_is_read(tmp_path: Path) -> None:
    assert said(tmp_path, {"MLproject": "name: x\nconda_env: sub/c.yaml\n", "sub/c.yaml": CONDA}) == (
        "MLproject", (EXACT,),
    )  # fmt: skip


def test_what_looks_like_an_environment_and_is_none_says_nothing(tmp_path: Path) -> None:
    assert said(tmp_path, {"train_env.yml": "models:\n  - keras 2.2.4\n"}) == ("", ())


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        (".github/workflows/a.yml", "jobs:\n  t:\n    container: tensorflow/tensorflow:2.4.1\n", EXACT),
        ("docker-compose.yml", "services:\n  a:\n    image: tensorflow/tensorflow:2.4.1-gpu\n", EXACT),
        (".devcontainer/devcontainer.json", '{"image": "tensorflow/tensorflow:2.4.1-gpu"}', EXACT),
        ("Singularity", "Bootstrap: docker\nFrom: tensorflow/tensorflow:2.4.1-gpu\n", EXACT),
        ("docker-compose.yml", "image: 7.dkr.ecr.us-east-1.amazonaws.com/tensorflow-training:2.4.1-gpu-py37\n", EXACT),
        ("docker-compose.yml", "image: gcr.io/deeplearning-platform-release/tf2-gpu.2-4\n", "==2.4.*"),
        ("cog.yaml", 'build:\n  python_packages:\n    - "tensorflow==2.4.1"\n', EXACT),
        ("postBuild", "pip install tensorflow==2.4.1\n", EXACT),
        ("justfile", "setup:\n  conda install -y tensorflow-gpu=2.4 numpy\n", "==2.4.*"),
        ("install.sh", "mamba install tensorflow=2.4.1=gpu_py37h\n", EXACT),
        ("README.md", "# Install\n\n```\npip install tensorflow==2.4.1\n```\n", EXACT),
        ("README.md", "- Python 3.6\n- Keras 2.2\n", "==2.2.*"),
        ("README.md", "| Package | Version |\n|--|--|\n| Keras | 2.4.1 |\n", EXACT),
        ("readme.txt", "* [Keras](https://keras.io) 2.0 or later\n", ">=2.0"),
        ("README.rst", "* TensorFlow (>= 2.0)\n", ">=2.0"),
        ("README", "* `tensorflow==2.4.1`\n", EXACT),
        ("README.md", "keras>=2.1 (for the layers that it added)\n", ">=2.1"),
        ("README.md", "![TF](https://img.shields.io/badge/TensorFlow-2.1-orange) ![x](https://x)\n", "==2.1.*"),
        ("README.md", "![TF](https://img.shields.io/badge/TensorFlow-%3E%3D2.1-orange)\n", ">=2.1"),
        ("README.md", "> pip3 install https://x.example/tensorflow_gpu-2.4.1-cp38-cp38-linux_x86_64.whl\n", EXACT),
    ],
)
def test_what_is_installed_in_containers_and_told_to_readers_counts(
    tmp_path: Path, name: str, text: str, wanted: str
) -> None:
    assert said(tmp_path, {name: text}) == (name, (wanted,))


@pytest.mark.parametrize(
    "text",
    [
        "This does not work with Keras 2.2.4.\n",
        "pip install tensorflow==2.4.1\npip install tensorflow\n",
        "Keras 2.2.4 or TensorFlow 1.14\n",
    ],
)
def test_a_readme_that_names_no_one_release_says_nothing(tmp_path: Path, text: str) -> None:
    assert said(tmp_path, {"README.md": text}) == ("", ())


def test_what_a_readme_tells_is_weaker_than_what_a_service_runs(tmp_path: Path) -> None:
    files = {"README.md": "- Keras 2.2.4\n", ".travis.yml": "install: pip install tensorflow==2.4.1\n"}
    assert said(tmp_path, files) == (".travis.yml", (EXACT,))


@pytest.mark.parametrize(
    "text",
    [
        "with open('reqs.in') as f:\n    required = f.read().splitlines()\nsetup(install_requires=required)\n",
        "setup(install_requires=open('reqs.in').readlines())\n",
        "here = os.path.abspath(os.path.dirname(__file__))\n"
        "with io.open(os.path.join(here, 'reqs.in'), encoding='utf-8') as f:\n"
        "    r = [x.strip() for x in f if not x.startswith('#')]\n"
        "setup(install_requires=r)\n",
        "HERE = pathlib.Path(__file__).parent\nsetup(install_requires=(HERE / 'reqs.in').read_text().splitlines())\n",
        "from pathlib import Path\nsetup(install_requires=Path('reqs.in').read_text().split('\\n'))\n",
        "setup(install_requires=Path(__file__).parent.joinpath('reqs.in').open().readlines())\n",
        "import pkg_resources\n"
        "with pathlib.Path('reqs.in').open() as f:\n"
        "    r = [str(q) for q in pkg_resources.parse_requirements(f)]\n"
        "setup(install_requires=r)\n",
        "from pip.req import parse_requirements\n"
        "reqs = parse_requirements('reqs.in', session=False)\n"
        "setup(install_requires=[str(ir.req) for ir in reqs])\n",
        "def read_requirements(path):\n"
        "    with open(path) as f:\n"
        "        return [l.strip() for l in f]\n"
        "setup(install_requires=read_requirements('reqs.in'))\n",
        "def get_requirements():\n"
        "    with open('reqs.in') as f:\n"
        "        return f.readlines()\n"
        "setup(install_requires=get_requirements())\n",
        "def get(path='reqs.in'):\n"
        "    return open(os.path.join(HERE, path)).readlines()\n"
        "setup(install_requires=get())\n",
        "r = []\n"
        "with open('reqs.in') as f:\n"
        "    for line in f:\n"
        "        r.append(line.strip())\n"
        "setup(install_requires=r)\n",
        "setup(install_requires=list(map(str.strip, open(f'{here}/reqs.in'))))\n",
        "lines = open('reqs.in').read()\nsetup(install_requires=[l for l in lines.split('\\n') if l])\n",
        "setup(extras_require={'gpu': open('reqs.in').read().splitlines()})\n",
        "setup(install_requires=open('reqs.in').read().splitlines() + ['numpy'])\n",
    ],
)
def test_a_file_of_requirements_that_setup_opens_is_read(tmp_path: Path, text: str) -> None:
    assert said(tmp_path, {"setup.py": text, "reqs.in": "tensorflow==2.4.1\n"}) == ("setup.py", (EXACT,))


@pytest.mark.parametrize(
    "text",
    [
        "setup(long_description=open('reqs.in').read())\n",
        "setup(install_requires=open(sys.argv[1]).readlines())\n",
        "setup(install_requires=open('missing.in').readlines())\n",
        "setup(install_requires=' '.join(['reqs.in']))\n",
    ],
)
def test_a_file_that_setup_does_not_give_as_requirements_says_nothing(tmp_path: Path, text: str) -> None:
    assert said(tmp_path, {"setup.py": text, "reqs.in": "tensorflow==2.4.1\n"}) == ("", ())
