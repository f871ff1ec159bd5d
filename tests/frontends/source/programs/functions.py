# case: a helper called from three places
from keras.layers import LSTM
def make(units, rate=0.1, **more):
    return LSTM(units, recurrent_dropout=rate, **more)  #: LSTM(units=1, recurrent_dropout=0.1) <-4 ;; LSTM(units=2, recurrent_dropout=0.2) <-5 ;; LSTM(units=3, recurrent_dropout=0.1, unroll=True) <-6
make(1)
make(2, 0.2)
make(3, unroll=True)
# case: a helper in a helper
from keras.layers import LSTM
def inner(units):
    return LSTM(units)  #: LSTM(units=10) <-5,6
def outer(n):
    return inner(n * 2)
outer(5)
# case: nobody calls it
from keras.layers import LSTM
def build(units, rate=0.2):
    return LSTM(units, recurrent_dropout=rate)  #: LSTM(units=?, recurrent_dropout=~0.2)
# case: nobody calls it, and it passes anything on
from keras.layers import LSTM
def build(units, **kwargs):
    return LSTM(units, **kwargs)  #: LSTM(units=?, **?)
# case: a lambda
from keras.layers import LSTM
make = lambda n: LSTM(n, unroll=True)  #: LSTM(units=4, unroll=True) <-3
make(4)
# case: a lambda that nobody calls
from keras.layers import LSTM
make = lambda n=3: LSTM(n)  #: LSTM(units=~3)
# case: partial
from functools import partial
from keras.layers import LSTM
Recurrent = partial(LSTM, return_sequences=True, recurrent_dropout=0.3)
Recurrent(32)  #: LSTM(units=32, return_sequences=True, recurrent_dropout=0.3)
Recurrent(16, recurrent_dropout=0.0)  #: LSTM(units=16, return_sequences=True, recurrent_dropout=0.0)
# case: partial of partial
import functools
from keras.layers import GRU
a = functools.partial(GRU, 7)
b = functools.partial(a, reset_after=False)
b(unroll=True)  #: GRU(units=7, reset_after=False, unroll=True)
# case: a closure
from keras.layers import LSTM
def factory(rate):
    def make(units):
        return LSTM(units, recurrent_dropout=rate)  #: LSTM(units=3, recurrent_dropout=0.5) <-7
    return make
make = factory(0.5)
make(3)
# case: a decorator of one's own
from keras.layers import LSTM
def twice(f):
    def wrapper(*args, **kwargs):
        f(*args, **kwargs)
        return f(*args, **kwargs)
    return wrapper
@twice
def make(units):
    return LSTM(units)  #: LSTM(units=3) <-4,10 ;; LSTM(units=3) <-5,10
make(3)
# case: early return
from keras.layers import LSTM, GRU
def make(kind, units):
    if kind == "lstm":
        return LSTM(units)  #: LSTM(units=3) <-6
    return GRU(units)  #: GRU(units=4) <-7
make("lstm", 3)
make("gru", 4)
# case: a keyword-only argument and a positional one
from keras.layers import LSTM
def make(units, /, *rest, rate=0.1, flag):
    return LSTM(units, recurrent_dropout=rate, unroll=flag)  #: LSTM(units=3, recurrent_dropout=0.1, unroll=True) <-4
make(3, 4, 5, flag=True)
# case: the arguments of a function that decide are joined
import sys
from keras.layers import LSTM
def pick():
    if len(sys.argv) > 1:
        return 0.5
    return 0.0
LSTM(3, recurrent_dropout=pick())  #: LSTM(units=3, recurrent_dropout=0.5|0.0)
# case: recursion ends
from keras.layers import LSTM
def stack(n):
    if n == 0:
        return []
    return [LSTM(n)] + stack(n - 1)  #: LSTM(units=1) <-5,6 ;; LSTM(units=2) <-6
stack(2)
# case: a generator
from keras.layers import LSTM
def layers():
    yield LSTM(1)  #: LSTM(units=1) <-5
    yield LSTM(2)  #: LSTM(units=2) <-5
list(layers())
# case: global
from keras.layers import LSTM
RATE = 0.0
def set_rate():
    global RATE
    RATE = 0.5
set_rate()
LSTM(3, recurrent_dropout=RATE)  #: LSTM(units=3, recurrent_dropout=0.5)
# case: nonlocal
from keras.layers import LSTM
def f():
    n = 1
    def g():
        nonlocal n
        n += 1
    g()
    LSTM(n)  #: LSTM(units=2) <-9
f()
# case: a function passed to a library
from keras.layers import LSTM
import keras_tuner
def build_model(hp):
    return LSTM(hp.Int("units", 1, 9), unroll=True)  #: LSTM(units=1|9, unroll=True)
keras_tuner.RandomSearch(build_model)
# case: a function under test
from keras.layers import LSTM
def build(bidirectional=False, cell="lstm"):
    layer = LSTM(4)  #: LSTM(units=4)
    return layer
# case: a branch that only another caller takes
from keras.layers import LSTM, GRU
def build(cell="lstm", rate=0.0):
    if cell == "lstm":
        return LSTM(4, recurrent_dropout=rate)  #: LSTM(units=4, recurrent_dropout=~0.0)
    return GRU(4, recurrent_dropout=rate)  #: GRU(units=4, recurrent_dropout=~0.0)
# case: a branch that no call reaches
from keras.layers import LSTM, GRU
def build(cell):
    if cell == "lstm":
        return LSTM(4)  #: LSTM(units=4) <-6
    return GRU(4)  #: GRU(units=4)
build("lstm")
# case: what a default decides is assumed
from keras.layers import LSTM
def build(heavy=False):
    rate = 0.5 if heavy else 0.0
    LSTM(4, recurrent_dropout=rate)  #: LSTM(units=4, recurrent_dropout=~0.0)
# case: getattr and globals
from keras import layers
from keras.layers import GRU
getattr(layers, "LSTM")(3)  #: LSTM(units=3)
globals()["GRU"](4)  #: GRU(units=4)
# case: map
from keras.layers import LSTM
list(map(LSTM, [1, 2]))  #: LSTM(units=1) ;; LSTM(units=2)
# case: a recursion over a list
from keras.layers import LSTM
def tower(sizes):
    if not sizes:
        return
    first, *rest = sizes
    LSTM(first)  #: LSTM(units=2) <-7,7,8 ;; LSTM(units=4) <-7,8 ;; LSTM(units=8) <-8
    tower(rest)
tower([8, 4, 2])
# case: a constructor that is wrapped, and that nothing calls, has its defaults
import functools
from keras.layers import LSTM
def timed(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)
    return inner
def experimental(kind):
    kind.__init__ = timed(kind.__init__)
    return kind
class Net:
    @timed
    def __init__(self, units, activation="tanh", *, stateful=False):
        self.layer = LSTM(units, activation=activation, stateful=stateful)  #: LSTM(units=?, activation=~'tanh'|'tanh', stateful=~False|False) <-6,12
@experimental
class Other:
    def __init__(self, units, activation="tanh"):
        self.layer = LSTM(units, activation=activation)  #: LSTM(units=?, activation=~'tanh'|'tanh') <-6,9,15
# case: a constructor whose wrapper sets what a caller leaves out
import functools
from keras.layers import LSTM
def relu(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        kwargs.setdefault("activation", "relu")
        return function(*args, **kwargs)
    return inner
class Net:
    @relu
    def __init__(self, units, activation="tanh"):
        self.layer = LSTM(units, activation=activation)  #: LSTM(units=?, activation=~'tanh'|'relu') <-7,10
# case: what a function that is handed out changes hangs on what its names mean then
from keras.layers import LSTM
import elsewhere
flag = False
def change():
    global flag
    flag = True
def nothing():
    pass
does = nothing
def run():
    does()
elsewhere.call(run)
LSTM(1, unroll=flag)  #: LSTM(units=1, unroll=False)
does = change
elsewhere.call(run)
LSTM(2, unroll=flag)  #: LSTM(units=2, unroll=False|?)
# case: a local name that is read before it gets a value is not the global of that name
from keras.layers import LSTM
rate = 0.5
def build():
    try:
        return LSTM(1, recurrent_dropout=rate)
    except UnboundLocalError:
        rate = 0.0
    return LSTM(2, recurrent_dropout=rate)  #: LSTM(units=2, recurrent_dropout=0.0) <-9
build()
def stops():
    LSTM(3, recurrent_dropout=rate)  #: LSTM(units=3, recurrent_dropout=?) <-13
    rate = 0.1
stops()
# case: a recursion over dicts and lists inside one another goes to their end
from keras.layers import GRU, LSTM
tree = {"units": 1, "inside": [{"units": 2, "inside": [{"units": 3, "inside": [{"units": 4, "inside": []}]}]}]}
def build(node):
    LSTM(node["units"])  #: LSTM(units=4) <-5,5,5,6 ;; LSTM(units=3) <-5,5,6 ;; LSTM(units=2) <-5,6 ;; LSTM(units=1) <-6
    for one in node["inside"]: build(one)
build(tree)
def sizes(items):
    for one in items:
        if isinstance(one, list): yield from sizes(one)
        else: yield one
for units in sizes([5, [6, [7, [8]]]]):
    GRU(units)  #: GRU(units=5) ;; GRU(units=6) ;; GRU(units=7) ;; GRU(units=8)
# case: a text that is compiled, and one with names of its own
from keras import layers
exec(compile("layer = layers.GRU(3, unroll=True)", "<text>", "exec"))  #: GRU(units=3, unroll=True)
eval("make(n)", None, {"make": layers.LSTM, "n": 5})  #: LSTM(units=5)
found = {}
exec("a = n + 1", {"n": 3}, found)
layers.LSTM(found["a"])  #: LSTM(units=4)
# case: a name of a module of Keras that is looked up as in a dict
from keras import layers
vars(layers).get("LSTM")(3)  #: LSTM(units=3)
layers.__getattribute__("GRU")(4)  #: GRU(units=4)
# case: a loop leaves a generator that nothing else holds
from keras.layers import LSTM
log = []
def turns():
    try:
        yield 1
        yield 2
    finally:
        log.append(5)
for turn in turns():
    break
LSTM(log[0])  #: LSTM(units=5)
held = turns()
for turn in held:
    break
LSTM(len(log))  #: LSTM(units=1)
# case: several names are patched at once
from unittest import mock
from keras import layers
class Settings:
    units, unroll = 1, False
with mock.patch.multiple(Settings, units=5, unroll=True):
    layers.LSTM(Settings.units, unroll=Settings.unroll)  #: LSTM(units=5, unroll=True)
layers.LSTM(Settings.units, unroll=Settings.unroll)  #: LSTM(units=1, unroll=False)
# case: what a function does that the standard library calls for parts of a text
import json, re
from keras import layers
found, seen = {}, []
re.sub(r"(\w+)=(\d+)", lambda match: found.update({match[1]: int(match[2])}) or "", "units=16, unroll=1")
layers.LSTM(found["units"], unroll=bool(found["unroll"]))  #: LSTM(units=16, unroll=True)
json.loads('{"a": {"b": 1}}', object_hook=lambda entries: seen.append(entries) or entries)
layers.LSTM(len(seen))  #: LSTM(units=2)
re.sub("[a-z]", lambda match: seen.append(match) or undefined(match), "ab")
layers.LSTM(len(seen))  #: LSTM(units=?)
