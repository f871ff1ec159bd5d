"""Takes what `truth.py --wide` wrote down into the evidence: `wide_evidence.py DIR [DIR ...]`.

Every folder is held against cudnnlint's verdicts. The numbers go to fixtures/evidence/wide.json, a record for each
folder; the first programs of each release go to wide.xz, which test_wide.py judges again. Exit 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import packed
from packed import Answered, answered_in
from releases import judged
from sweep import Tally

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence"
NUMBERS, SAMPLE = EVIDENCE / "wide.json", EVIDENCE / "wide.xz"
CORES = 2
KEPT = 24  # programs of each release


def record(folder: Path, answered: Answered, tallies: dict[str, Tally]) -> dict[str, object]:
    """The numbers of one folder."""
    about = {name: answered.about[name] for name in ("framework", "keras", "backend", "tensorflow", "python")}
    seeds = [program["seed"] for program in json.loads((folder / "truth.json").read_text())["programs"].values()]
    return {
        **about,
        "seeds": [min(seeds), max(seeds)] if min(seeds) else None,  # None: scripts that were there already
        "programs": len(answered.programs),
        "broken_anywhere": len(answered.unfit),
        **{part: tally.numbers() for part, tally in tallies.items()},
    }


def sample(folders: list[tuple[Path, Answered]]) -> dict[str, Answered]:
    """The first programs of each release."""
    found: dict[str, Answered] = {}
    for _, answered in folders:
        name = f"{answered.about['framework']}@{answered.about['keras']}"
        before = found.get(name, Answered(answered.about, (), {}))
        more = {f"{len(before.programs)}-{key}": forms for key, forms in answered.programs.items()}
        kept = dict(list({**before.programs, **more}.items())[:KEPT])
        found[name] = Answered(answered.about, (), kept)
    return found


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    folders = [(folder, answered_in(folder)) for folder in sorted(options.folders)]
    with ProcessPoolExecutor(max_workers=CORES) as pool:
        tallies = list(pool.map(partial(judged, eagerly=False), [answered for _, answered in folders]))
    records = [record(*one, tally) for one, tally in zip(folders, tallies, strict=True)]
    NUMBERS.write_text("[\n" + ",\n".join(map(json.dumps, records)) + "\n]\n", encoding="utf-8")
    packed.write(SAMPLE, sample(folders))
    wrong = 0
    for (folder, _), numbers, parts in zip(folders, records, tallies, strict=True):
        for part, tally in parts.items():
            wrong += tally.wrong
            print(f"{folder.name} {part}: {json.dumps(numbers[part])}")
            print(*(f"    {story}" for story in tally.stories), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
