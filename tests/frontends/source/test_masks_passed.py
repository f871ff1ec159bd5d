"""The masks that Keras passes to the `call` of a user's layer. The oracle gave these answers for keras 3.15.1 and
tf_keras 2.21.0: `depends` is a layer that gets a mask of the data, `cudnn` one that gets none."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudnnlint import check_many

HEAD = """\
import {package} as keras
from {package}.layers import GRU, Embedding, Layer

masked = Embedding(9, 4, mask_zero=True)(keras.Input((6,), dtype="int32"))
plain = keras.Input((6, 4))

class Own(Layer):
    def __init__(self):
        super().__init__()
        self.inner = GRU(2)
"""
FIRST = "    def call(self, q, v, mask=None):\n        return self.inner(q + v, mask=mask)\n"
SECOND = "    def call(self, q, v, v_mask=None):\n        return self.inner(q * 1, mask=v_mask)\n"
OTHER = "    def call(self, x, mask=None, extra=None, training=False):\n        return self.inner(x * 1, mask=mask)\n"
WHATEVER = "    def call(self, x, **given):\n        return self.inner(x * 1, mask=given.get('mask'))\n"
LISTED = "    def call(self, pair, mask=None):\n        return self.inner(pair[0] * 1, mask=mask[1])\n"


@pytest.mark.parametrize(
    ("method", "call", "keras_3", "keras_2"),
    [
        (FIRST, "masked, plain", "cudnn", "depends"),
        (FIRST, "plain, masked", "cudnn", "cudnn"),
        (FIRST, "masked, v=plain", "cudnn", "depends"),
        (SECOND, "plain, masked", "depends", "cudnn"),
        (SECOND, "q=plain, v=masked", "depends", "cudnn"),
        (SECOND, "masked, plain", "cudnn", "cudnn"),
        (OTHER, "masked, extra=plain", "cudnn", "depends"),
        (OTHER, "masked, extra=3", "depends", "depends"),
        (OTHER, "masked, None, plain", "cudnn", "cudnn"),
        (OTHER, "masked, training=True", "depends", "depends"),
        (WHATEVER, "masked", "cudnn", "depends"),
        (LISTED, "[plain, masked]", "depends", "depends"),
        (LISTED, "[masked, plain]", "cudnn", "cudnn"),
    ],
)
def test_which_masks_a_users_layer_is_given(
    tmp_path: Path, method: str, call: str, keras_3: str, keras_2: str
) -> None:
    verdicts = []
    for package, target in (("keras", "keras@3.15.1"), ("tf_keras", "tf_keras@2.21")):
        path = tmp_path / f"{package}.py"
        path.write_text(f"{HEAD.format(package=package)}\n{method}\nOwn()({call})\n", encoding="utf-8")
        (made,) = check_many([path], target=target)
        verdicts += [one.verdict.value for layer in made.files[0].layers for one in layer.judgements]
    assert verdicts == [keras_3, keras_2]


def test_where_it_is_not_known_whether_another_argument_is_a_tensor_the_mask_is_not_certain(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(f"{HEAD.format(package='keras')}\n{OTHER}\nOwn()(masked, extra=unknown())\n", encoding="utf-8")
    (made,) = check_many([path], target="keras@3.15.1")
    (verdict,) = (one.verdict.value for layer in made.files[0].layers for one in layer.judgements)
    assert verdict in ("unknown", "depends")
