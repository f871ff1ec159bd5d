"""Takes what `loaded.py` wrote down into the evidence: `loaded_evidence.py [--add] NAME=DIR[,DIR] [NAME=DIR ...]`.

NAME is the release that loaded the files ("keras@3.15.1"), with the one that wrote them where that is another
("keras@3.15.1 from 3.0.1"). Of each folder the models of loaded_models.txt are kept, which need no code of
their own. With `--add` the evidence keeps what it has of other names.
Goes to fixtures/evidence/loaded.xz, which test_loaded.py judges again.
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
HEAD = "### "  # in front of a model's name, and of the generations of Keras that can build it where that is not any


def names(generation: str) -> set[str]:
    """The models that a generation of Keras is asked about: "k2" or "k3"."""
    lines = MODELS.read_text(encoding="utf-8").splitlines()
    heads = [line.removeprefix(HEAD).split() for line in lines if line.startswith(HEAD)]
    return {name for name, *generations in heads if not generations or generation in generations}


def kept(folders: list[Path]) -> Answered:
    """What the evidence holds of a release."""
    found = [answered_in(folder) for folder in folders]
    wanted = names("k3" if str(found[0].about["keras"]).startswith("3") else "k2")
    programs = {name: forms for one in found for name, forms in one.programs.items() if name in wanted}
    return Answered(found[0].about, (), programs)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="NAME=DIR,DIR")
    parser.add_argument("--add", action="store_true", help="keep what the evidence has of other names")
    options = parser.parse_args()
    named = dict(text.split("=", 1) for text in options.folders)
    releases = {name: kept([Path(folder) for folder in folders.split(",")]) for name, folders in named.items()}
    before = packed.read(EVIDENCE) if options.add else {}
    print(packed.write(EVIDENCE, {**before, **releases}), "bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
