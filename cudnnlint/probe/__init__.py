"""The probe: predictions held against what the installed framework really does.

    installed = find(options)                        what is there, and `installed.text` for --target
    outcome = run(report, options, installed)        `report`: what `check` says for that target

Prints nothing. The framework lives in a child process (child/); this side survives whatever happens to it.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Container, Mapping
from typing import Any

from cudnnlint.core.errors import UsageError
from cudnnlint.core.report import LayerReport, Report
from cudnnlint.core.target import Target
from cudnnlint.core.verdict import Judgement
from cudnnlint.machine.gpus import look
from cudnnlint.probe import parent
from cudnnlint.probe.compare import (
    BUILDING,
    Agreement,
    Compared,
    compare,
    compare_training,
    in_phase,
    observe,
    unbuilt,
)
from cudnnlint.probe.options import Installed, Options, find, host
from cudnnlint.probe.outcome import ProbeOutcome, ProbeResult
from cudnnlint.probe.parent import Host, Message, Progress, Replies
from cudnnlint.probe.request import Layers, ProbedLayer, apart, request, untrainable

__all__ = ["Installed", "Options", "ProbeOutcome", "find", "run", "status"]

NO_GPU = "{framework} on {backend} finds no GPU here, so nothing was run. --dry-run asks Keras itself and needs no GPU."
PADDINGS: Mapping[str, int] = {"tensorflow": 3, "jax": 1, "torch": 1}
RowOf = Callable[[LayerReport, str, Target], "str | None"]


def run(
    report: Report,
    options: Options,
    installed: Installed,
    row_of: RowOf = lambda layer, kind, target: None,
    progress: Progress = lambda done, total: None,
    where: Host | None = None,
    programs: bool = False,
    whole: Container[str] = (),
    stopping: Layers | None = None,
) -> ProbeOutcome:
    """Compare every layer's verdict in `report` with what the installed framework does.

    `programs`: the report is on examples of the rulebook, which are run where a layer cannot be rebuilt alone; `whole`
    are the paths of those that are run in any case. `stopping` are the layers that run and cannot be trained; None
    means those of which the report says so.
    Raises UsageError where the framework itself does not start.
    """
    stopping = untrainable(report) if stopping is None else stopping
    items, asked = request(report, options.dry_run, installed.framework, programs, whole, stopping)
    job = _job(options, installed, items)
    where = where or host(options, installed)
    answers = parent.ask(where, job, lambda about: _wanted(about, options), progress)
    if answers.fault is not None:
        raise UsageError(f"{installed.text} cannot be started: {answers.fault}.")
    if items and not _wanted(answers.about, options):
        sentence = NO_GPU.format(framework=installed.framework, backend=installed.backend)
        results = [_skipped(one, "This machine has no GPU") for one in asked]
        return ProbeOutcome(_machine(installed, answers), results, options.dry_run, sentence)
    asked = _apart(asked, answers, where, job)
    results = [_result(one, answers, PADDINGS[installed.backend], row_of, options.dry_run) for one in asked]
    models = {
        one.file.path: answers.items[one.item].get("whole")
        for one in asked
        if one.item in answers.items and one.place is None and not options.dry_run and one.item is not None
    }
    return ProbeOutcome(_machine(installed, answers), results, options.dry_run, None, models)


def _job(options: Options, installed: Installed, items: list[Message]) -> Message:
    return {
        "kind": "ask",
        "dry": options.dry_run,
        "framework": installed.framework,
        "input_shape": list(options.input_shape),
        "batch_size": options.batch_size,
        "repeats": options.repeats,
        "items": items,
    }


def _apart(asked: list[ProbedLayer], answers: Replies, where: Host, job: Message) -> list[ProbedLayer]:
    """Ask again for the layers of files that do not load, each built from its facts: that shows whose fault it is."""
    broken = {
        number: answer["error"]
        for number, answer in answers.items.items()
        if answer["error"] is not None and answer.get("stage") == BUILDING
    }
    items, again = apart(asked, broken, len(job["items"]), job["dry"])
    if items:
        answers.items |= parent.ask(where, {**job, "items": items}, lambda about: True).items
    return [new if new.item in answers.items else old for new, old in zip(again, asked, strict=True)]


def status(outcome: ProbeOutcome, options: Options) -> int:
    """Return the exit status: 1 where something is contradicted, 2 where a GPU was required and there is none."""
    if outcome.sentence is not None and options.require_gpu:
        return 2
    return int(outcome.contradicted)


def _wanted(about: Message, options: Options) -> bool:
    return options.dry_run or bool(about.get("gpus"))


def _machine(installed: Installed, answers: Replies) -> dict[str, Any]:
    """Return where it ran: GPU, driver, releases."""
    cuda = {name: release for name, release in installed.packages.items() if name.startswith("nvidia-")}
    return {
        "target": installed.text,
        "platform": f"{platform.system()} {platform.machine()}",
        "gpus": answers.about.get("gpus", []),
        "python": answers.about.get("python"),
        "releases": answers.about.get("releases", {}),
        "nvidia": cuda,
        "driver": look().as_data(),
    }


def _skipped(asked: ProbedLayer, why: str) -> ProbeResult:
    return ProbeResult(asked, _judgement(asked).verdict, Compared(Agreement.SKIPPED, f"{why.rstrip('.')}."))


def _judgement(asked: ProbedLayer) -> Judgement:
    return asked.layer.judgements[0]


def _result(asked: ProbedLayer, answers: Replies, paddings: int, row_of: RowOf, dry: bool) -> ProbeResult:
    predicted = _judgement(asked)
    answer = answers.items.get(asked.item) if asked.item is not None else None
    if answer is None:
        return _skipped(asked, asked.why or "This layer was not run")
    if answer["error"] is not None:
        stage, saved = answer.get("stage", "ask"), asked.place is None
        if asked.stand_in and stage == BUILDING:
            without = "The probe replaces a function of your program, and then the layer cannot be built"
            return _skipped(asked, f"{without}: {answer['error']}")
        compared = unbuilt(predicted, answer["error"], stage, saved, asked.foreseen)
        return ProbeResult(asked, predicted.verdict, compared, row_of(asked.layer, asked.file.kind, predicted.target))
    found = _layer_of(asked, answer["layers"])
    if found is None:
        return _skipped(asked, "The loaded model has no layer of this name")
    if not found["calls"]:
        ragged = "The layer gets a ragged tensor, which the probe cannot make"
        return _skipped(asked, ragged if found["ragged"] else "The model does not call this layer")
    calls = found["calls"] if not asked.untrainable else in_phase(found["calls"], "inference")
    seen, eager = observe(calls, asked.mode, paddings), observe(calls, "eager", paddings)
    differs = eager.verdict is not None and seen.verdict is not None and eager.verdict is not seen.verdict
    compared = compare(predicted, seen)
    if asked.untrainable and not dry:
        compared = compare_training(compared, observe(in_phase(found["calls"], "training"), asked.mode, paddings))
    return ProbeResult(
        asked=asked,
        predicted=predicted.verdict,
        compared=compared,
        row=row_of(asked.layer, asked.file.kind, predicted.target),
        eager=eager.verdict.value if differs and eager.verdict else None,
        seconds=found.get("seconds"),
    )


def _layer_of(asked: ProbedLayer, layers: list[Message]) -> Message | None:
    """Return the child's answer for one layer: by its place in a rebuilt one, by its path in a model."""
    if asked.place is not None:
        return layers[asked.place] if asked.place < len(layers) else None
    by_path = {layer["layer_path"]: layer for layer in layers}
    if asked.layer.layer_path in by_path:
        return by_path[asked.layer.layer_path]
    if len(layers) == len(asked.file.layers):  # an unnamed layer: the order of the file is that of the model
        return layers[asked.file.layers.index(asked.layer)]
    return None
