"""Comments that silence: where they count, what they name, and which of them are for nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from newest_releases import NEWEST_MINOR
from shell_samples import SOURCE, source_model, write

from cudnnlint import engine
from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.report import FileReport
from cudnnlint.core.suppression import marked
from cudnnlint.rulebook import loader
from cudnnlint.settings import config, suppress
from cudnnlint.settings.settings import Flags, settle
from cudnnlint.targets import requested
from cudnnlint.targets.environment import releases

BOOK = loader.load()
FOUND = ["CDN103", "CDN101", "CDN501"]  # what SOURCE holds, in the order of its lines


def apply(tmp_path: Path, source: str, **flags: tuple[str, ...]) -> list[Diagnostic]:
    """What is left of SOURCE's diagnostics where its text is `source` (the same lines, with comments)."""
    config.forget()
    model = source_model()
    judged = engine.judge(model, requested.parse([f"keras@{NEWEST_MINOR}"], releases(BOOK.tables)), BOOK)
    file = FileReport("model.py", "python", layers=judged.layers, source=source)
    settings = settle(Flags(**flags), config.nearest(tmp_path), tmp_path / "model.py", BOOK)  # type: ignore[arg-type]
    return list(suppress.apply(file, judged.diagnostics, settings, BOOK))


def commented(row: int, comment: str) -> str:
    lines = SOURCE.split("\n")
    lines[row - 1] += f"  {comment}"
    return "\n".join(lines)


def left(tmp_path: Path, source: str) -> list[str]:
    return [diagnostic.code for diagnostic in apply(tmp_path, source)]


def test_without_a_comment_everything_is_told(tmp_path: Path) -> None:
    assert left(tmp_path, SOURCE) == FOUND


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: CDN103", "# NOQA:CDN103", "#noqa : cdn103", "# noqa: E501, CDN103", "# noqa: E501 CDN103 because",
        "# type: ignore  # noqa: CDN103", "# noqa", "# cudnnlint: ignore[CDN103]",
        "# cudnnlint: ignore[recurrent-dropout]",
        "# cudnnlint: ignore[recurrent_dropout, CDN103]", "# cudnnlint: ignore",
    ],
)  # fmt: skip
def test_a_comment_on_the_line_silences_it(comment: str, tmp_path: Path) -> None:
    assert left(tmp_path, commented(7, comment)) == ["CDN101", "CDN501"]


@pytest.mark.parametrize("comment", ["# noqa: because I say so", "# cudnnlint: ignore[]", "noqa: CDN103"])
def test_a_comment_that_names_nothing_silences_nothing(comment: str, tmp_path: Path) -> None:
    source = commented(7, f"# {comment}" if comment.startswith("noqa") else comment)
    assert left(tmp_path, source)[:1] == (["CDN103"] if "noqa: CDN103" not in comment else ["CDN101"])


@pytest.mark.parametrize("row", [8, 9, 10, 11])
def test_any_line_of_the_call_will_do(row: int, tmp_path: Path) -> None:
    assert left(tmp_path, commented(row, "# noqa: CDN101")) == ["CDN103", "CDN501"]


def test_the_line_that_is_named_is_the_last_of_the_call(tmp_path: Path) -> None:
    assert [diagnostic.noqa_row for diagnostic in apply(tmp_path, SOURCE)] == [7, 11, 12]


def test_a_comment_inside_a_string_is_none(tmp_path: Path) -> None:
    source = SOURCE.replace("import keras\n", 'import keras; text = "# noqa: CDN103"\n', 1)
    assert left(tmp_path, source) == FOUND


@pytest.mark.parametrize("comment", ["# noqa: CDN103", "# cudnnlint: ignore[CDN103]", "  # noqa: CDN103"])
def test_a_comment_on_a_line_of_its_own_holds_for_the_file(comment: str, tmp_path: Path) -> None:
    assert left(tmp_path, SOURCE + comment + "\n") == ["CDN101", "CDN501"]


def test_a_comment_of_its_own_inside_brackets_holds_for_its_line(tmp_path: Path) -> None:
    source = SOURCE.replace("        16,", "        # noqa: CDN101")
    assert left(tmp_path, source) == ["CDN103", "CDN501"]
    source = SOURCE.replace("    layers.Input((None, 8)),", "    # noqa: CDN101")
    assert left(tmp_path, source) == [*FOUND, "CDN002"]


@pytest.mark.parametrize(
    ("row", "comment", "said"),
    [
        (6, "# noqa: CDN103", "suppresses CDN103, but there is no such finding on this line"),
        (7, "# noqa: CDN101, CDN103", "suppresses CDN101, but there is no such finding on this line"),
        (7, "# noqa: CDN103, CDN999", '"CDN999", which is not a rule'),
        (1, "# cudnnlint: ignore", "suppresses nothing"),
        (1, "# cudnnlint: ignore[recurent-dropout]", 'Did you mean "recurrent-dropout"?'),
    ],
)
def test_a_comment_for_nothing_is_reported(row: int, comment: str, said: str, tmp_path: Path) -> None:
    last = apply(tmp_path, commented(row, comment))[-1]
    assert (last.code, last.severity.value) == ("CDN002", "info")
    assert said in last.message
    assert last.location is not None
    assert last.location.row == row
    line = commented(row, comment).split("\n")[row - 1]
    assert line[last.location.column - 1 : last.location.end_column - 1] == comment


@pytest.mark.parametrize("comment", ["# noqa", "# noqa: E501", "# noqa: E501, W291"])
def test_what_other_tools_own_is_not_ours_to_judge(comment: str, tmp_path: Path) -> None:
    assert left(tmp_path, commented(1, comment)) == FOUND


def test_unused_suppressions_can_be_deselected(tmp_path: Path) -> None:
    found = apply(tmp_path, commented(1, "# noqa: CDN103"), ignore=("CDN002",))
    assert [diagnostic.code for diagnostic in found] == FOUND


def test_what_is_not_selected_still_counts_as_silenced(tmp_path: Path) -> None:
    found = apply(tmp_path, commented(7, "# noqa: CDN103"), ignore=("CDN103",))
    assert [diagnostic.code for diagnostic in found] == ["CDN101", "CDN501"]


def test_per_layer_ignores_go_by_name_or_path(tmp_path: Path) -> None:
    write(tmp_path, "cudnnlint.toml", '[per-layer-ignores]\n"dec*" = ["CDN103"]\n"encoder/*" = ["activation"]\n')
    config.forget()
    settings = settle(Flags(), config.nearest(tmp_path), tmp_path / "m.keras", BOOK)
    assert settings.layer_ignores(("decoder", ""), BOOK) == {"CDN103"}
    assert settings.layer_ignores(("lstm", "encoder/lstm"), BOOK) == {"CDN101"}
    assert settings.layer_ignores(("lstm", "lstm"), BOOK) == frozenset()


def test_a_row_that_cannot_end_in_a_comment_is_moved_below() -> None:
    source = 'x = f(LSTM(4), """a\nb""")\ny = LSTM(4) + \\\n    1\n# a comment \\\nz = 1\n'
    written = suppress.comments(FileReport("m.py", "python", source=source))
    assert [written.row_for(None, row) for row in range(1, 7)] == [2, 2, 4, 4, 5, 6]


def test_rows_of_a_notebook_count_inside_the_cell() -> None:
    cells = ("import keras  # noqa: CDN101\n", "x = 1\ny = 2  # cudnnlint: ignore[CDN103]\n")
    found = suppress.comments(FileReport("n.ipynb", "notebook", cells=cells)).directives
    assert [(d.place.cell, d.place.row, d.names) for d in found] == [(1, 1, ("CDN101",)), (2, 2, ("CDN103",))]


@pytest.mark.parametrize("source", ["x = (  # noqa: CDN101\n", "if x:\n\ty # noqa: CDN101\n        z\n", "'''", "\x00"])
def test_broken_source_is_read_as_far_as_it_goes(source: str) -> None:
    suppress.comments(FileReport("m.py", "python", source=source))


def test_a_faulty_rule_cannot_be_silenced() -> None:
    (directive,) = suppress.comments(FileReport("m.py", "python", source="# noqa\n")).directives
    judged = engine.judge(source_model(), requested.parse([f"keras@{NEWEST_MINOR}"], releases(BOOK.tables)), BOOK)
    fault = replace(judged.diagnostics[0], code="CDN003")
    assert not directive.silences(fault, frozenset({1}))


@pytest.mark.parametrize(
    ("data", "may"),
    [(b"x  # noqa: CDN101", True), (b"# cudnnlint: ignore", True), (b"x  # noqa", False), (b"CDN101", False)],
)
def test_the_byte_filter_lets_through_what_may_concern_us(data: bytes, may: bool) -> None:
    assert marked(data) is may


class Counted(tuple):  # type: ignore[type-arg]
    """Layers of a file that count how often all of them are gone through."""

    walks = 0

    def __iter__(self):  # type: ignore[no-untyped-def]
        Counted.walks += 1
        return super().__iter__()


def test_the_layers_of_a_file_are_not_searched_again_for_each_finding(tmp_path: Path) -> None:
    model = source_model()
    judged = engine.judge(model, requested.parse([f"keras@{NEWEST_MINOR}"], releases(BOOK.tables)), BOOK)
    file = FileReport("model.py", "python", layers=Counted(judged.layers), source=SOURCE)
    settings = settle(Flags(), config.nearest(tmp_path), tmp_path / "model.py", BOOK)
    found = suppress.apply(file, judged.diagnostics * 5, settings, BOOK)
    assert len(found) > 10 > 2 * Counted.walks
