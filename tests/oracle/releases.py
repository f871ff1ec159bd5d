"""Every release and every backend against real Keras: makes an environment for each, asks it, compares.

    python tests/oracle/releases.py                                       every release of the plan
    python tests/oracle/releases.py --only keras@3.4:torch,tf_keras@2.18  some
    python tests/oracle/releases.py --forms script                        the programs' models not saved and loaded
    python tests/oracle/releases.py --pack                                what was answered already, and nothing more
    python tests/oracle/releases.py --list                                the plan, and what was asked so far
    python tests/oracle/releases.py --only keras@3.16.0:jax               a release that the tables do not know yet

Each release is asked the fixed programs of families.py and some that generate.py draws, in graph mode, and where
a row tells eager execution apart, eagerly too. What its Keras decides is held against cudnnlint's verdicts for
the same programs. The numbers go to fixtures/evidence/releases.json, a record a release; what was asked and answered
goes into configurations.xz beside it, which test_replay.py judges again. Every disagreement is told. Exit 1 if there
is one, 2 if a release could not be asked.

The plan: of Keras 3 each release at which a row of the tables begins or ends, the one before it, the newest, and
of every other minor the newest patch; of TensorFlow up to 2.5, of Keras 2 and of tf_keras the newest patch of every
minor. Environments are kept in --store, answers in --work; what is there is not made again (--anew asks again).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cudnnlint.core.tables import Row
from cudnnlint.core.target import Target
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, requested
from cudnnlint.targets.releases import KERAS_3, PACKAGED, Releases
from packaging.version import Version

HERE = Path(__file__).resolve().parent
EVIDENCE = HERE.parents[1] / "fixtures" / "evidence" / "releases.json"
STORE = Path.home() / ".cache" / "cudnnlint-releases"
BACKENDS = ("tensorflow", "torch", "jax")
SEED = 7
#: What a record has numbers for: scripts, traced and run eagerly, and the files that their models were saved in.
PARTS = ("graph", "eager", ".keras", ".h5")
#: What a release in the middle of its rows is asked, and one whose backend has no kernel; the others all programs.
CHIEF = (
    *("settings", "activations", "masked_0", "states", "nested_masked", "insisted", "ragged", "old"),
    *("dtype_mixed_float16", "dtype_mixed_bfloat16", "implementation_dropout"),
)
NO_KERNEL = ("settings", "masked_0", "insisted", "implementation_dropout")
LONGEST = 900  # seconds for one release; on a free core it is below a hundred

sys.path.insert(0, str(HERE))

import packed  # noqa: E402
from environments import Missing, provide  # noqa: E402
from families import families  # noqa: E402
from generate import generate  # noqa: E402
from packed import Answered, answered_in  # noqa: E402
from sweep import Document, Tally, tallied, target_of  # noqa: E402

Json = dict[str, Any]


class Asked:
    """One release on one backend. `package` is what is installed: for Keras 2 it is TensorFlow."""

    def __init__(self, framework: str, release: str, backend: str, package: str | None = None) -> None:
        self.framework, self.release, self.backend, self.package = framework, release, backend, package or release

    def __str__(self) -> str:
        return f"{self.framework}@{self.release}" + (f":{self.backend}" if self.keras_3 else "")

    @property
    def keras_3(self) -> bool:
        """Several backends?"""
        return self.framework == "keras" and Version(self.release) >= KERAS_3

    @property
    def imported(self) -> str:
        """The framework as a program imports it: Keras 2 as `tf.keras`."""
        return self.framework if self.framework == "tf_keras" or self.keras_3 else "tensorflow"


def plan(known: Releases) -> list[Asked]:
    """Every release to ask, oldest framework first."""
    old = [v for v in _newest_patches(known, "tensorflow") if Version("2.0") <= v < Version("2.16")]  # see old_keras.py
    found = [Asked("tensorflow", str(v), "tensorflow") for v in old if v < PACKAGED]
    for version in (v for v in old if v >= PACKAGED):
        keras = known.of_minor("keras", version.major, version.minor).version
        found.append(Asked("keras", str(keras), "tensorflow", str(version)))
    found += [Asked("tf_keras", str(version), "tensorflow") for version in _newest_patches(known, "tf_keras")]
    for backend in BACKENDS:
        found += [Asked("keras", str(version), backend) for version in _telling(known, backend)]
    return found


def _newest_patches(known: Releases, framework: str) -> list[Version]:
    return sorted({(v.major, v.minor): v for v in known.known[framework]}.values())


def _telling(known: Releases, backend: str) -> list[Version]:
    """The releases of Keras 3 that can differ on a backend; what concerns all is asked on TensorFlow."""
    own = (backend, None) if backend == "tensorflow" else (backend,)
    scopes = [s for s in loader.load().tables.scopes if s.framework == "keras" and s.backend in own]
    bounds = {bound for s in scopes for bound in (s.keras.since, s.keras.until) if bound and bound >= KERAS_3}
    every = [version for version in known.known["keras"] if version >= KERAS_3]
    before = [v for v, later in zip(every, every[1:], strict=False) if later in bounds]
    telling = {*before, *(version for version in every if version in bounds), every[-1]}
    minors = {(version.major, version.minor) for version in telling}
    newest = [v for v in _newest_patches(known, "keras") if v >= KERAS_3 and (v.major, v.minor) not in minors]
    return sorted({*telling, *newest})


def chosen(texts: list[str], known: Releases) -> list[Asked]:
    """The releases that `--only` names; those that the plan does not hold are asked too."""
    every = {str(asked): asked for asked in plan(known)}
    wanted = [_of(target) for target in requested.parse(texts, known)] if texts else list(every.values())
    return [every.get(str(asked), asked) for asked in wanted]


def _of(target: Target) -> Asked:
    version = target.keras.version
    if version is None:
        raise SystemExit(f"{target} is more than one release; name one")
    beneath = (
        target.tensorflow.version if target.keras_2 and target.framework == "keras" and target.tensorflow else None
    )
    return Asked(target.framework, str(version), target.backend, str(beneath) if beneath else None)


def ask(asked: Asked, options: argparse.Namespace) -> Path:
    """Let the release itself judge the programs; returns the folder with the truth.

    Raises Missing where its environment can not be made or does not work.
    """
    folder = folder_of(asked, options)
    if answered(folder, options.forms) and not options.anew:
        return folder
    framework = "tensorflow" if asked.imported == "tensorflow" else asked.framework
    there = provide(options.store, framework, asked.package, asked.backend, dict(options.python))
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in programs(asked, options.programs):
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    command = [str(there.python), str(HERE / "truth.py"), str(folder), "--framework", asked.imported]
    command += ["--brief", "--forms", ",".join(options.forms), *(["--eager"] if told_apart(asked) else [])]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=options.longest, env=there.variables()
        )
    except subprocess.TimeoutExpired:
        raise Missing(f"{asked} took more than {options.longest} seconds") from None
    if done.returncode:
        raise Missing((done.stderr.strip().splitlines() or ["no message"])[-1])
    return folder


def folder_of(asked: Asked, options: argparse.Namespace) -> Path:
    """Where one release's programs and answers are kept."""
    work: Path = options.work
    return work / str(asked).replace(":", "-").replace("@", "-")


def answered(folder: Path, forms: list[str]) -> bool:
    """Is the truth about all these forms there?"""
    path = folder / "truth.json"
    found = json.loads(path.read_text(encoding="utf-8"))["programs"].values() if path.exists() else ()
    return all(any(form in program for program in found) for form in forms)


def programs(asked: Asked, drawn: int) -> Iterator[tuple[str, str]]:
    """What the release is asked: name and text."""
    version = asked.package if asked.imported == "tensorflow" else asked.release
    fixed = families(asked.imported, version, asked.backend)
    if not any(row.blocked_by for row in _rows(asked)):
        fixed, drawn = {name: fixed[name] for name in NO_KERNEL if name in fixed}, min(drawn, 1)
    elif not _at_an_end(asked):
        fixed, drawn = {name: fixed[name] for name in CHIEF if name in fixed}, min(drawn, 1)
    yield from fixed.items()
    for number in range(drawn):
        yield f"drawn_{number}", generate(SEED + number, asked.imported, version, asked.backend).source


def told_apart(asked: Asked) -> bool:
    """Is eager execution asked too? Where a row tells it apart from graph mode, at the row's first and last release."""
    thens = [then for row in _rows(asked) for then in row.blocked_by.values()]
    return _at_an_end(asked) and any(not isinstance(then, str) for then in thens)


def _at_an_end(asked: Asked) -> bool:
    """Is it the first or the last release of a row, or one that the row does not know yet?"""
    version = Version(asked.release)
    return any(
        row.scope.keras.since == version or row.checked == str(version) or row.doubt(version) for row in _rows(asked)
    )


def _rows(asked: Asked) -> list[Row]:
    """What the tables say of LSTM and GRU in a release."""
    scope, version = (asked.framework, asked.backend), Version(asked.release)
    rows = [row for row in loader.load().tables.rows if {"LSTM", "GRU"} & set(row.operations)]
    rows = [row for row in rows if row.scope.framework == scope[0] and row.scope.backend in (None, scope[1])]
    return [row for row in rows if version in row.scope.keras]


def record(asked: Asked, answered: Answered) -> tuple[Json, list[str]]:
    """The numbers for the evidence, and every disagreement in a sentence."""
    about = answered.about
    if about["keras"].split("-")[0] != asked.release and asked.framework != "tensorflow":
        raise Missing(f"the environment of {asked} holds Keras {about['keras']}")
    tallies = judged(answered)
    numbers = {
        "release": str(asked), "framework": asked.framework, "keras": asked.release, "backend": asked.backend,
        "python": about["python"], **{name: about.get(name) for name in BACKENDS}, **numbers_of(answered, tallies),
    }  # fmt: skip
    stories = [f"{part}: {story}" for part, tally in tallies.items() for story in tally.stories if _tells(story)]
    return numbers, stories


def numbers_of(answered: Answered, tallies: Mapping[str, Tally]) -> Json:
    """What a record says of a release's programs and verdicts."""
    return {
        "programs": len(answered.programs), "unfit": list(answered.unfit),
        **{part: _numbers(tally) for part, tally in tallies.items()},
        "operations": dict(sorted(tallies["graph"].operations.items())),
    }  # fmt: skip


def judged(answered: Answered, eagerly: bool = True) -> dict[str, Tally]:
    """Everything that a release answered, held against cudnnlint's verdicts: a tally for each part of a record.

    Without `eagerly` the eager mode, which was not asked then, is left out.
    """
    target = target_of(answered.about)

    def held(form: str) -> list[tuple[Document, Json]]:
        return [forms[form] for _, forms in sorted(answered.programs.items()) if form in forms]

    tallies = {"graph": tallied(held("script"), target)}
    if eagerly and answered.about["backend"] == "tensorflow":  # elsewhere it is the same route
        tallies["eager"] = tallied(held("script"), target, "eager")
    tallies |= {f".{form}": tallied(held(form), target) for form in ("keras", "h5")}
    return {part: tally for part, tally in tallies.items() if tally.layers}


def _numbers(tally: Tally) -> Json:
    return {
        "configurations": tally.layers, "agreements": tally.agree, "unknowns": tally.unknown,
        "disagreements": tally.wrong, "verdicts": dict(sorted(tally.verdicts.items())),
    }  # fmt: skip


def _tells(story: str) -> bool:
    """An honest unknown is counted, not told."""
    return ": unknown; Keras" not in story


def wrong(numbers: Json) -> int:
    """How many verdicts of a record disagree."""
    return sum(numbers[part]["disagreements"] for part in PARTS if part in numbers)


def read(path: Path) -> list[Json]:
    """The records that there are."""
    return list(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else []


def write(path: Path, records: list[Json], known: Releases) -> None:
    """A record a line, in the order of the plan; those outside it behind."""
    order = {str(asked): place for place, asked in enumerate(plan(known))}
    records.sort(key=lambda one: (order.get(one["release"], len(order)), one["release"]))
    text = ",\n".join(json.dumps(one) for one in records)
    path.write_text(f"[\n{text}\n]\n", encoding="utf-8")


def store(path: Path, told: Mapping[str, Answered], known: Releases) -> str:
    """Put what releases were asked and answered into the store, in the order of the plan; returns the numbers."""
    order = {str(asked): place for place, asked in enumerate(plan(known))}
    releases = {**packed.read(path), **told}
    names = sorted(releases, key=lambda name: (order.get(name, len(order)), name))
    size = packed.write(path, {name: releases[name] for name in names})
    return f"{path.name}: {len(names)} releases, {size} bytes"


def listed(known: Releases, evidence: Path) -> Iterator[str]:
    """The plan, a line each, with what the evidence says."""
    found = {one["release"]: one for one in read(evidence)}
    for asked in plan(known):
        one = found.get(str(asked))
        numbers = f"{one['graph']['configurations']} asked, {wrong(one)} disagree" if one else "not asked yet"
        yield f"{asked}: {numbers}"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], help="targets as --target takes them")
    parser.add_argument("--evidence", type=Path, default=EVIDENCE, help="the file to bring up to date")
    parser.add_argument("--store", type=Path, default=STORE, help="where the environments are")
    parser.add_argument("--work", type=Path, default=STORE / "answers", help="where programs and answers are kept")
    parser.add_argument("--programs", type=int, default=3, help="how many drawn programs besides the fixed ones")
    parser.add_argument("--python", action="append", default=[], type=lambda text: text.split("=", 1),
                        metavar="3.8=PATH", help="an interpreter for an old TensorFlow")  # fmt: skip
    parser.add_argument("--forms", default=["script", "keras", "h5"], type=lambda text: text.split(","),
                        help="script,keras,h5: what the first model of each program is as a file too")  # fmt: skip
    parser.add_argument("--longest", type=float, default=LONGEST, help="seconds for one release")
    parser.add_argument("--anew", action="store_true", help="ask again what was answered")
    parser.add_argument("--pack", action="store_true", help="ask nothing; record and store what was answered already")
    parser.add_argument("--list", action="store_true", help="print the plan and stop")
    return parser.parse_args()


def main() -> int:
    """The command."""
    options = arguments()
    known = environment.releases(loader.load().tables)
    if options.list:
        print(*listed(known, options.evidence), sep="\n")
        return 0
    status, told = 0, {}
    for asked in chosen(options.only, known):
        if options.pack and not answered(folder_of(asked, options), options.forms):
            continue
        try:
            given = answered_in(ask(asked, options))
            numbers, stories = record(asked, given)
        except Missing as reason:
            print(f"{asked}: could not be asked: {reason}", flush=True)
            status = 2
            continue
        told[str(asked)] = given
        parts = {part: numbers[part] for part in PARTS if part in numbers}
        print(f"{asked}: {json.dumps(parts)}", *(f"    {story}" for story in stories), sep="\n", flush=True)
        write(options.evidence, [*(r for r in read(options.evidence) if r["release"] != str(asked)), numbers], known)
        status = max(status, 1 if wrong(numbers) else 0)
    print(store(options.evidence.with_name(packed.EVIDENCE.name), told, known))
    return status


if __name__ == "__main__":
    sys.exit(main())
