# case: a star import takes the place of a name that was bound before
import keras
from keras import layers
def GRU(n):
    return layers.GRU(n, use_bias=False)  #: GRU(units=?, use_bias=False)
class Own:
    def __call__(self, n):
        return layers.LSTM(n, unroll=True)  #: LSTM(units=3, unroll=True) <-11
Mine = Own()
from keras.layers import *
GRU(2)  #: GRU(units=2)
Mine(3)
# case: getattr with a default, for a name that no release of Keras has
import keras
from keras import layers
getattr(keras.layers, "Nope", keras.layers.LSTM)(2)  #: LSTM(units=2)
getattr(layers, "GRU", keras.layers.LSTM)(3)  #: GRU(units=3)
(getattr(layers, "nope", None) or layers.LSTM)(4)  #: LSTM(units=4)
# case: what is behind a chain of iterators is built when it is asked for
import itertools
from keras.layers import GRU, LSTM
ACT = "tanh"
chained = itertools.chain((LSTM(n, activation=ACT) for n in (1, 2)), map(lambda n: GRU(n, activation=ACT), [3]))  #: LSTM(units=1, activation='relu') ;; LSTM(units=2, activation='relu') ;; GRU(units=3, activation='relu') <-10
flat = itertools.chain.from_iterable([(LSTM(n, activation=ACT) for n in (4,))])  #: LSTM(units=4, activation='relu')
mapped = itertools.starmap(lambda n: GRU(n, activation=ACT), [(5,)])  #: GRU(units=5, activation='relu') <-12
grouped = itertools.groupby((LSTM(n, activation=ACT) for n in (6,)), key=lambda layer: layer.units)  #: LSTM(units=6, activation='relu')
longest = itertools.zip_longest((LSTM(n, activation=ACT) for n in (7,)), [1, 2])  #: LSTM(units=7, activation='relu')
ACT = "relu"
list(chained)
list(flat)
list(mapped)
list(grouped)
list(longest)
# case: a generator's layer is built where an item is asked for
from keras.layers import GRU
def stack(n):
    for k in range(n):
        yield GRU(k + 1)  #: GRU(units=1) <-8,17 ;; GRU(units=1) <-8,17 ;; GRU(units=1) <-12 ;; GRU(units=2) <-14 ;; GRU(units=3) <-14 ;; GRU(units=1) <-19 ;; GRU(units=1) <-19
        done = k
def both():
    for n in (1, 1):
        yield from stack(n)
        print(n)
made = stack(3)
print("later")
first = next(made)
print("later still")
for layer in made:
    pass
several = both()
rest = list(several)
one, other = stack(1), stack(1)
for a, b in zip(one, other):
    pass
# case: eval is no call that leads to a layer
from keras import layers
eval("layers.LSTM(3)")  #: LSTM(units=3)
# case: a pattern with groups that are named or not there
import re
from keras import layers
P = re.compile(r"^(?P<bi>bi-)?(?P<kind>\w+):(?P<units>\d+)(?:,(?P<act>\w+))?(?:,(?P<rate>[\d.]+))?$")
for token in "lstm:8,relu;gru:4;bi-lstm:3,tanh,0.2".split(";"):
    found = P.match(token)
    layers.LSTM(int(found["units"]), activation=found["act"] or "tanh", recurrent_dropout=float(found["rate"] or 0), unroll=bool(found["bi"]))  #: LSTM(units=8, activation='relu', recurrent_dropout=0.0, unroll=False) ;; LSTM(units=4, activation='tanh', recurrent_dropout=0.0, unroll=False) ;; LSTM(units=3, activation='tanh', recurrent_dropout=0.2, unroll=True)
# case: a visitor by the name of the class
from keras import layers
class Visitor:
    def visit(self, node):
        return getattr(self, "visit_" + type(node).__name__, self.generic)(node)
    def visit_int(self, n):
        return layers.LSTM(n)  #: LSTM(units=3) <-4,13
    def visit_tuple(self, n):
        return layers.GRU(*n)  #: GRU(units=2) <-4,13
    def visit_dict(self, n):
        return layers.LSTM(**n)  #: LSTM(units=4, unroll=True) <-4,13
    def generic(self, n):
        return layers.Activation(n)
for node in [3, (2,), {"units": 4, "unroll": True}, "relu"]: Visitor().visit(node)
# case: options that decorators leave on a function
import functools
from keras import layers
def option(name, **settings):
    def decorate(f):
        options = getattr(f, "_options", [])
        options.append((name, settings))
        f._options = options
        return f
    return decorate
def logged(f):
    @functools.wraps(f)
    def inner(**given):
        return f(**given)
    return inner
@logged
@option("units", default=3)
@option("rate", default=0.1)
def train(units, rate):
    return layers.LSTM(units, recurrent_dropout=rate)  #: LSTM(units=3, recurrent_dropout=0.1) <-13,20
train(**{name: settings["default"] for name, settings in train._options})
layers.GRU(2, unroll=hasattr(train, "_options"), use_bias=hasattr(option, "_options"))  #: GRU(units=2, unroll=True, use_bias=False)
# case: hasattr of an object whose class has __getattr__
from keras import layers
class Flags:
    def __init__(self):
        object.__setattr__(self, "values", {})
    def __getattr__(self, name):
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name)
    def __setattr__(self, name, value):
        self.values[name] = value
flags = Flags()
flags.act = "tanh"
layers.GRU(2, reset_after=hasattr(flags, "act"), unroll=hasattr(flags, "nope"))  #: GRU(units=2, reset_after=True, unroll=False)
# case: a registry that is a dict and is called
from keras import layers
class Registry(dict):
    def __call__(self, key):
        def decorate(item):
            self[key.lower()] = item
            return item
        return decorate
    def __getitem__(self, key):
        return super().__getitem__(key.lower())
R = Registry(plain=layers.LSTM)
@R("Stack")
def stack(units, **kw):
    return layers.GRU(units, **kw)  #: GRU(units=3, unroll=True) <-14
R["STACK"](3, unroll=True)
R["Plain"](4)  #: LSTM(units=4)
# case: what an exception says, passed on
from keras import layers
class ConfigError(Exception):
    def __init__(self, message, instead):
        super().__init__(message)
        self.instead = instead
def read(config, key):
    try:
        return config[key]
    except KeyError as error:
        raise ConfigError(f"no {error}", {"act": "tanh"}[error.args[0]]) from error
    finally:
        config["reads"] = config.get("reads", 0) + 1
config = {"units": 3}
try:
    act = read(config, "act")
except ConfigError as error:
    act = error.instead
    text = str(error)
layers.LSTM(read(config, "units"), activation=act)  #: LSTM(units=3, activation='tanh')
layers.GRU(2, unroll=config["reads"] == 2, use_bias=text == "no 'act'")  #: GRU(units=2, unroll=True, use_bias=True)
# case: settings that a layer shows, given or not
from keras import layers
base = layers.LSTM(6, recurrent_dropout=0.2, return_sequences=True)  #: LSTM(units=6, recurrent_dropout=0.2, return_sequences=True)
layers.LSTM(base.units, activation=base.activation, unroll=base.go_backwards)  #: LSTM(units=6, activation=keras.activations.tanh, unroll=False)
layers.GRU(2, reset_after=not base.use_bias, unroll=base.return_sequences or base.stateful)  #: GRU(units=2, reset_after=False, unroll=True)
layers.GRU(3, recurrent_dropout=base.dropout, use_bias=base.use_bias)  #: GRU(units=3, recurrent_dropout=0.0, use_bias=True)
layers.GRU(4, unroll=base.activation == "tanh")  #: GRU(units=4, unroll=False)
# case: the class's own descriptors
from keras import layers
class Typed:
    def __set_name__(self, owner, name):
        self.name = "_" + name
    def __init__(self, default):
        self.default = default
    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name, self.default)
class Settings:
    units = Typed(3)
    activation = Typed("tanh")
    def as_dict(self):
        return {name: getattr(self, name) for name, one in vars(type(self)).items() if isinstance(one, Typed)}
layers.LSTM(**Settings().as_dict())  #: LSTM(units=3, activation='tanh')
# case: the arguments of an exception are those that its class passes on
from keras import layers
class Passed(Exception):
    def __init__(self, message, instead):
        super().__init__(message)
class Kept(Exception):
    def __init__(self, message, instead):
        self.instead = instead
for kind in (Passed, Kept):
    try:
        raise kind("a", "b")
    except kind as error:
        layers.GRU(len(error.args), unroll=str(error) == "a")  #: GRU(units=1, unroll=True) ;; GRU(units=2, unroll=False)
# case: private attributes belong to the class that they are written in
from keras.layers import GRU, LSTM
class Base:
    __kind = "tanh"
    __made = 0
    def __init__(self, slow):
        self.__slow = slow
        Base.__made += 1
    def __make(self, n):
        return LSTM(n, activation=self.__kind, unroll=self.__slow)  #: LSTM(units=1, activation='tanh', unroll=False) <-11,27
    def first(self):
        return self.__make(1)
    @property
    def made(self):
        return Base.__made
class Heir(Base):
    __kind = "relu"
    def __init__(self, slow):
        super().__init__(not slow)
        self.__slow = slow
    def __make(self, n):
        slow = lambda: self.__slow
        return GRU(n, activation=self.__kind, unroll=slow())  #: GRU(units=2, activation='relu', unroll=True) <-24,28
    def second(self):
        return self.__make(2)
heir = Heir(True)
print(heir)
heir.first()
heir.second()
LSTM(heir.made, unroll=heir._Base__slow, use_bias=heir._Heir__slow, activation="tanh" if hasattr(heir, "__slow") else "relu")  #: LSTM(units=1, unroll=False, use_bias=True, activation='relu')
# case: slice objects, and a class that is a sequence
from keras.layers import GRU, LSTM
cut = slice(1, None)
LSTM([1, 2, 3][cut][0], unroll=(1, 2, 3)[cut] != (2, 3))  #: LSTM(units=2, unroll=False)
LSTM(cut.start, unroll="tanh"[slice(2)] == "ta")  #: LSTM(units=1, unroll=True)
class Meta(type):
    def __iter__(cls):
        yield from cls.sizes
class Sizes(metaclass=Meta):
    sizes = (3, 4)
for size in Sizes: GRU(size)  #: GRU(units=3) ;; GRU(units=4)
# case: what compress selects is built when it is asked for
import itertools
from keras.layers import LSTM
unroll = False
chosen = itertools.compress((LSTM(n, unroll=unroll) for n in (1, 2)), [1, 0])  #: LSTM(units=1, unroll=True) ;; LSTM(units=2, unroll=True)
unroll = True
list(chosen)
# case: a copy made without its constructor
import copy
from keras.layers import LSTM
class Settings:
    def __init__(self, units, slow):
        self.units, self.opts = units, {"unroll": slow}
    def __deepcopy__(self, memo):
        kind = self.__class__
        made = kind.__new__(kind)
        for name, value in self.__dict__.items():
            setattr(made, name, copy.deepcopy(value, memo))
        return made
    def __copy__(self):
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made
    def build(self):
        return LSTM(self.units, **self.opts)  #: LSTM(units=1, unroll=True) <-22 ;; LSTM(units=2, unroll=False) <-23 ;; LSTM(units=1, unroll=True) <-24
first = Settings(1, True)
second = copy.deepcopy(first)
third = copy.copy(first)
second.units, second.opts["unroll"] = 2, False
first.build()
second.build()
third.build()
# case: parts of an object that is cut, and a module that is loaded when it is used
import importlib, types
from keras import layers
class Units:
    def __init__(self, items):
        self.items = items
    def __getitem__(self, key):
        return Units(self.items[key]) if isinstance(key, slice) else self.items[key]
class Lazy(types.ModuleType):
    def __init__(self, name):
        super().__init__(name)
        self._name = name
    def __getattr__(self, item):
        return getattr(importlib.import_module(self._name), item)
lazy = Lazy("keras.layers")
lazy.GRU(Units([1, 2, 3])[1:][0])  #: GRU(units=2)
# case: classes that say themselves what belongs to them
from abc import ABC
from typing import Protocol, runtime_checkable
from keras import layers
class Built:
    def build(self): pass
@runtime_checkable
class Builds(Protocol):
    def build(self): ...
class Known(ABC): pass
Known.register(Built)
class Hooked(ABC):
    @classmethod
    def __subclasshook__(cls, other):
        return hasattr(other, "build")
layers.LSTM(1, unroll=isinstance(Built(), Builds))  #: LSTM(units=1, unroll=?)
layers.LSTM(2, unroll=isinstance(Built(), Known), use_bias=issubclass(Built, Hooked))  #: LSTM(units=2, unroll=?, use_bias=?)
# case: a dict that is set as the attributes of an object
from keras.layers import LSTM
class Settings:
    def __init__(self, given):
        self.__dict__ = given
given = {"units": 3, "slow": True}
settings = Settings(given)
LSTM(settings.units, unroll=settings.slow)  #: LSTM(units=3, unroll=True)
settings.units = 4
LSTM(given["units"], unroll="units" in vars(settings), use_bias=hasattr(settings, "zz"))  #: LSTM(units=4, unroll=True, use_bias=False)
class Shared:
    _state = {}
    def __init__(self):
        self.__dict__ = self._state
Shared().units = 9
LSTM(Shared().units, unroll="units" in Shared().__dict__)  #: LSTM(units=9, unroll=True)
# case: a function that calls itself where it fails is not followed again and again where it may fail
from keras.layers import GRU, LSTM
def make(kind):
    try:
        return {"a": LSTM}[kind](5)  #: LSTM(units=5) <-6,7
    except KeyError:
        return make("a")
make("z")
# case: a configuration shows all its attributes but those of Python
from keras.layers import LSTM
class Base:
    UNITS = 4
    act = "relu"
    def __init__(self): self.rate = 0.5
    def shown(self):
        return {a: getattr(self, a) for a in dir(self) if not a.startswith("__") and not callable(getattr(self, a))}
class Small(Base):
    UNITS = 3
s = Small().shown()
LSTM(s["UNITS"], activation=s["act"], recurrent_dropout=s["rate"], use_bias=len(s) == 3)  #: LSTM(units=3, activation='relu', recurrent_dropout=0.5, use_bias=True)
listed = []
for name in dir(Small):
    if name.startswith("_"):
        continue
    listed.append(name)
LSTM(len(listed), use_bias=len(dir(Small)) > 9)  #: LSTM(units=3, use_bias=?)
# case: a text that is a literal, or itself
import ast, json
from keras.layers import LSTM
def parsed(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
LSTM(parsed("7"), activation=parsed("relu"), use_bias=parsed("1 +") == "1 +")  #: LSTM(units=7, activation='relu', use_bias=True)
try:
    units = json.loads("{")
except KeyError:
    units = 1
except json.JSONDecodeError:
    units = 2
LSTM(units)  #: LSTM(units=2)
# case: settings that are given as a text, each of the kind that its default has
from keras.layers import LSTM
class Settings:
    def __init__(self, **given): self.values = dict(given)
    def parse(self, text):
        for item in text.split(","):
            name, _, value = item.partition("=")
            kind = type(self.values[name])
            self.values[name] = value.lower() == "true" if kind is bool else kind(value)
        return self.values
s = Settings(n=1, act="tanh", seq=False, rate=0.1).parse("n=4,act=relu,seq=True,rate=0.5")
LSTM(s["n"], activation=s["act"], use_bias=s["seq"], dropout=s["rate"])  #: LSTM(units=4, activation='relu', use_bias=True, dropout=0.5)
# case: variables of the environment that a test sets for a while
import os
from unittest import mock
from keras.layers import LSTM
os.environ["UNITS"] = "3"
with mock.patch.dict(os.environ, {"UNITS": "4", "ACT": "relu"}):
    LSTM(int(os.environ["UNITS"]), activation=os.getenv("ACT"), name=os.environ.get("NAME", "x"))  #: LSTM(units=4, activation='relu', name=?)
@mock.patch.dict("os.environ", UNITS="5")
def inside():
    return int(os.environ["UNITS"])
LSTM(inside())  #: LSTM(units=5)
LSTM(int(os.environ["UNITS"]), activation=os.getenv("ACT"))  #: LSTM(units=3, activation=?)
# case: the folders of a path
import os
from pathlib import Path
from keras.layers import LSTM
p = Path("runs/lstm_16/best.h5")
LSTM(len(p.parents), name=p.parents[0].name, use_bias=str(p).split(os.sep)[0] == "runs")  #: LSTM(units=3, name='lstm_16', use_bias=True)
# case: small arrays
import numpy as np
from keras.layers import LSTM
LSTM(int(np.unique([3, 1, 3])[-1]), use_bias=len(np.unique([1, 1])) == 1)  #: LSTM(units=3, use_bias=True)
LSTM(int(np.concatenate([[1, 2], np.array([7])])[2]), use_bias=bool(np.full(3, 7)[0] == 7))  #: LSTM(units=7, use_bias=True)
LSTM(int(np.argmax([1, 9, 2])) + int(np.clip(50, 1, 3)), use_bias=int(np.cumsum([1, 2, 3])[-1]) == 6)  #: LSTM(units=4, use_bias=True)
LSTM(int(np.sort([3, 1, 2])[0]) + int(np.diff([1, 4, 9])[1]) + int(np.flip([1, 2])[0]))  #: LSTM(units=8)
LSTM(int(np.append([1, 2], 3)[2]), use_bias=int(np.argmin([[3, 1], [0, 2]])) == 2)  #: LSTM(units=3, use_bias=?)
# case: names that Python 2 had
from keras.layers import LSTM
try:
    string_types = basestring
except NameError:
    string_types = str
LSTM(3, use_bias=isinstance("a", string_types))  #: LSTM(units=3, use_bias=True)
try:
    display
    units = 4
except NameError:
    units = 5
LSTM(units)  #: LSTM(units=4|5)
# case: classes and functions among the names of a module
import inspect
from keras.layers import LSTM
class Part: pass
def make(): pass
found = [name for name, value in [("Part", Part), ("make", make), ("n", 3)] if inspect.isclass(value)]
LSTM(len(found), use_bias=inspect.isfunction(make) and not inspect.isfunction(Part))  #: LSTM(units=1, use_bias=True)
