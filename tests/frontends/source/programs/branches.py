# case: the class depends
import sys
from keras.layers import LSTM, GRU
cell = LSTM if len(sys.argv) > 1 else GRU
cell(3)  #: LSTM(units=3) / GRU(units=3)
# case: the class depends, by statement
import sys
from keras.layers import LSTM, GRU
if sys.argv[1] == "lstm":
    cell = LSTM
else:
    cell = GRU
cell(3, unroll=True)  #: LSTM(units=3, unroll=True) / GRU(units=3, unroll=True)
# case: a registry with a known key
from keras.layers import LSTM, GRU, SimpleRNN
CELLS = {"lstm": LSTM, "gru": GRU}
CELLS["gru"](3)  #: GRU(units=3)
# case: a registry with an unknown key
from keras.layers import LSTM, GRU
CELLS = {"lstm": LSTM, "gru": GRU}
def build(kind):
    return CELLS[kind](3)  #: LSTM(units=3) / GRU(units=3)
# case: a known condition
from keras.layers import LSTM, GRU
USE_GRU = False
if USE_GRU:
    layer = GRU(3)
else:
    layer = LSTM(3)  #: LSTM(units=3)
# case: elif
import sys
from keras.layers import LSTM
mode = sys.argv[1]
if mode == "a":
    rate = 0.1
elif mode == "b":
    rate = 0.2
else:
    raise ValueError(mode)
LSTM(3, recurrent_dropout=rate)  #: LSTM(units=3, recurrent_dropout=0.1|0.2)
# case: match
from keras.layers import LSTM
kind = "b"
match kind:
    case "a":
        rate = 0.1
    case "b" | "c":
        rate = 0.2
    case _:
        rate = 0.3
LSTM(3, recurrent_dropout=rate)  #: LSTM(units=3, recurrent_dropout=0.2)
# case: match on something unknown
import sys
from keras.layers import LSTM
match sys.argv[1]:
    case "a":
        rate = 0.1
    case _:
        rate = 0.3
LSTM(3, recurrent_dropout=rate)  #: LSTM(units=3, recurrent_dropout=0.1|0.3)
# case: try and except
from keras.layers import LSTM
try:
    rate = load()
except Exception:
    rate = 0.3
LSTM(3, recurrent_dropout=rate)  #: LSTM(units=3, recurrent_dropout=?|0.3)
# case: None is replaced
from keras.layers import LSTM
def build(rate=None):
    if rate is None:
        rate = 0.4
    LSTM(3, recurrent_dropout=rate)  #: LSTM(units=3, recurrent_dropout=~0.4)
# case: None is replaced for a call that leaves it out
from keras.layers import LSTM
def build(rate=None):
    if rate is None:
        rate = 0.4
    LSTM(3, recurrent_dropout=rate)  #: LSTM(units=3, recurrent_dropout=0.4) <-6 ;; LSTM(units=3, recurrent_dropout=0.1) <-7
build()
build(0.1)
# case: a wrapper on one path
import sys
from keras.layers import LSTM, Bidirectional
import keras
x = keras.Input((3, 4))
layer = LSTM(3)  #: LSTM(units=3) @none ;; LSTM(units=3) in Bidirectional.forward @none ;; LSTM(units=3) in Bidirectional.backward @none
if len(sys.argv) > 1:
    layer = Bidirectional(layer)
layer(x)
# case: the main guard
from keras.layers import LSTM
if __name__ == "__main__":
    LSTM(3)  #: LSTM(units=3)
# case: isinstance decides
from keras.layers import LSTM
def build(units):
    if isinstance(units, int):
        units = [units]
    return [LSTM(n) for n in units]  #: LSTM(units=3) <-6 ;; LSTM(units=1) <-7 ;; LSTM(units=2) <-7
build(3)
build([1, 2])
# case: a while loop that counts
from keras.layers import LSTM
n = 0
while n < 2:
    LSTM(n)  #: LSTM(units=0) ;; LSTM(units=1)
    n += 1
# case: break and continue
from keras.layers import LSTM
for n in [1, 2, 3, 4]:
    if n == 2:
        continue
    if n == 4:
        break
    LSTM(n)  #: LSTM(units=1) ;; LSTM(units=3)
# case: Linux is assumed where a program asks for its system, and the other branches are read too
import os
import platform
import sys
from keras.layers import LSTM
LSTM(1, unroll=os.name == "nt")  #: LSTM(units=1, unroll=~False)
LSTM(2, unroll=sys.platform.startswith("win"))  #: LSTM(units=2, unroll=~False)
units = 3
if platform.system() == "Darwin":
    units = 4
    LSTM(5, unroll=True)  #: LSTM(units=5, unroll=True)
elif platform.system() != "Linux":
    units = 6
LSTM(units)  #: LSTM(units=3)
# case: what only type checkers see does not run
import typing
from typing import TYPE_CHECKING
from keras.layers import LSTM
if TYPE_CHECKING:
    LSTM = object
units = 1 if typing.TYPE_CHECKING else 2
LSTM(units)  #: LSTM(units=2)
# case: a plain value of a library is not told, and not unequal to a text
import tensorflow as tf
from keras.layers import LSTM
LSTM(3, unroll=tf.float32 == "float32")  #: LSTM(units=3, unroll=?)
# case: what is the same everywhere is computed
import math
import sys
import numpy as np
import six
from keras.layers import LSTM
LSTM(1, unroll=math.pi > 4)  #: LSTM(units=1, unroll=False)
LSTM(2, unroll=sys.version_info[0] < 3)  #: LSTM(units=2, unroll=False)
LSTM(3, unroll=sys.version_info.major == 2)  #: LSTM(units=3, unroll=False)
LSTM(4, unroll=six.PY2)  #: LSTM(units=4, unroll=False)
LSTM(5, unroll=np.newaxis is None)  #: LSTM(units=5, unroll=True)
# case: a class is told from another one, whatever it is called by
import keras
import tensorflow as tf
kind = keras.layers.GRU
kind(1, unroll=kind is tf.keras.layers.LSTM)  #: GRU(units=1, unroll=False)
kind(2, unroll=kind == keras.layers.GRU)  #: GRU(units=2, unroll=True)
# case: what a library's object has under a name is not told: neither that it is a method, nor that it is not None
from keras.layers import Layer, LSTM
from somelib import Config
class Mine(Config):
    pass
c = Config()
LSTM(1, unroll=bool(c.flag))  #: LSTM(units=1, unroll=?)
LSTM(2, unroll=c.flag == "x")  #: LSTM(units=2, unroll=?)
LSTM(3, unroll=c.flag is None)  #: LSTM(units=3, unroll=?)
LSTM(4, unroll=Mine().flag)  #: LSTM(units=4, unroll=?)
LSTM(5, unroll=isinstance(c.flag, bool))  #: LSTM(units=5, unroll=?)
LSTM(6, unroll=bool(Mine()))  #: LSTM(units=6, unroll=?)
LSTM(7, unroll=Layer().trainable == False)  #: LSTM(units=7, unroll=?)
LSTM(8, unroll=c is None)  #: LSTM(units=8, unroll=False)
# case: a literal is no object of another package's class, but may well be one of six.string_types
import six
from keras.layers import LSTM
from keras_tuner import HyperParameter
LSTM(1, unroll=isinstance(True, HyperParameter))  #: LSTM(units=1, unroll=False)
LSTM(2, unroll=isinstance("a", six.string_types))  #: LSTM(units=2, unroll=?)
# case: a default that leads to an exception is not what callers pass
from keras.layers import LSTM
def build(units=None):
    if units is None:
        raise ValueError("units")
    return LSTM(units)  #: LSTM(units=?)
class Net:
    def __init__(self, units=None):
        assert units is not None
        self.layer = LSTM(units)  #: LSTM(units=?)
# case: a default that leads to an exception inside a try
from keras.layers import LSTM
def build(scaler):
    if scaler is None:
        raise ValueError("scaler")
    return LSTM(3)  #: LSTM(units=3) @-,taken='ValueError' <-8
def load(scaler=None):
    try:
        return build(scaler)
    except ValueError:
        raise
# case: an exception with a base class that is not known may be taken by any handler
from keras.layers import LSTM
from somewhere import chosen
class Failed(chosen(ValueError)):
    pass
LSTM(1, unroll=isinstance(Failed(), (ValueError, dict)))  #: LSTM(units=1, unroll=?)
rate = 0.1
try:
    raise Failed("x")
except ValueError:
    rate = 0.2
    LSTM(2)  #: LSTM(units=2)
LSTM(3, dropout=rate)  #: LSTM(units=3, dropout=0.2)
# case: the other way than the default's does not have it
from keras.layers import LSTM
def build(rate=None):
    if rate is None:
        return LSTM(3)  #: LSTM(units=3)
    return LSTM(4, recurrent_dropout=rate)  #: LSTM(units=4, recurrent_dropout=?)
# case: an arm knows what its condition says of a variable, or of an attribute
import sys
from keras.layers import GRU, LSTM
flag = len(sys.argv) > 1
acts = "relu" if flag else ["elu", "tanh"]
if isinstance(acts, str):
    acts = [acts, acts]
GRU(1, activation=acts[0])  #: GRU(units=1, activation='relu'|'elu')
act = "relu" if flag else None
if act is not None and sys.argv[0]:
    GRU(2, activation=act)  #: GRU(units=2, activation='relu')
else:
    GRU(3, activation=act)  #: GRU(units=3, activation='relu'|None)
class Net:
    def __init__(self, kind):
        self.kind = kind
    def build(self):
        if self.kind not in ("relu", "elu"):
            return LSTM(4, activation=self.kind)  #: LSTM(units=4, activation='tanh') <-20
        return LSTM(5, activation=self.kind)  #: LSTM(units=5, activation='relu') <-20
Net("relu" if flag else "tanh").build()
def stops(act):
    if act == "relu" or not act:
        raise ValueError
    GRU(6, activation=act)  #: GRU(units=6, activation='tanh') <-25
stops("relu" if flag else "tanh")
# case: what is not known stays possible in both arms
import sys
from keras.layers import GRU
from settings import UNROLL
class Odd:
    def __eq__(self, other):
        return True
unroll = UNROLL if sys.argv[1] else 3
if unroll is None:
    GRU(1, unroll=unroll)  #: GRU(units=1, unroll=?)
act = Odd() if sys.argv[1] else "relu"
if act == "tanh":
    GRU(2, activation="elu" if isinstance(act, str) else "tanh")  #: GRU(units=2, activation='tanh')
# case: what has a state is a cell
import keras
def make(cell):
    if hasattr(cell, "state_size"):
        return keras.layers.RNN(cell)  #: RNN(LSTMCell(units=3)) <-7
    return keras.layers.TimeDistributed(cell)
make(keras.layers.Dense(3))
make(keras.layers.LSTMCell(3))
# case: a check of the kind of a cell leaves out what is no cell
import keras
def over(cell):
    if isinstance(cell, keras.layers.SimpleRNNCell):
        return keras.layers.RNN(cell)  #: RNN(SimpleRNNCell(units=3)) <-7
    return cell
over(keras.layers.Dense(3))
over(keras.layers.SimpleRNNCell(3))
# case: a setting of the cell in one branch, or another one in each
import keras
from settings import flag
one = keras.layers.LSTM(1)  #: LSTM(units=1, recurrent_dropout:=0.2|-)
if flag():
    one.cell.recurrent_dropout = 0.2
two = keras.layers.LSTM(2)  #: LSTM(units=2, recurrent_dropout:=0.2|0.3)
if flag():
    two.cell.recurrent_dropout = 0.2
else:
    two.cell.recurrent_dropout = 0.3
three = keras.layers.LSTM(3)  #: LSTM(units=3, recurrent_dropout:=0.2)
three.cell.recurrent_dropout = 0.2
# case: what has a cell is recurrent
import keras
from keras import layers
model = keras.Sequential([keras.Input((4, 3)), layers.Dense(3), layers.GRU(1)])  #: GRU(units=1, recurrent_dropout:=0.2) @none
for layer in model.layers:
    if hasattr(layer, "cell"):
        layer.cell.recurrent_dropout = 0.2
for layer in model.layers:
    if hasattr(layer, "units") and layer.units > 3:
        layer.cell.activation = "relu"
