"""Files behind URLs: a few ranged reads, limits for servers that are not to be trusted, and what reports say."""

from __future__ import annotations

import builtins
import gzip
import io
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy
import pytest
from shell_run import Run
from shell_samples import keras_file
from web_server import Site, serving

from cudnnlint.files import web

pytest.importorskip("aiohttp")
fsspec = pytest.importorskip("fsspec")

Command = Callable[..., Run]
SAVED = Path(__file__).parents[2] / "fixtures" / "saved"
LAYER = b"import keras\nlayer = keras.layers.LSTM(8, recurrent_dropout=0.5)\n"
LARGE = 24 << 20
FEW = 4 * 65_536


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as found:
        yield found


@pytest.fixture
def store() -> Iterator[Any]:
    found = fsspec.filesystem("memory")
    yield found
    found.store.clear()
    found.pseudo_dirs[:] = [""]


def large_keras() -> bytes:
    """A `.keras` file with weights of many megabytes."""
    keras_file(Path("large.keras"), {"recurrent_dropout": 0.2})
    with zipfile.ZipFile("large.keras", "a") as archive:
        archive.writestr("more.weights.h5", os.urandom(LARGE))
    return Path("large.keras").read_bytes()


def large_h5() -> bytes:
    """An HDF5 model with weights of many megabytes."""
    stream = io.BytesIO((SAVED / "k2_nested.h5").read_bytes())
    with h5py.File(stream, "a") as file:
        file["more"] = numpy.frombuffer(os.urandom(LARGE), dtype="u1")
    return stream.getvalue()


def found(run: Command, *words: str) -> Any:
    return json.loads(run("--output-format", "report", "--exit-zero", *words).out)


@pytest.mark.parametrize(("name", "make"), [("large.keras", large_keras), ("large.h5", large_h5)])
def test_a_model_of_many_megabytes_costs_a_few_pages(
    run: Command, site: Site, name: str, make: Callable[[], bytes]
) -> None:
    site.files[name] = make()
    (file,) = found(run, site.url(name))["files"]
    Path(name).write_bytes(site.files[name])
    (local,) = found(run, name)["files"]
    assert file["layers"] == local["layers"] != []
    assert site.sent <= FEW
    assert len(site.asked) <= 4


def test_a_small_file_is_read_whole_where_the_server_gives_no_parts(run: Command, site: Site) -> None:
    site.ranges = False
    site.files["model.h5"] = (SAVED / "k2_nested.h5").read_bytes()
    (file,) = found(run, site.url("model.h5"))["files"]
    assert file["layers"]
    assert len(site.asked) == 1


def test_a_large_file_is_not_downloaded_where_the_server_gives_no_parts(
    run: Command, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "MOST_WHOLE", 1 << 20)
    site.ranges = False
    site.files["large.keras"] = large_keras()
    (file,) = found(run, site.url("large.keras"))["files"]
    assert file["error"] == {
        "code": "CDN001",
        "message": "The server gives no parts of files, and this one has more than 1 MiB: download it.",
    }


def test_a_server_that_never_stops_sending_is_cut_off(
    run: Command, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "MOST_WHOLE", 1 << 20)
    site.endless = True
    site.files["model.keras"] = b"x" * 4096
    for ranges in (True, False):
        site.ranges = ranges
        assert found(run, site.url("model.keras"))["files"][0]["error"]["code"] == "CDN001"


def test_redirects_are_followed_but_not_for_ever(run: Command, site: Site) -> None:
    site.files["model.keras"] = (SAVED / "k2_plain.keras").read_bytes()
    site.moved["resolve/main/model.keras"] = site.url("model.keras")
    assert found(run, site.url("resolve/main/model.keras"))["files"][0]["layers"]
    site.moved["round"] = site.url("round")
    assert "TooManyRedirects" in found(run, site.url("round"))["files"][0]["error"]["message"]


def test_what_cannot_be_had_is_a_diagnostic_and_the_others_go_on(run: Command, site: Site) -> None:
    site.files = {"page.keras": b"<!DOCTYPE html><html></html>", "cut.keras": b"PK\x03\x04", "model.py": LAYER}
    paths = [site.url(name) for name in ("none.keras", "page.keras", "cut.keras", "model.py")]
    files = found(run, *paths)["files"]
    assert [file["path"] for file in files] == paths
    assert [bool(file["error"]) for file in files] == [True, True, True, False]
    assert files[0]["error"]["message"] == "The URL cannot be read: there is no such file."
    assert files[1]["error"]["message"] == "The URL gives a web page, not the file itself."


def test_the_suffix_is_that_of_the_path_without_its_query(run: Command, site: Site) -> None:
    site.files["train.ipynb"] = json.dumps(
        {"nbformat": 4, "cells": [{"cell_type": "code", "source": LAYER.decode()}], "metadata": {}}
    ).encode()
    (file,) = found(run, site.url("train.ipynb?download=true"))["files"]
    assert (file["kind"], len(file["layers"])) == ("notebook", 1)


def test_a_python_file_is_read_without_its_imports(run: Command, site: Site) -> None:
    Path("helper.py").write_text("RATE = 0.5\n")
    site.files["model.py"] = b"import keras\nfrom helper import RATE\nlayer = keras.layers.LSTM(8, dropout=RATE)\n"
    site.files["helper.py"] = b"RATE = 0.5\n"
    (file,) = found(run, site.url("model.py"), "--target", "keras@3.2:tensorflow")["files"]
    assert [layer["verdicts"][0]["verdict"] for layer in file["layers"]] == ["unknown"]
    assert {path for path, _ in site.asked} == {"model.py"}


def test_a_url_stays_a_url_in_every_machine_format(run: Command, site: Site) -> None:
    url = site.url("a%20b.py")
    site.files["a%20b.py"] = LAYER
    report = found(run, url)
    assert (report["files"][0]["path"], report["diagnostics"][0]["filename"]) == (url, url)
    (result,) = json.loads(run("--output-format", "sarif", url).out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == url


def test_nothing_behind_a_url_is_kept_in_the_cache(
    run: Command, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CUDNNLINT_NO_CACHE")
    site.files["model.py"] = LAYER
    cached = ("--cache-dir", str(tmp_path / "kept"), site.url("model.py"))
    assert found(run, *cached)["summary"]["fallback"] == 1
    site.files["model.py"] = LAYER.replace(b"recurrent_", b"")
    assert found(run, *cached)["summary"]["fallback"] == 0


@pytest.mark.parametrize("option", ["--fix", "--diff", "--add-noqa"])
def test_what_is_behind_a_url_is_never_changed(run: Command, option: str) -> None:
    done = run(option, "https://example.org/model.keras")
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith("cannot change https://example.org/model.keras: download it first.\n")


def test_a_folder_of_a_bucket_is_walked(run: Command, store: Any) -> None:
    keras_file(Path("model.keras"), {"recurrent_dropout": 0.2})
    store.pipe("/bucket/b/model.keras", Path("model.keras").read_bytes())
    store.pipe("/bucket/a.py", LAYER)
    store.pipe("/bucket/data.json", b'{"rows": []}')
    store.pipe("/bucket/b/notes.txt", b"no model")
    graph = gzip.decompress((SAVED / "graphs" / "k3_gpu.pb.gz").read_bytes())
    store.pipe("/bucket/saved/saved_model.pb", graph)
    paths = [file["path"] for file in found(run, "memory://bucket")["files"]]
    assert paths == ["memory://bucket/a.py", "memory://bucket/b/model.keras", "memory://bucket/saved"]


def test_without_the_extra_a_sentence_says_how_to_get_it(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name == "fsspec":
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    done = run("s3://bucket/model.keras")
    assert (done.status, done.out) == (2, "")
    assert done.err == 'cudnnlint: s3://bucket/model.keras is a URL; to read it: pip install "cudnnlint[remote]"\n'


@pytest.mark.parametrize("url", ["nonsense://x/model.keras", "zip://model.keras::https://example.org/all.zip"])
def test_a_url_that_is_not_read_is_wrong_use(run: Command, url: str) -> None:
    done = run(url)
    assert (done.status, done.out) == (2, "")
    assert url in done.err


def test_target_takes_a_url(run: Command, site: Site) -> None:
    site.files["model.keras"] = (SAVED / "k3_cells.keras").read_bytes()
    assert "the file was saved by Keras" in run("target", site.url("model.keras")).out
