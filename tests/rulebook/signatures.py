"""Reads what the constructors of recurrent layers accept, from released wheels, by parsing alone.

    python tests/rulebook/signatures.py FOLDER_OF_WHEELS > fixtures/evidence/signatures.json

Fetch the wheels with `pip download --no-deps --only-binary=:all:` (for TensorFlow up to 2.5, which carries its own
Keras, with `--python-version 3.7 --platform manylinux2010_x86_64`). Nothing of them is installed or run.

For each class the chain of base classes is followed as Python would, and each `__init__` on the way gives its named
arguments, the keys that it takes out of `**kwargs`, and the keys that it names as allowed there. What a class hands
to the next one itself cannot be given by the caller. Equal answers are stored once.
"""

from __future__ import annotations

import ast
import json
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from packaging.utils import parse_wheel_filename

# Where each class stands, newest layout first: the first file that a wheel has and that defines the class counts.
RNN = "layers/rnn/"
PLACES: dict[str, tuple[tuple[str, str], ...]] = {
    "LSTM": ((RNN + "lstm.py", "LSTM"), ("layers/recurrent_v2.py", "LSTM"), ("layers/recurrent.py", "LSTM")),
    "GRU": ((RNN + "gru.py", "GRU"), ("layers/recurrent_v2.py", "GRU"), ("layers/recurrent.py", "GRU")),
    "SimpleRNN": ((RNN + "simple_rnn.py", "SimpleRNN"), ("layers/recurrent.py", "SimpleRNN")),
    "RNN": ((RNN + "rnn.py", "RNN"), (RNN + "base_rnn.py", "RNN"), ("layers/recurrent.py", "RNN")),
    "ConvLSTM1D": ((RNN + "conv_lstm1d.py", "ConvLSTM1D"), ("layers/convolutional_recurrent.py", "ConvLSTM1D")),
    "ConvLSTM2D": ((RNN + "conv_lstm2d.py", "ConvLSTM2D"), ("layers/convolutional_recurrent.py", "ConvLSTM2D")),
    "ConvLSTM3D": ((RNN + "conv_lstm3d.py", "ConvLSTM3D"), ("layers/convolutional_recurrent.py", "ConvLSTM3D")),
    "CuDNNLSTM": ((RNN + "cudnn_lstm.py", "CuDNNLSTM"), ("layers/cudnn_recurrent.py", "CuDNNLSTM")),
    "CuDNNGRU": ((RNN + "cudnn_gru.py", "CuDNNGRU"), ("layers/cudnn_recurrent.py", "CuDNNGRU")),
    "v1.LSTM": ((RNN + "lstm_v1.py", "LSTM"), ("layers/recurrent.py", "LSTM")),
    "v1.GRU": ((RNN + "gru_v1.py", "GRU"), ("layers/recurrent.py", "GRU")),
}
ROOTS = ("keras/src/", "tf_keras/src/", "keras/", "tensorflow_core/python/keras/", "tensorflow/python/keras/")


@dataclass
class Constructor:
    """One `__init__`: its arguments, what it takes out of `**kwargs`, and what it hands on itself."""

    defaults: dict[str, object] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    popped: dict[str, object] = field(default_factory=dict)
    allowed: set[str] = field(default_factory=set)
    open: bool = False
    handed: set[str] = field(default_factory=set)
    handed_first: int = 0  # how many by position; -1 hands on what it was given
    beyond: str = ""


class Source:
    """The Python files of one wheel, read and parsed when asked for."""

    def __init__(self, wheel: Path) -> None:
        self.archive = zipfile.ZipFile(wheel)
        names = set(self.archive.namelist())
        self.root = next(root for root in ROOTS if f"{root}layers/__init__.py" in names)
        self.names = names
        self.trees: dict[str, ast.Module] = {}

    def tree(self, path: str) -> ast.Module | None:
        """The parsed file, or None if the wheel has none of this name."""
        if path not in self.names:
            return None
        if path not in self.trees:
            self.trees[path] = ast.parse(self.archive.read(path))
        return self.trees[path]

    def defined(self, path: str, name: str) -> ast.ClassDef | None:
        """The class of this name in this file."""
        tree = self.tree(path)
        body = tree.body if tree else []
        return next((node for node in body if isinstance(node, ast.ClassDef) and node.name == name), None)

    def imported(self, path: str) -> dict[str, str]:
        """Name -> dotted name, for the imports at the top of a file."""
        tree = self.tree(path)
        found: dict[str, str] = {}
        for node in tree.body if tree else []:
            if isinstance(node, ast.ImportFrom) and node.module:
                above = path.split("/")[: -node.level] if node.level else []
                module = ".".join([*above, node.module])
                found.update({alias.asname or alias.name: f"{module}.{alias.name}" for alias in node.names})
        return found

    def old_names(self, node: ast.ClassDef) -> set[str]:
        """What standalone Keras still took under the names of Keras 1: a decorator converts them."""
        init = next(item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__")
        tree = self.tree(f"{self.root}legacy/interfaces.py")
        used = {ast.unparse(decorator).rpartition(".")[2] for decorator in init.decorator_list}
        found: set[str] = set()
        for made in tree.body if tree else []:
            if isinstance(made, ast.Assign) and ast.unparse(made.targets[0]) in used:
                given = {keyword.arg: keyword.value for keyword in made.value.keywords}
                found |= {old for old, _ in ast.literal_eval(given["conversions"])}
                before = [one for one in tree.body if getattr(one, "name", "") == ast.unparse(given["preprocessor"])]
                found |= {name for each in ast.walk(before[0]) for name in _asked(each)}
        return found

    def resolve(self, path: str, base: ast.expr) -> tuple[str, str] | None:
        """(file, class) of a base class, or None where it is not Keras's."""
        dotted = ast.unparse(base)
        head, _, rest = dotted.partition(".")
        if not rest and self.defined(path, dotted):
            return path, dotted
        full = self.imported(path).get(head, head) + (f".{rest}" if rest else "")
        module, _, name = full.rpartition(".")
        folder = module.replace(".", "/")
        if self.root.startswith("tensorflow_core/"):
            folder = folder.replace("tensorflow/", "tensorflow_core/", 1)
        file = f"{folder}.py"
        if f"{folder}/__init__.py" in self.names:  # a package that imports it
            file = self.imported(f"{folder}/__init__.py").get(name, "").rpartition(".")[0].replace(".", "/") + ".py"
        return (file, name) if self.defined(file, name) else None

    def chain(self, path: str, name: str) -> list[tuple[str, str]]:
        """The class and its bases in the order in which Python looks them up."""
        node = self.defined(path, name)
        assert node is not None, (path, name)
        bases = [found for base in node.bases if (found := self.resolve(path, base))]
        return [(path, name), *_merge([*(self.chain(*base) for base in bases), bases])]


def _asked(node: ast.AST) -> Iterator[str]:
    """The name of `"name" in kwargs` and of `kwargs.pop("name")`."""
    if isinstance(node, ast.Compare) and ast.unparse(node).endswith(" in kwargs"):
        yield ast.literal_eval(node.left)
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "kwargs.pop":
        yield ast.literal_eval(node.args[0])


def _merge(lists: list[list[tuple[str, str]]]) -> list[tuple[str, str]]:
    """Python's own linearisation (C3)."""
    merged: list[tuple[str, str]] = []
    rest = [list(each) for each in lists if each]
    while rest:
        head = next(each[0] for each in rest if not any(each[0] in other[1:] for other in rest))
        merged.append(head)
        rest = [left for each in rest if (left := [item for item in each if item != head])]
    return merged


def constructor(node: ast.ClassDef) -> Constructor | None:
    """What the `__init__` of a class takes, or None if it has none."""
    init = next((item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"), None)
    if init is None:
        return None
    found = Constructor(open=init.args.kwarg is not None)
    names = [arg.arg for arg in init.args.args][1:]
    missing = len(names) - len(init.args.defaults)
    found.required = names[: max(missing, 0)]
    found.defaults = dict(zip(names[max(missing, 0) :], map(literal, init.args.defaults), strict=True))
    for arg, default in zip(init.args.kwonlyargs, init.args.kw_defaults, strict=True):
        if default is None:
            found.required.append(arg.arg)
        else:
            found.defaults[arg.arg] = literal(default)
    for call in (each for each in ast.walk(init) if isinstance(each, ast.Call)):
        _read_call(call, found)
    for each in ast.walk(init):
        if isinstance(each, ast.Assign) and "allowed_kwargs" in ast.unparse(each.targets[0]):
            found.allowed |= set(literal_strings(each.value))
    return found


def _read_call(call: ast.Call, found: Constructor) -> None:
    function = ast.unparse(call.func)
    if function == "kwargs.pop" and isinstance(call.args[0], ast.Constant):
        found.popped[call.args[0].value] = literal(call.args[1]) if len(call.args) > 1 else None
    elif function.startswith("super(") and function.endswith(".__init__"):
        found.beyond = function.removeprefix("super(").partition(".__init__")[0].partition(",")[0].rstrip(")")
        given = [arg for arg in call.args if not isinstance(arg, ast.Starred)]
        found.handed_first = len(given) if len(given) == len(call.args) else -1
        found.handed |= {keyword.arg for keyword in call.keywords if keyword.arg}


def literal_strings(node: ast.expr) -> Iterator[str]:
    """Every string in an expression."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def literal(node: ast.expr) -> object:
    """A default as JSON can hold it: lists for tuples, {"expression": text} for what is no literal."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return {"expression": ast.unparse(node)}
    return list(value) if isinstance(value, tuple) else value


def accepted(source: Source, path: str, name: str) -> dict[str, object]:
    """Everything that a caller may give to a class: required, with a default, or taken without saying what for."""
    required: list[str] = []
    defaults: dict[str, object] = {}
    extra: set[str] = set()
    closed: set[str] = set()  # what a class hands on by itself
    position = 0
    beyond = ""  # a class may call the constructor behind another's: super(RNN, self).__init__
    for index, (file, class_name) in enumerate(source.chain(path, name)):
        if beyond:
            beyond = "" if beyond == class_name else beyond
            continue
        node = source.defined(file, class_name)
        init = constructor(node) if node else None
        if init is None:
            continue
        names = [*init.required, *init.defaults]
        closed |= set(names[:position])
        required += [each for each in init.required if index == 0 and each not in closed]
        for each, value in {**init.defaults, **init.popped}.items():
            if each not in closed and each not in required:
                defaults.setdefault(each, value)
        extra |= {each for each in init.allowed | source.old_names(node) if each not in closed}
        closed |= (init.handed - set(required)) | set(init.popped)
        position = init.handed_first if init.handed_first >= 0 else position
        beyond = init.beyond if init.beyond != class_name else ""
        if not init.open:
            break
    if "unit_forget_bias" not in defaults:
        extra -= {"forget_bias_init"}  # becomes unit_forget_bias, which stops the class
    return {"required": required, "defaults": defaults, "extra": sorted(extra - set(defaults) - set(required))}


def release(wheel: Path) -> tuple[str, str]:
    """(framework, version) of a wheel: "keras", "tf_keras" or "tensorflow"."""
    name, version, _, _ = parse_wheel_filename(wheel.name)
    return {"tf-keras": "tf_keras", "tensorflow-cpu": "tensorflow"}.get(name, name), str(version)


def read(wheel: Path) -> dict[str, dict[str, object]]:
    """Class -> what it accepts, for every recurrent class of one wheel."""
    source = Source(wheel)
    found: dict[str, dict[str, object]] = {}
    for name, places in PLACES.items():
        for file, class_name in places:
            path = str(PurePosixPath(source.root) / file)
            if name.startswith("v1.") and source.root in ("keras/src/", "keras/") and not _has_v1(source, file):
                continue
            if source.defined(path, class_name):
                found[name] = accepted(source, path, class_name)
                break
    return found


def _has_v1(source: Source, file: str) -> bool:
    """Keras 3 has a layers/rnn/lstm.py and no v1 class; Keras 2.6-2.8 have both in recurrent.py."""
    return file.endswith("_v1.py") or f"{source.root}layers/recurrent_v2.py" in source.names


def main(folder: Path) -> None:
    """Print the evidence for every wheel in `folder`."""
    stored: list[dict[str, object]] = []
    releases: dict[str, dict[str, int]] = {}
    for wheel in sorted(folder.glob("*.whl"), key=lambda path: (release(path)[0], parse_wheel_filename(path.name)[1])):
        classes: dict[str, int] = {}
        for name, answer in read(wheel).items():
            if answer not in stored:
                stored.append(answer)
            classes[name] = stored.index(answer)
        releases[" ".join(release(wheel))] = classes
    lines = ",\n".join("  " + json.dumps(answer) for answer in stored)
    table = ",\n".join(f"  {json.dumps(name)}: {json.dumps(classes)}" for name, classes in releases.items())
    sys.stdout.write(f'{{"signatures": [\n{lines}\n],\n"releases": {{\n{table}\n}}}}\n')


if __name__ == "__main__":
    main(Path(sys.argv[1]))
