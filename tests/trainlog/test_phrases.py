"""Every wording of the table is recognised, in any disguise, and names its layer."""

import io
import re
import sys
from pathlib import Path

import pytest

from cudnnlint.core.errors import RulebookError
from cudnnlint.trainlog import phrases as tables
from cudnnlint.trainlog.gather import gather
from cudnnlint.trainlog.phrases import PROBLEMS, TELLS, phrases
from cudnnlint.trainlog.pieces import LONGEST, pieces

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LINES = tomllib.loads(Path(__file__).with_name("lines.toml").read_text(encoding="utf-8"))["line"]
UNLIKE = tomllib.loads(Path(__file__).with_name("unlike.toml").read_text(encoding="utf-8"))["line"]


def entries(data):
    return gather(pieces(io.BytesIO(data if isinstance(data, bytes) else data.encode()))).entries


def facts(line):
    return [(line["key"], line.get("layer"), line.get("class_name"), line.get("detail"))]


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line['key']}-{line.get('layer')}")
def test_a_line_is_recognised_with_its_layer(line):
    found = entries(line["text"])
    assert [entry.identity[:4] for entry in found] == facts(line)
    assert found[0].count == 1


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["key"])
def test_prefixes_colours_and_progress_bars_change_nothing(line):
    coloured = line["text"].replace(" ", "\x1b[0m ", 1)
    dressed = f"5/5 [====]\r\x1b[1m\x1b[31m2025-01-01T00:00:00Z pod-7 | \x1b[0m{coloured}"
    assert [entry.identity[:4] for entry in entries(dressed + "\r\n")] == facts(line)


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES, ids=lambda line: line["key"])
def test_a_line_in_the_middle_of_an_endless_one_is_found_once(line):
    places = (LONGEST - 20, LONGEST - 300, 2 * LONGEST)
    for before in places if LINES.index(line) % 10 == 0 else places[:1]:
        found = entries("x" * before + " " + line["text"] + " " + "y" * LONGEST)
        assert [(entry.identity[0], entry.count) for entry in found] == [(line["key"], 1)]


def test_every_phrase_has_a_line_and_sound_words():
    assert {line["key"] for line in LINES} == {phrase.key for phrase in phrases()}
    for phrase in phrases():
        for pattern in phrase.patterns:
            assert set(pattern.groupindex) <= {"layer", "class_name", "detail", "one", "two", "u", "v"}
        for reading in (phrase.reading, *(case.reading for case in phrase.cases)):
            assert reading.tells in TELLS
            assert not reading.said_by.endswith(".")
            assert reading.means.endswith(".")
            assert reading.do.endswith(".")
            assert all(re.fullmatch(r"CDN\d{3}", code) for code in reading.codes)
        for case in phrase.cases:
            assert case.near or case.seen or case.judged or case.owner
            assert case.reading != phrase.reading
            assert set(case.seen) <= {other.key for other in phrases()}
    assert set(PROBLEMS) < set(TELLS)


@pytest.mark.parametrize("line", UNLIKE, ids=lambda line: line["not"])
def test_a_line_that_only_looks_like_a_phrase_is_left_alone(line):
    assert line["not"] in {phrase.key for phrase in phrases()}
    assert line["not"] not in {entry.phrase.key for entry in entries(line["text"])}


def test_utf_16_logs_of_windows_are_read():
    text = LINES[0]["text"] + "\r\n"
    assert [entry.identity[:4] for entry in entries(text.encode("utf-16"))] == facts(LINES[0])


def test_bytes_that_are_no_text_do_no_harm():
    noise = bytes(range(256)) * 50
    assert [entry.identity[:4] for entry in entries(noise + LINES[0]["text"].encode() + noise)] == facts(LINES[0])


def test_an_anchor_that_is_too_short_names_its_row(tmp_path, monkeypatch):
    rest = 'tells = "raises"\npattern = "x"\nsaid_by = ""\nmeans = ""\ndo = ""\ncodes = []\n'
    rows = {"long-enough": ["enough"], "much-too-short": ["enough", "ONNX"]}
    table = "".join(f'[[phrase]]\nkey = "{key}"\nanchor = {anchor}\n{rest}' for key, anchor in rows.items())
    (tmp_path / "few.toml").write_text(table)
    monkeypatch.setattr(tables, "TABLES", ("few.toml",))
    monkeypatch.setattr(tables, "__file__", str(tmp_path / "phrases.py"))
    with pytest.raises(RulebookError, match="much-too-short has the anchor 'ONNX', shorter than 5"):
        phrases.__wrapped__()
