"""Several reports as one: the shards of one run, or reports of different files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.errors import UsageError
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.report import FileReport, Report, Shard
from cudnnlint.merging import read_back
from cudnnlint.rulebook import loader

#: A report, and the name of the file that it was read from.
Named = tuple[str, Report]


def merged(paths: Sequence[str]) -> Report:
    """Return the reports in several files as one: that of the whole run, where they are its shards.

    Raises UsageError where one cannot be read, or where they do not go together.
    """
    reports = [(path, read_back.read(path)) for path in paths]
    _prove_one_version(reports)
    if any(report.shard is not None for _, report in reports):
        _prove_one_run(reports)
    ordered = [file for _, file in sorted(_placed(reports), key=lambda placed: placed[0])]
    _prove_distinct(ordered)
    files: list[FileReport] = []
    diagnostics: list[Diagnostic] = []
    first = 0
    for _, file, found in ordered:
        ids = {layer.id: first + index for index, layer in enumerate(file.layers)}
        first += len(ids)
        files.append(replace(file, layers=tuple(replace(layer, id=ids[layer.id]) for layer in file.layers)))
        diagnostics += [replace(one, layers=tuple(ids[i] for i in one.layers if i in ids)) for one in found]
    return Report(
        tuple(files),
        tuple(diagnostics),
        sum(report.seen for _, report in reports),
        reports[0][1].version,
        loader.pages({one.code for one in diagnostics}),
        sum(report.failing for _, report in reports),
    )


def _placed(reports: Sequence[Named]) -> Iterator[tuple[tuple[int, int], tuple[str, FileReport, list[Diagnostic]]]]:
    """Yield each file with the name of its report and its diagnostics, behind what puts it in its place."""
    for number, (name, report) in enumerate(reports):
        found: dict[str, list[Diagnostic]] = {}
        for one in report.diagnostics:
            found.setdefault(one.path, []).append(one)
        for index, file in enumerate(report.files):
            place = (number, index) if report.shard is None else (report.shard.positions[index], 0)
            yield place, (name, file, found.get(file.path, []))


def _prove_one_version(reports: Sequence[Named]) -> None:
    name, first = reports[0]
    for other, report in reports:
        if report.version != first.version:
            raise UsageError(f"{name} is from cudnnlint {first.version} and {other} from {report.version}: use one.")


def _prove_one_run(reports: Sequence[Named]) -> None:
    """Raise UsageError unless the reports are all shards of one run, each there once."""
    shards: dict[int, tuple[str, Shard]] = {}
    whole = next((name for name, report in reports if report.shard is None), None)
    for name, report in reports:
        shard = report.shard
        if shard is None or whole is not None:
            raise UsageError(f"{whole} is a whole report, and others are shards: merge them apart.")
        if shard.number in shards:
            raise UsageError(f"{shards[shard.number][0]} and {name} are both shard {shard.number} of {shard.of}.")
        shards[shard.number] = (name, shard)
        first_name, first = next(iter(shards.values()))
        if (shard.of, shard.run) != (first.of, first.run):
            raise UsageError(
                f"{first_name} and {name} are shards of different runs: give all of them the same PATHs and files."
            )
    of = next(iter(shards.values()))[1].of
    missing = [str(number) for number in range(1, of + 1) if number not in shards]
    if missing:
        shown = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        raise UsageError(f"Missing: shard {shown} of {of}. Give the report of every shard.")


def _prove_distinct(ordered: Sequence[tuple[str, FileReport, list[Diagnostic]]]) -> None:
    seen: dict[str, str] = {}
    for name, file, _ in ordered:
        if seen.setdefault(file.path, name) != name:
            raise UsageError(f"{seen[file.path]} and {name} both hold {file.path}.")
