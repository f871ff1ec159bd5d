"""Stand-ins for what a file imports: a Keras that records its recurrent layers, and values that nobody knows.

Every name of Keras is a class that takes anything. Of any other package a class can be inherited from, and everything
else is an `Unknown`, with which a program can do whatever it does with a real value. A branch on an `Unknown` is
drawn, so that another seed may take the other way.
"""

from __future__ import annotations

import abc
import importlib.abc
import importlib.machinery
import opcode
import os
import random
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any

from named_calls import LAYERS

#: The modules under which Keras is found.
KERAS = (
    "keras", "tf_keras", "tensorflow.keras", "tensorflow.python.keras", "tensorflow.contrib.keras",
    "tensorflow.compat.v1.keras", "tensorflow.compat.v2.keras",
)  # fmt: skip
CELLS = frozenset(("LSTMCell", "GRUCell", "SimpleRNNCell", "StackedRNNCells"))
#: What `from keras.layers import *` gives besides.
OTHERS = (
    "Activation", "Add", "Attention", "BatchNormalization", "Bidirectional", "Concatenate", "Conv1D", "Conv2D",
    "Dense", "Dropout", "Embedding", "Flatten", "GlobalMaxPooling1D", "Input", "Lambda", "Layer",
    "LayerNormalization", "Masking", "MaxPooling1D", "MaxPooling2D", "Multiply", "Permute", "RepeatVector",
    "Reshape", "TimeDistributed",
)  # fmt: skip
#: What the release is asked for gives.
VERSIONS = {"keras": "3.15.1", "tensorflow": "2.21.0", "tensorflow.keras": "3.15.1", "tf_keras": "2.21.0"}


class _Anything(abc.ABCMeta):
    """The class of all stand-ins for classes: it has every attribute."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Unknown()

    def __iter__(cls) -> Iterator[Any]:
        return iter(Unknown())

    def __getitem__(cls, key: Any) -> Any:
        return Unknown()

    def __instancecheck__(cls, one: Any) -> bool:
        if type(one) is Unknown and cls is not Unknown:
            return drawn()
        return type.__instancecheck__(cls, one)


class Unknown(metaclass=_Anything):
    """A value that nobody knows."""

    def __init__(self, *given: Any, **named: Any) -> None:
        pass

    def __init_subclass__(cls, **named: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name in ("__name__", "__version__", "__file__"):
            return UnknownText("unknown")
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Unknown()

    def __call__(self, *given: Any, **named: Any) -> Any:
        decorates = len(given) == 1 and not named and isinstance(given[0], (types.FunctionType, type))
        return given[0] if decorates else Unknown()

    def __iter__(self) -> Iterator[Any]:
        return iter([Unknown() for _ in range(_unpacked(sys._getframe(1)) or len(self))])

    def __next__(self) -> Any:
        if drawn():
            raise StopIteration
        return Unknown()

    def __getitem__(self, key: Any) -> Any:
        return Unknown()

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __delitem__(self, key: Any) -> None:
        pass

    def __contains__(self, key: Any) -> bool:
        return drawn()

    def __bool__(self) -> bool:
        return drawn()

    def __len__(self) -> int:
        return 2 + _seed

    def __int__(self) -> int:
        return 3 + _seed

    __index__ = __int__

    def __float__(self) -> float:
        return 0.5 + _seed / 8

    def __str__(self) -> str:
        return "unknown"

    def __format__(self, spec: str) -> str:
        return "unknown"

    def __fspath__(self) -> str:
        return "unknown"

    def __hash__(self) -> int:
        return id(self)

    def __enter__(self) -> Any:
        return Unknown()

    def __exit__(self, *raised: Any) -> bool:
        return False

    def __mro_entries__(self, bases: Sequence[Any]) -> tuple[type, ...]:
        return (Base,)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce__(self) -> Any:
        return Unknown, ()

    def __dir__(self) -> list[str]:
        return []

    def keys(self) -> list[str]:
        """Let `**unknown` pass."""
        return ["unknown"]


for _operator in (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift",
):  # fmt: skip
    for _form in ("__{}__", "__r{}__"):
        setattr(Unknown, _form.format(_operator), lambda self, *others: Unknown())
for _operator in ("neg", "pos", "invert", "abs", "lt", "le", "gt", "ge", "eq", "ne", "round", "divmod"):
    setattr(Unknown, f"__{_operator}__", lambda self, *others: Unknown())


class UnknownText(str):
    """A text that nobody knows, where Python itself demands a text."""


class Base(Unknown):
    """A class of a package."""


class Layer(Base):
    """A class of Keras: what it was given can be asked for."""

    def __init__(self, *given: Any, **named: Any) -> None:
        self.__dict__["given"] = named

    def __getattr__(self, name: str) -> Any:
        given = self.__dict__.get("given", {})
        return given[name] if name in given else Unknown.__getattr__(self, name)


class Recurrent(Layer):
    """A recurrent layer of Keras: `made` is told of each."""

    kind = ""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        _made(type(self).kind, given, named, sys._getframe(1))


class _Package(types.ModuleType):
    """A module of a package that is not run."""

    def __getattr__(self, name: str) -> Any:
        if name == "__version__":
            return VERSIONS.get(self.__name__, UnknownText("unknown"))
        if name == "__all__" and _in_keras(self.__name__) and self.__name__.endswith("layers"):
            return sorted((*LAYERS, *CELLS, *OTHERS))
        if name == "__all__":
            starred.append(self.__name__)
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        found = sys.modules.get(f"{self.__name__}.{name}") or _standing(self.__name__, name)
        self.__dict__[name] = found
        return found

    def __call__(self, *given: Any, **named: Any) -> Any:
        return Unknown()

    def __iter__(self) -> Iterator[Any]:
        return iter(Unknown())

    def __getitem__(self, key: Any) -> Any:
        return Unknown()


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a stand-in for every module that is neither in the repository nor in the standard library."""

    def __init__(self, real: Sequence[str], own: Any) -> None:
        self.real, self.own = real, own

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        found = self.own(name, path)
        top = name.partition(".")[0]
        if found is not None or top in self.real or top in sys.stdlib_module_names:
            return found
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> Any:
        return _package(spec.name)

    def exec_module(self, module: Any) -> None:
        pass


#: Packages of which everything was imported by `*`: any name may come from them.
starred: list[str] = []
_seed = 0
_random = random.Random(0)
_classes: dict[str, type] = {}
_made: Any = None


def begin(seed: int, made: Any) -> None:
    """Draw with this seed from now on; `made` is told of each recurrent layer: class, arguments, names, frame."""
    global _seed, _made
    _seed, _made = seed, made
    _random.seed(seed)


def drawn() -> bool:
    """Return a truth value that nobody knows."""
    return _random.random() < 0.5


def _in_keras(name: str) -> bool:
    return any(name == top or name.startswith(f"{top}.") for top in KERAS)


def _package(name: str) -> _Package:
    made = _Package(name)
    made.__path__ = []
    return made


def _standing(module: str, name: str) -> Any:
    """Return what stands for a name of a module."""
    whole = f"{module}.{name}"
    if _in_keras(whole):
        if name in LAYERS and ".layers" in f"{module}.":
            return _classes.setdefault(name, type(name, (Recurrent,), {"kind": name, "__module__": module}))
        if not name[:1].islower():
            return _classes.setdefault(name, type(name, (Layer,), {"__module__": module}))
    if _in_keras(whole) or any(top.startswith(f"{whole}.") for top in KERAS):
        return sys.modules.setdefault(whole, _package(whole))
    return type(name, (Base,), {"__module__": module}) if name[:1].isupper() else Unknown()


def _unpacked(frame: types.FrameType | None) -> int | None:
    """Return how many values the program wants of an iterable, if it unpacks it."""
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    if frame is None:
        return None
    name, count = opcode.opname[frame.f_code.co_code[frame.f_lasti]], frame.f_code.co_code[frame.f_lasti + 1]
    return {"UNPACK_SEQUENCE": count, "UNPACK_EX": count + 1}.get(name)


def own_module(root: str, loader: type) -> Any:
    """Return a function that finds the modules of a repository, loaded by `loader`."""

    def find(name: str, path: Any) -> Any:
        spec = importlib.machinery.PathFinder.find_spec(name, path or [p for p in sys.path if p.startswith(root)])
        if spec is None or not (spec.origin or os.path.join(root, "")).startswith(root):
            return None
        if spec.origin and spec.origin.endswith(".py"):
            spec.loader = loader(name, spec.origin)
        return spec

    return find
