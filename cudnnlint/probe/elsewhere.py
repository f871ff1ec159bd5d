"""Why a claim is not shown by running a layer, or an example, once, and what shows it instead. By rule, or by layer."""

from __future__ import annotations

from collections.abc import Mapping

from cudnnlint.probe.cases import Claim

NO_PROGRAM = "No example of the rulebook shows this in the installed release."
GRAPH = (
    "A SavedModel holds graphs, which Keras does not load as layers; the tests read the SavedModels in fixtures/saved."
)
PROGRAMS = (
    "A layer alone cannot show this. fixtures/evidence/gpu_programs has whole programs that ran on a GPU; where none "
    "is about it, the row rests on the source that it names."
)
REASONS: Mapping[str, str] = {
    "gpu-hidden": PROGRAMS,
    "pinned-to-cpu": PROGRAMS,
    "gpu-without-cudnn": "Only a machine with a GPU of another maker shows this; the row rests on what users report.",
    "second-order-gradient": PROGRAMS,
    "xla-compiled": PROGRAMS,
    "eager-disabled": PROGRAMS,
    "cudnn-switched-off": PROGRAMS,
    "reset-before": "This layer has no reset_after; the row is shared with GRU, where it is shown.",
    "unloadable-file": "A file shows this, not an example: fixtures/evidence/loaded.xz.",
    "integer-loop": "No example has this class: fixtures/evidence/integer_inputs.json has the answers of Keras.",
}


def reason(claim: Claim) -> str:
    """Return why no program shows a claim."""
    if (claim.operation or "").startswith("graph."):
        return GRAPH
    return REASONS.get(claim.what, NO_PROGRAM)
