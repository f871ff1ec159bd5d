"""What a probe found, as data, as text, and as a record of evidence."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from cudnnlint.core.codec import pack
from cudnnlint.core.language import tr
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.text import visible
from cudnnlint.core.verdict import Verdict
from cudnnlint.probe.compare import Agreement, Compared
from cudnnlint.probe.request import ProbedLayer

SCHEMA_VERSION = 1
WIDTH = 100
NO_EVIDENCE: dict[str, list[str]] = {"ops": [], "kernels": []}


@dataclass(frozen=True)
class ProbeResult:
    """One layer: what was predicted, what was seen, and how long it took."""

    asked: ProbedLayer
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
        """Return the result as the JSON output has it."""
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
class ProbeOutcome:
    """All results of one probe. `sentence` is what has to be said before them (there is no GPU), or None.

    `models` are the saved models that were run whole: path -> None, or the error.
    """

    machine: Mapping[str, Any]
    results: Sequence[ProbeResult]
    dry_run: bool
    sentence: str | None = None
    models: Mapping[str, str | None] | None = None

    @property
    def contradicted(self) -> bool:
        """Whether a layer did something else than its verdict says."""
        return any(result.compared.agreement is Agreement.CONTRADICTED for result in self.results)

    def summary(self) -> dict[str, int]:
        """How many of each."""
        found = [result.compared.agreement for result in self.results]
        return {agreement.value: found.count(agreement) for agreement in Agreement}

    def as_data(self) -> dict[str, Any]:
        """Return the object of the JSON output."""
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
        """Return the same with every layer's facts and target, so that later tables can be compared with it."""
        record = self.as_data()
        for data, result in zip(record["results"], self.results, strict=True):
            layer = result.asked.layer
            data["kind"], data["target"] = result.asked.file.kind, str(layer.judgements[0].target)
            data["facts"] = pack(layer.layer)
        return record

    def as_text(self) -> str:
        """Return the outcome as text."""
        blocks = [wrap(self.sentence, "")] if self.sentence else []
        blocks += [_block(result) for result in self.results]
        blocks += [
            wrap(f"{path}: the model as a whole stopped with an error: {error}", "") for path, error in self._broken()
        ]
        counts = self.summary()
        if not self.results:
            return "\n".join([*blocks, tr("No recurrent layer was found.")])
        return "\n".join([*blocks, "", ", ".join(f"{count} {tr(name)}" for name, count in counts.items()) + "."])

    def _broken(self) -> list[tuple[str, str]]:
        return [(path, error) for path, error in (self.models or {}).items() if error]


def _block(result: ProbeResult) -> str:
    place = result.asked.layer.place
    where = str(place) if place else result.asked.file.path
    head = f"{where}: {result.layer}: {result.compared.agreement.value}"
    lines = [wrap(head, ""), wrap(result.compared.reason, "    ")]
    if result.asked.rebuilt:
        lines.append(
            wrap(
                f"The file cannot be loaded, so the layer was rebuilt from its settings: {result.asked.rebuilt}", "    "
            )
        )
    if result.eager is not None:
        lines.append(wrap(f"In eager calls: {result.eager}.", "    "))
    if result.compared.agreement is Agreement.CONTRADICTED and result.row:
        lines.append(wrap(f"The verdict rests on this row: {result.row}.", "    "))
    times = _times(result.seconds)
    return "\n".join([*lines, wrap(times, "    ")] if times else lines)


def _times(seconds: Mapping[str, float | None] | None) -> str:
    """Return what a training step takes, in a sentence."""
    if not seconds:
        return ""
    names = (
        ("route", "for this layer"),
        ("generic", "in a loop"),
        ("kernel", "for a plain layer of this size in cuDNN"),
    )
    parts = []
    for key, words in names:
        value = seconds.get(key)
        if value is not None:
            parts.append(f"{value * 1e3:.2f} ms {words}")
    return f"One training step: {', '.join(parts)}." if parts else ""


def wrap(text: str, indent: str) -> str:
    """Return a paragraph in the reader's language, laid out in lines."""
    hanging = indent + "  "
    return textwrap.fill(
        tr(visible(text)),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=hanging,
        break_on_hyphens=False,
        break_long_words=False,
    )
