"""What `inspect.signature` says of a recurrent class of Keras: programs pass on what is among its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Instance,
    Library,
    UnknownValue,
    Value,
    join,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Classes whose parameters are the same in every Keras 2 and 3, but for a few (fixtures/evidence/signatures.json).
CLASSES = words("LSTM GRU SimpleRNN")
#: What they take by name in all of them, and further ones that some do.
ALWAYS = words("return_sequences return_state go_backwards stateful unroll")
SOMETIMES = words("seed kwargs input_dim input_length input_shape name trainable dynamic return_runtime rng_type")
PARAMETER = UnknownValue("is a parameter of a class of Keras")


def signature(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `inspect.signature(LSTM)`, `inspect.signature(LSTM.__init__)`; None of anything else."""
    asked, names = arguments.get(0, "obj") or NONE, state_of(run).names
    path = asked.name.removesuffix(".__init__") if isinstance(asked, Library) else ""
    class_name = names.recurrent_class(path)
    if class_name not in CLASSES or not isinstance(asked, Library):
        return None
    always = [*(["self"] if asked.name != path else []), *names.positional[class_name], *sorted(ALWAYS)]
    others = sorted((names.arguments | SOMETIMES).difference(always))
    entries: list[tuple[Value, Value]] = [(Const(name), PARAMETER) for name in always]
    entries += [(Const(name), join([PARAMETER, UNBOUND])) for name in others]
    made = Instance(Library("inspect.Signature"), run.journal.table(), at=origin)
    run.journal.write(made.table, "parameters", containers.new_dict(run, entries))
    return made
