"""What a file holds, by its first bytes."""

from __future__ import annotations


def looks_like_config(head: bytes) -> bool:
    """Does a JSON text begin as the configuration of a Keras model does (also one that was quoted once more)?"""
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n\"").replace(b'\\"', b'"')
    before, found, _ = text.partition(b'"class_name"')
    depth = sum(before.count(opening) for opening in (b"{", b"[")) - sum(before.count(end) for end in (b"}", b"]"))
    return text.startswith(b"{") and bool(found) and depth == 1
