"""Goes through a training log once and gathers the lines about cuDNN, each with its layer where one is named."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import field

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.trainlog.nodes import node_layers, spoken_layers
from cudnnlint.trainlog.phrases import PROBLEMS, Phrase, PhraseCase, Reading, found_in
from cudnnlint.trainlog.pieces import Piece
from cudnnlint.trainlog.telling import LINES, Told, of_machine, told
from cudnnlint.trainlog.windows import Window, begins_traceback

LAST = "stopped-somewhere"  # the kind of message that says least
NAMED = "cudnn-named"  # words about CUDA or cuDNN, whoever says them
UNCLEAR = "unclear"  # what a line tells whose words are not known
ASKED = "asked"  # what a line tells that is a question and no message
ALONE = ("identifier-unknown",)  # phrases that say it all where one of their cases fits, though others fit as well
SHORT = 40  # lines of what was pasted from a longer log: an error in it is what is asked about
AFTER = 6  # lines in which TensorFlow names the node of an error after the message
BEFORE = 6  # lines in which Keras names the layer before the message
AROUND = 25  # lines after the message that may tell which case it is: devices, kernels, a traceback's end
NEAR = 600  # characters of a long line in which the node of an error stands
EXCERPT = 240  # characters of a line that are worth showing
MOST_KINDS = 200  # lines of one general kind whose surroundings are read: an application's log may hold many
LINE_SO_FAR = 3_000  # characters of a long line before a message that may tell which case it is

#: How the line of an error begins whose message comes below it.
_HEADER = re.compile(
    r"(?:[\w.]+\.)?(?P<kind>[A-Z]\w*(?:Error|Exception)): "
    r"(?:Exception encountered when calling |Graph execution error|in user code)"
)
_OF_NODE = re.compile(r"\s*\[\[\{\{node ")
_NODE_BEFORE = re.compile(r"^\{\{function_node [^}]*\}\}")

Identity = tuple[str, str | None, str | None, str | None, str | None]


@dataclass
class LogEntry:
    """One phrase about one layer: where it first stood and how often it came.

    `layer` is a name as Keras gives it, or None; `path` is the graph node's path where one was shown; `case` is the
    closer reading that the lines around chose.
    """

    phrase: Phrase
    line: int
    text: str
    layer: str | None = None
    class_name: str | None = None
    detail: str | None = None
    path: tuple[str, ...] = ()
    count: int = 1
    case: PhraseCase | None = None
    around: list[str] = field(default_factory=list)
    message: str = ""
    above: str = ""
    tail: list[str] = field(default_factory=list)
    told: Told = Told()

    @property
    def reading(self) -> Reading:
        """What it means in this log."""
        return self.case.reading if self.case else self.phrase.reading

    @property
    def facts(self) -> tuple[str, ...]:
        """What its words show by themselves; of what kind a value is where the message is one of a kind."""
        kind = self.told.kind if self.phrase.general else None
        return (*self.told.facts, kind) if kind else self.told.facts

    @property
    def unnamed(self) -> bool:
        """Whether it concerns a layer that is not named yet."""
        about_layer = self.phrase.reading.tells not in ("machine", "ready", ASKED, "harmless")
        return about_layer and self.layer is None and self.class_name is None

    @property
    def identity(self) -> Identity:
        """What makes two lines the same message."""
        return self.phrase.key, self.layer, self.class_name, self.detail, self.case.name if self.case else None

    def decide(self) -> None:
        """Choose the first case that the lines around speak of, or that fits whose code stopped."""
        text, owner = "\n".join(self.around), self.told.owner
        near = (case for case in self.phrase.cases if case.near and case.near.search(text))
        stopped = (case for case in self.phrase.cases if case.owner is not None and case.owner == owner)
        self.case = next(near, None) or next(stopped, None)

    def tell(self) -> None:
        """Read what the error tells by itself; nothing for a line that is none."""
        if self.phrase.reading.tells == "raises":
            self.told = told(self.message, self.above, self.tail)
        elif self.phrase.reading.tells == "machine":
            self.told = of_machine(self.message)
        self.message, self.above = "", ""
        self.tail.clear()


@dataclass
class Gathered:
    """All messages of one log, in the order of their first lines, and how many lines were read."""

    entries: list[LogEntry] = field(default_factory=list)
    lines: int = 0


class Gatherer:
    """Takes the pieces of a log one after another."""

    def __init__(self) -> None:
        self.done: dict[Identity, LogEntry] = {}
        self.open: list[LogEntry] = []
        self.window = Window()
        self.spoken: tuple[int, tuple[str, ...]] = (-BEFORE - 1, ())
        self.kinds: Counter[str] = Counter()
        self.header = ""
        self.last = 0

    def take(self, piece: Piece) -> None:
        """Look for phrases in a piece, and for the layer and the case of those that came shortly before."""
        text, self.last = piece.text, piece.number
        self._close(piece.number - AROUND)
        if begins_traceback(text):
            self._close(piece.number)
        for entry in self.open:
            if entry.phrase.cases:
                entry.around.append(text[:LINE_SO_FAR])
            if len(entry.tail) < LINES:
                entry.tail.append(text[:LINE_SO_FAR])
            if entry.line >= piece.number - AFTER and ("[[" in text or "{{node" in text):
                name_by_node(entry, text)
        if ("Exception enc" in text or "ode: '" in text or "at node" in text) and (spoken := spoken_layers(text)):
            self.spoken = (piece.number, spoken)
        found = [*found_in(text, piece.seen), *self.window.broken(piece)]
        for phrase, match in found or self._in_header(piece):
            self._add(phrase, match, piece.number)
        self.window.take(text)

    def _in_header(self, piece: Piece) -> list[tuple[Phrase, re.Match[str]]]:
        """Return what a line says that only continues the line above: the name of its error is there.

        Keras puts "Exception encountered when calling ..." before the message of an error, TensorFlow the node after.
        """
        text = piece.text
        if header := _HEADER.match(text):
            self.header = header["kind"]
            return []
        if not self.header or not text.strip():
            return []
        if _OF_NODE.match(text):
            kind, self.header, text = self.header, "", self.window.lines[-1] if self.window.lines else ""
        elif self.graph(text):
            return []
        else:
            kind, self.header = self.header, ""
        return list(found_in(f"{kind}: {_NODE_BEFORE.sub('', text).strip()}"))

    def graph(self, text: str) -> bool:
        """Return whether the lines below a header are those of TensorFlow's own traceback, before the message."""
        return text.startswith((" ", "\t", "Detected at", "Node:", "node ", "Stack trace", "File "))

    def _add(self, phrase: Phrase, match: re.Match[str], number: int) -> None:
        self.kinds[phrase.key] += phrase.general
        if self.kinds[phrase.key] > MOST_KINDS:
            return
        named, text = match.groupdict(), match.string
        entry = LogEntry(phrase, number, excerpt(text, match), named.get("layer"))
        entry.class_name, entry.detail = named.get("class_name"), named.get("detail")
        entry.message, entry.above = text[max(0, match.start() - NEAR) : match.end() + LINE_SO_FAR], self.window.text()
        about = text[max(0, match.start() - LINE_SO_FAR) : match.end() + LINE_SO_FAR]
        entry.around = [entry.above, about] if phrase.cases else []
        self.open.append(entry)
        name_by_node(entry, text[match.start() : match.start() + NEAR])
        if self.spoken[0] >= number - BEFORE and entry.unnamed:
            entry.path, entry.layer = self.spoken[1], self.spoken[1][-1]

    def _close(self, before: int) -> None:
        """Count the entries that began before a line: nothing around will tell more of them."""
        if not self.open or self.open[0].line >= before:
            return
        for entry in [entry for entry in self.open if entry.line < before]:
            self.open.remove(entry)
            entry.tell()
            entry.decide()
            entry.around.clear()
            known = self.done.setdefault(entry.identity, entry)
            known.count += known is not entry

    def finish(self) -> list[LogEntry]:
        """Return every entry, in the order of the log; those that no line near decided are decided by the whole log."""
        self._close(before=1 << 62)
        keys = {entry.phrase.key for entry in self.done.values()}
        for entry in self.done.values():
            if entry.case is None:
                entry.case = next((case for case in entry.phrase.cases if keys & set(case.seen)), None)
        told = [entry for entry in self.done.values() if entry.case or not entry.phrase.needs_case]
        told = [entry for entry in told if self.last <= SHORT or not _of_short_texts(entry)]
        chosen = {entry.line for entry in told if entry.phrase.key in ALONE}
        told = [entry for entry in told if entry.line not in chosen or entry.phrase.key in ALONE]
        return sorted(_without_general(told), key=lambda entry: entry.line)


def _of_short_texts(entry: LogEntry) -> bool:
    """Return whether an entry is worth a word only where somebody pasted a few lines."""
    return (entry.told.alone and entry.phrase.key == LAST) or entry.phrase.key == NAMED or entry.reading.tells == ASKED


def _without_general(told: list[LogEntry]) -> list[LogEntry]:
    """Leave the kinds of messages out where something else says why it stopped; of one line the first kind is kept."""
    if any(entry.reading.tells in PROBLEMS for entry in told):
        told = [entry for entry in told if entry.reading.tells != UNCLEAR]
    known = [entry for entry in told if not entry.phrase.general]
    if any(entry.reading.tells == "raises" for entry in known):
        return known
    said = {entry.line for entry in known}
    kinds: dict[int, LogEntry] = {}
    for entry in sorted(told, key=lambda one: one.phrase.needs_case):  # one that says nothing without a case comes last
        if entry.phrase.general and entry.line not in said:
            kinds.setdefault(entry.line, entry)
    closer = [entry for entry in kinds.values() if entry.case is None or entry.case.owner is None]
    return known + (closer or list(kinds.values()))


def gather(pieces: Iterable[Piece]) -> Gathered:
    """Return the messages of a whole log."""
    gatherer, lines = Gatherer(), 0
    for piece in pieces:
        gatherer.take(piece)
        lines = piece.number
    return Gathered(gatherer.finish(), lines)


def name_by_node(entry: LogEntry, text: str) -> None:
    """Name the layer of an entry after the first graph node in `text` that belongs to a layer."""
    if entry.unnamed and (path := node_layers(text)):
        entry.path, entry.layer = path, path[-1]


def excerpt(text: str, match: re.Match[str]) -> str:
    """Return the part of a line around a match: a progress bar may be before it, a whole document after it."""
    before = re.split(r"[\r\b]", text[: match.start()])[-1]
    if len(before) > EXCERPT // 2:
        before = before[-EXCERPT // 2 :].partition(" ")[2]
    after = text[match.start() : max(match.end(), match.start() + EXCERPT)].split("\r")[0]
    return (before + after).strip()
