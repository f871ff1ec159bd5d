"""The TensorFlow side of the oracle: Keras 2 (bundled, `keras`, `tf_keras`) and Keras 3 on TensorFlow.

Keras is told that a GPU is there, and every cuDNN operation is replaced by a recorder: it lets the real
operation check dtypes and ranks, reports the layer being called, and returns zeros of the right shape. So
everything before and behind the kernel is Keras's own code.

Masks: where a mask of rank 2 reaches a recurrent layer, one of three others is put in its place: right-padded,
left-padded, or right-padded with an empty row. In a graph the choice is an argument of the traced function; the
function then runs on the CPU, once for each layer and choice, so that Keras's own assertions speak.

Keras 2 registers its cuDNN function in the graph and leaves the swap to Grappler. Here the registered function
is called instead, and the run-time value that it returns (1 loop, 2 kernel) is written down.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
from typing import Any, Iterator

import tensorflow as tf

from shortcuts import found, shortcuts
from watch import Call, Watch, entry, known, phase, said, structured

RIGHT, LEFT, EMPTY = 0, 1, 2
VARIANTS = ("right", "left", "empty")
KERNEL = 2  # Keras 2's RUNTIME_GPU
OPS = {"CudnnRNN": 4, "CudnnRNNV2": 5, "CudnnRNNV3": 5}  # and how many outputs each has
# What Keras up to TensorFlow 2.5 uses past the public names.
GENERATED = {"cudnn_rnn": "CudnnRNN", "cudnn_rnnv2": "CudnnRNNV2", "cudnn_rnnv3": "CudnnRNNV3"}
BUNDLED = "tensorflow.python.keras.layers.recurrent_v2"
ABOUT_MASKS = "RNN mask"  # what Keras's own assertion says of a mask that is not right-padded
REFUSED = "the kernel refuses a row without steps: CUDNN_STATUS_BAD_PARAM (tensorflow#33148)"
# Where Keras 2 keeps the function that registers the cuDNN version of a layer, by generation.
REGISTRARS = (
    ("tf_keras.src.layers.rnn.gru_lstm_utils", "function_register"),
    ("keras.src.layers.rnn.gru_lstm_utils", "function_register"),
    ("keras.layers.rnn.gru_lstm_utils", "function_register"),
    ("keras.layers.recurrent_v2", "_function_register"),
    ("keras.layers.recurrent_v2", "function_register"),
    ("tensorflow.python.keras.layers.recurrent_v2", "_function_register"),
    ("tensorflow.python.eager.function", "register"),
)


class FakeGpu:
    """What a list of logical devices holds."""

    name = "/device:GPU:0"
    device_type = "GPU"


class Side:
    """TensorFlow, believing in a GPU."""

    def __init__(self, keras: Any) -> None:
        self.keras = keras
        self.watch = Watch(self)
        self.gpu = False
        self.asking = False
        self.eagerly = True
        self.quick = False  # traced alone, with one step in place of every loop: a fifth of the time
        self.choice: Any = None
        self.order: dict[int, int] = {}
        self.routes: dict[int, float] = {}  # Keras 2, in a graph: id of the call -> its run-time value
        self.stopped: list[str] = []  # what stopped runs of the graph

    # ---- belief

    @contextlib.contextmanager
    def believing(self) -> Iterator[None]:
        """Within, Keras sees a GPU and its cuDNN operations are recorders."""
        with contextlib.ExitStack() as undo:
            for owner, name, value in self.replacements():
                undo.callback(setattr, owner, name, getattr(owner, name))
                setattr(owner, name, value)
            self.gpu = True
            undo.callback(setattr, self, "gpu", False)
            yield

    @contextlib.contextmanager
    def without_gpu(self) -> Iterator[None]:
        """Within, the GPU is gone again."""
        before, self.gpu = self.gpu, False
        try:
            yield
        finally:
            self.gpu = before

    @contextlib.contextmanager
    def drawing(self) -> Iterator[None]:
        """Within, there is no GPU, what is called is traced and run as quickly as it can be, and Keras 2 traces no
        cuDNN version beside the loop."""
        with self.believing(), self.without_gpu():
            yield

    @contextlib.contextmanager
    def stepping_eagerly(self) -> Iterator[None]:
        """Within, `fit` and `predict` run their steps eagerly, and every mask can be looked at."""
        tf.config.run_functions_eagerly(True)
        try:
            yield
        finally:
            tf.config.run_functions_eagerly(False)

    def replacements(self) -> Iterator[tuple[Any, str, Any]]:
        """Every attribute to replace: (owner, name, value)."""
        seen = set()
        for space in (tf, tf.compat.v2, tf.compat.v1):
            if id(space.config) not in seen and hasattr(space.config, "list_logical_devices"):
                seen.add(id(space.config))
                yield space.config, "list_logical_devices", self.devices(space.config.list_logical_devices)
            if id(space.raw_ops) not in seen:
                seen.add(id(space.raw_ops))
                for name in OPS:
                    if hasattr(space.raw_ops, name):
                        yield space.raw_ops, name, self.recorder(name, getattr(space.raw_ops, name))
        yield from self.private_replacements()
        yield from remembering()

    def private_replacements(self) -> Iterator[tuple[Any, str, Any]]:
        """What Keras up to TensorFlow 2.5 uses past the public names, and the registrars."""
        if self.keras.__name__.startswith("tensorflow") and found(BUNDLED):
            context = importlib.import_module("tensorflow.python.eager.context")
            config = importlib.import_module("tensorflow.python.framework.config")
            generated = importlib.import_module("tensorflow.python.ops.gen_cudnn_rnn_ops")
            count = context.num_gpus
            yield context, "num_gpus", lambda: 1 if self.gpu else count()
            yield config, "list_logical_devices", self.devices(config.list_logical_devices)
            for name, op in [*GENERATED.items(), *((op, op) for op in OPS)]:
                if hasattr(generated, name):
                    yield generated, name, self.recorder(op, getattr(generated, name))
        if self.quick:
            yield from shortcuts()
        for module, name in REGISTRARS:
            owner = found(module)
            if hasattr(owner, name):
                yield owner, name, self.registrar()

    def devices(self, real: Any) -> Any:
        """A `list_logical_devices` that knows of a GPU."""

        def listed(device_type: Any = None) -> Any:
            return [FakeGpu()] if self.gpu and device_type == "GPU" else real(device_type)

        return listed

    def recorder(self, name: str, real: Any) -> Any:
        """A stand-in for a cuDNN operation."""

        def op(*args: Any, **kwargs: Any) -> Any:
            bound = inspect.signature(real).bind(*args, **kwargs)
            complain(real, bound.arguments)
            self.watch.hit()
            return zeros_of(bound.arguments["input"], bound.arguments["input_h"], OPS[name])

        return op

    def registrar(self) -> Any:
        """A stand-in for Keras 2's registration of the cuDNN version: calls it, and reports what it chose."""

        def register(func: Any, *args: Any, **kwargs: Any) -> None:
            if not (self.asking and self.gpu and self.watch.stack):
                return
            call = self.watch.stack[-1]
            call.device = tf.constant(0).op.device or None
            # Not `func` itself: on a CPU Grappler would swap it for the loop.
            runtime = func.python_function(*args, **kwargs)[-1]
            call.route = "runtime"
            if "CPU" in (call.device or ""):  # Grappler swaps only what is placed on a GPU
                call.route = "fallback"
                return
            tf.numpy_function(self.reporter(call), [runtime], tf.float32)

        return register

    def reporter(self, call: Call) -> Any:
        """What the running graph calls with the route of a call."""

        def report(value: Any) -> Any:
            self.routes[id(call)] = float(value)
            return value

        return report

    # ---- what the watch asks of a side

    def unconverted(self, function: Any) -> Any:
        """Keep AutoGraph out of the watcher."""
        return tf.autograph.experimental.do_not_convert(function)

    def choose_mask(self, layer: Any, original: Any, args: Any, kwargs: Any) -> tuple[Any, Any, bool]:
        """The call's arguments with the mask chosen for the layer, and whether a mask arrived."""
        bound = inspect.signature(original).bind(*args, **kwargs)
        given: Any = bound.arguments.get("mask")
        mask = next((item for item in given if item is not None), None) if isinstance(given, (list, tuple)) else given
        if mask is not None and not self.asking and hasattr(mask, "numpy") and len(mask.shape) == 2:
            rows = mask.numpy().astype(bool).tolist()
            self.watch.see(layer, zip(*rows) if getattr(layer, "time_major", False) else rows)
        if mask is None or not self.asking or id(layer) not in self.order or len(mask.shape) != 2:
            return args, kwargs, mask is not None
        other = self.padded(mask, getattr(layer, "time_major", False), self.choice[self.order[id(layer)]])
        if given is not mask:
            other = [other if item is mask else item for item in given]
        bound.arguments["mask"] = other
        return bound.args, bound.kwargs, True

    def padded(self, mask: Any, time_major: bool, choice: Any) -> Any:
        """A mask of the same shape, padded as chosen."""
        rows, steps = tf.shape(mask)[0], tf.shape(mask)[1]
        if time_major:
            rows, steps = steps, rows
        lengths = tf.maximum(steps - 1 - tf.range(rows) % 2, 1)[:, None]
        at = tf.range(steps)[None]
        right, left = at < lengths, at >= steps - lengths
        empty = tf.logical_and(right, (tf.range(rows) > 0)[:, None])
        chosen = tf.gather(tf.stack([right, left, empty]), choice)
        chosen = tf.transpose(chosen) if time_major else chosen
        chosen.set_shape(mask.shape)
        return chosen

    # ---- asking

    def ask(self, model: Any, layers: list[Any], training: bool) -> dict[str, list[dict[str, Any]]]:
        """For graph and eager execution: one dict (layer, masked, routes by variant, error, ...) for each call."""
        self.order = {id(layer): number for number, layer in enumerate(layers)}
        self.asking = True
        try:
            with self.believing():
                eager = self.in_eager(model, training) if self.eagerly else []
                return {"graph": self.in_graph(model, training), "eager": eager}
        finally:
            self.asking = False

    def in_graph(self, model: Any, training: bool) -> list[dict[str, Any]]:
        """Trace once as `fit` and `predict` do, then run with every choice of mask."""
        specs = self.specs(model)
        flat = tf.nest.flatten(specs)
        self.watch.calls.clear()
        self.routes.clear()

        def step(choice: Any, inputs: Any) -> Any:
            self.choice = choice
            self.call(model, tf.nest.pack_sequence_as(specs, inputs), training)
            return tf.constant(0)

        if str(getattr(self.keras, "__version__", "2")).startswith(
            "3"
        ):  # its own step keeps AutoGraph out, of what it calls too
            step = tf.autograph.experimental.do_not_convert(step)
        signature = [tf.TensorSpec([max(len(self.order), 1)], tf.int32), flat]
        traced = tf.function(step, input_signature=signature, autograph=False)
        traced.get_concrete_function()
        calls = list(self.watch.calls)
        if self.quick:
            return [entry(call, self.known_routes(call)) for call in calls]
        inputs = [ones(spec) for spec in flat]
        self.stopped.clear()
        entries = [entry(call, self.by_variant(traced, inputs, call)) for call in calls]
        if any(ABOUT_MASKS not in error for error in self.stopped):
            with self.without_gpu():  # what stops the model there too is no fault of a layer
                tf.function(step, input_signature=signature, autograph=False)(
                    tf.zeros(signature[0].shape, tf.int32), inputs
                )
        return entries

    def known_routes(self, call: Call) -> dict[str, Any]:
        """The routes of one call by what its trace shows; what a mask decides then was seen in every release."""
        reaches = call.route in ("cudnn", "runtime")
        if not (reaches and call.masked and id(call.layer) in self.order):
            return {"any": "cudnn" if reaches else call.route}
        wrong = "raises" if call.route == "cudnn" else "fallback"  # Keras 3 asserts, Keras 2 chooses
        return {"right": "cudnn", "left": wrong, "empty": wrong}

    def by_variant(self, traced: Any, inputs: list[Any], call: Call) -> dict[str, Any]:
        """The routes of one call: one for each mask, or one."""
        if call.route == "raises" or not (call.masked or call.route == "runtime"):
            return {"any": call.route}
        place = self.order.get(id(call.layer))
        if not call.masked or place is None:
            return {"any": self.routed(traced, inputs, call, None, RIGHT)}
        return {name: self.routed(traced, inputs, call, place, choice) for choice, name in enumerate(VARIANTS)}

    def routed(self, traced: Any, inputs: list[Any], call: Call, place: Any, choice: int) -> str:
        """Run with one layer's mask chosen and all others right-padded; the route that the call took."""
        chosen = [choice if index == place else RIGHT for index in range(max(len(self.order), 1))]
        try:
            traced(tf.constant(chosen, tf.int32), inputs)
        except tf.errors.InvalidArgumentError as error:
            call.error = call.error or said(error)
            self.stopped.append(str(error))
            return "raises"
        route = call.route
        if route == "runtime":
            runtime = self.routes.get(id(call))  # none: Keras called the layer only to build a network of its own
            route = "uncalled" if runtime is None else "cudnn" if runtime == KERNEL else "fallback"
        return refused(call, route) if choice == EMPTY else route

    def in_eager(self, model: Any, training: bool) -> list[dict[str, Any]]:
        """Call the model eagerly, with every choice of mask if a mask arrives anywhere."""
        inputs = tf.nest.map_structure(ones, self.specs(model))
        entries: list[dict[str, Any]] = []
        for choice, name in enumerate(VARIANTS):
            self.choice = [choice] * len(self.order)
            self.watch.calls.clear()
            self.call(model, inputs, training)
            for number, call in enumerate(self.watch.calls):
                if choice == RIGHT:
                    entries.append(entry(call, {name if call.masked else "any": call.route}))
                elif call.masked:
                    entries[number]["routes"][name] = refused(call, call.route) if choice == EMPTY else call.route
                    entries[number]["error"] = entries[number]["error"] or call.error
            if not any(call.masked for call in self.watch.calls):
                break
        return entries

    def call(self, model: Any, inputs: Any, training: bool) -> None:
        """Call a model with its inputs, as functional models take them or as the script called it."""
        if getattr(model, "inputs", None):
            model(structured(model, inputs), **phase(model, training))
        else:
            args, kwargs = inputs
            model(*args, **dict(kwargs, **phase(model, training)))

    def specs(self, model: Any) -> Any:
        """The inputs' shapes and dtypes, open where the model leaves them open."""
        if getattr(model, "inputs", None):
            return [input_of(item) for item in model.inputs]
        args, kwargs = self.watch.fed_to(model)
        stateful = any(getattr(layer, "stateful", False) for layer, _ in self.watch.lines.values())
        return tf.nest.map_structure(lambda item: spec_of(item, stateful), (args, kwargs))


def remembering() -> Iterator[tuple[Any, str, Any]]:
    """Keras 3.0.0 compiles its kernels' callers; what was traced once would not be seen when it is called again."""
    for module in ("keras.src.backend", "keras.src.backend.tensorflow", "keras.src.backend.tensorflow.rnn"):
        owner = found(module)
        for name in ("lstm", "gru", "_cudnn_lstm", "_cudnn_gru"):
            if hasattr(getattr(owner, name, None), "python_function"):
                yield owner, name, afresh(getattr(owner, name))


def afresh(real: Any) -> Any:
    """The same compiled function, without a memory."""
    return lambda *args, **kwargs: tf.function(real.python_function, autograph=real._autograph)(*args, **kwargs)


def refused(call: Call, route: str) -> str:
    """The route with an empty row: Keras of TensorFlow 2.0-2.3 lets one through, and the kernel stops."""
    if route != "cudnn":
        return route
    call.error = call.error or REFUSED
    return "raises"


def spec_of(item: Any, fixed: bool) -> Any:
    """An input's shape and dtype; `fit` leaves the batch open."""
    tensor = tf.convert_to_tensor(item)
    shape = tuple(tensor.shape)
    return tf.TensorSpec(shape if fixed else (None, *shape[1:]), tensor.dtype)


def input_of(item: Any) -> Any:
    """A functional model's input as a spec; Keras 2 also knows ragged ones."""
    kind = getattr(item, "type_spec", None) or getattr(item, "_type_spec", None)
    return kind if isinstance(kind, tf.RaggedTensorSpec) else tf.TensorSpec(tuple(item.shape), item.dtype)


def ones(spec: Any) -> Any:
    """A tensor of a spec's shape and dtype."""
    if spec.dtype == tf.string:
        return tf.fill(known(tuple(spec.shape)), "a")
    if not isinstance(spec, tf.RaggedTensorSpec):
        return tf.ones(known(tuple(spec.shape)), spec.dtype)
    (rows, steps, *rest) = known(tuple(spec._shape))
    lengths = [steps - row % 2 for row in range(rows)]
    return tf.RaggedTensor.from_row_lengths(tf.ones([sum(lengths), *rest], spec._dtype), lengths)


def complain(real: Any, arguments: dict[str, Any]) -> None:
    """Let the real operation check its arguments, in a graph of its own; eagerly its words are another error."""
    stand_ins = {key: (value.dtype, value.shape) for key, value in arguments.items() if tf.is_tensor(value)}
    eagerly = tf.executing_eagerly()
    try:
        with tf.Graph().as_default():
            placed = {key: tf.compat.v1.placeholder(*stand_in) for key, stand_in in stand_ins.items()}
            real(**dict(arguments, **placed))
    except (TypeError, ValueError) as error:
        if eagerly:
            raise tf.errors.InvalidArgumentError(None, None, str(error)) from error
        raise


def zeros_of(sequence: Any, state: Any, count: int) -> tuple[Any, ...]:
    """What a cuDNN operation returns, in shape and dtype."""
    units = state.shape[-1]
    outputs = tf.zeros(tf.concat([tf.shape(sequence)[:2], [units]], 0), sequence.dtype)
    outputs.set_shape((*tuple(sequence.shape)[:2], units))
    rest = [tf.zeros([1], sequence.dtype)] * (count - 3)
    return (outputs, tf.zeros_like(state), tf.zeros_like(state), *tuple(rest))
