"""Layers that many calls lead to, judged once: a function that builds a layer may be called from a hundred places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from cudnnlint.core.layer import Layer
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case
from cudnnlint.core.target import Target
from cudnnlint.engine.fold import Folded

Judge = Callable[[Sequence[Layer], Target], "tuple[Layer, Folded, Case] | None"]
Answer = tuple[Target, Layer, Folded, Case]


class _Judged:
    """Layers and their answers."""

    def __init__(self, faces: Sequence[Layer], answers: list[Answer]) -> None:
        self.faces, self.answers = faces, answers

    @cached_property
    def text(self) -> str:
        """Everything that decides about the layers."""
        return _text(self.faces)


class JudgedOnce:
    """The answers of one file for some targets."""

    def __init__(self, judge: Judge, targets: Sequence[Target]) -> None:
        self._judge, self._targets = judge, targets
        self._known: dict[object, list[_Judged]] = {}

    def of(self, faces: Sequence[Layer]) -> list[Answer]:
        """Return the answer for each target under which layers are built: that of layers which are alike, if known."""
        beside = self._known.setdefault(tuple(face.place for face in faces), [])
        text = _text(faces) if beside else ""
        known = next((one for one in beside if one.text == text), None)
        if known is None:
            found = [(target, *one) for target in self._targets if (one := self._judge(faces, target)) is not None]
            beside.append(_Judged(faces, found))
            return found
        own = {id(old): new for old, new in zip(known.faces, faces, strict=True)}
        return [
            (target, own[id(layer)], folded, replace(case, layer=own[id(layer)]))
            for target, layer, folded, case in known.answers
        ]


def _text(faces: Sequence[Layer]) -> str:
    """Return all that is known of layers but the calls that lead to them: rules only ask whether there are any."""
    return repr([(bool(face.via), replace(face, via=())) for face in faces])
