# case: layers in the constructor, called in call
import keras
from keras import layers
class Model(keras.Model):
    def __init__(self, units, rate=0.1):
        super().__init__()
        self.units = units
        self.rnn = layers.LSTM(self.units, recurrent_dropout=rate)  #: LSTM(units=7, recurrent_dropout=0.1) @~none <-10
    def call(self, x):
        return self.rnn(x)
Model(7)
# case: nobody makes one
import keras
from keras import layers
class Model(keras.Model):
    def __init__(self, units, rate=0.1):
        super().__init__()
        self.rnn = layers.LSTM(units, recurrent_dropout=rate)  #: LSTM(units=?, recurrent_dropout=~0.1) @~none
    def call(self, x):
        return self.rnn(x)
# case: a subclass without its own constructor
from keras.layers import LSTM
class Mine(LSTM):
    pass
Mine(3, unroll=True)  #: LSTM:Mine(units=3, unroll=True)
# case: a subclass with its own constructor
from keras.layers import LSTM
class Mine(LSTM):
    def __init__(self, units, **kwargs):
        super().__init__(units, recurrent_dropout=0.3, **kwargs)  #: LSTM:Mine(units=3, recurrent_dropout=0.3, unroll=True) <-5
Mine(3, unroll=True)
# case: a subclass that nobody makes
from keras.layers import GRU
class Mine(GRU):
    def __init__(self, units, reset_after=False):
        super(Mine, self).__init__(units, reset_after=reset_after)  #: GRU:Mine(units=?, reset_after=~False)
# case: the old way to call the base
from keras.layers import GRU
class Mine(GRU):
    def __init__(self, units):
        GRU.__init__(self, units, unroll=True)  #: GRU:Mine(units=3, unroll=True) <-5
Mine(3)
# case: a subclass of a subclass
from keras.layers import LSTM
class A(LSTM):
    def __init__(self, units, **kw):
        super().__init__(units, **kw)  #: LSTM:B(units=3, unroll=True) <-6,7
class B(A):
    def __init__(self, units): super().__init__(units, unroll=True)
B(3)
# case: a base class with a hook
import keras
from keras.layers import LSTM
class Base:
    units = 3
    def build(self):
        return self.make()
    def make(self):
        raise NotImplementedError
class Small(Base):
    units = 5
    def make(self):
        return LSTM(self.units)  #: LSTM(units=5) <-6,13
Small().build()
# case: a property, a static method and a class method
from keras.layers import LSTM
class C:
    @property
    def units(self):
        return 9
    @staticmethod
    def rate():
        return 0.5
    @classmethod
    def make(cls):
        return LSTM(cls().units, recurrent_dropout=cls.rate())  #: LSTM(units=9, recurrent_dropout=0.5) <-12
C.make()
# case: class attributes as configuration
from keras.layers import LSTM
class Config:
    units = 4
    rate = 0.25
class Other(Config):
    rate = 0.0
cfg = Other()
LSTM(cfg.units, recurrent_dropout=cfg.rate)  #: LSTM(units=4, recurrent_dropout=0.0)
LSTM(Config.units, recurrent_dropout=Config.rate)  #: LSTM(units=4, recurrent_dropout=0.25)
# case: a dataclass
from dataclasses import dataclass, field
from keras.layers import LSTM
@dataclass
class Config:
    units: int = 4
    rate: float = 0.25
    sizes: list = field(default_factory=lambda: [1, 2])
c = Config(rate=0.0)
LSTM(c.units, recurrent_dropout=c.rate)  #: LSTM(units=4, recurrent_dropout=0.0)
LSTM(c.sizes[1])  #: LSTM(units=2)
# case: a dataclass that inherits, and is replaced and unpacked
import dataclasses
from keras.layers import LSTM
@dataclasses.dataclass(frozen=True)
class A:
    units: int = 4
@dataclasses.dataclass(frozen=True)
class B(A):
    unroll: bool = False
b = dataclasses.replace(B(8), unroll=True)
LSTM(**dataclasses.asdict(b))  #: LSTM(units=8, unroll=True)
# case: a named tuple
from typing import NamedTuple
from collections import namedtuple
from keras.layers import LSTM
class Size(NamedTuple):
    units: int
    rate: float = 0.1
P = namedtuple("P", "a b")
s = Size(3)
LSTM(s.units, recurrent_dropout=s.rate)  #: LSTM(units=3, recurrent_dropout=0.1)
n, r = Size(4, 0.2)
LSTM(n, recurrent_dropout=r)  #: LSTM(units=4, recurrent_dropout=0.2)
LSTM(P(1, 2).b)  #: LSTM(units=2)
# case: an enumeration
from enum import Enum
from keras.layers import LSTM, GRU
class Kind(Enum):
    LSTM = "lstm"
    GRU = "gru"
def make(kind):
    return LSTM(3) if kind == Kind.LSTM else GRU(3)  #: LSTM(units=3) <-8 ;; GRU(units=3) <-9
make(Kind.LSTM)
make(Kind("gru"))
# case: a simple namespace
from types import SimpleNamespace
from keras.layers import LSTM
c = SimpleNamespace(units=3)
c.rate = 0.5
LSTM(c.units, recurrent_dropout=c.rate)  #: LSTM(units=3, recurrent_dropout=0.5)
# case: an attribute set under a condition
import sys
from keras.layers import LSTM
class C:
    def __init__(self):
        self.rate = 0.0
        if len(sys.argv) > 1:
            self.rate = 0.5
LSTM(3, recurrent_dropout=C().rate)  #: LSTM(units=3, recurrent_dropout=0.5|0.0)
# case: layers in a list attribute
import keras
from keras.layers import LSTM
class M(keras.Model):
    def __init__(self, n=2):
        super().__init__()
        self.rnns = [LSTM(8, return_sequences=True) for _ in range(n)]  #: LSTM(units=8, return_sequences=True) @~none ;; LSTM(units=8, return_sequences=True) @~none
    def call(self, x):
        for rnn in self.rnns:
            x = rnn(x)
        return x
# case: layers made in build
import keras
from keras.layers import LSTM
class L(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units
    def build(self, shape):
        self.rnn = LSTM(self.units, unroll=True)  #: LSTM(units=5, unroll=True) @~none
    def call(self, x):
        return self.rnn(x)
L(5)
# case: the default of a config in the same class
from keras.layers import LSTM
class M:
    default = {"rnn": {"units": 3, "recurrent_dropout": 0.1}}
    def __init__(self, config=None):
        self.config = config or self.default
    def build(self):
        return LSTM(**self.config["rnn"])  #: LSTM(units=3, recurrent_dropout=0.1) <-8
M().build()
# case: a config that callers may pass
from keras.layers import LSTM
class M:
    def __init__(self, config):
        self.config = {"units": 3, **config}
    def build(self):
        return LSTM(**self.config)  #: LSTM(units=3|?, **?)
# case: methods call one another
from keras.layers import LSTM
class M:
    def build(self):
        return self._rnn(3)
    def _rnn(self, units):
        return LSTM(units)  #: LSTM(units=3) <-4
# case: setattr and getattr
from keras.layers import LSTM
class M:
    pass
m = M()
setattr(m, "rate", 0.5)
LSTM(3, recurrent_dropout=getattr(m, "rate", 0.0), dropout=getattr(m, "other", 0.1))  #: LSTM(units=3, recurrent_dropout=0.5, dropout=0.1)
# case: a subclass overrides call
from keras.layers import LSTM
class Mine(LSTM):
    def call(self, x, **kw):
        return super().call(x * 2, **kw)
Mine(3)  #: LSTM:Mine(units=3) @~none
# case: what kwargs a constructor pops
from keras.layers import LSTM
class Mine(LSTM):
    def __init__(self, *args, **kwargs):
        self.extra = kwargs.pop("extra", None)
        kwargs.setdefault("unroll", True)
        super().__init__(*args, **kwargs)  #: LSTM:Mine(units=3, unroll=True) <-7
Mine(3, extra=4)
# case: super() calls in a chain of own classes
import keras
from keras.layers import LSTM
class Base(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.rnn = LSTM(units)  #: LSTM(units=8) @none <-9,12
class Derived(Base):
    def __init__(self):
        super().__init__(8)
    def call(self, x):
        return self.rnn(x)
Derived().fit(1)
# case: from_config
from keras.layers import LSTM
LSTM.from_config({"units": 3, "unroll": True})  #: LSTM(units=3, unroll=True)
# case: nothing but a base class
from keras.layers import LSTM
class Mine(LSTM):
    pass
# case: a method that another method of the same object calls first
import keras
from keras import layers
class Net:
    def __init__(self):
        self.width = None
    def build(self):
        return layers.LSTM(self.width)  #: LSTM(units=8) <-12
    def prepare(self):
        self.width = 8
    def train(self, data):
        self.prepare()
        self.build()
# case: a list that holds itself, in a model that is saved
import keras
from keras import layers
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.rnn = layers.LSTM(3)  #: LSTM(units=3) @~none,saved='net.save("net.keras")' <-11
        self.parts = [self.rnn]
        self.parts.append(self.parts)
    def call(self, x):
        return self.rnn(x)
net = Net()
net.save("net.keras")
# case: what is set under a name that is not known may be any attribute
import json
import sys
from keras.layers import LSTM
class C:
    def __init__(self):
        self.y = 0.1
d = C()
setattr(d, sys.argv[1], 0.3)
LSTM(1, unroll=hasattr(d, "x"), recurrent_dropout=d.y)  #: LSTM(units=1, unroll=?, recurrent_dropout=0.1|0.3)
LSTM(2, recurrent_dropout=getattr(d, "x", 0.2))  #: LSTM(units=2, recurrent_dropout=0.3|0.2)
e = C()
e.__dict__.update(json.load(open("x")))
LSTM(3, unroll=hasattr(e, "x"), recurrent_dropout=e.y)  #: LSTM(units=3, unroll=?, recurrent_dropout=0.1|?)
f = C()
LSTM(4, unroll=hasattr(f, "x"), recurrent_dropout=f.y)  #: LSTM(units=4, unroll=False, recurrent_dropout=0.1)
# case: a decorator that asks whether it has a class
import functools
from keras.layers import LSTM
def noted(decorated):
    is_class = isinstance(decorated, type)
    wrapped = decorated.__init__ if is_class else decorated
    @functools.wraps(wrapped)
    def new(*args, **kwargs):
        return wrapped(*args, **kwargs)
    if is_class:
        decorated.__init__ = new
        return decorated
    return new
@noted
class Stack:
    def __init__(self, sizes, activation="tanh"):
        self.layers = [LSTM(size, activation=activation) for size in sizes]  #: LSTM(units=3, activation='relu') <-8,17 ;; LSTM(units=4, activation='tanh') <-8,18
Stack([3], "relu")
Stack([4])
# case: a field that the constructor does not take needs no default
import contextlib
from dataclasses import dataclass, field
from keras.layers import LSTM
@dataclass
class Config:
    units: int
    total: int = field(init=False)
    def __post_init__(self):
        self.total = self.units * 3
with contextlib.suppress(StopIteration):
    LSTM(Config(5).total)  #: LSTM(units=15)
# case: an end of an ordered dict that is not known
from collections import OrderedDict
from keras.layers import LSTM
from shop import same
first, second, third = (OrderedDict(a=20, b=15) for _ in range(3))
LSTM(first.popitem(last=same(False))[1])  #: LSTM(units=?)
second.move_to_end("a", last=same(1))
LSTM(list(second.values())[0])  #: LSTM(units=20|?|15)
LSTM(third.popitem(last=False)[1])  #: LSTM(units=20)
# case: a base class from elsewhere may set over what the class sets
from keras.layers import LSTM
from elsewhere import Base
class Net(Base):
    rate = 0.0
    def make(self):
        return LSTM(3, recurrent_dropout=self.rate)  #: LSTM(units=3, recurrent_dropout=0.0|?) <-7
Net().make()
# case: what is not followed may set over what the class sets
from keras.layers import LSTM
from elsewhere import fill
class Net:
    rate = 0.0
    def __init__(self):
        fill(self)
        LSTM(3, recurrent_dropout=self.rate)  #: LSTM(units=3, recurrent_dropout=0.0|?) <-8
Net()
# case: a method that is chosen by the class of its argument
import functools
from keras.layers import LSTM
class Builder:
    @functools.singledispatchmethod
    def make(self, x):
        return LSTM(1)  #: LSTM(units=1) <-16
    @make.register
    def _(self, x: int):
        return LSTM(x)  #: LSTM(units=7) <-15,17 ;; LSTM(units=5) <-16 ;; LSTM(units=9) <-20,21
    @make.register(str)
    def _(self, x):
        return LSTM(len(x), unroll=True)  #: LSTM(units=2, unroll=True) <-15,17
    @make.register
    def _(self, x: list):
        return [self.make(one) for one in x]
Builder().make(5), Builder().make(None)
Builder().make([7, "ab"])
class Lower(Builder):
    def make(self, x):
        return super().make(x)
Lower().make(9)
# case: the fields of a dataclass that takes them by name alone are none of the positional ones
from dataclasses import dataclass, field
from keras.layers import LSTM
@dataclass(kw_only=True)
class Base:
    unroll: bool = False
    extra: dict = field(default_factory=dict)
@dataclass
class Sub(Base):
    units: int
    rate: float = field(default=0.5, kw_only=True)
    name: str = "a"
made = Sub(5, "b", unroll=True)
LSTM(made.units, unroll=made.unroll, recurrent_dropout=made.rate, name=made.name)  #: LSTM(units=5, unroll=True, recurrent_dropout=0.5, name='b')
@dataclass
class Again(Base):
    unroll: bool = True
made = Again(False)
LSTM(1, unroll=made.unroll)  #: LSTM(units=1, unroll=False)
# case: a constructor that is a partialmethod
import functools
from keras import layers
class Mine(layers.GRU):
    __init__ = functools.partialmethod(layers.GRU.__init__, reset_after=False)
Mine(4)  #: GRU:Mine(units=4, reset_after=False)
# case: the constructor of Keras is replaced, and a class inherits it
import keras
class Base(keras.layers.LSTM):
    pass
class Own(keras.layers.LSTM):
    def __init__(self, units):
        super().__init__(units, unroll=True)
first = keras.layers.LSTM.__init__
def init(self, *given, **named):
    named["use_bias"] = False
    first(self, *given, **named)  #: LSTM:Own(units=4, unroll=True, use_bias=False) <-6,13 ;; LSTM:Base(units=3, use_bias=False) <-12
keras.layers.LSTM.__init__ = init
Base(3)
Own(4)
keras.layers.LSTM.__init__ = first
Base(5)  #: LSTM:Base(units=5)
# case: sum() calls what the class of an object says
from keras.layers import LSTM
seen = []
class Part:
    def __init__(self, size):
        self.size = size
    def __radd__(self, other):
        seen.append(self.size)
        return other + self.size
LSTM(sum([Part(2), Part(3)]), unroll=len(seen) == 2)  #: LSTM(units=5, unroll=True)
# case: a method that nothing calls may be called on any object of its class
from keras.layers import LSTM
class Net:
    def __init__(self, unroll):
        self.unroll, self.units = unroll, 4
    def build(self):
        return LSTM(self.units, unroll=self.unroll)  #: LSTM(units=4, unroll=True|False)
first, second = Net(True), Net(False)
