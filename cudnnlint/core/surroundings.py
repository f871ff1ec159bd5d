"""What can surround a call of a layer, or the whole model: what a fact may hold, and what it is if nothing is seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: What can surround a call of a layer, or the whole model, and the values that each fact may hold.
#: Absent always means "nothing was seen", which settles to the value named first.
SURROUNDINGS: Mapping[str, str] = {
    "mask": '"none", or how the mask that arrives is padded: "right" (shown to be right-padded with no '
    'empty row), "left" (shown to be left-padded, or with holes), "data" (decided by run-time data)',
    "mask_with_empty_row": "False; True where a row of the mask is shown to be empty",
    "initial_state": "False; True where an initial state is passed",
    "state_dtype": 'None; the dtypes of the initial state where they are shown ("float32", "float16, float32"), '
    '"policy" for a state that comes from a layer which computes in the dtype of the global policy',
    "ragged": "False; True where a RaggedTensor arrives",
    "input_rank": "None; the number of dimensions of the tensor that arrives, batch included, where shown",
    "features": 'None; "open" where the Input in front of the layer has no number of features',
    "states": "None; how many tensors the initial state has, where shown",
    "call_keywords": "None; the names by which the call passes arguments, where shown and other than mask and training",
    "direct_call_keywords": "None; the names by which code passes arguments to the method `call` of Keras's own class",
    "names_beside": "None; names of its models and of other layers in them that some release refuses, each on a "
    "line, with the wrapper around it where one is (core/fault_lines.py)",
    "outermost_name": "None; the name of the model that fit() and predict() call, where some release refuses it",
    "input_arguments": "None; the arguments of the Input that leads to the layer, those that some release refuses",
    "listed": 'None; "list", "tuple" or "dict" where the call gets its input in one, alone or with the states',
    "refused_beside": "None; what leads to the layer, or is in its models, and Keras 3 may not make, each on a line",
    "packages_met": "None; where something of one package of Keras is given to another, each on a line",
    "stops_before": "None; what leads to the layer and stops some release, each on a line (tables/defaults.toml)",
    "run_stops": "None; how the model is run, where some release stops there (tables/defaults.toml)",
    "input_dtype": 'None; the dtype of the tensor that arrives ("int32", "float32", ...) where shown',
    "batch": 'None; "open" where the Input that leads to the layer has no batch size',
    "dtype": 'None; the compute dtype of the layer ("float32", "bfloat16", ...): its own, else that of the policy',
    "floatx": "None; the dtype that set_floatx() was given before the layer was made",
    "imports": "None; classes that were imported or inherited from before and some release lacks, each on a line",
    "taken": "None; which exceptions the program takes where the layer is made, of those that its constructor raises",
    "named_tanh": "None; the function registered as tanh where the layer is made", "named_sigmoid": "the same",
    "eager": "False; True where the file shows eager calls only (run_eagerly=True and the like)",
    "eager_disabled": "False; True where TF 1 graph mode was on when the layer was made",
    "jit_compile": "None; what compile(jit_compile=...) was given",
    "xla": "False; True inside the user's own tf.function(jit_compile=True) or jax.jit around the call",
    "torch_compiled": "False; True where torch.compile or compile(jit_compile=True) on torch holds",
    "device": 'None; "cpu" or "gpu" where a device scope fixes it, "hidden" where the file hides every GPU, '
    '"absent" on the way that the program takes where it finds none, '
    '"hidden_from_tensorflow" or "hidden_from_jax" where from one framework, "metal" or "directml" for a GPU that is '
    "not NVIDIA's",
    "cudnn_off": "False; True where the program switches cuDNN off in torch",
    "second_order": "False; True where second-order gradients are taken through the layer",
    "distributed": "False; True where the weights are made in the scope of a strategy for several devices",
    "late_weights": "False; True where the weights are first made inside fit() or another traced function",
    "cell_replaced": "False; True where layer.cell is set to another cell, or the class of one of Keras's other cells",
    "saved": "None; the call that saves the configuration of a model holding the layer, as text",
    "exported_by": "None; the call that exports the graph of a model holding the layer, as text",
    "graph_reader": 'None; what reads that graph: "graph" (any TensorFlow), "tflite", "onnx" or "shap"',
    "steps": "None; how many time steps the sequence has, where that is shown",
    "exported": 'None; for a layer in a SavedModel: "op" (cuDNN baked in), "loop", or "pair" (of functions, Keras 2)',
}

#: What a surrounding is where nothing was seen (SURROUNDINGS names it first).
QUIET: Mapping[str, Any] = {
    "mask": "none", "mask_with_empty_row": False, "initial_state": False, "state_dtype": None, "states": None,
    "ragged": False, "input_rank": None, "features": None, "call_keywords": None, "listed": None, "stops_before": None,
    "run_stops": None,
    "direct_call_keywords": None,
    "input_arguments": None, "input_dtype": None, "batch": None, "dtype": None, "eager": False,
    "eager_disabled": False, "jit_compile": None, "names_beside": None, "outermost_name": None,
    "xla": False, "torch_compiled": False, "device": None, "second_order": False, "cudnn_off": False,
    "distributed": False, "late_weights": False, "cell_replaced": False, "saved": None, "exported_by": None,
    "graph_reader": None, "exported": None, "steps": None,
    "packages_met": None, "refused_beside": None, "imports": None, "floatx": None, "taken": None, "named_tanh": None,
    "named_sigmoid": None,
}  # fmt: skip
