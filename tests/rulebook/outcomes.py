"""What each release makes of each situation: verdicts and codes, as the tables have them now.

    python tests/rulebook/outcomes.py --write     after a change of the tables; read the difference

The targets are the releases at which the tables change, written out here so that a bound that moves is seen. What Keras
itself decided is replayed elsewhere (tests/oracle); this holds what no recorded configuration asks: a device, a
gradient, an export, a compiler, a file. by_release.txt has the values and traits of each release, which no layer is
judged for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import by_release
import tables_by_release
import wording
from test_find import (
    BIASLESS,
    BOOK,
    EXPORT,
    FORWARD,
    HERE,
    MIXED,
    OWN_CALL,
    around,
    at,
    both_ways,
    fact,
    given_backward,
    made,
    rnn,
    stated,
    target,
)

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.fact import Known
from cudnnlint.core.layer import Call, Construction, FileHints, Layer, Model, Wrapper
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.verdict import Verdict
from cudnnlint.engine import judge, judge_layer

NEWEST_OF_OLD = "keras 2.3.1 tensorflow 1.15.5"
TENSORFLOW = tuple(f"tensorflow {one}" for one in ("1.15.5", "2.0.0", "2.1.0", "2.2.0", "2.3.0", "2.4.0", "2.5.0"))
KERAS_2 = tuple(f"keras {one}" for one in ("2.4.0", "2.6.0", "2.7.0", "2.8.0", "2.10.0", "2.13.1", "2.14.0", "2.15.0"))
KERAS_3 = tuple(f"keras {one}" for one in ("3.0.0", "3.0.1", "3.2.0", "3.3.3", "3.4.0", "3.8.0", "3.9.0", "3.11.3"))
ON_TORCH = tuple(f"keras {one} torch" for one in ("3.0.0", "3.10.0", "3.14.0", "3.15.0"))
ON_JAX = tuple(f"keras {one} jax" for one in ("3.0.0", "3.14.0", "3.15.0"))
TARGETS = (
    "keras 2.0.9 tensorflow 1.15.5", NEWEST_OF_OLD, *TENSORFLOW, *KERAS_2, "tf_keras 2.21.0", *KERAS_3, *ON_TORCH,
    *ON_JAX, "keras 3.15.1 openvino",
)  # fmt: skip
#: Those at which other classes change.
FEWER = (
    NEWEST_OF_OLD, "tensorflow 1.15.5", "tensorflow 2.0.0", "tensorflow 2.5.0", "keras 2.6.0", "keras 2.13.1",
    "keras 2.15.0", "tf_keras 2.21.0", "keras 3.0.0", "keras 3.8.0", "keras 3.15.0 jax",
)  # fmt: skip
LETTER = {one: one.value[0].upper() for one in Verdict}

#: What may happen to an LSTM.
PAIR: dict[str, dict[str, Any]] = {
    "plain": {},
    "cudnn off": around(cudnn_off=True),
    "second order": around(second_order=True),
    "xla": around(xla=True),
    "jit_compile": around(jit_compile=True),
    "torch.compile": around(torch_compiled=True),
    "eager disabled": around(eager_disabled=True),
    **{f"device {name}": around(device=name) for name in ("cpu", "hidden", "metal", "directml")},
    **{f"hidden from {name}": around(device=f"hidden_from_{name}") for name in ("tensorflow", "jax")},
    **{f"mask {name}": around(mask=name) for name in ("right", "left", "data")},
    "empty row": around(mask="right", mask_with_empty_row=True),
    "padded steps": {"return_sequences": True} | around(mask="right"),
    "ragged": around(ragged=True),
    "integers": around(input_dtype="int32"),
    "integers and dropout": {"dropout": 0.2} | around(input_dtype="int32"),
    "dropout": {"dropout": 0.2},
    "stateful": {"stateful": True} | around(batch="open"),
    "stateful and mixed": {"stateful": True, "dtype": MIXED},
    "stateful in halves": {"stateful": True, "dtype": "float16"} | around(floatx="float32"),
    "another rank": around(input_rank=2),
    "three states": around(initial_state=True, states=3),
    "distributed": around(distributed=True),
    "state of halves": stated("float16", None),
    "exported": around(exported_by=EXPORT),
    "exported for TFLite": around(exported_by=EXPORT, graph_reader="tflite", batch="open"),
    "state returned": {"return_state": True},
    "refused": {"use_cudnn": False},
    **{f"dtype {name}": {"dtype": name} for name in ("float16", "float64", "bfloat16", "mixed_float16", "complex64")},
    "dtype of a policy": {"dtype": MIXED},
    "bfloat16 by a policy": around(dtype="mixed_bfloat16"),
    "no casting": {"dtype": MIXED, "autocast": False},
    "call overridden": made(subclass="Mine", overrides=("call",)),
    "call of other names": made(**OWN_CALL, call_names=("x",)),
    "in a file of Keras 2": {"saved": "h5 2.15.0", "batch_input_shape": (2, 3, 4)},
    "in a file of Keras 3": {"saved": "keras 3.1.1"},
    "TimeDistributed": {"wrapper": Wrapper("TimeDistributed", arguments={"dtype": Known("float64")})},
    "relu": {"activation": "relu"},
    "hard_sigmoid": {"recurrent_activation": "hard_sigmoid"},
    "recurrent_dropout": {"recurrent_dropout": 0.2},
    "implementation 1": {"implementation": 1, "dropout": 0.2},
    "unrolled": {"unroll": True},
    "no bias": {"use_bias": False},
    "reset before": {"reset_after": False},
    "cell replaced": around(cell_replaced=True),
    "lost in a file": {"use_cudnn": False, "saved": "keras 3.1.1"},
    "setting lost": {"use_cudnn": False} | around(saved="model.save('m.keras')"),
    **{
        f"insisted, {name}": {"use_cudnn": True, **given}
        for name, given in (
            ("relu", {"activation": "relu"}),
            ("recurrent_dropout", {"recurrent_dropout": 0.2}),
            ("dropout", {"dropout": 0.2}),
            ("hidden", around(device="hidden")),
            ("left", around(mask="left")),
            ("unrolled", {"unroll": True}),
            ("no bias", {"use_bias": False}),
            ("reset before", {"reset_after": False}),
            ("sigmoid", {"recurrent_activation": "relu"}),
            ("mask", around(mask="data")),
            ("torch.compile", around(torch_compiled=True)),
            ("off", around(cudnn_off=True)),
            ("own call", made(subclass="Mine", overrides=("call",))),
            ("second order", around(second_order=True)),
        )
    },
    "half without a bias": {one: value for one, value in BIASLESS.items() if one != "class_name"},
    "backwards": {"go_backwards": True, "return_sequences": True},
    "Bidirectional": {"wrapper": both_ways("forward"), "units": 8},
    "Bidirectional, backward": {"wrapper": both_ways("backward"), "units": 8, "return_sequences": True},
    "Bidirectional, unlike": {"wrapper": both_ways("forward", FORWARD), "units": 9},
    "Bidirectional, refused": {"wrapper": given_backward(), "go_backwards": True},
    "Bidirectional, runs back": {"wrapper": both_ways("forward"), "go_backwards": True},
    "Bidirectional in a file": {"wrapper": both_ways("forward"), "saved": "keras 3.1.1"},
}
OLD, NEW = "tensorflow.compat.v1.keras.layers", "tensorflow.keras.layers"
#: What may happen to a layer of another class.
ANY = (
    "plain", "second order", "device cpu", "device hidden", "device metal", "mask right", "ragged",
    "stateful and mixed", "state of halves",
)  # fmt: skip
#: What is asked of a GRU too, whose rows are mostly those of the LSTM.
BOTH = {
    *ANY, "reset before", "insisted, reset before", "integers and dropout", "dropout", "mask data", "padded steps",
    "state returned", "distributed", "three states", "call of other names", "implementation 1", "exported",
    "exported for TFLite", "half without a bias", "cell replaced", "setting lost", "Bidirectional, unlike",
    "Bidirectional, backward", "Bidirectional in a file",
}  # fmt: skip
#: Other classes and what they are made of.
OTHERS: dict[str, dict[str, Any]] = {
    "CuDNNLSTM": {"class_name": "CuDNNLSTM"}, "CuDNNGRU": {"class_name": "CuDNNGRU"},
    "CuDNNGRU of old": {"class_name": "CuDNNGRU"} | at(f"{OLD}.CuDNNGRU"),
    "LSTM of old": at(f"{OLD}.LSTM"), "GRU of old": {"class_name": "GRU"} | at(f"{OLD}.GRU"),
    "SimpleRNN": {"class_name": "SimpleRNN"}, "RNN": {"class_name": "RNN"},
    "RNN of two dtypes": rnn(None, "float64"), "RNN of a cell": rnn(None, None),
    **{f"ConvLSTM{n}D": {"class_name": f"ConvLSTM{n}D", "filters": 2, "kernel_size": 3} for n in (1, 2, 3)},
    **{f"graph.{how}": {"saved": "savedmodel"} | at(f"graph.{how}") | around(exported=how)
       for how in ("op", "loop", "pair")},
}  # fmt: skip


def situations() -> Iterator[tuple[str, dict[str, Any], tuple[str, ...]]]:
    """Yield each class in each situation: what it is called, what it is made of, and the targets that are asked."""
    for what, given in PAIR.items():
        for name in ("LSTM", "GRU") if what in BOTH else ("LSTM",):
            yield f"{name}, {what}", {**given, "class_name": name}, TARGETS
    for name, other in OTHERS.items():
        for what in ANY:
            given = {key: {**other.get(key, {}), **PAIR[what].get(key, {})} for key in ("around", "made")}
            yield f"{name}, {what}", {**other, **PAIR[what], **given}, FEWER


def line(what: str, given: dict[str, Any], targets: tuple[str, ...]) -> str:
    """Return a line for a class in a situation: outcomes, each with the targets that have it."""
    return f"{what}: {_by_target(given, targets)}"


def lines() -> Iterator[str]:
    """Yield a line for each class and situation."""
    return (line(*one) for one in situations())


def _by_target(given: dict[str, Any], targets: tuple[str, ...]) -> str:
    layer, kind, hints = _layer(**given)
    found = [(_outcome(layer, kind, hints, one), one) for one in targets]
    runs = [(outcome, [one for _, one in group]) for outcome, group in groupby(found, key=lambda pair: pair[0])]
    return "; ".join(f"{outcome} [{ones[0]}{f' - {ones[-1]}' if len(ones) > 1 else ''}]" for outcome, ones in runs)


def _layer(
    class_name: str = "LSTM",
    around: dict[str, Any] | None = None,
    wrapper: Wrapper | None = None,
    saved: str | None = None,
    made: dict[str, Any] | None = None,
    **arguments: Any,
) -> tuple[Layer, str, FileHints]:
    """Return a layer, with the kind of its file and what that says of itself."""
    place = SavedPlace("m.h5", "lstm") if saved else HERE
    made = {"path": f"keras.layers.{class_name}", **(made or {})}
    facts = {name: fact(value) for name, value in ({"units": 4} | arguments).items()}
    construction = Construction(class_name, arguments=facts, place=place, **made)
    calls = (Call({name: fact(value) for name, value in (around or {}).items()}, HERE),)
    layer = Layer("layer", place, (construction,), calls, (wrapper,) if wrapper else (), saved=saved is not None)
    kind, _, version = (saved or "python").partition(" ")
    return layer, kind, FileHints(keras_version=version or None)


def _outcome(layer: Layer, kind: str, hints: FileHints, where: str) -> str:
    """Return the verdict's letter, that of eager calls where they differ, and the codes of what was found."""
    folded, _ = judge_layer(layer, target(where), BOOK, Model("m", kind, (layer,), hints))
    _, eager, words = (folded.condition or "").partition("in eager calls it ")
    differs = f"/{words}" if eager else ""
    codes = {one.rule.code for one in (*folded.bites, *folded.defects, *folded.notes)}
    return " ".join([LETTER[folded.verdict] + differs, *sorted(codes)])


def _diagnostics(layer: Layer, kind: str, hints: FileHints, where: str) -> tuple[Diagnostic, ...]:
    return judge(Model("m", kind, (layer,), hints), (target(where),), BOOK).diagnostics


def told() -> Iterator[str]:
    return wording.lines(((what, _layer(**given)) for what, given, _ in situations()), _diagnostics)


#: What is recorded, and what makes it.
RECORDED = {
    "outcomes.txt": lines, "by_release.txt": by_release.lines, "wording.txt": told,
    "tables_by_release.txt": tables_by_release.lines,
}  # fmt: skip


if __name__ == "__main__":
    for name, record in RECORDED.items():
        text = "\n".join(record()) + "\n"
        if "--write" in sys.argv:
            Path(__file__).with_name(name).write_text(text, encoding="utf-8")
        else:
            print(text, end="")
