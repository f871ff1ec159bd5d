"""Makes real Keras complain, with a GPU that it only believes in: prints what a training log would hold.

Usage: python real_lines.py {keras|tf_keras} SAVED-KERAS-2-MODEL. Every complaint is headed by `# key`.
"""

import os
import sys
import tempfile
import traceback

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import importlib

import numpy
import tensorflow as tf

name, old = sys.argv[1:]
keras = importlib.import_module(name)
layers = keras.layers
real = tf.config.list_logical_devices
ones = tf.ones((2, 5, 4))
left = tf.constant([[False, True, True, True, True]] * 2)


def listed(kind=None):
    """A list of devices that knows of a GPU."""
    return ["GPU"] if kind == "GPU" else real(kind)


def masked():
    """Run a layer in a graph with a left-padded mask; the kernel itself would complain of the CPU first."""
    layer, kernel = layers.LSTM(3), tf.raw_ops.CudnnRNNV3
    state = tf.zeros((2, 1, 3))
    tf.raw_ops.CudnnRNNV3 = lambda **_: (tf.zeros((2, 5, 3)), state, state, None, None)
    try:
        tf.function(lambda: layer(ones, mask=left))()
    finally:
        tf.raw_ops.CudnnRNNV3 = kernel


def jitted():
    """Compile the model's own step with XLA."""
    layer = layers.LSTM(3)
    tf.function(lambda: layer(ones), jit_compile=True)()


def compiled():
    """Ask for XLA where a layer wants cuDNN."""
    model = keras.Sequential([keras.Input((5, 4)), layers.LSTM(3)])
    model.compile(loss="mse", jit_compile=True)


def destroyed():
    """Let a mask reach a layer that takes none."""
    keras.Sequential([keras.Input((5,)), layers.Embedding(9, 4, mask_zero=True), layers.Conv1D(2, 2)])


def twice():
    """Take a second derivative."""
    layer = layers.LSTM(3)

    @tf.function
    def step():
        with tf.GradientTape() as outer:
            outer.watch(ones)
            with tf.GradientTape() as inner:
                inner.watch(ones)
                value = tf.reduce_sum(layer(ones))
            slope = tf.reduce_sum(inner.gradient(value, ones))
        return outer.gradient(slope, ones)

    step()


def weighed(layer, bias):
    """Give a layer of three units weights with another bias."""
    layer.build((None, 5, 4))
    kernel, recurrent_kernel, _ = layer.get_weights()
    layer.set_weights([kernel, recurrent_kernel, numpy.zeros(bias)])


def reset():
    """Load weights of a GRU into one of the other kind; with a GPU in sight the first would be warned of, too."""
    tf.config.list_logical_devices = tf.compat.v2.config.list_logical_devices = real
    models = [keras.Sequential([layers.GRU(3, reset_after=after, input_shape=(5, 4))]) for after in (False, True)]
    with tempfile.TemporaryDirectory() as folder:
        models[0].save_weights(f"{folder}/old.h5")
        models[1].load_weights(f"{folder}/old.h5")


def on_a_cpu():
    """Run the kernel where there is none."""
    layer = layers.LSTM(3)
    tf.function(lambda: layer(ones))()


KERAS_3 = {
    "mask-not-right-padded": masked,
    "xla": jitted,
    "jit-refused": compiled,
    "mask-destroyed": destroyed,
    "second-order": twice,
    "no-kernel": on_a_cpu,
    "insisted": lambda: layers.LSTM(3, use_cudnn=True, unroll=True)(ones),
    "use-cudnn-value": lambda: layers.LSTM(3, use_cudnn="yes"),
    "rejected-argument": lambda: layers.GRU(3, batch_input_shape=(1, 5, 4)),
    "keras2-file": lambda: keras.models.load_model(old),
    "removed-layer": lambda: layers.CuDNNLSTM(3),
    "stateful-batch": lambda: layers.LSTM(3, stateful=True)(keras.Input((5, 4))),
    "bias-doubled": lambda: weighed(layers.LSTM(3), 24),
    "bias-rank": lambda: weighed(layers.GRU(3), 9),
}
KERAS_2 = {
    "criteria-not-met": lambda: layers.LSTM(3, recurrent_dropout=0.5, name="slow"),
    "mask-cudnn-layer": lambda: tf.compat.v1.keras.layers.CuDNNLSTM(3)(ones, mask=left),
    "stateful-batch": lambda: layers.LSTM(3, stateful=True)(keras.Input((5, 4))),
    "bias-doubled": lambda: weighed(layers.LSTM(3), 24),
    "bias-rank": lambda: weighed(layers.GRU(3), 9),
    "reset-after-weights": reset,
}

tf.config.list_logical_devices = tf.compat.v2.config.list_logical_devices = listed
for key, complain in (KERAS_3 if name == "keras" else KERAS_2).items():
    print(f"# {key}", file=sys.stderr, flush=True)
    try:
        complain()
    except Exception:
        traceback.print_exc()
