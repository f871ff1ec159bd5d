"""Why a claim is not shown by running a layer, or an example, once, and what shows it instead. By rule, or by layer."""

from __future__ import annotations

from collections.abc import Mapping

from cudnnlint.probe.cases import Claim

NO_PROGRAM = "No example of the rulebook shows this in the installed release."
GRAPH = (
    "A SavedModel holds graphs, which Keras does not load as layers; the tests read the SavedModels in fixtures/saved."
)
BELIEF = (
    "A dry run makes Keras believe in a GPU whatever the program does with devices; the row rests on the source that "
    "it names."
)
REASONS: Mapping[str, str] = {
    "gpu-hidden": BELIEF,
    "pinned-to-cpu": BELIEF,
    "gpu-without-cudnn": "Only a machine with a GPU of another maker shows this; the row rests on what users report.",
    "second-order-gradient": "What stands for cuDNN in a dry run has no gradient; the row rests on the source.",
    "xla-compiled": "What stands for cuDNN in a dry run is not compiled by XLA; the row rests on the source.",
    "eager-disabled": "Eager execution stays off for all that a process runs; the row rests on the source.",
    "cudnn-switched-off": "What stands for cuDNN in a dry run does not ask torch's switch; the row rests on the code.",
    "reset-before": "This layer has no reset_after; the row is shared with GRU, where it is shown.",
    "unloadable-file": "A file shows this, not an example: fixtures/evidence/loaded.xz.",
    "integer-loop": "No example has this class: fixtures/evidence/integer_inputs.json has the answers of Keras.",
}


def reason(claim: Claim) -> str:
    """Return why no program shows a claim."""
    if (claim.operation or "").startswith("graph."):
        return GRAPH
    return REASONS.get(claim.what, NO_PROGRAM)
