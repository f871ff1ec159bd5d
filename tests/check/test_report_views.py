"""A report as a program and a notebook show it, and as an assertion."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from newest_releases import NEWEST
from shell_samples import SOURCE

import cudnnlint
from cudnnlint import engine
from cudnnlint.core.report import FileReport, Report
from cudnnlint.frontends.source.reader import read
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, requested

BOOK = loader.load()
FINE = "import keras\nlayer = keras.layers.LSTM(8)\n"
MASKED = """import keras
x = keras.layers.Embedding(9, 4, mask_zero=True)(keras.Input((None,)))
keras.layers.LSTM(8)(x)
"""


def report(text: str) -> Report:
    """The report on a source, for the newest Keras."""
    (target,) = requested.parse([f"keras@{NEWEST}"], environment.releases(BOOK.tables))
    model = read("<b>.py", text.encode(), BOOK.tables.names)
    judged = engine.judge(model, (target,), BOOK)
    return Report((FileReport(model.path, "python", (target,), judged.layers),), judged.diagnostics, 1, "1.0")


def test_a_report_prints_the_counts_and_the_layers_that_leave_cudnn() -> None:
    shown = str(report(SOURCE)).splitlines()
    assert shown[0].startswith("4 recurrent layers: ")
    assert any("falls back: CDN103 recurrent-dropout" in line for line in shown[1:])
    assert len(shown) <= 4
    assert repr(report(FINE)) == "<Report: 1 recurrent layer: 1 runs in cuDNN>"


def test_each_verdict_is_counted_in_words() -> None:
    every = f"{SOURCE}keras.layers.LSTM(4, dropout=None)\n{MASKED}"
    counts = "1 runs in cuDNN, 2 fall back, 1 raises an error, 1 depends on the data, 1 unknown"
    assert str(report(every)).splitlines()[0] == f"6 recurrent layers: {counts}"
    counts = "2 run in cuDNN, 4 fall back, 2 raise an error, 2 depend on the data, 2 unknown"
    assert str(report(every * 2)).splitlines()[0] == f"12 recurrent layers: {counts}"


def test_many_layers_are_counted_and_not_listed() -> None:
    text = "import keras\n" + "keras.layers.SimpleRNN(8)\n" * 40
    assert str(report(text)).splitlines()[-1] == "  and 30 more layers"
    assert report(text)._repr_html_().count("<tr>") == 31
    assert "<p>and 10 more layers</p>" in report(text)._repr_html_()


def test_no_more_than_is_listed_is_counted() -> None:
    layer = "keras.layers.SimpleRNN(8)\n"
    assert len(str(report("import keras\n" + layer * 10)).splitlines()) == 11
    assert "more layer" not in report("import keras\n" + layer * 30)._repr_html_()


def test_a_file_that_could_not_be_read_is_named() -> None:
    broken = FileReport("a.keras", "keras", error=("CDN001", "It is no zip archive."))
    assert str(Report((broken,), (), 1, "1.0")).splitlines() == [
        "No recurrent layer found in 1 file; 1 could not be read.",
        "  a.keras could not be read: It is no zip archive.",
    ]
    assert str(Report((FileReport("a.py", "python"),), (), 1, "1.0")) == "No recurrent layer found in 1 file."
    assert str(Report((), (), 0, "1.0")) == "No recurrent layer found: there is no file to check."


def test_a_notebook_shows_a_table_that_is_well_formed() -> None:
    shown = report(SOURCE)._repr_html_()
    rows = list(ElementTree.fromstring(f"<div>{shown}</div>").iter("tr"))
    assert len(rows) == 5
    assert "&lt;b&gt;.py" in shown
    assert [cell.text for cell in rows[0]] == ["layer", "class", "verdict", "why", "what to do"]
    layer, name, verdict, why, action = (cell.text for cell in rows[2])
    assert (layer, name, verdict) == ("<b>.py:7:5 LSTM", "LSTM", "falls back")
    assert (why or "").startswith("CDN103 recurrent_dropout is 0.2, ")
    assert (action or "").startswith("Remove recurrent_dropout. ")
    assert [row[2].text for row in rows[1:]] == ["runs in cuDNN", "falls back", "falls back", "unknown"]
    assert all(len(row) == 5 for row in rows)
    assert len(shown) < 4000
    assert "Accept the loop" in report("import keras\nkeras.layers.SimpleRNN(8)\n")._repr_html_()


def test_what_belongs_to_no_layer_is_shown_below_the_table() -> None:
    given = report(FINE)
    loose = replace(report(SOURCE).diagnostics[0], layers=(), message="Nothing to do with a layer.")
    assert replace(given, diagnostics=(loose,))._repr_html_().endswith("<p>Nothing to do with a layer.</p>")


def test_an_assertion_says_a_reason_once() -> None:
    source = (
        "import keras\nx = keras.Input((9, 4))\nfor _ in range(3):\n"
        "    x = keras.layers.LSTM(4, return_sequences=True, recurrent_dropout=0.2)(x)\n"
        "y = keras.layers.LSTM(4, recurrent_dropout=0.2)(x)\nz = keras.layers.SimpleRNN(4)(x)\n"
    )
    with pytest.raises(AssertionError) as raised:
        report(source).assert_cudnn()
    lines = str(raised.value).split("\n")[1:]
    assert [line.split(": ")[0].count("LSTM") for line in lines] == [2, 0]
    assert "LSTM (3 layers), " in lines[0]
    assert str(raised.value).count("CDN103") == 1


def test_a_report_asserts_that_every_layer_runs_in_cudnn() -> None:
    report(FINE).assert_cudnn()
    with pytest.raises(AssertionError, match=r"will not run in cuDNN:\n  .*CDN103 "):
        report(SOURCE).assert_cudnn()
    with pytest.raises(AssertionError, match="no recurrent layer"):
        report("import keras\n").assert_cudnn()
    with pytest.raises(AssertionError, match="depends"):
        report(MASKED).assert_cudnn()
    report(MASKED).assert_cudnn(depends=True)


@pytest.mark.parametrize("name", sorted(set(cudnnlint.__all__) - {"__version__"}))
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert len(getattr(cudnnlint, name).__doc__) > 40
