"""The configuration: where it is found, what it may say, and what beats what."""

from __future__ import annotations

from pathlib import Path

import pytest
from shell_samples import write

from cudnnlint.core.errors import UsageError
from cudnnlint.rulebook import loader
from cudnnlint.settings import config
from cudnnlint.settings.settings import Flags, codes_of, settle

BOOK = loader.load()
ALL = frozenset(rule.code for rule in BOOK.rules.values())


@pytest.fixture(autouse=True)
def _anew() -> None:
    config.forget()


def codes(tmp_path: Path, text: str = "", name: str = "model.py", **flags: tuple[str, ...]) -> frozenset[str]:
    write(tmp_path, "cudnnlint.toml", text)
    config.forget()
    found = config.nearest((tmp_path / name).parent)
    return settle(Flags(**flags), found, tmp_path / name, BOOK).codes  # type: ignore[arg-type]


def test_the_nearest_file_holds_and_one_without_our_table_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", '[tool.cudnnlint]\nfail-on = "error"\n')
    write(tmp_path, "a/pyproject.toml", '[tool.other]\nx = "cudnnlint"\n')
    write(tmp_path, "a/b/cudnnlint.toml", 'fail-on = "info"\n')
    assert config.nearest(tmp_path / "a").fail_on == "error"
    assert config.nearest(tmp_path / "a" / "b").fail_on == "info"


def test_cudnnlint_toml_beats_the_pyproject_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", '[tool.cudnnlint]\ntarget = "keras@3.1"\n')
    write(tmp_path, "cudnnlint.toml", 'target = ["keras@3.2", "tf_keras"]\n')
    assert config.nearest(tmp_path).target == ("keras@3.2", "tf_keras")


def test_every_key_of_the_contract_is_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        "cudnnlint.toml",
        """
        target = "keras@3.15"
        select = ["CDN1"]
        extend-select = ["CDN201"]
        ignore = ["activation"]
        exclude = ["a"]
        extend-exclude = ["b"]
        fail-on = "error"
        output-format = "json"
        unsafe-fixes = true
        baseline = "known.json"
        jobs = 2
        [per-file-ignores]
        "tests/**" = ["CDN103"]
        [per-layer-ignores]
        "*decoder*" = "CDN101"
        """,
    )
    found = config.nearest(tmp_path)
    assert found.per_file_ignores == (("tests/**", ("CDN103",)),)
    assert found.per_layer_ignores == (("*decoder*", ("CDN101",)),)
    assert (found.jobs, found.unsafe_fixes, found.baseline, found.exclude) == (2, True, "known.json", ("a",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('targt = "keras"', 'Did you mean "target"?'),
        ("zebra = 1", "The keys are target, select"),
        ('fail-on = "fatal"', "one of error, warning, info"),
        ("jobs = true", "a whole number"),
        ("jobs = -1", "a whole number"),
        ('select = "CDN1"', "a list of codes or names"),
        ("select = [1]", "a list of codes or names"),
        ("per-file-ignores = []", "a table of path globs"),
        ("select = [", "Cannot read the configuration"),
    ],
)
def test_a_wrong_configuration_is_told_with_its_file(text: str, said: str, tmp_path: Path) -> None:
    write(tmp_path, "cudnnlint.toml", text)
    with pytest.raises(UsageError) as error:
        config.nearest(tmp_path)
    assert said in str(error.value)
    assert "cudnnlint.toml" in str(error.value)


def test_a_broken_pyproject_that_is_none_of_our_business_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", "[project\n")
    assert config.nearest(tmp_path).file == ""


def test_everything_is_selected_unless_something_is_said(tmp_path: Path) -> None:
    assert codes(tmp_path) == ALL
    assert codes(tmp_path, 'select = ["CDN101"]') == {"CDN001", "CDN003", "CDN101"}
    assert codes(tmp_path, 'ignore = ["CDN1"]') == {code for code in ALL if code[3] != "1"}


def test_a_narrow_selector_beats_a_wide_one_and_a_flag_beats_the_config(tmp_path: Path) -> None:
    assert "CDN103" in codes(tmp_path, 'ignore = ["CDN1"]\nextend-select = ["recurrent-dropout"]')
    assert "CDN103" not in codes(tmp_path, 'select = ["CDN1"]\nignore = ["recurrent-dropout"]')
    assert codes(tmp_path, 'ignore = ["CDN103"]', select=("CDN103",)) == {"CDN001", "CDN003", "CDN103"}
    assert {"CDN101", "CDN103"} & codes(tmp_path, 'ignore = ["CDN103"]', ignore=("CDN101",)) == {"CDN103"}
    assert {"CDN101", "CDN103"} & codes(tmp_path, 'ignore = ["CDN103"]', extend_ignore=("CDN101",)) == set()
    assert {"CDN101", "CDN103"} & codes(tmp_path, "", ignore=("CDN101",), extend_ignore=("CDN103",)) == set()
    assert "CDN001" in codes(tmp_path, 'ignore = ["CDN001"]', ignore=("CDN101",))


def test_a_file_that_was_not_read_is_told_whatever_is_selected(tmp_path: Path) -> None:
    assert "CDN001" in codes(tmp_path, select=("CDN101",))
    assert "CDN001" not in codes(tmp_path, ignore=("CDN001",))
    assert "CDN003" in codes(tmp_path, ignore=("CDN003",))


def test_per_file_ignores_are_globs_from_the_configs_folder(tmp_path: Path) -> None:
    text = '[per-file-ignores]\n"old/**" = ["CDN103"]\n"!new/**" = ["CDN101"]\n'
    assert "CDN103" not in codes(tmp_path, text, "old/deep/model.py")
    assert "CDN103" in codes(tmp_path, text, "new/model.py")
    assert "CDN101" in codes(tmp_path, text, "new/model.py")
    assert "CDN101" not in codes(tmp_path, text, "old/model.py")


@pytest.mark.parametrize("name", ["CDN103", "cdn103", "recurrent-dropout", "recurrent_dropout", " CDN103 "])
def test_a_rule_is_named_by_code_or_name(name: str) -> None:
    assert codes_of([name], BOOK) == {"CDN103"}


@pytest.mark.parametrize(("name", "meant"), [("recurent-dropout", "recurrent-dropout"), ("CND103", "CDN103")])
def test_a_rule_that_is_none_is_told_with_what_was_meant(name: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f'Did you mean "{meant}"'):
        codes_of([name], BOOK)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('select = ["CDN9"]', "select"),
        ('extend-select = ["CDN9"]', "extend-select"),
        ('ignore = ["CDN9"]', "ignore"),
        ('[per-file-ignores]\n"other.py" = ["CDN9"]', "per-file-ignores"),
        ('[per-layer-ignores]\n"nowhere" = ["CDN9"]', "per-layer-ignores"),
    ],
)
def test_a_wrong_selector_is_told_with_its_file_and_key_whether_it_is_used_or_not(
    tmp_path: Path, text: str, key: str
) -> None:
    write(tmp_path, "cudnnlint.toml", text)
    with pytest.raises(UsageError) as told:
        settle(Flags(), config.nearest(tmp_path), tmp_path / "model.py", BOOK)
    assert str(told.value).startswith(f'{tmp_path / "cudnnlint.toml"}: in "{key}": There is no rule "CDN9".')


def test_a_selection_of_nothing_selects_nothing(tmp_path: Path) -> None:
    assert codes(tmp_path, "select = []") == {"CDN001", "CDN003"}
    assert codes(tmp_path, 'select = []\nextend-select = ["CDN105"]') == {"CDN001", "CDN003", "CDN105"}
