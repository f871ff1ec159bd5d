# case: set on the finished layer
from keras import activations
from keras.layers import LSTM, GRU
one = LSTM(1)  #: LSTM(units=1, unroll:=True)
one.unroll = True
two = GRU(2, use_cudnn=False)  #: GRU(units=2, use_cudnn=False, activation:=keras.activations.relu)
two.cell.activation = activations.relu
three = LSTM(3)  #: LSTM(units=3)
three.trainable = False
three.cell.state_size
# case: set on some way only
import sys
from keras.layers import LSTM
layer = LSTM(1)  #: LSTM(units=1, unroll:=True|-)
if len(sys.argv) > 1:
    layer.unroll = True
# case: a class that sets before and after its base does
from keras.layers import LSTM
class Before(LSTM):
    def __init__(self, units, unroll=False):
        self.unroll = unroll
        super().__init__(units)  #: LSTM:Before(units=3) <-10
class After(LSTM):
    def __init__(self, units, unroll=False):
        super().__init__(units)  #: LSTM:After(units=3, unroll:=True) <-11
        self.unroll = unroll
Before(3, True)
After(3, True)
# case: a layer that a wrapper makes anew
from keras.layers import LSTM, Bidirectional
one = LSTM(1)  #: LSTM(units=1, unroll=True) in Bidirectional.forward ;; LSTM(units=1, unroll=True) in Bidirectional.backward
one.unroll = True
Bidirectional(one)
one.unroll = False
# case: a config that is changed
from keras.layers import LSTM
base = LSTM(4, recurrent_dropout=0.2, use_cudnn=False)  #: LSTM(units=4, recurrent_dropout=0.2, use_cudnn=False)
config = base.get_config()
config.update(recurrent_dropout=0, name="b")
LSTM.from_config(config)  #: LSTM(name='b', recurrent_dropout=0, units=4)
base.__class__.from_config(base.get_config())  #: LSTM(recurrent_dropout=0.2, units=4)
# case: a setting that is not given is the release's
from keras.layers import LSTM
config = LSTM(4).get_config()  #: LSTM(units=4)
config["unroll"] = config["unroll"] or config.get("recurrent_dropout", 0.1) == 3
LSTM.from_config(config)  #: LSTM(units=4, unroll=-|?)
# case: a wrapper's config
from keras import layers
wrapped = layers.Bidirectional(layers.GRU(3, unroll=True))  #: GRU(units=3, unroll=True) in Bidirectional.forward ;; GRU(units=3, unroll=True) in Bidirectional.backward
layers.Bidirectional.from_config(wrapped.get_config())  #: GRU(units=3, unroll=True) in Bidirectional.forward ;; GRU(units=3, unroll=True) in Bidirectional.backward
# case: an own class tells its config
import keras
from keras import layers
@keras.saving.register_keras_serializable("mine")
class Own(layers.LSTM):
    def __init__(self, units, gate=False, **kwargs):
        super().__init__(units, **kwargs)  #: LSTM:Own(units=3, unroll=True) <-9 ;; LSTM:Own(units=3, unroll=True) <-10
    def get_config(self):
        return {**super().get_config(), "gate": True}
own = Own(3, unroll=True)
layers.deserialize(layers.serialize(own))
# case: a functional model cloned, its layers asked for
import keras
from keras import layers
x = keras.Input((None, 3))
y = layers.LSTM(4, return_sequences=True, name="low")(layers.Masking()(x))  #: LSTM(units=4, return_sequences=True, name='low') @data
m = keras.Model(x, layers.GRU(2, name="top")(y))  #: GRU(units=2, name='top') @data
c = keras.models.clone_model(m)  #: LSTM(name='low', return_sequences=True, units=4) @data ;; GRU(name='top', units=2) @data
layers.LSTM(9)(m.get_layer("low").output)  #: LSTM(units=9) @data
layers.LSTM(8)(m.layers[2].input)  #: LSTM(units=8) @data
layers.LSTM(7)(m.layers[0].output)  #: LSTM(units=7) @none
# case: a model by its text
import keras
m = keras.Sequential([keras.layers.LSTM(5, unroll=True)])  #: LSTM(units=5, unroll=True) @none
n = keras.models.model_from_json(m.to_json())  #: LSTM(units=5, unroll=True) @none
# case: a model by its text, which is changed as a dict
import json, keras
m = keras.Sequential([keras.layers.LSTM(5, unroll=True)])  #: LSTM(units=5, unroll=True) @none
config = json.loads(m.to_json())
for layer in config["config"]["layers"]:
    layer["config"]["unroll"] = False
text = json.dumps(config, indent=2)
for layer in config["config"]["layers"]:
    layer["config"]["units"] = 6
n = keras.models.model_from_json(text)  #: LSTM(units=5, unroll=False) @none
o = keras.models.model_from_json(m.to_json())  #: LSTM(units=5, unroll=True) @none
# case: clone with a function
import keras
m = keras.Sequential([keras.layers.LSTM(5), keras.layers.Dense(1)])  #: LSTM(units=5) @none
def other(layer):
    if isinstance(layer, keras.layers.LSTM):
        return keras.layers.GRU(layer.units)  #: GRU(units=5) @none <-7
    return layer.__class__.from_config(layer.get_config())
keras.models.clone_model(m, clone_function=other)
# case: a clone has the inputs of its model
import tf_keras
from tf_keras import layers
x = tf_keras.Input((None, 30), dtype="int32")
e = layers.TimeDistributed(layers.Embedding(9, 5, mask_zero=True))(x)
y = layers.TimeDistributed(layers.LSTM(7))(e)  #: LSTM(units=7) in TimeDistributed @data,in 2 @none,in 3
m = tf_keras.Model(x, y)
tf_keras.models.clone_model(m)  #: LSTM(units=7) in TimeDistributed @data,in 2 @none,in 3
# case: what a layer gives is set on it later
import keras
from keras.layers import GRU, LSTM, Embedding
one = LSTM(1)  #: LSTM(units=1) @data
one.return_sequences = True
two = GRU(2)  #: GRU(units=2) @data
two(one(Embedding(9, 4, mask_zero=True)(keras.Input((5,)))))
# case: a bias that is set on the cell
from keras.layers import LSTM
one = LSTM(1)  #: LSTM(units=1, use_bias:=False|-)
one.cell.use_bias = False
# case: a model whose outputs are a dict has layers like any other
import keras
from keras.layers import GRU, LSTM
ends = {name: keras.Input((6, 3), name=name) for name in "yx"}
model = keras.Model(ends, {"b": LSTM(1)(ends["x"]), "a": GRU(2, reset_after=False)(ends["y"])})  #: LSTM(units=1) @none ;; GRU(units=2, reset_after=False) @none
keras.models.clone_model(model)  #: GRU(reset_after=False, units=2) @none ;; LSTM(units=1) @none
LSTM(int(isinstance(model.layers[2], GRU)) + 3)  #: LSTM(units=4)
# case: a class of the program that nothing names to Keras may not be found (keras 3.0.5 to 3.15.1 were asked)
from keras import layers
class Mine(layers.LSTM):
    pass
layers.deserialize({"class_name": "Mine", "config": {"units": 3}})  #: LSTM?:Mine(units=3)
layers.deserialize({"class_name": "Mine", "config": {"units": 4}}, {"Mine": Mine})  #: LSTM:Mine(units=4)
layers.deserialize({"module": "__main__", "class_name": "Mine", "config": {"units": 5}})  #: LSTM:Mine(units=5)
layers.deserialize(layers.serialize(Mine(6)))  #: LSTM:Mine(units=6) ;; LSTM:Mine(units=6)

# case: the config of a Sequential begins with its InputLayer
import keras
from keras.layers import GRU, LSTM
rnn = LSTM(3, return_sequences=True)  #: LSTM(units=3, return_sequences=True) @none
m = keras.Sequential([keras.Input((5, 2)), rnn, GRU(2)])  #: GRU(units=2) @none
c = m.get_config()
c["layers"][1]["config"]["unroll"] = True
keras.Sequential.from_config(c)  #: LSTM(return_sequences=True, units=3, unroll=True) @none ;; GRU(units=2) @none
c["layers"] = [entry for entry in c["layers"] if entry["class_name"] != "LSTM"]
keras.Sequential.from_config(c)  #: GRU(units=2) @none
del c["layers"][1]
c["layers"] += m.get_config()["layers"][:0:-1]
keras.Sequential.from_config(c)  #: GRU(units=2) @none ;; LSTM(return_sequences=True, units=3) @none
first, *rest = m.get_config()["layers"]
rest[0]["config"]["units"] = 9
keras.Sequential.from_config({"name": "z", "layers": [first, *rest]})  #: LSTM(return_sequences=True, units=9) @none ;; GRU(units=2) @none
# case: a Sequential that knows no input has no InputLayer in its config, and one that is built has
import keras
from keras.layers import GRU, LSTM
m = keras.Sequential([LSTM(3, return_sequences=True), GRU(2)])  #: LSTM(units=3, return_sequences=True) @none ;; GRU(units=2) @none
c = m.get_config()
c["layers"][1]["config"]["unroll"] = True
keras.Sequential.from_config(c)  #: LSTM(return_sequences=True, units=3) @none ;; GRU(units=2, unroll=True) @none
m.build((None, 6, 3))
c = m.get_config()
c["layers"][1]["config"]["unroll"] = True
keras.Sequential.from_config(c)  #: LSTM(return_sequences=True, units=3, unroll=True) @none ;; GRU(units=2) @none
# case: the config of a functional model has its layers in order
import keras
from keras.layers import GRU, LSTM
i = keras.Input((6, 3))
x = LSTM(3, return_sequences=True)(i)  #: LSTM(units=3, return_sequences=True) @none
m = keras.Model(i, GRU(2)(x))  #: GRU(units=2) @none
c = m.get_config()
c["layers"][1]["config"]["unroll"] = True
c["layers"][0]["config"]["batch_shape"] = (2, 6, 3)
keras.Model.from_config(c)  #: LSTM(return_sequences=True, units=3, unroll=True) @none ;; GRU(units=2) @none
del c["layers"][2]
keras.Model.from_config(c)  #: LSTM(return_sequences=True, units=3, unroll=True) @none ;; GRU(**?) @none
# case: a function that rebuilds a config, and one that edits it in place
import keras
from keras import layers
def rebuilt(cfg):
    if isinstance(cfg, dict):
        return {k: (0.0 if k == "recurrent_dropout" else rebuilt(v)) for k, v in cfg.items()}
    if isinstance(cfg, (list, tuple)):
        return type(cfg)(rebuilt(v) for v in cfg)
    return cfg
def edit(cfg):
    if isinstance(cfg, dict):
        for k in list(cfg):
            if k == "recurrent_dropout":
                cfg[k] = 0.0
            else:
                edit(cfg[k])
    elif isinstance(cfg, list):
        for v in cfg:
            edit(v)
i = keras.Input((5, 2))
m = keras.Model(i, layers.LSTM(3, recurrent_dropout=0.2)(layers.Masking()(i)))  #: LSTM(units=3, recurrent_dropout=0.2) @data
keras.Model.from_config(rebuilt(m.get_config()))  #: LSTM(recurrent_dropout=0.0, units=3) @data
c = m.get_config()
edit(c)
keras.Model.from_config(c)  #: LSTM(recurrent_dropout=0.0, units=3) @data
# case: a model of tf_keras from its config is one of tf_keras
import tf_keras as keras
m = keras.Sequential([keras.Input((5, 3)), keras.layers.LSTM(4)])  #: LSTM(units=4) @none
keras.Sequential.from_config(m.get_config())  #: LSTM(units=4) @none
keras.models.model_from_json(m.to_json())  #: LSTM(units=4) @none
# case: the text of a model, in which a setting is replaced
import json, keras
m = keras.Sequential([keras.Input((5, 2)), keras.layers.LSTM(3, recurrent_dropout=0.2)])  #: LSTM(units=3, recurrent_dropout=0.2) @none
text = m.to_json().replace('"recurrent_dropout": 0.2', '"recurrent_dropout": 0.0')
keras.models.model_from_json(text)  #: LSTM(recurrent_dropout=0.0, units=3) @none
text = m.to_json().replace('"activation": "tanh"', '"activation": "relu"')
keras.models.model_from_json(text)  #: LSTM(activation='relu', recurrent_dropout=0.2, units=3) @none
c = json.loads(json.dumps(m.get_config()))
c["layers"][1]["config"]["unroll"] = True
keras.Sequential.from_config(c)  #: LSTM(recurrent_dropout=0.2, units=3, unroll=True) @none
# case: a model that is loaded from the file that it was saved to
import os, tempfile, keras
m = keras.Sequential([keras.Input((5, 2)), keras.layers.LSTM(4, use_cudnn=False)])  #: LSTM(units=4, use_cudnn=False) @none,saved='m.save(path)'|'keras.saving.save_model(m, "known.keras")'
path = os.path.join(tempfile.mkdtemp(), "m.keras")
m.save(path)
keras.models.load_model(path)  #: LSTM(units=4) @none
keras.models.load_model("another.keras")
keras.saving.save_model(m, "known.keras")
keras.saving.load_model("known.keras", compile=False)  #: LSTM(units=4) @none
# case: the layers that a model keeps track of, one below the other
import keras
from keras import layers
inner = keras.Sequential([layers.LSTM(1)])  #: LSTM(units=1, unroll:=True) @none
model = keras.Sequential([keras.Input((5, 3)), layers.TimeDistributed(layers.Dense(3)), inner, layers.Bidirectional(layers.GRU(2))])  #: GRU(units=2, unroll:=True) in Bidirectional.forward @none ;; GRU(units=2, unroll:=True) in Bidirectional.backward @none
for layer in model._flatten_layers(include_self=False):
    if hasattr(layer, "unroll"):
        layer.unroll = True
# case: the layers that a model of one's own keeps track of, at once and in order
import keras
from keras import layers
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.stack = {"a": [layers.LSTM(1), layers.GRU(2)]}  #: LSTM(units=1, unroll:=True) <-8 ;; GRU(units=2, use_cudnn:=False) <-8
        self.last = layers.SimpleRNN(3)  #: SimpleRNN(units=3) <-8
net = Net()
net.layers[0].unroll = True
[*net._flatten_layers(recursive=False)][2].use_cudnn = False
# case: the layers in a module, with the cells and in no order
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.LSTM(1)])  #: LSTM(units=1, unroll:=True) @none
for module in model.submodules:
    if isinstance(module, tf.keras.layers.LSTM):
        module.unroll = True
# case: a serialised object is found by its name
from keras.layers import GRU
GRU(1, activation={"module": "builtins", "class_name": "function", "config": "tanh", "registered_name": "function"})  #: GRU(units=1, activation='tanh')
GRU(2, kernel_initializer={"class_name": "Zeros", "config": {}})  #: GRU(units=2, kernel_initializer='Zeros')
GRU(3, activation={"class_name": "LeakyReLU", "config": {}})  #: GRU(units=3, activation=a dict)
GRU(4, bias_initializer={"class_name": "Zeros"})  #: GRU(units=4, bias_initializer=a dict)
GRU(5, bias_initializer={"class_name": "Constant", "config": {"value": 1}})  #: GRU(units=5, bias_initializer=a dict)
