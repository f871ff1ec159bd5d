"""What a Dockerfile installs: the TensorFlow of its base image, and what `pip install` names with a version.

Also the images that other files run: a compose file, a workflow, a development container, a Singularity definition.

Read by its text; nothing is built. A variable counts with the default that the file gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cudnnlint.core.distributions import DISTRIBUTIONS, canonical
from cudnnlint.core.pip_commands import installed, with_versions

#: The images of TensorFlow's own project, whose tags begin with the release (2.8.0-gpu, 2.4.1-gpu-jupyter), and those
#: that Amazon and Google build.
_IMAGE = (
    r"(?:(?:[\w.-]+/)*tensorflow/tensorflow:|[\w.-]+/(?:tensorflow-(?:training|inference)):)(\d+(?:\.\d+)+)(?![\w.])"
)
_OF_GOOGLE = r"[\w.-]+/deeplearning-platform-release/tf2?-(?:gpu|cpu)\.(\d+)-(\d+)\b"
_VARIABLE = r"\$(?:\{(\w+)(?::-[^}]*)?\}|(\w+))"


def dockerfile(text: str) -> list[str]:
    """Return the requirements of the last stage of a Dockerfile: `tensorflow==2.8.0` for an image of TensorFlow.

    What a stage installs over its image takes the place of what is there.
    """
    variables: dict[str, str] = {}
    stages: dict[str, list[str]] = {}
    wanted: list[str] = []
    for line in re.sub(r"\\[ \t]*\r?\n(?:[ \t]*#[^\n]*\n)*", " ", text).splitlines():
        instruction, _, rest = line.strip().partition(" ")
        rest = _filled_in(rest, variables)
        match instruction.upper():
            case "ARG" | "ENV":
                variables |= dict(re.findall(r"(\w+)[= ][\"']?([\w.+-]*)", rest))
            case "FROM":
                wanted = _stage([word for word in rest.split() if not word.startswith("--")], stages)
            case "RUN":
                wanted += [one for command in installed(rest) for one in with_versions(command)]
    return _last_of_each(wanted)


def images(text: str) -> list[str]:
    """Return `tensorflow==2.8.0` for each image of a TensorFlow that a text names."""
    named = re.findall(r"(?im)^[ \t]*[-,{]?[ \t]*[\"']?(?:image|container|from)[\"']?:[ \t]*[\"']?(\S+)", text)
    return [wanted for image in named for wanted in _in_image(image)]


def _in_image(image: str) -> list[str]:
    """Return the TensorFlow in an image, as a requirement; none where its name does not say it."""
    if tensorflow := re.match(_IMAGE, image):
        return [f"tensorflow=={tensorflow[1]}"]
    of_google = re.match(_OF_GOOGLE, image)
    return [f"tensorflow=={of_google[1]}.{of_google[2]}.*"] if of_google else []


def _filled_in(text: str, variables: dict[str, str]) -> str:
    """Return a text with the variables that have a value."""
    return re.sub(_VARIABLE, lambda name: variables.get(name[1] or name[2], name[0]), text)


def _stage(words: list[str], stages: dict[str, list[str]]) -> list[str]:
    """Return what a stage begins with, a list that grows with it; it is kept under the name that it gets."""
    image = words[0] if words else ""
    begun = _in_image(image) or list(stages.get(image, ()))
    if len(words) == 3 and words[1].lower() == "as":
        stages[words[2]] = begun
    return begun


def _last_of_each(wanted: Iterable[str]) -> list[str]:
    """Return the last requirement of each package, under whatever name."""
    names = ((canonical(re.split(r"[^\w.-]", one, maxsplit=1)[0]), one) for one in wanted)
    return list({DISTRIBUTIONS.get(name, name): one for name, one in names}.values())
