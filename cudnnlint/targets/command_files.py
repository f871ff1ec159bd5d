"""What the commands that a project's tests and scripts run install: `pip install tensorflow==2.8.0`.

Files of continuous integration (GitHub, GitLab, Azure, Travis, CircleCI, AppVeyor), tox.ini, noxfile.py, a Makefile,
shell scripts, the images that containers run, and what a README tells its readers to install. Read by their text;
nothing is run. Only what is named with a version counts, and only where the file does not install the same package in
another way too: any version, or that of a variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from cudnnlint.core.distributions import DISTRIBUTIONS, canonical
from cudnnlint.core.pip_commands import as_pip, installed, with_versions
from cudnnlint.targets.container_files import images
from cudnnlint.targets.folder_names import matching

#: The strongest first: what all tests of a project run with, then what a service or a script runs, then what people do.
FILES = (
    "tox.ini", "noxfile.py", ".github/workflows/*.y*ml", ".gitlab-ci.yml", "azure-pipelines*.yml",
    ".azure-pipelines/*.yml", ".travis.yml", ".circleci/config.yml", "appveyor.yml", ".appveyor.yml", "Makefile",
    "docker-compose*.y*ml", "compose*.y*ml", ".devcontainer/devcontainer.json", "Singularity*", "*.def", "cog.yaml",
    "postBuild", "binder/postBuild", "justfile", "*.sh", "README*", "readme*",
)  # fmt: skip
_NOX = r"\.(?:install|run_install)\(([^)]*)\)"
#: A line of a README that names a package with its release, and nothing else: `* Keras 2.2.4`, `| TensorFlow | 1.14 |`.
_TOLD = (
    r"^[ \t]*(?:[-*+|][ \t]*)?[\[`*_]*(keras|tensorflow(?:-gpu)?)[\]`*_]*(?:\([^)\n]*\))?[ \t]*[|:]?[ \t]*"
    r"(?:version[ \t]*)?\(?(==|>=|~=|<=|=|<)?[ \t]*v?(\d+\.\d+(?:\.\d+)?)\)?"
    r"([ \t]*(?:\+|or (?:above|higher|later|newer)))?[`*_]*[ \t]*(?:[|,.;]|\([^)\n]*\))?[ \t]*$"
)
#: A badge: https://img.shields.io/badge/TensorFlow-2.1-orange
_BADGE = r"shields\.io/badge/(keras|tensorflow)(?:--gpu)?-(==|>=|%3E%3D|%3D%3D)?v?(\d+\.\d+(?:\.\d+)?)(\+|%2B)?-"
_COMMENT = r"(?m)(^|[ \t])#[^\n]*|^;[^\n]*"
_CONTINUED = r"\\[ \t]*\r?\n"


def paths(folder: Path, names: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files of a folder with these names that run commands, the strongest first."""
    for pattern in FILES:
        yield from matching(folder, names, pattern)


def commands(name: str, text: str) -> list[str]:
    """Return the requirements in the commands of a file, each as it is written ("tensorflow==2.8.0")."""
    text = re.sub(_COMMENT, r"\1", re.sub(_CONTINUED, " ", text))
    lists = [*installed(text)]
    if name == "tox.ini":
        lists += _dependencies(text)
    elif name == "noxfile.py":
        lists += re.findall(_NOX, text)
    elif name == "cog.yaml":
        lists.append(text)
    wanted = images(text) + [one for arguments in lists for one in with_versions(arguments)]
    varied = {package for arguments in lists for package in _of_any_version(arguments)}
    wanted = [one for one in wanted if _package(one) not in varied]
    return wanted or (list(_told(text)) if name.lower().startswith("readme") else [])


def _told(text: str) -> Iterator[str]:
    """Yield what a README says that a project needs; a release of two parts is any release of that minor."""
    told = [one for pattern in (_TOLD, _BADGE) for one in re.findall(pattern, text, re.MULTILINE | re.IGNORECASE)]
    for package, how, version, and_later in told:
        if and_later or how not in ("", "=", "==", "%3D%3D"):
            yield f"{package}{'>=' if and_later or how == '%3E%3D' else how}{version}"
        else:
            yield package + as_pip(version)


def _of_any_version(arguments: str) -> Iterator[str]:
    """Yield the frameworks that a command installs without a version, or with one that a variable has."""
    for word in re.split(r"[\s\"',]+", arguments):
        package = _package(word)
        if package is not None and not with_versions(word):
            yield package


def _package(word: str) -> str | None:
    """Return which framework the name at the front of a requirement is a build of; None for any other package."""
    name = re.match(r"[A-Za-z][\w.-]*", word)
    return DISTRIBUTIONS.get(canonical(name[0])) if name else None


def _dependencies(text: str) -> Iterator[str]:
    """Yield the lines of each `deps =` of tox.ini, without the environments that they are for (`tf2: `)."""
    for listed in re.findall(r"^deps[ \t]*=(.*(?:\n[ \t]+\S.*)*)", text, re.MULTILINE):
        yield from (line.rpartition(": ")[2] for line in listed.splitlines())
