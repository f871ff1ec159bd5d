"""A question without a message is told what it is about; a log, and a text about something else, are not."""

import io
import json

import pytest

from cudnnlint import trainlog
from cudnnlint.trainlog.asked import MOST_LINES, abouts, asked
from cudnnlint.trainlog.explained import SILENCE

QUESTIONS = {
    "hangs": "My LSTM never returns in each subprocess",
    "numbers-after-export": "The GRU has other results in Unity than in Python, they are not the same",
    "export": "How do I convert a bidirectional LSTM to onnx?",
    "loading": "my lstm.h5 model cannot be loaded on the other machine, it gives an error",
    "nan": "After two epochs the loss of the GRU is nan",
    "memory": "Keras uses way too much GPU memory when calling fit",
    "gpu-not-seen": "tensorflow does not see my gpu",
    "slow": "My GRU takes hours per epoch, is that normal?",
    "differ": "predict on GPU and CPU differ in the third digit",
    "crash": "my program with a GRU dies without a word",
    "masks": "How do I pad batches for a GRU, with a mask?",
    "whether": "is the GPU kernel of cuDNN taken for my LSTM?",
}


LOGGED = """2024-01-01 00:00:00.000000: I tensorflow/gpu_device.cc:1525] Created device GPU:0 with 10791 MB memory
Epoch 1/3
12/12 [=====] - 3s 21ms/step - gpu_memory_usage: 0.31 - train_loss: nan
"""


def explained(text, output_format="text"):
    return trainlog.run(io.BytesIO(text.encode()), output_format=output_format)


def test_every_field_has_its_question():
    assert list(QUESTIONS) == [about.name for about in abouts()]
    for about in abouts():
        assert about.says.endswith(".")
        assert about.do.endswith(".")


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_leads_to_its_field(name):
    text, status = explained(QUESTIONS[name])
    about = asked([QUESTIONS[name]])
    assert about is not None
    assert about.name == name
    assert about.do.split(":")[0][:40] in " ".join(text.split())
    assert status == 0
    assert json.loads(explained(QUESTIONS[name], "json")[0])["about"]["name"] == name


def test_a_question_may_be_broken_into_lines():
    assert asked(["My LSTM", "is stuck", "in a subprocess"]).name == "hangs"


@pytest.mark.parametrize("text", ["Epoch 1/3\n", "loss: 0.3 - accuracy: 0.9\n", "The weather is fine\n", LOGGED])
def test_another_text_is_told_nothing(text):
    assert " ".join(SILENCE.split()) in " ".join(explained(text)[0].split())


def test_a_log_is_not_taken_for_a_question():
    assert asked([QUESTIONS["slow"]] * (MOST_LINES + 1)) is None


def test_a_known_message_is_told_alone():
    text = explained(f"{QUESTIONS['export']}\nDebug: Layer lstm will use cuDNN kernels when running on GPU.\n")[0]
    assert "on its way to another tool" not in text
