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
