"""Generates programs that build recurrent models, as source text: seeded, plain, and meant for one target.

    python generate.py --framework keras --release 3.15.1 --models 50 --seed 1 --out DIR

Each program binds `model`. Nothing here imports a framework; whether a program really builds is for truth.py.
"""

from __future__ import annotations

import argparse
import os
import textwrap
from dataclasses import dataclass, replace

from author import Author, Sequence

FORMS = ("sequential", "added", "functional", "subclassed")
WEIGHTS = (24, 16, 52, 8)


@dataclass(frozen=True)
class Program:
    """One generated script, and what it was made for."""

    source: str
    framework: str
    version: str
    backend: str
    seed: int
    form: str


class Writer(Author):
    """Joins constructors into a program."""

    def __init__(self, seed: int, framework: str, version: str, backend: str) -> None:
        super().__init__(seed, framework, version, backend)
        self.seed = seed
        self.goal = self.rng.randint(4, 8)

    def write(self) -> Program:
        """The whole script."""
        form = self.rng.choices(FORMS, WEIGHTS)[0]
        getattr(self, form)()
        policy: list[str] = []
        if self.rng.random() < 0.06 and self.context.backend == "tensorflow" and self.context.framework != "tensorflow":
            policy = ['{}("mixed_float16")'.format(self.spell.keras("mixed_precision.set_global_policy")), ""]
        parts = [*self.spell.header(), "", *policy, *self.body.top, "" * bool(self.body.top), *self.body.lines]
        context = self.context
        return Program("\n".join(parts) + "\n", context.framework, context.version, context.backend, self.seed, form)

    def say(self, line: str) -> None:
        """Add a statement."""
        self.body.lines.append(line)

    def chain(self, flow: Sequence) -> tuple[list[str], Sequence]:
        """Recurrent layers up to the goal with other layers between, as constructors."""
        layers: list[str] = []
        while self.body.count < self.goal - 1:
            texts, flow = self.stage(flow)
            layers += texts
            if self.rng.random() < 0.5:
                text, flow = self.between(flow)
                layers.append(text)
        texts, flow = self.stage(flow, sequences=self.rng.random() < 0.3)
        return layers + texts, flow

    # ---- forms of program

    def sequential(self) -> None:
        """One Sequential with a list."""
        entry, flow, first = self.source()
        layers, _ = self.chain(flow)
        items = ",\n".join(textwrap.indent(text, "    ") for text in [entry, *first, *layers])
        self.say("model = {}([\n{},\n])".format(self.spell.keras("Sequential"), items))

    def added(self) -> None:
        """One Sequential, layer by layer."""
        entry, flow, first = self.source()
        layers, _ = self.chain(flow)
        self.say("model = {}()".format(self.spell.keras("Sequential")))
        for text in [entry, *first, *layers]:
            self.say(f"model.add({text})")

    def subclassed(self) -> None:
        """A class with its layers in __init__ and its order in call."""
        entry, flow, first = self.source()
        layers, _ = self.chain(flow)
        names = ["self.{}".format(self.body.fresh("layer")) for _ in [*first, *layers]]
        made = ["{} = {}".format(*pair) for pair in zip(names, [*first, *layers])]
        steps = [f"x = {name}(x)" for name in names]
        init = textwrap.indent("\n".join(["super().__init__()", *made]), " " * 8)
        call = textwrap.indent("\n".join([*steps, "return x"]), " " * 8)
        base = self.spell.keras("Model")
        self.say(f"class Net({base}):\n    def __init__(self):\n{init}\n\n    def call(self, x):\n{call}\n\n")
        self.say("model = Net()")
        self.spell.imported("np.zeros")
        shape = (flow.batch or 2, flow.steps or 6) + (() if "Embedding" in "".join(first) else (3,))
        self.say('model(np.zeros({}, "{}"))'.format(shape, "int32" if "int32" in entry else "float32"))

    def functional(self) -> None:
        """A functional model, with everything that only such a model can show."""
        entry, flow, first = self.source()
        self.say(f"inputs = {entry}")
        self.inputs, self.opening = ["inputs"], entry
        self.variable = "inputs"
        self.embedding_name = ""
        for text in first:
            self.embed(text)
        tricks = [self.states, self.sharing, self.branches, self.nested, self.submodel, self.loop, self.helper]
        tricks += [self.apart, self.explicit_mask, self.both_states, self.plain, self.plain, self.plain]
        while self.body.count < self.goal:
            flow = self.rng.choice(tricks)(flow)
        inputs = self.inputs[0] if len(self.inputs) == 1 else "[{}]".format(", ".join(self.inputs))
        self.say("model = {}({}, {})".format(self.spell.keras("Model"), inputs, self.variable))

    # ---- pieces of functional models: each continues `self.variable`

    def apply(self, text: str, **named: str) -> None:
        """Call one layer on what there is."""
        more = "".join(", {}={}".format(*item) for item in named.items())
        self.say(f"x = {text}({self.variable}{more})")
        self.variable = "x"

    def embed(self, text: str) -> None:
        """The first layer, sometimes by name, so that its mask can be asked for."""
        if "mask_zero=True" in text and self.rng.random() < 0.4:
            self.embedding_name = "embedding"
            self.say(f"embedding = {text}")
            text = "embedding"
        self.apply(text)

    def plain(self, flow: Sequence) -> Sequence:
        """A recurrent layer, and perhaps another after it."""
        texts, flow = self.stage(flow)
        for text in texts:
            self.apply(text)
        if self.rng.random() < 0.5:
            text, flow = self.between(flow)
            self.apply(text)
        return flow

    def states(self, flow: Sequence) -> Sequence:
        """A layer that hands its states to the next."""
        kind = self.rng.choice(("LSTM", "GRU"))
        units = str(self.rng.choice((2, 3)))
        names = "h, c" if kind == "LSTM" else "h"
        extra = {"return_sequences": "True", "return_state": "True"}
        context = self.context_of(flow, merging=True)
        first = dict(self.draw.gated(kind, context), **extra)
        second = dict(self.draw.gated(kind, context), return_sequences="True")
        first.pop("stateful", None)
        second.pop("stateful", None)
        self.say(f"x, {names} = {self.build(kind, (units,), first)}({self.variable})")
        self.variable = "x"
        self.apply(self.build(kind, (units,), second), initial_state=f"[{names}]")
        self.body.count += 2
        return replace(flow, features=int(units))

    def both_states(self, flow: Sequence) -> Sequence:
        """A Bidirectional that returns its states, and one that takes them."""
        kind, names = self.rng.choice((("LSTM", "fh, fc, bh, bc"), ("GRU", "fh, bh")))
        named = {"return_sequences": "True", "return_state": "True"}
        inner = self.build(kind, ("2",), named)
        self.say("x, {} = {}({})".format(names, self.build("Bidirectional", (inner,)), self.variable))
        self.variable = "x"
        second = self.build(kind, ("2",), {"return_sequences": "True"})
        self.apply(self.build("Bidirectional", (second,)), initial_state=f"[{names}]")
        self.body.count += 4
        return replace(flow, features=4)

    def sharing(self, flow: Sequence) -> Sequence:
        """One layer called twice, once perhaps without the mask."""
        name = self.body.fresh("shared")
        kind = self.rng.choice(("LSTM", "GRU"))
        named = dict(self.draw.gated(kind, self.context_of(flow, merging=True)), return_sequences="True")
        named.pop("stateful", None)
        self.say("{} = {}".format(name, self.build(kind, ("3",), named)))
        other = self.rng.choice((self.build("Dropout", ("0.1",)), self.build("Conv1D", (str(flow.features), "1"))))
        left, right = self.body.fresh("left"), self.body.fresh("right")
        self.say(f"{left} = {name}({self.variable})")
        self.say(f"{right} = {name}({other}({self.variable}))")
        self.body.count += 1
        return self.merge([left, right], [3, 3], flow)

    def merge(self, names: list[str], widths: list[int], flow: Sequence) -> Sequence:
        """Bring branches together."""
        adding = len(set(widths)) == 1 and self.rng.random() < 0.5
        kind = self.rng.choice(("Add", "Average", "Multiply")) if adding else "Concatenate"
        self.say("x = {}([{}])".format(self.build(kind), ", ".join(names)))
        self.variable = "x"
        return replace(flow, features=widths[0] if adding else sum(widths))

    def branches(self, flow: Sequence) -> Sequence:
        """Two layers side by side."""
        names, widths = [], []
        for stem in ("left", "right"):
            make = self.rng.choice((self.gated, self.both_ways, self.around_cell))
            text, after = make(replace(flow, batch=None))
            if "dtype=" in text or "options" in text or "time_major=" in text:
                text, after = self.simple(flow)
            names.append(self.body.fresh(stem))
            widths.append(after.features)
            self.say(f"{names[-1]} = {text}({self.variable})")
        return self.merge(names, widths, flow)

    def apart(self, flow: Sequence) -> Sequence:
        """A Bidirectional that returns its directions apart."""
        inner, units = self.direction(flow, True, None)
        left, right = self.body.fresh("ahead"), self.body.fresh("behind")
        text = self.build("Bidirectional", (inner,), {"merge_mode": "None"})
        self.say(f"{left}, {right} = {text}({self.variable})")
        self.body.count += 1
        return self.merge([left, right], [units, units], flow)

    def nested(self, flow: Sequence) -> Sequence:
        """A Sequential inside."""
        texts, after = self.stage(replace(flow, batch=None))
        more, after = self.between(after)
        name = self.body.fresh("encoder")
        named = {"name": f'"{name}"'} if self.rng.random() < 0.5 else {}
        items = "[{}]".format(", ".join([*texts, more]))
        self.say("{} = {}".format(name, self.spell.call(self.spell.keras("Sequential"), [items], named)))
        self.apply(name)
        return replace(after, batch=flow.batch)

    def submodel(self, flow: Sequence) -> Sequence:
        """A functional model inside."""
        entry, name = self.body.fresh("entry"), self.body.fresh("inner")
        shape = f"({flow.steps}, {flow.features})"
        self.say("{} = {}".format(entry, self.spell.call(self.spell.keras("Input"), [], {"shape": shape})))
        texts, after = self.stage(replace(flow, batch=None))
        value = entry
        for text in texts:
            self.say(f"y = {text}({value})")
            value = "y"
        self.say("{} = {}({}, y)".format(name, self.spell.keras("Model"), entry))
        self.apply(name)
        return replace(after, batch=flow.batch)

    def loop(self, flow: Sequence) -> Sequence:
        """The same line twice."""
        text, _ = self.gated(flow)
        named = {"return_sequences": "True"}
        kind = self.rng.choice(("LSTM", "GRU"))
        if "name=" in text or "time_major=True" in text or "options" in text or self.rng.random() < 0.5:
            text = self.spell.call(self.spell.layer(kind), ["units"], named)
        self.say(f"x = {self.variable}")
        self.say("for units in (3, 3):\n{}".format(textwrap.indent(f"x = {text}(x)", "    ")))
        self.variable = "x"
        self.body.count += 1
        return replace(flow, features=self.after_loop(text))

    def after_loop(self, text: str) -> int:
        """How wide the loop's last output is."""
        first = text.split("(", 1)[1].strip().split(",")[0].split(")")[0].strip()
        return {"units": 3}.get(first) or int(first.rsplit("_", 1)[-1])

    def helper(self, flow: Sequence) -> Sequence:
        """A function that builds a layer, called twice with different arguments."""
        name, kind = self.body.fresh("block"), self.rng.choice(("LSTM", "GRU"))
        inner = self.spell.call(self.spell.layer(kind), ["units"], {"return_sequences": "True", "**options": ""})
        self.body.top.append("def {}(units, **options):\n    return {}\n".format(name, inner.replace("\n", "\n    ")))
        for _ in range(2):
            named = self.draw.gated(kind, self.context_of(flow, merging=True))
            named.pop("stateful", None)
            self.apply(self.spell.call(name, ["3"], named))
            self.body.count += 1
        return replace(flow, features=3)

    def explicit_mask(self, flow: Sequence) -> Sequence:
        """A mask that the program passes itself."""
        if self.embedding_name and flow.steps == 6:
            text, after = self.rng.choice((self.gated, self.both_ways))(flow)
            self.apply(text, mask="embedding.compute_mask(inputs)")
            return after
        if flow.steps != 6 or "mask" in self.inputs:
            return self.plain(flow)
        named = {"shape": "(6,)", "dtype": '"bool"'}
        if flow.batch:
            named["batch_size"] = "2"
        self.say("mask = {}".format(self.spell.call(self.spell.keras("Input"), [], named)))
        self.inputs.append("mask")
        text, after = self.rng.choice((self.gated, self.both_ways))(flow)
        self.apply(text, mask="mask")
        return after


def generate(seed: int, framework: str, version: str, backend: str = "tensorflow") -> Program:
    """The program of this seed for this target: always the same one."""
    return Writer(seed, framework, version, backend).write()


def main() -> None:
    """Write programs into a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--framework", default="keras", choices=("keras", "tf_keras", "tensorflow"))
    parser.add_argument("--release", required=True)
    parser.add_argument("--backend", default="tensorflow", choices=("tensorflow", "jax", "torch"))
    parser.add_argument("--models", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    for number in range(options.models):
        program = generate(options.seed * 100000 + number, options.framework, options.release, options.backend)
        with open(os.path.join(options.out, f"{number:03d}.py"), "w", encoding="utf-8") as file:
            file.write(program.source)


if __name__ == "__main__":
    main()
