"""Keras 2 on TensorFlow, placed on a virtual GPU: which of Keras's two functions does Grappler choose?

Keras 2 traces its loop and registers its cuDNN version beside it; on a machine with a GPU, Grappler's implementation
selector puts one in the place of the other. It works on any machine, given a cluster that has a GPU, and a graph whose
nodes are placed on it (which is the placer's work). Nothing of Keras or TensorFlow is replaced.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from typing import Any

CPU, GPU = "/job:localhost/replica:0/task:0/device:CPU:0", "/job:localhost/replica:0/task:0/device:GPU:0"
OTHERS = (
    "remapping", "layout_optimizer", "constant_folding", "shape_optimization", "arithmetic_optimization",
    "dependency_optimization", "loop_optimization", "function_optimization", "debug_stripper",
)  # fmt: skip
KERNEL = "CudnnRNN"
CONDITIONS = ("If", "StatelessIf")


def side(child: str) -> Any:
    """Return the side, made of the child's own for TensorFlow. `child` is the name of the child's package."""
    signs = importlib.import_module(child + ".signs")
    tensorflow_side: Any = importlib.import_module(child + ".on_tensorflow").TensorFlowSide

    class GrapplerSide(tensorflow_side):  # type: ignore[misc]
        """Traces each step as `fit` does, and lets Grappler rewrite the graph; the graph is not run."""

        modes = ("graph",)

        def gpus(self) -> Any:
            return ["none: graphs rewritten by Grappler for a virtual GPU"]

        def executing(self, subject: Any, mode: str, training: bool) -> Any:
            step = self.step(subject, mode, training)

            def run(padding: str) -> Any:
                inputs, more = self.inputs(subject, padding)
                graph = rewritten(self.tf, step.get_concrete_function(inputs, more).graph)
                return signs.observed(reached(self.tf, graph, more.get("mask")))

            return run

        def seconds(self, subject: Any, repeats: int) -> Any:
            raise NotImplementedError("nothing is computed here")

    return GrapplerSide


def rewritten(tf: Any, graph: Any) -> Any:
    """Return a graph as Grappler makes it where every node is on a GPU."""
    optimizer = importlib.import_module("tensorflow.python.grappler.tf_optimizer")
    saver = importlib.import_module("tensorflow.python.training.saver")
    definition = graph.as_graph_def(add_shapes=True)
    for node in definition.node:
        node.device = GPU
    meta = saver.export_meta_graph(graph_def=definition, graph=graph)
    names = {output.op.name for output in tf.nest.flatten(graph.structured_outputs) if output is not None}
    meta.collection_def["train_op"].node_list.value.extend(sorted(names))
    config = tf.compat.v1.ConfigProto()
    rewrites = config.graph_options.rewrite_options
    for name in OTHERS:
        setattr(rewrites, name, rewrites.OFF)
    rewrites.implementation_selector = rewrites.ON
    rewrites.min_graph_nodes = -1
    return optimizer.OptimizeGraph(config, meta, cluster=cluster())


def cluster(kept: Any = {}) -> Any:  # noqa: B006  # TensorFlow has room for one at a time
    """Return a cluster of a CPU and a GPU, neither of which has to be there."""
    if not kept:
        properties = importlib.import_module("tensorflow.core.protobuf.device_properties_pb2")
        devices = []
        for kind, name in (("CPU", CPU), ("GPU", GPU)):
            device = properties.NamedDevice(name=name)
            device.properties.type = kind
            device.properties.num_cores, device.properties.frequency = 1, 1000
            device.properties.memory_size = 1 << 30
            devices.append(device)
        kept["only"] = importlib.import_module("tensorflow.python.grappler.cluster").Cluster(devices=devices)
    return kept["only"]


def reached(tf: Any, graph: Any, mask: Any) -> set[str]:
    """Return the names of the operations that a run of the graph reaches, in functions that it calls too."""
    functions = {function.signature.name: function for function in graph.library.function}
    found: set[str] = set()
    waiting: list[Iterable[Any]] = [graph.node]
    seen: set[str] = set()
    while waiting:
        for node in waiting.pop():
            found.add(node.op)
            for name in called(tf, node, functions, mask):
                if name in functions and name not in seen:
                    seen.add(name)
                    waiting.append(functions[name].node_def)
    return found


def called(tf: Any, node: Any, functions: Any, mask: Any) -> Iterator[str]:
    """Yield the functions that a node calls; of a choice between the kernel and the loop, the one that is taken."""
    named = {key: value.func.name for key, value in node.attr.items() if value.HasField("func")}
    if node.op in CONDITIONS and mask is not None:
        branches = [named["then_branch"], named["else_branch"]]
        kernel = [any(KERNEL in inner.op for inner in functions[branch].node_def) for branch in branches]
        if any(kernel):
            if computed(node, functions):
                yield branches[0 if taken(tf, node, functions, mask) else 1]
            return
    yield from named.values()


def owner_of(node: Any, functions: Any) -> Any:
    """Return the function that a node stands in."""
    return next(one for one in functions.values() if any(inner is node for inner in one.node_def))


def computed(node: Any, functions: Any) -> bool:
    """Return whether a choice's condition is computed beside it; a gradient goes the way that the step went."""
    return node.input[0] not in {argument.name for argument in owner_of(node, functions).signature.input_arg}


def taken(tf: Any, node: Any, functions: Any, mask: Any) -> bool:
    """Return the value of a choice's condition, computed on the CPU for this mask."""
    convert = importlib.import_module("tensorflow.python.framework.function_def_to_graph").function_def_to_graph_def
    owner = owner_of(node, functions)
    condition, part = node.input[0].split(":")[0], type(owner)()
    part.CopyFrom(owner)
    part.ClearField("ret")
    part.signature.ClearField("output_arg")
    part.ClearField("node_def")
    part.node_def.extend(needed(owner, condition))
    definition, _ = convert(part)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
        masks = [argument.name for argument in owner.signature.input_arg if argument.type == tf.bool.as_datatype_enum]
        with tf.compat.v1.Session(graph=graph) as session:
            return bool(session.run(condition + ":0", {name + ":0": mask.numpy() for name in masks}))


def needed(function: Any, name: str) -> list[Any]:
    """Return the nodes of a function that one of them is computed from, itself included, on the CPU."""
    nodes = {node.name: node for node in function.node_def}
    found: dict[str, Any] = {}
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current in nodes and current not in found:
            node = type(nodes[current])()
            node.CopyFrom(nodes[current])
            node.ClearField("device")
            found[current] = node
            waiting += [item.lstrip("^").split(":")[0] for item in node.input]
    return list(found.values())
