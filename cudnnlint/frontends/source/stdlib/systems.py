"""What a program asks of the system that it runs on: most machines with an NVIDIA GPU run Linux, which is assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import Const, Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Names and functions without arguments, and what they are on Linux.
_NAMES = {"os.name": "posix", "sys.platform": "linux"}
_ASKED = {"platform.system": "Linux"}
LINUX = "the program asks for its system, and Linux is assumed"


def value(name: str) -> Value | None:
    """Return the value of a name of a module; None where it says nothing about the system."""
    return Const(_NAMES[name], assumed=LINUX) if name in _NAMES else None


def table() -> dict[str, Computed]:
    """Return the functions that ask for the system, by their dotted names."""
    return {name: _asked(found) for name, found in _ASKED.items()}


def _asked(found: str) -> Computed:
    def evaluate(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
        return Const(found, assumed=LINUX)

    return evaluate
