"""What users read, in another language than English: `use("es")`."""

from __future__ import annotations

from cudnnlint.core import language
from cudnnlint.core.errors import UsageError
from cudnnlint.language.translator import Translator

LANGUAGES = ("en", "es")


def use(name: str) -> None:
    """Let everything that is laid out from now on be in this language. Raises UsageError for one that is not there."""
    if name not in LANGUAGES:
        raise UsageError(f'There is no language "{name}". Choose one of {", ".join(LANGUAGES)}.')
    language.install(None if name == LANGUAGES[0] else Translator.of(name))
