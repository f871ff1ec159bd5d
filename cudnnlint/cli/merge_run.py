"""The command `merge`: the reports of several runs as one, in any format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cudnnlint.cli import check_run
from cudnnlint.cli.output import emit
from cudnnlint.core.diagnostic import Severity
from cudnnlint.core.output_formats import FOR_PEOPLE, FORMATS

if TYPE_CHECKING:
    from cudnnlint.core.report import Report

_FORMATS = f"{', '.join(FORMATS)} [text]."
SEVERITIES = ("error", "warning", "info")


def command() -> click.Command:
    """Return the command."""

    @click.command("merge")
    @click.argument("reports", nargs=-1, required=True, metavar="REPORT...", type=click.Path())
    @click.option("--output-format", type=click.Choice(FORMATS), default="text", metavar="FORMAT", help=_FORMATS)
    @click.option("--output-file", type=click.Path(), help="Write the merged report to this file.")
    @click.option("--fail-on", type=click.Choice(SEVERITIES), help="Lowest severity that gives status 1 [as check].")
    @click.option("--strict", is_flag=True, help="Also fail if the verdict of a layer is unknown.")
    @click.option("--exit-zero", is_flag=True, help="Exit with status 0 even if there are findings.")
    @click.option("--statistics", is_flag=True, help="Show only the number of findings for each code.")
    @click.option("--quiet", "-q", is_flag=True, help="Show findings only, without a summary.")
    @click.option("--verbose", "-v", is_flag=True, help="Also list every layer with its verdict.")
    @click.pass_context
    def merge(ctx: click.Context, /, reports: tuple[str, ...], **options: Any) -> None:
        """Merge several reports into one.

        A REPORT is what check writes with --output-format report. The reports of all shards (check --shard K/N) give
        that of the whole run. Without --fail-on, what made check fail makes merge fail too.
        """
        from cudnnlint import merging

        found = merging.merged(reports)
        look = {"fix": False, "unsafe_fixes": False, **options}
        name = options["output_format"]
        emit(check_run.rendered(found, name, (), look), options["output_file"], name in FOR_PEOPLE)
        failing = _failing(found, options["fail_on"], options["strict"]) and not options["exit_zero"]
        ctx.exit(2 if any(one.code == "CDN003" for one in found.diagnostics) else int(failing))

    return merge


def _failing(report: Report, fail_on: str | None, strict: bool) -> bool:
    from cudnnlint.settings.settings import CANNOT_TELL

    if strict and any(one.code == CANNOT_TELL for one in report.diagnostics):
        return True
    if fail_on is None:
        return report.failing > 0
    return any(one.severity.weight >= Severity(fail_on).weight for one in report.diagnostics)
