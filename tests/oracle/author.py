"""Writes the layers of a generated program: each method draws one constructor, as text, and says what comes out.

Imports no framework. `generate.py` joins the constructors into programs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Callable

from arguments import Context, Drawer, Named
from spelling import Spelling, release

MERGES = ('"concat"', '"sum"', '"mul"', '"ave"')
POINTWISE = (
    *("Dropout", "Dense", "LayerNormalization", "Activation", "BatchNormalization", "SpatialDropout1D"),
    *("GaussianNoise", "LeakyReLU", "TimeDistributed", "Masking"),
)
DESTROYERS = ("Conv1D", "Reshape", "Permute", "ZeroPadding1D", "MaxPooling1D", "AveragePooling1D", "Cropping1D")
OWN = ("OwnLSTM", "OwnGRU")


@dataclass(frozen=True)
class Sequence:
    """What is known of the tensor that the next layer gets: (batch, steps, features)."""

    features: int
    steps: int | None
    batch: int | None


@dataclass
class Body:
    """The script being written."""

    top: list[str] = field(default_factory=list)  # classes, functions, constants
    lines: list[str] = field(default_factory=list)
    count: int = 0  # recurrent layers so far
    numbers: dict[str, int] = field(default_factory=dict)

    def fresh(self, stem: str) -> str:
        """A variable name not used before."""
        self.numbers[stem] = self.numbers.get(stem, 0) + 1
        return stem if self.numbers[stem] == 1 else f"{stem}_{self.numbers[stem]}"


class Author:
    """Draws constructors for one program."""

    def __init__(self, seed: int, framework: str, version: str, backend: str) -> None:
        self.rng = random.Random(f"{framework} {version} {backend} {seed}")
        self.spell = Spelling(self.rng, framework, version, backend)
        self.draw = Drawer(self.rng, self.spell)
        self.context = Context(framework, version, backend)
        self.body = Body()
        self.goal = self.rng.randint(4, 8)

    # ---- expressions: each returns (constructor text, what comes out)

    def build(self, name: str, positional: tuple[str, ...] = (), named: Named | None = None) -> str:
        """A layer's constructor; some layers get a name."""
        named = dict(named or {})
        if "name" not in named and self.rng.random() < 0.12 and "**" not in "".join(named):
            named["name"] = '"{}"'.format(self.body.fresh(name.lower() + self.rng.choice(("_a", "_b", "_main"))))
        callee = name if name in OWN else self.spell.layer(name)
        return self.spell.call(callee, positional, named)

    def context_of(self, flow: Sequence, merging: bool = False) -> Context:
        """The target, at this place of the model."""
        return replace(self.context, steps=flow.steps, batch=flow.batch, merging=merging)

    def units(self) -> tuple[str, int]:
        """A number of units, sometimes a constant's name."""
        number = self.rng.choice((2, 3, 4))
        if self.rng.random() < 0.12:
            name = f"UNITS_{number}"
            line = f"{name} = {number}"
            if line not in self.body.top:
                self.body.top.append(line)
            return name, number
        return str(number), number

    def gated(self, flow: Sequence, sequences: bool = True, **extra: str) -> tuple[str, Sequence]:
        """An LSTM or GRU."""
        kind = self.rng.choice(("LSTM", "LSTM", "GRU"))
        named = self.draw.gated(kind, self.context_of(flow))
        named.update({"return_sequences": "True"} if sequences else {}, **extra)
        kind = self.maybe_own(kind)
        units, number = self.units()
        self.body.count += 1
        return self.build(kind, (units,), self.maybe_shared_options(named)), replace(flow, features=number)

    def old_layer(self, flow: Sequence, sequences: bool = True) -> tuple[str, Sequence]:
        """A layer from `tf.compat.v1`: the v1 or cuDNN-only classes of Keras 2, the usual ones of Keras 3."""
        kind = self.rng.choice(("LSTM", "GRU") if self.context.keras3 else ("LSTM", "GRU", "CuDNNLSTM", "CuDNNGRU"))
        named = {} if kind.startswith("CuDNN") else self.draw.simple(self.context_of(flow))
        named.update({"return_sequences": "True"} if sequences else {})
        self.body.count += 1
        name = self.spell.imported(f"tf.compat.v1.keras.layers.{kind}")
        return self.spell.call(name, ["3"], named), replace(flow, features=3)

    def maybe_own(self, kind: str) -> str:
        """Now and then the script's own subclass instead; a saved file can't show its code, nor what it hands on."""
        if self.rng.random() > 0.012:
            return kind
        own = "Own" + kind
        parent = self.spell.layer(kind)
        plain = f"class {own}({parent}):\n    pass\n"
        forced = (
            f"class {own}({parent}):\n    def __init__(self, units, **kwargs):\n"
            "        super().__init__(units, **kwargs)\n"
        )
        if not any(text.startswith(f"class {own}(") for text in self.body.top):
            self.body.top.append(self.rng.choice((plain, forced)))
        return own

    def maybe_shared_options(self, named: Named) -> Named:
        """Sometimes the arguments go through a dict."""
        if len(named) < 2 or self.rng.random() > 0.08:
            return named
        name = self.body.fresh("options")
        self.body.top.append("{} = dict({})".format(name, ", ".join("{}={}".format(*item) for item in named.items())))
        return {"**" + name: ""}

    def simple(self, flow: Sequence, sequences: bool = True) -> tuple[str, Sequence]:
        """A SimpleRNN."""
        named = dict(self.draw.simple(self.context_of(flow)), **({"return_sequences": "True"} if sequences else {}))
        units, number = self.units()
        self.body.count += 1
        return self.build("SimpleRNN", (units,), named), replace(flow, features=number)

    def around_cell(self, flow: Sequence, sequences: bool = True) -> tuple[str, Sequence]:
        """RNN round a cell, a list of cells, or StackedRNNCells."""
        form = self.rng.choice(("one", "one", "list", "stacked"))
        cells, number = [], 0
        for _ in range(1 if form == "one" else 2):
            kind, named = self.draw.cell()
            units, number = self.units()
            cells.append(self.spell.call(self.spell.layer(kind), [units], named))
        text = cells[0] if form == "one" else "[{}]".format(", ".join(cells))
        if form == "stacked":
            text = self.spell.call(self.spell.layer("StackedRNNCells"), [text])
        named = dict(self.draw.simple(self.context_of(flow)), **({"return_sequences": "True"} if sequences else {}))
        self.body.count += 1
        return self.build("RNN", (text,), named), replace(flow, features=number)

    def both_ways(self, flow: Sequence, sequences: bool = True) -> tuple[str, Sequence]:
        """A Bidirectional, with or without its own backward layer."""
        explicit = self.rng.random() < 0.3
        inner, number = self.direction(flow, sequences, None)
        named: Named = {}
        if self.rng.random() < 0.5:
            named["merge_mode"] = self.rng.choice(MERGES)
        if explicit:
            named["backward_layer"] = self.direction(flow, sequences, number)[0]
        self.body.count += 1
        width = number * 2 if named.get("merge_mode", '"concat"') == '"concat"' else number
        return self.build("Bidirectional", (inner,), named), replace(flow, features=width)

    def direction(self, flow: Sequence, sequences: bool, number: int | None) -> tuple[str, int]:
        """One direction; with a number given, the explicit backward one of that many units."""
        kind = self.rng.choice(("LSTM", "LSTM", "LSTM", "GRU", "GRU", "GRU", "SimpleRNN", "RNN"))
        context = self.context_of(flow, merging=True)
        named = self.draw.simple(context) if "RNN" in kind else self.draw.gated(kind, context)
        for unfit in ("go_backwards", "stateful"):
            named.pop(unfit, None)
        if sequences:
            named["return_sequences"] = "True"
        if number is not None:
            named["go_backwards"] = "True"
        units = number or self.rng.choice((2, 3, 4))
        self.body.count += 1
        first = self.spell.call(self.spell.layer("LSTMCell"), [str(units)]) if kind == "RNN" else str(units)
        return self.build(kind, (first,), named), units

    def over_time(self, flow: Sequence, sequences: bool = True) -> tuple[list[str], Sequence]:
        """A TimeDistributed layer over halves of the sequence, with the Reshape that makes them."""
        assert flow.steps == 6
        inner, out = self.gated(replace(flow, steps=3, batch=None), sequences=False)
        if not sequences:
            inner, out = self.simple(replace(flow, steps=3, batch=None), sequences=False)
        halves = self.build("Reshape", (f"(2, 3, {flow.features})",))
        return [halves, self.build("TimeDistributed", (inner,))], Sequence(out.features, 2, flow.batch)

    def convolved(self, flow: Sequence, sequences: bool = True) -> tuple[list[str], Sequence]:
        """A ConvLSTM over the sequence, with the reshaping round it."""
        one = self.rng.random() < 0.6 and not (self.context.framework == "tensorflow" and self.old("2.6"))
        shape = "(%d, %d, 1)" if one else "(%d, %d, 1, 1)"
        before = self.build("Reshape", (shape % (flow.steps or 6, flow.features),))
        kernel = "1" if one else "(1, 1)"
        named = {"return_sequences": "True", "padding": '"same"'}
        layer = self.build("ConvLSTM1D" if one else "ConvLSTM2D", ("2", kernel), named)
        self.body.count += 1
        width = flow.features * 2
        after = self.build("Reshape", (f"({flow.steps or 6}, {width})",))
        return [before, layer, after], replace(flow, features=width)

    def old(self, version: str) -> bool:
        """Whether the target's release is before this one."""
        return release(self.context.version) < release(version)

    def miscounts(self) -> bool:
        """Whether a TimeDistributed takes an open number of steps for the number of rows: TensorFlow from Keras 3.14 on
        (`ops.arange(input_shape[0])`); what follows it stops or not as the data happens to be."""
        return self.context.keras3 and self.context.backend == "tensorflow" and not self.old("3.14")

    def between(self, flow: Sequence) -> tuple[str, Sequence]:
        """A layer that keeps the mask, or one that destroys it."""
        name = self.rng.choice(POINTWISE + (DESTROYERS if self.rng.random() < 0.5 else ()))
        if name == "Reshape" and not flow.steps:
            name = "Conv1D"
        if name == "TimeDistributed" and not flow.steps and self.miscounts():
            name = "Dense"
        plain: dict[str, Callable[[], tuple[str, Sequence]]] = {
            "Dropout": lambda: ("0.1", flow),
            "SpatialDropout1D": lambda: ("0.1", flow),
            "Activation": lambda: ('"relu"', flow),
            "LayerNormalization": lambda: ("", flow),
            "BatchNormalization": lambda: ("", flow),
            "GaussianNoise": lambda: ("0.1", flow),
            "LeakyReLU": lambda: ("", flow),
            "Masking": lambda: ("", flow),
            "Dense": lambda: ("3", replace(flow, features=3)),
            "TimeDistributed": lambda: (self.build("Dense", ("2",)), replace(flow, features=2)),
            "AveragePooling1D": lambda: ("1", flow),
            "Cropping1D": lambda: ("0", flow),
            "Reshape": lambda: (f"({flow.steps}, {flow.features})", flow),
            "ZeroPadding1D": lambda: ("(1, 1)", replace(flow, steps=flow.steps and flow.steps + 2)),
            "MaxPooling1D": lambda: ("1", flow),
            "Permute": lambda: ("(1, 2)", flow),
            "Conv1D": lambda: ("4, 1", replace(flow, features=4)),
        }
        text, after = plain[name]()
        return self.build(name, (text,) if text else ()), after

    def stage(self, flow: Sequence, sequences: bool = True) -> tuple[list[str], Sequence]:
        """One recurrent layer, as a chain of constructors."""
        kinds = ("gated", "both", "cell", "simple", "time", "conv", "old")
        old = (
            {"tensorflow": 8, "keras": 1}.get(self.context.framework, 0) if self.context.backend == "tensorflow" else 0
        )
        kind = self.rng.choices(kinds, weights=(50, 18, 10, 6, 7, 5, old))[0]
        if kind == "time" and flow.steps == 6 and sequences:
            return self.over_time(flow)
        if kind == "conv" and flow.steps and sequences:
            return self.convolved(flow)
        makers = {"both": self.both_ways, "cell": self.around_cell, "simple": self.simple, "old": self.old_layer}
        text, after = makers.get(kind, self.gated)(flow, sequences)
        return [text], after

    # ---- inputs

    def source(self) -> tuple[str, Sequence, list[str]]:
        """An input: (its constructor, what comes out behind the first layers, those layers)."""
        batch = 2 if self.rng.random() < 0.15 else None
        steps = 6 if batch or self.rng.random() < 0.7 else None
        integers = 4 if self.context.keras3 else 0  # Keras 2 takes none, on any device
        kind = self.rng.choices(("plain", "tokens", "masking", "integers"), weights=(40, 30, 26, integers))[0]
        shape = f"({steps},)" if kind == "tokens" else f"({steps}, 3)"
        named = {"shape": shape}
        if batch:
            by_shape = {"batch_shape": "(2, " + shape[1:]}
            named = self.rng.choice((by_shape, {"shape": shape, "batch_size": "2"}))
        if kind in ("tokens", "integers"):
            named["dtype"] = '"int32"'
        first = {"tokens": [self.embedding()], "masking": [self.build("Masking", ())]}.get(kind, [])
        return self.spell.call(self.spell.keras("Input"), [], named), Sequence(3, steps, batch), first

    def embedding(self) -> str:
        """An Embedding, with or without a mask."""
        return self.build("Embedding", ("10", "3"), {"mask_zero": self.rng.choice(("True", "True", "False"))})
