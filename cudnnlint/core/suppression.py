"""What marks a comment that suppresses findings, for those who only have to know whether a file can hold one."""

from __future__ import annotations

OWN_MARK, CODE = b"cudnnlint:", b"CDN"
NOQA_MARKS = (b"noqa", b"NOQA", b"NoQA")


def marked(data: bytes) -> bool:
    """Return whether these bytes may hold a suppression that concerns cudnnlint."""
    return OWN_MARK in data or (CODE in data and any(mark in data for mark in NOQA_MARKS))
