"""How the fixes in files may be written: the candidates among which the search finds those that do what they should.

What comes out rests on the texts and on what was found in them, and on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from cudnnlint.check.check_file import CheckedFile
from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Applicability, CellToLayer, Edit, Unroll
from cudnnlint.core.layer import Construction, Layer
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.regex import regex
from cudnnlint.core.report import FileReport, LayerReport
from cudnnlint.engine.intended_fixes import written
from cudnnlint.fix.candidates import NEW, NOT_ALL, Candidate, for_every_target, groups, intent, most_careful
from cudnnlint.fix.order import SOURCE
from cudnnlint.fix.regression import by_layer
from cudnnlint.frontends import notebook
from cudnnlint.rewriters.source import lowering
from cudnnlint.rewriters.source.fix_context import FixContext, Impossible, JudgedConstruction, Need
from cudnnlint.rewriters.source.parsed_page import Page
from cudnnlint.rulebook import loader

#: Calls that find layers, or weights of layers, by their names or classes.
_ASKED = regex(r"\bget_layer\(|\bload_weights\(|\bisinstance\((?=[^)]*\b(?:RNN|LSTM|GRU)\b)")


def candidates(results: Sequence[CheckedFile], others: Sequence[str]) -> Iterator[Candidate]:
    """Yield the fixes of files that share layers; `others` are the texts of the files that import them."""
    for result in results:
        file = result.file
        if file is None or file.kind not in SOURCE or file.error is not None:
            continue
        together = list(groups(result.diagnostics))
        if together:
            context = FixContext(_pages(file), tuple(_made(results)), others, loader.load().tables.left_out)
            found = _Found(file, result.diagnostics)
            yield from (_candidate(found, indices, context) for indices in together)


class _Found:
    """What was found in one file, by layer."""

    def __init__(self, file: FileReport, diagnostics: Sequence[Diagnostic]) -> None:
        self.path, self.diagnostics = file.path, diagnostics
        self.layers = {layer.id: (at, layer.layer) for at, layer in enumerate(file.layers) if layer.layer is not None}
        self.of_layer = by_layer(diagnostics)

    def made(self, ids: Iterable[int]) -> list[Layer]:
        """Return the layers of these numbers, in the order of the file."""
        found = sorted((self.layers[one] for one in ids if one in self.layers), key=itemgetter(0))
        return [layer for _, layer in found]

    def places(self, code: str, ids: Iterable[int]) -> frozenset[SourcePlace]:
        """Return where a fault was found in these layers."""
        found = (one for layer in ids for one in self.of_layer.get(layer, ()))
        return frozenset(one.location for one in found if one.code == code and one.location)


def _candidate(found: _Found, indices: tuple[int, ...], context: FixContext) -> Candidate:
    diagnostics = found.diagnostics
    given = [diagnostics[index] for index in indices]
    layers = frozenset(layer for diagnostic in given for layer in diagnostic.layers)
    fix = most_careful([diagnostic.fix for diagnostic in given if diagnostic.fix is not None])
    candidate = Candidate(found.path, indices, fix, layers, frozenset((d.code, d.target) for d in given), [])
    code = given[0].code
    mine = found.made(layers)
    need = Need(
        code,
        intent(fix),
        tuple(variant for layer in mine for variant in layer.variants),
        tuple(call for layer in mine for call in layer.calls),
        found.places(code, layers),
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
        found = by_layer(result.diagnostics)
        for layer in result.file.layers if result.file is not None else ():
            codes = frozenset(one.code for one in found.get(layer.id, ()))
            yield from (JudgedConstruction(one, codes) for one in _variants(layer))


def _variants(layer: LayerReport) -> tuple[Construction, ...]:
    return layer.layer.variants if layer.layer is not None else ()


def _pages(file: FileReport) -> tuple[Page, ...]:
    if file.cells is None:
        return (Page(file.path, file.source or ""),)
    texts = [notebook.python(text) or "" for text in file.cells]
    return tuple(Page(file.path, text, number) for number, text in enumerate(texts, 1))
