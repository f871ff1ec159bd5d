"""What surrounds a layer: precision policy, eager mode, XLA, device scopes, compile()."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.arguments import Arguments
from cudnnlint.frontends.source.sites import Build, Site
from cudnnlint.frontends.source.unit import Origin
from cudnnlint.frontends.source.values import Mark, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.interpret import Interpreter


@contextmanager
def entered(run: Interpreter, contexts: Sequence[Value]) -> Iterator[None]:
    """Inside `with` blocks."""
    yield


@contextmanager
def marked(run: Interpreter, marks: Sequence[Mark]) -> Iterator[None]:
    """Inside a function with a library's decorators."""
    yield


def environment(run: Interpreter, name: Value, value: Value) -> None:
    """`os.environ[name] = value`."""


def called(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """A library function that changes what surrounds layers; None if it is not one."""
    return None


def at_construction(run: Interpreter, site: Site, build: Build) -> None:
    """Note what holds where a layer is constructed."""


def at_call(run: Interpreter) -> dict[str, Value]:
    """What holds where a layer is called."""
    return {}


def noticed(run: Interpreter, owner: Value, name: str, value: Value, origin: Origin) -> None:
    """An attribute of a layer is set."""


def ran(run: Interpreter, model: Value, arguments: Arguments, origin: Origin) -> None:
    """A model is run on data."""


def on_model(run: Interpreter, model: Value, name: str, arguments: Arguments, origin: Origin) -> None:
    """compile(), save() and export() of a model."""
