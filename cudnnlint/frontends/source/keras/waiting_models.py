"""Models that nothing in a program runs: they are run on data once, after all else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras.keras_state import library_of, state_of
from cudnnlint.frontends.source.keras.models import LAYERS, RAN, run_model
from cudnnlint.frontends.source.keras.tensors import fresh

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter
    from cudnnlint.frontends.source.python.values import Instance

#: How often models are run that were constructed while others ran.
MOST_GENERATIONS = 4
NOT_RUN = "Models construct models when they run, more often than is followed: some are not run, with their layers."


def run_waiting(run: Interpreter) -> None:
    """Run every Sequential that nothing ran: its layers are called one after another on data.

    A layer of the user's may construct another when it is called, and that one a third, without end.
    """
    begun = 0
    for _ in range(MOST_GENERATIONS):
        waiting, begun = state_of(run).models[begun:], len(state_of(run).models)
        for instance in waiting:
            if _waits(instance) and instance.at is not None:
                with library_of(run).somewhere(run, instance):
                    run_model(run, instance, fresh(), instance.at)
    if any(map(_waits, state_of(run).models[begun:])):
        run.cut_off(NOT_RUN)


def _waits(instance: Instance) -> bool:
    """Return whether a model is a Sequential that nothing ran."""
    known = instance.table.get(LAYERS) is not None and instance.at is not None
    return known and instance.table.get(RAN) is None
