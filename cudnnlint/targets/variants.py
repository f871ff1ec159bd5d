"""Branches by target: a file that asks for a version, a backend or a package is read once for each answer.

Each layer then holds for the targets under which the program builds it like this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from packaging.version import Version

from cudnnlint.core import families
from cudnnlint.core.answers import Answers
from cudnnlint.core.layer import FileHints, Layer, Model
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.tables import Tables
from cudnnlint.core.target import Point, Span, Target, TargetCondition
from cudnnlint.rulebook.milestones import MILESTONES
from cudnnlint.targets.readings import Reading, Readings, within
from cudnnlint.targets.releases import KERAS_3, TENSORFLOW_WITH_KERAS_3, Releases

Decision = Callable[[Model], Sequence[Target]]
Layers = tuple[Layer, ...]
#: The most readings of one file for one framework and backend; where more are needed, its queries stay open.
MOST = 64


@dataclass(frozen=True)
class _World:
    """One answer: the releases for which the file is read, and those for which the reading holds."""

    keras: Version | None
    tensorflow: Version | None
    condition: TargetCondition


def read(reading: Reading, decide: Decision, known: Releases, tables: Tables) -> Model | None:
    """Return a file's model, read again for each target of `decide` if it asks anything; None without layers."""
    model = reading(None)
    if model is None or not model.hints.asks or not model.layers:  # no answer makes more layers than all of them
        return model
    return _by_target(model, decide(model), known, tables, Readings(reading))


def _by_target(model: Model, targets: Sequence[Target], known: Releases, tables: Tables, reading: Readings) -> Model:
    layers: list[Layer] = []
    every = [one for target in targets for one in (*target.admits, target)]
    for framework, backend in dict.fromkeys((target.framework, target.backend) for target in every):
        alike = [target for target in every if (target.framework, target.backend) == (framework, backend)]
        layers += _of_group(model, alike, known, tables, reading)
    built = {(layer.place, layer.via) for layer in layers}
    left_out = [layer for layer in model.layers if (layer.place, layer.via) not in built]
    notes = (*model.notes, *families.left_out(left_out))
    return replace(model, layers=tuple(layers), notes=notes, graph=None)  # each reading has one of its own


def _of_group(
    model: Model, targets: Sequence[Target], known: Releases, tables: Tables, reading: Readings
) -> Iterator[Layer]:
    """Yield the layers for the targets of one framework and backend, each with the releases that build it like this."""
    anywhere = TargetCondition(targets[0].framework, targets[0].backend)
    worlds = list(_worlds(targets, model.hints, known))

    def built(at: int) -> Layers:
        world = worlds[at]
        has_class = _classes(world, anywhere, tables)
        again = reading(_answers(world, anywhere, has_class))
        return again.layers if again is not None else ()

    certain = _milestones(worlds, targets, model.hints)
    given = within(lambda: _everywhere(built, certain, len(worlds))) if len(certain) <= MOST else None
    found = _told(worlds, given) if given is not None else []
    if given is None or (_beside(worlds, anywhere) and any(len(when) < len(worlds) for _, when in found)):
        yield from (replace(layer, when=(anywhere,)) for layer in model.layers)  # its questions stay open
        return
    for layer, conditions in found:
        yield replace(layer, when=(anywhere,) if len(conditions) == len(worlds) else tuple(_joined(conditions)))


def _answers(world: _World, anywhere: TargetCondition, has_class: Callable[[str], bool | None]) -> Answers:
    """Return what a world answers a file that asks."""
    keras, tensorflow = world.keras, world.tensorflow
    return Answers(
        framework=anywhere.framework,
        backend=anywhere.backend,
        keras=keras,
        tensorflow=tensorflow,
        keras_3=None if keras is None else keras >= KERAS_3,
        tf_keras_3=None if tensorflow is None else tensorflow >= TENSORFLOW_WITH_KERAS_3,
        has_class=has_class,
    )


def _milestones(worlds: Sequence[_World], targets: Sequence[Target], hints: FileHints) -> list[int]:
    """Return the worlds to read anyway: each Keras's first and last TensorFlow, and those near a named release."""
    exact = {target.keras.version for target in targets}
    marks = {0, len(worlds) - 1}
    for at, world in enumerate(worlds):
        beside = [worlds[other] for other in (at - 1, at + 1) if 0 <= other < len(worlds)]
        if world.keras in exact and any(other.keras != world.keras for other in beside):
            marks.add(at)
        if any(_named(version, hints.versions) for one in (world, *beside) for version in (one.keras, one.tensorflow)):
            marks.add(at)
    return sorted(marks)


def _named(version: Version | None, texts: Iterable[str]) -> bool:
    """Return whether a release is written in a file, whole or by its minor."""
    return version is not None and not {str(version), f"{version.major}.{version.minor}"}.isdisjoint(texts)


def _everywhere(built: Callable[[int], Layers], certain: Sequence[int], count: int) -> list[Layers]:
    """Return what is built in each of `count` worlds; between `certain` ones that differ, the change is searched."""
    read = {at: built(at) for at in certain}
    waiting = list(pairwise(certain))
    while waiting:
        first, last = waiting.pop()
        if last - first > 1 and read[first] != read[last]:
            middle = (first + last) // 2
            read[middle] = built(middle)
            waiting += [(first, middle), (middle, last)]
    found: list[Layers] = []
    for at in range(count):
        found.append(read.get(at, found[-1] if found else ()))
    return found


def _told(worlds: Sequence[_World], given: Sequence[Layers]) -> list[tuple[Layer, list[TargetCondition]]]:
    """Each layer once, with the worlds in which the program builds it so."""
    found: list[tuple[Layer, list[TargetCondition]]] = []
    for world, layers in zip(worlds, given, strict=True):
        free = list(range(len(found)))  # two equal layers of one reading are two
        for layer in layers:
            same = next((at for at in free if found[at][0] == layer), None)
            if same is None:
                found.append((layer, [world.condition]))
            else:
                free.remove(same)
                found[same][1].append(world.condition)
    return found


def _beside(worlds: Iterable[_World], anywhere: TargetCondition) -> bool:
    """Return whether TensorFlow releases are queried beside another backend; no target says which one it is."""
    return anywhere.backend != "tensorflow" and len({world.tensorflow for world in worlds}) > 1


def _classes(world: _World, anywhere: TargetCondition, tables: Tables) -> Callable[[str], bool | None]:
    """Return a function that says whether a dotted name is a recurrent class in that release."""

    def has_class(dotted: str) -> bool | None:
        if world.keras is None:
            return None
        point = Point(anywhere.framework, world.keras, anywhere.backend, world.tensorflow)
        meaning = tables.meaning(dotted, dotted.rsplit(".", 1)[-1], point)
        return meaning is None or meaning.operation is not None

    return has_class


def _worlds(targets: Sequence[Target], hints: FileHints, known: Releases) -> Iterator[_World]:
    """Yield what the file has to be read for, oldest release first."""
    framework, backend = targets[0].framework, targets[0].backend
    kerases = _kerases(targets, hints, known)
    for keras, span in _stretches(kerases):
        beneath = _tensorflows(targets, keras, hints, known)
        for tensorflow, tensorflow_span in _stretches(beneath):
            tied = keras is not None and (keras < KERAS_3 or framework != "keras")
            free = Span() if tied or backend != "tensorflow" else tensorflow_span
            condition = TargetCondition(framework, backend, span, free)
            yield _World(keras, tensorflow, condition)


def _kerases(targets: Sequence[Target], hints: FileHints, known: Releases) -> list[Version] | list[None]:
    """Return the Keras releases to distinguish; [None] where nothing asks for them."""
    framework = targets[0].framework
    tied = framework != "keras" or any(_oldest(target) < KERAS_3 for target in targets)
    if not (hints.asks & {"keras", "class"} or ("tensorflow" in hints.asks and tied)):
        return [None]
    found = {target.keras.version for target in targets if target.keras.version is not None}
    spans = [target.keras.span for target in targets if target.keras.version is None]
    found |= {version for version in known.known[framework] for span in spans if version in span}
    # A span that no known release lies in is represented by its first.
    return sorted(found or {span.since or MILESTONES.first[framework] for span in spans})


def _oldest(target: Target) -> Version:
    return target.keras.version or target.keras.span.since or MILESTONES.first[target.framework]


def _tensorflows(
    targets: Sequence[Target], keras: Version | None, hints: FileHints, known: Releases
) -> list[Version] | list[None] | list[Version | None]:
    """Return the TensorFlow releases to distinguish under a Keras."""
    framework, every = targets[0].framework, known.known["tensorflow"]
    if "tensorflow" not in hints.asks or framework == "tensorflow":
        return [None]
    if framework == "tf_keras" or (keras is not None and keras < KERAS_3):
        assert keras is not None  # asked of TensorFlow, a Keras 2 tells its releases apart
        if framework == "keras" and keras < known.standalone_until:  # it goes with any TensorFlow
            given = (one.tensorflow.version for one in targets if one.tensorflow is not None and _may_be(one, keras))
            return [next(given, None)]
        minor = known.of_minor("tensorflow", keras.major, keras.minor)
        return [minor.version or Version(f"{keras.major}.{keras.minor}.0")]
    beneath = [target.tensorflow for target in targets if keras is None or _may_be(target, keras)]
    found = {one.version for one in beneath if one is not None and one.version is not None}
    spans = [Span() if one is None else one.span for one in beneath if one is None or one.version is None]
    admitted = {v for v in every for span in spans if v >= MILESTONES.dates["beneath_keras_3"] and v in span}
    return sorted(found | admitted)


def _may_be(target: Target, keras: Version) -> bool:
    return target.keras.version == keras if target.keras.version is not None else keras in target.keras.span


def _stretches(versions: Sequence[Version | None]) -> Iterator[tuple[Version | None, Span]]:
    """Each release with the stretch up to the next one; the first begins, and the last ends, with all others."""
    given = [version for version in versions if version is not None]
    if not given:
        yield None, Span()
        return
    bounds = [None, *given[1:], None]
    yield from ((version, Span(*ends)) for version, ends in zip(given, pairwise(bounds), strict=True))


def _joined(conditions: Iterable[TargetCondition]) -> Iterator[TargetCondition]:
    """Yield the conditions with adjoining spans joined: first those of TensorFlow under a Keras, then of Keras."""
    rows = [
        (keras, tuple(_spans([condition.tensorflow for condition in alike])))
        for keras, alike in groupby(conditions, key=lambda condition: condition.keras)
    ]
    first = next(iter(conditions))
    for tensorflows, group in groupby(rows, key=lambda row: row[1]):
        for keras in _spans([keras for keras, _ in group]):
            for tensorflow in tensorflows:
                yield TargetCondition(first.framework, first.backend, keras, tensorflow)


def _spans(spans: Sequence[Span]) -> Iterator[Span]:
    """Stretches in ascending order, those that adjoin as one."""
    last = spans[0]
    for span in spans[1:]:
        if last.until is not None and last.until == span.since:
            last = Span(last.since, span.until)
        else:
            yield last
            last = span
    yield last
