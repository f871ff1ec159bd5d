"""What is fuzzed: for each target the inputs that it starts from, how one is changed, and what is done with it.

`run` may end in an error that the program has a sentence for. Anything else is a find.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import lzma
import sys
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

from graphs import layers_of, woven
from guard import ROOT
from mutations import PIECES, as_json, flipped, reshaped, rewritten
from programs import Grown, spliced

from cudnnlint import merging, pipeline, trainlog
from cudnnlint.check import check_file, outcome_of, read_all
from cudnnlint.core.edit import Applicability, CellToLayer, DropArgument, ReplaceClass, SetArgument, Unroll
from cudnnlint.core.errors import CudnnlintError, Refused, UnreadableInput
from cudnnlint.core.output_formats import FORMATS
from cudnnlint.files import discovery, reading
from cudnnlint.files.executor import Executor
from cudnnlint.files.found import Found
from cudnnlint.formats.archive import DAMAGE
from cudnnlint.language.reports import translated
from cudnnlint.pipeline import Outcome, Request, Wanted
from cudnnlint.reporters import Look, writer
from cudnnlint.rulebook import loader, table_loader
from cudnnlint.settings import baseline
from cudnnlint.settings.settings import Flags

SAVED = ROOT / "fixtures" / "saved"
SOURCE = "from keras.layers import LSTM, GRU\nlayer = LSTM(8, unroll=True)\nother = GRU(4, activation='relu')\n"
ENOUGH = 12  # formats take long, and few inputs reach one that others do not
STEPS = [
    DropArgument("use_bias"), DropArgument("unroll"), CellToLayer("LSTM"), Unroll(("LSTM", "LSTM")),
    ReplaceClass("CuDNNLSTM", "LSTM"), SetArgument("activation", "tanh"), SetArgument("reset_after", True),
]  # fmt: skip


class Fault(Exception):
    """A fault of cudnnlint's that it reported itself (CDN003)."""


@dataclass(frozen=True)
class Target:
    """One way into the program. `crashes`: a library that may crash is run in a process of its own by the program."""

    name: str
    seeds: Callable[[], list[bytes]]
    change: Callable[[bytes, bytes, Random], bytes]
    run: Callable[[bytes, Random], None]
    crashes: bool = False
    quick: int = 100  # inputs of the short run
    share: int = 100  # inputs of one round of the long run
    like: tuple[str, ...] = ()  # how the names of files end that it may start from, in a folder that is given


# ---------------------------------------------------------------- what is done with an input


def _shown(outcome: Outcome, draw: Random) -> None:
    """Write the report in one of the formats; raise Fault where cudnnlint reported a fault of its own."""
    for one in outcome.report.diagnostics:
        if one.code == "CDN003":
            raise Fault(one.message)
    if draw.randrange(ENOUGH) == 0:
        name = draw.choice(FORMATS)
        stream = io.StringIO()
        writer(name)(translated(outcome.report), stream, Look(verbose=draw.random() < 0.5))
        stream.getvalue().encode("utf-8", "backslashreplace")


def _judged(found: list[Found], draw: Random) -> None:
    flags = Flags(jobs=1)
    run_files = read_all.linted(found)
    read = read_all.read_all(found, flags, Executor(1), run_files)
    if any(isinstance(one, read_all.Failure) and one.fault for one in read):
        reading.read(found[0], loader.load().tables.names, run_files)  # once more, for its traceback
    results = [check_file.judge(flags, item) for item in zip(found, read, strict=True)]
    _shown(outcome_of.outcome(results, len(found)), draw)


def _as(name: str) -> Callable[[bytes, Random], None]:
    def run(data: bytes, draw: Random) -> None:
        _judged(list(discovery.stdin(name, data, False)), draw)

    return run


def _graph(data: bytes, draw: Random) -> None:
    Path("graph").mkdir(exist_ok=True)
    Path("graph/saved_model.pb").write_bytes(data)
    _judged([Found("graph", str(Path("graph").absolute()), folder=True)], draw)


def _fixed(data: bytes, draw: Random) -> None:
    name = "model.ipynb" if data.lstrip()[:1] == b"{" else "model.py"
    kinds = frozenset({Applicability.SAFE, Applicability.UNSAFE} if draw.random() < 0.7 else {Applicability.SAFE})
    try:
        done = pipeline.fix(Request(("-",), Flags(jobs=1), data, name), Wanted(kinds, write=False))
    except CudnnlintError:
        return
    _shown(done.outcome, draw)


def _rewritten(data: bytes, draw: Random) -> None:
    """Convert a model, or apply a step to a layer of it, as the worker does it."""
    from cudnnlint.rewriters.saved import worker

    worker.table_loader.load = _tables_once
    container = "keras" if data[:2] == b"PK" else "h5"
    source, scratch = Path(f"old.{container}"), Path("scratch")
    source.write_bytes(data)
    scratch.mkdir(exist_ok=True)
    job: dict[str, Any] = {"job": "convert", "keras": draw.choice([2, 3]), "newest": "3.15.1"}
    if draw.random() < 0.3:
        step = draw.choice(STEPS)
        path = draw.choice(["lstm", "lstm_1", "gru", "rnn", "bidirectional/forward_lstm", "cu_dnnlstm", ""])
        job = {"job": "rewrite", "plan": [{"path": path, "step": type(step).__name__, "with": asdict(step)}]}
    answer = worker.work({**job, "source": str(source.absolute()), "scratch": str(scratch.absolute()),
                          "kind": draw.choice(["keras", "h5"])})  # fmt: skip
    json.dumps(answer)


_load = cache(table_loader.load)


def _tables_once(folder: Path) -> Any:
    """The tables, which the worker reads once in its life."""
    return _load(folder)


def _settings(data: bytes, draw: Random) -> None:
    """Check a file beside settings, or beside the project's requirements."""
    names = ("cudnnlint.toml", "pyproject.toml", "requirements.txt", "environment.yml", "poetry.lock", "uv.lock",
             "setup.py", "setup.cfg", "Pipfile.lock", ".gitignore", ".python-version")  # fmt: skip
    folder = Path("project")
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).unlink(missing_ok=True)
    own = b"[tool" in data[:400] or b"[project" in data[:400]
    name = "pyproject.toml" if own else draw.choice(names[2:]) if draw.random() < 0.6 else "cudnnlint.toml"
    (folder / name).write_bytes(data)
    (folder / "model.py").write_text(SOURCE)
    try:
        _shown(pipeline.check(Request(("project",), Flags(jobs=1))), draw)
    except CudnnlintError:
        return


def _noqa(data: bytes, draw: Random) -> None:
    from cudnnlint.fix import silenced

    Path("model.py").write_bytes(data)
    silenced.silenced(pipeline.check(Request(("model.py",), Flags(jobs=1), edits=False)).judged)


def _log(data: bytes, draw: Random) -> None:
    try:
        trainlog.run(io.BytesIO(data), _report() if draw.random() < 0.5 else None, draw.choice(["text", "json"]))
    except CudnnlintError:
        return


@cache
def _report() -> Any:
    return pipeline.check(Request(("-",), Flags(jobs=1), SOURCE.encode(), "model.py")).report


def _known(data: bytes, draw: Random) -> None:
    path = Path("baseline.json").absolute()
    path.write_bytes(data)
    baseline.read.cache_clear()
    try:
        _shown(pipeline.check(Request(("-",), Flags(jobs=1, baseline=str(path)), SOURCE.encode(), "model.py")), draw)
    except CudnnlintError:
        return


def _merged(data: bytes, draw: Random) -> None:
    Path("report.json").write_bytes(data)
    try:
        report = merging.merged(["report.json"])
    except CudnnlintError:
        return
    name = draw.choice(FORMATS)
    stream = io.StringIO()
    writer(name)(translated(report), stream, Look(verbose=True))
    stream.getvalue().encode("utf-8", "backslashreplace")


def _edited(data: bytes, draw: Random) -> None:
    """Let a client open a text and change it anywhere, and ask for what the server shows of it."""
    from lsprotocol import types

    from cudnnlint.server import checking, documents, layer_view, published
    from cudnnlint.server.positions import units_of

    encoding = draw.choice(list(types.PositionEncodingKind))
    texts = documents.OpenTexts(None, position_encoding=encoding)
    uri = draw.choice(["untitled:a", "file:///tmp/a.py", "file:///%00", "untitled:", "file:a.py", "git:/a.py", ""])
    text = data.decode("utf-8", "replace")
    texts.put_text_document(types.TextDocumentItem(uri, draw.choice(["python", "", "c"]), 1, text))
    for version in range(2, 4):
        start, end = (types.Position(draw.choice([0, 1, 3, 10**6]), draw.choice([0, 1, 7, 10**6])) for _ in range(2))
        piece = draw.choice([*PIECES, "\r", "\ud83d", "\U0001f600"])
        change = types.TextDocumentContentChangePartial(types.Range(start, end), piece)
        texts.update_text_document(types.VersionedTextDocumentIdentifier(version, uri), change)
    buffer = documents.buffer_of(texts, uri)
    if buffer is None:
        return
    checked = checking.offer(buffer, Flags(jobs=1))
    for one in checked.report.diagnostics:
        if one.code == "CDN003":
            raise Fault(one.message)
    list(layer_view.signs(checked))
    published.by_part(checked, units_of(encoding))


# ---------------------------------------------------------------- what inputs start from


def _files(*patterns: str) -> Callable[[], list[bytes]]:
    def found() -> list[bytes]:
        return [path.read_bytes() for pattern in patterns for path in sorted((ROOT / "fixtures").glob(pattern))]

    return found


LARGE = 12_000  # bytes of a file in a given folder that is taken as it is


@cache
def given(folder: Path, endings: tuple[str, ...], most: int = 600) -> list[bytes]:
    """The contents of files in a folder whose names end so: the small ones, and notebooks without their outputs."""
    found: list[bytes] = []
    for path in sorted(path for ending in endings for path in folder.rglob(f"*{ending}") if path.is_file()):
        data = path.read_bytes()
        with contextlib.suppress(*DAMAGE, TypeError, LookupError, AttributeError):
            data = _bare(data) if path.suffix == ".ipynb" else data
        if 0 < len(data) <= LARGE and (path.suffix not in (".py", ".ipynb") or b"keras" in data.lower()):
            found.append(data)
    return Random(0).sample(found, min(most, len(found)))


def _bare(data: bytes) -> bytes:
    """A notebook without outputs, cut after some cells."""
    value = json.loads(data)
    cells = [cell for cell in value["cells"] if cell["cell_type"] == "code"][:20]
    value["cells"] = [{**cell, "outputs": []} for cell in cells]
    return as_json(value)


def _small_books() -> list[bytes]:
    """The notebooks of the fixtures, and the first cells of each."""
    whole = _files("files/*/*.ipynb")()
    made = list(whole)
    for data in whole:
        value = json.loads(data)
        made.append(as_json({**value, "cells": [cell for cell in value["cells"] if cell["cell_type"] == "code"][:3]}))
    return made


def _graphs() -> list[bytes]:
    return [gzip.decompress(data) for data in _files("saved/graphs/*.gz")()]


def _configs() -> list[bytes]:
    return [*_files("saved/k*.json")(), *(_config_of(data) for data in _files("saved/*.keras")())]


def _config_of(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read("config.json")


def _programs() -> list[bytes]:
    return [data for data in _files("files/*/*.py", "demo/*.py", "files/*.py")() if len(data) < 12_000]


def _tables(*patterns: str) -> Callable[[], list[bytes]]:
    """Every text in TOML tables of the tests and fixtures: logs, lines."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    def texts(value: Any) -> list[str]:
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        own = [value] if isinstance(value, str) and len(value) > 40 else []
        return own + [text for one in inside for text in texts(one)]

    def found() -> list[bytes]:
        return [text.encode() for name in patterns for text in texts(tomllib.loads((ROOT / name).read_text("utf-8")))]

    return found


def _config_files() -> list[bytes]:
    return [
        b'target = ["keras@3.15:tensorflow"]\nselect = ["CDN1"]\nignore = ["activation"]\nfail-on = "error"\n',
        b'[per-file-ignores]\n"**/*.py" = ["CDN103"]\n[per-layer-ignores]\n"lstm*" = ["ALL"]\n',
        b'exclude = ["a/", "!b", "**/[x"]\nextend-exclude = ["*.py"]\nbaseline = "b.json"\nunsafe-fixes = true\n',
        b'[tool.cudnnlint]\ntarget = "all"\noutput-format = "json"\nextend-select = ["CDN203"]\n',
        b'[project]\nname = "x"\nrequires-python = ">=3.10"\ndependencies = ["keras>=3.1,<4", "tensorflow==2.16.*"]\n'
        b'[project.optional-dependencies]\ngpu = ["jax[cuda]>=0.4; python_version < \'3.12\'"]\n[tool.cudnnlint]\n',
        b'[tool.poetry.dependencies]\npython = "^3.10"\nkeras = {version = "^3.3", extras = ["a"]}\n',
        b"keras==3.15.1\ntensorflow>=2.16 ; python_version > '3.9'\n-r other.txt\n--hash=sha256:ab\n",
        b"name: x\ndependencies:\n  - python=3.11\n  - keras=3.8\n  - pip:\n    - tensorflow==2.19\n",
        b'[[package]]\nname = "keras"\nversion = "3.3.3"\n[[package]]\nname = "tensorflow"\nversion = "2.16.1"\n',
        b"from setuptools import setup\nsetup(install_requires=['keras>=2.1', *more])\n",
        b"[options]\ninstall_requires =\n    keras>=3\n    torch\n", b'{"default": {"keras": {"version": "==3.1.0"}}}',
    ]  # fmt: skip


def _reports() -> list[bytes]:
    outcomes = [
        pipeline.check(Request(("-",), Flags(jobs=1), data, name))
        for name, data in [("a.py", SOURCE.encode()), ("b.keras", (SAVED / "k3_nested.keras").read_bytes()),
                           ("c.ipynb", _files("files/keras/*.ipynb")()[0]), ("d.py", b"(")]
    ]  # fmt: skip
    made = []
    for outcome in outcomes:
        stream = io.StringIO()
        writer("report")(outcome.report, stream, Look())
        made.append(stream.getvalue().encode())
    return made


def _baselines() -> list[bytes]:
    outcome = pipeline.check(Request(("-",), Flags(jobs=1, baseline=""), SOURCE.encode(), "model.py"))
    return [baseline.written(Path("baseline.json"), outcome.judged).encode()]


# ---------------------------------------------------------------- how an input is changed


def _bytes(data: bytes, other: bytes, draw: Random) -> bytes:
    return flipped(data, draw)


def _python(data: bytes, other: bytes, draw: Random) -> bytes:
    """A program whose tokens or whose tree are changed, or one that is grown."""
    way = draw.random()
    if way < 0.25:
        return Grown(draw).program().encode("utf-8", "surrogatepass")
    if way < 0.8:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            made = spliced(data.decode(), other.decode(), draw)
            return made.encode("utf-8", "surrogatepass")
    return _text(data, other, draw)


@cache
def _layers() -> list[Any]:
    return layers_of(_configs())


def _config(data: bytes, other: bytes, draw: Random) -> bytes:
    """A configuration that is changed, or a graph of a few layers."""
    if draw.random() < 0.5:
        return _value(data, other, draw)
    made = woven(_layers(), draw)
    return as_json(reshaped(made, draw) if draw.random() < 0.4 else made)


def _text(data: bytes, other: bytes, draw: Random) -> bytes:
    if draw.random() < 0.1:
        return flipped(data, draw)
    text = rewritten(data.decode("utf-8", "replace"), other.decode("utf-8", "replace"), draw)
    return text.encode("utf-8", "surrogatepass" if draw.random() < 0.1 else "replace")


def _value(data: bytes, other: bytes, draw: Random) -> bytes:
    if draw.random() < 0.1:
        return flipped(data, draw)
    return as_json(reshaped(json.loads(data), draw))


def _notebook(data: bytes, other: bytes, draw: Random) -> bytes:
    if draw.random() < 0.4:
        return _value(data, other, draw)
    value = json.loads(data)
    cells = value["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    for _ in range(draw.choice([1, 2])):
        made = _python(draw.choice(sources).encode(), draw.choice(sources).encode(), draw)
        cells[draw.randrange(len(cells))]["source"] = made.decode("utf-8", "surrogatepass")
    return as_json(value)


def _archive(data: bytes, other: bytes, draw: Random) -> bytes:
    """The bytes of an archive, or one whose members are changed and whose checksums fit."""
    if draw.random() < 0.4:
        return flipped(data, draw)
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w", draw.choice([0, 0, 8, 8, 8, 12])) as new:
        for member in old.namelist():
            content = old.read(member)
            if member.endswith("config.json"):
                content = _config(content, b"", draw)
            elif draw.random() < 0.5:
                content = _value(content, b"", draw) if member.endswith(".json") else flipped(content, draw)
            if draw.random() > 0.03:
                new.writestr(draw.choice(["../x", "/x", member.upper()]) if draw.random() < 0.02 else member, content)
    return made.getvalue()


def _hdf5(data: bytes, other: bytes, draw: Random) -> bytes:
    """The bytes of a file, or one whose configuration is changed in place and keeps its length."""
    start = data.find(b'{"class_name"')
    start = start if start >= 0 else data.find(b'{"module"')
    if start < 0 or draw.random() < 0.5:
        return flipped(data, draw)
    try:
        value, size = json.JSONDecoder().raw_decode(data[start : start + 400_000].decode("latin-1"))
    except ValueError:
        return flipped(data, draw)
    value = woven(_layers(), draw) if draw.random() < 0.3 else reshaped(value, draw)
    new = as_json(value)[:size].ljust(size)
    return data[:start] + new + data[start + size :]


def _any_source(data: bytes, other: bytes, draw: Random) -> bytes:
    return _notebook(data, other, draw) if data.lstrip()[:1] == b"{" else _python(data, other, draw)


def _model(data: bytes, other: bytes, draw: Random) -> bytes:
    return (_archive if data[:2] == b"PK" else _hdf5)(data, other, draw)


_ARCHIVES = _files("saved/*.keras", "demo/*.keras")
_HDF5 = _files("saved/*.h5", "saved/legacy/*.h5", "hostile/*.h5")
_MODELS = _files("saved/*.keras", "saved/*.h5", "saved/legacy/*.h5")
_PLAIN_LOGS = _tables("fixtures/clinic/logs.toml", "tests/trainlog/lines.toml", "fixtures/clinic/unseen_5.toml")


def _logs() -> list[bytes]:
    """Return logs as they are, packed, and as a container stores them."""
    plain = _PLAIN_LOGS()
    stored = [
        b"2026-01-01T00:00:00Z stderr P " + log.replace(b"\n", b"\n2026-01-01T00:00:00Z stderr F ") for log in plain
    ]
    lines = [json.dumps({"log": log.decode(), "stream": "stderr"}).encode() for log in plain]
    return [*plain, *stored[::5], *lines[::5], *map(gzip.compress, plain[::9]), *map(lzma.compress, plain[::9])]


_BESIDE = ("pyproject.toml", "requirements.txt", "environment.yml", "setup.py", "setup.cfg", ".gitignore")

TARGETS = {
    one.name: one
    for one in (
        Target("keras", _ARCHIVES, _archive, _as("model.keras"), quick=60, share=1500, like=(".keras",)),
        Target("hdf5", _HDF5, _hdf5, _as("model.h5"), quick=100, share=4000, like=(".h5", ".hdf5")),
        Target("graph", _graphs, _bytes, _graph, quick=25, share=1000, like=("saved_model.pb",)),
        Target("config", _configs, _config, _as("model.json"), quick=60, share=1000, like=("model.json",)),
        Target("source", _programs, _python, _as("model.py"), quick=15, share=1000, like=(".py",)),
        Target("notebook", _small_books, _notebook, _as("model.ipynb"), quick=10, share=800, like=(".ipynb",)),
        Target("fix", lambda: [*_programs(), *_small_books()], _any_source, _fixed, quick=4, share=800,
               like=(".py", ".ipynb")),
        Target("noqa", _programs, _python, _noqa, quick=8, share=200, like=(".py",)),
        Target("convert", _MODELS, _model, _rewritten, True, quick=20, share=1500, like=(".keras", ".h5")),
        Target("settings", _config_files, _text, _settings, quick=20, share=500, like=_BESIDE),
        Target("log", _logs, _text, _log, quick=200, share=30_000),
        Target("baseline", _baselines, _value, _known, quick=20, share=200),
        Target("merge", _reports, _value, _merged, quick=60, share=4000),
        Target("server", lambda: [SOURCE.encode(), *_programs()], _text, _edited, quick=10, share=4000),
    )
}  # fmt: skip


@dataclass
class Maker:
    """The inputs of one target: each depends on the seed and its number alone."""

    target: Target
    seed: int
    folder: Path | None = None  # where further inputs to start from are
    seeds: list[bytes] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.seeds = self.target.seeds()
        if self.folder is not None and self.target.like:
            self.seeds = [*self.seeds, *given(self.folder, self.target.like)]
        assert self.seeds, self.target.name
        self.weights = list(accumulate(1 / (len(data) + 500) for data in self.seeds))  # small ones, for they are fast

    def made(self, number: int) -> tuple[bytes, Random]:
        """Input `number`, and the generator that `run` draws from."""
        draw = Random(f"{self.seed} {self.target.name} {number}")
        data, other = draw.choices(self.seeds, cum_weights=self.weights, k=2)
        for _ in range(draw.choice([1, 1, 1, 2])):
            try:
                data = self.target.change(data, other, draw)
            except (*DAMAGE, TypeError, LookupError, AttributeError):
                data = flipped(data, draw)  # what was damaged by the first change cannot be parsed for a second
        return data, draw


EXPECTED = (UnreadableInput, Refused)
