"""The layer is compiled as a whole, and a compiler cannot call the kernel."""

from __future__ import annotations

from dataclasses import replace

from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN205"
NEEDED = "no jit_compile, tf.function(jit_compile=True) or torch.compile"
SAYS = "the model is compiled ({found}); a compiler cannot call the cuDNN kernel of this backend"
ADVICE = "Leave the compiling out, or give the layer use_cudnn=False."


HOW = {"xla": "a jitted function", "jit_compile": "jit_compile=True", "torch_compiled": "torch.compile"}


def find(case: Case) -> Finding:
    """YES where any of the three ways to compile holds."""
    doubt = ABSENT_FAULT
    for name, how in HOW.items():
        finding = judge_fact(case.around(name), lambda value: value is True)
        if finding.truth is Truth.YES:
            return replace(finding, found=how)
        doubt = finding if finding.truth is Truth.UNKNOWN else doubt
    return doubt
