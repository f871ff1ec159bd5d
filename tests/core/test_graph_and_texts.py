"""The graph of a model by itself, the language of a page, and what a file may cost."""

from __future__ import annotations

import json
import re
from pathlib import Path

from packaging.version import Version

import cudnnlint
from cudnnlint.core import language
from cudnnlint.core.fact import Opaque
from cudnnlint.core.file_limits import Limits
from cudnnlint.core.graph import LayerEdge, LayerNode, MaskWay, ModelGraph, NodeKind
from cudnnlint.core.layer import Construction, FileHints, Layer, Wrapper
from cudnnlint.core.masking import Epoch
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import Report
from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.target import Era, Point, Release, Span, Target
from cudnnlint.core.truth import Truth
from cudnnlint.core.verdict import Judgement, Verdict

OLD, NEW = (Point("keras", Version(text), "tensorflow", None) for text in ("3.3.0", "3.9.0"))
EARLY = MaskWay("none", when=(Era(3, Span.of(None, "3.4")),))
LATE = MaskWay("data", when=(Era(2), Era(3, Span.of("3.4", None))))
ALWAYS = MaskWay("right", "it is shown")


def test_a_mask_goes_a_way_in_its_releases() -> None:
    ways = (EARLY, LATE, ALWAYS)
    assert [[way.holds(point) for point in (OLD, NEW)] for way in ways] == [[True, False], [False, True], [True, True]]


def test_the_kinds_of_nodes_are_those_of_the_schema() -> None:
    path = Path(cudnnlint.__file__).parent / "schemas" / "report.schema.json"
    text = re.sub(r"\s", "", path.read_text(encoding="utf-8"))
    assert f'"kind":{{"enum":{json.dumps([kind.value for kind in NodeKind])}}}'.replace(" ", "") in text


def test_a_graph_is_that_of_the_releases_asked_for() -> None:
    graph = ModelGraph((), (LayerEdge(0, 1, (EARLY, LATE)),))
    assert [edge.mask for edge in graph.edges] == ["varies"]
    assert [edge.mask for edge in graph.at([OLD]).edges] == ["none"]
    assert [edge.mask for edge in graph.at([NEW]).edges] == ["data"]
    assert [edge.mask for edge in graph.at([OLD, NEW]).edges] == ["varies"]
    assert graph.at([]) == graph  # no release: all that is known
    (edge,) = graph.at([NEW]).edges
    assert edge.ways[0].when == ()
    assert LayerEdge(0, 1, (EARLY, ALWAYS, ALWAYS)).because == "it is shown"


def test_the_layers_of_a_graph_get_the_numbers_of_the_report() -> None:
    graph = ModelGraph(tuple(LayerNode("n", "LSTM", NodeKind.LAYER, layer=layer) for layer in (0, None, 1, 2)))
    assert [node.layer for node in graph.numbered({0: 5, 2: 6}).nodes] == [5, None, None, 6]


PAGE = """# A heading
below it,
on two lines

A paragraph
on two lines.

- one item
- another

```python
code = 1

more = 2
```
"""
TRANSLATED = """# <A heading>
<below it, on two lines>

<A paragraph on two lines.>

- <one item>
- <another>

```python
code = 1

more = 2
```
"""


def test_a_page_is_translated_but_for_its_code() -> None:
    assert (language.translated_page(PAGE), language.foreign()) == (PAGE, False)
    language.install(lambda text: f"<{text}>")
    try:
        assert (language.translated_page(PAGE), language.foreign()) == (TRANSLATED, True)
    finally:
        language.install(None)
    assert (language.tr("text"), language.foreign()) == ("text", False)


def test_what_nobody_said_is_not_there() -> None:
    node, edge = LayerNode("n", "LSTM", NodeKind.LAYER), LayerEdge(0, 1, (ALWAYS,))
    assert (node.holds, node.layer, edge.beside) == (0, None, False)
    wrapper, hints = Wrapper("Bidirectional"), FileHints()
    assert Layer(None, SourcePlace("a.py", 1, 1, 1, 2), (), wrappers=(wrapper,)).direction is None
    assert (wrapper.derived, wrapper.explicit, wrapper.role, hints.legacy_keras) == (False, False, "", None)
    assert (Opaque("a lambda").holds, Opaque("a lambda").like) == (False, None)
    found = Finding(Truth.NO)
    assert (found.run_time, found.origin) == (False, "default")
    made = Construction("LSTM")
    case = Case(Layer(None, SourcePlace("a.py", 1, 1, 1, 2), (made,)), made, "LSTM", {}, {}, OLD)
    assert (OLD.mode, case.missing, case.fuses, case.moved, case.lost) == ("graph", False, False, None, ())
    judgement = Judgement(Target("keras", Release()), Verdict.CUDNN, (Verdict.CUDNN,))
    assert (judgement.varies, Report((), (), 0, "1.0").failing) == (False, 0)


def test_an_epoch_handles_masks_as_most_releases_do_where_nothing_else_is_said() -> None:
    usual = Epoch(Era(3))
    assert {name for name, value in vars(usual).items() if value is True} == {
        "lists", "explicit", "extra_tensors_hide", "first_sees", "doubles", "cast_keeps", "model_cast_keeps",
        "sequential_cast_keeps", "graph_again",
    }  # fmt: skip


def test_a_notebook_may_have_other_bytes_than_a_source() -> None:
    limits = Limits(source_bytes=1, notebook_bytes=2)
    assert [limits.bytes_of(kind) for kind in ("python", "notebook")] == [1, 2]
