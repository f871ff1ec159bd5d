"""Old model files that packages and repositories publish: converted, loaded in Keras 3, and held against the old Keras.

    python tests/real/published_models.py CHECKOUTS STORE [--evidence FILE] [--only WORD]

published_models.toml lists them. CHECKOUTS is a folder outside this one, in which wheels are unpacked (NAME==VERSION)
and repositories lie (OWNER+NAME); what is not there is fetched. STORE holds an environment for each old framework, as
tests/oracle/environments.py makes them. Each file is run by the old framework first (published_old.py), on random
inputs; then `convert` writes the new one, and Keras 3, which is installed here, computes the same inputs. Nothing of
what is published is kept but its name, and how far apart the numbers are. Exit 1 if a converted model does not load,
or computes otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracle"))

from environments import Environment, old_keras, provide
from repositories import checkout

from cudnnlint.core.errors import Refused, UnreadableInput
from cudnnlint.fix.convert import Conversion, convert

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
TOLERANCE = 1e-5
STEPS = 9
#: The TensorFlow on which a standalone Keras 2 runs.
BENEATH = "1.15.5"


@dataclass
class Published:
    """One old file: where it is from, how its layers are found, what runs it, and what became of it."""

    source: dict[str, Any]
    root: Path
    file: Path
    made: Path
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def layers(self) -> Path | None:
        """The file that holds the architecture of weights alone."""
        if "layers" in self.source:
            old, new = self.source["layers"]
            return self.file.with_name(self.file.name.replace(old, new))
        return self.made.with_suffix(".json") if "build" in self.source else None

    @property
    def job(self) -> dict[str, Any]:
        """What published_old.py is asked."""
        layers = str(self.layers) if "layers" in self.source else None
        asked = {"file": str(self.file), "layers": layers, "root": str(self.root), "made": str(self.made)}
        return {**asked, "build": self.source.get("build"), "steps": self.source.get("steps", STEPS)}


def unpacked(wheel: str, folder: Path) -> Path:
    """The folder of a wheel's content, fetched if it is not there."""
    path = folder / wheel
    if not path.is_dir():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run([*command, "--dest", scratch, wheel], check=True)
            (found,) = Path(scratch).glob("*.whl")
            with zipfile.ZipFile(found) as archive:
                archive.extractall(path)
    return path


def published(folder: Path, scratch: Path, only: str) -> Iterator[Published]:
    """Every file of the list, in its order."""
    sources = tomllib.loads((HERE / "published_models.toml").read_text(encoding="utf-8"))["source"]
    for number, source in enumerate(sources):
        name = source.get("wheel") or source["repository"]
        if only not in name:
            continue
        root = unpacked(name, folder) if "wheel" in source else checkout({**source, "name": name}, folder)
        files = (file for one in source["models"] for file in sorted(root.glob(one)))
        for index, file in enumerate(files):
            one = Published(source, root.resolve(), file, scratch / f"{number}_{index}")
            one.told = {"model": f"{name}/{file.relative_to(root).as_posix()}", "own_code": source.get("own", [])}
            yield one


def environment(store: Path, name: str) -> tuple[Environment, str]:
    """The environment of an old framework, and the name of its module."""
    framework, _, release = name.partition("-")
    if framework == "keras":
        return old_keras(store, "keras", release, BENEATH, {}), "keras"
    if framework == "tensorflow":
        return provide(store, "tensorflow", release, "tensorflow", {}), "tensorflow"
    return Environment(Path(sys.executable), legacy=True), "tf_keras"


def run_old(models: list[Published], store: Path) -> None:
    """Let every file be run by the first of its frameworks that can."""
    for name in dict.fromkeys(name for one in models for name in one.source["old"]):
        asked = [one for one in models if name in one.source["old"] and "run_by" not in one.told]
        if asked:
            place, module = environment(store, name)
            answers = asked[0].made.with_name("answers.json")
            jobs = asked[0].made.with_name("jobs.json")
            jobs.write_text(json.dumps([one.job for one in asked]))
            command = [str(place.python), str(HERE / "published_old.py"), str(jobs), str(answers), module]
            subprocess.run(command, check=True, env=place.variables())
            answered = json.loads(answers.read_text())
            for one, failed in zip(asked, answered["failed"], strict=True):
                if failed is None:
                    one.told["run_by"] = f"{module} {answered['release']}"
                    one.told.pop("not_run", None)
                else:
                    one.told["not_run"] = f"{module} {answered['release']}: {failed}"


def judge(one: Published) -> None:
    """Convert one file, load it in Keras 3, and compare."""
    import keras
    import numpy

    if one.layers is not None and not one.layers.is_file():
        one.told["refused"] = "its layers stand in code alone, which does not tell them"
        return
    new = one.made.with_suffix(".keras")
    try:
        convert(one.file, new, Conversion(config=one.layers))
    except (Refused, UnreadableInput) as refusal:
        one.told["refused"] = str(refusal)
        return
    keras.backend.clear_session()
    model = keras.saving.load_model(new, compile=False)
    one.told["loaded_by"] = f"keras {keras.__version__}"
    if "run_by" not in one.told:
        return
    with numpy.load(one.made.with_suffix(".npz")) as file:
        given = [file[f"input_{index}"] for index in range(len(model.inputs))]
        expected = [file[name] for name in sorted(name for name in file.files if name.startswith("output"))]
    found = model.predict(given if len(given) > 1 else given[0], batch_size=len(given[0]), verbose=0)
    found = found if isinstance(found, list) else [found]
    pairs = list(zip(expected, found, strict=True))
    largest = max(float(numpy.abs(old).max()) for old, _ in pairs)
    apart = max(float(numpy.abs(old - now).max()) for old, now in pairs)
    one.told.update(difference=apart / max(1.0, largest), largest=largest)


def evidence(models: list[dict[str, Any]]) -> dict[str, Any]:
    """What is kept: the numbers, and each file with what became of it."""
    plain = [one for one in models if not one["own_code"]]
    compared = [one["difference"] for one in models if "difference" in one]
    return {
        "files": len(models),
        "without_own_code": len(plain),
        "converted": sum("loaded_by" in one for one in plain),
        "compared": len(compared),
        "largest_difference": max(compared, default=None),
        "models": models,
    }


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--evidence", type=Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        models = list(published(options.checkouts, Path(scratch), options.only))
        run_old(models, options.store)
        for one in models:
            judge(one)
            print(json.dumps(one.told), flush=True)
    found = evidence([one.told for one in models])
    print({name: number for name, number in found.items() if name != "models"})
    if options.evidence:
        options.evidence.write_text(json.dumps(found, indent=1) + "\n")
    return int(any(one.told.get("difference", 0.0) > TOLERANCE for one in models))


if __name__ == "__main__":
    sys.exit(main())
