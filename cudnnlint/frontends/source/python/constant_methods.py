"""Methods of texts, bytes and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import absent, plain
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import Const, Value, words
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Methods that return texts, bytes and numbers, or lists of them.
_PURE = words(
    "lower upper strip lstrip rstrip title capitalize casefold swapcase replace split rsplit splitlines join "
    "startswith endswith count find rfind index rindex isdigit isalpha isalnum isdecimal isnumeric isidentifier "
    "isascii isspace istitle islower isupper isprintable removeprefix removesuffix partition rpartition encode decode "
    "hex is_integer as_integer_ratio conjugate bit_length bit_count translate "
    "__add__ __radd__ __sub__ __rsub__ __truediv__ __floordiv__ __mod__ __divmod__ __neg__ __pos__ __abs__ __invert__ "
    "__and__ __or__ __xor__ __rshift__ __round__ __trunc__ __floor__ __ceil__ __int__ __float__ __bool__ __index__ "
    "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __len__ __getitem__ __contains__ __str__ __repr__"
)
#: Methods whose arguments decide how long the result is.
_GROWING = words("center ljust rjust zfill expandtabs to_bytes")
#: Methods whose receiver is a format; a width may be among the arguments.
_FORMATS = words("format format_map __mod__")


def call(run: Interpreter, receiver: Const, name: str, arguments: Arguments, origin: Origin) -> Value:
    """Call a method of a constant with constant arguments."""
    called = replace(arguments, positional=[receiver, *arguments.positional])
    known = name in _PURE or name in _GROWING or name in _FORMATS
    if known and not (name in _FORMATS and isinstance(receiver.value, (str, bytes)) and _is_wide(receiver, arguments)):
        if not called.rest and not called.open:
            absent.check_call(run, _calling(name), called)
        result = plain.evaluate(run, _calling(name), called, origin, name in _GROWING)
        if result is not None:
            return result
    return plain.not_evaluated(run, arguments, origin)


def _is_wide(receiver: Const, arguments: Arguments) -> bool:
    """Return whether a format may ask for a large width."""
    if not plain.is_wide(receiver.value):
        return False
    if re.search(r"\d{4}|\*", str(receiver.value)):
        return True
    return any(not isinstance(one, Const) or re.search(r"\d{4}", str(one.value)) for one in arguments.every())


def _calling(name: str) -> Callable[..., Any]:
    return lambda receiver, *given, **named: getattr(receiver, name)(*given, **named)
