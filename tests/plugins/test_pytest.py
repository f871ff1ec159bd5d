"""`pytest --cudnnlint`, the marker and the fixture, each in a pytest run of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
SAVED = Path(__file__).resolve().parents[2] / "fixtures" / "demo" / "sentiment.keras"
PLUGIN = ("-p", "cudnnlint.plugins.pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:pytest-lsp")
#: The entry point of the installed package would register the plugin a second time.
OWN = ("-p", "no:cudnnlint", *PLUGIN)


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makefile(".toml", pyproject='[tool.cudnnlint]\ntarget = "keras@3.15:tensorflow"\nexclude = ["old.py"]\n')
    shutil.copy(SAVED, pytester.path / "sentiment.keras")
    return pytester


def test_every_file_is_an_item_and_fails_as_check_would(project: pytest.Pytester) -> None:
    project.makepyfile(
        slow="import keras\nLAYER = keras.layers.LSTM(8, activation='relu')\n",
        fast="import keras\nLAYER = keras.layers.LSTM(8)\n",
        old="import keras\nLAYER = keras.layers.LSTM(8, activation='relu')\n",
    )
    result = project.runpytest_subprocess(*OWN, "--cudnnlint")
    result.assert_outcomes(failed=2, passed=2)
    result.stdout.fnmatch_lines(
        [
            "*slow.py: cudnnlint*",
            "1 recurrent layer: 1 falls back",
            "slow.py:2:*LSTM runs in a loop*",
            "*warning?CDN101?*",
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_nothing_is_collected_without_the_option(project: pytest.Pytester) -> None:
    project.makepyfile(slow="import keras\nLAYER = keras.layers.LSTM(8, activation='relu')\n")
    assert project.runpytest_subprocess(*OWN).ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_the_fixture_and_the_marker_assert_files_and_say_why(project: pytest.Pytester) -> None:
    project.makepyfile(
        test_models="""
        import pytest

        @pytest.fixture
        def model():
            return "sentiment.keras"

        def test_by_fixture(assert_cudnn):
            assert_cudnn("sentiment.keras")

        @pytest.mark.cudnnlint("sentiment.keras")
        def test_by_path():
            pass

        @pytest.mark.cudnnlint(fixture="model", target="keras@3.15:torch")
        def test_by_the_value_of_a_fixture(model):
            pass

        @pytest.mark.cudnnlint("missing.keras")
        def test_of_a_missing_file():
            pass

        @pytest.mark.cudnnlint
        def test_without_anything():
            pass

        @pytest.mark.cudnnlint(fixture="model")
        def test_that_does_not_use_the_fixture():
            pass
        """
    )
    result = project.runpytest_subprocess(*OWN, "--strict-markers")
    result.assert_outcomes(failed=6)
    text = result.stdout.str()
    assert text.count("These recurrent layers will not run in cuDNN") >= 3
    for said in ("missing.keras:", "needs a path, or fixture=NAME", "the fixture model, which the test does not use"):
        assert said in text


def test_a_model_that_runs_in_cudnn_passes(project: pytest.Pytester) -> None:
    project.makepyfile(
        train="import keras\nLAYER = keras.layers.LSTM(8)\n",
        test_it="""
        def test_it(assert_cudnn):
            assert_cudnn("train.py")
        """,
    )
    project.runpytest_subprocess(*OWN, "test_it.py").assert_outcomes(passed=1)
