"""Members of a `.keras` archive, written as they were or with new content."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path


def copy_members(
    old: zipfile.ZipFile, new: zipfile.ZipFile, changed: dict[str, bytes | Path], left_out: set[str]
) -> None:
    """Copy every member with its place, date and attributes; those in `changed` get their new content."""
    for info in old.infolist():
        if info.filename in left_out:
            continue
        if info.filename in changed:
            add_member(new, info, changed[info.filename])
        else:
            with old.open(info) as source, new.open(_like(info), "w", force_zip64=info.file_size > 1 << 31) as target:
                shutil.copyfileobj(source, target, 1 << 20)


def add_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, content: bytes | Path) -> None:
    """Write one member, whose content is bytes or a file, with the place, date and attributes of `info`."""
    if isinstance(content, bytes):
        archive.writestr(_like(info), content)
        return
    large = content.stat().st_size > 1 << 31
    with content.open("rb") as source, archive.open(_like(info), "w", force_zip64=large) as target:
        shutil.copyfileobj(source, target, 1 << 20)


def _like(info: zipfile.ZipInfo) -> zipfile.ZipInfo:
    copied = zipfile.ZipInfo(info.filename, info.date_time)
    copied.compress_type, copied.external_attr = info.compress_type, info.external_attr
    copied.comment, copied.create_system = info.comment, info.create_system
    return copied
