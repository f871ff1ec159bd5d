"""The formats that a report can be written in; each is a module of `reporters`."""

FORMATS = (
    "text", "concise", "json", "json-lines", "report", "sarif", "github", "gitlab", "junit", "rdjson", "azure",
    "markdown", "html",
)  # fmt: skip
