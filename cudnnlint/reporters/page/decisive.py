"""What failed of a layer, in a few words: for the box of a drawing and the row of a table."""

from __future__ import annotations

from cudnnlint.core.report import LayerReport
from cudnnlint.core.verdict import Judgement, Verdict

MOST = 2


def deciding(layer: LayerReport) -> Judgement:
    """Return the judgement that gives the layer its verdict in the summary: that of the worst target."""
    return next(judgement for judgement in layer.judgements if judgement.verdict is layer.worst)


def failed(layer: LayerReport) -> tuple[str, ...]:
    """Return what the layer's verdict rests on: "recurrent-dropout: 0.2"."""
    judgement = deciding(layer)
    if judgement.verdict is Verdict.CUDNN:
        return ()
    failing = [one for one in judgement.requirements if one.met == "no"]
    open_ones = [one for one in judgement.requirements if one.met == "unknown"]
    found = [f"{one.name}: {one.found}" if one.found else one.name for one in failing or open_ones]
    return tuple(dict.fromkeys(found))[:MOST]
