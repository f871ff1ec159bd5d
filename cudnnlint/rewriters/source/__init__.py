"""The source rewriter: the intent of a fix becomes exact edits of the text, which leave every other character as it is.

`lowering` says how a fix can be written, `source_text` puts edits into a text and its bytes; `notebooks` does so for
the cells of a notebook. Judges nothing: whether a way does what it should is for the caller to see. The parser does not
come with `source_text` and `notebooks`.
"""
