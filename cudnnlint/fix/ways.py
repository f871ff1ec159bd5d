"""How the fixes in files may be written: the candidates among which the search finds those that do what they should.

What comes out rests on the texts and on what was found in them, and on nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cudnnlint.check.check_file import CheckedFile
from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Applicability, CellToLayer, Edit, Unroll
from cudnnlint.core.layer import Construction
from cudnnlint.core.report import FileReport, LayerReport
from cudnnlint.engine.diagnose import written
from cudnnlint.fix.candidates import NEW, NOT_ALL, Candidate, for_every_target, groups, intent, most_careful
from cudnnlint.fix.order import SOURCE
from cudnnlint.frontends import notebook
from cudnnlint.rewriters.source import lowering
from cudnnlint.rewriters.source.fix_context import FixContext, Impossible, JudgedConstruction, Need
from cudnnlint.rewriters.source.parsed_page import Page
from cudnnlint.rulebook import loader

#: Calls that find layers, or weights of layers, by their names or classes.
_ASKED = re.compile(r"\bget_layer\(|\bload_weights\(|\bisinstance\((?=[^)]*\b(?:RNN|LSTM|GRU)\b)")


def candidates(results: Sequence[CheckedFile], others: Sequence[str]) -> Iterator[Candidate]:
    """Yield the fixes of files that share layers; `others` are the texts of the files that import them."""
    for result in results:
        file = result.file
        if file is None or file.kind not in SOURCE or file.error is not None:
            continue
        together = list(groups(result.diagnostics))
        if together:
            context = FixContext(_pages(file), tuple(_made(results)), others, loader.load().tables.left_out)
            yield from (_candidate(file, result.diagnostics, indices, context) for indices in together)


def _candidate(
    file: FileReport, diagnostics: Sequence[Diagnostic], indices: tuple[int, ...], context: FixContext
) -> Candidate:
    given = [diagnostics[index] for index in indices]
    layers = frozenset(layer for diagnostic in given for layer in diagnostic.layers)
    fix = most_careful([diagnostic.fix for diagnostic in given if diagnostic.fix is not None])
    candidate = Candidate(file.path, indices, fix, layers, frozenset((d.code, d.target) for d in given), [])
    code = given[0].code
    mine = [layer.layer for layer in file.layers if layer.id in layers and layer.layer is not None]
    need = Need(
        code,
        intent(fix),
        tuple(variant for layer in mine for variant in layer.variants),
        tuple(call for layer in mine for call in layer.calls),
        frozenset(d.location for d in diagnostics if d.code == code and d.location and layers & set(d.layers)),
    )
    if not for_every_target(given):
        candidate.reason = NOT_ALL
        return candidate
    candidate.ways, candidate.reason = _ways(context, need)
    otherwise = need.intent.otherwise
    if not candidate.ways and otherwise is not None:
        candidate.fix = written(otherwise, saved=False)
        candidate.ways, candidate.reason = _ways(context, replace(need, intent=otherwise))
    _keep_comments(candidate, context)
    _keep_names(candidate, context)
    return candidate


def _ways(context: FixContext, need: Need) -> tuple[list[tuple[Edit, ...]], str]:
    """Return the ways to write a fix, and the reason why there is no other one."""
    found = []
    try:
        for way in lowering.ways(context, need):
            found.append(way)
    except Impossible as reason:
        return found, NEW if found else str(reason)
    return found, NEW


def _keep_comments(candidate: Candidate, context: FixContext) -> None:
    """Prefer edits of a safe fix that lose no comment; where there is none, mark the fix as unsafe."""
    if candidate.fix.applicability is not Applicability.SAFE or not candidate.ways:
        return
    kept = [way for way in candidate.ways if not context.loses_comment(way)]
    if not kept:
        message = f"{candidate.fix.message} This also removes a comment."
        candidate.fix = replace(candidate.fix, applicability=Applicability.UNSAFE, message=message)
    candidate.ways = kept or candidate.ways


def _keep_names(candidate: Candidate, context: FixContext) -> None:
    """Mark a safe fix as unsafe if layers get other automatic names by it, or another class, which a text asks for.

    `RNN(LSTMCell(4))` is called "rnn" and a later LSTM "lstm"; afterwards they are "lstm" and "lstm_1".
    """
    renames = any(isinstance(step, (CellToLayer, Unroll)) for step in intent(candidate.fix).steps)
    if candidate.fix.applicability is not Applicability.SAFE or not renames:
        return
    texts = (*(page.text for page in context.pages), *context.others)
    asked = next(filter(None, map(_ASKED.search, texts)), None)
    if asked is not None:
        other = f"This also changes the class and automatic names of layers: see {asked[0]}...)."
        message = f"{candidate.fix.message} {other}"
        candidate.fix = replace(candidate.fix, applicability=Applicability.UNSAFE, message=message)


def _made(results: Sequence[CheckedFile]) -> Iterator[JudgedConstruction]:
    for result in results:
        for layer in result.file.layers if result.file is not None else ():
            codes = frozenset(d.code for d in result.diagnostics if layer.id in d.layers)
            yield from (JudgedConstruction(one, codes) for one in _variants(layer))


def _variants(layer: LayerReport) -> tuple[Construction, ...]:
    return layer.layer.variants if layer.layer is not None else ()


def _pages(file: FileReport) -> tuple[Page, ...]:
    if file.cells is None:
        return (Page(file.path, file.source or ""),)
    texts = [notebook.python(text) or "" for text in file.cells]
    return tuple(Page(file.path, text, number) for number, text in enumerate(texts, 1))
