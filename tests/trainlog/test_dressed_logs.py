"""A message is recognised however the log was stored, packed, quoted or put into lines."""

import bz2
import gzip
import io
import json
import lzma
import time

import pytest

from cudnnlint.core.errors import UsageError
from cudnnlint.trainlog import unpacked, windows
from cudnnlint.trainlog.envelopes import Record, record
from cudnnlint.trainlog.gather import gather
from cudnnlint.trainlog.pieces import LONGEST, pieces

LINE = (
    "WARNING:tensorflow:Layer lstm_2 will not use cuDNN kernels since it doesn't meet the criteria. It will use a "
    "generic GPU kernel as fallback when running on GPU."
)
FIRST, REST = LINE[:100], LINE[100:]
STORED = "2026-01-01T00:00:00.123456789Z stderr {} {}\n"
DOCKER = "trainer-1  | {}\n"
JOURNAL = "Jan  1 00:00:00 gpu-7 python3[4711]: {}\n"


def found(data):
    entries = gather(pieces(io.BytesIO(data if isinstance(data, bytes) else data.encode()))).entries
    return [(entry.phrase.key, entry.layer, entry.count) for entry in entries]


ONCE = [("criteria-not-met", "lstm_2", 1)]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_log_is_read(pack):
    packed = pack(f"Epoch 1/3\n{LINE}\nEpoch 2/3\n".encode())
    assert found(packed) == ONCE
    cut = pack((f"{LINE}\n" + "".join(f"{number * 7919} of many\n" for number in range(60_000))).encode())[:-100]
    assert found(cut) == ONCE


@pytest.mark.parametrize(
    ("first", "command"),
    [
        (b"\x28\xb5\x2f\xfd", "Zstandard. Unpack it: `zstd -dc"),
        (b"PK\x03\x04", "zip. Unpack it: `unzip -p"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip. Unpack it: `7z x"),
        (b"\x04\x22\x4d\x18", "LZ4. Unpack it: `lz4 -dc"),
        (b"\x1f\x9d", "with compress. Unpack it: `zcat FILE"),
    ],
)
def test_a_log_that_is_packed_otherwise_is_said_to_be(first, command):
    with pytest.raises(UsageError, match=command):
        found(first + bytes(100))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_damaged_packed_log_is_said_to_be(pack):
    packed = bytearray(pack(LINE.encode() * 3))
    packed[20:40] = bytes(20)
    with pytest.raises(UsageError, match="damaged"):
        found(bytes(packed))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_log_has_a_limit(pack, monkeypatch):
    monkeypatch.setattr(unpacked, "MOST", 1 << 20)
    with pytest.raises(UsageError, match="larger than"):
        found(pack(bytes(1 << 21)))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16", "utf-8-sig"])
def test_an_encoding_without_its_mark_is_read(encoding):
    assert found(f"Größe 3\r\n{LINE.replace(chr(39), chr(0x2019))}\r\n".encode(encoding)) == ONCE


def test_lines_that_powershell_put_behind_others_are_read():
    assert found(b"pip install keras\r\n" + (LINE + "\r\n").encode("utf-16-le")) == ONCE


@pytest.mark.parametrize(
    "quote",
    ["\u2019", "\u2018", "\u2032", "\u00b4", "&#39;", "&#x27;", "&apos;", "&amp;#39;", "&rsquo;", "\\u2019",
     "\\\\u0027", "\\'", "\u00e2\u20ac\u2122"],
)  # fmt: skip
def test_another_apostrophe_changes_nothing(quote):
    assert found(LINE.replace("'", quote)) == ONCE


def test_an_apostrophe_of_windows_is_read():
    assert found(LINE.encode().replace(b"'", b"\x92")) == ONCE


@pytest.mark.parametrize(
    ("left", "right"), ["“”", "„“", "«»", ("&quot;", "&quot;"), ("&ldquo;", "&rdquo;"), ('\\"', '\\"')]
)
def test_other_quotation_marks_change_nothing(left, right):
    text = (
        f"Layer #0 (named {left}lstm_1{right}), weight <tf.Variable 'lstm_1/bias:0'> has shape (400,), but the saved "
    )
    assert found(text + "weight has shape (800,).") == [("bias-doubled", "lstm_1", 1)]


@pytest.mark.parametrize(
    "until", ["will not use cuDNN kernels since it doesn", "will not use cuDNN kernels", "since it "]
)
def test_a_line_that_was_cut_off_is_recognised(until):
    assert found(LINE[: LINE.index(until) + len(until)] + "\n") == ONCE


@pytest.mark.parametrize(
    "dressed",
    [
        STORED.format("P", FIRST) + STORED.format("F", REST),
        STORED.format("P", LINE[:40]) + "2026-01-01T00:00:01Z stdout F loss: 0.5\n" + STORED.format("P", LINE[40:90])
        + STORED.format("F", LINE[90:]),
        STORED.format("P", FIRST) + STORED.format("P", REST),
        DOCKER.format(FIRST) + DOCKER.format(REST),
        JOURNAL.format(FIRST) + JOURNAL.format(REST),
        f"[pod/trainer-0/main] {FIRST}\n[pod/trainer-0/main] {REST}\n",
        f"[1,0]<stderr>:{FIRST}\n[1,0]<stderr>:{REST}\n",
        f"2026-01-01T00:00:00.123456789Z {FIRST}\n2026-01-01T00:00:00.123456790Z {REST}\n",
        json.dumps({"log": FIRST, "stream": "stderr", "time": "2026"}) + "\n"
        + json.dumps({"log": REST + "\n", "stream": "stderr", "time": "2026"}) + "\n",
        json.dumps({"message": "Epoch 1\n" + LINE + "\nEpoch 2", "severity": "ERROR"}) + "\n",
        f'<pre><span class="ansi-yellow-fg">WARNING</span>{LINE[7:]}</pre>'.replace("'", "&#39;"),
        f"\x1b]0;train\x07\x1b[33m{LINE}\x1b[0m\n",
        f"^[[33m{LINE}^[[0m\n",
        f"  0%|          | 0/100\r 10%|█         | 10/100{LINE}\r 20%|██        | 20/100",
    ],
    ids=["stored", "streams", "stored and cut", "docker", "journal", "kubectl", "mpirun", "timestamps", "json in parts",
         "json with lines", "html", "title", "cat -v", "tqdm"],
)  # fmt: skip
def test_what_is_put_around_a_line_changes_nothing(dressed):
    assert found(dressed) == ONCE


def test_a_line_in_too_many_parts_is_not_kept_forever():
    parts = STORED.format("P", "x" * 10_000) * 10
    longest = max(len(piece.text) for piece in pieces(io.BytesIO(parts.encode())))
    assert longest < 2 * LONGEST


@pytest.mark.parametrize("key", ["log", "message", "msg", "textPayload", "line"])
def test_a_line_of_json_has_its_text_under_one_of_these(key):
    assert record(json.dumps({key: "text"})) == Record("text")


def test_a_part_of_a_line_goes_on_where_its_store_says_so():
    assert record(STORED.format("P", "text").strip()) == Record("text", "stderr", True)
    assert record(STORED.format("F", "text").strip()) == Record("text", "stderr")
    assert record(json.dumps({"log": "text", "stream": "stderr"})) == Record("text", "stderr", True)
    assert record(json.dumps({"log": "text\n", "stream": "stderr"})) == Record("text", "stderr")
    assert record(json.dumps({"message": "text", "stream": "stderr"})) == Record("text", "stderr")


@pytest.mark.parametrize(("brackets", "braces"), [(98, 0), (0, 98), (49, 49)])
def test_json_of_a_hundred_brackets_is_read_as_it_is(brackets, braces):
    for more, read in (("", True), ("[", False)):
        line = json.dumps({"message": "text", "more": "[" * brackets + "{" * braces + more})
        assert (record(line) == Record("text")) is read, (brackets, braces, more)


def test_json_that_is_no_log_line_is_read_as_it_is():
    assert found(json.dumps({"cells": [], "outputs": [LINE]})) == ONCE
    assert found('{"log": 3}\n{"broken": \n' + LINE) == ONCE


def test_a_line_of_tensorflows_logger_is_not_joined_to_the_one_before(monkeypatch):
    asked = []
    monkeypatch.setattr(windows, "found_in", lambda text: asked.append(text) or iter(()))
    line = "2024-01-01 10:00:00.123456: I tensorflow/core/gpu_device.cc:1616] Created device with 2 MB\n"
    assert found(line * 100) == []
    assert asked == []
    half = "2024-01-01 10:00:00.123456: W tensorflow/core/x.cc:1] Layer lstm will not use\n"
    found(half + "cuDNN kernels since it doesn't meet the criteria\n")
    assert asked


@pytest.mark.parametrize("line", ['{"log":' + "[" * 15_000, "\\" * 300_000, "&amp;" * 50_000, "^[[" * 50_000])
def test_a_line_that_means_harm_is_read_in_time(line):
    began = time.process_time()
    assert found(line + "\n" + LINE) == ONCE
    assert time.process_time() - began < 20
