"""Vocabularies that a layer learned: a `.keras` file has them as text beside the configuration, an `.h5` file nowhere.

They are put into the configuration, where a vocabulary that the layer was given always is: so both containers hold
them, and words with other line breaks in them are not cut up (tf_keras 2.21 splits the text at "\\n", keras 3.15.1 with
`splitlines`; `index_lookup.py:load_assets` in both).
"""

from __future__ import annotations

from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.attach import canonical
from cudnnlint.rewriters.saved.files import Saved
from cudnnlint.rewriters.saved.guards import dataset
from cudnnlint.rewriters.saved.layer_tree import LayerPart, folders, paths
from cudnnlint.rewriters.saved.layout import IDF, LOOKUPS, weighs_words

#: Bytes of one vocabulary. Keras has no limit; a million long words have 20 MB.
LARGEST = 1 << 26


def write_out(saved: Saved, kind: str, keras: int) -> None:
    """Put the vocabulary of every such layer into its configuration, in place, with the weights of its words.

    `kind` is the container that is written, for Keras `keras`. Raises Refused for a vocabulary that cannot be read, or
    that it has no place for. What is read is noted in `saved.consumed`.
    """
    places = {id(part): folder for folder, part in folders(saved.root, saved.keras)}
    texts = {canonical(member): member for member in saved.extra}
    for path, part in paths(saved.root):
        if part.class_name in LOOKUPS and not part.config.get("vocabulary") and id(part) in places:
            _write_out(path, part, places[id(part)], texts, saved)
        if (kind, keras) == ("h5", 2) and weighs_words(part):
            raise Refused(path, "the weights of its words have no place in an .h5 file: write a .keras file")


def _write_out(path: str, part: LayerPart, folder: str, texts: dict[str, str], saved: Saved) -> None:
    member = texts.get(f"assets/{folder}/vocabulary.txt")
    if member is None or saved.archive is None:
        return  # it has none, or the file does not hold it: which is refused when it is lifted
    info = saved.archive.getinfo(member)
    if info.file_size > LARGEST:
        raise Refused(path, f"its vocabulary is larger than {LARGEST >> 20} MiB")
    try:
        lines = saved.archive.read(info).decode().replace("\r\n", "\n").split("\n")
        part.config["vocabulary"] = list(map(int, lines)) if part.class_name == "IntegerLookup" else lines
    except ValueError:
        raise Refused(path, f"its vocabulary, {member}, is not in UTF-8, or not of whole numbers") from None
    stored = part.groups.get("")
    if weighs_words(part) and stored is not None and IDF in stored.weights:
        found: Any = dataset(saved.weights, stored.weights[IDF].source)[()]
        part.config[IDF] = [float(number) for number in found.ravel()]
    saved.consumed |= {name for name in texts.values() if canonical(name).startswith(f"assets/{folder}/")}
