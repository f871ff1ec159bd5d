"""Which initializers, regularizers, constraints, activations, dtypes a release finds by name (tables/defaults.toml)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

from cudnnlint.core.fact import ABSENT, Fact, Opaque, values
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

#: What each kind of argument is called, by the end of its name.
KINDS = ("initializer", "regularizer", "constraint", "activation")


def misnamed(case: Case) -> Iterator[tuple[str, Finding]]:
    """Yield each argument of the layer or of Keras's own cells whose text stops the target, or may stop it."""
    made, unread = case.construction, case.trait("unread")
    cells = [(cell.class_name, cell.arguments) for cell in made.cells or () if cell.subclass is None]
    no_dtypes = case.trait("no-dtype")
    for class_name, given in ((made.class_name, case.arguments), *cells):
        if "dtype" in given and not no_dtypes.isdisjoint(_texts(given["dtype"])):
            yield "dtype", judge_fact(given["dtype"], lambda value: isinstance(value, str) and value in no_dtypes)
        for name, fact in given.items():
            kind = _kind(name)
            if kind == "regularizer" and (no_such := _misgiven(case, fact)):
                found = "{}({}=...)".format(*no_such[0].given[0].split("."))
                yield name, replace(judge_fact(fact, lambda value: value in no_such), found=found)
            if kind and (texts := _texts(fact)) and f"{class_name}.{name}" not in unread:
                flat = _is_flat(class_name, given) if name == "bias_initializer" else Truth.NO
                if flat is Truth.NO and case.trait(kind).issuperset(texts):
                    continue
                yield name, _judged(fact, kind, partial(refused_name, case, kind, flat=flat))
        if "LSTM" in class_name and (_is(given, "use_bias") & _is(given, "unit_forget_bias")) is Truth.YES:
            unset = judge_fact(given.get("bias_initializer", ABSENT), lambda value: value is None)
            yield "bias_initializer", unset if unset.truth is Truth.YES else ABSENT_FAULT


@cache
def _kind(name: str) -> str:
    """Return what kind of thing an argument names; "" for another argument."""
    return next((kind for kind in KINDS if name.endswith(kind)), "")


def _misgiven(case: Case, fact: Fact) -> list[Opaque]:
    """Return the objects of Keras among the values of an argument that were made with an argument it does not know."""
    refused = case.trait("no-such-argument")
    return [value for value in values(fact) if isinstance(value, Opaque) and not refused.isdisjoint(value.given)]


def _is_flat(class_name: str, given: Mapping[str, Fact]) -> Truth:
    """Return whether a layer has a bias of one dimension: a GRU's has two where it resets after the product."""
    two = _is(given, "reset_after", unless=Truth.UNKNOWN) if "GRU" in class_name else Truth.NO
    return _is(given, "use_bias") & ~two


def _is(given: Mapping[str, Fact], name: str, unless: Truth = Truth.YES) -> Truth:
    """Return whether an argument is true; `unless` is the answer where it is not written."""
    return judge_fact(given[name], bool).truth if name in given else unless


def refused_name(case: Case, kind: str, value: object, flat: Truth = Truth.NO) -> Truth:
    """Return whether the target stops at a text: yes for one that other releases take, or that every one refuses.

    Any other text may be registered, as may those where the program registers something. `flat` is whether it has to
    serve one dimension.
    """
    taken = case.trait(kind)
    if not isinstance(value, str) or not taken or value in taken:
        return flat & Truth.of(value in case.trait("two-dimensional")) if taken else Truth.NO
    every = (row for of in (kind, f"no-{kind}") for row in case.traits.get(of, ()))
    known = {text.casefold() for row in every for text in row.texts}
    perhaps = value in case.trait(f"perhaps-{kind}") or value.strip().casefold() not in known
    return Truth.UNKNOWN if perhaps or case.construction.registered is not False else Truth.YES


def _texts(fact: Fact) -> list[str]:
    return [value for value in values(fact) if isinstance(value, str)]


def _judged(fact: Fact, kind: str, refused: Callable[[object], Truth]) -> Finding:
    """Return what was found in an argument: in doubt, with a reason, where one of its texts is."""
    finding = judge_fact(fact, refused)
    doubtful = _texts(fact) if finding.truth is Truth.UNKNOWN else []
    text = next((text for text in doubtful if refused(text) is not Truth.NO), None)
    if text is None:
        return replace(finding, because=None)
    because = f"{text!r} is no {kind} that every release knows, but it may be registered under that name"
    return replace(finding, because=finding.because or because)
