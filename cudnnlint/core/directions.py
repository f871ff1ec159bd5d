"""Whether the two directions of a Bidirectional need one kernel call or two."""

from __future__ import annotations

from cudnnlint.core.fact import Absent, Assumed, Default, Fact, Known, Ref, Unknown, alternatives, shown
from cudnnlint.core.layer import Wrapper
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth, joint

#: Keras runs the two directions in one call only if these are the same in both ...
ALIKE = ("units", "activation", "recurrent_activation")
#: ... and neither has one of these faults.
FAULTS = {
    "dropout": lambda value: value != 0,
    "recurrent_dropout": lambda value: value != 0,
    "stateful": bool,
    "use_bias": lambda value: not value,
    "reset_after": lambda value: not value,
    "use_cudnn": lambda value: value in (False,),
}


def apart(case: Case) -> Finding:
    """Return YES where the two directions need a kernel call each; `found` says what separates them.

    NO outside a Bidirectional. Upstream: keras/src/layers/rnn/bidirectional.py:_can_attempt_fused_lstm, _gru.
    """
    direction = case.layer.direction
    if direction is None:
        return ABSENT_FAULT
    if direction.sibling is not None and direction.sibling.class_name != case.construction.class_name:
        classes = f"one direction is {case.construction.class_name}, the other {direction.sibling.class_name}"
        return Finding(Truth.YES, classes, direction.sibling.place, "written")
    found = [_faulty(case, direction, name) for name in FAULTS]
    found += [unlike(case, direction, name) for name in ALIKE if direction.explicit]
    certain = [finding for finding in found if finding.truth is Truth.YES]
    doubtful = [finding for finding in found if finding.truth is Truth.UNKNOWN]
    return (certain or doubtful or [ABSENT_FAULT])[0]


def _faulty(case: Case, direction: Wrapper, name: str) -> Finding:
    for fact in (case.argument(name), other(case, direction, name)):
        finding = judge_fact(fact, FAULTS[name])
        if finding.truth is not Truth.NO:
            return Finding(
                finding.truth, f"{name} is {shown(fact)}", finding.place, finding.origin, because=finding.because
            )
    return ABSENT_FAULT


def unlike(case: Case, direction: Wrapper, name: str) -> Finding:
    """Return YES where the two directions of a Bidirectional have different values for an argument."""
    mine, theirs = case.argument(name), other(case, direction, name)
    truth = joint([_differ(a, b) for a in alternatives(mine) for b in alternatives(theirs)])
    found = f"{name} is {shown(mine)} in one direction and {shown(theirs)} in the other"
    because = f"it is not clear whether both directions have the same {name}"
    return Finding(truth, found, direction.sibling.place if direction.sibling else None, "written", because=because)


def _differ(left: Fact, right: Fact) -> Truth:
    if isinstance(left, (Known, Assumed)) and isinstance(right, (Known, Assumed)):
        if isinstance(left.value, Ref) or isinstance(right.value, Ref):
            return Truth.UNKNOWN  # a function may be the one that the other's name stands for
        return Truth.of(left.value != right.value)
    return Truth.NO if isinstance(left, Absent) and isinstance(right, Absent) else Truth.UNKNOWN


def other(case: Case, direction: Wrapper, name: str) -> Fact:
    """Return an argument of the other direction, completed by its default.

    Where Keras derives the backward layer, that is the argument of this direction.
    """
    if direction.sibling is None or not direction.explicit:
        return case.argument(name)
    fact = direction.sibling.argument(name)
    if not isinstance(fact, Absent):
        return fact
    if direction.sibling.open is not None:
        return Unknown(direction.sibling.open)
    return Default(case.defaults[name]) if name in case.defaults else fact
