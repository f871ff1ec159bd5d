"""The formats that a report can be written in; each is a module of `reporters`."""

FORMATS = (
    "text", "concise", "json", "json-lines", "report", "sarif", "github", "gitlab", "junit", "rdjson", "azure",
    "markdown", "html",
)  # fmt: skip

#: Those that people read in a terminal, in its encoding; the others are always UTF-8.
FOR_PEOPLE = frozenset({"text", "concise"})

#: Those that hold the edits of fixes; for the others no fix is written out.
WITH_EDITS = frozenset({"json", "json-lines", "report", "sarif", "rdjson", "html"})

#: Those that show what all releases do with the layers, and what they are merged from.
WITH_RELEASES = frozenset({"html", "report"})

#: Those that are written file by file, as files are finished.
STREAMED = frozenset({"json-lines"})
