"""What a command line of pip or conda asks for, as notebooks, container files and scripts write it."""

from __future__ import annotations

import re

_INSTALLS = r"\bpip[\d.]*[\"',\s]+install\b([^&|;\n]*)"
_OF_CONDA = r"\b(?:conda|mamba|micromamba)[ \t]+(?:install|create)\b([^&|;\n]*)"
_WANTED = r"(?<![\w.{-])[A-Za-z][\w.-]*(?:\[[\w,-]*\])?(?:(?:==|~=|<=|>=|<|>)[\d.*]+(?![\w.{-]),?)+"
#: The address of a wheel; the name of the file says what it is.
_WHEEL = r"/([A-Za-z]\w*)-(\d+(?:\.\d+)+)-(?:cp|py)\d[\w.-]*\.whl"
#: conda's one `=` is fuzzy: 2.8 is any release of 2.8; behind another one is the build.
_FUZZY = r"(?<![\w.-])([A-Za-z][\w.-]*)=(\d+(?:\.\d+)*)(?:\.\*|\*)?(?:=[\w.]+)?(?![\w.=])"


def installed(text: str) -> list[str]:
    """Return what stands behind each `pip install` or `conda install` of a text, up to the end of the command.

    What conda is given is put as pip writes it: `tensorflow=2.8` is `tensorflow==2.8.*`.
    """
    found = re.findall(_INSTALLS, text)
    return found + [re.sub(_FUZZY, _as_pip, one) for one in re.findall(_OF_CONDA, text)]


def with_versions(arguments: str) -> list[str]:
    """Return the requirements that name a version ("keras<3"), of what stands behind `pip install`, wheels last."""
    wheels = [f"{name.replace('_', '-')}=={version}" for name, version in re.findall(_WHEEL, arguments)]
    return re.findall(_WANTED, arguments.replace("'", " ").replace('"', " ")) + wheels


def _as_pip(fuzzy: re.Match[str]) -> str:
    return f"{fuzzy[1]}=={fuzzy[2]}" if fuzzy[2].count(".") > 1 else f"{fuzzy[1]}=={fuzzy[2]}.*"
