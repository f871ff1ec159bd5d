"""`concise`: one line for each diagnostic, as compilers write them."""

from __future__ import annotations

from typing import TextIO

from cudnnlint.core import report_text
from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.language import tr
from cudnnlint.core.report import FileReport, LayerReport, Report
from cudnnlint.core.text import visible
from cudnnlint.reporters import Look, words


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write `path:row:column: CODE [*] message`; `[*]` where `--fix` would fix it."""
    lines = [_line(diagnostic, look) for diagnostic in report.diagnostics]
    if look.verbose:
        lines += [_clean(file, layer) for file in report.files for layer in file.layers]
    if not look.quiet:
        lines.append(tr(report_text.closing(report)))
    stream.writelines(line + "\n" for line in lines)


def _line(diagnostic: Diagnostic, look: Look) -> str:
    fixable = diagnostic.fix is not None and diagnostic.fix.applicability in words.applied(look.unsafe)
    layer = f"{visible(diagnostic.layer_path)}: " if diagnostic.layer_path else ""
    mark = "[*] " if fixable else ""
    return f"{words.where(diagnostic)}: {diagnostic.code} {mark}{layer}{visible(diagnostic.message)}"


def _clean(file: FileReport, layer: LayerReport) -> str:
    name = visible(layer.layer_path or layer.name or layer.class_name)
    return f"{words.layer_place(file, layer)}: {name}: {tr(words.SHORT[layer.worst.value])}"
