# case: by position
from keras.layers import LSTM
LSTM(32, "relu", "hard_sigmoid", False)  #: LSTM(units=32, activation='relu', recurrent_activation='hard_sigmoid', use_bias=False)
# case: by position in SimpleRNN
from keras.layers import SimpleRNN
SimpleRNN(3, "relu", False)  #: SimpleRNN(units=3, activation='relu', use_bias=False)
# case: more positions than both versions agree on
from keras.layers import LSTM
LSTM(1, "tanh", "sigmoid", True, "a", "b", "c", True, None, None, None, None, None, None, None, 0.0, 0.1, True)  #: LSTM(units=1, activation='tanh', recurrent_activation='sigmoid', use_bias=True, kernel_initializer='a', recurrent_initializer='b', bias_initializer='c', unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, recurrent_constraint=None, bias_constraint=None, dropout=0.0, recurrent_dropout=0.1, **?)
# case: constants
from keras.layers import LSTM
UNITS = 2 ** 5
RATE = 1 / 4
LSTM(UNITS + 1, recurrent_dropout=RATE)  #: LSTM(units=33, recurrent_dropout=0.25)
# case: negative and not
from keras.layers import LSTM
LSTM(-(-3), unroll=not True)  #: LSTM(units=3, unroll=False)
# case: a library's function
import tensorflow as tf
from tensorflow.keras.layers import LSTM
LSTM(3, activation=tf.nn.tanh, recurrent_activation=tf.keras.activations.sigmoid)  #: LSTM(units=3, activation=tensorflow.nn.tanh, recurrent_activation=tensorflow.keras.activations.sigmoid)
# case: a function imported by name
from tensorflow.nn import tanh as th
from keras.layers import GRU
GRU(3, activation=th)  #: GRU(units=3, activation=tensorflow.nn.tanh)
# case: a lambda, a function, a layer
import tensorflow as tf
from tensorflow.keras.layers import LSTM, Activation
def swish(x):
    return x * tf.sigmoid(x)
LSTM(1, activation=lambda x: tf.tanh(x))  #: LSTM(units=1, activation=a lambda)
LSTM(1, activation=swish)  #: LSTM(units=1, activation=the function swish())
LSTM(1, activation=Activation("tanh"))  #: LSTM(units=1, activation=an Activation object)
# case: a value of an unknown package
from settings import DROPOUT
from keras.layers import LSTM
LSTM(3, recurrent_dropout=DROPOUT)  #: LSTM(units=3, recurrent_dropout=?)
# case: the command line
import argparse
from keras.layers import LSTM
parser = argparse.ArgumentParser()
parser.add_argument("--drop", type=float, default=0.0)
args = parser.parse_args()
LSTM(3, recurrent_dropout=args.drop, dropout=float(args.drop))  #: LSTM(units=3, recurrent_dropout=?, dropout=?)
# case: a dict
from keras.layers import LSTM
config = dict(units=3, recurrent_dropout=0.5)
LSTM(**config)  #: LSTM(units=3, recurrent_dropout=0.5)
# case: a dict that is changed
from keras.layers import LSTM
config = {"return_sequences": True}
config["unroll"] = True
config.update(dropout=0.1, recurrent_dropout=0.2)
config.pop("dropout")
config.setdefault("unroll", False)
config.setdefault("use_bias", False)
LSTM(3, **config)  #: LSTM(units=3, return_sequences=True, unroll=True, recurrent_dropout=0.2, use_bias=False)
# case: a dict that is merged
from keras.layers import LSTM
base = {"dropout": 0.1, "unroll": True}
LSTM(3, **{**base, "unroll": False})  #: LSTM(units=3, dropout=0.1, unroll=False)
LSTM(4, **(base | {"dropout": 0.2}))  #: LSTM(units=4, dropout=0.2, unroll=True)
# case: a dict changed on one path
import sys
from keras.layers import LSTM
config = {}
if len(sys.argv) > 1:
    config["recurrent_dropout"] = 0.5
LSTM(3, **config)  #: LSTM(units=3, recurrent_dropout=0.5|-)
# case: a dict with an unknown part
import json
from keras.layers import LSTM
config = {"units": 3}
config.update(json.load(open("x.json")))
LSTM(**config)  #: LSTM(units=3|?, **?)
# case: a list of arguments
from keras.layers import LSTM
LSTM(*[3, "relu"])  #: LSTM(units=3, activation='relu')
# case: nested configuration
from keras.layers import LSTM
CONFIG = {"model": {"rnn": {"units": 12, "unroll": True}}, "rate": [0.1, 0.3]}
LSTM(**CONFIG["model"]["rnn"], recurrent_dropout=CONFIG["rate"][-1])  #: LSTM(units=12, unroll=True, recurrent_dropout=0.3)
# case: get with a default
from keras.layers import LSTM
c = {"units": 4}
LSTM(c.get("units", 9), recurrent_dropout=c.get("drop", 0.25), dropout=c.get("d"))  #: LSTM(units=4, recurrent_dropout=0.25, dropout=None)
# case: an or default
from keras.layers import LSTM
rate = None
LSTM(3, recurrent_dropout=rate or 0.5)  #: LSTM(units=3, recurrent_dropout=0.5)
# case: a conditional
import sys
from keras.layers import LSTM
LSTM(3, activation="tanh" if len(sys.argv) else "relu")  #: LSTM(units=3, activation='tanh'|'relu')
# case: a text computed
from keras.layers import LSTM
kind = "TANH"
LSTM(3, activation=kind.lower(), name=f"l{1 + 1}_{kind}")  #: LSTM(units=3, activation='tanh', name='l2_TANH')
# case: numbers computed
from keras.layers import LSTM
sizes = [32, 64]
LSTM(max(sizes), dropout=round(0.123, 1), recurrent_dropout=float("0.5"))  #: LSTM(units=64, dropout=0.1, recurrent_dropout=0.5)
# case: the environment
import os
from keras.layers import LSTM
LSTM(int(os.environ.get("UNITS", "3")))  #: LSTM(units=?)
# case: a setting taken from another layer
from keras.layers import LSTM
a = LSTM(3, unroll=True)  #: LSTM(units=3, unroll=True)
b = LSTM(a.units, unroll=a.unroll)  #: LSTM(units=3, unroll=True)
# case: a name only where it is written
from keras.layers import LSTM
LSTM(3, name=str(object()))  #: LSTM(units=3, name=?)
# case: an activation that calls numpy
import numpy as np
from keras.layers import LSTM
def mine(x):
    return np.maximum(x, 0)
LSTM(1, activation=lambda x: np.tanh(x))  #: LSTM(units=1, activation=?)
LSTM(2, recurrent_activation=mine)  #: LSTM(units=2, recurrent_activation=?)
LSTM(3, activation=lambda x: x * np.float32(2))  #: LSTM(units=3, activation=a lambda)
LSTM(4, kernel_initializer=lambda shape: np.zeros(shape))  #: LSTM(units=4, kernel_initializer=a lambda)
# case: what is taken out of arguments that are not seen
from keras.layers import LSTM
def one(**more):
    return LSTM(1, dtype=more.pop("dtype", None), **more)  #: LSTM(units=1, dtype=?|None, **?)
# case: a regularizer of Keras is an object, whatever function makes it
from keras import regularizers
from keras.layers import LSTM
LSTM(1, kernel_regularizer=regularizers.l1(l=0.1))  #: LSTM(units=1, kernel_regularizer=a l1 object)
LSTM(2, kernel_regularizer=regularizers.L2(0.1))  #: LSTM(units=2, kernel_regularizer=a L2 object)
# case: what is among the parameters of a class of Keras is passed on
import inspect
from keras.layers import GRU, LSTM
given = {"units": 4, "unroll": True, "rate": 3, "use_cudnn": False}
known = inspect.signature(LSTM).parameters
LSTM(**{name: value for name, value in given.items() if name in known})  #: LSTM(units=4, unroll=True, use_cudnn=False|-)
known = inspect.signature(GRU.__init__).parameters
GRU(**{name: value for name, value in given.items() if name != "use_cudnn" and name in known})  #: GRU(units=4, unroll=True)
GRU(1, unroll="self" in known)  #: GRU(units=1, unroll=True)
