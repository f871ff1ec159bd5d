"""Takes what `loaded.py` wrote down into the evidence: `loaded_evidence.py [--add] [--shapes] NAME=DIR[,DIR] ...`.

NAME is the release that loaded the files ("keras@3.15.1"), with the one that wrote them where that is another
("keras@3.15.1 from 3.0.1"). Of each folder the models of loaded_models.txt are kept, which need no code of
their own. With `--add` the evidence keeps what it has of other names.
Goes to fixtures/evidence/loaded.xz, which test_loaded.py judges again; with `--shapes` the models are those of
saved_shapes.txt, and it goes to fixtures/evidence/saved_shapes.xz, which test_saved_shapes.py judges.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import packed
from packed import Answered, answered_in

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "loaded.xz"
MODELS = Path(__file__).resolve().parent / "loaded_models.txt"
SHAPES = EVIDENCE.with_name("saved_shapes.xz"), MODELS.with_name("saved_shapes.txt")
HEAD = "### "  # in front of a model's name, and of the generations of Keras that can build it where that is not any


def names(generation: str, models: Path) -> set[str]:
    """The models that a generation of Keras is asked about: "k2" or "k3"."""
    lines = models.read_text(encoding="utf-8").splitlines()
    heads = [line.removeprefix(HEAD).split() for line in lines if line.startswith(HEAD)]
    return {name for name, *generations in heads if not generations or generation in generations}


def kept(folders: list[Path], models: Path) -> Answered:
    """What the evidence holds of a release."""
    found = [answered_in(folder) for folder in folders]
    wanted = names("k3" if str(found[0].about["keras"]).startswith("3") else "k2", models)
    programs = {name: forms for one in found for name, forms in one.programs.items() if name in wanted}
    return Answered(found[0].about, (), programs)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="NAME=DIR,DIR")
    parser.add_argument("--add", action="store_true", help="keep what the evidence has of other names")
    parser.add_argument("--shapes", action="store_true", help="the models of saved_shapes.txt")
    options = parser.parse_args()
    evidence, models = SHAPES if options.shapes else (EVIDENCE, MODELS)
    named = dict(text.split("=", 1) for text in options.folders)
    releases = {name: kept([Path(folder) for folder in folders.split(",")], models) for name, folders in named.items()}
    before = packed.read(evidence) if options.add else {}
    print(packed.write(evidence, {**before, **releases}), "bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
