"""What stands in place of arguments of old Keras, for the advice on one that is refused."""

from __future__ import annotations

from cudnnlint.core.refused_values import refused
from cudnnlint.core.rule import Case

#: A sentence for each argument.
IN_PLACE = {
    "batch_size": "Give the batch size to the Input in front: keras.Input(batch_shape=(batch, steps, features)).",
    "batch_input_shape": "Put keras.Input(batch_shape=(batch, steps, features)) in front.",
    "input_length": "Put keras.Input((steps, features)) in front.",
    "input_dim": "Put keras.Input((steps, features)) in front.",
    "time_major": "Swap the first two axes of the inputs and outputs: batch first.",
    "use_cudnn": "Remove use_cudnn: in this release Keras itself decides, by the other arguments.",
    "weights": "Call set_weights() on the built layer.",
    "inner_activation": "It is called recurrent_activation.",
    "output_dim": "It is called units.",
    "inner_init": "It is called recurrent_initializer.",
    "dropout_W": "It is called dropout.",
    "dropout_U": "It is called recurrent_dropout.",
    "consume_less": "Remove it: Keras chooses how to compute.",
}


def advise(case: Case) -> str | None:
    """Return what stands in place of what a constructor refuses, arguments or values; None where that is not known."""
    known = dict.fromkeys(IN_PLACE[name] for name in case.rejected if name in IN_PLACE)
    advice = next((refusal.advice for _, refusal, _ in refused(case) if refusal.then == "raises"), "")
    if advice:
        known[advice] = None
    return " ".join(known) or None
