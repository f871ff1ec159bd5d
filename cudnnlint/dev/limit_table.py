"""The table of docs/reference/limits.md: numbers of `core.file_limits`, and what each is of."""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.core.file_limits import BOUNDS, DEFAULT, MIB

BEGIN, END = "<!-- written by python -m cudnnlint.dev.docs -->\n", "<!-- end -->\n"
#: What each limit is of, and what is reported beyond it.
TEXTS = {
    "source-bytes": ("a Python file", "CDN001"),
    "notebook-bytes": ("a notebook", "CDN001"),
    "config-bytes": ("the configuration of a saved model (JSON)", "CDN001"),
    "config-items": ("lists and objects in it", "CDN001"),
    "config-depth": ("lists and objects inside one another in it", "CDN001"),
    "model-layers": ("layers of a saved model", "CDN001"),
    "model-calls": ("calls of layers in a saved model", "CDN001"),
    "bracket-depth": ("brackets inside one another in source", "CDN001"),
    "deep-tokens": (
        "brackets, commas and texts more than 20 brackets deep, each counted for every bracket beyond",
        "CDN001",
    ),
    "expression-parts": ("operators, dots and calls in one expression", "CDN001"),
    "steps": (
        "steps that a source file is followed for; a fifth for a function that nothing calls",
        "CDN501: layers near its end may be missing",
    ),
    "release-steps": (
        "steps of all readings of a file that asks which release it runs on",
        "its questions stay open: what it builds for any release is listed for all",
    ),
    "fix-readings": (
        "readings of a file, or of files that share layers, in which fixes are tried",
        "the fix is advice only, and says that it was not tried",
    ),
    "fix-steps": ("steps of these readings, from which on only 12 of them are done", "the same"),
    "wrapped-layers": ("layers inside the wrappers of one layer", "CDN501"),
    "call-depth": ("calls inside one another that are followed", "`unknown`"),
    "imported-files": ("files that one file imports and that are followed", "`unknown`"),
    "imported-bytes": ("bytes of these files", "`unknown`"),
    "folder-depth": ("folders inside one another that are walked", "CDN001 for the folder"),
    "requirements-files": ("requirements files that include one another", "the others are passed over"),
    "baseline-bytes": ("a baseline", "an error"),
    "rewrite-seconds": (
        "seconds of processor time to rewrite a saved model, and one more for each 2 MiB",
        '"it may be damaged"',
    ),
    "seconds": (
        "seconds of processor time to read a file, and to try its fixes; 0 is no limit",
        "CDN501, or CDN001 for a saved model",
    ),
}
#: What a project's file cannot set: what is bounded, the bound, what comes of it, and why it is fixed.
FIXED = (
    ("a configuration, a .gitignore, a lock file", "32 MiB",
     "an error; the .gitignore or lock file is passed over", "it is read before anything is set"),
    ("stars in one name of a path pattern, and `**` in one pattern", "4, 4",
     "an error; a line of a .gitignore is passed over", "each more multiplies the time"),
    ("the result cache", "256 MiB", "the half that was not used for longest is deleted",
     "it is the user's, for all projects"),
)  # fmt: skip


def page(text: str) -> str:
    """Return the page on limits with its table written anew."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + "\n".join(_table()) + "\n" + END + rest.partition(END)[2]


def _table() -> Iterator[str]:
    yield "| `[limits]` | of | default | highest | beyond it |\n|---|---|---|---|---|"
    for key, (_, most) in BOUNDS.items():
        of, beyond = TEXTS[key]
        default = getattr(DEFAULT, key.replace("-", "_"))
        yield f"| `{key}` | {of} | {_shown(key, default)} | {_shown(key, most)} | {beyond} |"
    for what, bound, beyond, why in FIXED:
        yield f"| - | {what} | {bound} | fixed: {why} | {beyond} |"


def _shown(key: str, value: int) -> str:
    return f"{value:,} ({value // MIB:,} MiB)" if key.endswith("-bytes") else f"{value:,}"
