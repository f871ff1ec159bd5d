# case: torch
import torch.nn as nn
nn.LSTM(3, 4)
# case: torch by name
from torch.nn import LSTM, GRU
LSTM(3, 4)
# case: sonnet
import sonnet as snt
snt.LSTM(3)
# case: TensorFlow 1 cells
import tensorflow as tf
tf.nn.rnn_cell.LSTMCell(3)
tf.contrib.rnn.GRUCell(2)
# case: a class of one's own
class LSTM:
    def __init__(self, units):
        self.units = units
LSTM(3)
# case: a class of one's own hides the import
from keras.layers import LSTM
class LSTM:
    pass
LSTM()
# case: a function of that name
def GRU(units):
    return units
GRU(3)
# case: flax
import flax.linen as nn
nn.LSTMCell(3)
# case: a name that is rebound to something else
from keras.layers import LSTM
LSTM = print
LSTM(3)
# case: a name that is deleted and defined anew
from keras.layers import LSTM
del LSTM
def LSTM(x): return x
LSTM(3)
# case: torch through a star behind keras
from keras.layers import *
from torch.nn import *
LSTM(3, 4)
# case: a cell alone is no layer
from keras.layers import LSTMCell
LSTMCell(3)
# case: an unknown package
from mylib.layers import LSTM
LSTM(3)
# case: only words
text = "LSTM(3)"  # LSTM(3)
# case: an attribute of something unknown
def f(x):
    return x.LSTM(3)
# case: isinstance
import keras
def f(x):
    return isinstance(x, keras.layers.LSTM)
