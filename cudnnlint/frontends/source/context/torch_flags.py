"""What torch is told about cuDNN: `torch.backends.cudnn.enabled`, for the whole program or in a scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.context.scoped import scope
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import Const, UnknownValue, Value, join, options
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

ENABLED = "torch.backends.cudnn.enabled"


def flags(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `torch.backends.cudnn.flags(enabled=False)`; without arguments it switches cuDNN off, too."""
    off = [Const(truth(option) is False, at=origin) for option in options(arguments.get(0, "enabled") or Const(False))]
    return scope(run, "torch.backends.cudnn.flags", origin, cudnn_off=join(off))


def everywhere(run: Interpreter) -> dict[str, Value]:
    """Return what the program sets for all layers alike: whether cuDNN is switched off, as it is in the end."""
    enabled = run.patched.get(ENABLED)
    if enabled is None or truth(enabled) is True:
        return {}
    because = f"{ENABLED} is set, and its value is not followed"
    off = Const(True, at=enabled.at) if truth(enabled) is False else UnknownValue(because, None, at=enabled.at)
    return {"cudnn_off": off}
