"""Functions of the standard library that are computed as they are: their results are the same on every machine.

A module is imported when a program first calls one of its functions. What depends on the machine, the clock, the
language or the release of Python is not here.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.python.plain import Computed, pure
from cudnnlint.frontends.source.stdlib.constants import check_format

#: For each module its functions.
_PURE = {
    "base64": "b64encode b64decode b32encode b32decode b16encode b16decode urlsafe_b64encode urlsafe_b64decode "
    "standard_b64encode standard_b64decode",
    "binascii": "hexlify unhexlify crc32 b2a_hex a2b_hex",
    "zlib": "crc32 adler32",
    "shlex": "split quote join",
    "html": "escape unescape",
    "urllib.parse": "quote unquote quote_plus unquote_plus urlencode",
    "string": "capwords Template",
    "textwrap": "shorten wrap fill",
    "calendar": "isleap leapdays monthrange weekday",
    "cmath": "sqrt phase polar rect exp",
    "datetime": "date time timedelta timezone datetime date.fromordinal datetime.fromordinal datetime.combine",
    "statistics": "harmonic_mean geometric_mean multimode quantiles",
}
_DATE = regex(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?")


@cache
def function(name: str) -> Computed | None:
    """Return the handler of a function by its dotted name; None where it is not one of these."""
    own = _CHECKED.get(name)
    if own is not None:
        return pure(lambda *given, **named: own(name, *given, **named))
    for module, names in _PURE.items():
        if name.startswith(f"{module}.") and name[len(module) + 1 :] in names.split():
            found = _python(name, module)
            return None if found is None else pure(found)
    return None


def _python(name: str, module: str) -> Callable[..., Any] | None:
    found: Any = importlib.import_module(module)
    for part in name[len(module) + 1 :].split("."):
        found = getattr(found, part, None)
    return found  # type: ignore[no-any-return]


def _packing(name: str, pattern: Any, *given: Any) -> Any:
    """Run `struct.pack(format, ...)`; the sizes of a format without a byte order are those of the machine."""
    text = pattern.decode() if isinstance(pattern, bytes) else str(pattern)
    if text[:1] not in tuple("<>=!") or re.search(r"\d{4}", text):
        raise ValueError("the format depends on the machine, or is large")
    found = _python(name, "struct")
    assert found is not None
    return found(pattern, *given)


def _parsing(name: str, text: Any, *given: Any) -> Any:
    """Run `datetime.strptime(text, format)` and the like, where the machine's language decides nothing."""
    if name.endswith(".fromisoformat") and _DATE.fullmatch(text) is None:
        raise ValueError("older releases of Python read fewer formats")
    if name.endswith(".strptime"):
        check_format(given)
    found = _python(name, "datetime")
    assert found is not None
    return found(text, *given)


_CHECKED: dict[str, Callable[..., Any]] = {
    **{f"struct.{name}": _packing for name in ("pack", "unpack", "calcsize", "Struct")},
    **{f"datetime.{kind}.fromisoformat": _parsing for kind in ("date", "datetime")},
    "datetime.datetime.strptime": _parsing,
}
