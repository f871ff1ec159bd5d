"""The kind of a file by its first bytes, else by its suffix. Kinds and suffixes are written here alone."""

from __future__ import annotations

import os

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.regex import regex

#: Where the HDF5 specification allows the superblock, as far as anyone uses it: the user's own block may be first.
OFFSETS = (0, 512, 1024, 2048)
HDF5 = b"\x89HDF\r\n\x1a\n"
ZIPS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
POINTER = b"version https://git-lfs.github.com/spec/"
POINTS = "This is a Git LFS pointer, not the file itself. Run `git lfs pull` to fetch it."
#: What stands behind "class_name" in the configuration of something that is no model (`Tokenizer.to_json()`).
OTHER = regex(rb'\s*:\s*"Tokenizer"')
#: Bytes of a file that are looked at; class_name comes first in what Keras writes.
HEAD = 4096
#: The first key of a notebook: Jupyter sorts the keys, hosted notebooks write the format first.
NOTEBOOK = regex(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:cells|metadata|nbformat|nbformat_minor|worksheets)"\s*:')
#: The kinds by suffix; those that convert and fix write are `WRITTEN`.
SUFFIXES = {
    ".py": "python", ".ipynb": "notebook", ".keras": "keras", ".h5": "h5", ".hdf5": "h5", ".json": "config",
}  # fmt: skip
WRITTEN = tuple(suffix for suffix, kind in SUFFIXES.items() if kind in ("keras", "h5"))


def is_written(name: str) -> bool:
    """Return whether a file of this name is one that convert and fix write."""
    return suffix_of(name) in WRITTEN


def kind(head: bytes, name: str) -> str:
    """Return python, notebook, keras, h5 or config, by the first bytes, else by the suffix.

    Raises UnreadableInput for bytes that are none of these under a name that is none.
    """
    found, suffix = content(head), suffix_of(name)
    if found is not None and (found != "config" or suffix != ".py"):
        return found
    if suffix not in SUFFIXES and b"\0" in head:
        raise UnreadableInput("Unknown file type: not Python source, a notebook or a saved Keras model.")
    return SUFFIXES.get(suffix, "python")


def content(head: bytes) -> str | None:
    """Return the kind that the first bytes show: "h5", "keras", "notebook", "config", or None for anything else."""
    if any(head.startswith(HDF5, at) for at in OFFSETS):
        return "h5"
    if head.startswith(ZIPS):
        return "keras"
    if looks_like_notebook(head):
        return "notebook"
    return "config" if looks_like_config(head) else None


def looks_like_notebook(head: bytes) -> bool:
    """Return whether a JSON text begins like a notebook: one of its keys first, then its format or a cell's type."""
    return NOTEBOOK.match(head) is not None and (b'"nbformat' in head or b'"cell_type"' in head)


def looks_like_config(head: bytes) -> bool:
    """Return whether a JSON text begins like the configuration of a Keras model (also one quoted once more)."""
    text = head.lstrip(b'\xef\xbb\xbf \t\r\n"').replace(b'\\"', b'"')
    before, found, named = text.partition(b'"class_name"')
    depth = sum(before.count(opening) for opening in (b"{", b"[")) - sum(before.count(end) for end in (b"}", b"]"))
    return text.startswith(b"{") and bool(found) and depth == 1 and not OTHER.match(named)


def is_pointer(head: bytes) -> bool:
    """Return whether the first bytes are those of a Git LFS pointer, which takes the place of the file itself."""
    return head.startswith(POINTER)


def suffix_of(name: str) -> str:
    """Return the suffix of a name, in small letters."""
    return os.path.splitext(name)[1].lower()
