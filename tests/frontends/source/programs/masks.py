# case: an embedding without a mask
from keras import Sequential
from keras.layers import LSTM, Embedding
Sequential([Embedding(10, 3), LSTM(3)])  #: LSTM(units=3) @none
# case: an embedding with a mask
from keras import Sequential
from keras.layers import LSTM, Embedding, Dense
Sequential([Embedding(10, 3, mask_zero=True), Dense(3), LSTM(3)])  #: LSTM(units=3) @data
# case: a mask ends at a convolution
from keras import Sequential
from keras.layers import LSTM, Embedding, Conv1D
Sequential([Embedding(10, 3, mask_zero=True), Conv1D(3, 3), LSTM(3)])  #: LSTM(units=3) @none
# case: a mask goes through a recurrent layer that returns sequences
from keras.models import Sequential
from keras.layers import LSTM, GRU, Masking, RepeatVector
m = Sequential()
m.add(Masking(input_shape=(3, 4)))
m.add(LSTM(3, return_sequences=True))  #: LSTM(units=3, return_sequences=True) @data
m.add(GRU(3))  #: GRU(units=3) @data
m.add(RepeatVector(4))
m.add(GRU(3))  #: GRU(units=3) @none
# case: the functional way
from keras import Input, Model
from keras.layers import LSTM, Embedding, Dense, Bidirectional
i = Input((None,))
x = Embedding(10, 3, mask_zero=True)(i)
y = LSTM(3, return_sequences=True)(x)  #: LSTM(units=3, return_sequences=True) @data
y = Bidirectional(LSTM(4))(y)  #: LSTM(units=4) in Bidirectional.forward @data ;; LSTM(units=4) in Bidirectional.backward @data
z = LSTM(5)(x * 2)  #: LSTM(units=5) @none
Model(i, [y, z])
# case: states
from keras import Input
from keras.layers import LSTM, Embedding
x = Embedding(10, 3, mask_zero=True)(Input((None,)))
e, h, c = LSTM(3, return_state=True)(x)  #: LSTM(units=3, return_state=True) @data
t = Embedding(10, 3)(Input((None,)))
LSTM(3)(t, initial_state=[h, c])  #: LSTM(units=3) @none,initial_state=True,state_dtype='policy'
LSTM(4)([t, h, c])  #: LSTM(units=4) @none,initial_state=True,state_dtype='policy'
# case: states by a star
from keras import Input
from keras.layers import LSTM, Masking
x = Masking()(Input((None, 3)))
out, *state = LSTM(3, return_state=True, return_sequences=True)(x)  #: LSTM(units=3, return_state=True, return_sequences=True) @data
LSTM(4)(out, initial_state=state)  #: LSTM(units=4) @data,initial_state=True,state_dtype='policy',in 2 @none,initial_state=True,state_dtype='policy',in 3
# case: an explicit mask
from keras import Input
from keras.layers import LSTM, Embedding
i = Input((None,))
e = Embedding(10, 3, mask_zero=True)
LSTM(3)(e(i) * 2, mask=e.compute_mask(i))  #: LSTM(units=3) @data
# case: an explicit mask that is computed
import tensorflow as tf
from tensorflow.keras import layers
i = tf.keras.Input((None, 3))
layers.LSTM(3)(i, mask=tf.not_equal(i[:, :, 0], 0))  #: LSTM(units=3) @data
layers.LSTM(4)(i, mask=tf.sequence_mask([3, 2], 4))  #: LSTM(units=4) @right
layers.LSTM(5)(i, mask=tf.sequence_mask([3, 0], 4))  #: LSTM(units=5) @data
layers.LSTM(6)(i, mask=tf.sequence_mask(i[:, 0, 0], 4))  #: LSTM(units=6) @data
# case: mask=None on a masked tensor differs between the versions
from keras import Input
from keras.layers import LSTM, Masking
x = Masking()(Input((None, 3)))
LSTM(3)(x, mask=None)  #: LSTM(units=3) @none,in 2 @data,in 3
# case: merging
from keras import Input
from keras.layers import LSTM, Masking, Add, Concatenate, concatenate
a = Masking()(Input((None, 3)))
b = Input((None, 3))
LSTM(1)(Concatenate()([a, b]))  #: LSTM(units=1) @data,in 2/>3.12 @none,in <3.4 @?,in 3.4-3.12
LSTM(2)(Add()([a, b]))  #: LSTM(units=2) @data,in 2 @none,in 3
LSTM(3)(Add()([a, a]))  #: LSTM(units=3) @data,in 2/>3.4 @none,in <3.4
LSTM(4)(concatenate([a, b]))  #: LSTM(units=4) @data,in 2/>3.12 @none,in <3.4 @?,in 3.4-3.12
# case: a nested Sequential
from keras import Sequential
from keras.layers import LSTM, Embedding, Dense
enc = Sequential([Embedding(10, 3, mask_zero=True), Dense(3)])
Sequential([enc, LSTM(3)])  #: LSTM(units=3) @data
# case: a nested functional model
from keras import Input, Model
from keras.layers import LSTM, Embedding, Dense
i = Input((None, 3))
inner = Model(i, LSTM(3, return_sequences=True)(Dense(3)(i)))  #: LSTM(units=3, return_sequences=True) @data
j = Input((None,))
Model(j, LSTM(4)(inner(Embedding(9, 3, mask_zero=True)(j))))  #: LSTM(units=4) @data
# case: in a subclass
import keras
from keras.layers import LSTM, Embedding, Dropout
class M(keras.Model):
    def __init__(self):
        super().__init__()
        self.e = Embedding(10, 3, mask_zero=True)
        self.d = Dropout(0.1)
        self.r = LSTM(3)  #: LSTM(units=3) @data
    def call(self, x, training=None):
        return self.r(self.d(self.e(x), training=training))
# case: a layer of one's own that passes the mask
import keras
from keras.layers import LSTM, Embedding, Layer
class Scale(Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True
    def call(self, x):
        return x * 2
class Lose(Layer):
    def call(self, x):
        return x * 2
keras.Sequential([Embedding(10, 3, mask_zero=True), Scale(), LSTM(3)])  #: LSTM(units=3) @data
keras.Sequential([Embedding(10, 3, mask_zero=True), Lose(), LSTM(3)])  #: LSTM(units=3) @none
# case: a layer of one's own that merges, and the mask of the first tensor
import keras
from keras.layers import GRU, LSTM, Embedding, Layer
class Sum(Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True
    def call(self, inputs, mask=None):
        return inputs[0] + inputs[1]
class Named(Sum):
    def call(self, inputs, mask=None):
        return inputs["a"] + inputs["b"]
class Own(Layer):
    def call(self, inputs, mask=None):
        return inputs[0] + inputs[1]
    def compute_mask(self, inputs, mask=None):
        if mask is None:
            return None
        return mask[0]
masked, plain = Embedding(9, 4, mask_zero=True)(keras.Input((5,))), Embedding(9, 4)(keras.Input((5,)))
LSTM(1)(Sum()([masked, plain]))  #: LSTM(units=1) @data
LSTM(2)(Sum()([plain, masked]))  #: LSTM(units=2) @none
LSTM(3)(Sum()([plain, plain]))  #: LSTM(units=3) @none
GRU(1)(Named()({"b": plain, "a": masked}))  #: GRU(units=1) @data
GRU(2)(Named()({"b": masked, "a": plain}))  #: GRU(units=2) @none
GRU(3)(Own()([masked, plain]))  #: GRU(units=3) @data
GRU(4)(Own()([plain, masked]))  #: GRU(units=4) @none
GRU(5)(Own()((plain, plain)))  #: GRU(units=5) @none
# case: a layer of one's own that takes the mask
import keras
from keras.layers import LSTM, Embedding, Layer
class Wrap(Layer):
    def __init__(self):
        super().__init__()
        self.r = LSTM(3)  #: LSTM(units=3) @data <-9
    def call(self, x, mask=None):
        return self.r(x * 1, mask=mask)
keras.Sequential([Embedding(10, 3, mask_zero=True), Wrap()])
# case: mask_zero decided elsewhere
import keras, sys
from keras.layers import LSTM, Embedding
keras.Sequential([Embedding(10, 3, mask_zero=len(sys.argv) > 1), LSTM(3)])  #: LSTM(units=3) @data|none
# case: an unknown tensor in a file without masks
from keras.layers import LSTM
def head(x):
    return LSTM(3)(x)  #: LSTM(units=3) @~none
# case: an unknown tensor in a file with masks
from keras.layers import LSTM, Masking
def head(x):
    return LSTM(3)(x)  #: LSTM(units=3) @?
def tail(x):
    return Masking()(x)
# case: an optional masking layer
import keras, sys
from keras.layers import LSTM, Masking
m = keras.Sequential()
if len(sys.argv) > 1:
    m.add(Masking())
m.add(LSTM(3))  #: LSTM(units=3) @none|data
# case: data is never masked
import numpy as np
from keras.layers import LSTM, Masking
Masking()(np.ones((1, 2, 3)))
LSTM(3)(np.ones((1, 2, 3)))  #: LSTM(units=3) @none
# case: TimeDistributed
from keras import Input
from keras.layers import LSTM, Masking, TimeDistributed, Dense
x = Masking()(Input((None, 3)))
x = TimeDistributed(Dense(3))(x)
LSTM(3)(x)  #: LSTM(units=3) @data,in 2/<3.4/>3.9 @?,in 3.4-3.9
# case: a shared layer
from keras import Input
from keras.layers import LSTM, Masking
r = LSTM(3)  #: LSTM(units=3) @data @none
i = Input((None, 3))
r(Masking()(i))
r(i)
# case: layers kept in a helper
from keras import Input
from keras.layers import LSTM, Embedding
def embed(x, mask):
    return Embedding(10, 3, mask_zero=mask)(x)
i = Input((None,))
LSTM(1)(embed(i, True))  #: LSTM(units=1) @data
LSTM(2)(embed(i, False))  #: LSTM(units=2) @none
# case: a layer of an unknown package in a file without masks
from keras import Input
from keras.layers import LSTM
from magic import Layer
LSTM(1)(Layer(3)(Input((3, 4))))  #: LSTM(units=1) @~none
# case: the input of a Sequential's output
from keras.models import Sequential, Model
from keras.layers import LSTM, Masking
m = Sequential([Masking()])
LSTM(3)(m.output)  #: LSTM(units=3) @data,run_stops='`.output` of a Sequential that no graph calls'
# case: Lambda
from keras import Input, backend as K
from keras.layers import LSTM, Masking, Lambda
x = Masking()(Input((None, 3)))
LSTM(1)(Lambda(lambda t: t * 2)(x))  #: LSTM(units=1) @none
LSTM(2)(Lambda(lambda t: t, mask=lambda t, m: None)(x))  #: LSTM(units=2) @data
LSTM(3)(Lambda(lambda t: t * 2, mask=lambda t, m: None)(x))  #: LSTM(units=3) @none
LSTM(4)(Lambda(lambda t: t, mask=lambda t, m: K.not_equal(t, 0))(Input((None, 3))))  #: LSTM(units=4) @data
# case: a Lambda that joins tensors
import tensorflow as tf
from tensorflow.keras import Input, backend as K
from tensorflow.keras.layers import LSTM, Embedding, Lambda
x = Embedding(10, 3, mask_zero=True)(Input((None,)))
i = Input((None,), dtype="int32")
LSTM(1)(Lambda(lambda t: K.concatenate([t, t]))(x))  #: LSTM(units=1) @none
LSTM(2)(tf.concat([x, x], -1))  #: LSTM(units=2) @none
LSTM(3)(K.stack([i, i], -1))  #: LSTM(units=3) @none,input_dtype='int32'
LSTM(4)(Lambda(lambda t: K.stack([t, i]))(x))  #: LSTM(units=4) @none
# case: an Input's type
from keras import Input
from keras.layers import LSTM
LSTM(1)(Input((3, 4), dtype="int32"))  #: LSTM(units=1) @none,input_dtype='int32'
LSTM(2)(Input((None, 4), ragged=True))  #: LSTM(units=2) @none,ragged=True
# case: something that is not followed is called
import keras
from keras import layers
def build(embedding_layer, block):
    x = keras.Input((None,))
    layers.LSTM(3)(embedding_layer(x))  #: LSTM(units=3) @?
    y = layers.LSTM(4, return_sequences=True)(block(x))  #: LSTM(units=4, return_sequences=True) @~none
    layers.LSTM(5)(block(y))  #: LSTM(units=5) @~none
# case: the same in a file that makes masks
import keras
from keras import layers
def build(block):
    x = layers.Masking()(keras.Input((None, 3)))
    layers.LSTM(3)(block(x))  #: LSTM(units=3) @?
# case: a part of what is not followed may be a whole tensor with its mask
import keras
from keras.layers import LSTM, Embedding
import magic
x = Embedding(9, 3, mask_zero=True)(keras.Input((None,)))
made = magic.Layer(3)(x)
LSTM(1)(made[0])  #: LSTM(units=1) @?
LSTM(2)(made[-1])  #: LSTM(units=2) @?
LSTM(3)(made["sequence"])  #: LSTM(units=3) @?
LSTM(4)(made.sequence)  #: LSTM(units=4) @?
LSTM(5)(made[:, 1:])  #: LSTM(units=5) @none
first, second = made
LSTM(6)(second)  #: LSTM(units=6) @?
# case: packages whose layers make no mask and hand none on
import tensorflow as tf
import tensorflow_hub as hub
from tensorflow.keras.layers import LSTM, Embedding
from transformers import TFAutoModel, TFBertModel
ids = tf.keras.Input((None,), dtype="int32")
Embedding(9, 3, mask_zero=True)(ids)
bert = TFBertModel.from_pretrained("bert-base-uncased")
LSTM(1)(bert(ids)[0])  #: LSTM(units=1) @none
LSTM(2)(bert([ids, ids]).last_hidden_state)  #: LSTM(units=2) @none
sequence, pooled = bert([ids, ids])
LSTM(3)(sequence)  #: LSTM(units=3) @none
LSTM(4)(hub.KerasLayer("url")(ids)["sequence_output"])  #: LSTM(units=4) @none
LSTM(5)(hub.KerasLayer("url")(ids))  #: LSTM(units=5) @none
# case: a comment about masks makes none
import keras
# ---------------- Masking
class Own(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.rnn = keras.layers.GRU(3)  #: GRU(units=3) @~none
    def call(self, x):
        return self.rnn(x)
# case: a mask that differs by release, and that a user's own layer hands on by name
from keras import Input, layers
class Inside(layers.Layer):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer
    def call(self, inputs, mask=None):
        return self.layer(inputs, mask=mask)
x = layers.Embedding(9, 3, mask_zero=True)(Input((5,)))
y = Inside(layers.Dropout(0.1))(layers.Add()([x, x]))
layers.LSTM(1)(y)  #: LSTM(units=1) @data,in 2/>3.4 @none,in <3.4
# case: the first argument of a layer by its name
from keras import Input, layers
x = layers.Embedding(9, 3, mask_zero=True)(Input((5,)))
y = layers.MultiHeadAttention(2, 2)(query=x, value=Input((7, 3)))
layers.LSTM(1)(y)  #: LSTM(units=1) @none,in <2.10 @data,in >2.10/3
layers.LSTM(2)(layers.Dropout(0.1)(inputs=x))  #: LSTM(units=2) @data
layers.LSTM(3)(sequences=x)  #: LSTM(units=3) @data
layers.LSTM(4)(layers.MultiHeadAttention(2, 2)(query=Input((7, 3)), value=x))  #: LSTM(units=4) @none
# case: MultiHeadAttention takes the mask off its input, for what runs behind it
from keras import Model
from keras.layers import GRU, LSTM, Embedding, MultiHeadAttention
class Net(Model):
    def __init__(self):
        super().__init__()
        self.words = Embedding(9, 4, mask_zero=True)
        self.attend = MultiHeadAttention(2, 2)
        self.before = GRU(3)  #: GRU(units=3) @data <-15
        self.behind = LSTM(3)  #: LSTM(units=3) @data,in 2/<3.8 @none,in >3.8 <-15
    def call(self, ids):
        x = self.words(ids)
        y = self.before(x)
        self.attend(x, x)
        return self.behind(x) + y
Net()([[1, 2]])
# case: a graph gives a layer the mask that it shows, whatever MultiHeadAttention takes off
from keras import Input, Model
from keras.layers import LSTM, Add, Embedding, MultiHeadAttention
i = Input((6,))
x = Embedding(9, 4, mask_zero=True)(i)
y = LSTM(3)(Add()([x, MultiHeadAttention(2, 2)(x, x)]))  #: LSTM(units=3) @data,in 2/>3.4 @none,in <3.4
Model(i, y)
# case: a mask that no graph shows may be taken off before it is looked at
from keras import Input, Model
from keras.layers import LSTM, Dense, Embedding, MultiHeadAttention, SpectralNormalization
i = Input((6,))
x = Embedding(9, 4, mask_zero=True)(i)
y = LSTM(3)(SpectralNormalization(Dense(4))(x))  #: LSTM(units=3) @data,in 2/<3.8 @?,in >3.8
Model(i, [y, MultiHeadAttention(2, 2)(x, x)])
# case: mask=None beside states
from keras import Input
from keras.layers import GRU, Masking
x = Masking()(Input((None, 3)))
GRU(3)(x, mask=None, initial_state=Input((3,)))  #: GRU(units=3) @none,initial_state=True,state_dtype='float32'
# case: integers that a layer of another dtype hands on may be cast when the graph is built
from keras import Input
from keras.layers import GRU, ZeroPadding1D
GRU(3)(ZeroPadding1D(1, dtype="float64")(Input((6, 4), dtype="int32")))  #: GRU(units=3) @none,input_dtype='int32',in 2/>3.10 @none,input_dtype=?,in <3.10
# case: an operator of logic gives booleans
from keras import Input
from keras.layers import GRU
x = Input((6, 4))
GRU(3)(x | x)  #: GRU(units=3) @none,input_dtype='bool'
# case: the dtypes of states
import tf_keras as keras
from tf_keras import Input
from tf_keras.layers import GRU, LSTM, Activation, Dense
keras.mixed_precision.set_global_policy("mixed_float16")
x, h = Input((3, 4)), Input((3,))
GRU(3)(x, initial_state=h)  #: GRU(units=3) @none,dtype='mixed_float16',initial_state=True,state_dtype='float32'
GRU(3)([x, Dense(3, dtype="float32")(h)])  #: GRU(units=3) @none,dtype='mixed_float16',initial_state=True,state_dtype='float32'
LSTM(3)(x, initial_state=[h, Dense(3)(h)])  #: LSTM(units=3) @none,dtype='mixed_float16',initial_state=True,state_dtype='float32, policy'
GRU(3)(x, initial_state=Input((3,), dtype="float16"))  #: GRU(units=3) @none,dtype='mixed_float16',initial_state=True,state_dtype='float16'
GRU(3)(x, initial_state=unseen(h))  #: GRU(units=3) @none,dtype='mixed_float16',initial_state=True
keras.backend.set_floatx("float64")
GRU(3)(x, initial_state=Input((3,)))  #: GRU(units=3) @none,dtype='mixed_float16',floatx='float64'|-,initial_state=True
# case: a mask of rank 3 in a Sequential
from keras import Input, Sequential
from keras.layers import LSTM, Embedding, TimeDistributed
Sequential([Input((3, 5)), Embedding(9, 4, mask_zero=True), TimeDistributed(LSTM(3)), LSTM(2)])  #: LSTM(units=3) in TimeDistributed @data ;; LSTM(units=2) @data,in 2 @?,in <3.4/>3.9 @?,in 3.4-3.9
Sequential([Embedding(9, 4, mask_zero=True, input_shape=(3, 5)), TimeDistributed(LSTM(3)), LSTM(2)])  #: LSTM(units=3) in TimeDistributed @data ;; LSTM(units=2) @data,in 2 @?,in <3.4/>3.9 @?,in 3.4-3.9
# case: a mask of unknown rank behind a recurrent layer in a TimeDistributed
from keras import Sequential
from keras.layers import LSTM, Embedding, TimeDistributed
Sequential([Embedding(9, 4, mask_zero=True), TimeDistributed(LSTM(3)), LSTM(2)])  #: LSTM(units=3) in TimeDistributed @? ;; LSTM(units=2) @data,in 2 @?,in <3.4/>3.9 @?,in 3.4-3.9
# case: a model that is called with a mask puts it on the tensor, which other layers take too
from keras import Input, Sequential, ops
from keras.layers import LSTM, Dense, Embedding
ids = Input((6,), dtype="int32")
x = Embedding(9, 4)(ids)
LSTM(1)(x)  #: LSTM(units=1) @none,in 2 @?,in 3
Sequential([Input((6, 4)), Dense(3)])(x, mask=ops.logical_or(ids, ids))
LSTM(2)(x)  #: LSTM(units=2) @none,in 2 @?,in 3
# case: a subclass of Conv1D that turns masking on
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
class Own(Conv1D):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.supports_masking = True
LSTM(2)(Own(3, 1)(x))  #: LSTM(units=2) @data
# case: a subclass that turns masking on before Keras's constructor sets it
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
class Own(Conv1D):
    def __init__(self, *args, **kwargs):
        self.supports_masking = True
        super().__init__(*args, **kwargs)
LSTM(2)(Own(3, 1)(x))  #: LSTM(units=2) @none
# case: compute_mask of a Conv1D that gives the mask
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
class Own(Conv1D):
    def compute_mask(self, inputs, mask=None):
        return mask
LSTM(2)(Own(3, 1)(x))  #: LSTM(units=2) @data
# case: compute_mask of a Reshape that gives the mask
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
class Own(Reshape):
    def compute_mask(self, inputs, mask=None):
        return mask
LSTM(2)(Own((6, 4))(x))  #: LSTM(units=2) @data
# case: compute_mask of a pooling layer that gives a part of the mask
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
class Own(MaxPooling1D):
    def compute_mask(self, inputs, mask=None):
        return mask[:, ::2]
LSTM(2)(Own(2)(x))  #: LSTM(units=2) @data
# case: compute_mask of a Dense that gives no mask
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
class Own(Dense):
    def compute_mask(self, inputs, mask=None):
        return None
LSTM(2)(Own(3)(x))  #: LSTM(units=2) @none
# case: compute_mask of an Embedding that gives no mask
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
class Own(Embedding):
    def compute_mask(self, inputs, mask=None):
        return None
LSTM(2)(Own(9, 4, mask_zero=True)(i))  #: LSTM(units=2) @none
# case: a subclass of Dense that turns masking off
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
class Own(Dense):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.supports_masking = False
LSTM(2)(Own(3)(x))  #: LSTM(units=2) @none
# case: a subclass of Embedding that turns masking off
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
class Own(Embedding):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.supports_masking = False
LSTM(2)(Own(9, 4, mask_zero=True)(i))  #: LSTM(units=2) @none
# case: masking turned on for one Conv1D
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
conv = Conv1D(3, 1)
conv.supports_masking = True
LSTM(2)(conv(x))  #: LSTM(units=2) @data
# case: masking turned off for one Dense
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
dense = Dense(3)
dense.supports_masking = False
LSTM(2)(dense(x))  #: LSTM(units=2) @none
# case: mask_zero turned off after the construction
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
e = Embedding(9, 4, mask_zero=True)
e.mask_zero = False
LSTM(2)(e(i))  #: LSTM(units=2) @none
# case: masking turned off for one Embedding
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
e = Embedding(9, 4, mask_zero=True)
e.supports_masking = False
LSTM(2)(e(i))  #: LSTM(units=2) @none
# case: mask_zero set later does not turn masking on
import keras
from keras.layers import LSTM, Conv1D, Dense, Embedding, MaxPooling1D, Reshape
i = keras.Input((6,), dtype="int32")
x = Embedding(9, 4, mask_zero=True)(i)
e = Embedding(9, 4)
e.mask_zero = True
LSTM(2)(e(i))  #: LSTM(units=2) @none
# case: what a layer inside a Lambda puts on a tensor stays (keras 3.4.1 to 3.15.1 and tf_keras 2.21.0 were asked)
from keras import Input, layers
e = layers.Embedding(10, 4, mask_zero=True)(Input((5,)))
drop = layers.Dropout(0.2)
some = layers.Masking()
layers.LSTM(1)(layers.Lambda(lambda t: drop(t))(e))  #: LSTM(units=1) @data
layers.LSTM(2)(layers.Lambda(lambda t: some(t))(Input((5, 4))))  #: LSTM(units=2) @data
layers.LSTM(4)(layers.Lambda(lambda t: t * 2)(e))  #: LSTM(units=4) @none
layers.LSTM(5)(layers.Lambda(lambda t: layers.add([t, t]))(e))  #: LSTM(units=5) @data,in 2/>3.4 @none,in <3.4
layers.LSTM(6)(layers.Lambda(layers.add)([e, e]))  #: LSTM(units=6) @data,in 2/>3.4 @none,in <3.4

# case: attention that returns its scores, too
import keras
from keras import layers
x = layers.Masking()(keras.Input((5, 4)))
s, scores = layers.MultiHeadAttention(1, 2)(x, x, return_attention_scores=True)
layers.LSTM(1)(s)  #: LSTM(units=1) @none,in <2.10 @data,in >2.10/3
r = layers.Attention()([x, x], return_attention_scores=True)
layers.LSTM(2)(r[0])  #: LSTM(units=2) @data,in 2/>3.12 @?,in <3.7 @?,in 3.7-3.12
layers.LSTM(3)(r[1])  #: LSTM(units=3) @none
layers.LSTM(4)(layers.Attention()([x, x], return_attention_scores=False))  #: LSTM(units=4) @data,in 2/>3.12 @?,in <3.7 @?,in 3.7-3.12
# case: a subclass whose call drops the mask still hands it on
import tf_keras
from tf_keras import layers
class Bare(layers.LSTM):
    def call(self, inputs, mask=None, training=None, initial_state=None):
        return super().call(inputs, mask=None, training=training, initial_state=initial_state)
x = layers.Masking()(tf_keras.Input((6, 3)))
y = Bare(3, return_sequences=True)(x)  #: LSTM:Bare(units=3, return_sequences=True) @none,in 2 @data,in 3
layers.LSTM(4)(y)  #: LSTM(units=4) @data
# case: supports_masking as an attribute of the class counts in Keras 3, whose base class has a property of that name
import keras
from keras.layers import GRU, LSTM, Embedding, Layer
class Keeps(Layer):
    supports_masking = True
    def call(self, x):
        return x * 2
class Refuses(Layer):
    supports_masking = False
    def call(self, x):
        return x * 2
    def compute_mask(self, x, mask=None):
        return mask
e = Embedding(9, 4, mask_zero=True)(keras.Input((5,)))
GRU(1)(Keeps()(e))  #: GRU(units=1) @none,in 2 @data,in 3
GRU(2)(Refuses()(e))  #: GRU(units=2) @data,in 2 @none,in 3
kept = Keeps()
kept.supports_masking = True
GRU(3)(kept(e))  #: GRU(units=3) @data
# case: the activation linear gives back the very tensor, with its mask
import keras
from keras import activations
from keras.layers import LSTM, Embedding
e = Embedding(9, 4, mask_zero=True)(keras.Input((5,)))
LSTM(1)(activations.linear(e))  #: LSTM(units=1) @data
LSTM(2)(activations.get(None)(e))  #: LSTM(units=2) @data
LSTM(3)(activations.relu(e))  #: LSTM(units=3) @none
# case: a program puts a mask on a tensor itself
import keras
from keras.layers import GRU, LSTM, Conv1D, Embedding, Layer
e = Embedding(9, 4, mask_zero=True)(keras.Input((5,), dtype="int32"))
y = Conv1D(4, 3, padding="same")(e)
y._keras_mask = e._keras_mask
GRU(1)(y)  #: GRU(units=1) @none|data,in <2.2 @none,in >2.2 @data,in 3
GRU(2)(y * 2)  #: GRU(units=2) @none
e._keras_mask = None
GRU(3)(e)  #: GRU(units=3) @data|none,in <2.2 @data,in >2.2/3
class Convolved(Layer):
    def __init__(self):
        super().__init__()
        self.embed, self.conv, self.inner = Embedding(9, 4, mask_zero=True), Conv1D(4, 1), LSTM(5)  #: LSTM(units=5) @data <-19
    def call(self, ids):
        x = self.embed(ids)
        out = self.conv(x)
        out._keras_mask = x._keras_mask
        return self.inner(out)
Convolved()(keras.Input((5,), dtype="int32"))
# case: a layer that takes no mask, around which a TimeDistributed stops, on a tensor that is not followed
from tensorflow.keras.layers import LSTM, Flatten, TimeDistributed
def unseen(x):
    return LSTM(3)(TimeDistributed(Flatten())(x))  #: LSTM(units=3) @~none,in 2/<3.4/>3.9 @?,in 3.4-3.9
# case: a layer that gives back its very input puts its mask on that, for those who get it afterwards
import keras
from keras import layers
class Marks(layers.Layer):
    def compute_mask(self, inputs, mask=None):
        return inputs[:, :, 0] > 0
    def call(self, x):
        return x
class Copies(Marks):
    def call(self, x):
        return x * 1.0
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.marks, self.copies, self.dense = Marks(), Copies(), layers.Dense(3)
        self.one = layers.LSTM(1)  #: LSTM(units=1) @none <-23
        self.two = layers.LSTM(2)  #: LSTM(units=2) @data <-23
        self.three = layers.LSTM(3)  #: LSTM(units=3) @data <-23
    def call(self, x):
        copied = self.copies(x)
        first = self.one(x)
        marked = self.marks(x)
        return first + self.two(self.dense(x)) + self.three(marked)
net = Net()
net(layers.Dense(3)(keras.Input((5, 3))))
i = keras.Input((5, 3))
layers.LSTM(4)(i)  #: LSTM(units=4) @?
layers.LSTM(5)(Marks()(i))  #: LSTM(units=5) @data
layers.LSTM(6)(layers.Dense(3)(i))  #: LSTM(units=6) @?
# case: a nested model is given a dict: by its keys, or by the names of its Inputs
import keras
from keras import layers
a, b = keras.Input((5, 3), name="a"), keras.Input((5, 3), name="b")
one = keras.Model({"k": a, "l": b}, [layers.LSTM(1)(a), layers.LSTM(2)(b)])  #: LSTM(units=1) @none ;; LSTM(units=2) @data
p, q = keras.Input((5, 3)), keras.Input((5, 3))
one({"l": layers.Masking()(q), "k": p})
c, d = keras.Input((5, 3), name="c"), keras.Input((5, 3), name="d")
two = keras.Model([c, d], [layers.GRU(1)(c), layers.GRU(2)(d)])  #: GRU(units=1) @none ;; GRU(units=2) @data
two({"d": layers.Masking()(q), "c": p})
e, f = keras.Input((5, 3)), keras.Input((5, 3))
three = keras.Model({"z": e, "y": f}, [layers.GRU(3)(e), layers.GRU(4)(f)])  #: GRU(units=3) @data ;; GRU(units=4) @none
three([p, layers.Masking()(q)])
