"""The text output, which is the product's face: the excerpt, the underline, the width, the colours."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from newest_releases import NEWEST, NEWEST_MINOR, NEWEST_TF_KERAS, NEWEST_TF_KERAS_MINOR
from test_reporters import CLEAN, report, written

from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import FileReport, Report
from cudnnlint.core.text import lines, visible
from cudnnlint.reporters import Look, words
from cudnnlint.reporters.excerpt import columns, cut

BLOCK = f"""\
model.py:10:9: GRU runs in a loop without cuDNN (keras@{NEWEST}:tensorflow)
   |
 8 |     layers.GRU(
 9 |         16, return_sequences=True,
10 |         activation="relu",
   |         ^^^^^^^^^^^^^^^^^
   |
  warning[CDN101] activation: activation is 'relu', but cuDNN needs activation="tanh".
"""


def underlined(source: str, place: SourcePlace, width: int = 80) -> list[tuple[str, str]]:
    """Each line of the excerpt, and the line of carets that would stand below it."""
    found = Diagnostic("CDN101", "activation", "m", Severity.WARNING, "m.py", location=place)
    shown = cut(found, FileReport("m.py", "python", source=source), width)
    assert all(columns(line.text) <= width for line in shown)
    return [(line.text, " " * columns(line.before) + "^" * columns(line.under)) for line in shown]


def test_a_block_shows_the_call_and_underlines_the_argument() -> None:
    assert BLOCK in written(report(), "text")


def test_a_block_says_what_was_found_what_is_needed_and_what_to_do() -> None:
    text = written(report(), "text")
    assert re.search(r"\n  found   'relu'\n  needed  activation=\"tanh\"\n  (help|fix)  +\S", text)


def test_a_saved_model_has_its_layers_path_in_place_of_the_excerpt() -> None:
    head = f"model.keras: LSTM runs in a loop without cuDNN (keras@{NEWEST}:tensorflow)\n"
    assert head + "  |\n  | encoder/lstm_1  LSTM\n  |\n" in written(report(), "text")


def test_the_closing_lines_count_layers_and_name_the_target() -> None:
    text = written(report(), "text")
    assert "\n6 recurrent layers: 2 run in cuDNN, 3 fall back, 1 unknown\n" in text
    assert text.endswith(f"\nTarget: keras@{NEWEST}:tensorflow (--target)\n")
    assert written(CLEAN, "text") == "No recurrent layer found in 3 files.\n"
    assert written(Report((), (), 0, "1.0"), "text") == "No recurrent layer found: there is no file to check.\n"


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    judged = report(f"keras@{NEWEST_MINOR}", f"tf_keras@{NEWEST_TF_KERAS_MINOR}")
    for line in written(judged, "text", Look(width, verbose=True)).splitlines():
        assert len(line) <= width or ": " in line  # lines that begin with a place stay whole, for grep


def test_colour_changes_no_text() -> None:
    plain, painted = written(report(), "text"), written(report(), "text", Look(colour=True))
    assert painted != plain
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == plain


def test_findings_that_differ_in_their_target_share_a_block() -> None:
    text = written(report(f"keras@{NEWEST_MINOR}", f"tf_keras@{NEWEST_TF_KERAS_MINOR}"), "text")
    assert text.count("[CDN103]") == 2
    assert f"(keras@{NEWEST}:tensorflow, tf_keras@{NEWEST_TF_KERAS})" in text.replace("\n  ", " ")
    assert text.count("[CDN101]") == 1


def test_many_targets_are_counted_and_not_listed() -> None:
    assert "Targets: tensorflow@2.0.4, tensorflow@2.1.4, tensorflow@2.2.3 and " in written(
        report("tensorflow@2.0,tensorflow@2.1,tensorflow@2.2,tensorflow@2.3,tensorflow@2.4"), "text"
    )


def test_targets_of_one_name_are_named_once() -> None:
    """Two requirements may lead to one release, and admit others beside it."""
    given = report()
    first = given.files[0]
    twice = tuple(replace(target, admits=(target,)) for target in first.targets)
    text = written(replace(given, files=(first, replace(given.files[1], targets=twice))), "text")
    assert text.splitlines()[-1].count(str(first.targets[0])) == 1


def test_the_calls_that_led_to_a_layer_are_named() -> None:
    given = report()
    via = (SourcePlace("build.py", 30, 9, 30, 20), SourcePlace("main.py", 2, 1, 2, 8))
    first = given.files[0]
    layers = tuple(replace(layer, via=via) if layer.id == 1 else layer for layer in first.layers)
    text = written(replace(given, files=(replace(first, layers=layers), given.files[1])), "text")
    assert "  called  from build.py:30:9\n  called  from main.py:2:1\n" in text


def test_a_note_of_a_file_is_told() -> None:
    file = FileReport("weights.h5", "h5", notes=("It holds weights only.",))
    text = written(Report((file,), (), 1, "1.0"), "text")
    assert text == "weights.h5: note: It holds weights only.\n\nNo recurrent layer found in 1 file.\n"


def test_tabs_and_wide_characters_keep_the_underline_under_its_text() -> None:
    ((text, carets),) = underlined("\tLSTM(8, x=1)\n", SourcePlace("m.py", 1, 10, 1, 13))
    assert (text, carets) == ("    LSTM(8, x=1)", "            ^^^")
    ((text, carets),) = underlined('f("日本", x=1)\n', SourcePlace("m.py", 1, 9, 1, 12))
    assert (text, carets) == ('f("日本", x=1)', " " * 10 + "^^^")


def test_a_long_line_is_cut_round_its_finding() -> None:
    source = "f(" + "a, " * 500 + "x=1, " + "b, " * 500 + ")\n"
    column = source.index("x=1") + 1
    ((text, carets),) = underlined(source, SourcePlace("m.py", 1, column, 1, column + 3), 60)
    assert text[carets.index("^") :][:3] == "x=1"
    assert text.startswith("...")
    assert text.endswith("...")


def test_a_finding_over_many_lines_shows_the_first_of_them() -> None:
    source = "f(\n" + "    a,\n" * 30 + ")\n"
    found = underlined(source, SourcePlace("m.py", 1, 1, 32, 2))
    assert len(found) == 6
    assert found[0] == ("f(", "^^")


def test_a_place_beyond_the_end_of_the_text_shows_what_there_is() -> None:
    assert underlined("x = 1\n", SourcePlace("m.py", 9, 1, 9, 2)) == [(" ", "^")]


@pytest.mark.parametrize(
    ("text", "found"),
    [("a\nb\r\nc\rd", ["a", "b", "c", "d"]), ("a\x0cb\u2028c\x1cd\n", ["a\x0cb\u2028c\x1cd"]), ("", []), ("\n", [""])],
)
def test_lines_are_counted_as_python_counts_them(text: str, found: list[str]) -> None:
    assert lines(text) == found


@pytest.mark.parametrize(
    ("text", "shown"),
    [("plain", "plain"), ("日本 é", "日本 é"), ("\x1b[31m\x07", "\\x1b[31m\\x07"), ("a\tb\n", "a\\tb\\n"),
     ("\u202eevil", "\\u202eevil"), ("\udc80", "\\udc80"), ("\U000e0001", "\U000e0001")],
)  # fmt: skip
def test_what_a_terminal_would_obey_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_numbers_in_words() -> None:
    assert words.listed([]) == ""
    assert words.listed(["a"]) == "a"
    assert words.listed(["a", "b", "c"]) == "a, b and c"
    assert words.some(["a", "b", "c", "d"]) == "a, b, c, d"
    assert words.some(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"
