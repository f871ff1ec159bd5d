# case: a star import of a module that is nowhere
from helpers import *
LSTM(4)  #: LSTM?(units=4)
# case: a wrapper and its layer by a star import of a module that is nowhere
from helpers import *
model = Sequential()
model.add(Bidirectional(GRU(5)))  #: GRU?(units=5) in Bidirectional.forward ;; GRU?(units=5) in Bidirectional.backward
# case: keras from a package that is not read
from wrapping import keras
keras.layers.LSTM(4)(keras.Input((3, 4)))  #: LSTM?(units=4) @~none
# case: a package whose own name tells of Keras
from fastkeras.layers import GRU
GRU(7)  #: GRU?(units=7)
# case: a framework as a parameter
def build(tf):
    return tf.keras.layers.GRU(5)  #: GRU?(units=5)
# case: a framework as a parameter that is passed
import keras
def build(k):
    return k.layers.GRU(5)  #: GRU(units=5) <-4
build(keras)
# case: a module by a name that is not known
import importlib
keras = importlib.import_module(input())
keras.layers.LSTM(4)  #: LSTM?(units=4)
# case: a function that nobody defines
tf1, tf = try_import_tf()
tf.keras.layers.LSTM(10)  #: LSTM?(units=10)
# case: a module of layers and a layer under other names
def build(tf):
    L = tf.keras.layers
    Cell = L.LSTM
    return L.GRU(5), Cell(6)  #: GRU?(units=5) ;; LSTM?(units=6)
# case: torch beside the star import
import torch
from helpers import *
LSTM(3, 4)
# case: the functions of a star import
from keras.layers import *
x = Input((3, 4))
LSTM(4)(concatenate([x, x]))  #: LSTM(units=4) @none
# case: another framework's module of the name
from paddle import *
GRU(3, 4)
# case: a known layer in a wrapper of unknown origin
from keras.layers import LSTM
TimeDistributed(LSTM(4))  #: LSTM?(units=4) in TimeDistributed
# case: a helper that is not read imports by its name
from helpers import optional_import, safe_import
keras = safe_import("tensorflow.keras")
keras.layers.LSTM(3)  #: LSTM(units=3)
LSTM = safe_import("torch.nn.LSTM")
LSTM(3, 4)
tf = optional_import("tensorflow", "2.15")
tf.keras.layers.GRU(4)  #: GRU(units=4)
# case: a class of the name from a package that is not read, beside Keras
from keras.models import Sequential
from helpers.blocks import LSTM
model = Sequential([LSTM(4)])  #: LSTM?(units=4) @none
# case: the same where nothing tells of Keras
from helpers.blocks import LSTM
LSTM(4)
# case: the same beside another framework's classes
import keras
import mxnet
from helpers.blocks import LSTM
LSTM(4)
# case: a class of layers that is picked by a name that is not known
import sys
import keras
from keras import layers
kind = sys.argv[1]
getattr(layers, kind)(1, return_sequences=True)  #: LSTM?(units=1, return_sequences=True) / GRU?(units=1, return_sequences=True) / SimpleRNN?(units=1, return_sequences=True)
getattr(keras.layers, kind)(2)
cls = getattr(keras.layers, sys.argv[1].replace("rnn_", ""))
cls(3)  #: LSTM?(units=3) / GRU?(units=3) / SimpleRNN?(units=3)
layers.__dict__[kind](4, unroll=True)  #: LSTM?(units=4, unroll=True) / GRU?(units=4, unroll=True) / SimpleRNN?(units=4, unroll=True)
vars(layers)[kind](5, stateful=True)  #: LSTM?(units=5, stateful=True) / GRU?(units=5, stateful=True) / SimpleRNN?(units=5, stateful=True)
# case: a class of another package's layers that is picked by a name
import sys
from somewhere import layers
getattr(layers, sys.argv[1])(1, return_sequences=True)
# case: a class of layers that a function gets by its name
from keras import layers
def block(kind, n):
    return getattr(layers, kind)(n, return_sequences=True)  #: LSTM?(units=?, return_sequences=True) / GRU?(units=?, return_sequences=True) / SimpleRNN?(units=?, return_sequences=True)
# case: a table that is not known, by a class's name
import keras
from nowhere import RNNS, MODELS
RNNS["LSTM"](1, unroll=True)  #: LSTM?(units=1, unroll=True)
MODELS["LSTM"](hidden_size=3)
# case: a module of layers as a parameter, in a file that does not say whose
def block(x, layers=None, **kwargs):
    return layers.LSTM(3, name="a")(x)  #: LSTM?(units=3, name='a') @~none
# case: a module of layers of another package
from own.net import layers
layers.LSTM(3)
