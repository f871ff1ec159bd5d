"""The source rewriter: the intent of a fix becomes exact edits of the text, which leave every other character as it is.

`ways` says how a fix can be written, `apply` and `encode` put edits into a text and its bytes; `notebooks` does so
for the cells of a notebook. Judges nothing: whether a way does what it should is for the caller to see.
"""

from cudnnlint.rewriters.source.fix_context import FixContext, Impossible, JudgedConstruction, Need
from cudnnlint.rewriters.source.lowering import ways
from cudnnlint.rewriters.source.parsed_page import Page
from cudnnlint.rewriters.source.source_text import apply, encode, meet

__all__ = ["FixContext", "Impossible", "JudgedConstruction", "Need", "Page", "apply", "encode", "meet", "ways"]
