"""Goes through a training log once and gathers the lines about cuDNN, each with its layer where one is named."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from cudnnlint.trainlog.phrases import Phrase, found_in
from cudnnlint.trainlog.pieces import Piece

AFTER = 6  # lines in which TensorFlow names the node of an error after the message
BEFORE = 6  # lines in which Keras names the layer before the message
NEAR = 600  # characters of a long line in which the node of an error stands
EXCERPT = 240  # characters of a line that are worth showing

_NODE = re.compile(r"\{\{node (?P<node>[^\s{}]+?)\}\}|\[\[(?:Node: )?(?P<bare>[^\s{}\[\]]+)")
_LAYER = re.compile(r"Exception encountered when calling layer ['\"](?P<layer>[^'\"]+)['\"]")
_LAYERS_NODE = re.compile(r"Cudnn|PartitionedCall|Assert|lstm|gru|rnn|bidirectional", re.IGNORECASE)
_NO_LAYER = re.compile(r"cond|then|else|while|body|gradient_tape|assert\w*|[A-Z_]\w*|\d+")


@dataclass
class LogEntry:
    """One phrase about one layer: where it first stood and how often it came.

    `layer` is a name as Keras gives it, or None; `path` is the graph node's path where one was shown.
    """

    phrase: Phrase
    line: int
    text: str
    layer: str | None = None
    class_name: str | None = None
    detail: str | None = None
    path: tuple[str, ...] = ()
    count: int = 1

    @property
    def unnamed(self) -> bool:
        """Is there a layer behind it that is not named yet?"""
        about_layer = self.phrase.tells not in ("machine", "harmless")
        return about_layer and self.layer is None and self.class_name is None

    @property
    def identity(self) -> tuple[str, str | None, str | None, str | None]:
        """What makes two lines the same news."""
        return self.phrase.key, self.layer, self.class_name, self.detail


@dataclass
class Gathered:
    """All news of one log, in the order of their first lines, and how many lines were read."""

    entries: list[LogEntry] = field(default_factory=list)
    lines: int = 0


class Gatherer:
    """Takes the pieces of a log one after another."""

    def __init__(self) -> None:
        self.done: dict[tuple[str, str | None, str | None, str | None], LogEntry] = {}
        self.open: list[LogEntry] = []
        self.spoken: tuple[int, str] = (-BEFORE - 1, "")

    def take(self, piece: Piece) -> None:
        """Look for phrases in a piece, and for the layer of those that came shortly before."""
        self._close(piece.number - AFTER)
        if "[[" in piece.text or "{{node" in piece.text:
            for entry in self.open:
                name_by_node(entry, piece.text)
        if "Exception encountered" in piece.text and (spoken := _LAYER.search(piece.text)):
            self.spoken = (piece.number, spoken["layer"])
        for phrase, match in found_in(piece.text, piece.seen):
            named = match.groupdict()
            entry = LogEntry(phrase, piece.number, excerpt(piece.text, match), named.get("layer"))
            entry.class_name, entry.detail = named.get("class_name"), named.get("detail")
            self.open.append(entry)
            name_by_node(entry, piece.text[match.start() : match.start() + NEAR])
            if self.spoken[0] >= piece.number - BEFORE and entry.unnamed:
                entry.layer = self.spoken[1]

    def _close(self, before: int) -> None:
        """Count the entries that began before a line: their layer will not be named any more."""
        for entry in [entry for entry in self.open if entry.line < before]:
            self.open.remove(entry)
            known = self.done.setdefault(entry.identity, entry)
            if known is not entry:
                known.count += 1

    def finish(self) -> list[LogEntry]:
        """Every entry, in the order of the log."""
        self._close(before=1 << 62)
        return sorted(self.done.values(), key=lambda entry: entry.line)


def gather(pieces: Iterable[Piece]) -> Gathered:
    """The news of a whole log."""
    gatherer, lines = Gatherer(), 0
    for piece in pieces:
        gatherer.take(piece)
        lines = piece.number
    return Gathered(gatherer.finish(), lines)


def name_by_node(entry: LogEntry, text: str) -> None:
    """Name the layer of an entry after the first graph node in `text` that belongs to a layer."""
    if not entry.unnamed:
        return
    for match in _NODE.finditer(text):
        path = layers_in(match["node"] or match["bare"])
        if path:
            entry.path, entry.layer = path, path[-1]
            return


def layers_in(node: str) -> tuple[str, ...]:
    """The layers in a graph node's path ("model/lstm_1/CudnnRNNV3"); none if it is not a layer's node."""
    if not _LAYERS_NODE.search(node):
        return ()
    return tuple(part for part in node.split("/") if not _NO_LAYER.fullmatch(part))


def excerpt(text: str, match: re.Match[str]) -> str:
    """The part of a line round a match: a progress bar may stand before it, a whole document behind."""
    before = re.split(r"[\r\b]", text[: match.start()])[-1]
    after = text[match.start() : max(match.end(), match.start() + EXCERPT)].split("\r")[0]
    return (before[-EXCERPT // 2 :] + after).strip()
