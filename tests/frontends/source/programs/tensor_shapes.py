# case: a dimension that an Input declares is a number, and an open one None
from keras import Input, backend, layers, ops
x = Input((5, 4))
layers.LSTM(x.shape[1])  #: LSTM(units=5)
layers.LSTM(x.shape[-1])  #: LSTM(units=4)
layers.LSTM(ops.shape(x)[1])  #: LSTM(units=5)
layers.LSTM(backend.int_shape(x)[2])  #: LSTM(units=4)
layers.LSTM(len(x.shape))  #: LSTM(units=3)
_, steps, features = x.shape
layers.LSTM(steps * features)  #: LSTM(units=20)
layers.LSTM(1, unroll=Input((None, 3)).shape[1] is None)  #: LSTM(units=1, unroll=True)
layers.LSTM(1, unroll=Input((2, 3), batch_size=4).shape[0] is None)  #: LSTM(units=1, unroll=?)
def build(n=3):
    layers.LSTM(Input((n, 2)).shape[1])  #: LSTM(units=3) <-14
build()
# case: layers change the dimensions as Keras does
from keras import Input, layers
x = layers.Dropout(0.1)(layers.Dense(7)(Input((9, 4))))
layers.LSTM(x.shape[2])  #: LSTM(units=7)
x = layers.MaxPooling1D(2)(layers.Conv1D(3, 2)(x))
layers.LSTM(x.shape[1])  #: LSTM(units=4)
layers.LSTM(x.shape[2])  #: LSTM(units=3)
x = layers.Bidirectional(layers.LSTM(6, return_sequences=True))(x)  #: LSTM(units=6, return_sequences=True) in Bidirectional.forward @none ;; LSTM(units=6, return_sequences=True) in Bidirectional.backward @none
layers.LSTM(x.shape[2])  #: LSTM(units=12)
x = layers.GRU(8)(x)  #: GRU(units=8) @none
layers.LSTM(x.shape[1])  #: LSTM(units=8)
layers.LSTM(layers.Reshape((2, 4))(x).shape[1])  #: LSTM(units=2)
layers.LSTM(layers.RepeatVector(5)(x).shape[1])  #: LSTM(units=5)
layers.LSTM(layers.Embedding(9, 2)(Input((3,))).shape[2])  #: LSTM(units=2)
layers.LSTM(layers.Reshape((-1, 2))(x).shape[1])  #: LSTM(units=4)
# case: layers that merge, flatten and spread over the steps
from keras import Input, layers
a, b, n, image = Input((5, 3)), Input((5, 4)), Input((None, 3)), Input((5, 4, 4, 2))
layers.LSTM(layers.Concatenate()([a, b]).shape[-1])  #: LSTM(units=7)
layers.LSTM(layers.concatenate([a, b, b], axis=-1).shape[2])  #: LSTM(units=11)
layers.LSTM(layers.Concatenate(axis=1)([a, a]).shape[1])  #: LSTM(units=10)
layers.LSTM(1, unroll=layers.Concatenate(axis=1)([a, n]).shape[1] is None)  #: LSTM(units=1, unroll=?)
layers.LSTM(1, unroll=layers.Concatenate()([a, n]).shape[1] is None)  #: LSTM(units=1, unroll=?)
layers.LSTM(layers.Add()([a, a]).shape[2])  #: LSTM(units=3)
layers.LSTM(layers.TimeDistributed(layers.Dense(6))(a).shape[2])  #: LSTM(units=6)
layers.LSTM(layers.TimeDistributed(layers.Flatten())(image).shape[2])  #: LSTM(units=32)
layers.LSTM(layers.Flatten()(a).shape[1])  #: LSTM(units=15)
layers.LSTM(1, unroll=layers.Flatten()(n).shape[1] is None)  #: LSTM(units=1, unroll=True)
layers.LSTM(layers.Reshape((-1, 5))(a).shape[1])  #: LSTM(units=3)
layers.LSTM(layers.Reshape((-1, 3))(n).shape[1])  #: LSTM(units=?)
layers.LSTM(layers.GlobalMaxPooling1D()(n).shape[1])  #: LSTM(units=3)
# case: where code runs line by line on data, an open dimension may be a number
import keras
class Own(keras.layers.Layer):
    def call(self, x):
        return keras.layers.LSTM(x.shape[2], unroll=x.shape[1] is None)(x)  #: LSTM(units=2, unroll=?) @none <-5
Own()(keras.Input((None, 2)))
