"""The style sheets, the script and the frame of the page, which are files beside this module."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from importlib.resources import files
from string import Template

from cudnnlint.reporters.page.markup import Markup, raw, text


@lru_cache(maxsize=8)
def asset(name: str) -> Markup:
    """Return one of the files."""
    return raw((files(__package__) / name).read_text(encoding="utf-8").strip())


def framed(title: str, body: Markup) -> str:
    """Return a whole page: it loads nothing from elsewhere, and obeys no script or style but its own."""
    style, script = raw(f"\n{asset('picture.css')}\n{asset('page.css')}\n"), raw(f"\n{asset('page.js')}\n")
    own = f"style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    policy = f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"
    frame = Template(asset("page.html"))
    return frame.substitute(policy=policy, title=text(title), style=style, script=script, body=body) + "\n"


def _digest(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
