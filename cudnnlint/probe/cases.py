"""What a target's tables claim, and small programs that show each claim. Pure; nothing is listed by hand.

A row of routes.toml claims its route, what each of its blockers does, and what its kernel makes of dtypes and masks; a
gate, a defect or a note claims that its rule bites. The programs are the examples of the rules' own pages, written for
the class and the framework that are asked. So a new row, and a new rule, bring their cases by themselves, and with the
good examples what they are held against.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cudnnlint.core.book import Rulebook
from cudnnlint.core.execution_context import DTYPES, PADDING
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.regex import regex
from cudnnlint.core.tables import Meaning, Row, Tables
from cudnnlint.core.target import Point
from cudnnlint.probe.rebuilt_arguments import STAND_INS

ROUTE, DTYPE, MASK, BLOCKER, EAGER, INSISTED, CONCERN = "route", "dtype", "mask", "blocker", "eager", "insisted", "rule"
IMPORTS = {
    "keras": "import keras",
    "tf_keras": "import tf_keras as keras",
    "tensorflow": "from tensorflow import keras",
}
POLICIES = sorted(DTYPES | {f"mixed_{name}" for name in DTYPES if name.endswith("16")})
FENCE = regex(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CLASS = regex(r"\b(?:tf\.)?keras\.layers\.(?:LSTM|GRU|SimpleRNN)\b")
CELL = regex(r"\b((?:tf\.)?keras\.layers\.)(?:LSTM|GRU)Cell\b")
SETTINGS = regex(r"(?<!Cell)\((64\b[^()]*)\)")  # of a layer
INPUT = regex(r"(\bInput\(\(\w+, )(\w+\))")
FROM_TENSORFLOW = regex(r"^from tensorflow import keras$", re.MULTILINE)
UNITS = regex(r"((?<!Cell)\()(64)\b")  # what the pages give every layer
WELL = regex(r"^## (?:Fixed|Good)$", re.MULTILINE)
MODEL = regex(r"^model = .*\)$", re.MULTILINE)
LAYER = regex(r"^layer = .*\)$", re.MULTILINE)


@dataclass(frozen=True)
class Claim:
    """One thing that the tables say. `operation` None: of whatever layer. `what` is a rule, a dtype or a padding."""

    operation: str | None
    kind: str
    what: str

    @property
    def name(self) -> str:
        """As the name of a file."""
        return "-".join(part for part in (self.operation or "any", self.kind, self.what) if part)

    @property
    def cause(self) -> str:
        """In words, for the table at the end."""
        words = {
            ROUTE: "as it is", DTYPE: f"dtype {self.what}", MASK: PADDING.get(self.what, self.what),
            EAGER: f"{self.what}, eager", INSISTED: f"{self.what}, use_cudnn=True",
        }  # fmt: skip
        return words.get(self.kind, self.what)


def claims(book: Rulebook, point: Point) -> Iterator[Claim]:
    """Yield every claim of the tables about one release."""
    tables = book.tables
    for row in tables.rows:
        for operation in row.operations if row.scope.holds(point) else ():
            if operation in tables.names.recurrent or any(_means(operation, tables, point)):
                yield from _of_row(row, operation, operation in tables.names.recurrent)
    for concern in (*tables.gates, *tables.defects, *tables.notes):
        if concern.scope.holds(point):
            for name in concern.operations or (None,):
                yield Claim(name, CONCERN, concern.rule)


def _means(operation: str, tables: Tables, point: Point) -> Iterator[Meaning]:
    """Yield under which root the release has an operation that is no class of its own, or a graph as it is saved."""
    named = (one for one in tables.meanings if one.operation == operation and one.scope.holds(point))
    return (one for one in named if one.prefix in tables.names.roots or one.prefix == operation)


def _of_row(row: Row, operation: str, a_class: bool) -> Iterator[Claim]:
    yield Claim(operation, ROUTE, row.because or "")
    if row.dtypes:
        yield from (Claim(operation, DTYPE, name) for name in POLICIES)
    if row.blocked_by and a_class:
        yield from (Claim(operation, MASK, name) for name in PADDING if name != "none")
    for rule, then in row.blocked_by.items():
        yield Claim(operation, BLOCKER, rule)
        if not isinstance(then, str):
            yield Claim(operation, EAGER, rule)
    yield from (Claim(operation, INSISTED, rule) for rule in sorted(row.insisted))


def programs(claim: Claim, book: Rulebook, point: Point) -> Iterator[tuple[str, str]]:
    """Yield programs that may show a claim, each with its suffix; whether one does, the engine says."""
    for line, written in _spelled(claim.operation, book.tables, point):
        found = [*_plain(claim, written, book.tables, point), *_examples(claim, written, _bad(claim, book))]
        yield from ((suffix, _imported(text, line) if suffix == ".py" else text) for suffix, text in found)


def controls(claim: Claim, book: Rulebook, point: Point) -> Iterator[tuple[str, str]]:
    """Yield programs that are those of a claim without what it is about, each with its suffix."""
    alone = Claim(claim.operation, ROUTE, "")
    for line, written in _spelled(claim.operation, book.tables, point):
        found = [*_examples(claim, written, _good(claim, book))]
        if claim.kind in (ROUTE, DTYPE, MASK, INSISTED):
            found += _plain(alone, written, book.tables, point)
        yield from ((suffix, _imported(text, line) if suffix == ".py" else text) for suffix, text in found)


def _spelled(operation: str | None, tables: Tables, point: Point) -> Iterator[tuple[str, str]]:
    """Yield the imports and the dotted names under which a program may reach the class."""
    line = IMPORTS[point.framework]
    if operation is None:
        yield line, "keras.layers.LSTM"
        return
    name = operation.split(".")[-1]
    if name == operation:
        yield line, f"keras.layers.{name}"
    for meaning in _means(operation, tables, point):
        if name in meaning.classes:
            yield f"import tensorflow\n{line}", f"{meaning.prefix}.layers.{name}"


def _plain(claim: Claim, written: str, tables: Tables, point: Point) -> Iterator[tuple[str, str]]:
    """Yield the layer alone, with what it requires; with a dtype or use_cudnn=True where the claim is about that."""
    signature = tables.signature(claim.operation or "", point)
    if signature is None or claim.kind not in (ROUTE, DTYPE, INSISTED):
        return
    arguments = {name: STAND_INS[name] for name in ("units", "filters", "kernel_size") if name in signature.extra}
    parts = [f"{name}={value}" for name, value in arguments.items()]
    parts = ["keras.layers.LSTMCell(4)"] if "cell" in signature.extra else parts
    parts += [f'dtype="{claim.what}"'] if claim.kind == DTYPE else []
    parts += ["use_cudnn=True"] if claim.kind == INSISTED else []
    yield ".py", f"import keras\n\nlayer = {written}({', '.join(parts)})\n"


def _examples(claim: Claim, written: str, pages: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield what pages of the rules show, with the class in the place of theirs."""
    for page in pages:
        for language, text in FENCE.findall(page):
            if claim.kind == MASK and "mask" not in text:
                continue
            if language == "python":
                yield ".py", _varied(_written(text, claim.operation, written), claim.kind)
            elif language == "json" and claim.kind in (BLOCKER, CONCERN):
                yield ".json", _config(text, claim.operation)


def _written(text: str, operation: str | None, written: str) -> str:
    """Return an example with the class in the place of its own, the cell that belongs to it, and what it requires."""
    if operation is None:
        return text
    text = CLASS.sub(written, text)
    if operation == "RNN":
        return SETTINGS.sub(r"(keras.layers.LSTMCell(\1))", text)
    if operation.startswith("ConvLSTM"):
        text = INPUT.sub(rf"\g<1>{'8, ' * int(operation[-2])}\g<2>", text)
        return SETTINGS.sub(r"(\1, kernel_size=3)", text)
    return CELL.sub(rf"\g<1>{operation}Cell", text) if operation in ("LSTM", "GRU") else text


def _bad(claim: Claim, book: Rulebook) -> Iterable[str]:
    """Return the pages that may show a claim: that of its rule, up to where the fault is gone; for a mask, all."""
    if claim.kind == MASK:
        return [rule.page for rule in book.rules.values()]
    return [] if claim.kind in (ROUTE, DTYPE) else [WELL.split(book.rules[claim.what].page)[0]]


def _good(claim: Claim, book: Rulebook) -> Iterable[str]:
    """Return what the page of a claim's rule shows without the fault."""
    return [] if claim.kind in (ROUTE, DTYPE, MASK) else WELL.split(book.rules[claim.what].page)[1:]


def _config(text: str, operation: str | None) -> str:
    return re.sub(r'"class_name": "(?:LSTM|GRU)"', f'"class_name": "{operation}"', text) if operation else text


def _varied(text: str, kind: str) -> str:
    """Return a program in which the layer insists on cuDNN, or in which the model runs eagerly."""
    if kind == INSISTED:
        return UNITS.sub(r"\1\2, use_cudnn=True", text)
    if kind != EAGER:
        return text
    if not MODEL.search(text):
        text = LAYER.sub(r"\g<0>\nmodel = keras.Sequential([keras.Input((10, 4)), layer])", text)
    return MODEL.sub(r"\g<0>\nmodel.compile(run_eagerly=True)", text)


def _imported(text: str, line: str) -> str:
    """Return a program that takes Keras from where its framework has it."""
    text = re.sub(r"\btf\.keras\.", "keras.", text)
    text = FROM_TENSORFLOW.sub("import keras", text)
    if re.search(r"^import keras$", text, re.MULTILINE):
        return re.sub(r"^import keras$", lambda _: line, text, count=1, flags=re.MULTILINE)
    return f"{line}\n{text}"
