"""What cudnnlint costs beside other programs: `python benchmarks/run.py PYTHON [--ruff RUFF] [--rows NAME,...]`.

PYTHON is an interpreter in which cudnnlint, keras and h5py are installed (keras is only read, except by the row
`loading`). Each row is a ratio of two processor times that were taken in turn in one run, so that another machine, or a
busy one, gives about the same; the smallest of several is taken. With --torchfix a linter on the same parser is run
beside it, with --repositories each folder in a folder is checked, and --trees says how many files generated trees have.
The output is the table of benchmarks/README.md. cudnnlint is compiled first, as it is where pip installs it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import language_client

ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / "fixtures" / "demo" / "sentiment.keras"
LAYERS = 'layer = keras.layers.LSTM({units}, activation="relu", recurrent_dropout={rate})\n'
FUNCTION = "\n\ndef plain_{number}(x, y=1):\n    return [x, y, {number}]\n"
PROGRAM = "import keras\n" + "".join(
    LAYERS.format(units=8 + number, rate=number / 10) + FUNCTION.format(number=number) * 12 for number in range(5)
)


@dataclass(frozen=True)
class Spent:
    """What a command took: seconds of processor time, and megabytes."""

    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Bench:
    """The programs that are measured, and a folder for what they write."""

    python: str
    ruff: str | None
    torchfix: str | None
    repositories: Path | None
    trees: tuple[int, ...]
    folder: Path

    def cudnnlint(self, *words: str) -> list[str]:
        """Return a command that checks in this process alone."""
        return [self.python, "-m", "cudnnlint", "check", "--jobs", "1", "--exit-zero", *words]

    def package(self, name: str) -> str:
        """Return the folder of an installed package."""
        code = f"import importlib.util; print(importlib.util.find_spec({name!r}).submodule_search_locations[0])"
        return subprocess.run([self.python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def spent(command: Sequence[str], text: str = "") -> Spent:
    """Run a command; return what it took. Raises CalledProcessError where it fails."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryFile() as given:
        given.write(text.encode())
        given.seek(0)
        process = subprocess.Popen(command, stdin=given, env=environment, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(command))
    return Spent(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def least(command: Sequence[str], times: int, text: str = "") -> float:
    """Return the seconds of the fastest of several runs."""
    return min(spent(command, text).seconds for _ in range(times))


def start(bench: Bench) -> str:
    """`--version` beside a Python that does nothing."""
    mine = least([bench.python, "-m", "cudnnlint", "--version"], 15)
    return f"{mine / least([bench.python, '-c', 'pass'], 15):.1f}"


def saved_model(bench: Bench) -> str:
    """One saved model beside the import of h5py."""
    mine = least(bench.cudnnlint("--no-cache", str(MODEL)), 15)
    return f"{mine / least([bench.python, '-c', 'import h5py'], 15):.1f}"


def large_model(bench: Bench) -> str:
    """One model of 1 GB beside the same layers in 40 kB, both in HDF5."""
    small, large = ROOT / "fixtures" / "saved" / "k3_nested.h5", bench.folder / "large.h5"
    shutil.copyfile(small, large)
    code = "import h5py, sys; h5py.File(sys.argv[1], 'a').create_dataset('more', (1 << 28,), 'f4')[-1] = 1.0"
    subprocess.run([bench.python, "-c", code, str(large)], check=True)
    assert large.stat().st_size > 1 << 30
    mine = [least(bench.cudnnlint("--no-cache", str(path)), 7) for path in (large, small)]
    return f"{mine[0] / mine[1]:.2f}"


def loading(bench: Bench) -> str:
    """Time a model that Keras loads beside one that is checked."""
    load = [bench.python, "-c", f"import keras; keras.models.load_model({str(MODEL)!r})"]
    return f"{least(load, 2) / least(bench.cudnnlint('--no-cache', str(MODEL)), 15):.0f}"


def editor(bench: Bench) -> str:
    """Return the seconds for a file of 300 lines with five layers, from standard input, once it is in the cache."""
    command = bench.cudnnlint("--cache-dir", str(bench.folder / "editor"), "--output-format", "json", "-")
    spent(command, PROGRAM)
    return f"{least(command, 5, PROGRAM):.2f} s"


def server(bench: Bench) -> str:
    """Return the seconds from opening a file of 500 lines in the language server to its diagnostics, once it is warm.

    They are seconds on the clock, as an editor's user has them.
    """
    text = PROGRAM + FUNCTION.format(number=0) * (500 // FUNCTION.count("\n") - PROGRAM.count("\n") // 4)
    with language_client.running([bench.python, "-m", "cudnnlint", "server"], ROOT) as client:
        return f"{min(client.opened(f'untitled:{n}', f'{text}# {n}') for n in range(10)):.2f} s"  # no text twice


def package(bench: Bench) -> Iterator[tuple[str, str]]:
    """Yield the keras package without a cache, and with a full one, beside ruff without one; and the memory."""
    keras = bench.package("keras")
    each = [bench.cudnnlint("--cache-dir", str(bench.folder / f"keras{number}"), keras) for number in range(2)]
    cold = min(map(spent, each), key=lambda one: one.seconds)
    warm = least(each[0], 3)
    if bench.ruff is not None:
        ruff = least([bench.ruff, "check", "--no-cache", "--isolated", "--exit-zero", keras], 5)
        yield "keras package cold / ruff cold", f"{cold.seconds / ruff:.0f}"
        yield "keras package warm / ruff cold", f"{warm / ruff:.1f}"
    yield "keras package cold / warm", f"{cold.seconds / warm:.0f}"
    yield "memory, keras package", f"{cold.megabytes:.0f} MB"


def layers(bench: Bench) -> Iterator[tuple[str, str]]:
    """Yield the source of Keras's own layers without a cache, beside TorchFix."""
    folder = str(Path(bench.package("keras")) / "src" / "layers")
    mine = least(bench.cudnnlint("--no-cache", folder), 2)
    if bench.torchfix is not None:
        yield "TorchFix / cudnnlint on keras/src/layers", f"{least([bench.torchfix, folder], 2) / mine:.1f}"
    if bench.ruff is not None:
        ruff = least([bench.ruff, "check", "--no-cache", "--isolated", "--exit-zero", folder], 5)
        yield "keras/src/layers cold / ruff cold", f"{mine / ruff:.0f}"


def public(bench: Bench) -> Iterator[tuple[str, str]]:
    """Yield the milliseconds for a file of each public repository, without a cache, and of all together."""
    seconds, count, most = 0.0, 0, 0.0
    for folder in sorted(filter(Path.is_dir, bench.repositories.iterdir())) if bench.repositories is not None else ():
        files = sum(1 for suffix in ("py", "ipynb") for _ in folder.rglob(f"*.{suffix}"))
        one = spent(bench.cudnnlint("--no-cache", str(folder)))
        yield f"{folder.name} ({files} files), a file", f"{1000 * one.seconds / max(files, 1):.0f} ms"
        seconds, count, most = seconds + one.seconds, count + files, max(most, one.megabytes)
    if count:
        yield "public repositories, a file", f"{1000 * seconds / count:.0f} ms"
        yield "memory, the largest of them", f"{most:.0f} MB"


def trees(bench: Bench) -> Iterator[tuple[str, str]]:
    """Yield the cost of a file in generated trees, where one file in fifty holds layers."""
    first = 0.0
    for count in bench.trees:
        tree = bench.folder / f"tree{count}"
        for number in range(count):
            place = tree / f"p{number // 100}" / f"m{number}.py"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(PROGRAM if number % 50 == 0 else PROGRAM.replace("LSTM", "Dense"))
        whole = spent(bench.cudnnlint("--no-cache", "--output-format", "json-lines", str(tree)))
        each = whole.seconds / count
        first = first or each
        yield f"a file in a tree of {count:,} / in one of {bench.trees[0]:,}", f"{each / first:.2f}"
        yield f"memory, tree of {count:,}, json-lines", f"{whole.megabytes:.0f} MB"


SINGLE: dict[str, tuple[str, Callable[[Bench], str]]] = {
    "start": ("`cudnnlint --version` / bare python", start),
    "saved": ("one saved model / `python -c 'import h5py'`", saved_model),
    "large": ("1 GB model / 40 kB model", large_model),
    "loading": ("loading it in Keras / checking it", loading),
    "editor": ("a file of 300 lines with five layers, stdin, warm", editor),
    "server": ("a file of 500 lines opened in `cudnnlint server` until its diagnostics are there, warm", server),
}
SEVERAL: dict[str, Callable[[Bench], Iterator[tuple[str, str]]]] = {
    "package": package,
    "layers": layers,
    "public": public,
    "trees": trees,
}


def main() -> None:
    """Measure the rows that are asked for, and print them as they are known."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", nargs="?", default=sys.executable)
    parser.add_argument("--ruff", default=shutil.which("ruff"))
    parser.add_argument("--torchfix", default=shutil.which("torchfix"))
    parser.add_argument("--repositories", type=Path)
    parser.add_argument("--trees", default="1000,10000")
    parser.add_argument("--rows", default=",".join([*SINGLE, *SEVERAL]))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trees = tuple(map(int, given.trees.split(",")))
        bench = Bench(given.python, given.ruff, given.torchfix, given.repositories, trees, Path(folder))
        subprocess.run([given.python, "-m", "compileall", "-q", ROOT / "cudnnlint", ROOT / "rules"], check=True)
        print("| work | measured |\n|---|---|")
        for name in given.rows.split(","):
            title = SINGLE[name][0] if name in SINGLE else ""
            rows = [(title, SINGLE[name][1](bench))] if name in SINGLE else SEVERAL[name](bench)
            for row in rows:
                print(f"| {row[0]} | {row[1]} |", flush=True)


if __name__ == "__main__":
    main()
