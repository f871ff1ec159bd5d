# ruff: noqa
from keras.layers import LSTM
import math, os, json, functools, itertools, collections, operator, string, copy, enum, dataclasses
class P:
    k = 3
    def __init__(self, a=1, *rest, **more):
        self.a = a
        self.rest = rest
        self.more = more
    def m(self, x=2):
        return self.a + x
    @property
    def p(self):
        return self.a * 2
    @staticmethod
    def s(x): return x + 1
    @classmethod
    def c(cls, x): return cls(x)
    def __len__(self): return self.a
    def __eq__(self, other): return isinstance(other, P) and self.a == other.a
    def __hash__(self): return 1
    def __getitem__(self, i): return i
    def __contains__(self, i): return i == self.a
class Q(P):
    k = 4
    def m(self, x=5): return super().m(x) * 10
@dataclasses.dataclass
class D:
    x: int = 1
    y: str = "relu"
    z: list = dataclasses.field(default_factory=list)
class E(enum.Enum):
    A = "a"
    B = "b"
N = collections.namedtuple("N", "u v")
class O:
    def __init__(self): self.n = 1; self.flag = False
    def bump(self, x): self.n += x; self.flag = not self.flag; return self
class context:
    def __init__(self, x): self.x = x
    def __enter__(self): return self.x
    def __exit__(self, *a): return False
def gen(z):
    yield 1
    for j in range(2):
        yield z + j
def f(a, b=2, *args, c=3, **kw): return a + b + c + len(args) + len(kw)
def g(*args, **kw): return dict(kw, n=len(args))
L = [3, 1, 2]
T = (1, "two", 3.0, None)
M = {"a": 1, "b": [1, 2], "c": {"d": "tanh"}, 3: None}
S = {1, 2, 3}
W = "lstm_layer-Name 12"
p = P(2); q = Q(3); d = D(); n = N(1, "x"); o = O()
v0, v1, v2, v3 = 0, 1, 2, 3
w0, w1 = [1], [2, 3]
m0, m1 = {}, {"k": 2}
