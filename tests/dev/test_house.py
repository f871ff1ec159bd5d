"""`python -m cudnnlint.dev.house`: what it finds in a house that breaks its laws, and that the drawing is today's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cudnnlint.dev import drawing, house, survey
from cudnnlint.dev.faults import faults
from cudnnlint.dev.import_walk import AT_ONCE, INSIDE, TYPING, imports
from cudnnlint.dev.laws import parse

ROOT = Path(house.__file__).resolve().parents[2]

FILES = {
    "__init__.py": "",
    "low/__init__.py": "",
    "low/types.py": "import re\n",
    "high/__init__.py": "",
    "high/work.py": "from cudnnlint.low import types\nfrom cudnnlint.low.types import thing\n",
    "inner/one/a.py": "from ...low import types\n",
    "inner/two/b.py": "",
    "rules/rule.py": "",
}
LAWS = {
    "anywhere": ["re", "typing"],
    "pure": ["low"],
    "rooms": {
        "__init__": {"is": "the door"},
        "low": {"is": "types"},
        "high": {"is": "work", "imports": ["low"], "outside": ["os"]},
        "inner/one": {"is": "one side", "imports": ["low"]},
        "inner/two": {"is": "the other side"},
        "rules": {"is": "rules"},
    },
}


@pytest.fixture
def build(tmp_path: Path):  # type: ignore[no-untyped-def]
    """A function from changed files and changed laws of rooms to the house."""

    def built(files: dict[str, str] | None = None, rooms: dict[str, dict[str, object]] | None = None) -> survey.House:
        for name, text in {**FILES, **(files or {})}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        laws = parse({**LAWS, "rooms": {**LAWS["rooms"], **(rooms or {})}})  # type: ignore[dict-item]
        return survey.survey(tmp_path, tmp_path / "rules", laws)

    return built


def test_a_house_that_keeps_its_laws_has_no_fault(build) -> None:  # type: ignore[no-untyped-def]
    assert faults(build()) == []


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("import cudnnlint.high.work\n", ""),
        ("from cudnnlint.high import work\n", ""),
        ("from ..high import work\n", ""),
        ("def later():\n    from cudnnlint.high import work\n", f" ({INSIDE})"),
        ("import typing\nif typing.TYPE_CHECKING:\n    from cudnnlint.high.work import x\n", f" ({TYPING})"),
    ],
    ids=["import", "from", "relative", "in a function", "for types"],
)
def test_an_import_that_is_not_listed_is_told_wherever_it_stands(build, text: str, when: str) -> None:  # type: ignore[no-untyped-def]
    found = faults(build({"inner/two/b.py": text.replace("from ..", "from ...")}))
    line = text.count("\n")
    assert found == [f"inner/two may not import high: b.py of cudnnlint.inner.two.b, line {line}, imports "
                     f"cudnnlint.high.work{when}."]  # fmt: skip


def test_a_package_from_outside_has_to_be_listed_too(build) -> None:  # type: ignore[no-untyped-def]
    files = {"low/types.py": "import os.path\n", "high/work.py": "import os\nimport cudnnlint.low.types\n"}
    found = faults(build(files))
    assert found == ["low may not import os: types.py of cudnnlint.low.types, line 1, imports os.path."]


def test_rooms_that_import_each_other_are_named(build) -> None:  # type: ignore[no-untyped-def]
    found = faults(build({"low/types.py": "import cudnnlint.high\n"}, {"low": {"is": "types", "imports": ["high"]}}))
    assert found == ["These rooms import each other: high, low."]


def test_a_permission_that_nothing_uses_is_told(build) -> None:  # type: ignore[no-untyped-def]
    found = faults(build(rooms={"inner/two": {"is": "the other side", "imports": ["low"]}}))
    assert found == ["inner/two may import low, and does not: strike it from the laws."]


def test_a_module_that_is_in_no_room_is_told(build) -> None:  # type: ignore[no-untyped-def]
    assert faults(build({"helpers/things.py": ""})) == ["cudnnlint.helpers.things is in no room of the laws."]


def test_who_may_import_a_room_may_import_the_rooms_inside_it_but_these_may_not_import_each_other(build) -> None:  # type: ignore[no-untyped-def]
    one = "import cudnnlint.inner.one.a\n"
    files = {"high/work.py": f"import cudnnlint.low.types\n{one}", "inner/two/b.py": one}
    rooms: dict[str, dict[str, object]] = {
        "inner": {"is": "both sides"},
        "inner/two": {"is": "the other side", "imports": ["inner"]},
        "high": {"is": "work", "imports": ["low", "inner"]},
    }
    found = faults(build(files, rooms))
    assert found[0].startswith("inner/two may not import inner/one: ")
    assert not any(sentence.startswith("high") for sentence in found)


def test_the_rooms_inside_one_that_is_not_split_are_one(build) -> None:  # type: ignore[no-untyped-def]
    inner: dict[str, dict[str, object]] = {
        "inner": {"is": "both sides", "imports": ["low", "inner/one"], "split": False}
    }
    assert faults(build({"inner/two/b.py": "import cudnnlint.inner.one.a\n"}, inner)) == []


def test_an_import_is_read_with_when_it_runs(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text(
        "import typing\nif typing.TYPE_CHECKING:\n    import a\nelse:\n    import b\ntry:\n    import c\n"
        "except ImportError:\n    pass\nclass K:\n    import d\n    def f(self):\n        import e\n",
        encoding="utf-8",
    )
    found = {one.target: one.when for one in imports("p.m", path, {})}
    assert found == {"typing": AT_ONCE, "a": TYPING, "b": AT_ONCE, "c": AT_ONCE, "d": AT_ONCE, "e": INSIDE}


def test_the_graph_leaves_out_what_follows_from_other_arrows(build) -> None:  # type: ignore[no-untyped-def]
    files = {"inner/one/a.py": "import cudnnlint.low.types\nimport cudnnlint.high.work\n"}
    drawn = drawing.markdown(build(files, {"inner/one": {"is": "one side", "imports": ["low", "high"]}}))
    assert "inner_one[inner/one] --> high\n" in drawn
    assert "high --> low\n" in drawn
    assert "inner_one[inner/one] --> low" not in drawn


def test_the_text_has_every_room_with_what_it_imports(build) -> None:  # type: ignore[no-untyped-def]
    told = drawing.text(build())
    assert "high                       2 modules      2 lines  work\n      imports low (2)" in told
    assert told.endswith("8 modules, 2 arrows between rooms by 3 imports\nno two rooms import each other")


def test_contributing_shows_the_house_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert house.main(["--check"]) == 0, capsys.readouterr().out


def test_a_page_that_shows_another_house_is_stale(tmp_path: Path, build) -> None:  # type: ignore[no-untyped-def]
    page = tmp_path / "CONTRIBUTING.md"
    page.write_text((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), encoding="utf-8")
    assert house.stale(page, build()) == ["CONTRIBUTING.md is stale: run `python -m cudnnlint.dev.house --write`."]
    page.write_text(house.drawn(page.read_text(encoding="utf-8"), build()), encoding="utf-8")
    assert house.stale(page, build()) == []


def test_a_page_without_its_marks_is_refused(build) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="lacks the marks"):
        house.drawn("# Contributing\n", build())


#: What the commands of CONTRIBUTING write, each when it is first needed.
WRITTEN = {"rules/kept_state.py", "tests/mutation/explained.toml"}


def test_the_files_that_contributing_names_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {
        name for name in re.findall(r"`((?:cudnnlint|rules|tests|fixtures)/[\w/.-]+)`", text) if "NAME" not in name
    }
    assert len(named) > 30
    assert {name for name in named - WRITTEN if not (ROOT / name).exists()} == set()
