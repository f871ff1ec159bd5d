"""The catalogue of messages: `python -m cudnnlint.dev.messages [--check]`.

Collects what users read (`message_texts`), writes it to cudnnlint/language/cudnnlint.pot, brings the catalogue of each
language up to date with it (new messages stay empty) and compiles it. `--check` writes nothing and exits 1 if a
catalogue is stale or has a message without a translation; how a release of Babel lays the files out does not matter.
"""

from __future__ import annotations

import re
import sys
from datetime import datetime, timezone
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from cudnnlint.core.version import __version__
from cudnnlint.dev.message_texts import ROOT, messages

HOME = ROOT / "cudnnlint" / "language"
LANGUAGES = ("es",)
DATED = datetime(2000, 1, 1, tzinfo=timezone.utc)  # the same messages are the same bytes, whenever they are written


def catalogue(found: dict[str, list[tuple[str, int]]], language: str | None = None) -> Catalog:
    """Return the catalogue of these messages; for a language with the translations that it has."""
    made = Catalog(
        locale=language,
        project="cudnnlint",
        copyright_holder="the cudnnlint authors",
        version=__version__,
        fuzzy=False,
        creation_date=DATED,
        revision_date=DATED,
    )
    for text, places in found.items():
        made.add(text, locations=[(name, 1) for name in dict.fromkeys(name for name, _ in places)])
    if language is None:
        return made
    with (HOME / f"{language}.po").open("rb") as stream:
        old = read_po(stream, locale=language)
    for message in made:
        known = old.get(message.id) if message.id else None
        if known is not None and known.string:
            message.string = known.string
    return made


def written(found: dict[str, list[tuple[str, int]]]) -> dict[Path, bytes]:
    """Return the files, up to date: the template, and for each language its catalogue and the compiled one."""
    files = {HOME / "cudnnlint.pot": _text(catalogue(found))}
    for language in LANGUAGES:
        made = catalogue(found, language)
        files[HOME / f"{language}.po"] = _text(made)
        binary = BytesIO()
        write_mo(binary, made)
        files[HOME / f"{language}.mo"] = binary.getvalue()
    return files


def _text(made: Catalog) -> bytes:
    stream = BytesIO()
    write_po(stream, made, width=120, omit_header=False, sort_by_file=False, include_lineno=False)
    lines = stream.getvalue().decode("utf-8").splitlines(keepends=True)
    dated = ('"POT-Creation-Date', '"PO-Revision-Date', '"Last-Translator', '"Language-Team', '"Generated-By')
    return "".join(line for line in lines if not line.startswith((*dated, "# FIRST AUTHOR"))).encode()


def said(path: Path, data: bytes) -> dict[str, tuple[str, list[str]]]:
    """Return what a catalogue says: for each message its translation, and the files that hold it (compiled: none)."""
    if path.suffix == ".mo":
        pairs = vars(GNUTranslations(BytesIO(data)))["_catalog"].items()
        return {str(text): (str(translation), []) for text, translation in pairs if text}
    read = read_po(BytesIO(data))
    return {str(one.id): (str(one.string), [name for name, _ in one.locations]) for one in read if one.id}


def untranslated(language: str) -> list[str]:
    """Return the messages that a language has no text for, or one with other placeholders."""
    made = catalogue(messages(), language)
    return [
        str(message.id)
        for message in made
        if message.id and (not message.string or _holes(message.string) != _holes(message.id))
    ]


def _holes(text: object) -> list[str]:
    return sorted(set(re.findall(r"\{\w*\}", str(text))))


def main() -> None:
    """Write the catalogues, or with `--check` say what is stale or missing."""
    files = written(messages())
    if "--check" not in sys.argv[1:]:
        for path, data in files.items():
            path.write_bytes(data)
    stale = [path.name for path, data in files.items() if said(path, path.read_bytes()) != said(path, data)]
    missing = [(language, text) for language in LANGUAGES for text in untranslated(language)]
    for language, text in missing:
        print(f"{language}: no translation of {text!r}")
    if stale:
        print(f"{', '.join(stale)}: stale. Run `python -m cudnnlint.dev.messages`.")
    sys.exit(int(bool(stale or missing)))


if __name__ == "__main__":
    main()
