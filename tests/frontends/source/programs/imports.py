# case: a class imported by name
from keras.layers import LSTM
LSTM(32)  #: LSTM(units=32)
# case: a class imported under another name
from tensorflow.keras.layers import GRU as Recurrent
Recurrent(8, return_sequences=True)  #: GRU(units=8, return_sequences=True)
# case: a module under another name
import tensorflow.keras.layers as kl
kl.LSTM(4)  #: LSTM(units=4)
# case: the whole framework
import tensorflow as tf
tf.keras.layers.LSTM(4)  #: LSTM(units=4)
# case: a submodule reached through the package
import keras
keras.layers.GRU(4)  #: GRU(units=4)
# case: a dotted import without a name
import tensorflow.keras
tensorflow.keras.layers.LSTM(1)  #: LSTM(units=1)
# case: from the package, a module
from tensorflow import keras
layers = keras.layers
layers.SimpleRNN(3)  #: SimpleRNN(units=3)
# case: the version 1 names
import tensorflow.compat.v1 as tf
tf.keras.layers.CuDNNLSTM(7)  #: CuDNNLSTM(units=7)
# case: the private path
from tensorflow.python.keras.layers.recurrent_v2 import LSTM
LSTM(2)  #: LSTM(units=2) @-,imports='tensorflow.python.keras.layers.recurrent_v2.LSTM'
# case: a star import
from keras.layers import *
LSTM(2)  #: LSTM(units=2)
# case: a star import beside others
from keras.models import *
from keras.layers import *
from os.path import *
m = Sequential([GRU(2)])  #: GRU(units=2) @none
# case: a constant in capitals is none of Keras's
from settings_that_are_not_read import *
from keras.layers import *
LSTM(LSTM_UNITS, activation=ACT)  #: LSTM(units=?, activation=?)
# case: an import inside a function
def build():
    from keras.layers import LSTM
    return LSTM(3)  #: LSTM(units=3) <-4
build()
# case: one of two packages
try:
    from keras.layers import LSTM
except ImportError:
    from tensorflow.keras.layers import LSTM
LSTM(3)  #: LSTM(units=3) / LSTM(units=3)
# case: a rebound module
import keras
nn = keras.layers
nn.LSTM(3)  #: LSTM(units=3)
# case: import_module with a constant
import importlib
layers = importlib.import_module("keras.layers")
layers.LSTM(3)  #: LSTM(units=3)
# case: tf_keras
import tf_keras
tf_keras.layers.GRU(9)  #: GRU(units=9)
# case: keras under a name, layers under another
from tensorflow import keras as K
from tensorflow.keras import layers as L
L.GRU(K.layers.Dense(3).units)  #: GRU(units=3)
# case: a wrapper from one of two packages is one wrapper
try:
    import tf_keras as keras
except ImportError:
    import keras
keras.layers.Bidirectional(keras.layers.GRU(4))  #: GRU(units=4) / GRU(units=4) in Bidirectional.forward ;; GRU(units=4) / GRU(units=4) in Bidirectional.backward
# case: the names of a module of layers, filtered
from keras import layers
kinds = {name: kind for name, kind in vars(layers).items() if name in ("LSTM", "GRU")}
made = [kind(2) for name, kind in sorted(kinds.items())]  #: GRU(units=2) / LSTM(units=2)
# case: a class that pydoc locates
from pydoc import locate
locate("keras.layers.GRU")(3)  #: GRU(units=3)
