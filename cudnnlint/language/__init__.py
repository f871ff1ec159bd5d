"""What users read, in another language than English: `use("es")`."""

from __future__ import annotations

from cudnnlint.core import language
from cudnnlint.core.errors import UsageError

LANGUAGES = ("en", "es")


def use(name: str) -> None:
    """Let everything that is laid out from now on be in this language. Raises UsageError for one that is not there."""
    if name not in LANGUAGES:
        raise UsageError(f'There is no language "{name}". Choose one of {", ".join(LANGUAGES)}.')
    if name == LANGUAGES[0]:
        return language.install(None)
    from cudnnlint.language.translator import Translator

    language.install(Translator.of(name))
