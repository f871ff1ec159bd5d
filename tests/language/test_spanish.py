"""The messages in Spanish: every one has a translation, and finished sentences are found again in the catalogue."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cudnnlint import language, pipeline
from cudnnlint.core import language as reader
from cudnnlint.core.report import Report
from cudnnlint.language import reports
from cudnnlint.language.catalogue import read
from cudnnlint.language.translator import Translator
from cudnnlint.reporters import Look, writer
from cudnnlint.settings.settings import Flags

ROOT = Path(language.__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"
SAVED = ROOT / "fixtures" / "saved"


@pytest.fixture(scope="module")
def spanish() -> Translator:
    return Translator.of("es")


@pytest.fixture
def in_spanish() -> Iterator[None]:
    language.use("es")
    yield
    language.use("en")


def test_every_message_has_a_translation_with_the_same_holes_and_the_files_are_current() -> None:
    pytest.importorskip("babel")
    done = subprocess.run(
        [sys.executable, "-m", "cudnnlint.dev.messages", "--check"], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_catalogue_is_stale_for_what_it_says_not_for_how_it_is_laid_out() -> None:
    """Releases of Babel differ in the header and in where they break lines."""
    pytest.importorskip("babel")
    from cudnnlint.dev.messages import HOME, said

    path = HOME / "es.po"
    text = path.read_text(encoding="utf-8")
    now = said(path, text.encode())
    without_plurals = re.sub('"Plural-Forms.*\n', "", text)
    assert without_plurals != text
    assert said(path, without_plurals.encode()) == now
    assert said(path, text.replace("La activación", "La desactivación").encode()) != now
    assert said(path, text.replace("#: rules/activation.py", "#: rules/other.py").encode()) != now


@pytest.mark.parametrize(
    ("english", "expected"),
    [
        ("runs in cuDNN", "se ejecuta en cuDNN"),
        (
            "3 recurrent layers: 2 run in cuDNN, 1 falls back",
            "3 capas recurrentes: 2 se ejecutan en cuDNN, 1 recurre al bucle",
        ),
        ("from installed packages", "desde paquetes instalados"),
        ("LSTM stops with an error on a GPU (keras@3.15)", "LSTM se detiene con un error en una GPU (keras@3.15)"),
        (
            "It depends on `units`, and `units` is an attribute of None.",
            "Depende de `units`, y `units` es un atributo de None.",
        ),
        (
            "Remove unroll. Effect: the same numbers at inference; training changes.",
            "Quite unroll. Efecto: los mismos números en inferencia; cambia el entrenamiento.",
        ),
        (
            "line 1 (2 times), layer lstm_1: it stops with an error",
            "línea 1 (2 veces), capa lstm_1: se detiene con un error",
        ),
        ("recurrent_dropout=0", "recurrent_dropout=0"),
        ("models/an LSTM in the wild.py", "models/an LSTM in the wild.py"),
        ("", ""),
    ],
)
def test_what_was_filled_in_is_translated_and_names_stay(spanish: Translator, english: str, expected: str) -> None:
    assert spanish(english) == expected


def test_a_sentence_that_no_message_fits_is_never_taken_apart_inside(spanish: Translator) -> None:
    """Half a sentence in each language would be worse than the whole in English."""
    assert spanish("The weather in the north is fine with me") == "The weather in the north is fine with me"


def checked(*paths: Path) -> Report:
    return pipeline.check(pipeline.Request(tuple(map(str, paths)), Flags(jobs=1), edits=False)).report


def test_all_that_a_report_says_is_known(spanish: Translator) -> None:
    report = checked(EXAMPLES, SAVED, ROOT / "fixtures" / "demo")
    said = {
        text for one in report.diagnostics for text in (one.message, one.advice, one.consequence, one.instead) if text
    }
    said |= {one.fix.message for one in report.diagnostics if one.fix}
    said |= {note for file in report.files for note in file.notes}
    said |= {target.origin for file in report.files for target in file.targets}
    assert len(said) > 60
    assert [text for text in sorted(said) if spanish.known(text) is None] == []


@pytest.mark.usefixtures("in_spanish")
@pytest.mark.parametrize("name", ["text", "concise", "markdown", "json", "sarif"])
def test_a_report_is_written_in_spanish(name: str) -> None:
    stream = io.StringIO()
    writer(name)(reports.translated(checked(EXAMPLES / "train.py")), stream, Look())
    text = " ".join(stream.getvalue().split())
    assert "cuDNN no admite dropout en el estado recurrente" in text
    assert "does not support" not in text


def test_codes_names_and_verdicts_are_the_same_in_every_language() -> None:
    english = checked(EXAMPLES / "train.py")
    language.use("es")
    try:
        other = reports.translated(english)
    finally:
        language.use("en")
    assert [(one.code, one.name, one.verdict, one.target, one.location) for one in other.diagnostics] == [
        (one.code, one.name, one.verdict, one.target, one.location) for one in english.diagnostics
    ]
    assert other.diagnostics[0].message != english.diagnostics[0].message


@pytest.mark.parametrize("variable", [{"CUDNNLINT_LANG": "es"}, {}], ids=["environment", "option"])
def test_the_option_and_the_environment_choose_it(variable: dict[str, str]) -> None:
    option = [] if variable else ["--lang", "es"]
    done = subprocess.run(
        [sys.executable, "-m", "cudnnlint", "check", *option, "--help"],
        capture_output=True, text=True, encoding="utf-8", env={**os.environ, **variable, "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert done.stdout.startswith("Uso: cudnnlint check"), done.stderr
    assert "Comprueba todas las capas recurrentes" in done.stdout


def test_a_language_that_is_not_there_is_wrong_use() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cudnnlint", "rules"],
        capture_output=True, text=True, env={**os.environ, "CUDNNLINT_LANG": "xx"},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert 'There is no language "xx". Choose one of en, es.' in done.stderr


def test_english_is_what_nobody_asked_for() -> None:
    assert reader.tr("runs in cuDNN") == "runs in cuDNN"
    assert not reader.foreign()


def test_bytes_that_are_no_catalogue_are_refused() -> None:
    with pytest.raises(ValueError, match="not a catalogue"):
        read(b"\0" * 32)
