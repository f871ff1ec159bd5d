"""One message, several causes: the lines around it, the rest of the log and the sources decide which one is told."""

import io
import json

import pytest
from packaging.version import Version

from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import FileReport, LayerReport, Report
from cudnnlint.core.target import Release, Target
from cudnnlint.core.verdict import Judgement, Verdict
from cudnnlint.trainlog import run
from cudnnlint.trainlog.gather import MOST_KINDS, SHORT

WARNING = (
    "WARNING:tensorflow:Layer {} will not use cuDNN kernels since it doesn't meet the criteria. "
    "It will use a generic GPU kernel as fallback when running on GPU.\n"
)
NO_KERNEL = (
    "InvalidArgumentError: No OpKernel was registered to support Op 'CudnnRNN' used by {{{{node {node}}}}} with these "
    'attrs: [seed={seed}, dropout=0, T=DT_{dtype}, input_mode="linear_input"]\n'
    "Registered devices: [{devices}]\nRegistered kernels:\n{kernels}\n\n\t [[{node}]]\n"
)
NONE, CUDA = "  <no registered kernels>", "  device='GPU'; T in [DT_FLOAT]\n  device='GPU'; T in [DT_HALF]"
TARGET = Target("tf_keras", Release(Version("2.21.0")))


def explained(text, report=None):
    told, status = run(io.BytesIO(text.encode()), report, "json")
    return json.loads(told)["entries"], status


def prose(text, report=None):
    return " ".join(run(io.BytesIO(text.encode()), report)[0].split())


def no_kernel(devices="CPU", kernels=NONE, node="model/lstm/CudnnRNN", seed=0, dtype="FLOAT"):
    return NO_KERNEL.format(devices=devices, kernels=kernels, node=node, seed=seed, dtype=dtype)


def report(*verdicts, class_name="LSTM", name=None):
    layers = tuple(
        LayerReport(row, name, class_name, SourcePlace("model.py", row, 1, row, 20), None, (), (judged(verdict),))
        for row, verdict in enumerate(verdicts, 1)
    )
    return Report((FileReport("model.py", "python", (TARGET,), layers),), (), 1, "0")


def judged(verdict):
    return Judgement(TARGET, verdict, (verdict,))


@pytest.mark.parametrize(
    ("text", "case"),
    [
        (no_kernel("CPU, GPU"), "other-gpu"),
        (no_kernel("CPU, XLA_CPU, GPU, XLA_GPU"), "other-gpu"),
        (no_kernel("CPU"), "cpu-build"),
        (no_kernel("CPU", CUDA), "no-gpu"),
        (no_kernel("CPU, XLA_CPU, XLA_GPU", CUDA), "library-not-loaded"),
        (no_kernel("CPU, XLA_CPU, XLA_GPU", CUDA, node="cu_dnnlstm_1/CudnnRNN"), "library-not-loaded"),
        (no_kernel("CPU", CUDA, node="cu_dnnlstm_1/CudnnRNN"), "cudnn-layer"),
        (no_kernel("CPU", node="bidirectional_1/CudnnRNN", seed=87654321), "cudnn-layer"),
        (no_kernel("CPU", node="StatefulPartitionedCall/lstm_1/CudnnRNN"), "exported"),
        ("I tensorflow_serving/model_servers/server_core.cc:465] Adding models.\n" + no_kernel("CPU"), "exported"),
        (no_kernel("CPU, GPU", CUDA, dtype="BFLOAT16"), "dtype"),
        (no_kernel("CPU, GPU", CUDA), "on-the-cpu"),
        ("load_model('saved_models/lstm.h5')\n" + no_kernel("CPU"), "cpu-build"),
        ("Metal device set to: Apple M1\n" + "epoch\n" * 99 + "Could not find device for node: {{node CudnnRNN}}\n",
         "other-gpu"),
        ("Could not find device for node: {{node CudnnRNN}} = CudnnRNN[T=DT_FLOAT]\n", None),
    ],
)  # fmt: skip
def test_a_missing_kernel_is_told_by_devices_kernels_and_node(text, case):
    entries, status = explained(text)
    assert [entry["case"] for entry in entries if entry["key"] == "no-kernel"] == [case]
    assert status == 1


def test_another_gpu_is_told_what_works_there():
    told = prose(no_kernel("CPU, GPU"))
    assert "RNN(tf.keras.layers.LSTMCell(n))" in told
    assert "cudnnlint convert" not in told


def test_the_devices_of_an_earlier_traceback_do_not_count():
    again = "Traceback (most recent call last):\n"
    entries, _ = explained(again + no_kernel("CPU, GPU") + again + no_kernel("CPU", node="model/gru/CudnnRNN"))
    assert [(entry["layer"], entry["case"]) for entry in entries] == [("lstm", "other-gpu"), ("gru", "cpu-build")]


def test_the_layer_of_a_right_report_is_told_to_have_run_without_eager_execution():
    entries, _ = explained(WARNING.format("lstm"), report(Verdict.CUDNN))
    assert entries[0]["case"] == "arguments-right"
    told = prose(WARNING.format("lstm"), report(Verdict.CUDNN))
    assert "eager execution was off" in told
    assert "tf.Graph().as_default()" in told
    assert "no layer in the given files" not in told
    assert "judged model.py:1:1 LSTM, cudnn" in told


@pytest.mark.parametrize(
    ("verdicts", "case"),
    [((Verdict.FALLBACK, Verdict.CUDNN), "argument-found"), ((Verdict.UNKNOWN,), None), ((), None)],
)
def test_eager_execution_is_not_blamed_where_an_argument_may_be_it(verdicts, case):
    entries, _ = explained(WARNING.format("lstm"), report(*verdicts))
    assert entries[0]["case"] == case


def test_a_named_layer_that_is_right_is_told_so():
    entries, _ = explained(WARNING.format("encoder"), report(Verdict.CUDNN, name="encoder"))
    assert entries[0]["case"] == "arguments-right"
    assert [(match["sure"], match["fits"]) for match in entries[0]["matches"]] == [(True, False)]


@pytest.mark.parametrize(
    ("around", "case"),
    [
        ("(RolloutWorker pid=4711) ", "rllib"),
        ("v2_compat.py:107: disable_resource_variables (from tensorflow.python.ops.variable_scope) is deprecated\n",
         "eager-off"),
        ("", None),
    ],
)  # fmt: skip
def test_a_log_that_shows_why_eager_execution_is_off_is_believed(around, case):
    entries, _ = explained(around + WARNING.format("lstm"))
    assert [entry["case"] for entry in entries if entry["key"] == "criteria-not-met"] == [case]


def test_many_layers_are_told_once_with_their_names():
    told = prose("".join(WARNING.format(f"lstm_{number}") * 2 for number in range(20)))
    assert "line 1 (40 times), 20 layers: in a loop, without cuDNN" in told
    assert "layers lstm_0, lstm_1, lstm_2" in told
    assert "and 8 more" in told
    assert told.count("what to do") == 1


def test_a_question_leads_to_a_page_where_no_message_says_more():
    question = "my LSTM results differ between runs on GPU\n"
    assert "cudnnlint explain determinism" in prose(question)
    assert explained(question)[1] == 0
    told, _ = explained(question + "ValueError: Masking is not supported for CuDNN RNNs.")
    assert [entry["key"] for entry in told] == ["mask-cudnn-layer"]
    assert explained(question + "epoch\n" * SHORT)[0] == []


@pytest.mark.parametrize(
    ("message", "case"),
    [
        ("RuntimeError: cudnnGetFoo answered strangely", "speaks-of-cudnn"),
        ("RuntimeError: something else answered strangely", "alone"),
    ],
)
def test_an_unknown_error_is_not_said_to_be_silent_about_cudnn_where_it_speaks_of_it(message, case):
    entries, _ = explained(message + "\n")
    assert [(entry["key"], entry["case"]) for entry in entries] == [("stopped-somewhere", case)]
    assert ("neither of cuDNN" in prose(message)) == (case == "alone")


def test_the_parts_of_a_switch_are_no_layers():
    line = "Invalid input_h shape: [1,33,16] [1,32,16]\n\t [[{{node cond/switch_t/lstm_3/cond/switch_t/CudnnRNNV3}}]]\n"
    assert explained(line)[0][0]["layer"] == "lstm_3"
    assert explained(line.replace("lstm_3/cond/", ""))[0][0]["layer"] is None


def test_scopes_of_control_flow_are_no_layers():
    line = "Fail to find the dnn implementation.\n\t [[{{node cond_64/then/_0/cond/CudnnRNNV3}}]]\n"
    text = line.replace("Fail to find the dnn implementation", "Invalid input_h shape: [1,33,16] [1,32,16]")
    assert explained(text)[0][0]["layer"] is None
    assert explained(text + "\t [[sequential_6/lstm_3/PartitionedCall]]\n")[0][0]["layer"] == "lstm_3"


@pytest.mark.parametrize(
    "before", ["Node: 'model/lstm_1/PartitionedCall'\n", "Detected at node functional_1/lstm_1/CudnnRNNV3 defined at\n"]
)
def test_a_layer_that_is_named_before_the_message_is_found(before):
    entries, _ = explained(f"Graph execution error:\n{before}Invalid input_h shape: [1,33,16] [1,32,16]\n")
    assert [entry["layer"] for entry in entries] == ["lstm_1"]


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("E external/xla/xla/stream_executor/cuda/cuda_dnn.cc:439] Could not create cudnn handle: "
         "CUDNN_STATUS_INTERNAL_ERROR\n", "jax"),
        ("E external/local_xla/xla/stream_executor/cuda/cuda_dnn.cc:439] Could not create cudnn handle: "
         "CUDNN_STATUS_INTERNAL_ERROR\n", None),
        ("CUDNN_STATUS_EXECUTION_FAILED; current profiling annotation: XlaModule:#hlo_module=jit_fwd,program_id=1#.\n",
         "jax"),
        ("E tensorflow/stream_executor/dnn.cc:616] CUDNN_STATUS_EXECUTION_FAILED\n", None),
        ("jaxlib.xla_extension.XlaRuntimeError: FAILED_PRECONDITION: DNN library initialization failed.\n", "jax"),
        ("UnknownError: DNN library initialization failed. Look at the errors above for more details.\n", None),
    ],
)  # fmt: skip
def test_jax_is_not_told_what_tensorflow_needs(text, case):
    entries, _ = explained(text)
    assert [entry["case"] for entry in entries] == [case]
    assert ("XLA_PYTHON_CLIENT_PREALLOCATE" in entries[0]["do"]) == (case == "jax")
    assert ("TF_FORCE_GPU_ALLOW_GROWTH" in entries[0]["do"]) == (case is None)


def test_torch_is_not_told_what_tensorflow_needs():
    for line in ("cuDNN error: CUDNN_STATUS_INTERNAL_ERROR", "cudnn RNN backward can only be called in training mode"):
        entries, _ = explained(f"RuntimeError: {line}\n")
        assert len(entries) == 1
        assert "TensorFlow" not in entries[0]["said_by"]
        assert "torch" in entries[0]["do"]
        assert "TF_FORCE" not in entries[0]["do"]


def test_a_symbolic_tensor_is_laid_on_the_mask_only_where_the_traceback_goes_through_the_layer():
    line = "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: AutoGraph is disabled in this function.\n"
    assert explained('  File "/home/me/train.py", line 3, in call\n' + line)[0][0]["case"] is None
    assert explained(line + "\nArguments received by LSTM.call():\n  mask=tf.Tensor(shape=(None, 30))\n")[0][0][
        "case"
    ] == ("keras-mask")


def test_loaded_is_not_taken_for_a_layer_in_cudnn():
    told = prose("I external/local_xla/xla/stream_executor/cuda/cuda_dnn.cc:465] Loaded cuDNN version 8907\n")
    assert "the layer runs in cuDNN" not in told
    assert "says nothing about a layer yet" in told


@pytest.mark.parametrize("width", [40, 72, 80, 120])
@pytest.mark.parametrize("glue", [" \n", "\n"])
def test_a_line_that_a_screen_broke_is_recognised(width, glue):
    text = WARNING.format("lstm_2").strip()
    if glue == "\n":  # in the middle of a word
        broken = "\n".join(text[at : at + width] for at in range(0, len(text), width))
    else:
        rows, row = [], ""
        for word in text.split():
            if len(row) + len(word) >= width:
                rows.append(row)
                row = ""
            row += word + " "
        broken = "\n".join([*rows, row])
    entries, _ = explained("Epoch 1/3\n" + broken + "\nEpoch 2/3\n")
    assert [(entry["key"], entry["layer"], entry["count"]) for entry in entries] == [("criteria-not-met", "lstm_2", 1)]


def test_the_output_of_a_notebook_file_is_read_with_its_escapes():
    line = (
        ' "\\u001b[0;31mValueError\\u001b[0m Layer #0 (named \\"lstm_1\\"), weight <tf.Variable \'lstm_1/bias:0\'> has '
        'shape (400,), but the saved weight has shape (800,).\\n",\n'
    )
    assert [(entry["key"], entry["layer"]) for entry in explained(line)[0]] == [("bias-doubled", "lstm_1")]
    quoted = no_kernel("CPU, GPU").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    assert [entry["case"] for entry in explained(f'  "text": "{quoted}"\n')[0]] == ["other-gpu"]


def test_messages_of_one_cause_are_told_once():
    told = prose(
        "E cuda_dnn.cc:329] Could not create cudnn handle: CUDNN_STATUS_INTERNAL_ERROR\n"
        "UnknownError: Fail to find the dnn implementation. [Op:CudnnRNN]\n"
    )
    assert "1 message in 2 log lines" in told
    assert told.index("Could not create cudnn handle") < told.index("Fail to find the dnn implementation")
    alone = prose("Could not create cudnn handle: CUDNN_STATUS_INTERNAL_ERROR\n")
    assert "INTERNAL_ERROR" in alone.split("meaning")[1]


GPU = "Found device 0 with properties: name: {} computeCapability: {}\n"
OPENED = "dso_loader.cc:48] Successfully opened dynamic library {}\n"


@pytest.mark.parametrize(
    ("capability", "library", "told"),
    [
        ("8.6", "cudart64_101.dll", True),
        ("7.5", "libcudart.so.9.0", True),
        ("9.0", "libcudart.so.11.0", True),
        ("7.5", "libcudart.so.10.1", False),
        ("8.6", "libcudart.so.11.0", False),
        ("6.1", "cudart64_101.dll", False),
    ],
)
def test_a_gpu_newer_than_its_cuda_is_told_and_any_other_is_not_mentioned(capability, library, told):
    device, opened = GPU.format("a GPU", capability), OPENED.format(library)
    for text in (device + opened, opened + device):
        entries, status = explained(text)
        assert [entry["case"] for entry in entries] == ["newer-gpu"] * told
        assert status == int(told)


@pytest.mark.parametrize(
    ("text", "key", "case"),
    [
        ("    self._cell.flatten_parameters()\n  File 'rnn.py', line 149, in flatten_parameters\n"
         "RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED\n", "torch-cudnn", "at-start"),
        ("    loss.backward()\nRuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED\n", "torch-cudnn", None),
        ("Could not load dynamic library 'cudnn64_8.dll'; dlerror: cudnn64_8.dll not found\n",
         "library-missing", "windows"),
        ("Could not load dynamic library 'libcudnn.so.8'; dlerror: libcudnn.so.8: cannot open\n",
         "library-missing", None),
        ("Could not load library cudnn_cnn_infer64_8.dll. Error code 126\n", "cudnn-part-missing", "windows"),
        ("CUDA out of memory. Tried to allocate 2.00 GiB\n", "out-of-memory", "torch"),
        ("py_call_impl(callable, dots$args, dots$keywords): " + no_kernel("CPU", CUDA), "no-kernel", "hidden-in-r"),
        ("No OpKernel was registered to support Op 'CudnnRNNParamsToCanonical' with these attrs. Registered devices: "
         "[CPU], Registered kernels:\n", "no-kernel", "contrib"),
        ("CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure\nF gpu_event_mgr.cc] Unexpected Event status: 1\n"
         "E dnn.cc:616] CUDNN_STATUS_EXECUTION_FAILED\n", "execution-failed", "launch-failed"),
        ("Metal device set to: Apple M1\nError: command buffer exited with error status.\n", "metal", "metal-failed"),
    ],
)  # fmt: skip
def test_the_lines_around_choose_the_reading(text, key, case):
    entries, _ = explained(text)
    assert [entry["case"] for entry in entries if entry["key"] == key] == [case]


SHAPE = "ValueError: Input 0 of layer sequential is incompatible with the layer: expected shape={}, found shape={}\n"
OLD_SHAPE = "ValueError: Error when checking : expected {} to have shape {} but got array with shape {}\n"
ARGUMENT = "TypeError: ('Keyword argument not understood:', '{}')\n"
CARDINALITY = "ValueError: Data cardinality is ambiguous:\n  x sizes: {}\n  y sizes: 100\n"


@pytest.mark.parametrize(
    ("text", "key", "case"),
    [
        (SHAPE.format("(64, None, 4)", "[32, 100, 4]"), "input-shape", "batch"),
        (SHAPE.format("(64, None, 4)", "(64, 100, 5)"), "input-shape", "features"),
        (SHAPE.format("(None, 219566, 6)", "(None, 6)"), "input-shape", "no-windows"),
        (SHAPE.format("(None, 60, 4)", "(32, 30, 4)"), "input-shape", "steps"),
        (SHAPE.format("(None, 60, 4)", "(32, 4, 60)"), "input-shape", "swapped"),
        (SHAPE.format("(None, 1, 4)", "(None, 1, 34)"), "input-shape", "features"),
        (SHAPE.format("(None, 60, 4)", "(None, 30, 5)"), "input-shape", "features"),
        (SHAPE.format("(None, 8, 8, 4)", "(None, 9, 8, 4)"), "input-shape", None),
        (OLD_SHAPE.format("lstm_input_1", "(128, 23, 9)", "(1, 23, 9)"), "input-shape", "batch"),
        (OLD_SHAPE.format("conv_input_1", "(28, 28, 1)", "(32, 28, 1)"), "input-shape", None),
        (OLD_SHAPE.format("lstm_1_input", "(100, 26)", "(30, 26)"), "input-shape", "steps"),
        (OLD_SHAPE.format("gru_4_input", "(None, None, 10)", "(1, 4, 1)"), "input-shape", "features"),
        ("Incompatible shapes: [32] vs. [24]\n\t [[node gradients/loss/dense_loss/mean_squared_error/mul]]\n",
         "sizes-meet", "rows"),
        ("RuntimeError: cuda runtime error (59) : device-side assert triggered at x.cu:61\n",
         "index-out-of-range", "torch"),
        ("TypeError: `output_signature` must contain objects that are subclass of `tf.TypeSpec` but found "
         "<class 'list'> which is not.\n", "data-argument", "generator-lists"),
        ("ValueError: Must pass 2-d input. shape=(37793, 93, 1)\n", "data-kind", "table-of-three"),
        ("ImportError: No module named models.rnn\n", "name-unknown", "tensorflow-models"),
        ("TypeError: __init__() got an unexpected keyword argument 'input_size'\n", "arguments-unfit", "input-size"),
        ("  File '/torch/nn/modules/rnn.py', line 111, in flatten_parameters\nAssertionError\n",
         "stopped-somewhere", "weights-torch"),
        (ARGUMENT.format("returns_sequnces"), "argument-of-other-release", "misspelt"),
        (ARGUMENT.format("recurrent_dropouts"), "argument-of-other-release", "misspelt"),
        (ARGUMENT.format("return_sequences"), "argument-of-other-release", None),
        ("ValueError: Unrecognized keyword arguments passed to LSTM: {'return_sequence': True}\n",
         "rejected-argument", "misspelt"),
        (CARDINALITY.format("0"), "targets", "nothing-there"),
        (CARDINALITY.format(", ".join(["7"] * 8)), "targets", "list-of-rows"),
        (CARDINALITY.format("90, 90"), "targets", None),
        ("AttributeError: 'module' object has no attribute 'rnn_cell'\n", "tensorflow-1-code", "moved-in-1-0"),
        ("AttributeError: module 'tensorflow._api.v2.nn' has no attribute 'rnn_cell'\n", "tensorflow-1-code", None),
        ("AttributeError: 'OwnCell' object has no attribute 'kernel_z'\n", "recurrent-of-old-keras", "gates"),
        ("AttributeError: 'OwnLSTM' object has no attribute 'get_constants'\n", "recurrent-of-old-keras", None),
        ("ValueError: Unknown layer: SeqSelfAttention\n", "unknown-class", "attention-package"),
        ("ValueError: Unrecognized data type: x=['To be'] (of type <class 'list'>)\n", "data-argument", "list"),
        ("  File 'seed_generator.py', in draw_seed\njax.errors.UnexpectedTracerError: a side effect\n",
         "jax-traced", "random"),
        ("jax.errors.UnexpectedTracerError: a side effect\n", "jax-traced", None),
        ("AttributeError: 'CudnnGRUSaveable' object has no attribute '_To'\n", "name-unknown", "contrib-cudnn"),
        ("TypeError: __init__() got an unexpected keyword argument 'state_is_tuple'\n",
         "arguments-unfit", "lstm-alone"),
    ],
)  # fmt: skip
def test_sizes_and_names_in_the_message_choose_the_reading(text, key, case):
    entries, _ = explained(text)
    assert [(entry["key"], entry["case"]) for entry in entries] == [(key, case)]


def test_a_state_of_another_layout_is_not_taken_for_another_batch_size():
    ragged, _ = explained("Invalid input_h shape: [1,32,30] [19,32,30]\n")
    batch, _ = explained("Invalid input_h shape: [1,33,16] [1,32,16]\n")
    assert [entry["key"] for entry in (*ragged, *batch)] == ["state-layout", "state-shape"]


def test_files_that_no_message_leads_to_say_what_they_say_themselves():
    told = prose("ValueError: Cannot index into an inner ragged dimension.\n", report(Verdict.RAISES, Verdict.CUDNN))
    assert "given files: 2 recurrent layers: 1 runs in cuDNN, 1 raises an error model.py:1:1 LSTM, raises" in told
    assert "model.py:2:1" not in told
    assert "given files: 1 recurrent layer: 1 runs in cuDNN" in prose("nothing of note\n", report(Verdict.CUDNN))
    assert "given files" not in prose(WARNING.format("lstm"), report(Verdict.FALLBACK))


UNEXPECTED = "TypeError: jit() got an unexpected keyword argument 'donate_argnames'\n"
KNOWN = "ValueError: Input 0 of layer lstm is incompatible with the layer: expected ndim=3, found ndim=2\n"


OWN = 'Traceback (most recent call last):\n  File "/home/u/train.py", line 7, in run\n    {}\n'


def frame(path):
    return f'Traceback (most recent call last):\n  File "/opt/site-packages/{path}", line 7, in f\n    g(x)\n'


@pytest.mark.parametrize(
    ("text", "key", "case"),
    [
        (frame("own/code.py") + UNEXPECTED.replace("jit", "g"), "arguments-unfit", None),
        (frame("keras/src/backend/jax/trainer.py") + UNEXPECTED, "arguments-unfit", "jax"),
        (frame("shap/deep_tf.py") + UNEXPECTED.replace("jit", "g"), "arguments-unfit", "in-shap"),
        (frame("coremltools/x.py") + "KeyError: u'dense_1'\n", "stopped-somewhere", "in-coreml"),
        (frame("keras/src/layers/rnn/gru.py") + "KeyError: 'b'\n", "stopped-somewhere", "recurrent"),
        (frame("torch/nn/modules/rnn.py") + "ZeroDivisionError: division by zero\n",
         "stopped-somewhere", "recurrent-torch"),
        (frame("own/code.py") + "KeyError: 'b'\n", "stopped-somewhere", "package"),
        (frame("tensorflow/python/ops/x.py") + "KeyError: 'b'\n", "stopped-somewhere", "tensorflow"),
        (frame("keras/src/ops/numpy.py") + "KeyError: 'b'\n", "stopped-somewhere", "keras"),
        (OWN.format("raise ValueError('No data')") + "ValueError: No data\n", "stopped-somewhere", "raised"),
        (OWN.format("x / 0") + "ZeroDivisionError: division by zero\n", "stopped-somewhere", "own"),
        ("ZeroDivisionError: division by zero\n", "stopped-somewhere", "alone"),
        (frame("keras/src/saving/x.py") + "KeyError: 'b'\n", "stopped-somewhere", "loading"),
        ("AttributeError: 'LSTMModel' object has no attribute 'hidden'\n", "name-unknown", None),
        ("Incompatible shapes: [558] vs. [557] [Op:Sub]\n", "shapes-unfit", "rows"),
        ("model.add(LSTM(8),input_shape=(3, 1))\nTypeError: add() got an unexpected keyword argument 'input_shape'\n",
         "arguments-unfit", "bracket"),
    ],
)  # fmt: skip
def test_an_unknown_wording_is_told_by_its_kind_and_whose_code_it_was(text, key, case):
    (entry,), status = explained(text)
    assert (entry["key"], entry["case"], status) == (key, case, 1)


def test_a_kind_of_message_gives_way_to_what_says_why_it_stopped_wherever_that_stands():
    for text in (UNEXPECTED + KNOWN, KNOWN + UNEXPECTED):
        assert [entry["key"] for entry in explained(text)[0]] == ["input-rank"]


def test_a_kind_of_message_is_told_beside_lines_about_the_machine():
    text = "Could not load dynamic library 'libcudart.so.11.0'; dlerror: not found\n" + UNEXPECTED
    assert [entry["key"] for entry in explained(text)[0]] == ["library-missing", "arguments-unfit"]


def test_an_error_of_other_code_is_said_to_be_no_matter_of_recurrent_layers():
    for text in (frame("own/code.py") + "KeyError: 'b'\n", OWN.format("x[3]") + "IndexError: too far\n"):
        ((entry,), _) = explained(text)
        assert "recurrent layer" in entry["means"]
        assert entry["codes"] == []


def test_in_a_long_log_an_error_without_a_traceback_is_left_alone():
    assert explained("ZeroDivisionError: division by zero\n" + "step\n" * SHORT) == ([], 0)


def test_of_an_applications_many_errors_the_first_are_looked_at_and_a_known_message_behind_them_is_found():
    many = "".join(f"app ERROR KeyError: {number} [[node model/lstm/x]]\n" for number in range(1_000))
    (entry,), _ = explained(many)
    assert (entry["key"], entry["line"], entry["count"]) == ("stopped-somewhere", 1, MOST_KINDS)
    assert [entry["key"] for entry in explained(many + KNOWN)[0]] == ["input-rank"]


IN_TORCH = '  File "/x/site-packages/torch/nn/modules/rnn.py", line 580, in forward\n'


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("E stream_executor/dnn.cc:616] CUDNN_STATUS_BAD_PARAM\n", None),
        ("mxnet: cuDNN: CUDNN_STATUS_BAD_PARAM\n", "in-mxnet"),
        ("cupy.cuda.cudnn.CuDNNError: cuDNN Error: CUDNN_STATUS_BAD_PARAM\n", "in-chainer"),
        ("paddle.fluid.core.EnforceNotMet: CUDNN_STATUS_BAD_PARAM at [cudnn_lstm_op.cu.cc:191]\n", "in-paddle"),
        ("onnxruntime: CUDNN_STATUS_BAD_PARAM ; expr=cudnnSetRNNDataDescriptor(t)\n", "in-onnxruntime"),
        ("CUDNN_STATUS_BAD_PARAM\nin cuda_dnn.cc(1521): 'cudnnSetRNNDataDescriptor('\n", "empty-row"),
        ("CUDNN_STATUS_BAD_PARAM\nin cuda_dnn.cc(1459): 'cudnnSetTensorNdDescriptor('\n", "empty-batch"),
        ("OP_REQUIRES failed at cudnn_rnn_ops.cc:1517 : Unknown: CUDNN_STATUS_BAD_PARAM\n", "empty-row"),
        (IN_TORCH + "status: CUDNN_STATUS_BAD_PARAM\n", "torch-bad-param"),
    ],
)
def test_a_row_without_any_step_is_named_where_the_log_shows_it(text, case):
    entries, _ = explained(text)
    assert [(entry["key"], entry["case"]) for entry in entries] == [("bad-param", case)]
    assert ("mask" in entries[0]["means"]) == (case == "empty-row")


FAILED = "CUDNN_STATUS_EXECUTION_FAILED\n"


@pytest.mark.parametrize(
    "text",
    [
        IN_TORCH + "It was " + FAILED,
        "It was " + FAILED + "Traceback (most recent call last)\nRuntimeError: " + FAILED,
        "NStepLSTM stops with " + FAILED,
        "e == CUDNN_STATUS_SUCCESS (8 vs. 0) cuDNN: CUDNN_STATUS_EXECUTION_FAILED mxnet\n",
        "OSError: (External)  Cudnn error, CUDNN_STATUS_EXECUTION_FAILED  (at /paddle/rnn_op.cu.cc:464)\n",
    ],
)
def test_what_fails_in_another_library_gets_no_setting_of_tensorflow(text):
    said = prose(text)
    assert "TF_FORCE" not in said
    assert "arguments are not the cause" not in said


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("Could not run 'aten::_thnn_fused_lstm_cell' with arguments from the 'CPU' backend. 'x' is only available for "
         "these backends: [PrivateUse1, Meta, AutogradXPU]\n", "directml"),
        ("Could not run 'aten::_thnn_fused_lstm_cell' with arguments from the 'CPU' backend. 'x' is only available for "
         "these backends: [XPU, Meta, AutogradXPU]\n", "xpu"),
        ("Could not run 'aten::_thnn_fused_lstm_cell' with arguments from the 'CPU' backend. 'x' is only available for "
         "these backends: [CUDA, Meta, AutogradXPU]\n", None),
        ("'lengths' argument should be a 1D CPU int64 tensor, but got 1D cuda:0 Long tensor\n", "lengths"),
        ("self.lstm.flatten_parameters()\nRuntimeError: one of the variables needed for gradient computation has been "
         "modified by an inplace operation\n", "flattened-twice"),
        ("one of the variables needed for gradient computation has been modified by an inplace operation", "in-place"),
        ("No module named 'keras.legacy'\n", "legacy"),
        ("No module named 'keras.engine'\n", None),
        ("import onnx_tf\nERROR: ValidationError: Output size 3 is not supported\n", "in-onnx-tf"),
    ],
)  # fmt: skip
def test_the_lines_around_say_whose_device_or_release_it_is(text, case):
    assert [entry["case"] for entry in explained(text)[0]] == [case]


def test_a_message_that_goes_on_in_the_next_line_is_no_unknown_error():
    text = "UnknownError: Failed to get convolution algorithm.\nThis is probably because cuDNN failed to initialize.\n"
    assert [entry["tells"] for entry in explained(text)[0]] == ["machine"]


NEW_WORDS = "2024-01-01 00:00:00.000000: E tensorflow/stream_executor/cuda/cuda_dnn.cc:99] Words that are new\n"


def test_words_that_are_not_known_are_told_by_who_says_them_and_alone():
    told, status = explained(NEW_WORDS * 3)
    assert [(entry["key"], entry["tells"], entry["count"]) for entry in told] == [("cudnn-reports", "unclear", 3)]
    assert status == 0
    told, status = explained(NEW_WORDS + WARNING.format("lstm"))
    assert [entry["key"] for entry in told] == ["criteria-not-met"]
    assert status == 1


def test_words_about_cudnn_are_told_of_short_texts_alone():
    words = "cudnnException: the plan was not finalized, cudnnFinalize failed\n"
    assert [entry["key"] for entry in explained(words)[0]] == ["cudnn-named"]
    assert explained(words + "step\n" * SHORT)[0] == []
