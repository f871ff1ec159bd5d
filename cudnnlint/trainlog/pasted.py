"""Finds the program in a pasted question: code and messages stand mixed there, and the code may be the cause.

A line keeps its row. What is no Python of its own (prose, a log, the lines that a traceback shows) is left out.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.trainlog import told_gpu

MOST_LINES = 2_000  # a longer text is a log of a run, not a question
LONGEST_STATEMENT = 200  # lines
#: What makes it worth looking: a recurrent layer is constructed.
_LAYER = re.compile(r"\b(?:CuDNN|Cudnn)?(?:LSTM|GRU|SimpleRNN|RNN|ConvLSTM\dD)\s*\(\s*[^)\s]")
_PROMPT = re.compile(r"^(?:>>> ?|\.\.\. ?|In \[\d+\]: ?)")
_FRAME = re.compile(r'^\s*File "[^"]*", line \d+|^(?:\[?/|~/|<ipython-input)\S* in ')
_GOES_ON = re.compile(r"(?:else|elif|except|finally)\b")
#: What a piece of code leaves out of its imports. What it imports itself comes later, and counts.
_PREAMBLES = {
    "tensorflow": "import tensorflow as tf; from tensorflow import keras; from tensorflow.keras import layers, models; "
    "from tensorflow.keras.models import *; from tensorflow.keras.layers import *",
    "keras": "import keras; from keras import layers, models; from keras.models import *; from keras.layers import *",
}
_OWN_KERAS = re.compile(r"^\s*(?:import keras\b|from keras[. ])", re.MULTILINE)
#: Releases as people state them: `TensorFlow version: 2.4.1`, `tensorflow-gpu==2.2.0`, `TF 2.10`, `Keras 3.4.1`.
_RELEASE = re.compile(
    r"(?<![\w./-])(?P<package>tensorflow(?:-gpu|-cpu|-macos|-rocm)?|tf|keras)"
    r"(?:[ _]version)?(?: \(use command below\))?\s?(?:==|=|:)?\*{0,2}:?\s{0,2}"
    r"['\"b]{0,2}v?(?P<release>\d\.\d{1,2}(?:\.\d{1,2})?)(?![\d.]|-tf)",
    re.IGNORECASE,
)


#: What says that Keras is the one in TensorFlow.
_KERAS_IN_TENSORFLOW = re.compile(r"\btf\.keras\b|\btensorflow\.(?:python\.)?keras\b")


@dataclass(frozen=True)
class Pasted:
    """The code of a text, each line at its row, and the release that the text says it ran with (None: none, or two).

    `gpu` is the kind of GPU that the text names, where that is not NVIDIA's (a word of `told_gpu`).
    """

    source: str
    target: str | None
    gpu: str | None = None


def pasted(lines: Sequence[str], targets: Sequence[str] = ()) -> Pasted | None:
    """Return the code among lines that builds recurrent layers; None where there is none.

    `targets` are those that the user asks for: they say which Keras is meant where the code imports none.
    """
    if len(lines) > MOST_LINES or not any(map(_LAYER.search, lines)):
        return None
    kept = [""] * len(lines)
    for start, block in _statements(lines):
        kept[start : start + len(block)] = block
    source = "\n".join(kept)
    if not _LAYER.search(source):
        return None
    text = "\n".join(lines)
    package = _package(source, text, targets)
    return Pasted(_with_imports(kept, _PREAMBLES[package]), _stated(text, package), told_gpu.named(text))


def _package(source: str, text: str, targets: Sequence[str]) -> str:
    """Return whose Keras the code takes: what it imports, else what the user asks for, else what the text states."""
    if _OWN_KERAS.search(source):
        return "keras"
    if _KERAS_IN_TENSORFLOW.search(source):
        return "tensorflow"
    if targets:
        return "keras" if all(re.match(r"keras\b", target) for target in targets) else "tensorflow"
    standalone = not _KERAS_IN_TENSORFLOW.search(text) and _stated(text, "keras") is not None
    return "keras" if standalone else "tensorflow"


def _stated(text: str, package: str) -> str | None:
    """Return the target that a text states for code that takes its layers from a package; None for two releases."""
    releases = {
        found["release"]
        for found in _RELEASE.finditer(text)
        if found["package"].lower().startswith("keras") == (package == "keras")
    }
    return f"{package}@{releases.pop()}" if len(releases) == 1 else None


def _with_imports(kept: list[str], preamble: str) -> str:
    """Return the code with the names of Keras that it may not import; rows stay as they are."""
    compound = kept[0].rstrip().endswith(":") or kept[0][:1] == "@"
    first = kept[0] if compound else f"{preamble}; {kept[0]}" if kept[0] else preamble
    return "\n".join([first, *kept[1:]])


def _statements(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the row (from 0) and the lines of each statement, moved to the left edge."""
    plain = [_PROMPT.sub("", line) for line in lines]
    row = 0
    while row < len(plain):
        if not plain[row].strip() or (row and _FRAME.match(plain[row - 1])):
            row += 1
            continue
        end = _end(plain, row)
        block = textwrap.dedent("\n".join(plain[row:end])).split("\n")
        if _is_code(block):
            yield row, block
            row = end
        else:
            row += 1


def _end(lines: Sequence[str], row: int) -> int:
    """Return the row behind the statement that begins at `row`: where its brackets close, or its block ends."""
    last = min(len(lines), row + LONGEST_STATEMENT)
    depth, end = 0, row
    while end < last:
        text = lines[end].split("#")[0]
        depth += sum(map(text.count, "([{")) - sum(map(text.count, ")]}"))
        end += 1
        if depth <= 0 and not text.rstrip().endswith("\\"):
            break
    head = lines[row].lstrip()
    if not lines[end - 1].split("#")[0].rstrip().endswith(":") and not head.startswith("@"):
        return end
    edge = len(lines[row]) - len(head)
    while end < last:
        text = lines[end].lstrip()
        if text and len(lines[end]) - len(text) <= edge and not _GOES_ON.match(text) and not head.startswith("@"):
            break
        head = text if head.startswith("@") else head
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    return end


def _is_code(block: list[str]) -> bool:
    """Return whether lines are Python that does something: a word of prose is an expression too, `loss: 0.3` a note."""
    try:
        body = ast.parse("\n".join(block)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return bool(body) and not any(
        (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call))
        or (isinstance(node, ast.AnnAssign) and node.value is None)
        for node in body
    )
