# case: only the call under the scope is pinned, not another call, layer or construction
import tensorflow as tf
with tf.device("/CPU:0"):
    made_here = tf.keras.layers.LSTM(1)  #: LSTM(units=1) @none
    pinned = tf.keras.layers.LSTM(2)  #: LSTM(units=2) @none,device='cpu'
    pinned(tf.zeros((1, 2, 3)))
made_here(tf.zeros((1, 2, 3)))
free = tf.keras.layers.LSTM(3)  #: LSTM(units=3) @none
free(tf.zeros((1, 2, 3)))
# case: a layer that is only made in the scope may be called there or not
import tensorflow as tf
with tf.device("/CPU:0"):
    layer = tf.keras.layers.LSTM(1)  #: LSTM(units=1) @-,device='cpu'|-
# case: the innermost scope decides, and a job or None alone changes or ends it
import tensorflow as tf
a, b, c, d = (tf.keras.layers.LSTM(n) for n in (1, 2, 3, 4))  #: LSTM(units=1) @none,device='gpu' ;; LSTM(units=2) @none,device='cpu' ;; LSTM(units=3) @none ;; LSTM(units=4) @none,device='cpu'
x = tf.zeros((1, 2, 3))
with tf.device("cpu:0"):
    with tf.device("/device:GPU:1"):
        a(x)
    with tf.device("/job:worker/task:1"):
        b(x)
    with tf.device(None):
        c(x)
    d(x)
# case: every spelling of a CPU
import keras
import tensorflow as tf
import tensorflow.compat.v1 as tf1
HERE = "/job:localhost/replica:0/task:0/device:CPU:0"
x = tf.zeros((1, 2, 3))
one, two, three = keras.layers.LSTM(1), keras.layers.LSTM(2), keras.layers.LSTM(3)  #: LSTM(units=1) @none,device='cpu' ;; LSTM(units=2) @none,device='cpu' ;; LSTM(units=3) @none,device='cpu'
with tf.device(HERE), tf.name_scope("a"):
    one(x)
with keras.device("cpu"):
    two(x)
with tf1.device(device_name="/CPU:0"):
    three(x)
# case: the number of a GPU need not be known, a device must be
import sys
import tensorflow as tf
x = tf.zeros((1, 2, 3))
def run(number, name):
    one, two = tf.keras.layers.LSTM(1), tf.keras.layers.LSTM(2)  #: LSTM(units=1) @none,device='gpu' <-10 ;; LSTM(units=2) @none,device='cpu'|'gpu' <-10
    with tf.device(f"/GPU:{number}"):
        one(x)
    with tf.device(name):
        two(x)
run(sys.argv[1], sys.argv[2])
# case: a scope that depends
import sys
import contextlib
import tensorflow as tf
x = tf.zeros((1, 2, 3))
one, two, three = tf.keras.layers.LSTM(1), tf.keras.layers.LSTM(2), tf.keras.layers.LSTM(3)  #: LSTM(units=1) @none,device='cpu'|'gpu' ;; LSTM(units=2) @none,device='cpu'|- ;; LSTM(units=3) @none,device='gpu'|'cpu'
with tf.device("/cpu:0" if "cpu" in sys.argv else "/gpu:0"):
    one(x)
with tf.device("/cpu:0") if sys.argv else contextlib.nullcontext():
    two(x)
if sys.argv:
    scope = tf.device("/gpu:0")
else:
    scope = tf.device("/cpu:0")
with scope:
    three(x)
# case: where the file asks for a GPU, one is there
import tensorflow as tf
where = "/GPU:0" if tf.config.list_physical_devices("GPU") else "/CPU:0"
layer = tf.keras.layers.LSTM(1)  #: LSTM(units=1) @none,device=~'gpu'
with tf.device(where):
    layer(tf.zeros((1, 2, 3)))
# case: how many GPUs there are is assumed, and what hangs on it too
import tensorflow as tf
gpus = tf.config.experimental.list_physical_devices("GPU")
if len(gpus) > 1:
    layer = tf.keras.layers.LSTM(1)  #: LSTM(units=1) @none,device=~'gpu'
elif gpus and tf.test.is_gpu_available():
    layer = tf.keras.layers.LSTM(2)  #: LSTM(units=2) @none,device=~'gpu'
else:
    layer = tf.keras.layers.LSTM(3)  #: LSTM(units=3) @none,device='absent'
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_visible_devices(gpus[:1], "GPU")
with tf.device(tf.test.gpu_device_name() if len(gpus) else "/CPU:0"):
    layer(tf.zeros((1, 2, 3)))
# case: a model that is run under the scope
import numpy as np
import tensorflow as tf
def build(units):
    inputs = tf.keras.Input((4, 2))
    return tf.keras.Model(inputs, tf.keras.layers.LSTM(units)(inputs))  #: LSTM(units=1) @none,device='cpu' <-6 ;; LSTM(units=2) @none,device='cpu' @none <-7 ;; LSTM(units=3) @none <-9
one = build(1)
two = build(2)
with tf.device("/CPU:0"):
    three = build(3)
    one.predict(np.zeros((1, 4, 2)))
    two.fit(np.zeros((1, 4, 2)))
two.evaluate(np.zeros((1, 4, 2)))
three.predict(np.zeros((1, 4, 2)))
# case: a model that is made under the scope and run nowhere
import tensorflow as tf
with tf.device("/CPU:0"):
    one = tf.keras.Sequential([tf.keras.layers.LSTM(1)])  #: LSTM(units=1) @none,device='cpu'|-
    inputs = tf.keras.Input((4, 2))
    two = tf.keras.Model(inputs, tf.keras.layers.LSTM(2)(inputs))  #: LSTM(units=2) @none,device='cpu'|-
three = tf.keras.Sequential([tf.keras.layers.LSTM(3)])  #: LSTM(units=3) @none
# case: in the call of an own model, and in a context manager of one's own
import contextlib
import tensorflow as tf
@contextlib.contextmanager
def at_home():
    with tf.device("/CPU:0"):
        yield
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.one, self.two = tf.keras.layers.LSTM(1), tf.keras.layers.LSTM(2)  #: LSTM(units=1) @none,device='cpu' <-15 ;; LSTM(units=2) @none <-15
    def call(self, x):
        with at_home():
            x = self.one(x)
        return self.two(x)
model = Net()
model(tf.zeros((1, 2, 3)))
# case: a function that returns out of the scope leaves it
import tensorflow as tf
def pick(x):
    with tf.device("/CPU:0"):
        if x is None:
            return None
        return x + 1
layer = tf.keras.layers.LSTM(1)  #: LSTM(units=1) @none
pick(3)
layer(tf.zeros((1, 2, 3)))
# case: a scope opened by hand, and by an ExitStack
import contextlib
import tensorflow as tf
one, two, three = tf.keras.layers.LSTM(1), tf.keras.layers.LSTM(2), tf.keras.layers.LSTM(3)  #: LSTM(units=1) @none,device='cpu' ;; LSTM(units=2) @none ;; LSTM(units=3) @none,device='cpu'
x = tf.zeros((1, 2, 3))
scope = tf.device("/CPU:0")
scope.__enter__()
one(x)
scope.__exit__(None, None, None)
two(x)
with contextlib.ExitStack() as stack:
    stack.enter_context(tf.device("/CPU:0"))
    three(x)
two(x)
# case: a scope in an object of one's own, and in a decorator of one's own
import tensorflow as tf
class OnCpu:
    def __init__(self, name="/cpu:0"):
        self.scope = tf.device(name)
    def __enter__(self):
        self.scope.__enter__()
        return self
    def __exit__(self, *error):
        self.scope.__exit__(*error)
class Places:
    cpu = "/cpu:0"
    def where(self, cpu):
        return tf.device(self.cpu) if cpu else tf.device("/gpu:0")
    @property
    def home(self):
        return tf.device(self.cpu)
x = tf.zeros((1, 2, 3))
one, two, three, four = [tf.keras.layers.LSTM(n) for n in (1, 2, 3, 4)]  #: LSTM(units=1) @none,device='cpu' ;; LSTM(units=2) @none ;; LSTM(units=3) @none,device='cpu' ;; LSTM(units=4) @none,device='cpu'
with OnCpu():
    one(x)
two(x)
with Places().where(True):
    three(x)
with Places().home:
    four(x)
def at_home(f):
    def inner(*a):
        with tf.device("/cpu:0"):
            return f(*a)
    return inner
@at_home
def run(layer, x):
    return layer(x)
five = tf.keras.layers.LSTM(5)  #: LSTM(units=5) @none,device='cpu'
run(five, x)
# case: the scope of a strategy is for several devices, unless they are CPUs
import numpy as np
import tensorflow as tf
x = np.zeros((1, 4, 2))
with tf.distribute.MirroredStrategy().scope():
    one = tf.keras.Sequential([tf.keras.layers.LSTM(1)])  #: LSTM(units=1) @none,distributed=True
one.fit(x)
with tf.distribute.OneDeviceStrategy("/cpu:0").scope():
    two = tf.keras.Sequential([tf.keras.layers.LSTM(2)])  #: LSTM(units=2) @none,device='cpu'
two.fit(x)
# case: JAX's own scope
import jax
import keras
layer = keras.layers.LSTM(1)  #: LSTM(units=1) @none,device='cpu'
with jax.default_device(jax.devices("cpu")[0]):
    layer(keras.ops.zeros((1, 2, 3)))
# case: eager switched off for what is made afterwards
import tensorflow as tf
early = tf.keras.layers.LSTM(1)  #: LSTM(units=1)
tf.compat.v1.disable_eager_execution()
late = tf.keras.layers.LSTM(2)  #: LSTM(units=2) @-,eager_disabled=True
# case: by another name, in a function that is called
from tensorflow.python.framework.ops import disable_eager_execution
import tensorflow.compat.v1 as tf
def prepare():
    tf.disable_v2_behavior()
prepare()
from tensorflow import keras
layer = keras.layers.LSTM(1)  #: LSTM(units=1) @-,eager_disabled=True
# case: in a function that nobody calls, and behind a condition
import sys
import tensorflow as tf
def prepare():
    tf.compat.v1.disable_eager_execution()
    return tf.keras.layers.LSTM(1)  #: LSTM(units=1) @-,eager_disabled=True
def build():
    return tf.keras.layers.LSTM(2)  #: LSTM(units=2) @-,eager_disabled=True|-
if "--graph" in sys.argv:
    tf.compat.v1.disable_eager_execution()
# case: inside a graph, and inside a session
import tensorflow as tf
graph = tf.Graph()
with graph.as_default():
    one = tf.keras.layers.LSTM(1)  #: LSTM(units=1) @-,eager_disabled=True
with tf.compat.v1.Session(graph=graph) as session:
    two = tf.keras.layers.LSTM(2)  #: LSTM(units=2) @-,eager_disabled=True
three = tf.keras.layers.LSTM(3)  #: LSTM(units=3)
writer = tf.summary.create_file_writer("logs")
with writer.as_default():
    four = tf.keras.layers.LSTM(4)  #: LSTM(units=4)
# case: a graph that is handed in
import tensorflow as tf
def build(graph, writer):
    with graph.as_default():
        one = tf.keras.layers.LSTM(1)  #: LSTM(units=1) @-,eager_disabled=?
    with writer.as_default():
        two = tf.keras.layers.LSTM(2)  #: LSTM(units=2)
# case: the model function of an Estimator
import tensorflow as tf
def model_fn(features, labels, mode):
    return tf.keras.layers.LSTM(1)(features)  #: LSTM(units=1) @~none,eager_disabled=True <-4
estimator = tf.estimator.Estimator(model_fn=model_fn)
# case: a jitted function by decorator, by call, by partial, by method
import functools
import tensorflow as tf
layers = [tf.keras.layers.LSTM(n) for n in (1, 2, 3, 4, 5)]  #: LSTM(units=1) @none,xla=True ;; LSTM(units=2) @none,xla=True ;; LSTM(units=3) @none,xla=True ;; LSTM(units=4) @none ;; LSTM(units=5) @none,xla=True|False
x = tf.zeros((1, 2, 3))
@tf.function(jit_compile=True)
def one(x):
    return layers[0](x)
def plain(x):
    return layers[1](x)
two = tf.function(plain, jit_compile=True)
@functools.partial(tf.function, jit_compile=True)
def three(x):
    return layers[2](x)
@tf.function
def four(x):
    return layers[3](x)
def perhaps(x):
    return layers[4](x)
one(x), two(x), three(x), four(x)
tf.function(perhaps, jit_compile=True if unknown else False)(x)
# case: a jitted function that nobody calls
import tensorflow as tf
layer = tf.keras.layers.LSTM(1)  #: LSTM(units=1) @~none,xla=True
other = tf.keras.layers.LSTM(2)  #: LSTM(units=2) @~none,xla=True
@tf.function(jit_compile=True)
def step(x):
    return layer(x)
def step_two(x):
    return other(x)
served = tf.function(step_two, jit_compile=True)
# case: a jitted model, and its other calls
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.LSTM(1)])  #: LSTM(units=1) @none @none,xla=True
model(tf.zeros((1, 2, 3)))
fast = tf.function(model, jit_compile=True)
fast(tf.zeros((1, 2, 3)))
fast.summary()
# case: XLA for everything that it can take
import tensorflow as tf
tf.config.optimizer.set_jit(True)
layer = tf.keras.layers.LSTM(1)  #: LSTM(units=1) @none,xla=?
layer(tf.zeros((1, 2, 3)))
# case: the graph optimiser that Keras 2 needs
import tensorflow as tf
tf.config.optimizer.set_experimental_options({"layout_optimizer": False, "implementation_selector": True})
one = tf.keras.layers.LSTM(1)  #: LSTM(units=1) @none
one(tf.zeros((1, 2, 3)))
tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
two = tf.keras.layers.LSTM(2)  #: LSTM(units=2) @none,xla=?
two(tf.zeros((1, 2, 3)))
# case: a compiled model
import keras
import numpy as np
def build(units):
    inputs = keras.Input((4, 2))
    return keras.Model(inputs, keras.layers.LSTM(units)(inputs))  #: LSTM(units=1) @none,jit_compile=True <-6 ;; LSTM(units=2) @none,eager=True <-8 ;; LSTM(units=3) @none,jit_compile='auto' <-10 ;; LSTM(units=4) @none <-12
one = build(1)
one.compile(loss="mse", jit_compile=True)
two = build(2)
two.compile(loss="mse", run_eagerly=True)
three = build(3)
three.compile(loss="mse", jit_compile="auto")
four = build(4)
four.compile(loss="mse", jit_compile=False, run_eagerly=False)
two.fit(np.zeros((1, 4, 2)))
# case: an own model with an own step
import keras
import numpy as np
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.cell = keras.layers.LSTM(1)  #: LSTM(units=1) @none,jit_compile=True <-11
    def call(self, x):
        return self.cell(x)
    def train_step(self, data):
        return {"loss": self(data)}
net = Net()
net.compile(jit_compile=True)
net.fit(np.zeros((1, 4, 2)))
# case: run_eagerly as an attribute, and for all functions
import keras
import numpy as np
import tensorflow as tf
one = keras.Sequential([keras.layers.LSTM(1)])  #: LSTM(units=1) @none,eager=True
one.compile(jit_compile=True)
one.run_eagerly = True
one.fit(np.zeros((1, 4, 2)))
tf.config.run_functions_eagerly(True)
two = keras.layers.LSTM(2)  #: LSTM(units=2) @none,eager=True
two(np.zeros((1, 4, 2)))
# case: compiled by torch
import keras
import torch
layer = keras.layers.LSTM(1)  #: LSTM(units=1) @none,torch_compiled=True
model = torch.compile(keras.Sequential([layer]))
model(torch.zeros((1, 2, 3)))
# case: the precision policy of the moment
import keras
one = keras.layers.LSTM(1)  #: LSTM(units=1)
keras.mixed_precision.set_global_policy("mixed_float16")
two = keras.layers.LSTM(2)  #: LSTM(units=2) @-,dtype='mixed_float16'
keras.config.set_dtype_policy(keras.DTypePolicy("bfloat16"))
three = keras.layers.LSTM(3)  #: LSTM(units=3) @-,dtype='bfloat16'
# case: the precision policy that was there before
from tensorflow.keras import layers, mixed_precision
old = mixed_precision.global_policy()
policy = mixed_precision.Policy("mixed_bfloat16")
mixed_precision.set_global_policy(policy)
one = layers.LSTM(1)  #: LSTM(units=1) @-,dtype='mixed_bfloat16'
mixed_precision.set_global_policy(old)
two = layers.LSTM(2)  #: LSTM(units=2) @-,dtype='float32'
# case: a policy as an object, for one layer
import keras
policy = keras.dtype_policies.DTypePolicy(name="mixed_float16")
one = keras.layers.LSTM(1, dtype=policy)  #: LSTM(units=1, dtype='mixed_float16')
two = keras.layers.LSTM(2, dtype=keras.DTypePolicy("float64" if unknown else "float32"))  #: LSTM(units=2, dtype='float64'|'float32')
# case: the float type before and after the first layer
import keras
keras.backend.set_floatx("float64")
one = keras.layers.LSTM(1)  #: LSTM(units=1) @-,dtype='float64',floatx='float64'
keras.backend.set_floatx("float16")
two = keras.layers.LSTM(2)  #: LSTM(units=2) @-,dtype='float16'|'float64',floatx='float16'|'float64'
# case: a hidden GPU, by the environment and by TensorFlow
import os
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
import keras
layer = keras.layers.LSTM(1)  #: LSTM(units=1) @none,device='hidden'
with keras.device("cpu"):
    layer(keras.ops.zeros((1, 2, 3)))
# case: a GPU that is hidden perhaps, or chosen elsewhere
import os
import sys
import keras
os.environ["CUDA_VISIBLE_DEVICES"] = sys.argv[1]
if sys.argv[2]:
    os.environ.update({"CUDA_VISIBLE_DEVICES": ""})
two = keras.layers.LSTM(2)  #: LSTM(units=2) @-,device='hidden'|~None
os.environ["CUDA_VISIBLE_DEVICES"] = "0"  # too late
three = keras.layers.LSTM(3)  #: LSTM(units=3) @-,device='hidden'|~None
# case: what is chosen before any GPU is looked for
import os
import sys
import keras
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["CUDA_VISIBLE_DEVICES"] = sys.argv[1]
one = keras.layers.LSTM(1)  #: LSTM(units=1) @-,device=~None
# case: a scope where the GPUs are chosen elsewhere, or perhaps hidden
import os
import sys
import keras
os.environ["CUDA_VISIBLE_DEVICES"] = sys.argv[1]
if sys.argv[2]:
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
one = keras.layers.LSTM(1)  #: LSTM(units=1) @none,device='hidden'|'cpu'
two = keras.layers.LSTM(2)  #: LSTM(units=2) @none,device='hidden'|'cpu'
with keras.device("cpu"):
    one(keras.ops.zeros((1, 2, 3)))
    two(keras.ops.zeros((1, 2, 3)))
# case: GPUs taken out of sight
import tensorflow as tf
tf.config.set_visible_devices([], "GPU")
layer = tf.keras.layers.LSTM(1)  #: LSTM(units=1) @-,device='hidden_from_tensorflow'
# case: JAX on its CPU, and then no longer
import os
os.environ["JAX_PLATFORMS"] = "cpu,cuda"
import keras
one = keras.layers.LSTM(1)  #: LSTM(units=1) @-,device='hidden_from_jax'
os.environ["JAX_PLATFORMS"] = "cuda,cpu"
two = keras.layers.LSTM(2)  #: LSTM(units=2)
# case: a gradient of a gradient
import keras
import tensorflow as tf
critic = keras.Sequential([keras.layers.LSTM(1)])  #: LSTM(units=1) @none @~none @none,second_order=True
maker = keras.Sequential([keras.layers.LSTM(2)])  #: LSTM(units=2) @none @~none
def step(noise, real):
    with tf.GradientTape() as tape:
        fake = maker(noise)
        loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
        with tf.GradientTape() as inner:
            inner.watch(fake)
            scores = critic(fake)
        (slope,) = inner.gradient(scores, [fake])
        loss += tf.reduce_mean((tf.norm(slope) - 1) ** 2)
    return tape.gradient(loss, critic.trainable_variables)
# case: an inner gradient that the outer one does not go through
import keras
import tensorflow as tf
one = keras.layers.LSTM(1)  #: LSTM(units=1) @~none
two = keras.layers.LSTM(2)  #: LSTM(units=2) @~none
def attack(x, y):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(x)
            loss = tf.reduce_sum(one(x))
        slope = inner.gradient(loss, x)
        log(tf.norm(slope))
        loss = tf.reduce_sum(two(y))
    return tape.gradient(loss, two.trainable_variables)
# case: only what lies between the two ends is differentiated twice
import keras
import tensorflow as tf
first = keras.layers.LSTM(1, return_sequences=True)  #: LSTM(units=1, return_sequences=True) @~none
second = keras.layers.LSTM(2)  #: LSTM(units=2) @~none,second_order=True
def penalty(x):
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        hidden = first(x)
        inner.watch(hidden)
        score = second(hidden)
        slope = inner.gradient(score, hidden)
    return outer.gradient(slope, first.trainable_variables)
# case: an inner gradient through which no gradient goes
import keras
import tensorflow as tf
one = keras.layers.LSTM(1)  #: LSTM(units=1) @~none
two = keras.layers.LSTM(2)  #: LSTM(units=2) @none
def attack(x):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(x)
            loss = tf.reduce_sum(one(x))
        slope = tf.stop_gradient(inner.gradient(loss, x))
        loss = tf.reduce_sum(two(x + 0.1 * slope)) + slope.numpy()
    return tape.gradient(loss, two.trainable_variables)
# case: one tape after the other
import keras
import tensorflow as tf
layer = keras.layers.LSTM(1)  #: LSTM(units=1) @~none
def steps(x):
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(layer(x))
        tape.gradient(loss, layer.trainable_variables)
# case: JAX differentiates a derivative
import jax
import keras
one = keras.layers.LSTM(1)  #: LSTM(units=1) @none
two = keras.layers.LSTM(2)  #: LSTM(units=2) @none,second_order=True
x = keras.ops.zeros((1, 2, 3))
jax.grad(lambda x: one(x).sum())(x)
jax.grad(lambda x: jax.grad(lambda x: two(x).sum())(x).sum())(x)
# case: torch keeps the graph of a gradient
import keras
import torch
one = keras.layers.LSTM(1)  #: LSTM(units=1) @~none,second_order=True
two = keras.layers.LSTM(2)  #: LSTM(units=2) @~none
def penalty(x):
    slope = torch.autograd.grad(one(x).sum(), x, create_graph=True)
    return torch.autograd.grad(two(x).sum(), x), slope
# case: a model that is saved or exported
import keras
import tensorflow as tf
def build(units):
    return keras.Sequential([keras.layers.Bidirectional(keras.layers.LSTM(units))])  #: LSTM(units=1) in Bidirectional.forward @none,saved='one.save("a.keras")' <-5 ;; LSTM(units=1) in Bidirectional.backward @none,saved='one.save("a.keras")' <-5 ;; LSTM(units=2) in Bidirectional.forward @none,exported_by='two.export("served")',graph_reader='graph' <-7 ;; LSTM(units=2) in Bidirectional.backward @none,exported_by='two.export("served")',graph_reader='graph' <-7 ;; LSTM(units=3) in Bidirectional.forward @none <-9 ;; LSTM(units=3) in Bidirectional.backward @none <-9
one = build(1)
one.save("a.keras")
two = build(2)
two.export("served")
three = build(3)
# case: saved by a function
import keras
import tensorflow as tf
inputs = keras.Input((4, 2))
hidden = keras.layers.LSTM(1, use_cudnn=False)  #: LSTM(units=1, use_cudnn=False) @none,saved='keras.models.save_model(model, "a.keras")'
model = keras.Model(inputs, hidden(inputs))
keras.models.save_model(model, "a.keras")
other = keras.Sequential([keras.layers.LSTM(2)])  #: LSTM(units=2) @none,exported_by='tf.lite.TFLiteConverter.from_keras_model(other)',graph_reader='tflite'
tf.lite.TFLiteConverter.from_keras_model(other).convert()
archive = keras.export.ExportArchive()
third = keras.Sequential([keras.layers.LSTM(3)])  #: LSTM(units=3) @none,exported_by='ExportArchive: archive.track(third)',graph_reader='graph'
archive.track(third)
# case: another cell, another cell perhaps, and the same
import keras
class Quiet(keras.layers.LSTMCell):
    pass
x = keras.Input((4, 2))
one, two, three = keras.layers.LSTM(1), keras.layers.LSTM(2), keras.layers.LSTM(3)  #: LSTM(units=1) @none,cell_replaced=True ;; LSTM(units=2) @none,cell_replaced=True|- ;; LSTM(units=3) @none
one.cell = Quiet(1)
if unknown:
    two.cell = Quiet(2)
three(x)
three.cell.trainable = False
three.cell = Quiet(3)
one(x), two(x)
# case: what real Keras stops at in nested tapes, and what it does not
import keras
import tensorflow as tf
def sign(x):
    layer = keras.layers.LSTM(2, name="sign")  #: LSTM(units=2, name='sign') @~none,second_order=True @none
    with tf.GradientTape() as o:
        with tf.GradientTape() as i:
            i.watch(x)
            y = tf.reduce_sum(layer(x))
        g = tf.sign(i.gradient(y, x))
        z = tf.reduce_sum(layer(x + g))
    return o.gradient(z, layer.trainable_variables)
def stop(x):
    layer = keras.layers.LSTM(2, name="stop")  #: LSTM(units=2, name='stop') @~none @none
    with tf.GradientTape() as o:
        with tf.GradientTape() as i:
            i.watch(x)
            y = tf.reduce_sum(layer(x))
        g = tf.stop_gradient(i.gradient(y, x))
        z = tf.reduce_sum(layer(x + g))
    return o.gradient(z, layer.trainable_variables)
def log(x):
    layer = keras.layers.LSTM(2, name="log")  #: LSTM(units=2, name='log') @~none
    with tf.GradientTape() as o:
        with tf.GradientTape() as i:
            i.watch(x)
            y = tf.reduce_sum(layer(x))
        g = i.gradient(y, x)
        z = tf.reduce_sum(layer(x))
    return o.gradient(z, layer.trainable_variables)
def outside(x):
    layer = keras.layers.LSTM(2, name="outside")  #: LSTM(units=2, name='outside') @~none
    with tf.GradientTape() as o:
        h = layer(x)
        with tf.GradientTape() as i:
            i.watch(h)
            s = tf.reduce_sum(h**3)
        g = i.gradient(s, h)
        loss = tf.reduce_sum(g)
    return o.gradient(loss, layer.trainable_variables)
def between3(x):
    layer = keras.layers.LSTM(2, name="both")  #: LSTM(units=2, name='both') @~none
    with tf.GradientTape() as o, tf.GradientTape() as i:
        h = layer(x)
        i.watch(h)
        s = tf.reduce_sum(h**3)
        g = i.gradient(s, h)
    return o.gradient(g, layer.trainable_variables)
def persistent(x):
    layer = keras.layers.LSTM(2, name="persistent_raises")  #: LSTM(units=2, name='persistent_raises') @~none,second_order=True
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = tf.reduce_sum(layer(x))
        g = t.gradient(y, x)
    return t.gradient(g, x)
def persistent_out(x):
    layer = keras.layers.LSTM(2, name="persistent_fine")  #: LSTM(units=2, name='persistent_fine') @~none
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = tf.reduce_sum(layer(x))
    return t.gradient(y, x), t.gradient(y, layer.trainable_variables)
def forward(x):
    layer = keras.layers.LSTM(2, name="forward_raises")  #: LSTM(units=2, name='forward_raises') @~none,second_order=True
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as a:
        y = layer(x)
    return a.jvp(y)
def jac(x):
    layer = keras.layers.LSTM(2, name="jac_fine")  #: LSTM(units=2, name='jac_fine') @~none
    with tf.GradientTape() as t:
        t.watch(x)
        y = layer(x)
    return t.jacobian(y, x)
def weights(x):
    layer = keras.layers.LSTM(2, name="weights_raises")  #: LSTM(units=2, name='weights_raises') @~none,second_order=?
    with tf.GradientTape() as o:
        with tf.GradientTape() as i:
            y = tf.reduce_sum(layer(x))
        g = i.gradient(y, layer.trainable_variables)
        n = tf.add_n([tf.reduce_sum(v**2) for v in g])
    return o.gradient(n, layer.trainable_variables)
def rounded(x):
    layer = keras.layers.LSTM(2, name="round_fine")  #: LSTM(units=2, name='round_fine') @~none
    with tf.GradientTape() as o:
        with tf.GradientTape() as i:
            i.watch(x)
            y = tf.reduce_sum(layer(x))
        g = i.gradient(y, x)
        z = tf.reduce_sum(tf.round(g))
    return o.gradient(z, layer.trainable_variables)
# case: a cell of another kind in place of a layer's own is told by its class
import keras
x = keras.Input((5, 3))
layer = keras.layers.GRU(4)  #: GRU(units=4) @none,cell_replaced='LSTMCell'
layer.cell = keras.layers.LSTMCell(4)
layer(x)
other = keras.layers.LSTM(4)  #: LSTM(units=4) @none,cell_replaced=?
other.cell = keras.layers.GRUCell(4, recurrent_dropout=0.1)
other(x)
