"""Asks Keras which saved models it loads, and what becomes of their layers: `loaded.py DIR --framework keras`.

DIR holds scripts, one model each, such as loaded_models.txt has them. Their models are saved as `.keras`
and `.h5` and loaded again; `--files OTHER` loads the files of another folder instead, which another release wrote.
`--archives` saves `.keras` alone, and as an archive where Keras writes HDF5 unless it is told (TensorFlow 2.12).
`truth.json` in DIR holds the answers, as truth.py writes them. `loaded_evidence.py` packs them.
"""

from __future__ import annotations

import argparse
import contextlib
import glob
import os
import shutil
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import truth
from ask import PHASES, Json, Oracle
from watch import said

FORMS = ("keras", "h5")


def asked(oracle: Oracle, path: str, other: str | None, archives: bool) -> Json:
    """Save and load the model of one script, or load its files from another folder."""
    truth.seed_everything(oracle, 1)
    oracle.own = {}
    stem = os.path.splitext(path)[0]
    if other is None and archives:
        oracle.run(path)[0].save(stem + ".keras", save_format="keras_v3")
        files = {"keras": (stem + ".keras", None)}
    elif other is None:
        files = truth.save(oracle.run(path)[0], stem, list(FORMS))
    else:
        with contextlib.suppress(Exception):  # its classes are wanted, and another release may stop
            oracle.run(path)
        files = copied(path, other)
    answers = {}
    for form, (file, failure) in files.items():
        answers[form] = {"error": failure, "layers": []} if failure else truth.loaded(oracle, file)
    return dict(answers, seed=0)


def copied(path: str, other: str) -> dict[str, tuple[str, None]]:
    """The files of another folder that belong to a script, laid beside it."""
    found = {}
    for form in FORMS:
        name = os.path.splitext(os.path.basename(path))[0] + "." + form
        if os.path.exists(os.path.join(other, name)):
            file = shutil.copy(os.path.join(other, name), os.path.dirname(path))
            found[form] = (file, None)
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--framework", default="keras", choices=("keras", "tf_keras", "tensorflow"))
    parser.add_argument("--files", help="a folder in which another release saved the same models")
    parser.add_argument("--archives", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    found: dict[str, Json] = {}
    dropped: list[Json] = []
    with Oracle(options.framework) as oracle:
        about = oracle.about()
        oracle.side.eagerly, oracle.side.quick, oracle.phases = False, True, PHASES[:1]
        for path in sorted(glob.glob(os.path.join(options.folder, "*.py"))):
            name = os.path.splitext(os.path.basename(path))[0]
            try:
                found[name] = asked(oracle, path, options.files, options.archives)
            except Exception as error:
                dropped.append({"name": name, "seed": 0, "error": said(error)})
    truth.write(options.folder, {"about": about, "programs": found, "dropped": dropped})
    print(f"{len(found)} models, {len(dropped)} dropped")


if __name__ == "__main__":
    main()
