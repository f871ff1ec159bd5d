"""The command line: the commands and their options. Heavy modules are imported by the command that needs them.

Standard output carries the report and nothing else. Wrong use is one line on standard error and exit status 2.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from cudnnlint.cli import check_run, clean_run, ending, in_language, log_run, merge_run, on_machine, shell_words
from cudnnlint.cli.commands import VERSION, Commands, sentence, shard_of, show_version
from cudnnlint.cli.output import Counter, emit, remark, terminal_look
from cudnnlint.core.errors import CudnnlintError, UsageError
from cudnnlint.core.language import tr
from cudnnlint.core.output_formats import FORMATS
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.text import visible

SEVERITIES, USES, PAGES = ("error", "warning", "info"), ("training", "inference"), ("text", "json", "markdown")
F = TypeVar("F", bound=Callable[..., Any])
EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)


def main(args: Sequence[str] | None = None) -> None:
    """Run, and turn every error that is the user's into one line on standard error and exit status 2."""
    try:
        in_language.of_environment()
        status = cli.main(args, prog_name="cudnnlint", standalone_mode=False)
    except click.ClickException as error:
        status = _complain(sentence(error))
    except CudnnlintError as error:
        status = _complain(str(error))
    except (KeyboardInterrupt, click.Abort):
        status = 130
    sys.exit(status if isinstance(status, int) else 0)


def _complain(text: str) -> int:
    click.echo(f"cudnnlint: {visible(tr(text))}", err=True)
    return 2


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-V", "--version", is_flag=True, is_eager=True, expose_value=False, callback=show_version, help=VERSION)
def cli() -> None:
    """Show which recurrent Keras layers run in cuDNN on a GPU, which do not, and why.

    `cudnnlint PATH...` is short for `cudnnlint check PATH...`. For its options, run cudnnlint check --help.
    """


def _lists(*names: str, text: str, complete: shell_words.Completion = shell_words.rules) -> Callable[[F], F]:
    """Make an option that may be given several times, each a comma list; `complete` serves the shell."""
    return click.option(*names, multiple=True, metavar="LIST", help=text, shell_complete=complete)


@cli.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@_lists(
    "--target",
    text="What to check for: keras@3.15:tensorflow, tf_keras@2.21, tensorflow@2.12, ... or all.",
    complete=shell_words.targets,
)
@_lists("--select", text="Report only these codes or names (CDN1, CDN103, activation, ALL).")
@_lists("--extend-select", text="Also report these codes or names, in addition to --select.")
@_lists("--ignore", text="Do not report these codes or names; goes before ignore in the configuration.")
@_lists("--extend-ignore", text="Do not report these codes or names either, in addition to what is ignored.")
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
@click.option("--baseline", type=click.Path(), help="Hide the findings in this file (see --write-baseline).")
@click.option("--write-baseline", type=click.Path(), help="Write all current findings to this baseline file.")
@click.option("--for", "purpose", type=click.Choice(USES), help="Use of the model; decides what is safe [training].")
@click.option("--jobs", "-j", metavar="N", type=click.IntRange(0), help="Number of worker processes [one per core].")
@click.option("--shard", metavar="K/N", callback=shard_of, help="Check only part K of N; see cudnnlint merge.")
@click.option("--no-cache", is_flag=True, envvar="CUDNNLINT_NO_CACHE", help="Do not use the result cache.")
@click.option("--cache-dir", type=click.Path(), envvar="CUDNNLINT_CACHE_DIR", help="Folder of the result cache.")
@click.option("--force-exclude", is_flag=True, help="Skip excluded files even if they are named here.")
@click.option("--stdin-filename", help="File name to report for standard input (PATH -).")
@click.option("--quiet", "-q", is_flag=True, help="Show findings only, without a summary.")
@click.option("--verbose", "-v", is_flag=True, help="Also list every layer with its verdict.")
@click.pass_context
def check(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Check the recurrent layers in PATHs.

    A PATH is a file, a folder, or - for standard input [the current folder].
    """
    from cudnnlint import pipeline

    request = check_run.requested(paths, options)
    if options["unsafe_fixes"] is None:
        options["unsafe_fixes"] = bool(pipeline.run_config(request).unsafe_fixes)
    if options["verify"] and not (options["fix"] or options["diff"]):
        raise click.UsageError("--verify checks the result of a fix: use it with --fix or --diff.")
    if options["shard"] and (options["fix"] or options["diff"] or options["write_baseline"] or options["add_noqa"]):
        raise click.UsageError("--shard cannot be combined with --fix, --diff, --add-noqa or --write-baseline.")
    if options["fix"] or options["diff"]:
        if options["write_baseline"] or options["add_noqa"]:
            raise click.UsageError("--fix cannot be combined with --add-noqa or --write-baseline.")
        check_run.refuse_urls(request, "--fix" if options["fix"] else "--diff")
        ctx.exit(check_run.fix(request, options))
    if options["add_noqa"]:
        check_run.refuse_urls(request, "--add-noqa")
    silent = options["write_baseline"] or options["add_noqa"]
    request = replace(request, edits=not silent and check_run.shows_edits(request, options))
    request = replace(request, compare=not silent and check_run.shows_releases(request, options))
    if not silent and check_run.streams(request, options):
        ctx.exit(check_run.stream(request, options))
    outcome = pipeline.check(request, Counter())
    if silent:
        check_run.remember(outcome, options["write_baseline"])
        ctx.exit(2 if outcome.crashed else 0)
    check_run.report(outcome, request, options)
    check_run.tell_left_out(request, options, outcome.report.seen)
    ctx.exit(2 if outcome.crashed else int(outcome.failing > 0 and not options["exit_zero"]))


@cli.command()
@click.argument("rule", metavar="CODE-OR-NAME", shell_complete=shell_words.rules)
@click.option("--output-format", type=click.Choice(PAGES), default="text", help="[text]")
def explain(rule: str, output_format: str) -> None:
    """Explain a rule or a topic.

    CDN103 and recurrent-dropout name the same rule; slow-on-gpu is a topic. cudnnlint rules lists both.
    """
    from cudnnlint.rulebook import explain as pages
    from cudnnlint.rulebook import loader, topics
    from cudnnlint.settings import settings

    topic = topics.topic(rule)
    if topic is not None:
        text = pages.headed(topic) if output_format == "markdown" else pages.plain(topic, terminal_look(True).width)
        emit(topics.as_json(topic) if output_format == "json" else text)
        return
    book = loader.load()
    (code, *more) = sorted(settings.codes_of([rule], book))
    found = book.by_code(code)
    if more or found is None:
        raise click.UsageError(f'"{rule}" matches {len(more) + 1} rules. Name one of them; see cudnnlint rules.')
    if output_format == "json":
        emit(pages.as_json(found, found.summary, loader.URL.format(name=found.name), book.tables))
    elif output_format == "markdown":
        emit(pages.markdown(found, book.tables))
    else:
        emit(pages.text(found, book.tables, terminal_look(True).width))


@cli.command()
@click.option("--output-format", type=click.Choice(PAGES), default="text", help="[text]")
def rules(output_format: str) -> None:
    """List all rules and topics."""
    from cudnnlint.rulebook import explain as pages
    from cudnnlint.rulebook import loader, topics

    found = sorted(loader.load().rules.values(), key=lambda rule: rule.code)
    emit(pages.listing([(rule.code, rule.name, rule.summary) for rule in found], output_format))
    emit(topics.listing(output_format))


@cli.command()
@click.argument("path", default=".", metavar="[PATH]")
@_lists("--target", text="Show this target, written as for check.", complete=shell_words.targets)
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", help="[text]")
def target(path: str, target: tuple[str, ...], output_format: str) -> None:
    """Show which Keras release is assumed for PATH.

    The backend too, and where both come from.
    """
    import json

    from cudnnlint import pipeline
    from cudnnlint.reporters.machine import target_object

    found = [target_object(item) for item in pipeline.targets_of(path, target)]
    lines = [f"{item['text']}\n  {visible(item['origin'])}\n" for item in found]
    emit(json.dumps(found, indent=2) + "\n" if output_format == "json" else "".join(lines))


@cli.command()
@click.argument("old", type=click.Path(exists=True))
@click.argument("new", type=click.Path())
@click.option("--keras", type=click.IntRange(2, 3), default=3, help="Keras version that should load NEW [3].")
@click.option("--config", metavar="FILE", type=EXISTING, help="The model, if OLD has only weights (JSON, file).")
@click.option("--in-place", is_flag=True, help="Allow NEW to be the same file as OLD.")
@click.option("--force", is_flag=True, help="Replace NEW if it exists.")
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
        name, why = visible(old), visible(str(fault))
        said = f"Cannot convert {name}: {why}" if isinstance(fault, Refused) else f"Cannot read {name}: {why}"
        click.echo(f"cudnnlint: {tr(said)}", err=True)
        return 1
    except OSError as error:
        raise click.UsageError(f"Cannot write {new}: {error.strerror or error}.") from error
    emit("".join(f"{tr(visible(line))}\n" for line in lines))
    return 0


@cli.command()
@click.option("--stdio", is_flag=True, help="Use standard input and output (always the case).")
def server(stdio: bool) -> None:
    """Serve an editor as a language server; needs cudnnlint[lsp].

    How editors are set up: https://cudnnlint.readthedocs.io/editors/
    """
    try:
        from cudnnlint.server.start import serve
    except ImportError as error:
        if error.name is None or error.name.split(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError('The language server needs pygls. Install it with: pip install "cudnnlint[lsp]"') from error
    if sys.stdin.isatty():
        text = "An editor starts this command and talks to it on standard input. Press Ctrl-C to stop."
        click.echo(tr(text), err=True)
    ending.as_usual()
    os._exit(serve())  # a check may still be under way, and nobody waits for it


for _command in (clean_run.command(), log_run.command(emit), *on_machine.commands(emit, remark), merge_run.command()):
    cli.add_command(_command)
in_language.everywhere(cli)
