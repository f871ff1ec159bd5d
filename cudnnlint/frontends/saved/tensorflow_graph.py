"""The recurrent layers that a TensorFlow graph holds: which kernel or loop was baked in, and under which name.

Three signs, each a node whose name is the layer's scope and a last part:
`SCOPE/CudnnRNNV3` the cuDNN op; `SCOPE/PartitionedCall` of a function with `api_implements`, Keras 2's pair,
from which Grappler picks the cuDNN one on a GPU; `SCOPE/while` a loop, recurrent if its body multiplies
matrices. Reads node names, ops and function names; no weight, no constant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.formats.protobuf import Buffer, message_at, messages, text_at

# Field numbers of tensorflow/core/framework/{graph,function,node_def,attr_value}.proto.
GRAPH_NODE, GRAPH_LIBRARY, LIBRARY_FUNCTION = 1, 2, 1
FUNCTION_SIGNATURE, FUNCTION_NODE, FUNCTION_ATTR = 1, 3, 5
NODE_NAME, NODE_OP, NODE_ATTR = 1, 2, 5
ATTR_KEY, ATTR_VALUE = 1, 2
VALUE_BYTES, VALUE_FUNCTION, FUNCTION_NAME = 2, 10, 1

CALLS = ("PartitionedCall", "StatefulPartitionedCall")
LOOPS = ("While", "StatelessWhile")
#: CudnnRNN's rnn_mode; the attribute is left out where it is the default.
MODES = {"lstm": "LSTM", "gru": "GRU", "": "LSTM", "rnn_tanh": "SimpleRNN", "rnn_relu": "SimpleRNN"}


@dataclass(frozen=True)
class GraphNode:
    """One node: its name, op, the functions that its attributes name, and its string attributes."""

    name: str
    op: str
    functions: Mapping[str, str]
    strings: Mapping[str, str]


@dataclass
class GraphFunction:
    """One function of the library: its nodes, and what it says that it implements ("lstm_<uuid>")."""

    name: str
    implements: str
    body: Buffer
    cached: list[GraphNode] = field(default_factory=list)

    def nodes(self) -> list[GraphNode]:
        """Return the nodes, read when first asked for."""
        if not self.cached:
            self.cached = [_node(found) for found in messages(self.body, FUNCTION_NODE)]
        return self.cached


@dataclass(frozen=True)
class Baked:
    """One recurrent layer of a graph. `how` is "op", "pair" or "loop"; `masked` where a mask goes in."""

    scope: str
    class_name: str
    how: str
    masked: bool = False


def recurrent(graph: Buffer) -> list[Baked]:
    """Return every recurrent layer in a GraphDef, by scope, each once."""
    library = message_at(graph, GRAPH_LIBRARY)
    functions = {f.name: f for f in _functions(library)} if library is not None else {}
    gpu = {f.implements: f for f in functions.values() if f.implements and f.name.startswith("__inference_gpu")}
    found: dict[str, Baked] = {}
    for nodes in _layers_of_code(graph, functions):
        for node in nodes:
            baked = _bake(node, functions, gpu)
            if baked is not None and (baked.scope not in found or baked.how == "op"):
                found[baked.scope] = baked
    return list(found.values())


def _functions(library: Buffer) -> Iterator[GraphFunction]:
    for message in messages(library, LIBRARY_FUNCTION):
        attributes = dict(_attributes(message, FUNCTION_ATTR))
        value = attributes.get("api_implements")
        implements = text_at(value, VALUE_BYTES) if value is not None else ""
        yield GraphFunction(text_at(message, FUNCTION_SIGNATURE, FUNCTION_NAME), implements, message)


def _layers_of_code(graph: Buffer, functions: Mapping[str, GraphFunction]) -> Iterator[list[GraphNode]]:
    """Yield the graph's own nodes, and those of every function that its signatures call (no branch, no loop body)."""
    waiting = [[_node(found) for found in messages(graph, GRAPH_NODE)]]
    seen: set[str] = set()
    while waiting:
        nodes = waiting.pop(0)
        yield nodes
        for node in nodes:
            name = node.functions.get("f", "")
            if node.op in CALLS and name in functions and name not in seen and not functions[name].implements:
                seen.add(name)
                waiting.append(functions[name].nodes())


def _node(message: Buffer) -> GraphNode:
    names: dict[str, str] = {}
    strings: dict[str, str] = {}
    for key, value in _attributes(message, NODE_ATTR):
        inner = message_at(value, VALUE_FUNCTION)
        if inner is not None:
            names[key] = text_at(inner, FUNCTION_NAME)
        elif key == "rnn_mode":
            strings[key] = text_at(value, VALUE_BYTES)
    return GraphNode(text_at(message, NODE_NAME), text_at(message, NODE_OP), names, strings)


def _attributes(message: Buffer, number: int) -> Iterator[tuple[str, Buffer]]:
    for entry in messages(message, number):
        value = message_at(entry, ATTR_VALUE)
        if value is not None:
            yield text_at(entry, ATTR_KEY), value


def _bake(node: GraphNode, functions: Mapping[str, GraphFunction], gpu: Mapping[str, GraphFunction]) -> Baked | None:
    scope = node.name.rpartition("/")[0]
    if "gradients" in node.name or not scope:
        return None
    if node.op.startswith("CudnnRNN") and "Backprop" not in node.op:
        return Baked(scope, MODES.get(node.strings.get("rnn_mode", ""), "RNN"), "op")
    function = functions.get(node.functions.get("f", ""))
    if node.op in CALLS and function is not None and function.implements:
        return _pair(scope, function, gpu.get(function.implements))
    body = functions.get(node.functions.get("body", ""))
    if node.op in LOOPS and body is not None:
        class_name = _cell(body.nodes())
        return Baked(scope, class_name, "loop") if class_name else None
    return None


def _pair(scope: str, function: GraphFunction, kernel: GraphFunction | None) -> Baked:
    """Return Keras 2's pair of functions; with a mask the GPU one asks the data which way to go (a cond)."""
    class_name = "GRU" if function.implements.startswith("gru") else "LSTM"
    masked = kernel is not None and any("then_branch" in node.functions for node in kernel.nodes())
    return Baked(scope, class_name, "pair", masked)


def _cell(body: list[GraphNode]) -> str | None:
    """Return the layer's class by what one step computes; None for a loop that multiplies no matrices."""
    names = " ".join(node.name.lower() for node in body)
    ops = [node.op for node in body]
    if "Conv2D" in ops or "Conv3D" in ops:
        return "ConvLSTM2D"
    if "MatMul" not in ops:
        return None
    if "lstm" in names or ops.count("Sigmoid") >= 3:
        return "LSTM"
    return "GRU" if "gru" in names or ops.count("Sigmoid") == 2 else "SimpleRNN" if "simple_rnn" in names else "RNN"
