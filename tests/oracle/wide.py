"""Writes programs wider than what cudnnlint models: any layer class, operation, dtype, mask and nesting between them.

`generate.py` writes what is known to work. Here every line is drawn at large and tried with the Keras at hand, on a
machine without a GPU: what stops is left out, what works stays. So nothing but Keras itself says what fits together.
`truth.py --wide` uses it. The same seed and Keras give the same programs.
"""

from __future__ import annotations

import contextlib
import random
import textwrap
import warnings
from dataclasses import dataclass
from typing import Any, Callable, ContextManager, Iterable, Iterator

import wide_menu as menu
from arguments import Context, Drawer
from generate import Program
from spelling import Spelling

FORMS = ("functional",) * 14 + ("sequential",) * 4 + ("subclassed", "own_layer")
FLOATS = ("float16", "float32", "float64", "bfloat16")
STEPS = 60  # lines tried for one program
CELLS = ("LSTMCell", "GRUCell", "SimpleRNNCell")
Around = Callable[[], ContextManager[Any]]
WRAPPER = """\
class OwnWrapper(layers.Wrapper):
    def call(self, inputs{mask}):
        return self.layer(inputs{handed})
"""


@dataclass(frozen=True)
class Item:
    """A tensor of the program: its name, its shape with the batch, its dtype."""

    name: str
    shape: tuple[int | None, ...]
    dtype: str

    @property
    def sequence(self) -> bool:
        """May a recurrent layer take it?"""
        return len(self.shape) == 3 and self.shape[-1] is not None


class Bench:
    """The program so far: lines that work, and what they bound."""

    def __init__(self, keras: Any, header: list[str]) -> None:
        self.keras, self.header = keras, header
        self.lines: list[str] = []
        self.names: dict[str, Any] = {"__name__": "__main__"}
        exec("\n".join(header), self.names)

    def attempt(self, *lines: str) -> bool:
        """Add lines if they run."""
        names = dict(self.names)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec("\n".join(lines), names)
        except Exception:
            return False
        self.names = names
        self.lines += lines
        return True

    def runs(self, text: str, used: tuple[Item | None, ...]) -> bool:
        """Does an expression run on data? A graph accepts what stops later."""
        items = [item for item in used if item is not None and "[" not in item.name and item.shape]
        data = {item.name: batch_of(item, self.names["tf"]) for item in items}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(text, {**self.names, **data})
        except Exception:
            return False
        return True

    def items(self, name: str) -> list[Item]:
        """The tensors that a name is bound to: one, or those of a list."""
        value = self.names[name]
        parts = list(enumerate(value)) if isinstance(value, (list, tuple)) else [(None, value)]
        return [
            Item(name if at is None else f"{name}[{at}]", tuple(part.shape), dtype_of(part.dtype))
            for at, part in parts
            if hasattr(part, "dtype") and getattr(getattr(part, "shape", None), "rank", 0) is not None
        ]


def dtype_of(dtype: Any) -> str:
    """A dtype by its name."""
    return str(getattr(dtype, "name", dtype))


def batch_of(item: Item, tf: Any) -> Any:
    """Data for a tensor; a ragged one is none."""
    shape = [known or size for known, size in zip(item.shape, (3, 5, 4, 4, 4))]
    return tf.fill(shape, "a") if item.dtype == "string" else tf.ones(shape, item.dtype)


class WideWriter:
    """Draws lines for one program."""

    def __init__(self, seed: int, framework: str, version: str, keras: Any) -> None:
        self.rng = random.Random(f"wide {framework} {version} {seed}")
        self.seed, self.framework, self.version, self.keras = seed, framework, version, keras
        spell = Spelling(self.rng, framework, version, "tensorflow")
        spell.style, spell.spread = "layers", False
        self.draw, self.spell = Drawer(self.rng, spell), spell
        self.three = spell.keras3
        plain = [name for name in dir(keras.layers) if isinstance(getattr(keras.layers, name), type)]
        self.classes = [name for name in plain if name not in menu.NOT_PLAIN]
        names = dir(keras.ops) if self.three else []
        self.functions = [
            n for n in names if n.islower() and n[0] != "_" and n not in menu.NO_OPERATIONS
            and menu.MORE.get(n, ("{x}",)) and callable(getattr(keras.ops, n))
        ]  # fmt: skip
        self.pool: list[Item] = []
        self.inputs: list[str] = []
        self.used: set[str] = set()
        self.count, self.number = 0, 0
        self.bench = Bench(keras, self.header())

    def header(self) -> list[str]:
        """Imports, and sometimes a policy for the whole program."""
        name = "" if self.framework == "keras" else " as keras"
        lines = [f"import {self.framework}{name}", f"from {self.framework} import layers", "import tensorflow as tf"]
        chance = self.rng.random()
        if chance < 0.06:
            policy = self.rng.choice(("mixed_float16", "mixed_bfloat16", "float64", "float32"))
            lines.append(f'keras.mixed_precision.set_global_policy("{policy}")')
        elif chance < 0.08 and self.three:
            lines.append(f'keras.config.set_floatx("{self.rng.choice(("float64", "float16"))}")')
        return lines

    def write(self) -> Program:
        """The whole script."""
        form = self.rng.choice(FORMS)
        getattr(self, form)()
        text = "\n".join([*self.bench.header, "", *self.bench.lines]) + "\n"
        return Program(text, self.framework, self.version, "tensorflow", self.seed, form)

    def fresh(self, stem: str = "x") -> str:
        """A name not used before."""
        self.number += 1
        return f"{stem}{self.number}"

    # ---- forms

    def functional(self) -> None:
        """A graph of anything."""
        for _ in range(self.rng.choice((1, 1, 2, 2, 3))):
            self.enter()
        self.steps(self.rng.choice((1, 2, 2, 3, 4)))
        loose = [item.name for item in self.pool if item.name.split("[")[0] not in self.used]
        outputs = loose or [self.pool[-1].name]
        self.bench.attempt(f"model = keras.Model([{', '.join(self.inputs)}], [{', '.join(outputs)}])")

    def sequential(self) -> None:
        """A chain, with and without an Input."""
        texts, entry = self.chain(self.rng.choice((2, 3, 4)))
        head, tail = [], []
        shape = entry.split("(", 1)[1].rsplit(")", 1)[0]
        how = self.rng.choice(("Input", "Input", "InputLayer", "added", "built"))
        if how == "built" and "dtype" not in entry and "batch" not in entry:
            tail = [f"model.build((None, *{shape}))"]
        else:
            head = [entry]
        if how == "added":
            lines = ["model = keras.Sequential()", *(f"model.add({text})" for text in [*head, *texts]), *tail]
        else:
            lines = [f"model = keras.Sequential([{', '.join([*head, *texts])}])", *tail]
        self.bench.attempt(*lines)

    def subclassed(self) -> None:
        """A model that is a class."""
        texts, entry = self.chain(self.rng.choice((2, 3)))
        self.bench.attempt(*self.class_of("Net", "keras.Model", texts), "model = Net()", f"model({self.data(entry)})")

    def own_layer(self) -> None:
        """A layer of the program's own around others."""
        self.enter()
        self.steps(1)
        item = self.one(lambda item: item.sequence)
        texts, _ = self.chain(self.rng.choice((1, 2)), item)
        lines = self.class_of("Block", "layers.Layer", texts)
        name = self.fresh()
        if item is not None and self.bench.attempt(*lines) and self.take(name, f"Block()({item.name})", item):
            self.steps(1)
        loose = [one.name for one in self.pool if one.name.split("[")[0] not in self.used]
        self.bench.attempt(f"model = keras.Model([{', '.join(self.inputs)}], [{', '.join(loose)}])")

    def class_of(self, name: str, base: str, texts: list[str]) -> list[str]:
        """A class with its layers in __init__ and their order in call."""
        masked = base.endswith("Layer") and self.rng.random() < 0.5
        made = [f"self.part{at} = {text}" for at, text in enumerate(texts)]
        steps = [f"x = self.part{at}(x)" for at, _ in enumerate(texts)]
        if masked and steps:
            steps[0] = steps[0][:-1] + ", mask=mask)" if "Lambda" not in texts[0] else steps[0]
        supports = ["self.supports_masking = True"] if base.endswith("Layer") and self.rng.random() < 0.4 else []
        init = textwrap.indent("\n".join(["super().__init__()", *supports, *made]), " " * 8)
        call = textwrap.indent("\n".join([*steps, "return x"]), " " * 8)
        more = ", mask=None" if masked else ""
        whole = f"class {name}({base}):\n    def __init__(self):\n{init}\n\n    def call(self, x{more}):\n{call}\n"
        return [whole]

    def data(self, entry: str) -> str:
        """A batch for a model that is a class."""
        shape = entry.split("(", 1)[1].split(")")[0].replace("None", "6").lstrip("(")
        dtype = entry.rsplit('"', 2)[1] if '"' in entry else "float32"
        return f'tf.ones((2, {shape}), "{dtype}")'

    # ---- tensors

    def enter(self, sequences: bool = False) -> str:
        """An Input."""
        kind = "floats" if sequences else self.rng.choices(("floats", "tokens", "masks"), (60, 30, 10))[0]
        name = self.fresh("a")
        if kind == "tokens":
            shape, dtype = self.rng.choice(menu.TOKENS), self.rng.choice(menu.WHOLE)
        elif kind == "masks":
            shape, dtype = "(6,)", "bool"
        else:
            shape, dtype = self.rng.choice(menu.SHAPES), self.rng.choice(menu.DTYPES)
        batch = self.rng.choice((f"batch_shape=(2, {shape[1:]}", f"shape={shape}, batch_size=2"))
        given = batch if self.rng.random() < 0.15 and (self.three or "batch_shape" not in batch) else shape
        more = "" if dtype == "float32" else f', dtype="{dtype}"'
        if not self.three and self.rng.random() < 0.06 and "None" in given:
            more += ", ragged=True"
        text = f"keras.Input({given}{more})"
        if self.bench.attempt(f"{name} = {text}"):
            self.inputs.append(name)
            self.pool += self.bench.items(name)
        return text

    def one(self, wanted: Any = lambda item: True) -> Item | None:
        """A tensor, rather a late one."""
        found = [item for item in self.pool if wanted(item)]
        if not found:
            return None
        return found[-1] if self.rng.random() < 0.5 else self.rng.choice(found)

    def take(self, name: str, text: str, *used: Item | None) -> bool:
        """Bind what an expression gives; its tensors join the others."""
        if not self.bench.runs(text, used) or not self.bench.attempt(f"{name} = {text}"):
            return False
        found = self.bench.items(name)
        if not found or any(len(item.shape) > 5 for item in found):
            self.bench.lines.pop()
            return False
        self.pool += found
        self.used |= {item.name.split("[")[0] for item in used if item is not None}
        return True

    def steps(self, goal: int) -> None:
        """Lines, until there are enough recurrent layers."""
        kinds = {
            self.between: 26, self.operate: 14, self.merge: 9, self.recurrent: 26, self.wrap: 7, self.attend: 4,
            self.nest: 8, self.share: 4, self.pass_states: 5, self.mask: 8, self.call_list: 2, self.own: 3,
        }  # fmt: skip
        start = self.count
        for _ in range(STEPS):
            self.rng.choices(list(kinds), list(kinds.values()))[0]()
            if self.count - start >= goal:
                return

    # ---- what is applied

    def arguments(self, name: str) -> str:
        """The arguments of a plain class, sometimes with one that any layer takes."""
        text = self.rng.choice(menu.recipe(name))
        if self.rng.random() < 0.1 and "dtype" not in text:
            text += (", " if text else "") + self.rng.choice(menu.ANY)
        return text

    def plain(self) -> str:
        """The constructor of any layer that takes one tensor."""
        likely = [name for name in menu.ARGUMENTS if name in self.classes] + ["Lambda"] * 2
        name = self.rng.choice(likely if self.rng.random() < 0.7 else [*self.classes, "Lambda"])
        return f"layers.{name}({self.arguments(name)})"

    def between(self) -> None:
        """A layer that is not recurrent."""
        item = self.one()
        if item is None:
            return
        text = self.plain()
        if "Lambda(lambda" in text and not self.three and "keras.ops" in text:
            return
        self.take(self.fresh(), f"{text}({item.name}{self.given_mask(0.06, item)})", item)

    def given_mask(self, chance: float, to: Item) -> str:
        """`mask=`, sometimes: of the steps that the tensor has."""
        if self.rng.random() > chance:
            return ""
        masks = [item.name for item in self.pool if item.dtype == "bool" and item.shape == to.shape[:2]]
        made = [name for name in self.bench.names if name.startswith("maker")]
        come = [item.name for item in self.pool if item.name in self.inputs and item.shape[:2] == to.shape[:2]]
        choices = [*masks * 2, "None", *(f"{maker}.compute_mask({self.rng.choice(come)})" for maker in made if come)]
        return f", mask={self.rng.choice(choices)}"

    def own(self) -> None:
        """A class of the program's own: a layer with masks of its own, or a recurrent layer or a cell made further."""
        item = self.one(lambda item: item.sequence)
        if item is None:
            return
        kind = self.rng.choice(list(menu.OWN))
        text, calls = menu.OWN[kind]
        if kind not in self.bench.names and not self.bench.attempt(self.rng.choice(text)):
            return
        name = f"{self.rng.choice(calls)}({item.name}{self.given_mask(0.1, item)})"
        if self.take(self.fresh(), name, item) and kind in menu.RECURRENT:
            self.count += 1

    def mask(self) -> None:
        """Something that makes a mask; by name sometimes, so that its mask can be asked for."""
        item = self.one(lambda item: item.name in self.inputs) or self.one()
        if item is None:
            return
        whole = len(item.shape) == 2
        name = "Embedding" if whole else "Masking"
        text = f"layers.{name}({self.arguments(name)})"
        chance = self.rng.random()
        if chance < 0.25:
            test = self.rng.choice(("{0} != 0", "keras.ops.not_equal({0}, 0)", "keras.ops.any({0} != 0, -1)"))
            self.take(self.fresh("m"), (test if self.three else "tf.not_equal({0}, 0)").format(item.name), item)
        elif chance < 0.5:
            maker = self.fresh("maker")
            if self.bench.attempt(f"{maker} = {text}"):
                self.take(self.fresh(), f"{maker}({item.name})", item)
        else:
            self.take(self.fresh(), f"{text}({item.name})", item)

    def operate(self) -> None:
        """An operator, or a function on tensors."""
        item, other = self.one(), self.one()
        if item is None or other is None:
            return
        kind = self.rng.choice(("one", "two", "function", "function"))
        operators = menu.ONE if kind == "one" else menu.TWO
        text = self.function() if kind == "function" else self.rng.choice(operators)
        both = (item, other) if "{y}" in text else (item,)
        self.take(self.fresh(), text.format(x=item.name, y=other.name), *both)

    def function(self) -> str:
        """A function on tensors, as text to be filled in."""
        if not self.three:
            return self.rng.choice(menu.OF_TENSORFLOW)
        likely = [name for name in menu.MORE if name in self.functions]
        name = self.rng.choice(likely if self.rng.random() < 0.7 else self.functions)
        return f"keras.ops.{name}({self.rng.choice(menu.MORE.get(name, ('{x}',)))})"

    def merge(self) -> None:
        """A merge layer, or its function."""
        first = self.one()
        found = [item for item in self.pool if first and len(item.shape) == len(first.shape)]
        if first is None or not found:
            return
        items = [first, *self.rng.choices(found, k=self.rng.choice((1, 1, 2)))]
        kind = self.rng.choice((*menu.MERGES, "Concatenate", "Add", "Multiply"))
        text = ", ".join(item.name for item in items)
        axes = {"Concatenate": ("", "", "axis=1", "axis=-1"), "Dot": ("axes=1", "axes=2", "axes=(2, 1)")}
        given = self.rng.choice(axes.get(kind, ("",)))
        if self.rng.random() < 0.15:
            self.take(self.fresh(), f"layers.{kind.lower()}([{text}]{', ' if given else ''}{given})", *items)
        else:
            plain = self.rng.random() > 0.05 or kind == "Dot"
            more = "" if plain else (", " if given else "") + self.rng.choice(menu.ANY)
            self.take(self.fresh(), f"layers.{kind}({given}{more})([{text}])", *items)

    def attend(self) -> None:
        """An attention layer over sequences."""
        calls = ("{0}, {1}", "{0}, {0}", "query={0}, value={1}", "{0}, {1}, key={0}", "{0}, {1}, use_causal_mask=True")
        items = [item for item in self.pool if len(item.shape) == 3]
        kind = self.rng.choice(menu.ATTENTIONS)
        if not items or not hasattr(self.keras.layers, kind):
            return
        one, two = self.rng.choice(items), self.rng.choice(items)
        if kind in ("Attention", "AdditiveAttention"):
            key = self.rng.choice(("", "", f", {one.name}"))
            text = f"layers.{kind}({self.rng.choice(('', '', 'dropout=0.1'))})([{one.name}, {two.name}{key}])"
        else:
            sizes = "2, 2" if kind == "MultiHeadAttention" else "2, 2, 1"
            text = f"layers.{kind}({sizes})({self.rng.choice(calls)})"
        self.take(self.fresh(), text.format(one.name, two.name), one, two)

    # ---- recurrent layers

    def recurrent(self) -> None:
        """A recurrent layer on a sequence."""
        item = self.one(lambda item: item.sequence)
        if item is not None:
            text = self.rnn(item)
            if self.take(self.fresh(), f"{text}({item.name}{self.given_mask(0.12, item)})", item):
                self.count += 1

    def rnn(self, item: Item | None, state: bool = False) -> str:
        """The constructor of a recurrent layer."""
        batch = item.shape[0] if item is not None else None
        steps = item.shape[1] if item is not None else None
        context = Context(self.framework, self.version, "tensorflow", steps, batch)
        kind = self.rng.choices(("LSTM", "GRU", "SimpleRNN", "RNN", "Bidirectional"), (36, 30, 5, 9, 20))[0]
        if kind == "Bidirectional" and not state:
            return self.both(item)
        units = self.rng.choice(("2", "3", "4"))
        if kind in ("LSTM", "GRU", "Bidirectional"):
            kind = "GRU" if kind == "Bidirectional" else kind
            named = self.draw.gated(kind, context)
        else:
            named = self.draw.simple(context)
        if kind == "RNN":
            units = self.cells()
        if self.rng.random() < 0.75:
            named["return_sequences"] = "True"
        if state or self.rng.random() < 0.06:
            named["return_state"] = "True"
        if named.get("stateful") == "True" and batch is None:
            named.pop("stateful")
        named = {key: value for key, value in named.items() if "\n" not in value and key != "time_major"}
        given = "".join(f", {key}={value}" for key, value in named.items())
        return f"layers.{kind}({units}{given})"

    def cells(self) -> str:
        """A cell, several, or a stack of them."""
        made = [f"layers.{self.rng.choice(CELLS)}({self.rng.choice('234')})" for _ in range(2)]
        return self.rng.choice((made[0], f"[{', '.join(made)}]", f"layers.StackedRNNCells([{', '.join(made)}])"))

    def both(self, item: Item | None) -> str:
        """A Bidirectional."""
        inner = self.rnn(item, state=True).replace(", return_state=True", "")
        for unfit in (", go_backwards=True", ", stateful=True"):
            inner = inner.replace(unfit, "")
        mode = self.rng.choice(("", "", *(f", merge_mode={mode}" for mode in ('"sum"', '"ave"', '"mul"', "None"))))
        if self.rng.random() < 0.2:
            kind, units = inner.split("(")[0], inner.split("(", 1)[1].split(",")[0].rstrip(")")
            if kind in ("layers.LSTM", "layers.GRU"):
                every = ", return_sequences=True" if "return_sequences" in inner else ""
                kind = self.rng.choice((kind, kind, "layers.GRU", "layers.SimpleRNN"))
                mode += f", backward_layer={kind}({units}, go_backwards=True{every})"
        if self.rng.random() < 0.06:
            mode += ', dtype="float64"'
        return f"layers.Bidirectional({inner}{mode})"

    def wrap(self) -> None:
        """A wrapper around any layer, recurrent ones too."""
        item = self.one(lambda item: len(item.shape) in (3, 4) and item.shape[1] is not None)
        kind = self.rng.choice(menu.WRAPPED)
        if item is None or not (kind == "OwnWrapper" or hasattr(self.keras.layers, kind)):
            return
        step = Item("", (item.shape[0], *item.shape[2:]), item.dtype)
        inner = self.rnn(step) if self.rng.random() < 0.5 and len(item.shape) == 4 else self.plain()
        if kind == "TimeDistributed" and self.rng.random() < 0.25 and len(item.shape) == 4:
            inner = self.model(step) or inner
        if kind == "SpectralNormalization":
            choices = ("layers.Dense(4)", "layers.Conv1D(4, 1)", "layers.Embedding(9, 4, mask_zero=True)")
            inner = self.rng.choice(choices)
        if kind == "OwnWrapper":
            if "OwnWrapper" not in self.bench.names:
                mask = self.rng.choice((("", ""), (", mask=None", ", mask=mask")))
                self.bench.attempt(WRAPPER.format(mask=mask[0], handed=mask[1]))
            inner = self.rng.choice((inner, self.rnn(item)))
            text = f"OwnWrapper({inner})"
        else:
            given = "" if self.rng.random() > 0.08 else ', dtype="mixed_float16"'
            text = f"layers.{kind}({inner}{given})"
        if self.take(self.fresh(), f"{text}({item.name}{self.given_mask(0.06, item)})", item) and "RNN" in text:
            self.count += 1

    def pass_states(self) -> None:
        """A layer that returns its states, and one that gets them."""
        item, other = self.one(lambda item: item.sequence), self.one(lambda item: item.sequence)
        if item is None or other is None:
            return
        kind = self.rng.choice(("LSTM", "GRU"))
        name = self.fresh()
        first = f"layers.{kind}(3, return_sequences=True, return_state=True)"
        if self.rng.random() < 0.4:
            first = f"layers.Bidirectional({first})"
        if not self.take(name, f"{first}({item.name})", item):
            return
        self.count += 1
        states = f"[{', '.join(f'{name}[{at}]' for at in range(1, len(self.bench.items(name))))}]"
        second = f"layers.{kind}(3, return_sequences=True)"
        second = f"layers.Bidirectional({second})" if first.startswith("layers.Bi") else second
        named = self.rng.choice((f"{other.name}, initial_state={states}", f"[{other.name}, *{states}]"))
        if self.take(self.fresh(), f"{second}({named}{self.given_mask(0.1, other)})", other, Item(name, (), "")):
            self.count += 1

    def call_list(self) -> None:
        """A zero state, made by an operation or an Input."""
        item = self.one(lambda item: item.sequence)
        row = self.one(lambda item: len(item.shape) == 2 and item.shape[1] is not None and item.dtype in FLOATS)
        if item is None or row is None:
            return
        kind = self.rng.choice(("LSTM", "GRU"))
        states = f"[{row.name}, {row.name}]" if kind == "LSTM" else row.name
        text = f"layers.{kind}({row.shape[1]}, return_sequences=True)({item.name}, initial_state={states})"
        if self.take(self.fresh(), text, item, row):
            self.count += 1

    def share(self) -> None:
        """One layer, or model, called on two tensors."""
        item = self.one(lambda item: item.sequence)
        found = [one for one in self.pool if item and len(one.shape) == 3 and one.shape[-1] == item.shape[-1]]
        if item is None:
            return
        name = self.fresh("shared")
        text = self.rnn(item) if self.rng.random() < 0.6 else self.model(item)
        if not text or not self.bench.attempt(f"{name} = {text}"):
            return
        for one in (item, self.rng.choice(found)):
            if self.take(self.fresh(), f"{name}({one.name})", one) and "RNN" not in text:
                self.count += 1

    # ---- models inside

    def chain(self, goal: int, item: Item | None = None) -> tuple[list[str], str]:
        """Constructors that work one after another, and the Input that they begin with."""
        bench, pool, inputs, count = self.bench, self.pool, self.inputs, self.count
        kept, used = (list(bench.lines), dict(bench.names)), set(self.used)
        self.pool, self.inputs = [], []
        entry = "" if item is not None else self.enter(self.rng.random() < 0.6)
        if item is not None:
            self.pool = [Item(item.name, item.shape, item.dtype)]
        texts: list[str] = []
        made = 0
        for _ in range(STEPS):
            here = self.pool[-1] if self.pool else None
            if here is None or made >= goal:
                break
            loop = here.sequence and self.rng.random() < 0.45
            text = self.rnn(here) if loop else self.plain()
            if "return_state" in text or "merge_mode=None" in text:
                continue
            if self.take(self.fresh(), f"{text}({here.name})", here):
                if not self.pool[-1].sequence and made < goal and self.rng.random() < 0.8:
                    self.pool.pop()
                    continue
                texts.append(text)
                made += loop
        (bench.lines, bench.names), self.used = kept, used
        self.pool, self.inputs, self.count = pool, inputs, count
        return texts, entry

    def model(self, item: Item) -> str:
        """The text of a Sequential that takes this tensor; a functional model is bound by name."""
        texts, _ = self.chain(self.rng.choice((1, 1, 2)), item)
        shape = f"({', '.join(map(str, item.shape[1:]))},)"
        dtype = self.rng.choice((item.dtype, item.dtype, "float32"))
        entry = f'keras.Input({shape}, dtype="{dtype}")' if dtype != "float32" else f"keras.Input({shape})"
        if self.rng.random() < 0.5:
            head = [entry] if self.rng.random() < 0.5 else []
            return f"keras.Sequential([{', '.join([*head, *texts])}])"
        name, variable = self.fresh("inner"), self.fresh("b")
        lines, value = [f"{variable} = {entry}"], variable
        for text in texts:
            lines.append(f"{variable}y = {text}({value})")
            value = f"{variable}y"
        return name if self.bench.attempt(*lines, f"{name} = keras.Model({variable}, {value})") else ""

    def nest(self) -> None:
        """A model inside, with one input or with two."""
        item = self.one(lambda item: len(item.shape) >= 2 and item.shape[-1] is not None)
        if item is None:
            return
        if self.rng.random() < 0.3:
            return self.nest_two(item)
        text = self.model(item)
        if text and self.take(self.fresh(), f"{text}({item.name}{self.given_mask(0.1, item)})", item):
            self.count += "LSTM" in text or "GRU" in text

    def nest_two(self, item: Item) -> None:
        """A model with two inputs, and one or two outputs."""
        other = self.one(lambda one: one.sequence)
        if other is None:
            return
        b, c, name = self.fresh("b"), self.fresh("c"), self.fresh("inner")
        lines = [
            f'{variable} = keras.Input(({", ".join(map(str, one.shape[1:]))},), dtype="{one.dtype}")'
            for variable, one in ((b, item), (c, other))
        ]
        one, two = self.chain(1, item)[0], self.chain(1, other)[0]
        values = []
        for variable, texts in ((b, one), (c, two)):
            value = variable
            for text in texts:
                lines.append(f"{variable}y = {text}({value})")
                value = f"{variable}y"
            values.append(value)
        outputs = self.rng.choice((f"[{', '.join(values)}]", values[0], f"layers.Concatenate()([{', '.join(values)}])"))
        made = self.bench.attempt(*lines, f"{name} = keras.Model([{b}, {c}], {outputs})")
        if made and self.take(self.fresh(), f"{name}([{item.name}, {other.name}])", item, other):
            self.count += 1


def programs(
    framework: str, version: str, keras: Any, seeds: Iterable[int], around: Around = contextlib.nullcontext
) -> Iterator[tuple[int, Program]]:
    """One program after another, each drawn within `around()`; those without a model are passed over."""
    for seed in seeds:
        keras.backend.clear_session()
        if not version.startswith("3"):
            keras.mixed_precision.set_global_policy("float32")
        keras.backend.set_floatx("float32")
        with around():
            program = WideWriter(seed, framework, version, keras).write()
        if "model = " in program.source:
            yield seed, program
