# case: left by default, through a function, a split and a slice
from keras import Sequential, layers
from keras.utils import pad_sequences
from sklearn.model_selection import train_test_split
def load(texts):
    return train_test_split(pad_sequences(texts, maxlen=80), [1, 2])
x_train, x_test, y_train, y_test = load(open("texts"))
m = Sequential([layers.Embedding(99, 8, mask_zero=True), layers.LSTM(4)])  #: LSTM(units=4) @left
m.compile("adam", "mse")
m.fit(x_train[:100].astype("int32"), y_train)
# case: into a functional model, whose own inputs only describe it
import keras
from keras import layers
x = keras.Input((None,))
m = keras.Model(x, layers.GRU(3)(layers.Embedding(9, 8, mask_zero=True)(x)))  #: GRU(units=3) @left
m.compile("adam")
m.fit(keras.preprocessing.sequence.pad_sequences(texts), labels)
# case: other data besides
import keras
from keras import layers
x = keras.Input((None,))
m = keras.Model(x, layers.GRU(3)(layers.Embedding(9, 8, mask_zero=True)(x)))  #: GRU(units=3) @data @left
m.fit(keras.utils.pad_sequences(texts), labels)
m.predict(unknown)
# case: without a mask
import keras
from keras import layers
m = keras.Sequential([layers.Embedding(99, 8), layers.LSTM(4)])  #: LSTM(units=4) @none
m.fit(keras.utils.pad_sequences(texts), labels)
# case: on the right, where texts may be empty
import keras
from keras import layers
m = keras.Sequential([layers.Embedding(99, 8, mask_zero=True), layers.LSTM(4)])  #: LSTM(units=4) @data
m.fit(keras.utils.pad_sequences(texts, padding="post"), labels)
# case: on the right, and written out
import keras
from keras import layers
m = keras.Sequential([layers.Embedding(99, 8, mask_zero=True), layers.LSTM(4)])  #: LSTM(units=4) @right
m.predict(keras.utils.pad_sequences([[1, 2], [3]], padding="post"))
# case: an empty row, a hole
import keras
from keras import layers
m = keras.Sequential([layers.Embedding(99, 8, mask_zero=True), layers.LSTM(4)])  #: LSTM(units=4) @data
m.predict(keras.utils.pad_sequences([[1, 2], []], padding="post"))
n = keras.Sequential([layers.Embedding(99, 8, mask_zero=True), layers.LSTM(5)])  #: LSTM(units=5) @data
n.predict(keras.utils.pad_sequences([[1, 0, 2], [3]], padding="post"))
# case: a way to pad that is not known
import keras
from keras import layers
def fit(where):
    m = keras.Sequential([layers.Embedding(99, 8, mask_zero=True), layers.LSTM(4)])  #: LSTM(units=4) @data
    m.fit(keras.utils.pad_sequences(texts, padding=where), labels)
# case: padded with what is not masked
import keras
from keras import layers
m = keras.Sequential([layers.Masking(-1.0), layers.LSTM(4)])  #: LSTM(units=4) @data
m.fit(keras.utils.pad_sequences(texts, dtype="float32"), labels)
n = keras.Sequential([layers.Masking(-1.0), layers.LSTM(5)])  #: LSTM(units=5) @left
n.fit(keras.utils.pad_sequences(texts, dtype="float32", value=-1.0), labels)
# case: turned round before it arrives
import keras
from keras import layers
m = keras.Sequential([layers.Embedding(99, 8, mask_zero=True), layers.LSTM(4)])  #: LSTM(units=4) @data
m.fit(keras.utils.pad_sequences(texts)[:, ::-1], labels)
# case: an own model called
import keras
from keras import layers
class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = layers.Embedding(99, 8, mask_zero=True)
        self.lstm = layers.LSTM(4)  #: LSTM(units=4) @left <-10
    def call(self, x):
        return self.lstm(self.embed(x))
Model()(keras.utils.pad_sequences(texts))
# case: a mask that is written out
import keras
import numpy as np
from keras import layers
x = keras.Input((4, 3))
layers.LSTM(1)(x, mask=np.array([[True, False, True, True]]))  #: LSTM(units=1) @left
layers.LSTM(2)(x, mask=np.array([[True, False, False, False], [True, True, True, True]]))  #: LSTM(units=2) @right
layers.LSTM(3)(x, mask=np.array([[True, False], [False, False]]))  #: LSTM(units=3) @data
