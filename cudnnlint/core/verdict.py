"""Routes that a layer can take on a GPU, and the verdicts that a report gives."""

from __future__ import annotations

from enum import Enum

from cudnnlint.core.frozen import record
from cudnnlint.core.place import Place
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.target import Target


class Route(Enum):
    """What runs on the GPU. "Fast" is not "cuDNN": NATIVE is an optimised scan without cuDNN."""

    FUSED = "fused"
    CUDNN = "cudnn"
    NATIVE = "native"
    GENERIC = "generic"
    RAISES = "raises"


class Verdict(Enum):
    """What a GPU does with a layer."""

    CUDNN = "cudnn"
    FALLBACK = "fallback"
    RAISES = "raises"
    DEPENDS = "depends"
    UNKNOWN = "unknown"

    __hash__ = object.__hash__  # a member is only itself; Enum would hash its name each time

    @staticmethod
    def of(route: Route) -> Verdict:
        """Return the verdict for a certain route."""
        kernel = {Route.FUSED: Verdict.CUDNN, Route.CUDNN: Verdict.CUDNN, Route.RAISES: Verdict.RAISES}
        return kernel.get(route, Verdict.FALLBACK)


#: From worst to best: the order in which several calls, or several targets, become one.
WORST_FIRST = (Verdict.RAISES, Verdict.UNKNOWN, Verdict.DEPENDS, Verdict.FALLBACK, Verdict.CUDNN)


@record(frozen=True)
class Requirement:
    """One blocker of the deciding row, asked of one layer. `met` is yes (fault absent), no or unknown."""

    name: str
    code: str
    met: str
    found: str
    needed: str
    place: Place | None
    origin: str


@dataclass(frozen=True)
class Judgement:
    """The verdict of one layer for one target, with everything that led to it.

    `varies`: in another release that the target may be, the verdict is another.
    """

    target: Target
    verdict: Verdict
    possible: tuple[Verdict, ...]
    condition: str | None = None
    requirements: tuple[Requirement, ...] = ()
    route: Route | None = None
    varies: bool = False
