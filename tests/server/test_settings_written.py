"""The settings, where users find them: in the extension for VS Code, and on the page about editors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from cudnnlint.server import client_settings

ROOT = Path(__file__).resolve().parents[2]
#: Settings of the extension itself, which the server never sees.
OWN = {"cudnnlint.command", "cudnnlint.trace.server"}


def defaults() -> dict[str, Any]:
    read = client_settings.read({})
    values = {shown: getattr(read, name) for shown, name in client_settings.NAMES.items()}
    return {shown: list(value) if isinstance(value, tuple) else value for shown, value in values.items()}


def test_the_extension_has_the_settings_of_the_server_with_their_defaults() -> None:
    manifest = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
    properties = manifest["contributes"]["configuration"]["properties"]
    given = {name.removeprefix("cudnnlint."): one["default"] for name, one in properties.items() if name not in OWN}
    assert given == defaults()
    choices = {name: one["enum"] for name, one in properties.items() if "enum" in one and name not in OWN}
    assert choices == {
        "cudnnlint.use": list(client_settings.USES),
        "cudnnlint.hints": list(client_settings.HINTS),
        "cudnnlint.run": list(client_settings.RUNS),
    }


def test_the_page_about_editors_has_the_settings_of_the_server_with_their_defaults() -> None:
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    found: dict[str, Any] = {}
    for names, default in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| `([^`]+)` \|", page, re.MULTILINE):
        found |= dict.fromkeys(re.findall(r"`(\w+)`", names), json.loads(default))
    assert found == defaults()


def test_the_lock_file_of_the_extension_names_no_registry() -> None:
    locked = json.loads((ROOT / "editors" / "vscode" / "package-lock.json").read_text(encoding="utf-8"))
    assert len(locked["packages"]) > 10
    hosts = [one["resolved"] for one in locked["packages"].values() if "resolved" in one]
    assert all(host.startswith("https://registry.npmjs.org/") for host in hosts)
