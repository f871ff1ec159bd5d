"""The command line: the only place that prints or exits.

Standard output carries the report and nothing else. Wrong use is one line on standard error and exit
status 2. Heavy modules are imported by the command that needs them.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cudnnlint.cli import on_machine, on_rulebook
from cudnnlint.cli.commands import Commands, sentence
from cudnnlint.core.errors import CudnnlintError
from cudnnlint.core.output_formats import FORMATS, WITH_EDITS
from cudnnlint.core.text import visible
from cudnnlint.core.version import __version__
from cudnnlint.reporters import Look, writer

if TYPE_CHECKING:
    from cudnnlint.pipeline import Outcome, Request

SEVERITIES, USES = ("error", "warning", "info"), ("training", "inference")
WIDEST, NARROWEST, ELSEWHERE = 120, 40, 100  # columns: of a readable line, of any line, where no terminal is
F = TypeVar("F", bound=Callable[..., Any])


def main(args: Sequence[str] | None = None) -> None:
    """Run, and turn every error that is the user's into one line on standard error and exit status 2."""
    try:
        status = cli.main(args, prog_name="cudnnlint", standalone_mode=False)
    except click.ClickException as error:
        status = _complain(sentence(error))
    except CudnnlintError as error:
        status = _complain(str(error))
    except (KeyboardInterrupt, click.Abort):
        status = 130
    sys.exit(status if isinstance(status, int) else 0)


def _complain(text: str) -> int:
    click.echo(f"cudnnlint: {visible(text)}", err=True)
    return 2


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cudnnlint", message="%(prog)s %(version)s")
def cli() -> None:
    """Show which recurrent Keras layers run in cuDNN on a GPU, which do not, and why.

    `cudnnlint PATH...` is short for `cudnnlint check PATH...`. For its options, run cudnnlint check --help.
    """


def _lists(*names: str, text: str) -> Callable[[F], F]:
    """Make an option that may be given several times, each a comma list."""
    return click.option(*names, multiple=True, metavar="LIST", help=text)


@cli.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@_lists("--target", text="What to check for: keras@3.15:tensorflow, tf_keras@2.21, tensorflow@2.12, ... or all.")
@_lists("--select", text="Report only these codes or names (CDN1, CDN103, activation, ALL).")
@_lists("--extend-select", text="Also report these codes or names, in addition to --select.")
@_lists("--ignore", text="Do not report these codes or names.")
@click.option("--output-format", metavar="FORMAT", type=click.Choice(FORMATS), help=f"{', '.join(FORMATS)} [text].")
@click.option("--output-file", type=click.Path(), help="Write the report (with --fix, the fixed model) to this file.")
@click.option("--fix/--no-fix", help="Apply safe fixes. A fixed model is saved as NAME.cudnn.keras.")
@click.option("--unsafe-fixes/--no-unsafe-fixes", default=None, help="Also apply fixes that change numbers.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, without writing anything.")
@click.option("--in-place", is_flag=True, help="With --fix, replace a saved model by the fixed one.")
@click.option("--verify", is_flag=True, help="With --fix, run the old and the fixed model; save only if they agree.")
@click.option("--exit-non-zero-on-fix", is_flag=True, help="Also exit with status 1 if something was fixed.")
@click.option("--exit-zero", is_flag=True, help="Exit with status 0 even if there are findings.")
@click.option("--fail-on", type=click.Choice(SEVERITIES), help="Lowest severity that exits with status 1 [warning].")
@click.option("--strict", is_flag=True, help="Also fail if the verdict of a layer is unknown.")
@click.option("--statistics", is_flag=True, help="Show only the number of findings for each code.")
@click.option("--add-noqa", is_flag=True, help="Add a noqa comment to the source for each finding.")
@click.option("--baseline", type=click.Path(), help="Hide findings that are listed in this baseline.")
@click.option("--write-baseline", type=click.Path(), help="Write all current findings to this baseline file.")
@click.option("--for", "purpose", type=click.Choice(USES), help="Count fixes as safe for this use [training].")
@click.option("--jobs", "-j", metavar="N", type=click.IntRange(0), help="Number of worker processes [one per core].")
@click.option("--no-cache", is_flag=True, help="Accepted for compatibility; there is no cache.")
@click.option("--force-exclude", is_flag=True, help="Apply exclude to paths given on the command line too.")
@click.option("--stdin-filename", help="File name to report for standard input (PATH -).")
@click.option("--quiet", "-q", is_flag=True, help="Show findings only, without a summary.")
@click.option("--verbose", "-v", is_flag=True, help="Also list every layer with its verdict.")
@click.pass_context
def check(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Check every recurrent layer in PATHs: files, folders, or - for standard input [the current folder]."""
    from cudnnlint import pipeline

    request = _request(paths, options)
    if options["unsafe_fixes"] is None:
        options["unsafe_fixes"] = bool(pipeline.run_config(request).unsafe_fixes)
    if options["verify"] and not (options["fix"] or options["diff"]):
        raise click.UsageError("--verify checks the result of a fix: use it with --fix or --diff.")
    if options["fix"] or options["diff"]:
        if options["write_baseline"] or options["add_noqa"]:
            raise click.UsageError("--fix cannot be combined with --add-noqa or --write-baseline.")
        ctx.exit(_fix(request, options))
    silent = options["write_baseline"] or options["add_noqa"]
    edits = not silent and not options["statistics"] and _format(request, options) in WITH_EDITS
    outcome = pipeline.check(replace(request, edits=edits))
    if silent:
        _remember(outcome, options["write_baseline"])
        ctx.exit(2 if outcome.crashed else 0)
    _report(outcome, request, options)
    ctx.exit(2 if outcome.crashed else int(outcome.failing > 0 and not options["exit_zero"]))


def _fix(request: Request, options: dict[str, Any]) -> int:
    """Apply fixes, or show what they would change; the exit status."""
    from cudnnlint import pipeline
    from cudnnlint.core.edit import Applicability
    from cudnnlint.files.difference import unified

    if options["verify"]:
        from cudnnlint.fix.convert import must_have_a_framework

        must_have_a_framework()
    kinds = {Applicability.SAFE} | ({Applicability.UNSAFE} if options["unsafe_fixes"] else set())
    model = _model_file(request, options)
    wanted = pipeline.Wanted(frozenset(kinds), model, options["in_place"], not options["diff"], options["verify"])
    fixed = pipeline.fix(request, wanted)
    written = "would be written" if options["diff"] else "written"
    for line in (*(f"{path}: {text}" for path, texts in fixed.models for text in (written, *texts)), *fixed.notes):
        click.echo(visible(line), err=True)
    if options["diff"]:
        _emit(unified(fixed.sources), None if model else options["output_file"])
        return 2 if fixed.outcome.crashed else int(bool(fixed.sources or fixed.models))
    stdin = request.stdin_name or "-"
    for path, (_, new) in fixed.sources.items():
        if path != stdin or "-" not in request.paths:
            _save(Path(path), new)
    if "-" in request.paths:
        sys.stdout.buffer.write(fixed.sources.get(stdin, (b"", request.stdin))[1])
        sys.stdout.flush()
    _report(fixed.outcome, request, {**options, "output_file": None if model else options["output_file"]})
    if fixed.count:
        click.echo(f"Fixed {fixed.count} finding{'s' * (fixed.count != 1)}.", err=True)
    failing = fixed.outcome.failing > 0 and not options["exit_zero"]
    return 2 if fixed.outcome.crashed else int(failing or (fixed.count > 0 and options["exit_non_zero_on_fix"]))


def _model_file(request: Request, options: dict[str, Any]) -> str | None:
    """--output-file, where it stands for the fixed model and not for the report."""
    name: str | None = options["output_file"]
    if name is None or not name.lower().endswith((".keras", ".h5", ".hdf5")):
        return None
    if len(request.paths) != 1 or os.path.isdir(request.paths[0]):
        raise click.UsageError(f"--output-file {name} can hold one fixed model only: give one file as PATH.")
    if options["in_place"]:
        raise click.UsageError("--in-place and --output-file cannot be combined.")
    return name


def _report(outcome: Outcome, request: Request, options: dict[str, Any]) -> None:
    """Write the report where it goes: beside a fixed source on standard output it goes to standard error."""
    text = _rendered(outcome, _format(request, options), options)
    if options["fix"] and "-" in request.paths and options["output_file"] is None:
        click.echo(text, err=True, nl=False)
    else:
        _emit(text, options["output_file"])


def _format(request: Request, options: dict[str, Any]) -> str:
    from cudnnlint import pipeline

    return options["output_format"] or pipeline.run_config(request).output_format or "text"


def _request(paths: tuple[str, ...], options: dict[str, Any]) -> Request:
    from cudnnlint.pipeline import Request
    from cudnnlint.settings.settings import Flags

    flags = Flags(
        target=options["target"],
        select=_split(options["select"]),
        extend_select=_split(options["extend_select"]),
        ignore=_split(options["ignore"]),
        fail_on=options["fail_on"],
        strict=options["strict"],
        inference=options["purpose"] == "inference",
        baseline="" if options["write_baseline"] else options["baseline"],
        jobs=options["jobs"],
        force_exclude=options["force_exclude"],
    )
    stdin = sys.stdin.buffer.read() if "-" in paths else b""
    return Request(paths or (".",), flags, stdin, options["stdin_filename"])


def _split(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(part.strip() for text in texts for part in text.split(",") if part.strip())


def _rendered(outcome: Outcome, name: str, options: dict[str, Any]) -> str:
    stream = io.StringIO()
    if options["statistics"]:
        from cudnnlint.reporters import statistics

        statistics.write(outcome.report, stream, as_json=name in ("json", "json-lines", "report"))
    else:
        look = _look(options["output_file"] is None, options["verbose"], options["quiet"], options["unsafe_fixes"])
        writer(name)(outcome.report, stream, look)
    return stream.getvalue()


def _remember(outcome: Outcome, baseline_file: str | None) -> None:
    """Write a baseline, or comments, so that the current findings are not reported again."""
    if baseline_file is not None:
        from cudnnlint.settings import baseline

        _save(Path(baseline_file), baseline.written(Path(baseline_file), outcome.judged).encode())
        click.echo(f"Wrote {len(outcome.report.diagnostics)} findings to {visible(baseline_file)}.", err=True)
        return
    from cudnnlint.settings import noqa

    files = noqa.silenced(outcome.judged)
    for path, (data, _) in files.items():
        _save(Path(path), data)
    click.echo(f"Added comments to {sum(count for _, count in files.values())} lines.", err=True)


def _look(to_stdout: bool, verbose: bool = False, quiet: bool = False, unsafe: bool = False) -> Look:
    """Return how to write for this terminal; where there is none, with a width that suits a log."""
    terminal = to_stdout and sys.stdout.isatty()
    width = shutil.get_terminal_size((ELSEWHERE, 24)).columns if terminal else ELSEWHERE
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Look(max(NARROWEST, min(width, WIDEST)), colour, verbose, quiet, unsafe)


def _emit(text: str, file: str | None = None) -> None:
    """Write the report: to a file whole, or to standard output for as long as somebody reads it."""
    if file is not None:
        _save(Path(file), text.encode("utf-8", "backslashreplace"))
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the interpreter's flush is silent


def _save(path: Path, data: bytes) -> None:
    from cudnnlint.files import atomic

    try:
        atomic.write(path, data)
    except OSError as error:
        raise click.UsageError(f"Cannot write {path}: {error.strerror or error}.") from error


@cli.command()
@click.argument("old", type=click.Path())
@click.argument("new", type=click.Path())
@click.option("--keras", type=click.IntRange(2, 3), default=3, help="Keras version that should load NEW [3].")
@click.option("--in-place", is_flag=True, help="Allow NEW to be the same file as OLD.")
@click.option("--verify", is_flag=True, help="Run both models first; write NEW only if their outputs agree.")
@on_machine.PYTHON
def convert(old: str, new: str, **options: Any) -> int:
    """Convert an old saved model to a file that Keras 3 loads.

    The weights are kept. If a layer would not compute the same numbers, nothing is written and the layer is named.
    """
    from cudnnlint.core.errors import Refused, UnreadableInput
    from cudnnlint.fix import convert

    try:
        lines = convert.convert(Path(old), Path(new), convert.Conversion(**options))
    except (Refused, UnreadableInput) as fault:
        verb = "convert" if isinstance(fault, Refused) else "read"
        click.echo(f"cudnnlint: Cannot {verb} {visible(old)}: {visible(str(fault))}", err=True)
        return 1
    except OSError as error:
        raise click.UsageError(f"Cannot write {new}: {error.strerror or error}.") from error
    _emit("".join(f"{visible(line)}\n" for line in lines))
    return 0


def _remark(text: str) -> None:
    """Show the progress of a long command on a terminal."""
    if sys.stderr.isatty():
        click.echo(text, err=True, nl=False)


for _command in (*on_rulebook.commands(_emit, lambda: _look(True).width), *on_machine.commands(_emit, _remark)):
    cli.add_command(_command)
