"""A layer as the transfer function sees it: each front end shows its own layers in this form."""

from __future__ import annotations

from typing import Any, Protocol

from cudnnlint.core.frozen import record
from cudnnlint.keras.lattice import Dtype


class Open:
    """A value that is not known."""


OPEN = Open()


class Unwritten:
    """An argument that may not be written."""


UNWRITTEN = Unwritten()


@record(frozen=True)
class Setting:
    """The values that an argument may have, OPEN and UNWRITTEN among them; none if it is not written.

    `assumed`: one of them is the default of a parameter, for which a caller may give another.
    """

    values: tuple[Any, ...] = ()
    because: Any = ""
    assumed: bool = False

    def known(self, default: Any) -> Any:
        """Return the one value, `default` where nothing is written, or OPEN."""
        values = [default if value is UNWRITTEN else value for value in self.values] or [default]
        return values[0] if len(values) == 1 else OPEN

    def truth(self, default: bool = False) -> bool | None:
        """Return whether it is true; None where that is unknown."""
        answers = {_truth(value, default) for value in self.values} or {default}
        return answers.pop() if len(answers) == 1 else None


def _truth(value: Any, default: bool) -> bool | None:
    if value is UNWRITTEN:
        return default
    return None if value is OPEN else bool(value)


class LayerView(Protocol):
    """A layer of Keras's own class."""

    @property
    def class_name(self) -> str:
        """Its class."""

    @property
    def computes(self) -> Dtype:
        """The dtype that it computes in, and casts floating-point input to."""

    @property
    def inner(self) -> LayerView | None:
        """The layer that it wraps; None where it wraps none, or one that is no layer of Keras's own."""

    @property
    def token(self) -> Any:
        """Return what the front end knows the layer by."""

    def setting(self, name: str) -> Setting:
        """Return one argument as a setting."""
