"""The explained log as text: one block for each cause, with the layers that it speaks of."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from cudnnlint.core.language import tr
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.report import Report
from cudnnlint.core.report_text import closing
from cudnnlint.core.text import plural, visible
from cudnnlint.core.verdict import Verdict
from cudnnlint.trainlog import told_code
from cudnnlint.trainlog.asked import About
from cudnnlint.trainlog.attribution import Match, chosen_case, matches
from cudnnlint.trainlog.gather import Gathered, LogEntry
from cudnnlint.trainlog.phrases import TELLS, Reading
from cudnnlint.trainlog.told_code import JudgedCode

SILENCE = (
    "no message that is known here. This does not mean that cuDNN is used: Keras 3 never logs it, and Keras 2 only "
    "logs what it knows when a layer is built. Run `cudnnlint check` on the code or model, or `cudnnlint probe` on a "
    "GPU machine."
)
NOTHING_ELSE = (
    "no other message that is known here. Whether a layer runs in cuDNN, no line of this log tells: run `cudnnlint "
    "check` on the code or model, or `cudnnlint probe` on a GPU machine."
)
IN_WORDS = "no message that is known here; what its words are about is."
NO_MESSAGE = "no message that is known here, but code that can be checked."
ELSEWHERE = "given files, on a machine that can run cuDNN kernels, as this one as set up cannot"
WIDTH = 100
INDENT = " " * 4
WEIGHTS = tuple(TELLS)
LISTED = 12  # layers and places that one block lists
TOLD_BY_FILES = (Verdict.RAISES, Verdict.FALLBACK)  # what is worth a word although the log does not speak of it


@dataclass
class Cause:
    """Entries that have one explanation, and the layers of the report that each may mean."""

    reading: Reading
    entries: list[tuple[LogEntry, list[Match]]]

    @property
    def first(self) -> LogEntry:
        """The entry that came first."""
        return self.entries[0][0]

    @property
    def count(self) -> int:
        """How many lines of the log say it."""
        return sum(entry.count for entry, _ in self.entries)


def causes(gathered: Gathered, report: Report | None) -> list[Cause]:
    """Return the messages of a log by cause: what stops the program first, what is harmless last, else as they came.

    Within a cause, the line that says it itself is before those that only say why.
    """
    found: dict[tuple[str, str], Cause] = {}
    for entry in gathered.entries:
        matched = matches(entry, report)
        case = chosen_case(entry, matched)
        reading = case.reading if case else entry.phrase.reading
        found.setdefault((reading.means, reading.do), Cause(reading, [])).entries.append((entry, matched))
    for cause in found.values():
        cause.entries.sort(key=lambda row: WEIGHTS.index(row[0].phrase.reading.tells))
    return sorted(found.values(), key=lambda cause: (WEIGHTS.index(cause.reading.tells), cause.first.line))


def as_text(
    gathered: Gathered, report: Report | None, name: str, code: JudgedCode | None = None, about: About | None = None
) -> str:
    """Return the explained log as text; `code` is what was found in code that stands in it, where no file is given.

    `about` is what a text without a known message asks about.
    """
    found = causes(gathered, code.report if code else report)
    files = _files(found, report) if report is not None else [_code(code)] if code is not None else []
    if not found and code is not None:
        return "\n\n".join([_wrap(f"{name}: {NO_MESSAGE}", ""), *files])
    if not found and about is not None:
        told = [_wrap(f"meaning     {about.says}"), _wrap(f"what to do  {about.do}")]
        return "\n\n".join([_wrap(f"{name}: {IN_WORDS}", ""), "\n".join(told), *files])
    if not found:
        return "\n\n".join([_wrap(f"{name}: {SILENCE}", ""), *files])
    blocks = ["\n".join(_block(cause, report)) for cause in found]
    head = f"{name}: {plural(len(found), 'message')} in {plural(gathered.lines, 'log line')}"
    silent = [_wrap(NOTHING_ELSE, "")] if all(cause.reading.tells == "harmless" for cause in found) else []
    return "\n\n".join([tr(head), *blocks, *silent, *files])


def _code(code: JudgedCode) -> str:
    """Return what is wrong in the code that stands in the log."""
    return "\n".join([_wrap(told_code.head(code), ""), *map(_wrap, told_code.lines(code))])


def _files(found: Iterable[Cause], report: Report) -> list[str]:
    """Return what the given files say by themselves, where no message of the log led to a layer in them."""
    if any(matched for cause in found for _, matched in cause.entries):
        return []
    bad = [Match(file, layer, True) for file in report.files for layer in file.layers if layer.worst in TOLD_BY_FILES]
    told = list(dict.fromkeys(f"{match.where} {_described(match)}" for match in bad))
    elsewhere = any(cause.reading.tells == "machine" for cause in found)
    lines = [_wrap(f"{ELSEWHERE if elsewhere else 'given files'}: {closing(report)}", "")]
    lines += [_wrap(visible(text)) for text in told[:LISTED]]
    if len(told) > LISTED:
        lines.append(_wrap(f"and {plural(len(told) - LISTED, 'more layer')}"))
    if told:
        lines.append(_wrap("`cudnnlint check` on these files says why, and what to do."))
    return ["\n".join(lines)]


def _block(cause: Cause, report: Report | None) -> list[str]:
    reading = cause.reading
    times = f" ({cause.count} times)" if cause.count > 1 else ""
    names = _names(cause)
    about = f", layer {names[0]}" if len(names) == 1 else f", {len(names)} layers" if names else ""
    lines = [tr(f"line {cause.first.line}{times}{about}: {TELLS[reading.tells]}")]
    quotes: dict[str, str] = {}
    for entry, _ in cause.entries:
        quotes.setdefault(entry.phrase.key, entry.text)
    for text in quotes.values():
        lines += [f"{INDENT}| {part}" for part in textwrap.wrap(visible(text), WIDTH - len(INDENT) - 2)]
    lines += _told(cause)
    lines.append(_wrap(f"meaning     {reading.means}"))
    lines.append(_wrap(f"what to do  {reading.do}"))
    if len(names) > 1:
        lines.append(_wrap(f"layers      {_listed(names)}"))
    lines += _here(cause, report)
    if reading.codes:
        lines.append(_wrap(f"rules       {', '.join(reading.codes)}"))
    lines.append(_wrap(f"said by     {reading.said_by}."))
    return lines


def _told(cause: Cause) -> list[str]:
    """Return where the first of these errors stopped, and what the words and numbers of all of them say."""
    stopped = next((str(entry.told.stop) for entry, _ in cause.entries if str(entry.told.stop)), "")
    facts = dict.fromkeys(visible(fact) for entry, _ in cause.entries for fact in entry.facts)
    return [_wrap(f"where       {visible(stopped)}")] * bool(stopped) + [_wrap(f"details     {fact}") for fact in facts]


def _names(cause: Cause) -> list[str]:
    """Return the layers and classes that the log names, once each."""
    named = (entry.layer or entry.class_name for entry, _ in cause.entries)
    return list(dict.fromkeys(visible(name) for name in named if name))


def _here(cause: Cause, report: Report | None) -> list[str]:
    """Return what the report says of the layers, and which layers it does not know."""
    told: dict[str, str] = {}
    unknown = []
    for entry, found in cause.entries:
        texts = dict.fromkeys(
            f"{match.where} {_described(match)}" for match in found
        )  # two directions may say the same
        for text in texts:
            told.setdefault(text, _lead(found[0], len(texts)))
        if report is not None and entry.layer and not found:
            unknown.append(visible(entry.layer))
    lines = [_wrap(lead + visible(text)) for text, lead in list(told.items())[:LISTED]]
    if len(told) > LISTED:
        lines.append(_wrap(f"            and {len(told) - LISTED} more places"))
    if unknown:
        lines.append(_wrap(f"your code   no layer in the given files can be {_listed(dict.fromkeys(unknown))}"))
    return lines


def _listed(names: Iterable[str]) -> str:
    first, rest = list(names)[:LISTED], list(names)[LISTED:]
    return ", ".join(first) + (f" and {len(rest)} more" if rest else "")


def _lead(match: Match, count: int) -> str:
    if not match.fits and not match.sure:
        return "judged      "
    return "your code   " if match.sure else "likely      " if count == 1 else "one of      "


def _described(match: Match) -> str:
    """Describe a layer as the report has it, in half a line."""
    failed = [f"{item.name} ({item.code}): found {item.found}, needed {item.needed}" for item in match.failed()]
    return f"{match.layer.class_name}, {match.layer.worst.value}" + ("; " + "; ".join(failed) if failed else "")


def _wrap(text: str, indent: str = INDENT) -> str:
    hanging = indent + " " * 12 if indent else ""
    return textwrap.fill(tr(text), WIDTH, initial_indent=indent, subsequent_indent=hanging, break_on_hyphens=False)
