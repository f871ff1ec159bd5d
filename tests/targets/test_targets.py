"""Every form of --target that the contract names, and what is said of those that are none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from newest_releases import ALL, NEWEST
from packaging.version import Version

from cudnnlint.core.errors import UsageError
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, requested
from cudnnlint.targets.releases import Releases


@pytest.fixture(scope="module")
def known() -> Releases:
    return environment.releases(loader.load().tables)


@pytest.mark.parametrize(
    ("text", "meant", "tensorflow"),
    [
        ("keras@3.15:tensorflow", ["keras@3.15.1:tensorflow"], [None]),
        ("keras@3.15", ["keras@3.15.1:tensorflow"], [None]),
        ("keras@3.14:torch", ["keras@3.14.1:torch"], [None]),
        ("keras@3.11.2:jax", ["keras@3.11.2:jax"], [None]),
        ("keras@3.8:tensorflow@2.18", ["keras@3.8.0:tensorflow@2.18.1"], ["2.18.1"]),
        ("keras", [f"keras@{NEWEST}:tensorflow"], [None]),
        ("keras:torch", [f"keras@{NEWEST}:torch"], [None]),
        ("keras:numpy", [f"keras@{NEWEST}:numpy"], [None]),
        ("keras@3", [f"keras@{NEWEST}:tensorflow"], [None]),
        ("keras@2.12", ["keras@2.12.0"], ["2.12.1"]),
        ("tf_keras@2.21", ["tf_keras@2.21.0"], ["2.21.0"]),
        ("tf-keras@2.16", ["tf_keras@2.16.0"], ["2.16.2"]),
        ("tensorflow@2.12", ["keras@2.12.0"], ["2.12.1"]),
        ("tensorflow@2.4", ["tensorflow@2.4.4"], ["2.4.4"]),
        ("tensorflow@2.18", ["keras@3.15.1:tensorflow@2.18.1"], ["2.18.1"]),
        ("tensorflow@2", ["keras@3.15.1:tensorflow@2.21.0"], ["2.21.0"]),
        ("tensorflow@2.16", ["keras@3.15.1:tensorflow@2.16.2"], ["2.16.2"]),
        ("tensorflow@1.15", ["tensorflow@1.15.5"], ["1.15.5"]),
        ("keras@2.3", ["keras@2.3.1"], [None]),
        ("keras@2.3:tensorflow@1.15", ["keras@2.3.1:tensorflow@1.15.5"], ["1.15.5"]),
        ("keras@2", ["keras@2.15.0"], ["2.15.1"]),
        ("keras@3.4..<3.9:jax", ["keras@3.8.0:jax"], [None]),
        ("keras@3.99", ["keras@3.99.0:tensorflow"], [None]),
        ("tf_keras@2.21, keras@3.15", ["tf_keras@2.21.0", "keras@3.15.1:tensorflow"], ["2.21.0", None]),
        ("keras@3.15,keras@3.15.1", ["keras@3.15.1:tensorflow"], [None]),
    ],
)  # fmt: skip
def test_a_text_names_its_targets(text: str, meant: list[str], tensorflow: list[str | None], known: Releases) -> None:
    found = requested.parse([text], known)
    assert [str(target) for target in found] == meant
    assert [target.tensorflow.brief if target.tensorflow else None for target in found] == tensorflow


def test_a_minor_whose_patches_behave_differently_is_open(known: Releases) -> None:
    changed = replace(known, changes=lambda: {"keras": frozenset({Version("3.11.3")})})
    (target,) = requested.parse(["keras@3.11"], changed)
    assert str(target) == "keras@3.11.3:tensorflow"
    assert [str(other.keras) for other in target.admits] == ["3.11.0 to before 3.12"]


def test_all_is_every_minor_on_every_backend_and_can_be_written_back(known: Releases) -> None:
    found = requested.parse(["all"], known)
    texts = [str(target) for target in found]
    assert len(texts) == len(set(texts)) == ALL
    for text in texts:
        assert [str(target) for target in requested.parse([text], known)] == [text]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kears@3.1", 'Did you mean "keras"?'),
        ("keras>=2.0", 'Did you mean "keras@2.0.."?'),
        ("tensorflow < 2.5", 'Did you mean "tensorflow@..<2.5"?'),
        ("tf-keras==2.17.*", 'Did you mean "tf-keras@2.17"?'),
        ("keras@2.16", 'Did you mean "tf_keras@2.16"?'),
        ("tf_keras@2.14", 'Did you mean "keras@2.14"?'),
        ("keras@3.7.5", 'does not exist. Did you mean "keras@3.7.0"?'),
        ("tensorflow@2.16.0", 'does not exist. Did you mean "tensorflow@2.16.2"?'),
        ("keras@0.3", 'is too old: the oldest known keras is 1.0.0. Did you mean "keras@1.0"?'),
        ("keras@2.5", 'Did you mean "keras@2.4"?'),
        ("keras@new", '"new" is not a version'),
        ("keras@3.4:jaxx", 'Did you mean "jax"?'),
        ("keras@3.4:jax@0.4", "only tensorflow takes a version here"),
        ("keras@2.12:jax", "runs on TensorFlow only"),
        ("tensorflow@2.4:jax", "tensorflow has no backend"),
        ("torch", "not one of keras, tf_keras, tensorflow"),
        (" , ", "target is empty"),
    ],
)
def test_what_is_no_target_is_told_in_a_sentence(text: str, said: str, known: Releases) -> None:
    with pytest.raises(UsageError, match=r"^(?:[A-Z]|--target)") as error:
        requested.parse([text], known)
    assert said in str(error.value)
