"""The mask table of many releases: makes an environment for each, lets mask_table.py ask it, packs the answers.

    python tests/oracle/mask_releases.py                              the first and last release of every mask epoch
    python tests/oracle/mask_releases.py --only keras@3.16.0:tensorflow
    python tests/oracle/mask_releases.py --pack                       what was answered already, and nothing more

Answers are kept in --work, one file a release; all that are there go into fixtures/evidence: what Keras says into
masks.json, the models as Keras wrote them into masks_saved.xz. Environments as in releases.py.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cudnnlint.rulebook import loader
from cudnnlint.targets import environment
from cudnnlint.targets.releases import Releases

EPOCHS = loader.load().tables.names.masks.epochs
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import mask_evidence  # noqa: E402
from environments import Missing, provide  # noqa: E402
from releases import BACKENDS, STORE, Asked, chosen, plan  # noqa: E402

LONGEST = 3600  # seconds for one release; on a free core two minutes


def ends(known: Releases) -> Iterator[Asked]:
    """The first and the last release of each epoch on TensorFlow, and the newest on the other backends."""
    asked = plan(known)
    for backend in BACKENDS[1:]:
        yield [one for one in asked if one.backend == backend][-1]
    beneath = [one for one in asked if one.backend == BACKENDS[0]]
    kinds = [(one.framework, one.keras_3, _epoch(one)) for one in beneath]
    for at, one in enumerate(beneath):
        if kinds[at - 1 : at] != kinds[at : at + 1] or kinds[at] not in kinds[at + 1 : at + 2]:
            yield one


def _epoch(asked: Asked) -> int:
    point = mask_evidence.point_of(
        {"framework": asked.imported, "keras": asked.release, "backend": asked.backend, "tensorflow": asked.package}
    )
    return next(number for number, epoch in enumerate(EPOCHS) if epoch.era.holds(point))


def ask(asked: Asked, options: argparse.Namespace) -> None:
    """Write one release's answers to --work, unless they are there. Raises Missing where it cannot be asked."""
    answers: Path = options.work / (str(asked).replace(":", "-").replace("@", "-") + ".json")
    if answers.exists() and not options.anew:
        return
    framework = "tensorflow" if asked.imported == "tensorflow" else asked.framework
    there = provide(options.store, framework, asked.package, asked.backend, dict(options.python))
    command = [str(there.python), str(HERE / "mask_table.py"), "--framework", asked.imported]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=options.longest, env=there.variables()
        )
    except subprocess.TimeoutExpired:
        raise Missing(f"{asked} took more than {options.longest} seconds") from None
    if done.returncode:
        raise Missing((done.stderr.strip().splitlines() or ["no message"])[-1])
    options.work.mkdir(parents=True, exist_ok=True)
    part = answers.with_suffix(".part")
    part.write_text(done.stdout.strip().splitlines()[-1], encoding="utf-8")
    part.replace(answers)


def answers_in(work: Path) -> list[dict[str, Any]]:
    """All answers that are there."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(work.glob("*.json"))]


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], help="targets as --target takes them")
    parser.add_argument("--pack", action="store_true", help="ask nothing; pack the answers that are there")
    parser.add_argument("--evidence", type=Path, default=mask_evidence.EVIDENCE, help="the folder to write to")
    parser.add_argument("--store", type=Path, default=STORE, help="where the environments are")
    parser.add_argument("--work", type=Path, default=STORE / "masks", help="where answers are kept")
    parser.add_argument("--python", action="append", default=[], type=lambda text: text.split("=", 1),
                        metavar="3.8=PATH", help="an interpreter for an old TensorFlow")  # fmt: skip
    parser.add_argument("--longest", type=float, default=LONGEST, help="seconds for one release")
    parser.add_argument("--anew", action="store_true", help="ask again what was answered")
    options = parser.parse_args()
    known = environment.releases(loader.load().tables)
    wanted = [] if options.pack else chosen(options.only, known) if options.only else list(ends(known))
    status = 0
    for asked in wanted:
        try:
            ask(asked, options)
            print(f"{asked}: answered", flush=True)
        except Missing as reason:
            print(f"{asked}: could not be asked: {reason}", flush=True)
            status = 2
    print(mask_evidence.write(answers_in(options.work), options.evidence))
    return status


if __name__ == "__main__":
    sys.exit(main())
