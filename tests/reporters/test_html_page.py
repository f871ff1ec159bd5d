"""The page: what it says without its script, that no name becomes markup, and how models are drawn on it."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from newest_releases import NEWEST
from test_reporters import CASES

from cudnnlint import pipeline
from cudnnlint.core.graph import LayerEdge, ModelGraph
from cudnnlint.core.report import FileReport, Report
from cudnnlint.merging import read_back
from cudnnlint.reporters import Look, writer
from cudnnlint.reporters.page.decisive import failed
from cudnnlint.reporters.page.scene import MOST, Box, scenes
from cudnnlint.settings.settings import Flags

FIXTURES = Path(__file__).parents[2] / "fixtures"
FILES = (
    "saved/k3_nested.keras",
    "saved/k2_directions.h5",
    "saved/k2_masks.json",
    "demo/sentiment.keras",
    "demo/train.py",
)
HOSTILE = """</text></svg></style></script><script>alert(1)</script><img src=x onerror=alert(1)>"'&\u202e\x1b[31m"""
EMPTY = {"input", "meta"}


@dataclass
class Element:
    """One element of a page, with its text and all that is in it."""

    tag: str
    attributes: dict[str, str | None]
    inside: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def every(self, *tags: str) -> list[Element]:
        found = [self] if self.tag in tags or not tags else []
        return found + [one for part in self.inside for one in part.every(*tags)]

    @property
    def text(self) -> str:
        return "".join(self.texts) + " ".join(part.text for part in self.inside)

    def of_class(self, name: str) -> list[Element]:
        return [one for one in self.every() if name in (one.attributes.get("class") or "").split()]


class Parser(HTMLParser):
    """Builds the elements, and refuses an end without a beginning."""

    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        made = Element(tag, dict(attrs))
        self.open[-1].inside.append(made)
        if tag not in EMPTY:
            self.open.append(made)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].texts.append(data)


def parsed(text: str) -> Element:
    parser = Parser()
    parser.feed(text)
    parser.close()
    assert len(parser.open) == 1
    return parser.open[0]


def page(report: Report) -> str:
    stream = io.StringIO()
    writer("html")(report, stream, Look())
    return stream.getvalue()


def checked(*paths: str | Path, compare: bool = False, target: str = f"keras@{NEWEST}") -> Report:
    request = pipeline.Request(tuple(map(str, paths)), Flags(jobs=1, target=(target,)), compare=compare)
    return pipeline.check(request).report


@lru_cache
def real() -> Report:
    return checked(*(FIXTURES / name for name in FILES), compare=True)


def pages() -> dict[str, Report]:
    return {**CASES, "real files": real()}


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize("case", [*CASES, "real files"])
def test_a_page_is_well_formed_and_leads_nowhere_else(case: str) -> None:
    root = parsed(page(pages()[case]))
    every = root.every()
    ids = [one.attributes["id"] for one in every if "id" in one.attributes]
    assert len(set(ids)) == len(ids)
    for one in every:
        assert not {name for name in one.attributes if name.startswith("on")} | {"src", "style", "xlink:href"} & set(
            one.attributes
        )
        target = one.attributes.get("href") or one.attributes.get("aria-labelledby")
        assert target is None or target.removeprefix("#") in ids
        assert not any("://" in (value or "") for value in one.attributes.values())
    once = ("html", "head", "body", "main", "script", "style", "h1")
    assert Counter(one.tag for one in every if one.tag in once) == dict.fromkeys(once, 1)


def test_the_policy_allows_the_page_s_own_style_and_script_and_nothing_else() -> None:
    root = parsed(page(real()))
    (policy,) = (one.attributes["content"] for one in root.every("meta") if "http-equiv" in one.attributes)
    assert policy is not None
    for kind in ("style", "script"):
        (own,) = root.every(kind)
        digest = base64.b64encode(hashlib.sha256("".join(own.texts).encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert not re.search(r"url\(|@import", root.every("style")[0].text)


@pytest.mark.parametrize("case", [*CASES, "real files"])
def test_headings_skip_no_level_and_what_scrolls_can_be_reached_by_keyboard(case: str) -> None:
    root = parsed(page(pages()[case]))
    levels = [int(one.tag[1]) for one in root.every("h1", "h2", "h3", "h4", "h5")]
    assert levels[0] == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    assert all(one.attributes.get("tabindex") == "0" for one in [*root.every("pre"), *root.of_class("cl-scroll")])
    for control in root.every("input", "select", "button"):
        named = [one for one in root.every("label", "button") if control in one.every()]
        assert named[0].text.strip()


def test_everything_is_said_without_the_script() -> None:
    report = real()
    root = parsed(page(report))
    assert root.every("form")[0].attributes.get("hidden", "") is None
    said = root.every("main")[0].text
    for diagnostic in report.diagnostics:
        assert diagnostic.code in said
        assert diagnostic.name in said
    for file in report.files:
        assert file.path in said
        for layer in file.layers:
            (row,) = (one for one in root.every("tr") if one.attributes.get("id") == f"layer-{layer.id}")
            assert (layer.layer_path or layer.name or "") in row.text
            assert row.attributes["data-verdict"] == layer.worst.value
    totals = {verdict: count for verdict, count in report.counts().items() if count}
    assert [int(one.text) for one in root.of_class("tiles")[0].every("b")] == list(totals.values())


def test_the_same_report_gives_the_same_page() -> None:
    again = checked(*(FIXTURES / name for name in FILES), compare=True)
    assert page(again) == page(real())


# ---------------------------------------------------------------- hostile names


def model(names: dict[str, str]) -> dict[str, Any]:
    """A model whose layers have these names."""

    def layer(kind: str, name: str, **config: Any) -> dict[str, Any]:
        return {
            "module": "keras.layers",
            "class_name": kind,
            "config": {"name": name, **config},
            "registered_name": None,
        }

    own = layer(names["class"], names["own"])
    own["module"], own["registered_name"] = "my", f"my>{names['class']}"
    shape = {"batch_shape": [None, 5], "dtype": "int32"}
    layers = [
        layer("InputLayer", "in", **shape),
        layer("Embedding", "table", input_dim=9, output_dim=2, mask_zero=True),
        own,
        layer("LSTM", names["layer"], units=2, activation=names["activation"], return_sequences=True),
        {
            **layer("Sequential", names["model"], layers=[layer("GRU", "gru", units=2, reset_after=False)]),
            "module": "keras",
        },
    ]
    return {
        "module": "keras",
        "class_name": "Sequential",
        "config": {"name": names["top"], "layers": layers},
        "registered_name": None,
    }


def test_no_name_becomes_markup(tmp_path: Path) -> None:
    keys = ("class", "own", "layer", "activation", "model", "top")
    shapes, texts = [], []
    for kind in (">pl/ain(", HOSTILE):  # Keras refuses a slash in a name: both files stop alike
        file = tmp_path / ("a.json" if kind != HOSTILE else "<b onclick=x>'&.json")
        file.write_text(json.dumps(model({key: f"{key}{kind}" for key in keys})))
        text = page(checked(file, compare=True))
        root = parsed(text)
        shapes.append([(one.tag, sorted(one.attributes)) for one in root.every("main")[0].every()])
        texts.append(text)
    assert shapes[0] == shapes[1]
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e]|<img|<script>alert", texts[1])
    assert "onerror=alert" in texts[1]


# ---------------------------------------------------------------- the drawing


def of(name: str) -> FileReport:
    return next(file for file in real().files if file.path.endswith(name))


def graph(file: FileReport) -> ModelGraph:
    assert file.graph is not None
    return file.graph


def named_edges(file: FileReport) -> dict[tuple[str | None, str | None], LayerEdge]:
    found = graph(file)
    return {(found.nodes[edge.source].name, found.nodes[edge.target].name): edge for edge in found.edges}


def test_a_nested_model_is_drawn_with_its_layers_and_the_way_of_the_mask() -> None:
    file = of("k3_nested.keras")
    nodes = graph(file).nodes
    inside = {node.name: nodes[node.parent].name for node in nodes if node.parent is not None}
    assert (inside["lower"], inside["lstm"], inside["sequential"]) == ("encoder", "sequential", "encoder")
    assert {node.name for node in nodes if node.layer is not None} == {layer.name for layer in file.layers}
    edges = named_edges(file)
    assert edges["embedding", "encoder"].mask == "data"
    assert edges["input_layer_2", "embedding"].mask == "none"
    assert edges["input_layer_1", "lower"].mask == "varies"  # the encoder is called with a mask, and without one


def test_a_bidirectional_layer_holds_its_two_directions() -> None:
    nodes = graph(of("k2_directions.h5")).nodes
    pairs = Counter(node.parent for node in nodes if node.layer is not None)
    assert all(count == 2 and nodes[at].kind == "bidirectional" for at, count in pairs.items() if at is not None)
    assert len(pairs) == 4


def test_each_recurrent_layer_in_a_drawing_tells_its_verdict_and_what_failed_in_words() -> None:
    root = parsed(page(real()))
    for file in real().files:
        if file.graph is None:
            continue
        for layer in file.layers:
            (link,) = (one for one in root.every("a") if one.attributes["href"] == f"#layer-{layer.id}")
            said = {"cudnn": "cuDNN", "fallback": "falls back"}.get(layer.worst.value, layer.worst.value)
            assert f", {said}: " in (link.attributes["aria-label"] or "")
            assert [one.text for one in link.of_class("cl-fails")] == [
                text if len(text) <= 34 else f"{text[:33]}…" for text in failed(layer)
            ]
            assert link.of_class("cl-disc")


def leaves(box: Box) -> int:
    return sum(map(leaves, box.inside)) if box.inside else box.count


def tall(count: int, path: Path) -> FileReport:
    """A Sequential of that many layers, every second one recurrent, and some of those with another activation."""

    def layer(number: int) -> dict[str, Any]:
        if number % 2 == 0:
            return {
                "module": "keras.layers",
                "class_name": "Dropout",
                "config": {"name": f"d{number}"},
                "registered_name": None,
            }
        activation = "relu" if number % 101 == 0 else "tanh"
        config = {"name": f"r{number}", "units": 2, "activation": activation, "return_sequences": True}
        return {"module": "keras.layers", "class_name": "GRU", "config": config, "registered_name": None}

    config = {"name": "tower", "layers": [layer(number) for number in range(count)]}
    path.write_text(
        json.dumps({"module": "keras", "class_name": "Sequential", "config": config, "registered_name": None})
    )
    (file,) = checked(path).files
    return file


def test_layers_in_a_row_that_fare_alike_are_one_box_of_a_large_drawing(tmp_path: Path) -> None:
    file = tall(400, tmp_path / "tower.json")
    roots = scenes(graph(file), file)
    assert roots is not None
    assert leaves(roots[0]) == 400
    assert len(roots[0].inside) <= MOST
    small = tall(20, tmp_path / "small.json")
    (whole,) = scenes(graph(small), small) or []
    assert [box.count for box in whole.inside] == [1] * 20


def test_the_page_of_a_large_model_is_small_and_lists_every_layer(tmp_path: Path) -> None:
    tall(400, tmp_path / "tower.json")
    text = page(checked(tmp_path / "tower.json"))
    assert len(text) < 200_000
    assert len(re.findall(r'<tr id="layer-\d+"', text)) == 200


def test_a_report_that_was_read_back_has_the_same_drawings(tmp_path: Path) -> None:
    stream = io.StringIO()
    writer("report")(real(), stream, Look())
    (tmp_path / "report.json").write_text(stream.getvalue(), encoding="utf-8")
    back = read_back.read(str(tmp_path / "report.json"))
    drawn = [[one.text for one in parsed(page(report)).of_class("cl-drawing")] for report in (real(), back)]
    assert len(drawn[0]) >= 5
    assert drawn[0] == drawn[1]


# ---------------------------------------------------------------- releases and fixes


def test_the_table_of_releases_agrees_with_the_verdicts_of_the_report() -> None:
    for file in real().files:
        compared = [place for one in file.comparisons for place in one.layers]
        assert sorted(compared) == list(range(len(file.layers)))
        for one in file.comparisons:
            for place in one.layers:
                for judgement in file.layers[place].judgements:
                    version = judgement.target.keras.version
                    assert version is not None
                    (found,) = (
                        span for span in one.ranges
                        if (span.framework, span.backend) == (judgement.target.framework, judgement.target.backend)
                        and _minor(span.since) <= version.release[:2] <= _minor(span.until)
                    )  # fmt: skip
                    assert found.verdict is judgement.verdict


def _minor(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def test_a_fix_is_shown_as_the_lines_that_change() -> None:
    root = parsed(page(real()))
    figures = root.of_class("cl-diff")
    going = [one.text for figure in figures for one in figure.every("del")]
    coming = [one.text for figure in figures for one in figure.every("ins")]
    assert len(going) == len(coming) == 2
    assert 'activation="relu"' in going[1].replace("  ", "")
    assert "relu" not in coming[1]
    assert [one.text for figure in figures for one in figure.every("em")]


# ---------------------------------------------------------------- in a browser


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs chromium")
def test_a_browser_obeys_the_script_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(page(real()), encoding="utf-8")
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
    where = (f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", (tmp_path / "page.html").as_uri())
    ran = subprocess.run(["chromium", *options, *where], capture_output=True, text=True, timeout=300, check=True)
    (form,) = parsed(ran.stdout).every("form")
    assert "hidden" not in form.attributes
