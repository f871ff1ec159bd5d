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
    of_conda = re.findall(_OF_CONDA, text)
    return found + [re.sub(_FUZZY, lambda fuzzy: fuzzy[1] + as_pip(fuzzy[2]), one) for one in of_conda]


def with_versions(arguments: str) -> list[str]:
    """Return the requirements that name a version ("keras<3"), of what stands behind `pip install`, wheels last."""
    wheels = [f"{name.replace('_', '-')}=={version}" for name, version in re.findall(_WHEEL, arguments)]
    return re.findall(_WANTED, arguments.replace("'", " ").replace('"', " ")) + wheels


def as_pip(release: str) -> str:
    """Return a release as pip writes it: 2.8.1 is that one ("==2.8.1"), 2.8 any of its patches ("==2.8.*")."""
    return f"=={release}" if release.count(".") > 1 else f"=={release}.*"
