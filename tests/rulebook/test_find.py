"""What each rule finds, asked through the engine of layers made by hand: the verdict, and the codes that are told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cudnnlint.core.fact import ABSENT, Assumed, Fact, Known, NumpyNumber, OneOf, Opaque, PolicyName, Ref, Unknown
from cudnnlint.core.layer import Call, Construction, FileHints, Layer, Model, Wrapper
from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.place import SavedPlace, SourcePlace
from cudnnlint.core.target import Era, Release, Target
from cudnnlint.core.verdict import Verdict
from cudnnlint.engine import Judged, judge
from cudnnlint.rulebook.loader import load

HERE, THERE = SourcePlace("model.py", 3, 1, 3, 20), SourcePlace("model.py", 9, 1, 9, 20)
BOOK = load()
CUDNN, FALLBACK, RAISES, DEPENDS, UNKNOWN = (
    Verdict.CUDNN,
    Verdict.FALLBACK,
    Verdict.RAISES,
    Verdict.DEPENDS,
    Verdict.UNKNOWN,
)


def target(text: str) -> Target:
    """A target from "keras 3.15.1 jax" or "tf_keras 2.21.0"."""
    framework, keras, *rest = text.split()
    elsewhere = rest[:1] in (["jax"], ["torch"], ["numpy"], ["openvino"])
    beneath = None if framework == "tensorflow" or elsewhere else rest[1:] or ["2.21.0"]
    tensorflow = (
        Release.at(keras if framework == "tensorflow" else beneath[0]) if beneath or framework == "tensorflow" else None
    )
    return Target(framework, Release.at(keras), (rest or ["tensorflow"])[0], tensorflow)


K3 = "keras 3.15.1 tensorflow"
TORCH, JAX = "keras 3.15.1 torch", "keras 3.15.1 jax"
MIXED = PolicyName("mixed_float16")
BIASLESS = {"class_name": "GRU", "use_bias": False, "dtype": "mixed_float16"}
K2 = "tf_keras 2.21.0"
OLD = "keras 2.3.1 tensorflow 1.15.5"
NEED_UNITS = ("LSTM", "GRU", "SimpleRNN", "CuDNNLSTM", "CuDNNGRU")
FIRST = {"units": Known(4), "implementation": Known(1), "dropout": Known(0.2)}


def fact(value: Any) -> Fact:
    return value if isinstance(value, (Known, Assumed, Unknown, OneOf)) else Known(value, HERE)


def judged(
    where: str,
    class_name: str = "LSTM",
    around: dict[str, Any] | None = None,
    wrapper: Wrapper | None = None,
    saved: str | None = None,
    unproved: str | None = None,
    made: dict[str, Any] | None = None,
    **arguments: Any,
) -> Judged:
    """What the engine says of one layer for one target."""
    place = SavedPlace("m.h5", "lstm") if saved else HERE
    arguments = arguments if class_name not in NEED_UNITS else {"units": 4, **arguments}
    construction = Construction(
        class_name, (made or {}).pop("path", f"keras.layers.{class_name}"),
        {name: fact(value) for name, value in arguments.items()}, place=place, **(made or {}),
    )  # fmt: skip
    calls = (Call({name: fact(value) for name, value in (around or {}).items()}, HERE),)
    wrappers, from_file = (wrapper,) if wrapper else (), saved is not None
    layer = Layer("layer", place, (construction,), calls, wrappers, saved=from_file, unproved=unproved)
    kind = (saved or "python").split()[0]
    hints = FileHints(keras_version=saved.split()[1] if saved and " " in saved else None)
    return judge(Model("m", kind, (layer,), hints), (target(where),), BOOK)


def ask(where: str, **given: Any) -> tuple[Verdict, set[str]]:
    """The verdict and the codes, CDN501 left out."""
    found = judged(where, **given)
    (judgement,) = found.layers[0].judgements
    assert {one.origin for one in judgement.requirements} <= {"written", "default", "assumed", "unknown"}
    return judgement.verdict, {diagnostic.code for diagnostic in found.diagnostics} - {"CDN501"}


EXPORT = "model.export('served')"


def around(**facts: Any) -> dict[str, Any]:
    return {"around": facts}


def stated(dtypes: str | None, policy: Any, **more: Any) -> dict[str, Any]:
    """A call with an initial state of these dtypes, under a global policy."""
    named = {} if dtypes is None else {"state_dtype": dtypes}
    return around(initial_state=True, **named, **({} if policy is None else {"dtype": policy}), **more)


def made(**how: Any) -> dict[str, Any]:
    return {"made": how}


def at(path: str) -> dict[str, Any]:
    return made(path=path)


def rnn(inner: Any, outer: Any, cell: str = "LSTMCell") -> dict[str, Any]:
    """An RNN and its cell, with the dtypes that they are given (None: none)."""
    own = Construction(cell, arguments={} if inner is None else {"dtype": fact(inner)})
    return {"class_name": "RNN"} | ({} if outer is None else {"dtype": outer}) | made(cells=(own,))


HALF_ZEROS = {"dtype": Known("float16"), "recurrent_initializer": Known("zeros")}
NOT_READ = Unknown("it is not read")
LISTED = Opaque("a list", holds=True)
DRAWN = {"dtype": "bfloat16"}
DROPPING = Construction("GRUCell", arguments={"dropout": Known(0.2)})
QUIET = Construction("GRUCell")
UNITLESS = Construction("LSTMCell", arguments={"units": Known(None)})
OWN_CALL = {"subclass": "Mine", "overrides": ("call",), "calls_super": ("call",)}
LEFT_EMPTY = {"around": {"mask": "left", "mask_with_empty_row": True}}
ORTHOGONAL, GLOROT = ({"class_name": name, "config": {}} for name in ("Orthogonal", "GlorotUniform"))
#: id, target, expected verdict, expected codes, how the layer is made and called
CASES: list[tuple[str, str, Verdict, str, dict[str, Any]]] = [
    ("plain", K3, CUDNN, "", {}),
    ("plain torch", TORCH, CUDNN, "", {}),
    ("plain gru", K2, CUDNN, "", {"class_name": "GRU"}),
    ("plain numpy", "keras 3.15.1 numpy", FALLBACK, "CDN402", {}),
    ("insisted on openvino", "keras 3.13.2 openvino", RAISES, "CDN202 CDN402", {"use_cudnn": True}),
    ("insisted on openvino's own sequence", "keras 3.15.1 openvino", FALLBACK, "CDN402", {"use_cudnn": True}),
    ("insisted, and not openvino's", "keras 3.15.1 openvino", RAISES, "CDN103 CDN202",
     {"use_cudnn": True, "recurrent_dropout": 0.1}),
    ("insisted on numpy", "keras 3.15.1 numpy", RAISES, "CDN202 CDN402", {"use_cudnn": True}),
    ("plain openvino", "keras 3.0.0 openvino", FALLBACK, "CDN402", {"class_name": "GRU"}),
    ("cuDNN insisted on with numpy", "keras 3.15.1 numpy", RAISES, "CDN202 CDN402", {"use_cudnn": True}),
    ("standalone", OLD, CUDNN, "", {"class_name": "CuDNNLSTM"}),
    ("standalone GRU with a mask", OLD, RAISES, "CDN109", {"class_name": "CuDNNGRU"} | around(mask="data")),
    ("standalone without a GPU", OLD, RAISES, "CDN404", {"class_name": "CuDNNGRU"} | around(device="cpu")),
    ("standalone on Metal", OLD, RAISES, "CDN405", {"class_name": "CuDNNLSTM"} | around(device="metal")),
    ("standalone LSTM", OLD, FALLBACK, "CDN402", {}),
    ("TensorFlow 1", "tensorflow 1.15.5", FALLBACK, "CDN402", {"class_name": "GRU"}),
    # activation
    ("tanh by its function", K3, CUDNN, "", {"activation": Ref("tensorflow.nn.tanh")}),
    ("tanh by keras.ops", K3, CUDNN, "", {"activation": Ref("keras.ops.tanh")}),
    ("tanh by keras.ops.numpy", K3, CUDNN, "", {"activation": Ref("keras.ops.numpy.tanh")}),
    *((f"sigmoid by keras.ops.nn in {where}", where, CUDNN, "", {"recurrent_activation": Ref("keras.ops.nn.sigmoid")})
      for where in (K3, "keras 3.0.5", "keras 3.15.1 torch", "keras 3.15.1 jax")),
    ("tanh by a private module", K3, CUDNN, "", {"activation": Ref("keras.src.activations.activations.tanh")}),
    ("tanh by its private function", K3, CUDNN, "", {"activation": Ref("keras.src.activations.tanh")}),
    ("tanh of the other Keras", K2, FALLBACK, "CDN101", {"activation": Ref("keras.activations.tanh")}),
    ("keras.backend.tanh", K3, FALLBACK, "CDN101", {"activation": Ref("keras.backend.tanh")}),
    ("tanh by its function in 2.1", "tensorflow 2.1.0", FALLBACK, "CDN101", {"activation": Ref("tensorflow.nn.tanh")}),
    ("tanh by its function in 2.2", "tensorflow 2.2.0", CUDNN, "", {"activation": Ref("tensorflow.nn.tanh")}),
    *(("numpy's tanh, which stops a model, and runs in an eager call", where, UNKNOWN, "",
       {"activation": Ref("numpy.tanh")}) for where in (K3, K2)),
    ("a lambda", K3, FALLBACK, "CDN101", {"activation": Opaque("a lambda", "tanh")}),
    ("no activation", K3, FALLBACK, "CDN101", {"activation": None}),
    *((f"a {means} that the program registered, {where}", where, FALLBACK if heeds else CUDNN, code if heeds else "",
       {argument: means} | around(**{f"named_{means}": Opaque("a function")}))
      for where, heeds in ((K2, True), (K3, False), ("tensorflow 2.1.0", False), ("tensorflow 2.2.0", True),
                           ("keras 2.6.0", True), ("keras 2.15.0", True), ("keras 3.0.1 tensorflow", False))
      for argument, means, code in (
          ("activation", "tanh", "CDN101"), ("recurrent_activation", "sigmoid", "CDN102"))),
    ("an activation that is not known", K3, UNKNOWN, "", {"activation": NOT_READ}),
    ("relu", K2, FALLBACK, "CDN101", {"activation": "relu"}),
    ("torch.tanh", TORCH, CUDNN, "", {"activation": Ref("torch.tanh")}),
    ("jax.nn.tanh", JAX, CUDNN, "", {"activation": Ref("jax.nn.tanh")}),
    ("jax.nn.sigmoid", JAX, FALLBACK, "CDN102", {"recurrent_activation": Ref("jax.nn.sigmoid")}),
    ("hard_sigmoid", K3, FALLBACK, "CDN102", {"recurrent_activation": "hard_sigmoid"}),
    ("a misspelt name", K3, RAISES, "CDN208", {"activation": "Tanh"} | made(registered=False)),
    ("a misspelt name that may be registered", K3, UNKNOWN, "CDN101", {"activation": "Tanh"}),
    ("an activation of newer releases", "keras 3.6.0 tensorflow", RAISES, "CDN208",
     {"activation": "glu"} | made(registered=False)),
    ("a regularizer of Keras 2", K3, RAISES, "CDN208", {"kernel_regularizer": "l1_l2"} | made(registered=False)),
    ("a regularizer of Keras 2 in Keras 2", K2, CUDNN, "", {"kernel_regularizer": "l1_l2"} | made(registered=False)),
    ("a constraint of Keras 2", K3, RAISES, "CDN208", {"kernel_constraint": "maxnorm"} | made(registered=False)),
    ("a constraint of Keras 2 in Keras 2", K2, CUDNN, "", {"kernel_constraint": "maxnorm"} | made(registered=False)),
    ("a name that is not read", K3, FALLBACK, "CDN111",
     {"class_name": "SimpleRNN", "activity_regularizer": "l1_l2"} | made(registered=False)),
    ("a regularizer that nobody knows", K3, UNKNOWN, "", {"kernel_regularizer": "ours"} | made(registered=False)),
    ("l1(l=...)", K3, RAISES, "CDN208", {"kernel_regularizer": Opaque("an l1 object", given=("l1.l",))}),
    ("l1(l=...) in Keras 2", K2, CUDNN, "", {"kernel_regularizer": Opaque("an l1 object", given=("l1.l",))}),
    ("L2(l2=...)", K3, CUDNN, "", {"kernel_regularizer": Opaque("an L2 object", given=("L2.l2",))}),
    ("l2(l2=...) in Keras 2.3", OLD, RAISES, "CDN208", {"kernel_regularizer": Opaque("an object", given=("l2.l2",))}),
    ("TensorFlow 2's LSTM in 1", "tensorflow 1.15.5", UNKNOWN, "", at("tensorflow.compat.v2.keras.layers.LSTM")),
    ("a number as a regularizer", K3, RAISES, "CDN208", {"kernel_regularizer": 0.01}),
    ("an initializer that was not asked", "tensorflow 2.3.4", UNKNOWN, "",
     {"kernel_initializer": "HeNormal"} | made(registered=False)),
    ("an orthogonal bias", K3, RAISES, "CDN208", {"bias_initializer": "orthogonal"}),
    ("an orthogonal bias that is not there", K3, FALLBACK, "CDN106",
     {"bias_initializer": "orthogonal", "use_bias": False}),
    ("no initializer for a bias that is not there", K3, FALLBACK, "CDN106",
     {"bias_initializer": None, "use_bias": False}),
    ("an orthogonal bias of two dimensions", K3, CUDNN, "", {"class_name": "GRU", "bias_initializer": "orthogonal"}),
    ("no initializer for a bias with ones in it", K3, RAISES, "CDN208", {"bias_initializer": None}),
    ("no initializer for a bias", K3, CUDNN, "", {"bias_initializer": None, "unit_forget_bias": False}),
    ("a name in a cell", K3, RAISES, "CDN208",
     {"class_name": "RNN"} | made(cells=(Construction("GRUCell", arguments={"kernel_initializer": Known("he")}),),
                                  registered=False)),
    ("a wrapper's argument", K3, RAISES, "CDN242",
     {"wrapper": Wrapper("TimeDistributed", arguments={"return_sequences": Known(True)})}),
    ("two arguments of a wrapper, one of which may not be passed", K3, RAISES, "CDN242",
     {"wrapper": Wrapper("TimeDistributed", arguments={"foo": OneOf((Known(1), ABSENT)), "bar": Known(1)})}),
    ("a wrapper's argument that may not be passed", K3, UNKNOWN, "",
     {"wrapper": Wrapper("TimeDistributed", arguments={"foo": OneOf((Known(1), ABSENT))})}),
    ("a wrapper's weights in Keras 2", K2, CUDNN, "",
     {"wrapper": Wrapper("TimeDistributed", arguments={"weights": Known(None)})}),
    ("a class in a wrapper", K2, RAISES, "CDN242",
     {"wrapper": Wrapper("TimeDistributed", arguments={"layer": Known(Ref("keras.layers.LSTM"))})}),
    ("an Input's shape of Keras 2", K3, RAISES, "CDN242", around(input_arguments="batch_input_shape, batch_size")),
    ("an Input's shape in Keras 2", K2, CUDNN, "", around(input_arguments="batch_input_shape, batch_size")),
    ("an Input's shape of Keras 2 or not", K3, UNKNOWN, "",
     around(input_arguments=OneOf((Known("batch_input_shape"), ABSENT)))),
    ("an Input without a shape", K3, RAISES, "CDN242", around(input_arguments="a call without shape")),
    ("an Input's shape that is a number", K3, RAISES, "CDN242", around(input_arguments="a shape that is a number")),
    ("an Input's shape that is a number in Keras 2", K2, CUDNN, "",
     around(input_arguments="a shape that is a number")),
    ("an Input with two shapes", K2, RAISES, "CDN242", around(input_arguments="shape with batch_shape")),
    ("an Input with two shapes in standalone Keras", OLD, FALLBACK, "CDN402",
     around(input_arguments="shape with batch_shape")),
    ("an Input's batch size", OLD, RAISES, "CDN242", around(input_arguments="batch_size")),
    ("an Input's batch size in a release that was not asked", "tensorflow 2.5.3", CUDNN, "",
     around(input_arguments="type_spec")),
    ("an Input's batch size twice", K3, RAISES, "CDN242",
     around(input_arguments="batch_size, batch_size with batch_shape")),
    ("an Input's batch size twice in Keras 2", K2, CUDNN, "",
     around(input_arguments="batch_size, batch_size with batch_shape")),
    ("a dtype of an Input that is none", K3, RAISES, "CDN242", around(input_arguments="dtype='float99'")),
    ("a dtype of an Input that is none in standalone Keras", OLD, RAISES, "CDN242",
     around(input_arguments="dtype='float99'")),
    ("a dtype of an Input that nobody was asked for", K3, CUDNN, "", around(input_arguments="dtype='complex64'")),
    *((f"{kind} before the layer, {where}", where, verdict, code, around(stops_before=kind))
      for kind, where, verdict, code in (
          ("a list of one tensor given to Dense", K3, RAISES, "CDN243"),
          ("a list of one tensor given to GaussianNoise", K2, CUDNN, ""),
          ("a list of one tensor given to GaussianNoise", K3, RAISES, "CDN243"),
          ("a list of one tensor given to Reshape", OLD, FALLBACK, "CDN402"),
          ("a list of one tensor given to Mine", K3, CUDNN, ""),
          ("a tuple given to a model", OLD, RAISES, "CDN243"), ("a tuple given to a model", K3, CUDNN, ""),
          ("a dict that lacks the name of a model's input\na dict given to a model", K3, RAISES, "CDN243"),
          ("a dict that lacks the name of a model's input\na dict given to a model", K2, UNKNOWN, ""),
          ("a list given to a model whose dict of inputs is not in the order of its keys", K3, RAISES, "CDN243"),
          ("a list given to a model whose dict of inputs is not in the order of its keys", "keras 3.4.1 tensorflow",
           CUDNN, ""),
          ("a list given to a model whose dict of inputs is not in the order of its keys", K2, CUDNN, ""),
          ("a list of more tensors than a model has inputs", K2, RAISES, "CDN243"),
          ("a layer that each call makes anew", "keras 2.10.0 tensorflow", RAISES, "CDN243"),
          ("a list of more tensors than a model has inputs", "tensorflow 2.1.4", CUDNN, ""),
          ("a list of fewer tensors than a model has inputs", "tensorflow 2.1.4", RAISES, "CDN243"),
          ("a TimeDistributed around a model", "keras 3.3.3 tensorflow", RAISES, "CDN243"),
          ("a TimeDistributed around a model", "keras 3.4.1 tensorflow", CUDNN, ""),
          ("a TimeDistributed around a model of several inputs", "tensorflow 2.5.3", UNKNOWN, ""),
          ("a mask that reaches Softmax", JAX, UNKNOWN, ""))),
    *((f"{met}, {where}", where, verdict, code, around(packages_met=met))
      for met, where, verdict, code in (
          ("tf_keras.layers.LSTM in keras.Sequential", K2, RAISES, "CDN244"),
          ("tf_keras.layers.Dense in keras.Sequential", K3, RAISES, "CDN244"),
          ("keras.layers.LSTM on a tensor of tf_keras.Input", "keras 3.0.5 jax", RAISES, "CDN244"),
          ("tensorflow.python.keras.layers.recurrent.LSTM in keras.Sequential", K3, RAISES, "CDN244"),
          ("tensorflow.keras.layers.LSTM in keras.Sequential", K3, CUDNN, ""),
          ("tf_keras.layers.LSTM in tensorflow.keras.Sequential", K2, UNKNOWN, ""),
          ("tf_keras.layers.LSTM in tensorflow.keras.Sequential\ntf_keras.layers.LSTM in keras.Model", K2, RAISES,
           "CDN244"),
          ("tf_keras.layers.LSTM in keras.Sequential", "tf_keras 2.15.1", CUDNN, ""),
          ("tf_keras.layers.LSTM in keras.layers.Bidirectional", "tf_keras 2.15.1", RAISES, "CDN244"),
          ("tf_keras.layers.LSTM on a tensor of tensorflow.python.keras.Input", K2, CUDNN, ""),
          ("tensorflow.keras.layers.LSTM in keras.Sequential", "tensorflow 2.1.4", RAISES, "CDN244"),
          ("tensorflow.keras.layers.LSTM in keras.Sequential", "tensorflow 2.4.4", UNKNOWN, ""),
          ("keras.layers.LSTM in tensorflow.keras.Sequential", OLD, RAISES, "CDN244"),
          ("keras.layers.LSTM in mine.Sequential", K3, CUDNN, ""))),
    *((f"{line} beside the layer, {where}", where, verdict, code, around(refused_beside=line) | more)
      for line, where, verdict, code, more in (
          ("Conv1D(border_mode='same')", K3, RAISES, "CDN245", {}),
          ("Conv1D(border_mode=...)", "keras 3.0.5 jax", RAISES, "CDN245", {}),
          ("Conv1D(border_mode='same')", K2, CUDNN, "", {}),
          ("Conv1D(padding='same')", K3, CUDNN, "", {}),
          ("Mine(border_mode='same')", K3, CUDNN, "", {}),
          ("Dropout(rate=1.5)", K3, RAISES, "CDN245", {}),
          ("Dropout(rate=0.5)\nDense(units=8.0)", K3, RAISES, "CDN245", {}),
          ("Dropout(rate=...)", K3, CUDNN, "", {}),
          ("RMSNormalization()", "keras 3.5.0 jax", RAISES, "CDN245", {}),
          ("RMSNormalization()", K3, CUDNN, "", {}),
          ("LayerNormalization(rms_scaling=True)", "keras 3.0.5 tensorflow", CUDNN, "", {}),
          ("Dense(activation='Relu')", K3, UNKNOWN, "", {}),
          ("Dense(activation='Relu')", K3, RAISES, "CDN245", made(registered=False)),
          ("Dense(activation='mine')", K3, UNKNOWN, "", made(registered=False)))),
    ("a layer that is refused, perhaps beside the layer", K3, UNKNOWN, "",
     around(refused_beside=OneOf((Known("Dense(units=8.0)"), ABSENT)))),
    ("packages that perhaps meet", K3, UNKNOWN, "",
     around(packages_met=OneOf((Known("keras.layers.LSTM in tf_keras.Sequential"), ABSENT)))),
    ("what perhaps stops before the layer", K3, UNKNOWN, "",
     around(stops_before=OneOf((Known("a list of one tensor given to Dense"), ABSENT)))),
    ("a setting of Keras 2 that may be set in Keras 3", K3, CUDNN, "", made(locked=Known("implementation"))),
    ("a setting of Keras 2 that cannot be set there", K2, RAISES, "CDN208", made(locked=Known("implementation"))),
    ("a wrapper that is called 1", K2, RAISES, "CDN242",
     {"wrapper": Wrapper("TimeDistributed", arguments={"name": Known(1)})}),
    *((f"one cell in a list, {where}, {cell}, {'unrolled' if unroll else 'looped'}", where, verdict, code,
       {"class_name": "RNN", "cell": LISTED, "unroll": unroll} | made(cells=(Construction(cell),)))
      for where, cell, unroll, verdict, code in (
          (JAX, "GRUCell", False, RAISES, "CDN239"), (JAX, "GRUCell", True, FALLBACK, "CDN108"),
          (K3, "GRUCell", False, FALLBACK, "CDN108"), (K3, "LSTMCell", True, RAISES, "CDN239"),
          (K3, "LSTMCell", False, FALLBACK, "CDN108"), (K2, "LSTMCell", True, FALLBACK, "CDN108"))),
    *((f"cells in {', '.join(cells)} in a stack in {stack}, {where}, {'unrolled' if unroll else 'looped'}", where,
       verdict, code,
       {"class_name": "RNN", "cell": LISTED, "unroll": unroll} | made(
           cells=tuple(Construction("LSTMCell", arguments={"dtype": Known(one)}) for one in cells),
           stack_dtype=stack))
      for where, cells, stack, unroll, verdict, code in (
          (JAX, ("mixed_float16", "mixed_float16"), ABSENT, False, RAISES, "CDN239"),
          (JAX, ("float32", "mixed_float16"), ABSENT, False, RAISES, "CDN239"),
          (JAX, ("mixed_float16", "mixed_float16"), Known("mixed_float16"), False, FALLBACK, "CDN108"),
          (JAX, ("mixed_float16", "mixed_float16"), ABSENT, True, FALLBACK, "CDN108"),
          (JAX, ("float32", "float32"), Known("mixed_float16"), False, RAISES, "CDN239"),
          (JAX, ("float32", "float32"), Known(None), False, FALLBACK, "CDN108"),
          (JAX, ("float64", "float64"), ABSENT, False, FALLBACK, "CDN108"),
          (JAX, ("float64", "mixed_float16"), ABSENT, False, RAISES, "CDN239"),
          (K3, ("mixed_float16", "mixed_float16"), ABSENT, False, FALLBACK, "CDN108"))),
    *((f"a stack of {cells}", K2, verdict, code,
       {"class_name": "RNN"} | made(cells=(Construction("StackedRNNCells", arguments=given, cells=inside),)))
      for cells, given, inside, verdict, code in (
          ("one cell", {"cells": Known(Opaque("an LSTMCell object"))}, (Construction("LSTMCell"),), RAISES, "CDN239"),
          ("a number", {"cells": Known(4)}, None, RAISES, "CDN239"), ("none", {}, None, RAISES, "CDN239"),
          ("cells that are not read", {"cells": NOT_READ}, None, FALLBACK, "CDN108"))),
    ("a model for a cell", K3, RAISES, "CDN239",
     {"class_name": "RNN"} | made(cells=(Construction("Sequential", "keras.Sequential"),))),
    ("a class like a model for a cell", K3, FALLBACK, "CDN108",
     {"class_name": "RNN"} | made(cells=(Construction("Sequential", "keras.Sequential", subclass="Mine"),))),
    ("a Dense for a cell", K2, RAISES, "CDN239",
     {"class_name": "RNN"} | made(cells=(Construction("Dense", "keras.layers.Dense"),))),
    *((f"the dtype {name!r}", where, verdict, code, {"dtype": name})
      for where, name, verdict, code in (
          (K3, "mixed_float32", RAISES, "CDN208"), (K2, "float99", RAISES, "CDN208"), (K3, "half", RAISES, "CDN208"),
          (K2, "double", UNKNOWN, ""), (K3, "float64", CUDNN, ""), (OLD, "float99", FALLBACK, "CDN402"))),
    ("a dtype that is not read", K3, CUDNN, "", {"dtype": OneOf((Known("float32"), Known("float64")))}),
    ("a dtype that may be none", K3, UNKNOWN, "", {"dtype": OneOf((Known("float32"), Known("float99")))}),
    ("a name that may be registered", K3, UNKNOWN, "CDN101", {"activation": "my_activation"}),
    ("a name or not", "keras 2.3.1", FALLBACK, "CDN402", {"activation": OneOf((Known("tanh"), Unknown("x")))}),
    ("a class as a name", K2, FALLBACK, "CDN101", {"activation": "ReLU"}),
    ("an activation that is not read", K2, UNKNOWN, "", {"activation": NOT_READ}),
    ("an activation as a file has it", K2, FALLBACK, "CDN101", {"activation": {"class_name": "Mine", "config": {}}}),
    # rates and switches
    ("recurrent_dropout", K3, FALLBACK, "CDN103", {"recurrent_dropout": 0.1}),
    ("recurrent_dropout of 0", K3, CUDNN, "", {"recurrent_dropout": 0}),
    ("negative recurrent_dropout", K3, UNKNOWN, "", {"recurrent_dropout": -0.1}),
    ("recurrent_dropout that is no number", K3, UNKNOWN, "", {"recurrent_dropout": float("nan")}),
    ("no number as a rate", K3, RAISES, "CDN208", {"recurrent_dropout": None}),
    ("a list as units", K3, RAISES, "CDN208", {"units": Opaque("a list", holds=True)}),
    ("half a unit", K2, RAISES, "CDN208", {"units": 64 / 2}),
    ("old names in standalone Keras", "keras 2.3.1", FALLBACK, "CDN402", {"init": "zero", "consume_less": "mem"}),
    ("old names in Keras 2.6", "keras 2.6.0", RAISES, "CDN208", {"init": "zero", "consume_less": "mem"}),
    ("no units", K3, RAISES, "CDN208", {"units": None}),
    ("a text as units", "tensorflow 2.2.3", RAISES, "CDN208", {"units": "64"}),
    ("three dots as units", K3, RAISES, "CDN208", {"units": ...}),
    ("less than no units", K3, RAISES, "CDN208", {"units": -1}),
    *(("0 units", where, RAISES, "CDN208", {"units": 0}) for where in (K3, K2)),
    ("0 units, or a number that is not known", K3, CUDNN, "", {"units": OneOf((Known(0), NOT_READ))}),
    ("0 units in Keras 2", "keras 2.8.0", UNKNOWN, "", {"units": 0}),
    ("an integer of numpy as units", K3, RAISES, "CDN208", {"units": NumpyNumber(4)}),
    ("an integer of numpy as units in Keras 2", K2, CUDNN, "", {"units": NumpyNumber(4)}),
    ("an object as units", K3, UNKNOWN, "", {"units": Opaque("a Decimal object")}),
    ("a number as name", K3, RAISES, "CDN208", {"name": 1}),
    ("a text as name", K3, CUDNN, "", {"name": "one"}),
    ("trainable=0", K3, RAISES, "CDN208", {"trainable": 0}),
    ("trainable=0 before Keras 3.15", "keras 3.14.1", CUDNN, "", {"trainable": 0}),
    ("a dropout of 1 in 3.13", "keras 3.13.2", RAISES, "CDN208", {"dropout": 1.0}),
    ("a text as seed", K3, RAISES, "CDN208", {"seed": "one"}),
    ("a flag that is perhaps true", K3, UNKNOWN, "", {"unroll": Opaque("a Flag object", truth=None)}),
    ("a flag that is an empty dict", K3, CUDNN, "", {"unroll": Opaque("a dict", holds=True, truth=False)}),
    ("dropout", K3, CUDNN, "", {"dropout": 0.2}),
    ("dropout in 3.3", "keras 3.3.3", FALLBACK, "CDN104", {"dropout": 0.2}),
    ("dropout in 3.8", "keras 3.8.0", CUDNN, "CDN601", {"dropout": 0.2}),
    ("no dropout in 3.8", "keras 3.8.0", CUDNN, "", {"dropout": 0.0}),
    ("dropout in Keras 2", K2, CUDNN, "", {"dropout": 0.2}),
    ("unroll", K2, FALLBACK, "CDN105", {"unroll": True}),
    ("a setting that cannot be set on a layer", K3, RAISES, "CDN208", made(locked=Known("units"))),
    ("a setting that cannot be set on a layer of Keras 2", K2, RAISES, "CDN208", made(locked=Known("dropout"))),
    ("a setting that is perhaps set on a layer", K3, UNKNOWN, "", made(locked=OneOf((Known("units"), ABSENT)))),
    *((f"unroll set on the layer, {where}", where, verdict, code, made(after={"unroll": Known(True)}))
      for where, verdict, code in ((K3, FALLBACK, "CDN105"), (K2, CUDNN, ""))),
    ("unroll=1", K3, FALLBACK, "CDN105", {"unroll": 1}),
    ("no bias", K3, FALLBACK, "CDN106", {"use_bias": False}),
    ("bias None", K3, FALLBACK, "CDN106", {"use_bias": None}),
    ("reset before", K3, FALLBACK, "CDN107", {"class_name": "GRU", "reset_after": False}),
    ("an LSTM has no reset gate", K3, RAISES, "CDN208", {"reset_after": False}),
    # use_cudnn
    ("refused", K3, FALLBACK, "CDN110", {"use_cudnn": False}),
    ("refused by 0", K3, FALLBACK, "CDN110", {"use_cudnn": 0}),
    ("1 does not insist", K3, FALLBACK, "CDN103", {"use_cudnn": 1, "recurrent_dropout": 0.1}),
    ("insisted", K3, RAISES, "CDN103 CDN202", {"use_cudnn": True, "recurrent_dropout": 0.1}),
    ("insisted and met", K3, CUDNN, "", {"use_cudnn": True}),
    ("use_cudnn=None", K3, RAISES, "CDN208", {"use_cudnn": None}),
    ("use_cudnn before 3.2", "keras 3.1.1", RAISES, "CDN208", {"use_cudnn": "auto"}),
    ("use_cudnn in Keras 2", K2, RAISES, "CDN208", {"use_cudnn": False}),
    # classes
    ("SimpleRNN", K3, FALLBACK, "CDN111", {"class_name": "SimpleRNN"}),
    ("RNN of a cell", K3, FALLBACK, "CDN108", {"class_name": "RNN"} | made(cells=(Construction("LSTMCell"),))),
    ("RNN with a dtype that its cell lacks", K2, RAISES, "CDN221", rnn(None, "mixed_float16")),
    ("the same in Keras 3", K3, FALLBACK, "CDN108", rnn(None, "mixed_float16")),
    ("the same in 2.2", "tensorflow 2.2.0", RAISES, "CDN221", rnn(None, "float64")),
    ("the same in 2.1", "tensorflow 2.1.0", UNKNOWN, "CDN221", rnn(None, "float64")),
    ("a cell with a dtype that its RNN lacks", K2, RAISES, "CDN221", rnn("float64", None)),
    ("RNN and cell of one dtype", K2, FALLBACK, "CDN108", rnn("float16", MIXED)),
    ("the dtype that both have anyway", K2, FALLBACK, "CDN108", rnn(None, "float32")),
    ("the same with another floatx", K2, RAISES, "CDN221", rnn(None, "float32") | around(floatx="float64")),
    ("the dtype of the global policy", K2, FALLBACK, "CDN108", rnn(None, MIXED) | around(dtype="mixed_float16")),
    ("RNN and cell under one policy", K2, UNKNOWN, "CDN108", rnn(None, None) | around(dtype=Unknown("a setting"))),
    ("a cell of an unknown dtype", K2, UNKNOWN, "CDN108", rnn(Unknown("a setting"), "float64")),
    ("RNN and cell of what a caller may give", K2, UNKNOWN, "CDN108",
     rnn(OneOf((Unknown("a caller"), Known(None))), Unknown("a caller"))),
    ("RNN and cell of two things that are not known", K2, UNKNOWN, "CDN108",
     rnn(Unknown("a setting"), Unknown("a caller"))),
    ("a cell of what a caller may give, or float16", K2, UNKNOWN, "CDN108",
     rnn(OneOf((Unknown("a caller"), Known("float16"))), Unknown("a caller"))),
    ("an own cell in an RNN with a dtype", K2, UNKNOWN, "CDN108", rnn(None, "float64", "OwnCell")),
    ("a v1 layer", K2, FALLBACK, "CDN112", at("tensorflow.compat.v1.keras.layers.LSTM")),
    ("a v1 name in Keras 3", K3, CUDNN, "", at("tensorflow.compat.v1.keras.layers.LSTM")),
    ("the old private module", "keras 2.7.0", FALLBACK, "CDN112", at("keras.layers.recurrent.LSTM")),
    ("the old private module in Keras 3", K3, RAISES, "CDN203", at("keras.layers.recurrent.LSTM")),
    ("behind the import of what is not there", K3, RAISES, "CDN203", around(imports="keras.layers.CuDNNGRU")),
    ("the same, in a branch", K3, UNKNOWN, "",
     around(imports=OneOf((Known("keras.layers.CuDNNGRU"), ABSENT)))),
    ("the same, where it is there", "keras 2.12.0", CUDNN, "",
     around(imports="tensorflow.compat.v1.keras.layers.CuDNNGRU")),
    ("the same, and what it will meet then", K3, RAISES, "CDN105 CDN203",
     {"unroll": True} | at("keras.layers.recurrent.LSTM")),
    ("TensorFlow's private copy", "tensorflow 2.5.0", FALLBACK, "CDN112", at("tensorflow.python.keras.layers.LSTM")),
    ("the same in 2.14", "keras 2.14.0", FALLBACK, "CDN112", at("tensorflow.python.keras.layers.LSTM")),
    ("the same in Keras 3", K3, RAISES, "CDN203", at("tensorflow.python.keras.layers.LSTM")),
    ("its second version", "keras 2.12.0", CUDNN, "", at("tensorflow.python.keras.layers.recurrent_v2.LSTM")),
    (
        "CuDNNLSTM where it lives",
        K2,
        CUDNN,
        "",
        {"class_name": "CuDNNLSTM"} | at("tensorflow.compat.v1.keras.layers.CuDNNLSTM"),
    ),
    (
        "CuDNNLSTM where it never was",
        K2,
        RAISES,
        "CDN203",
        {"class_name": "CuDNNLSTM"} | at("tensorflow.keras.layers.CuDNNLSTM"),
    ),
    ("CuDNNLSTM in Keras 3", K3, RAISES, "CDN203", {"class_name": "CuDNNLSTM"}),
    ("CuDNNLSTM in keras 2.12", "keras 2.12.0", CUDNN, "", {"class_name": "CuDNNLSTM"}),
    ("CuDNNLSTM in keras 2.13", "keras 2.13.1", RAISES, "CDN203", {"class_name": "CuDNNLSTM"}),
    ("CuDNNLSTM in an .h5", K2, CUDNN, "", {"class_name": "CuDNNLSTM", "saved": "h5"}),
    ("CuDNNLSTM in a .keras", K2, RAISES, "CDN203", {"class_name": "CuDNNLSTM", "saved": "keras"}),
    (
        "ConvLSTM1D in 2.5",
        "tensorflow 2.5.0",
        RAISES,
        "CDN203",
        {"class_name": "ConvLSTM1D"} | at("tensorflow.keras.layers.ConvLSTM1D"),
    ),
    ("a name of unknown origin", K3, UNKNOWN, "", {"unroll": True} | made(unsure="`LSTM` may come from `helpers`")),
    ("own inner_loop", K3, FALLBACK, "CDN113", made(subclass="Mine", overrides=("inner_loop",))),
    # Keras looks at use_cudnn=True in its own inner_loop alone (asked of 3.4.1 to 3.15.1 on TensorFlow, 3.15.1 on JAX
    # and torch)
    ("own inner_loop, insisted", K3, FALLBACK, "CDN113",
     {"use_cudnn": True} | made(subclass="Mine", overrides=("inner_loop",))),
    ("own inner_loop on torch, insisted, another fault", TORCH, FALLBACK, "CDN113 CDN101",
     {"use_cudnn": True, "activation": "relu"} | made(subclass="Mine", overrides=("inner_loop",))),
    ("own inner_loop in Keras 2", K2, CUDNN, "", made(subclass="Mine", overrides=("inner_loop",))),
    (
        "own inner_loop with super",
        K3,
        CUDNN,
        "",
        made(subclass="Mine", overrides=("inner_loop",), calls_super=("inner_loop",)),
    ),
    ("own call", K3, FALLBACK, "CDN113", made(subclass="Mine", overrides=("call",))),
    ("own call in Keras 2", K2, FALLBACK, "CDN113", made(subclass="Mine", overrides=("call",))),
    ("own call by a helper", K3, UNKNOWN, "", made(subclass="Mine", overrides=("call",), may_call_super=("call",))),
    # an RNN loops over its cell, in methods of one's own too (asked of 3.15.1), unless these call the kernel themselves
    *((f"own {name} of an RNN", K3, verdict, said,
       {"class_name": "RNN"} | made(cells=(Construction("LSTMCell"),), subclass="Mine", overrides=(name,), **reach))
      for name in ("inner_loop", "call")
      for verdict, said, reach in ((FALLBACK, "CDN108", {}), (FALLBACK, "CDN108", {"calls_super": (name,)}),
                                   (UNKNOWN, "", {"may_call_super": (name,)}))),
    # masks
    ("right mask", K3, CUDNN, "", around(mask="right")),
    ("left mask", K3, RAISES, "CDN201", around(mask="left")),
    ("left mask, eager", K3, FALLBACK, "CDN201", around(mask="left", eager=True)),
    ("left mask in Keras 2", K2, FALLBACK, "CDN201", around(mask="left")),
    ("data mask", K3, DEPENDS, "CDN201", around(mask="data")),
    ("data or no mask", K3, UNKNOWN, "", around(mask=OneOf((Known("data"), Known("none"))))),
    ("left or right mask", K3, UNKNOWN, "", around(mask=OneOf((Known("left"), Known("right"))))),
    ("unknown mask", K3, UNKNOWN, "", around(mask=Unknown("it comes from outside"))),
    ("right mask with an empty row", K3, RAISES, "CDN201", around(mask="right", mask_with_empty_row=True)),
    ("empty row in 2.3", "tensorflow 2.3.0", RAISES, "CDN213", around(mask="right", mask_with_empty_row=True)),
    ("left mask with an empty row in 2.3", "tensorflow 2.3.0", FALLBACK, "CDN201", LEFT_EMPTY),
    ("no mask at all in 2.3", "tensorflow 2.3.0", CUDNN, "", around(mask="none", mask_with_empty_row=True)),
    ("left or no mask in 2.3", "tensorflow 2.3.0", UNKNOWN, "",
     around(mask=OneOf((Known("left"), Known("none"))), mask_with_empty_row=True)),
    ("left or right, and an empty row in 2.3", "tensorflow 2.3.0", UNKNOWN, "",
     around(mask=OneOf((Known("left"), Known("right"))), mask_with_empty_row=True)),
    ("left or unknown, and an empty row in 2.3", "tensorflow 2.3.0", UNKNOWN, "",
     around(mask=OneOf((Known("left"), NOT_READ)), mask_with_empty_row=True)),
    ("data or unknown in 2.3", "tensorflow 2.3.0", UNKNOWN, "", around(mask=OneOf((Known("data"), NOT_READ)))),
    ("data mask in 2.5", "tensorflow 2.5.0", DEPENDS, "CDN201 CDN604", around(mask="data")),
    ("right or no mask in 2.5", "tensorflow 2.5.0", CUDNN, "", around(mask=OneOf((Known("right"), Known("none"))))),
    ("right mask in 2.3", "tensorflow 2.3.0", CUDNN, "", around(mask="right")),
    ("empty row in 2.5", "tensorflow 2.5.0", FALLBACK, "CDN201", around(mask="right", mask_with_empty_row=True)),
    ("left mask in 2.3", "tensorflow 2.3.0", FALLBACK, "CDN201", around(mask="left")),
    ("data mask in 2.3", "tensorflow 2.3.0", DEPENDS, "CDN201 CDN213", around(mask="data")),
    ("mask on torch", TORCH, FALLBACK, "CDN109", around(mask="data")),
    ("mask in 3.1", "keras 3.1.1", FALLBACK, "CDN109", around(mask="right")),
    ("mask on CuDNNLSTM", "keras 2.12.0", RAISES, "CDN109", {"class_name": "CuDNNLSTM"} | around(mask="right")),
    ("right mask in 2.12", "tensorflow 2.5.0", CUDNN, "CDN604", around(mask="right")),
    ("refused under a mask", K3, FALLBACK, "CDN110", {"use_cudnn": False} | around(mask="data")),
    # dtypes
    ("mixed_bfloat16", K3, CUDNN, "", {"dtype": "mixed_bfloat16"}),
    ("bfloat16 weights", K3, RAISES, "CDN246", {"dtype": "bfloat16"}),
    (
        "bfloat16 weights, drawn otherwise",
        K3,
        CUDNN,
        "",
        {"dtype": "bfloat16", "recurrent_initializer": "glorot_uniform"},
    ),
    ("bfloat16 weights, drawn as a file says", K3, RAISES, "CDN246", DRAWN | {"recurrent_initializer": ORTHOGONAL}),
    ("bfloat16 weights, drawn otherwise in a file", K3, CUDNN, "", DRAWN | {"recurrent_initializer": GLOROT}),
    ("bfloat16 weights, drawn by a class", K3, RAISES, "CDN246",
     DRAWN | {"recurrent_initializer": Ref("keras.initializers.OrthogonalInitializer")}),
    ("bfloat16 weights of zeros", K3, CUDNN, "", DRAWN | {"recurrent_initializer": Ref("keras.initializers.Zeros")}),
    ("bfloat16 weights, drawn by an object", K3, UNKNOWN, "", DRAWN | {"recurrent_initializer": Opaque("an object")}),
    ("quantized to int8", K3, RAISES, "CDN204", {"dtype": "int8_from_float32"}),
    ("quantized to float8", K3, RAISES, "CDN204", {"dtype": "float8_from_float32"}),
    ("a dtype that is none of the kernel's", K3, UNKNOWN, "", {"dtype": "complex64"}),
    ("a dtype that has no name", K3, UNKNOWN, "", {"dtype": 16}),
    ("bfloat16 from outside", K3, UNKNOWN, "", around(dtype="bfloat16")),
    ("mixed_bfloat16 from outside", K3, CUDNN, "", around(dtype="mixed_bfloat16")),
    ("mixed_bfloat16 in 2.12", "keras 2.12.0", RAISES, "CDN204", {"dtype": "mixed_bfloat16"}),
    ("float16 weights in 2.9", "keras 2.9.0", RAISES, "CDN246", {"dtype": "float16"}),
    ("float16 weights in 2.10", "keras 2.10.0", CUDNN, "", {"dtype": "float16"}),
    (
        "a policy of a file",
        K3,
        CUDNN,
        "",
        {"dtype": {"class_name": "DTypePolicy", "config": {"name": "mixed_float16"}}},
    ),
    ("tf.float64", K2, CUDNN, "", {"dtype": Ref("tensorflow.float64")}),
    ("float64 on JAX", JAX, UNKNOWN, "", {"dtype": "float64"}),
    ("half precision on JAX", JAX, RAISES, "CDN204", {"dtype": "mixed_float16"}),
    ("half precision on JAX, eagerly", JAX, UNKNOWN, "CDN204", {"dtype": "mixed_float16"} | around(eager=True)),
    ("half precision on JAX in a loop", JAX, FALLBACK, "CDN101", {"dtype": "mixed_float16", "activation": "relu"}),
    ("float16 weights on torch", TORCH, RAISES, "CDN246", {"dtype": "float16"}),
    ("float16 weights on torch, drawn otherwise", TORCH, CUDNN, "",
     {"dtype": "float16", "recurrent_initializer": "zeros"}),
    ("float16 weights on torch in a loop", TORCH, RAISES, "CDN246",
     {"dtype": "float16", "activation": "relu"}),
    ("a cell of float16 weights on torch", TORCH, RAISES, "CDN246", rnn("float16", "float16")),
    ("a cell of float16 zeros on torch", TORCH, FALLBACK, "CDN108", {"class_name": "RNN", "dtype": "float16"}
     | made(cells=(Construction("LSTMCell", arguments=HALF_ZEROS),))),
    ("float16 weights by floatx", TORCH, RAISES, "CDN246", around(dtype="float16", floatx="float16")),
    ("no casting under a mixed policy", K3, UNKNOWN, "", {"dtype": "mixed_float16", "autocast": False}),
    *((f"no casting of {given} for {dtype}", K3, verdict, code, {"dtype": dtype, "autocast": False} | around(
        input_dtype=Known(given)))
      for dtype, given, verdict, code in (
          ("mixed_float16", "float32", RAISES, "CDN215"), ("mixed_float16", "float16", CUDNN, ""),
          ("float32", "float64", RAISES, "CDN215"), ("float32", "float16", RAISES, "CDN215"),
          ("float64", "float64", CUDNN, ""), ("float64", "float32", RAISES, "CDN215"),
          ("float32", "float32", CUDNN, ""))),
    *((f"states of both directions in {where}, eager {eager}", where, verdict, code,
       {"return_state": True, "wrapper": Wrapper("Bidirectional", role="forward")} | around(eager=eager))
      for where, eager, verdict, code in (
          ("keras 3.1.1", False, RAISES, "CDN233"), ("keras 3.1.1", True, UNKNOWN, ""),
          ("keras 3.2.1", False, CUDNN, ""), ("keras 3.0.0 jax", False, RAISES, "CDN233"),
          ("keras 3.1.1 torch", False, FALLBACK, "CDN402"))),
    ("no casting, and another dtype everywhere", K3, UNKNOWN, "", {"dtype": "float32", "autocast": False} | around(
        dtype=Known("mixed_float16"))),
    ("mixed GRU in 2.3", "tensorflow 2.3.0", FALLBACK, "CDN114", {"class_name": "GRU", "dtype": MIXED}),
    ("mixed LSTM in 2.3", "tensorflow 2.3.0", CUDNN, "", {"dtype": MIXED}),
    ("mixed GRU in 2.0", "tensorflow 2.0.0", CUDNN, "", {"class_name": "GRU", "dtype": MIXED}),
    ("half a GRU without a bias on JAX", JAX, RAISES, "CDN216", BIASLESS),
    ("the same in its loop", JAX, FALLBACK, "CDN103 CDN402", {**BIASLESS, "recurrent_dropout": 0.2}),
    ("the same in bfloat16", JAX, RAISES, "CDN216 CDN246", {**BIASLESS, "dtype": "bfloat16"}),
    ("the same in 3.14", "keras 3.14.0 jax", FALLBACK, "CDN402", BIASLESS),
    ("a GRU of a dtype without a name in 2.3", "tensorflow 2.3.0", UNKNOWN, "", {"class_name": "GRU", "dtype": 16}),
    *((f"a GRU under {name} from outside in 2.3", "tensorflow 2.3.0", verdict, codes,
       {"class_name": "GRU"} | around(dtype=name))
      for name, verdict, codes in (("float16", UNKNOWN, ""), ("bfloat16", UNKNOWN, "CDN204"), ("float32", CUDNN, ""))),
    ("no casting of a dtype without a name", K3, UNKNOWN, "", {"dtype": 16, "autocast": False}),
    ("no casting of single floats", K3, CUDNN, "", {"dtype": "float32", "autocast": False}),
    ("no casting of halves", K3, UNKNOWN, "", {"dtype": "float16", "autocast": False}),
    ("a wrapper of a dtype without a name", K3, UNKNOWN, "",
     {"dtype": "mixed_float16", "wrapper": Wrapper("TimeDistributed", arguments={"dtype": Known(16)})}),
    ("a state in floatx, which is not known", "tensorflow 2.3.0", UNKNOWN, "",
     {"stateful": True} | around(floatx=NOT_READ)),
    ("a state in another dtype", "tensorflow 2.3.0", RAISES, "CDN219",
     {"stateful": True, "dtype": "float16"} | around(floatx="float32")),
    ("a state in the same dtype", "tensorflow 2.3.0", CUDNN, "",
     {"stateful": True, "dtype": "float16"} | around(floatx="float16")),
    ("a state, and a dtype without a name", "tensorflow 2.3.0", UNKNOWN, "",
     {"stateful": True, "dtype": 16} | around(floatx="float32")),
    # surroundings
    ("integers", K3, RAISES, "CDN211", around(input_dtype="int32")),
    ("booleans", K3, RAISES, "CDN211", around(input_dtype="bool")),
    ("unsigned integers", K3, RAISES, "CDN211", around(input_dtype="uint8")),
    ("halves", K3, CUDNN, "", around(input_dtype="float16")),
    ("input of a dtype that is not known", K3, UNKNOWN, "", around(input_dtype=NOT_READ)),
    ("a state of floats under a mixed policy", K2, RAISES, "CDN223", stated("float32", "mixed_float16")),
    ("the same in tf_keras", "tf_keras 2.21.0", RAISES, "CDN223", stated("float32", "mixed_float16")),
    ("the same in 2.1", "tensorflow 2.1.0", RAISES, "CDN223", stated("float32", "mixed_float16")),
    ("the same in 2.0", "tensorflow 2.0.0", UNKNOWN, "CDN223", stated("float32", "mixed_float16")),
    ("the same in Keras 3", K3, CUDNN, "", stated("float32", "mixed_float16")),
    ("a state of halves under a mixed policy", K2, CUDNN, "", stated("float16", "mixed_float16")),
    ("one state of two in another dtype", K2, RAISES, "CDN223", stated("float16, float32", "mixed_float16")),
    ("a state of halves without a policy", K2, RAISES, "CDN223", stated("float16", None)),
    ("a state of doubles where floatx is", K2, CUDNN, "", stated("float64", None, floatx="float64")),
    ("integers as a state", K2, RAISES, "CDN223", stated("int32", None)),
    ("a state that is not followed", K2, CUDNN, "", stated(None, None)),
    ("the same under a mixed policy", K2, UNKNOWN, "", stated(None, "mixed_float16")),
    ("a state of the policy, which is not known", K2, CUDNN, "",
     stated("policy", OneOf((Known("float32"), Known("mixed_float16"))))),
    ("a state of the policy for a layer of another dtype", K2, RAISES, "CDN223",
     stated("policy", "mixed_float16") | {"dtype": "float32"}),
    ("a dtype of a state that is not passed", K2, CUDNN, "", around(state_dtype="float64")),
    ("a state of halves for a cell", K2, RAISES, "CDN223", rnn(None, None) | stated("float16", None)),
    ("a state of halves for a cell of one's own", K2, UNKNOWN, "CDN108",
     rnn(None, None, "OwnCell") | stated("float16", None)),
    ("torch.compile", TORCH, FALLBACK, "CDN205", around(torch_compiled=True)),
    ("DirectML", K3, RAISES, "CDN405", around(device="directml")),
    ("integers on torch", TORCH, CUDNN, "", around(input_dtype="int32")),
    *((f"integers and dropout, {where}", where, RAISES, "CDN230" if where == TORCH else "CDN211 CDN230",
       {"dropout": 0.2} | around(input_dtype="int32")) for where in (TORCH, JAX, K3)),
    ("call() with an argument of another name", K3, RAISES, "CDN231",
     made(**OWN_CALL, call_names=("x", "initial_state"))),
    ("call() without an initial_state", K3, RAISES, "CDN231", made(**OWN_CALL, call_names=("sequences",))),
    ("call() with arguments of Keras's names", K3, CUDNN, "",
     made(**OWN_CALL, call_names=("initial_state", "sequences"))),
    *((f"call() with an argument of another name in {kind}", K3, verdict, "",
       {"wrapper": Wrapper(kind, "forward" if kind == "Bidirectional" else "", sibling=QUIET)}
       | made(**OWN_CALL, registered=True, call_names=("x",)))
      for kind, verdict in (("TimeDistributed", CUDNN), ("Bidirectional", CUDNN), ("Mine", UNKNOWN))),
    ("call() of another name in Keras 2", K2, CUDNN, "", made(**OWN_CALL, call_names=("inputs",))),
    ("call() and build() of an own class", K3, UNKNOWN, "",
     made(**{**OWN_CALL, "overrides": ("call", "build")}, call_names=("inputs",))),
    ("integers in a SimpleRNN", K2, RAISES, "CDN236",
     {"class_name": "SimpleRNN"} | around(input_dtype="int32")),
    ("integers in a SimpleRNN of Keras 3", K3, FALLBACK, "CDN111",
     {"class_name": "SimpleRNN"} | around(input_dtype="int32")),
    ("integers in a ConvLSTM2D", TORCH, RAISES, "CDN236",
     {"class_name": "ConvLSTM2D"} | around(input_dtype="bool")),
    ("integers in a ConvLSTM2D on JAX", JAX, FALLBACK, "CDN111",
     {"class_name": "ConvLSTM2D"} | around(input_dtype="bool")),
    ("integers in an RNN", K2, RAISES, "CDN236",
     {"class_name": "RNN"} | made(cells=(QUIET,)) | around(input_dtype="uint8")),
    ("integers in an RNN of own cells", K2, UNKNOWN, "CDN108",
     {"class_name": "RNN"} | made(cells=(Construction("LSTMCell", subclass="Mine"),)) | around(input_dtype="uint8")),
    ("integers in a SimpleRNN with an own call()", K2, UNKNOWN, "CDN111",
     {"class_name": "SimpleRNN"} | made(subclass="Mine", overrides=("call",)) | around(input_dtype="int32")),
    ("a name with a blank", K3, RAISES, "CDN238", {"name": "my lstm"}),
    ("a name with an accent in Keras 2", K2, RAISES, "CDN238", {"name": "capa_\u00e1"}),
    ("a name with a blank on torch", TORCH, CUDNN, "", {"name": "my lstm"}),
    ("a name with a blank in eager calls", K3, CUDNN, "", {"name": "my lstm"} | around(eager=True)),
    ("a name with a blank in a TimeDistributed", K3, CUDNN, "",
     {"name": "my lstm", "wrapper": Wrapper("TimeDistributed")}),
    ("a name with a blank in a TimeDistributed of Keras 2", K2, RAISES, "CDN238",
     {"name": "my lstm", "wrapper": Wrapper("TimeDistributed")}),
    ("a name with a blank in another wrapper", K3, UNKNOWN, "", {"name": "my lstm", "wrapper": Wrapper("Mine")}),
    ("a name with a blank in a Bidirectional", K3, RAISES, "CDN238",
     {"name": "my lstm", "wrapper": Wrapper("Bidirectional", "forward")}),
    ("a name of all that is allowed", K3, CUDNN, "", {"name": "Az09_.>-"}),
    ("a name with a slash in Keras 3", TORCH, RAISES, "CDN238", {"name": "a/b"}),
    ("a name with a slash in Keras 2", K2, CUDNN, "", {"name": "a/b"}),
    ("a name with a dot on torch", TORCH, RAISES, "CDN238", {"name": "a.b"}),
    ("a name that begins with _ in Keras 2", K2, UNKNOWN, "", {"name": "_a"}),
    ("a name that begins with _ in Keras 3", K3, CUDNN, "", {"name": "_a"}),
    ("a wrapper's name with a blank", K3, RAISES, "CDN238",
     {"wrapper": Wrapper("TimeDistributed", arguments={"name": Known("my td")})}),
    ("an unregistered class in a Bidirectional", K3, RAISES, "CDN233",
     {"wrapper": Wrapper("Bidirectional", "forward")} | made(subclass="Mine", registered=False)),
    ("a registered class in a Bidirectional", K3, CUDNN, "",
     {"wrapper": Wrapper("Bidirectional", "forward")} | made(subclass="Mine", registered=True)),
    ("a class that may be registered in a Bidirectional", K3, UNKNOWN, "",
     {"wrapper": Wrapper("Bidirectional", "forward")} | made(subclass="Mine")),
    ("an unregistered class in a Bidirectional of Keras 2", K2, CUDNN, "",
     {"wrapper": Wrapper("Bidirectional", "forward")} | made(subclass="Mine", registered=False)),
    ("no cell in a file, where there was one", K3, FALLBACK, "CDN108",
     {"class_name": "RNN", "cell": None, "saved": "keras 3.15.1"}),
    ("states that are not known, of a cell that is not known", K3, FALLBACK, "CDN108",
     {"class_name": "RNN"} | around(initial_state=True, states=NOT_READ)),
    ("a name that is perhaps refused in a wrapper whose name is", K2, RAISES, "CDN238",
     {"name": "a b", "wrapper": Wrapper("TimeDistributed", arguments={"name": Known("c d")})}),
    ("a cell without a number of units", K3, RAISES, "CDN208",
     {"class_name": "RNN"} | made(cells=(UNITLESS,))),
    ("a cell of one's own without a number of units", K3, FALLBACK, "CDN108",
     {"class_name": "RNN"} | made(cells=(replace(UNITLESS, subclass="Mine"),))),
    ("a class for a cell", K3, RAISES, "CDN239", {"class_name": "RNN", "cell": Ref("keras.layers.LSTMCell")}),
    ("no cells in Keras 3", K3, RAISES, "CDN239", {"class_name": "RNN", "cell": []}),
    ("no cells in Keras 2", K2, FALLBACK, "CDN108", {"class_name": "RNN", "cell": []}),
    ("a layer for a cell", K3, RAISES, "CDN239", {"class_name": "RNN"} | made(cells=(Construction("LSTM"),))),
    ("an RNN without a cell", K3, RAISES, "CDN239", {"class_name": "RNN"} | made(cells=())),
    ("an RNN of one's own without a cell", K3, FALLBACK, "CDN108",
     {"class_name": "RNN"} | made(cells=(), subclass="Mine")),
    ("an RNN with a cell that is not known", K3, FALLBACK, "CDN108",
     {"class_name": "RNN", "cell": NOT_READ} | made(cells=())),
    ("an RNN with arguments that are not known", K3, FALLBACK, "CDN108",
     {"class_name": "RNN"} | made(cells=(), open="more may be passed")),
    *((f"{name} for a cell", K3, verdict, code,
       {"class_name": "RNN"} | made(cells=(Construction(name, f"keras.layers.{name}"),) * 2))
      for name, verdict, code in (("GRUCell", FALLBACK, "CDN108"), ("StackedRNNCells", RAISES, "CDN239"))),
    ("a name that is not known", K3, CUDNN, "", {"name": NOT_READ}),
    ("open features", K3, RAISES, "CDN237", around(features="open")),
    ("open features of an RNN of own cells", K3, FALLBACK, "CDN108",
     {"class_name": "RNN"} | made(cells=(Construction("LSTMCell", subclass="Mine"),)) | around(features="open")),
    ("open features and an own call()", K3, UNKNOWN, "CDN113",
     made(subclass="Mine", overrides=("call",)) | around(features="open")),
    *((f"no steps in {where}", where, verdict, code, around(steps=0))
      for where, verdict, code in ((K3, RAISES, "CDN243"), (K2, RAISES, "CDN243"), (JAX, UNKNOWN, ""))),
    ("a vector", K3, RAISES, "CDN234", around(input_rank=2)),
    ("a vector in Keras 2", K2, RAISES, "CDN234", around(input_rank=2)),
    ("a vector where input_dim makes it a sequence", OLD, UNKNOWN, "CDN402",
     {"input_dim": 7, "input_shape": (7,)} | around(input_rank=2)),
    ("a vector where input_dim is not told", OLD, RAISES, "CDN234", {"input_shape": (7,)} | around(input_rank=2)),
    ("a sequence", K3, CUDNN, "", around(input_rank=3)),
    ("a vector in a GRU without a kernel", JAX, RAISES, "CDN234",
     {"class_name": "GRU", "recurrent_dropout": 0.2} | around(input_rank=2)),
    ("a sequence in a ConvLSTM2D", K3, RAISES, "CDN234", {"class_name": "ConvLSTM2D"} | around(input_rank=3)),
    ("a vector and an own call()", K3, UNKNOWN, "CDN113",
     made(subclass="Mine", overrides=("call",)) | around(input_rank=2)),
    ("a vector and own cells", K3, FALLBACK, "CDN108",
     {"class_name": "RNN"} | made(cells=(Construction("LSTMCell", subclass="Mine"),)) | around(input_rank=2)),
    *((f"beside {names!r} in {where}", where, verdict, code, around(names_beside=names))
      for where, names, verdict, code in (
          (K3, "d\na/b", RAISES, "CDN238"), (K2, "a/b", CUDNN, ""), (K2, "a b", RAISES, "CDN238"),
          (K2, "_a", UNKNOWN, ""),
          (K3, OneOf((Known("a/b"), ABSENT)), UNKNOWN, ""), (TORCH, "a.b", UNKNOWN, ""),
          (TORCH, "a/b", RAISES, "CDN238"))),
    ("no tensor among the states", K3, RAISES, "CDN235", {"class_name": "GRU"} | around(states=0)),
    ("the input by its name of Keras 2", K3, RAISES, "CDN240", around(call_keywords="inputs")),
    ("the input by its name of Keras 3", K2, RAISES, "CDN240", around(call_keywords="initial_state, sequences")),
    ("the input by its name in Keras 2", K2, CUDNN, "", around(call_keywords="constants, inputs")),
    ("every argument of a TimeDistributed by its name", K2, CUDNN, "",
     {"wrapper": Wrapper("TimeDistributed")} | around(call_keywords="inputs, mask, training")),
    ("the input by its name in Keras 3", K3, CUDNN, "", around(call_keywords="initial_state, sequences, training")),
    ("constants for the call of the own class", K3, RAISES, "CDN240",
     made(subclass="Mine", overrides=("call",), calls_super=("call",)) | around(direct_call_keywords="constants")),
    ("what the call of the own class takes", K3, CUDNN, "",
     made(subclass="Mine", overrides=("call",), calls_super=("call",)) | around(direct_call_keywords="initial_state")),
    ("constants for an RNN of Keras 2", K2, FALLBACK, "CDN108",
     {"class_name": "RNN"} | made(cells=(Construction("LSTMCell"),)) | around(direct_call_keywords="constants")),
    ("states in a list with the input", K3, RAISES, "CDN241", around(listed="list", initial_state=True, states=2)),
    ("states in a list with the input in Keras 2", K2, CUDNN, "", around(listed="list", initial_state=True, states=2)),
    ("the input in a tuple in Keras 2", K2, RAISES, "CDN241", around(listed="tuple")),
    ("the input perhaps in a list", K3, UNKNOWN, "", around(listed=OneOf((Known("list"), Known(None))))),
    ("a list for a call of the user's own", K3, CUDNN, "",
     made(subclass="Mine", overrides=("call",), calls_super=("call",)) | around(listed="list")),
    ("a call of the user's own", K3, CUDNN, "",
     made(subclass="Mine", overrides=("call",), calls_super=("call",)) | around(call_keywords="inputs")),
    ("weights that are made in fit()", "tensorflow 2.4.4", FALLBACK, "CDN114",
     {"class_name": "GRU"} | around(late_weights=True)),
    ("weights that are perhaps made in fit()", "tensorflow 2.2.3", UNKNOWN, "",
     {"class_name": "GRU"} | around(late_weights=Unknown("not shown"))),
    ("weights of an LSTM that are made in fit()", "tensorflow 2.4.4", CUDNN, "", around(late_weights=True)),
    ("weights that are made in fit() in 2.5", "tensorflow 2.5.3", CUDNN, "",
     {"class_name": "GRU"} | around(late_weights=True)),
    ("one state", K3, RAISES, "CDN235", around(initial_state=True, states=1)),
    ("two states", K3, CUDNN, "", around(initial_state=True, states=2)),
    ("two states of a GRU", K2, RAISES, "CDN235", {"class_name": "GRU"} | around(initial_state=True, states=2)),
    ("no state of a GRU", K3, RAISES, "CDN235", {"class_name": "GRU"} | around(initial_state=True, states=0)),
    ("one state of a ConvLSTM", K3, RAISES, "CDN235",
     {"class_name": "ConvLSTM2D"} | around(initial_state=True, states=1)),
    ("two states of a GRU in Keras 3", K3, CUDNN, "", {"class_name": "GRU"} | around(initial_state=True, states=2)),
    ("one state of a GRU in Keras 3", K3, CUDNN, "", {"class_name": "GRU"} | around(initial_state=True, states=1)),
    ("a regularizer that is not read", K3, FALLBACK, "CDN111", {"class_name": "SimpleRNN", "activity_regularizer": 1}),
    ("a regularizer that is read", K3, RAISES, "CDN208", {"class_name": "LSTM", "activity_regularizer": 1}),
    ("one state of a cell", K3, RAISES, "CDN235",
     {"class_name": "RNN"} | made(cells=(Construction("LSTMCell"),)) | around(initial_state=True, states=1)),
    ("one state and an own call()", K3, UNKNOWN, "CDN113",
     made(subclass="Mine", overrides=("call",)) | around(initial_state=True, states=1)),
    ("integers and dropout in a loop", TORCH, RAISES, "CDN230",
     {"dropout": 0.2, "recurrent_dropout": 0.2} | around(input_dtype="bool")),
    ("integers and dropout in SimpleRNN", JAX, RAISES, "CDN230",
     {"class_name": "SimpleRNN", "dropout": 0.2} | around(input_dtype="int32")),
    ("integers and dropout in the first cell", TORCH, RAISES, "CDN230",
     {"class_name": "RNN"} | made(cells=(DROPPING, QUIET)) | around(input_dtype="int32")),
    ("integers and dropout in the second cell", TORCH, FALLBACK, "CDN108",
     {"class_name": "RNN"} | made(cells=(QUIET, DROPPING)) | around(input_dtype="int32")),
    ("integers, dropout and an own call()", TORCH, UNKNOWN, "CDN113",
     {"dropout": 0.2} | made(subclass="Mine", overrides=("call",)) | around(input_dtype="int32")),
    ("integers, dropout and an own call() that calls Keras's", TORCH, RAISES, "CDN230",
     {"dropout": 0.2} | made(**OWN_CALL) | around(input_dtype="int32")),
    ("integers and a dropout of 1", TORCH, UNKNOWN, "", {"dropout": 1.0} | around(input_dtype="int32")),
    ("integers and no dropout", TORCH, CUDNN, "", {"dropout": 0.0} | around(input_dtype="int32")),
    ("dropout and a dtype that is not known", TORCH, UNKNOWN, "", {"dropout": 0.2} | around(input_dtype=NOT_READ)),
    ("ragged", K3, RAISES, "CDN209", around(ragged=True)),
    ("ragged in 2.7", "keras 2.7.0", FALLBACK, "CDN209", around(ragged=True)),
    ("ragged in 2.8", "keras 2.8.0", CUDNN, "", around(ragged=True)),
    ("a jitted function", K3, RAISES, "CDN205", around(xla=True)),
    ("a jitted function in Keras 2", K2, FALLBACK, "CDN205", around(xla=True)),
    ("jit_compile is switched off", K3, CUDNN, "", around(jit_compile=True)),
    ("jit_compile in Keras 2", K2, FALLBACK, "CDN205", around(jit_compile=True)),
    ("jit_compile on torch", TORCH, FALLBACK, "CDN205", around(jit_compile=True)),
    ("jit_compile on JAX", JAX, CUDNN, "", around(jit_compile=True)),
    ("second order", K3, RAISES, "CDN210", around(second_order=True)),
    ("second order on JAX", JAX, FALLBACK, "CDN210", around(second_order=True)),
    ("eager disabled", K2, FALLBACK, "CDN401", around(eager_disabled=True)),
    ("a device that is not known", K2, UNKNOWN, "", around(device=NOT_READ)),
    ("a CPU or not", K2, UNKNOWN, "", around(device=OneOf((Known("cpu"), Known(None))))),
    ("hidden or not", K3, UNKNOWN, "", around(device=OneOf((Known("hidden"), Known(None))))),
    ("on a CPU in Keras 2", K2, FALLBACK, "CDN404", around(device="cpu")),
    ("on a CPU in Keras 3", K3, UNKNOWN, "CDN404", around(device="cpu")),
    ("GPU hidden", K3, FALLBACK, "CDN406", around(device="hidden")),
    ("GPU hidden, and cuDNN insisted on", K3, RAISES, "CDN406 CDN202", {"use_cudnn": True} | around(device="hidden")),
    ("GPU hidden, torch", TORCH, FALLBACK, "CDN406", around(device="hidden")),
    ("GPU hidden, JAX", JAX, FALLBACK, "CDN406", around(device="hidden")),
    ("GPU hidden from TensorFlow", K3, FALLBACK, "CDN406", around(device="hidden_from_tensorflow")),
    ("GPU hidden from TensorFlow, JAX", JAX, CUDNN, "", around(device="hidden_from_tensorflow")),
    ("GPU hidden from TensorFlow, torch", TORCH, CUDNN, "", around(device="hidden_from_tensorflow")),
    ("GPU hidden from JAX", JAX, FALLBACK, "CDN406", around(device="hidden_from_jax")),
    ("GPU hidden from JAX, TensorFlow", K3, CUDNN, "", around(device="hidden_from_jax")),
    ("GPU hidden, CuDNNLSTM", OLD, RAISES, "CDN406", {"class_name": "CuDNNLSTM"} | around(device="hidden")),
    ("Metal", K3, RAISES, "CDN405", around(device="metal")),
    ("another cell", K3, CUDNN, "CDN605", around(cell_replaced=True)),
    ("no kernel on torch", "keras 3.9.2 torch", FALLBACK, "CDN402", {}),
    ("JAX's GRU", JAX, FALLBACK, "CDN402", {"class_name": "GRU"}),
    # a state that is overwritten before the gradients are computed
    ("a stateful layer on torch", TORCH, CUDNN, "CDN607", {"stateful": True}),
    ("a stateful GRU on torch", TORCH, CUDNN, "CDN607", {"class_name": "GRU", "stateful": True}),
    ("a stateful layer on torch that is not trained", TORCH, CUDNN, "", {"stateful": True, "trainable": False}),
    ("a stateful layer on torch that is given its state", TORCH, CUDNN, "",
     {"stateful": True} | around(initial_state=True)),
    ("a stateful layer in a loop on torch", TORCH, FALLBACK, "CDN110", {"stateful": True, "use_cudnn": False}),
    ("a stateful layer on JAX", JAX, CUDNN, "", {"stateful": True}),
    # saved files
    ("Keras 2 file", K3, RAISES, "CDN206", {"saved": "h5 2.15.0", "time_major": False}),
    ("Keras 2 file in Keras 2", K2, CUDNN, "", {"saved": "h5 2.15.0", "time_major": False}),
    ("Keras 2.2 file", K3, CUDNN, "", {"saved": "h5 2.2.4"}),
    ("Keras 2.2 file with a layer that may not load", K3, UNKNOWN, "", {"saved": "h5 2.2.4", "unproved": "lambda"}),
    ("Keras 2.2 file of a class without a row", K3, UNKNOWN, "", {"class_name": "Mystery", "saved": "h5 2.2.4"}),
    ("Keras 2 file of a class without a row", K3, RAISES, "CDN206",
     {"class_name": "Mystery", "saved": "h5 2.15.0", "time_major": False}),
    ("Keras 2 file with a shape", K3, RAISES, "CDN206", {"saved": "h5 2.15.0", "batch_input_shape": (2, 3, 4)}),
    ("Keras 2 file with a shape in Keras 2", K2, CUDNN, "", {"saved": "h5 2.15.0", "batch_input_shape": (2, 3, 4)}),
    ("no rate", K3, RAISES, "CDN208", {"dropout": None}),
    ("no recurrent rate", K3, RAISES, "CDN208", {"recurrent_dropout": None}),
    ("a text for a rate", K3, RAISES, "CDN208", {"dropout": "a"}),
    ("a negative size", K3, RAISES, "CDN208", {"units": -1}),
    ("one unit", K3, CUDNN, "", {"units": 1}),
    ("another spelling", K3, RAISES, "CDN208", {"recurrent_activation": "Sigmoid"} | made(registered=False)),
    ("a name that may be registered", K3, UNKNOWN, "CDN102", {"recurrent_activation": "mystery"}),
    *((f"the class {name} by its name", K2, FALLBACK, "CDN101", {"activation": name})
      for name in ("ELU", "LeakyReLU", "PReLU", "ReLU", "Softmax", "ThresholdedReLU")),
    ("time_major in source", K3, RAISES, "CDN208", {"time_major": False}),
    ("batch_input_shape", K3, RAISES, "CDN208", {"batch_input_shape": (2, 3, 4)}),
    ("batch_input_shape in Keras 2", K2, CUDNN, "", {"batch_input_shape": (2, 3, 4)}),
    (
        "a graph of Keras 2 in Keras 3",
        K3,
        CUDNN,
        "",
        {"saved": "savedmodel 2.10.0"} | at("graph.pair") | around(exported="pair"),
    ),
    ("a graph with the op", K3, CUDNN, "CDN207", {"saved": "savedmodel"} | at("graph.op") | around(exported="op")),
    (
        "a graph with the loop",
        K3,
        FALLBACK,
        "CDN403",
        {"saved": "savedmodel"} | at("graph.loop") | around(exported="loop"),
    ),
    ("exported", K3, CUDNN, "CDN207", around(exported_by=EXPORT)),
    ("exported, and it loops", K3, FALLBACK, "CDN101", around(exported_by=EXPORT) | {"activation": "relu"}),
    ("exported with the GPU hidden", K3, FALLBACK, "CDN406", around(exported_by=EXPORT, device="hidden")),
    (
        "exported, kept from cuDNN",
        K3,
        FALLBACK,
        "CDN110",
        {"use_cudnn": False} | around(exported_by=EXPORT),
    ),
    ("written in a file", K3, FALLBACK, "CDN110", {"use_cudnn": False, "saved": "keras 3.15.1"}),
    ("implementation written in a file", K3, RAISES, "CDN212",
     {"implementation": 1, "dropout": 0.2, "saved": "keras 3.15.1"}),
    ("saved and lost", K3, FALLBACK, "CDN110 CDN302", {"use_cudnn": False} | around(saved="model.save('m.keras')")),
    # defects
    ("implementation 1 with dropout", K3, RAISES, "CDN212", {"implementation": 1, "dropout": 0.2}),
    (
        "the same with recurrent_dropout",
        K3,
        FALLBACK,
        "CDN103",
        {"implementation": 1, "dropout": 0.2, "recurrent_dropout": 0.1},
    ),
    ("implementation 1 without dropout", K3, CUDNN, "", {"implementation": 1, "dropout": 0.0}),
    ("the same, insisted", K3, RAISES, "CDN212", {"implementation": 1, "dropout": 0.2, "use_cudnn": True}),
    ("the same, refused", K3, FALLBACK, "CDN110", {"implementation": 1, "dropout": 0.2, "use_cudnn": False}),
    ("the same in Keras 2", K2, CUDNN, "", {"implementation": 1, "dropout": 0.2}),
    ("implementation of a GRU in 3.3", "keras 3.3.3", RAISES, "CDN208", {"class_name": "GRU", "implementation": 2}),
    ("GRU state in 3.11.2", "keras 3.11.2", RAISES, "CDN602", {"class_name": "GRU", "return_state": True}),
    (
        "GRU state in 3.11.2, eager",
        "keras 3.11.2",
        CUDNN,
        "CDN602",
        {"class_name": "GRU", "return_state": True} | around(eager=True),
    ),
    ("GRU state in 3.11.3", "keras 3.11.3", CUDNN, "", {"class_name": "GRU", "return_state": True}),
    ("LSTM state in 3.11.2", "keras 3.11.2", CUDNN, "", {"return_state": True}),
    ("backward on JAX", JAX, CUDNN, "CDN603", {"go_backwards": True, "return_sequences": True}),
    ("backward on JAX, last output", JAX, CUDNN, "", {"go_backwards": True}),
    ("padded steps", K3, CUDNN, "CDN606", {"return_sequences": True} | around(mask="right")),
    (
        "padded steps, zeros",
        K3,
        CUDNN,
        "",
        {"return_sequences": True, "zero_output_for_mask": True} | around(mask="right"),
    ),
]


@pytest.mark.parametrize(
    ("where", "verdict", "codes", "given"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_a_layer_gets_its_verdict_and_its_codes(
    where: str, verdict: Verdict, codes: str, given: dict[str, Any]
) -> None:
    given = dict(given)
    found = ask(where, **{**given, "made": dict(given.get("made", {}))})
    assert found == (verdict, set(codes.split()))


FORWARD = Construction("LSTM", "keras.layers.LSTM", {"units": Known(8)}, place=HERE)
SEQUENCES = Construction("LSTM", arguments={"units": Known(8), "return_sequences": Known(True)})


def both_ways(role: str, other: Construction | None = None) -> Wrapper:
    """A Bidirectional round the layer; `other` is an explicit other direction, which goes backwards."""
    if other is not None:
        other = replace(other, arguments={"go_backwards": Known(True), **other.arguments})
    return Wrapper(
        "Bidirectional",
        role,
        derived=role == "backward" and other is None,
        explicit=other is not None,
        sibling=other or FORWARD,
    )


def given_backward(**arguments: Fact) -> Wrapper:
    """A Bidirectional whose backward layer was given with these arguments."""
    return both_ways("forward", Construction("LSTM", arguments={"units": Known(8), **arguments}))


@pytest.mark.parametrize(
    ("wrapper", "arguments", "verdict"),
    [
        (Wrapper("Bidirectional"), {}, RAISES),
        (given_backward(), {}, CUDNN),
        (given_backward(go_backwards=Known(False)), {}, RAISES),
        (given_backward(go_backwards=NOT_READ), {}, UNKNOWN),
        (given_backward(), {"go_backwards": True}, RAISES),
        (given_backward(), {"return_sequences": True}, RAISES),
        (given_backward(return_sequences=Known(True)), {"return_sequences": True}, CUDNN),
        (given_backward(stateful=NOT_READ), {}, UNKNOWN),
        (both_ways("forward", Construction("LSTM", arguments={"units": Known(8)}, open="x")), {}, UNKNOWN),
        (both_ways("forward", Construction("Dense", "keras.layers.Dense", {"units": Known(8)})), {}, RAISES),
        (Wrapper("Bidirectional", arguments={"layer": Known(Opaque("a model"))}), {}, RAISES),
        (Wrapper("Bidirectional", arguments={"layer": OneOf((Known(Opaque("a model")), ABSENT))}), {}, UNKNOWN),
        (Wrapper("Bidirectional", "forward", arguments={"merge_mode": Known("max")}), {}, RAISES),
        *((Wrapper("Bidirectional", "forward", arguments={"merge_mode": Known(mode)}), {}, CUDNN)
          for mode in ("sum", "mul", "ave", "concat", None)),
        (Wrapper("Bidirectional", "forward", arguments={"merge_mode": NOT_READ}), {}, CUDNN),
        (given_backward(), {"units": 5}, CUDNN),
        *((replace(given_backward(), arguments={"merge_mode": Known(mode)}), {"units": units}, verdict)
          for mode, units, verdict in (("sum", 5, RAISES), ("ave", 5, RAISES), ("mul", 5, RAISES), ("sum", 8, CUDNN),
                                       ("sum", 1, CUDNN), ("concat", 5, CUDNN), (None, 5, CUDNN))),
        (replace(given_backward(), arguments={"merge_mode": NOT_READ}), {"units": 5}, UNKNOWN),
        (replace(given_backward(), arguments={"merge_mode": Known("sum")}), {"units": NOT_READ}, CUDNN),
        (given_backward(go_backwards=Known(False)), {"saved": "keras 3.8.0"}, RAISES),
        (given_backward(go_backwards=NOT_READ), {"saved": "keras 3.8.0"}, CUDNN),
    ],
)  # fmt: skip
@pytest.mark.parametrize("where", [K3, K2])
def test_a_bidirectional_that_keras_refuses_stops(
    where: str, wrapper: Wrapper, arguments: dict[str, Any], verdict: Verdict
) -> None:
    found, codes = ask(where, wrapper=wrapper, **arguments)
    assert found is verdict
    assert ("CDN232" in codes) is (verdict is RAISES)


@pytest.mark.parametrize(
    ("where", "given", "verdict"),
    [
        (K3, {"wrapper": both_ways("forward"), "go_backwards": True}, RAISES),
        (K3, {"wrapper": both_ways("backward"), "go_backwards": True}, RAISES),
        (K3, {"wrapper": both_ways("forward"), "go_backwards": NOT_READ}, UNKNOWN),
        (K3, {"wrapper": both_ways("forward"), "go_backwards": False}, CUDNN),
        (K2, {"wrapper": both_ways("forward"), "go_backwards": True}, CUDNN),
        (K3, {"wrapper": both_ways("forward"), "go_backwards": True, "saved": "keras 3.15.1"}, CUDNN),
        (K3, {"wrapper": given_backward(), "go_backwards": False}, CUDNN),
        (K3, {"wrapper": replace(both_ways("forward"), arguments={"batch_input_shape": Known((2, 3, 4))})}, RAISES),
        (K2, {"wrapper": replace(both_ways("forward"), arguments={"batch_input_shape": Known((2, 3, 4))})}, CUDNN),
    ],
)
def test_keras_3_refuses_a_layer_inside_that_runs_back(where: str, given: dict[str, Any], verdict: Verdict) -> None:
    found, codes = ask(where, **given)
    assert found is verdict
    assert ("CDN233" in codes) is (verdict is RAISES)


@pytest.mark.parametrize(
    ("where", "wrapper", "arguments", "codes"),
    [
        (TORCH, both_ways("forward"), {}, ""),
        (TORCH, both_ways("forward"), {"dropout": 0.1}, "CDN301"),
        (TORCH, both_ways("forward"), {"recurrent_dropout": 0.1}, "CDN103"),
        (JAX, both_ways("backward"), {"recurrent_dropout": 0.1}, "CDN103"),
        (TORCH, both_ways("backward"), {"stateful": True}, "CDN301 CDN607"),
        (K3, both_ways("forward"), {"dropout": 0.1}, ""),
        (TORCH, both_ways("forward", Construction("LSTM", arguments={"units": Known(9)})), {}, "CDN301"),
        (TORCH, both_ways("forward", Construction("LSTM", arguments={"units": Known(8)})), {}, ""),
        (TORCH, both_ways("forward", Construction("GRU", arguments={"units": Known(8)})), {}, "CDN301"),
        (JAX, both_ways("backward"), {"return_sequences": True}, ""),
        (JAX, both_ways("backward"), {"return_sequences": True, "dropout": 0.1}, "CDN301 CDN603"),
        (JAX, both_ways("forward"), {"return_sequences": True, "dropout": 0.1}, "CDN301"),
        (JAX, both_ways("backward", SEQUENCES), {"return_sequences": True, "dropout": 0.1}, "CDN301"),
        ("keras 3.14.1 jax", both_ways("backward"), {"return_sequences": True}, "CDN603"),
        ("keras 3.11.3", both_ways("forward"), {"use_cudnn": False}, "CDN302"),
        ("keras 3.12.0", both_ways("forward"), {"use_cudnn": False}, "CDN110"),
        ("keras 3.11.3", both_ways("forward"), {"use_cudnn": "auto"}, ""),
        ("keras 3.11.3", both_ways("backward", FORWARD), {"use_cudnn": False}, "CDN110"),
        ("keras 3.11.3", both_ways("forward", FORWARD), {"use_cudnn": False}, "CDN302"),
        (K3, both_ways("forward"), {"implementation": 1, "dropout": 0.1}, "CDN302"),
        ("keras 3.2.0 tensorflow", both_ways("forward"), {"use_cudnn": False}, "CDN302"),
        (K3, both_ways("forward"), {"dtype": MIXED, "autocast": False}, "CDN302"),
        ("keras 3.0.1 tensorflow", both_ways("forward"), {"dtype": MIXED, "autocast": False}, "CDN302"),
        ("keras 3.3.2", both_ways("forward"), {"saved": "keras 3.1.1"}, "CDN222"),
        ("keras 3.3.2", both_ways("backward"), {"saved": "h5 3.3.2"}, "CDN222"),
        ("keras 3.3.2", both_ways("forward"),
         {"saved": "savedmodel 3.3.2", "around": {"exported": "op"}} | at("graph.op"), "CDN207"),
        ("keras 3.3.2", None, {"saved": "h5 3.3.2"}, ""),
        ("keras 3.3.3", both_ways("forward"), {"saved": "keras 3.1.1"}, ""),
        ("keras 3.3.2", both_ways("forward"), {"saved": "config"}, ""),
        ("keras 3.3.2", both_ways("forward"), {}, ""),
        *((where, both_ways("forward"), {"return_sequences": True} | around(mask="right"), codes)
          for where, codes in ((K3, ""), (K2, ""), ("tensorflow 2.1.0", "CDN606"))),
    ],
)  # fmt: skip
def test_two_directions(where: str, wrapper: Wrapper | None, arguments: dict[str, Any], codes: str) -> None:
    assert ask(where, wrapper=wrapper, units=8, **arguments)[1] == set(codes.split())


OWN_FORWARD = replace(FORWARD, subclass="Mine", registered=False)


@pytest.mark.parametrize(
    ("role", "other", "given", "refused"),
    [
        ("forward", OWN_FORWARD, {}, False),
        ("forward", FORWARD, made(subclass="Mine", registered=False), True),
        ("backward", OWN_FORWARD, {}, True),
        ("backward", FORWARD, made(subclass="Mine", registered=False), False),
    ],
)
def test_of_two_layers_in_a_bidirectional_the_forward_one_is_made_anew(
    role: str, other: Construction, given: dict[str, Any], refused: bool
) -> None:
    codes = ask(K3, wrapper=both_ways(role, other), units=8, **{**given, "made": dict(given.get("made", {}))})[1]
    assert ("CDN233" in codes) is refused


def test_what_is_not_known_of_a_name_is_told_without_a_wrapper_that_is_not_there() -> None:
    found = judged(K2, name="a b", around={"eager": NOT_READ}).layers[0].judgements[0].requirements
    (asked,) = [one for one in found if one.name == "refused-name"]
    assert (asked.met, asked.found) == ("unknown", "'a b'")
    told = {one.message for one in judged(K2, name="a b", around={"eager": NOT_READ}).diagnostics}
    assert not any("scope" in message for message in told)


@pytest.mark.parametrize(
    ("where", "outer", "inner", "verdict"),
    [
        (K3, None, "float64", RAISES),
        (K3, None, "mixed_float16", RAISES),
        (K3, "float64", None, RAISES),
        (K3, "float64", "float64", CUDNN),
        (K3, "float16", "mixed_float16", CUDNN),
        (K3, None, None, CUDNN),
        (K2, None, "float64", CUDNN),
        (TORCH, None, "float64", CUDNN),
    ],
)
def test_a_time_distributed_casts_nothing(where: str, outer: str | None, inner: str | None, verdict: Verdict) -> None:
    wrapper = Wrapper("TimeDistributed", arguments={"dtype": Known(outer)} if outer else {})
    dtype = {"dtype": inner} if inner else {}
    assert ask(where, wrapper=wrapper, **dtype) == (verdict, {"CDN215"} if verdict is RAISES else set())


MASK = {"around": {"mask": "data"}}
MAYBE_HIDDEN, MAYBE_CPU = (around(device=OneOf((Known(name), Known(None)))) for name in ("hidden", "cpu"))
BACKWARD = {"go_backwards": Known(True, THERE), "return_sequences": True}
LOST = {"wrapper": both_ways("forward"), "use_cudnn": False}
CONV = {"class_name": "ConvLSTM1D", "filters": 2, "kernel_size": 3}
ASSUMED = {"class_name": "CuDNNLSTM"} | made(assumed="it may be another")
GONE = Construction("BasicLSTMCell", "tensorflow.nn.rnn_cell.BasicLSTMCell")
OWN, MAYBE_OWN = (
    made(subclass="Mine", overrides=("call",), **more) for more in ({}, {"may_call_super": ("call",)})
)  # fmt: skip
#: target, how the layer is made and called, a code, and words of what is told under it: of the diagnostic, or of the
#: requirement where the field begins so.
TOLD: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("tensorflow 1.15.5", {"class_name": "GRU"}, "CDN402",
     {"message": "TensorFlow 1.15.5 has no working", "advice": "tf.keras of TensorFlow 2.0.0 and later"}),
    (JAX, {"class_name": "GRU"}, "CDN402", {"message": "Keras 3.15.1 has no working cuDNN kernel"}),
    (JAX, BACKWARD, "CDN603", {"location": THERE}),
    (JAX, {"go_backwards": True, "return_sequences": Known(True, THERE)}, "CDN603", {"location": HERE}),
    (K3, {"class_name": "RNN"} | MAYBE_OWN, "CDN501", {"requirement origin": "unknown"}),
    (K3, {"class_name": "RNN"}, "CDN108", {"requirement origin": "written"}),
    ("tensorflow 2.3.0", around(mask=OneOf((Known("left"), Known("none"))), mask_with_empty_row=True), "CDN501",
     {"message": "Possible: cudnn or fallback ("}),
    *((K3, around(exported_by=EXPORT, graph_reader=reader), "CDN207", {"message": words})
      for reader, words in (("tflite", "TFLite does not have"), ("onnx", "the ONNX converter does not know"),
                            ("shap", "SHAP has no rule"), (None, "which no CPU can run"))),
    (K3, around(exported_by=Known(EXPORT, THERE)), "CDN207", {"location": THERE}),
    (K3, MAYBE_HIDDEN, "CDN501", {"found": "possibly no GPU visible"}),
    (K3, around(device=NOT_READ), "CDN501", {"found": "unknown (it is not read)"}),
    (K2, MAYBE_CPU, "CDN501", {"found": "possibly a CPU"}),
    *((where, {"class_name": name} | around(device=device), "CDN405", {"message": make, "advice": advice})
      for where, name, device, make, advice in (
          (K3, "LSTM", "metal", "an Apple GPU", "Set use_cudnn=False on the layer, or use RNN(LSTMCell(units))"),
          (K3, "GRU", "directml", "through DirectML", "or use RNN(GRUCell(units))"),
          (K2, "LSTM", "metal", "an Apple GPU", "Use RNN(LSTMCell(units))"))),
    (K3, {"saved": "h5 2.15.0", "time_major": Known(False, SavedPlace("m.h5", "lstm", "time_major"))}, "CDN206",
     {"requirement place": "lstm.time_major", "requirement origin": "written"}),
    (K3, {"saved": "h5 2.2.4", "unproved": "lambda"}, "CDN501", {"requirement origin": "unknown"}),
    ("keras 3.1.1", MASK, "CDN109", {"advice": "Upgrade to Keras 3.2 or later"}),
    ("keras 3.1.1", MASK | {"class_name": "GRU"}, "CDN109", {"advice": "Upgrade to Keras 3.2 or later"}),
    (TORCH, MASK, "CDN109", {"advice": "Group sequences of equal length"}),
    ("keras 2.12.0", MASK | {"class_name": "CuDNNLSTM"}, "CDN109", {"advice": "Group sequences of equal length"}),
    (K3, CONV, "CDN111", {"advice": "no release has a kernel for it"}),
    (K3, {"class_name": "SimpleRNN"}, "CDN111", {"advice": "use an LSTM or GRU instead"}),
    (K3, OWN, "CDN113", {"requirement origin": "written"}),
    (K3, MAYBE_OWN, "CDN501", {"requirement origin": "unknown"}),
    (K3, {"return_sequences": Known(True, THERE)} | around(mask="right"), "CDN606", {"location": THERE}),
    (K3, around(device="cpu"), "CDN404", {"advice": "or set use_cudnn=False if it should run on the CPU"}),
    (K2, around(device="cpu"), "CDN404", {"advice": "Call the layer outside that scope."}),
    (K3, {"time_major": Known(False, THERE)}, "CDN208", {"location": THERE, "requirement origin": "written"}),
    (K3, {"class_name": "CuDNNLSTM"}, "CDN203",
     {"message": "no class CuDNNLSTM in keras.layers of Keras 3.15.1", "requirement origin": "written"}),
    (K3, ASSUMED, "CDN203", {"requirement origin": "assumed"}),
    (K3, {"bias_initializer": None}, "CDN208", {"message": "bias_initializer=None"}),
    (K3, {"class_name": "RNN"} | made(cells=()), "CDN239", {"requirement origin": "written"}),
    (K3, at("keras.layers.recurrent.LSTM"), "CDN203", {"message": "it is keras.layers.LSTM there"}),
    (K3, {"class_name": "CuDNNLSTM"} | at("keras.layers.cudnn_recurrent.CuDNNLSTM"), "CDN203",
     {"message": "no class CuDNNLSTM in keras.layers.cudnn_recurrent of Keras"}),
    (K2, {"class_name": "CuDNNLSTM", "saved": "keras"}, "CDN203", {"message": "no class CuDNNLSTM in tf_keras 2.21.0"}),
    ("tensorflow 2.5.0", CONV | at("tensorflow.keras.layers.ConvLSTM1D"), "CDN203",
     {"message": "in tensorflow.keras.layers of TensorFlow 2.5.0"}),
    (K3, {"autocast": False} | around(saved="model.save('m.keras')"), "CDN302", {"message": "autocast=False is lost"}),
    ("keras 3.11.3", LOST, "CDN302", {"advice": "Upgrade to Keras 3.12 or later"}),
    (K3, {"use_cudnn": False} | around(saved="model.save('m.keras')"), "CDN302", {"advice": "Set it again"}),
    (K2, at("tensorflow.compat.v1.keras.layers.LSTM"), "CDN112", {"message": "compat.v1.keras.layers.LSTM, a Tensor"}),
    (TORCH, around(torch_compiled=True), "CDN205", {"message": "inside torch.compile,"}),
    (K3, around(xla=True), "CDN205", {"instead": "Set use_cudnn=False on the layer: it is then"}),
    (K2, around(xla=True), "CDN205", {"instead": None}),
    ("keras 2.12.0", {"dtype": "mixed_bfloat16"}, "CDN204", {"instead": "Upgrade to TensorFlow 2.13 or later"}),
    (JAX, {"dtype": "mixed_bfloat16"}, "CDN204", {"instead": None}),
    *((where, {"return_sequences": True} | around(mask="right"), "CDN606", {"advice": advice})
      for where, advice in (("tensorflow 2.0.0", "Upgrade to TensorFlow 2.2 or later and set"),
                            ("tensorflow 2.1.0", "Upgrade to TensorFlow 2.2 or later and set"),
                            ("tensorflow 2.2.0", "Set zero_output_for_mask=True on the layer"))),
    (K3, around(device=OneOf((Assumed("metal", "it is asked for"), Assumed("directml", "so is this")))), "CDN405",
     {"message": "runs on an Apple GPU (it is asked for), which"}),
    ("tensorflow 2.3.0", around(mask=OneOf((Known("left"), Known("right"))), mask_with_empty_row=True), "CDN501",
     {"message": "not clear whether the mask with the empty row is right-padded"}),
    (K2, rnn(None, "float64"), "CDN221", {"message": "different dtypes: 'float64', and float32 in LSTMCell"}),
    (K2, rnn(None, "float64") | around(floatx=NOT_READ), "CDN501", {"found": "'float64', and floatx in LSTMCell"}),
    *((where, {"stateful": True, "dtype": "mixed_float16"}, "CDN218", {"advice": advice})
      for where, advice in (("keras 2.6.0", "TensorFlow 2.7 or later"), ("keras 3.7.0", "Keras 3.8 or later"))),
    (K3, around(exported_by=Known(EXPORT, THERE), graph_reader="tflite", batch="open"), "CDN408", {"location": THERE}),
    *((where, around(mask="left"), "CDN201", {"advice": advice})
      for where, advice in ((K3, "set use_cudnn=False: the layer then"), (K2, "Every other batch runs in a loop"),
                            ("keras 2.15.0", "Every other batch runs in a loop"))),
    *((where, {"saved": "savedmodel"} | at("graph.loop") | around(exported="loop"), "CDN403",
       {"message": f"he saved graph has a loop: {why}", "advice": advice})
      for where, why, advice in (
          (K3, "no GPU was visible", "export it again on a machine"),
          (K2, "the layer could not use cuDNN where it was made", "Exporting on another machine does not help"),
          ("keras 2.15.0", "the layer could not use", "Exporting on another machine does not help"))),
    (K2, rnn(None, Known("float64", THERE)), "CDN221", {"location": THERE}),
    ("keras 3.3.3", {"dropout": 0.2}, "CDN104", {"instead": "If the loop has to stay"}),
    ("keras 3.3.3", {"dropout": 0.2}, "CDN104", {"instead": "unless compile() is given jit_compile=False"}),
    ("keras 3.0.0", {"activation": "relu"}, "CDN402", {"instead": "Keras lets XLA compile it"}),
    ("keras 3.0.0", {"activation": "relu"}, "CDN402", {"instead": "jit_compile=False or run_eagerly=True"}),
    *((K3, around(exported_by=EXPORT, graph_reader=reader), "CDN207", {"advice": "Hide the GPU from this program"})
      for reader in ("tflite", "onnx", "shap")),
    (K3, around(exported_by=EXPORT), "CDN207", {"advice": "To serve on GPUs alone, change nothing"}),
    ("keras 3.1.1", MASK | {"activation": "relu"}, "CDN109", {"instead": "Keras lets XLA compile it"}),
    ("tensorflow 2.3.0", {"class_name": "RNN"} | made(cells=(GONE,)), "CDN203",
     {"message": "no class BasicLSTMCell in tensorflow.nn.rnn_cell of TensorFlow 2.3.0"}),
    (K2, around(device=NOT_READ), "CDN501", {"found": "unknown (it is not read)"}),
    (K3, {"implementation": NOT_READ, "dropout": 0.2}, "CDN501", {"message": "it is not read"}),
    (TORCH, {"dropout": 0.2} | around(input_dtype=NOT_READ), "CDN501", {"message": "it is not read"}),
    ("tensorflow 2.3.0", {"class_name": "GRU", "dtype": MIXED}, "CDN114", {"advice": 'or set dtype="float32" on this'}),
    ("tensorflow 2.3.0", {"class_name": "GRU"} | around(distributed=True), "CDN114", {"advice": "outside of the str"}),
    (K3, {"stateful": True} | around(batch="open"), "CDN217", {"message": "The layer has stateful=True, but"}),
    (K2, stated("policy", "mixed_float16") | {"dtype": Known("float32", THERE)}, "CDN223",
     {"message": "state is float16, which the layer does not cast: its dtype policy is float32.", "location": HERE}),
    (K2, {"dtype": Known("float32", THERE)} | around(initial_state=Known(True), state_dtype="float64"), "CDN223",
     {"message": "state is float64,", "location": THERE}),
    (K2, stated(None, "mixed_float16"), "CDN501", {"found": "of a dtype that is not shown"}),
    *((K3, made(subclass="Mine", overrides=overrides, may_call_super=("call",)) | around(**facts), "CDN501",
       {"message": words})
      for facts, overrides, words in (
          ({"input_rank": 2}, ("call",), "Mine replaces call"),
          ({"input_rank": NOT_READ}, (), "it is not read"),
          ({"initial_state": True, "states": 1}, ("call",), "Mine replaces call"),
          ({"initial_state": True, "states": NOT_READ}, (), "it is not read"),
          ({"features": "open"}, ("call",), "Mine replaces call"), ({"features": NOT_READ}, (), "it is not read"))),
    (K3, around(features="open"), "CDN237", {"requirement found": "None"}),
    (K3, {"name": Opaque("an own object"), "seed": NumpyNumber(4)}, "CDN208", {"advice": "Write int(...) around"}),
    (K3, {"use_cudnn": None}, "CDN208", {"message": "use_cudnn=None"}),
    (K3, {"time_major": OneOf((ABSENT, Known(False)))}, "CDN501", {"requirement origin": "written"}),
    (K3, {"units": Known(0, THERE)}, "CDN208",
     {"message": "units=0", "location": THERE, "requirement origin": "written"}),
]  # fmt: skip


@pytest.mark.parametrize(("where", "given", "code", "told"), TOLD, ids=[f"{one[2]} {i}" for i, one in enumerate(TOLD)])
def test_what_is_told_of_a_finding(where: str, given: dict[str, Any], code: str, told: dict[str, Any]) -> None:
    found = judged(where, **{**given, "made": dict(given.get("made", {}))})
    (diagnostic,) = [one for one in found.diagnostics if one.code == code]
    asked = [one for one in found.layers[0].judgements[0].requirements if one.name == diagnostic.requirement]
    for field, words in told.items():
        of, name = (asked[0], field.split()[1]) if " " in field else (diagnostic, field)
        value = getattr(of, name)
        whole = " " in field or not isinstance(words, str)
        assert (words in (value, str(value))) if whole else words in value, value


def test_the_release_that_hands_a_setting_on_is_told_where_a_bidirectional_drops_it() -> None:
    saved = {"use_cudnn": False} | around(saved="model.save('m.keras')")
    for where, given, told in (("keras 3.11.3", LOST, True), (K3, saved, False)):
        (lost,) = [one for one in judged(where, **given).diagnostics if one.code == "CDN302"]
        assert (lost.advice or "").startswith("Upgrade") is told


def cells(*names: str, **more: Any) -> dict[str, Any]:
    return made(cells=tuple(Construction(name, **more) for name in names))


@pytest.mark.parametrize(
    ("given", "rank", "states"),
    [
        *(({"class_name": name}, 3, count) for name, count in (("LSTM", 2), ("GRU", 1), ("SimpleRNN", 1))),
        *(({"class_name": name} | at(f"tensorflow.compat.v1.keras.layers.{name}"), 3, count)
          for name, count in (("CuDNNLSTM", 2), ("CuDNNGRU", 1))),
        *(({"class_name": f"ConvLSTM{n}D", "filters": 2, "kernel_size": 3}, n + 3, 2) for n in (1, 2, 3)),
        *(({"class_name": "RNN"} | cells(name), 3, count)
          for name, count in (("LSTMCell", 2), ("GRUCell", 1), ("SimpleRNNCell", 1))),
        ({"class_name": "RNN"} | cells("LSTMCell", "GRUCell"), 3, None),
        ({"class_name": "RNN"} | cells("LSTMCell", subclass="Mine"), None, None),
        ({"class_name": "RNN"} | cells("ConvLSTM2DCell"), None, None),
        ({"class_name": "RNN"}, None, None),
        ({"wrapper": both_ways("forward"), "units": 8}, 3, 4),
        ({"class_name": "GRU", "wrapper": both_ways("forward"), "units": 8}, 3, 2),
        ({"wrapper": both_ways("forward", FORWARD), "units": 8}, 3, None),
    ],
)  # fmt: skip
def test_a_layer_takes_an_input_of_this_rank_and_so_many_states(
    given: dict[str, Any], rank: int | None, states: int | None
) -> None:
    told = {
        what: [number for number in range(1, 8)
               if code in ask(K2, **{**given, "made": dict(given.get("made", {}))}, **around(**more(number)))[1]]
        for what, code, more in (
            ("rank", "CDN234", lambda number: {"input_rank": number}),
            ("states", "CDN235", lambda number: {"initial_state": True, "states": number}))
    }  # fmt: skip
    taken = {what: [number for number in range(1, 8) if number not in found] for what, found in told.items()}
    every = [*range(1, 8)]
    assert taken == {"rank": [rank] if rank else every, "states": [states] if states else every}


def test_what_is_not_known_of_a_device_leaves_each_question_about_it_open() -> None:
    asked = judged(K2, around={"device": NOT_READ}).layers[0].judgements[0].requirements
    unclear = {one.name: one.found for one in asked if one.met == "unknown"}
    assert unclear == dict.fromkeys(("gpu-hidden", "pinned-to-cpu", "gpu-without-cudnn"), "unknown (it is not read)")


def test_a_file_that_does_not_load_says_so_itself() -> None:
    place = SavedPlace("m.h5", "lstm")
    made = Construction("LSTM", "keras.layers.LSTM", {"units": Known(4)}, place=place)
    fault = LoadFault("operation", ("h5",), Era(3), "it holds operations", anywhere=False)
    layer = Layer("layer", place, (made,), saved=True, unloadable=(fault,))
    (judged,) = judge(Model("m", "h5", (layer,)), (target(K3),), BOOK).layers
    (asked,) = [one for one in judged.judgements[0].requirements if one.met == "no"]
    assert (asked.name, asked.found, asked.place, asked.origin) == (
        "unloadable-file", "it holds operations", place, "written",
    )  # fmt: skip


def test_the_faults_of_calls_that_come_to_the_same_are_told_together() -> None:
    calls = (Call({"mask": Known("data")}), Call({"torch_compiled": Known(True)}), Call())
    layer = Layer("layer", HERE, (FORWARD,), calls)
    found = judge(Model("m", "python", (layer,)), (target(TORCH),), BOOK)
    assert {one.code for one in found.diagnostics} == {"CDN109", "CDN205"}


def test_what_is_not_written_but_may_be_is_unknown() -> None:
    assert ask(K3, made={"open": "**kwargs hides what is given"})[0] is UNKNOWN
    assert ask(K3, made={"open": "**kwargs hides what is given"}, recurrent_dropout=0.1)[0] is not CUDNN


def test_a_value_that_a_branch_decides() -> None:
    rate = OneOf((Known(0.0), Known(0.2)), "a branch decides")
    assert ask(K3, recurrent_dropout=rate)[0] is UNKNOWN
    assert ask(K3, recurrent_dropout=OneOf((Known(0.1), Known(0.2))))[0] is FALLBACK
    assert ask(K3, recurrent_dropout=OneOf((ABSENT, Known(0.0))))[0] is CUDNN


@pytest.mark.parametrize(
    ("given", "more", "verdict"),
    [({}, None, RAISES), ({}, "more may be passed", FALLBACK), ({"output_dim": Known(4)}, None, FALLBACK)],
)
def test_a_call_without_units_stops_everywhere(given: Any, more: str | None, verdict: Verdict) -> None:
    made = Construction("LSTM", "keras.layers.LSTM", given, open=more, place=HERE)
    (judged,) = judge(Model("m", "python", (Layer("layer", HERE, (made,)),)), (target(OLD),), BOOK).layers
    assert judged.judgements[0].verdict is verdict


@pytest.mark.parametrize("name", NEED_UNITS)
def test_each_class_with_units_needs_them(name: str) -> None:
    made = Construction(name, f"keras.layers.{name}", place=HERE)
    (judged,) = judge(Model("m", "python", (Layer("layer", HERE, (made,)),)), (target(OLD),), BOOK).layers
    told = {one.name: one for one in judged.judgements[0].requirements}["rejected-argument"]
    assert (told.met, told.found, told.place, told.origin) == ("no", "a call without units", HERE, "written")


@pytest.mark.parametrize(
    ("way", "verdict"), [({}, RAISES), ({"via": (HERE,)}, UNKNOWN), ({"uncalled": "make"}, UNKNOWN)]
)
def test_what_only_training_stops_is_open_where_other_code_calls_the_layer(way: Any, verdict: Verdict) -> None:
    made = Construction("LSTM", "keras.layers.LSTM", FIRST, place=HERE)
    layer = Layer("layer", HERE, (made,), **way)
    (found,) = judge(Model("m", "python", (layer,)), (target(K3),), BOOK).layers
    assert found.judgements[0].verdict is verdict
