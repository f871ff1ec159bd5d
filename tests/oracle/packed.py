"""What every release was asked and what its Keras said, written small: fixtures/evidence/configurations.xz.

One JSON text, compressed. Each distinct script, saved configuration and answer stands in it once:

    {"scripts": [text], "saved": [{"kind": "keras" | "h5", "texts": {member or attribute: text}}], "truths": [FORM],
     "releases": {release: {"about", "unfit", "programs": {name: {form: [script or saved, truth]}}}}}

FORM as in truth.json, without the words of errors. Of a saved model the texts that cudnnlint reads are kept, and no
weights. The same answers give the same text.
"""

from __future__ import annotations

import io
import json
import lzma
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import h5py

from sweep import FORMS, Document, document_of

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "configurations.xz"
MEMBERS = ("config.json", "metadata.json")
ATTRIBUTES = ("model_config", "keras_version", "backend")
#: What is needed of a layer to hold a verdict against it.
KEPT = ("layer_path", "class_name", "direction", "cell", "row", "column", "via", "padding", "graph", "eager")
Json = dict[str, Any]


@dataclass(frozen=True)
class Answered:
    """One release: who answered, which programs it could not run, and each file with the truth about it."""

    about: Json
    unfit: tuple[str, ...]
    programs: Mapping[str, Mapping[str, tuple[Document, Json]]]


def answered_in(folder: Path) -> Answered:
    """What lies in a folder that truth.py filled."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    programs = {
        name: {form: (document_of(folder, name, form), program[form]) for form in FORMS if form in program}
        for name, program in sorted(truth["programs"].items())
    }
    return Answered(truth["about"], tuple(one["name"] for one in truth["dropped"]), programs)


class _Distinct:
    """Values, each once, in the order in which they first came."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def place(self, value: Any) -> int:
        """The number of a value."""
        return self.places.setdefault(json.dumps(value), len(self.places))

    def values(self) -> list[Any]:
        """All of them."""
        return [json.loads(text) for text in self.places]


def write(path: Path, releases: Mapping[str, Answered]) -> int:
    """Write the file, releases in the order given; returns how many bytes it has."""
    packed = lzma.compress(text_of(releases), preset=9 | lzma.PRESET_EXTREME)
    path.write_bytes(packed)
    return len(packed)


def text_of(releases: Mapping[str, Answered]) -> bytes:
    """What the file holds, before it is compressed."""
    tables = {"scripts": _Distinct(), "saved": _Distinct(), "truths": _Distinct()}

    def numbers(document: Document, truth: Json) -> list[int | None]:
        text = document.data.decode("utf-8") if document.form == "script" else _texts(document.data)
        table = tables["scripts" if document.form == "script" else "saved"]
        return [None if text is None else table.place(text), tables["truths"].place(_brief(truth))]

    found = {
        release: {
            "about": answered.about,
            "unfit": answered.unfit,
            "programs": {
                name: {form: numbers(*held) for form, held in forms.items()}
                for name, forms in answered.programs.items()
            },
        }
        for release, answered in releases.items()
    }
    whole = {**{name: table.values() for name, table in tables.items()}, "releases": found}
    return json.dumps(whole, separators=(",", ":")).encode()


@cache
def read(path: Path = EVIDENCE) -> Mapping[str, Answered]:
    """Every release in the file, by name; none where there is no file."""
    if not path.exists():
        return {}
    whole = json.loads(lzma.decompress(path.read_bytes()))
    scripts = [text.encode() for text in whole["scripts"]]
    saved = [_file(**one) for one in whole["saved"]]

    def held(name: str, form: str, numbers: list[Any]) -> tuple[Document, Json]:
        text, truth = numbers
        data = b"" if text is None else (scripts if form == "script" else saved)[text]
        return Document(Path("stored") / f"{name}{FORMS[form]}", form, data), whole["truths"][truth]

    def answered(about: Json, unfit: list[str], programs: Json) -> Answered:
        files = {
            name: {form: held(name, form, numbers) for form, numbers in forms.items()}
            for name, forms in programs.items()
        }
        return Answered(about, tuple(unfit), files)

    return {release: answered(**one) for release, one in whole["releases"].items()}


def _brief(truth: Json) -> Json:
    """The truth about one file, without what no verdict is held against."""
    layers = [{key: layer[key] for key in KEPT if key in layer} | _details(layer) for layer in truth["layers"]]
    return {**truth, "error": truth["error"] and "stops", "layers": layers}


def _details(layer: Json) -> Json:
    """The routes of each call, in the modes that were asked."""
    return {
        mode: {"routes": layer[mode]["routes"]}
        for mode in ("graph_detail", "eager_detail")
        if layer[mode]["routes"]
    }


def _texts(data: bytes) -> Json | None:
    """The texts in a saved model that cudnnlint reads; None for one that could not be saved."""
    if not data:
        return None
    stream = io.BytesIO(data)
    if zipfile.is_zipfile(stream):
        with zipfile.ZipFile(stream) as archive:
            texts = {name: archive.read(name).decode("utf-8") for name in MEMBERS if name in archive.namelist()}
        return {"kind": "keras", "texts": {name: _undated(text) for name, text in texts.items()}}
    with h5py.File(stream, "r") as file:
        return {"kind": "h5", "texts": {name: _text(file.attrs[name]) for name in ATTRIBUTES if name in file.attrs}}


def _undated(text: str) -> str:
    """A member of an archive without the time at which it was saved."""
    value = json.loads(text)
    return json.dumps({key: part for key, part in value.items() if key != "date_saved"})


def _text(value: Any) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _file(kind: str, texts: Mapping[str, str]) -> bytes:
    """A saved model with these texts and nothing else."""
    stream = io.BytesIO()
    if kind == "h5":
        with h5py.File(stream, "w", libver="latest") as file:
            file.attrs.update(texts)
    else:
        with zipfile.ZipFile(stream, "w") as archive:
            for name, text in texts.items():
                archive.writestr(zipfile.ZipInfo(name), text)
    return stream.getvalue()
