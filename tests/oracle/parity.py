"""The same layer as source and as saved file: each requirement is met in both readings, or in neither.

truth.json tells which layer of the script became which of the file. No framework is imported.
"""

from __future__ import annotations

import json
from pathlib import Path

from cudnnlint.core.report import LayerReport

from sweep import document_of, judged, key, take, target_of

#: What a file does not hold: the code of an own class, `use_cudnn`, and in Keras 3 `implementation`.
LOST = frozenset({"own-loop", "cudnn-refused", "cudnn-insisted", "implementation-one-dropout"})


def unlike(folder: Path, form: str) -> tuple[int, list[str]]:
    """How many layers were read both ways, and every requirement that the two readings do not agree on."""
    truth = json.loads((folder / "truth.json").read_text())
    target = target_of(truth["about"])
    pairs, stories = 0, []
    for name, program in sorted(truth["programs"].items()):
        if form not in program or program[form]["error"]:
            continue
        as_source = judged(document_of(folder, name, "script"), target)
        as_file = judged(document_of(folder, name, form), target)
        saved = {layer["layer_path"]: layer for layer in program[form]["layers"]}
        for layer in program["script"]["layers"]:
            one = take(as_source.get(key(layer, "script"), []), layer.get("column"), layer["class_name"])
            other = take(as_file.get(layer["layer_path"], []), None, layer["class_name"])
            if layer["layer_path"] in saved and one is not None and other is not None:
                pairs += 1
                stories += [f"{name} {layer['layer_path']}: {story}" for story in _differences(one, other)]
    return pairs, stories


def _differences(one: LayerReport, other: LayerReport) -> list[str]:
    met, file_met = _met(one), _met(other)
    return [
        f"{name} is {met.get(name)} in the source, {file_met.get(name)} in the file"
        for name in sorted((met.keys() | file_met.keys()) - LOST)
        if met.get(name) != file_met.get(name)
    ]


def _met(report: LayerReport) -> dict[str, str]:
    return {requirement.name: str(requirement.met) for requirement in report.judgements[0].requirements}
