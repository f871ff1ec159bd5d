"""The GPU is not NVIDIA's, and Keras takes its kernel all the same."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN405"
NEEDED = "an NVIDIA GPU"
SAYS = "the GPU is {found}, which has no cuDNN"
ADVICE = "Give the layer use_cudnn=False."


def find(case: Case) -> Finding:
    """YES where the file shows a GPU of another make."""
    return judge_fact(case.around("device"), lambda device: device in ("metal", "directml"))
