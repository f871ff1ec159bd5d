"""What `check` does with its options: one run asked for, its fixes applied, its report written."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cudnnlint.cli.commands import refuse_swallowed
from cudnnlint.cli.output import Counter, emit, pass_on, save, save_all, terminal_look, written_piecewise
from cudnnlint.core.diagnostic import Severity
from cudnnlint.core.language import tr
from cudnnlint.core.output_formats import FOR_PEOPLE, STREAMED, WITH_EDITS, WITH_RELEASES
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.text import is_url, plural, visible
from cudnnlint.formats.sniff import is_written
from cudnnlint.reporters import writer

if TYPE_CHECKING:
    from cudnnlint.core.report import Report
    from cudnnlint.pipeline import Fixed, Outcome, Request

#: How many of the files and folders that were left out are named.
MOST_NAMES = 5


def requested(paths: tuple[str, ...], options: dict[str, Any]) -> Request:
    """Return the run that the options ask for."""
    from cudnnlint.pipeline import Request
    from cudnnlint.settings.settings import Flags

    refuse_swallowed(click.get_current_context())
    flags = Flags(
        target=options["target"],
        select=_split(options["select"]),
        extend_select=_split(options["extend_select"]),
        ignore=_split(options["ignore"]),
        extend_ignore=_split(options["extend_ignore"]),
        fail_on=options["fail_on"],
        strict=options["strict"],
        inference=options["purpose"] == "inference",
        baseline="" if options["write_baseline"] else options["baseline"],
        jobs=options["jobs"],
        force_exclude=options["force_exclude"],
        cache=_cache(options),
    )
    stdin = sys.stdin.buffer.read() if "-" in paths else b""
    return Request(paths or (".",), flags, stdin, options["stdin_filename"], shard=options["shard"])


def _cache(options: dict[str, Any]) -> str | None:
    if options["no_cache"]:
        return None
    from cudnnlint.files import cache

    folder = options["cache_dir"] or cache.default_folder()
    return None if folder is None else os.path.abspath(folder)


def _split(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(part.strip() for text in texts for part in text.split(",") if part.strip())


def fix(request: Request, options: dict[str, Any]) -> int:
    """Apply fixes, or show what they would change; the exit status."""
    from cudnnlint import pipeline
    from cudnnlint.core.edit import Applicability
    from cudnnlint.files.difference import unified

    if options["verify"]:
        from cudnnlint.fix.convert import must_have_a_framework

        must_have_a_framework()
    kinds = frozenset({Applicability.SAFE, *[Applicability.UNSAFE] * options["unsafe_fixes"]})
    model = _model_file(request, options)
    wanted = pipeline.Wanted(kinds, model, options["in_place"], not options["diff"], options["verify"])
    fixed = pipeline.fix(request, wanted, Counter())
    _tell_models(fixed, "would be written" if options["diff"] else "written", options["verify"])
    if options["diff"]:
        _show_difference(unified(fixed.sources), None if model else options["output_file"])
        unread = _tell_unread(fixed.outcome)
        return 2 if fixed.outcome.crashed else int(bool(fixed.sources or fixed.models or unread))
    stdin = request.stdin_name or "-"
    save_all({path: files for path, files in fixed.sources.items() if path != stdin or "-" not in request.paths})
    if "-" in request.paths:
        pass_on(fixed.sources.get(stdin, (b"", request.stdin))[1])
    report(fixed.outcome, request, {**options, "output_file": None if model else options["output_file"]})
    if fixed.count:
        click.echo(tr(f"Fixed {plural(fixed.count, 'finding')}."), err=True)
    if fixed.changed:
        raise _was_changed(fixed.changed)
    failing = fixed.outcome.failing > 0 and not options["exit_zero"]
    return 2 if fixed.outcome.crashed else int(failing or (fixed.count > 0 and options["exit_non_zero_on_fix"]))


def _tell_models(fixed: Fixed, written: str, verify: bool) -> None:
    """Say on standard error which saved models were (or would be) written, and what is to know of them."""
    for line in (*(f"{path}: {text}" for path, texts in fixed.models for text in (written, *texts)), *fixed.notes):
        click.echo(visible(line), err=True)
    if verify and fixed.sources:
        click.echo(tr("--verify runs saved models only: the changes in source were not verified."), err=True)


def _was_changed(paths: Sequence[str]) -> click.UsageError:
    """Return the error of files that somebody else changed, so that nothing was written to them."""
    first, *others = (f"{path} was changed while it was checked. Run the command again." for path in paths)
    for text in others:
        click.echo(f"cudnnlint: {visible(tr(text))}", err=True)
    return click.UsageError(first)


def _tell_unread(outcome: Outcome) -> int:
    """Say on standard error which files could not be read, for which a patch has no place; return how many."""
    unread = [one for one in outcome.report.diagnostics if one.code == "CDN001" and one.severity is Severity.ERROR]
    for one in unread:
        click.echo(visible(f"{one.path}: {tr(one.message)}"), err=True)
    return len(unread)


def _show_difference(text: str, file: str | None) -> None:
    """Write a patch byte by byte, as the files have them: in their encodings, and with their ends of lines."""
    data = text.encode("utf-8", "surrogateescape")
    if file is None:
        pass_on(data)
    else:
        save(Path(file), data)


def refuse_urls(request: Request, option: str) -> None:
    """Raise UsageError where a file behind a URL would have to be changed."""
    url = next(filter(is_url, request.paths), None)
    if url is not None:
        raise click.UsageError(f"{option} cannot change {url}: download it first.")


def _model_file(request: Request, options: dict[str, Any]) -> str | None:
    """Return --output-file, where it is the name of the fixed model and not of the report."""
    name: str | None = options["output_file"]
    if name is None or not is_written(name):
        return None
    if len(request.paths) != 1 or os.path.isdir(request.paths[0]):
        raise click.UsageError(f"--output-file {name} can hold one fixed model only: give one file as PATH.")
    if options["in_place"]:
        raise click.UsageError("--in-place and --output-file cannot be combined.")
    return name


def streams(request: Request, options: dict[str, Any]) -> bool:
    """Return whether the report is written file by file."""
    return not options["statistics"] and _format(request, options) in STREAMED


def stream(request: Request, options: dict[str, Any]) -> int:
    """Write the report of each file as soon as it is finished; return the exit status."""
    from cudnnlint import pipeline

    name, file = _format(request, options), options["output_file"]
    apart = file is not None or not sys.stdout.isatty()  # on one terminal the counter would be in the way
    seen = failing = crashed = False
    with written_piecewise(file) as write:
        for outcome in pipeline.one_by_one(request, Counter() if apart else None):
            seen, failing, crashed = True, failing or outcome.failing > 0, crashed or outcome.crashed
            text = rendered(outcome.report, name, request.paths, options)
            if text and not write(text):
                break
    if not seen:
        tell_left_out(request, options, 0)
    return 2 if crashed else int(failing and not options["exit_zero"])


def report(outcome: Outcome, request: Request, options: dict[str, Any]) -> None:
    """Write the report where it goes: beside a fixed source on standard output it goes to standard error."""
    text = rendered(outcome.report, _format(request, options), request.paths, options)
    if options["fix"] and "-" in request.paths and options["output_file"] is None:
        click.echo(text, err=True, nl=False)
    else:
        emit(text, options["output_file"], _format(request, options) in FOR_PEOPLE)


def tell_left_out(request: Request, options: dict[str, Any], seen: int) -> None:
    """Say on standard error which files and folders were left out, where nothing else was found."""
    from cudnnlint.files.left_out import left_out

    found = {} if seen or options["quiet"] else left_out(request.paths)
    for reason, names in found.items():
        shown = ", ".join(names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")
        click.echo(visible(tr(f"Left out by {reason}: {shown}")), err=True)
    if found and not request.flags.force_exclude:
        click.echo(tr("A file or folder that is named as PATH is checked all the same."), err=True)


def shows_edits(request: Request, options: dict[str, Any]) -> bool:
    """Return whether the report is to hold the edits of fixes."""
    return not options["statistics"] and _format(request, options) in WITH_EDITS


def shows_releases(request: Request, options: dict[str, Any]) -> bool:
    """Return whether the report is to hold what all releases do."""
    return not options["statistics"] and _format(request, options) in WITH_RELEASES


def _format(request: Request, options: dict[str, Any]) -> str:
    from cudnnlint import pipeline

    return options["output_format"] or pipeline.run_config(request).output_format or "text"


def rendered(given: Report, name: str, paths: Sequence[str], options: dict[str, Any]) -> str:
    """Return a report in the format of this name."""
    stream = io.StringIO()
    if options["statistics"]:
        from cudnnlint.reporters import statistics

        statistics.write(given, stream, as_json=name in ("json", "json-lines", "report"))
    else:
        from cudnnlint.language.reports import translated

        look = terminal_look(
            options["output_file"] is None, options["verbose"], options["quiet"], options["unsafe_fixes"]
        )
        writer(name)(translated(given), stream, replace(look, named=frozenset(paths)))
    return stream.getvalue()


def remember(outcome: Outcome, baseline_file: str | None) -> None:
    """Write a baseline, or comments, so that the current findings are not reported again."""
    if baseline_file is not None:
        from cudnnlint.settings import baseline

        save(Path(baseline_file), baseline.written(Path(baseline_file), outcome.judged).encode())
        click.echo(f"Wrote {plural(len(outcome.report.diagnostics), 'finding')} to {visible(baseline_file)}.", err=True)
        return
    from cudnnlint.fix import silenced

    made = silenced.silenced(outcome.judged)
    save_all(made.files)
    _tell_unread(outcome)
    click.echo(f"Added comments to {plural(made.lines, 'line')}.", err=True)
    if others := silenced.without_a_line(outcome.judged):
        left = plural(others, "finding")
        click.echo(tr(f"{left} left where no comment can be written: in saved models or standard input."), err=True)
    if made.changed:
        raise _was_changed(made.changed)
