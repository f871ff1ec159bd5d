"""What a probe found, as data, as text, and as a record of evidence."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cudnnlint.core.codec import pack
from cudnnlint.core.text import visible
from cudnnlint.core.verdict import Verdict
from cudnnlint.probe.compare import Agreement, Compared
from cudnnlint.probe.request import Asked

SCHEMA_VERSION = 1
WIDTH = 100
NO_EVIDENCE: dict[str, list[str]] = {"ops": [], "kernels": []}


@dataclass(frozen=True)
class Result:
    """One layer: what was predicted, what was seen, and how long it took."""

    asked: Asked
    predicted: Verdict
    compared: Compared
    row: str | None = None
    eager: str | None = None
    seconds: Mapping[str, float | None] | None = None

    @property
    def layer(self) -> str:
        """Its name, as well as it can be named."""
        found = self.asked.layer
        return found.layer_path or found.name or found.class_name

    def as_data(self) -> dict[str, Any]:
        """The result as the JSON output has it."""
        seen, place = self.compared.observation, self.asked.layer.place
        contradicted = self.compared.agreement is Agreement.CONTRADICTED
        return {
            "path": self.asked.file.path,
            "layer": self.layer,
            "id": self.asked.layer.id,
            "class_name": self.asked.layer.class_name,
            "cell": place.cell if place else None,
            "row": place.row if place else None,
            "column": place.column if place else None,
            "predicted": self.predicted.value,
            "observed": seen.verdict.value if seen and seen.verdict else None,
            "agreement": self.compared.agreement.value,
            "reason": self.compared.reason,
            "mode": self.asked.mode,
            "rebuilt": self.asked.rebuilt,
            "eager": self.eager,
            "masks": dict(seen.paddings) if seen else {},
            "evidence": {"ops": list(seen.ops), "kernels": list(seen.kernels)} if seen else NO_EVIDENCE,
            "seconds": dict(self.seconds) if self.seconds else {"route": None, "generic": None, "kernel": None},
            "table_row": self.row if contradicted else None,
        }


@dataclass(frozen=True)
class Outcome:
    """All results of one probe. `sentence` is what has to be said before them (there is no GPU), or None.

    `models` are the saved models that were run whole: path -> None, or the error.
    """

    machine: Mapping[str, Any]
    results: Sequence[Result]
    dry_run: bool
    sentence: str | None = None
    models: Mapping[str, str | None] | None = None

    @property
    def contradicted(self) -> bool:
        """Is there a layer that did something else?"""
        return any(result.compared.agreement is Agreement.CONTRADICTED for result in self.results)

    def summary(self) -> dict[str, int]:
        """How many of each."""
        found = [result.compared.agreement for result in self.results]
        return {agreement.value: found.count(agreement) for agreement in Agreement}

    def as_data(self) -> dict[str, Any]:
        """The object of the JSON output."""
        return {
            "schema_version": SCHEMA_VERSION,
            "dry_run": self.dry_run,
            "machine": dict(self.machine),
            "results": [result.as_data() for result in self.results],
            "models": [{"path": path, "error": error} for path, error in (self.models or {}).items()],
            "summary": self.summary(),
            "note": self.sentence,
        }

    def as_record(self) -> dict[str, Any]:
        """The same with every layer's facts and target, so that later tables can be held against it."""
        told = self.as_data()
        for data, result in zip(told["results"], self.results, strict=True):
            layer = result.asked.layer
            data["kind"], data["target"] = result.asked.file.kind, str(layer.judgements[0].target)
            data["facts"] = pack(layer.layer)
        return told

    def as_text(self) -> str:
        """The outcome for people."""
        blocks = [_wrap(self.sentence, "")] if self.sentence else []
        blocks += [_told(result) for result in self.results]
        blocks += [_wrap(f"{path}: the whole model stopped with {error}", "") for path, error in self._broken()]
        counts = self.summary()
        if not self.results:
            return "\n".join([*blocks, "No recurrent layer was found."])
        return "\n".join([*blocks, "", ", ".join(f"{count} {name}" for name, count in counts.items()) + "."])

    def _broken(self) -> list[tuple[str, str]]:
        return [(path, error) for path, error in (self.models or {}).items() if error]


def _told(result: Result) -> str:
    place = result.asked.layer.place
    where = str(place) if place else result.asked.file.path
    head = f"{where}: {result.layer}: {result.compared.agreement.value}"
    lines = [_wrap(head, ""), _wrap(result.compared.reason, "    ")]
    if result.asked.rebuilt:
        lines.append(_wrap(f"The file does not load, so it was built from its facts: {result.asked.rebuilt}", "    "))
    if result.eager is not None:
        lines.append(_wrap(f"Called eagerly: {result.eager}.", "    "))
    if result.compared.agreement is Agreement.CONTRADICTED and result.row:
        lines.append(_wrap(f"The table's row: {result.row}.", "    "))
    told = _times(result.seconds)
    return "\n".join([*lines, _wrap(told, "    ")] if told else lines)


def _times(seconds: Mapping[str, float | None] | None) -> str:
    """What a training step takes, in a sentence."""
    if not seconds:
        return ""
    names = (("route", "as it is"), ("generic", "in the loop"), ("kernel", "as a plain layer of that size in cuDNN"))
    told = []
    for key, words in names:
        value = seconds.get(key)
        if value is not None:
            told.append(f"{value * 1e3:.2f} ms {words}")
    return f"A training step: {', '.join(told)}." if told else ""


def _wrap(text: str, indent: str) -> str:
    hanging = indent + "  "
    return textwrap.fill(
        visible(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=hanging,
        break_on_hyphens=False,
        break_long_words=False,
    )
