"""The command `log`: a training log, or a pasted question, explained."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cudnnlint.cli.on_machine import FORMAT, Emit, judged
from cudnnlint.core.errors import UsageError

if TYPE_CHECKING:
    from cudnnlint.trainlog.pasted import Pasted
    from cudnnlint.trainlog.told_code import JudgedCode


def judged_code(found: Pasted, targets: tuple[str, ...]) -> JudgedCode | None:
    """Return what `check` finds in code that stands in a log, for the release that the user or the log names."""
    from cudnnlint import pipeline
    from cudnnlint.settings.settings import Flags
    from cudnnlint.trainlog import told_code

    named = targets or ((found.target,) if found.target else ())
    flags = Flags(target=named or ("keras@3:tensorflow",))
    request = pipeline.Request(("-",), flags, found.source.encode(), "code-in-the-log", edits=False)
    try:
        report = pipeline.check(request).report
    except UsageError:
        if targets:
            raise
        return None  # the log names a release that there is not
    return told_code.judged(report, named, found.gpu)


def _explained(file: str, paths: tuple[str, ...], targets: tuple[str, ...], output_format: str) -> tuple[str, int]:
    """Return the explained log, and the exit status."""
    from cudnnlint import trainlog

    report = judged(paths, targets) if paths else None
    name = "standard input" if file == "-" else file
    try:
        with click.open_file(file, "rb") as stream:
            return trainlog.run(stream, report, output_format, name, partial(judged_code, targets=targets), targets)
    except OSError as error:
        raise UsageError(f"Cannot read {file}: {error.strerror or error}.") from error


def command(emit: Emit) -> click.Command:
    """Return the command, for a command line that writes reports in its own way."""

    @click.command("log")
    @click.argument("file", metavar="[FILE]", required=False)
    @click.argument("paths", nargs=-1, metavar="[PATH]...")
    @click.option("--target", multiple=True, metavar="LIST", help="Target for the code, written as for check.")
    @click.option("--exit-zero", is_flag=True, help="Exit with status 0 even if the log shows a problem.")
    @FORMAT
    @click.pass_context
    def log(
        ctx: click.Context, /, file: str | None, paths: tuple[str, ...], target: tuple[str, ...], **options: Any
    ) -> None:
        """Explain the messages in a training log.

        Those about cuDNN and recurrent layers, that is; without FILE, or with -, standard input is read. FILE may also
        be a question as you would post it: code in it is checked too.

        Give PATHs (source files, saved models) to look up the layers that the log names.
        """
        if file is None and sys.stdin is not None and sys.stdin.isatty():
            raise UsageError("Missing argument 'FILE'.")
        text, status = _explained(file or "-", paths, target, options["output_format"])
        emit(text + "\n")
        ctx.exit(0 if options["exit_zero"] else status)

    return log
