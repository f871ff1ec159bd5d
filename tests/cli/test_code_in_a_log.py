"""Code that is pasted with a log is checked, and explains what the log says."""

import json

import pytest

QUESTION = """\
My model is slow, why?

WARNING:tensorflow:Layer lstm will not use cuDNN kernels since it doesn't meet the criteria.
```python
model = Sequential()
model.add(LSTM(64, activation='relu',
               input_shape=(30, 5)))
```
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    model.add(LSTM(64, unroll=True))
"""


def logged(run_it, folder, text, *options):
    (folder / "log.txt").write_text(text, encoding="utf-8")
    done = run_it("log", "log.txt", *options)
    assert done.err == ""
    return " ".join(done.out.split())


def test_the_code_of_a_question_explains_its_message(run, tmp_path):
    told = logged(run, tmp_path, QUESTION)
    assert "code-in-the-log:6:11 LSTM, fallback; activation (CDN101): found 'relu'" in told
    assert "the code in this log found line 6, CDN101: activation is 'relu', but cuDNN needs" in told
    assert "what to do Remove activation" in told
    assert "unroll" not in told.partition("the code in this log")[2]


def test_without_a_release_only_what_holds_in_each_is_told(run, tmp_path):
    code = "x = CuDNNLSTM(8)(tf.keras.Input((5, 3)))\n"
    assert "the code in this log" not in logged(run, tmp_path, f"hello\n{code}")
    told = logged(run, tmp_path, f"TensorFlow 2.12\n{code}")
    assert "the code in this log, for tensorflow@2.12: 1 recurrent layer: 1" in told


@pytest.mark.parametrize("stated", ["TensorFlow 9.9", "TensorFlow 0.1"])
def test_a_release_that_there_is_not_does_no_harm(run, tmp_path, stated):
    assert logged(run, tmp_path, f"{stated}\nx = LSTM(8, unroll=True)(y)\n")


def test_what_the_user_names_counts_more(run, tmp_path):
    (tmp_path / "m.py").write_text("import keras\nx = keras.layers.LSTM(4)\n", encoding="utf-8")
    assert "the code in this log" not in logged(run, tmp_path, QUESTION, "m.py")
    assert "for tensorflow@2.3: 1 recurrent layer" in logged(run, tmp_path, QUESTION, "--target", "tensorflow@2.3")


def test_code_is_told_as_data_too(run, tmp_path):
    (tmp_path / "log.txt").write_text(QUESTION, encoding="utf-8")
    (finding,) = json.loads(run("log", "log.txt", "--output-format", "json").out)["code"]["findings"]
    assert (finding["line"], finding["code"]) == (6, "CDN101")
    (tmp_path / "log.txt").write_text("epoch 1\n", encoding="utf-8")
    assert json.loads(run("log", "log.txt", "--output-format", "json").out)["code"] is None


CODE = "model = Sequential()\nmodel.add(LSTM(20, return_sequences=True))\n"


@pytest.mark.parametrize(
    ("text", "targets", "said"),
    [
        (CODE, ("--target", "keras@1.2"), "for keras@1.2: 1 recurrent layer: 1 falls back"),
        (CODE, ("--target", "keras@2.3"), "for keras@2.3: 1 recurrent layer: 1 falls back"),
        (CODE + "Keras 2.1.5", (), "for keras@2.1.5: 1 recurrent layer: 1 falls back"),
        (CODE, ("--target", "keras@3.4.1"), "for keras@3.4.1: 1 recurrent layer: 1 runs in cuDNN"),
    ],
)
def test_code_without_imports_is_judged_for_the_keras_that_is_named(run, tmp_path, text, targets, said):
    assert said in logged(run, tmp_path, text, *targets)


def test_a_target_that_the_code_does_not_import_is_not_said_to_be_judged(run, tmp_path):
    told = logged(run, tmp_path, "from tensorflow.keras.layers import LSTM\n" + CODE, "--target", "keras@1.2")
    assert "1 recurrent layer" in told
    assert "keras@1.2" not in told


@pytest.mark.parametrize(
    ("gpu", "said"),
    [
        ("tensorflow-macos 2.8.0 tensorflow-metal 0.4 on M1", "an Apple GPU, which has no cuDNN"),
        ("tensorflow-rocm 2.8.0 on MI100", "an AMD GPU, which has no cuDNN"),
        ("tensorflow-directml-plugin, tensorflow 2.10.0, AMD RX7600", "a GPU through DirectML, which has no cuDNN"),
    ],
)
def test_a_gpu_without_cudnn_never_runs_a_layer_in_it(run, tmp_path, gpu, said):
    told = logged(run, tmp_path, f"{gpu}\n{CODE}")
    assert said in told
    assert "runs in cuDNN" not in told


def test_a_layer_that_is_left_open_has_its_reason(run, tmp_path):
    told = logged(run, tmp_path, "TensorFlow 2.10.0\nx = LSTM(8, activation=act)(y)\n")
    assert "1 unknown" in told
    assert "CDN501: It is not clear whether this LSTM runs in cuDNN: `act` is not defined" in told
