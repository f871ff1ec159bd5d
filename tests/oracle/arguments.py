"""Draws the arguments of recurrent layers, as source text. Imports no framework.

Most layers get a few arguments that differ from the defaults, so that every verdict is common. An argument is
drawn only where the release knows it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Callable, Dict

from spelling import Spelling, release

Named = Dict[str, str]
HOW_MANY = (0, 0, 0, 1, 1, 1, 2, 2, 3, 4)
# Drawn three times as often as the others.
TELLING = {"activation", "recurrent_activation", "recurrent_dropout", "dropout", "use_bias", "unroll", "reset_after"}
TELLING |= {"use_cudnn", "time_major", "implementation"}
STRINGS = ("relu", "linear", "hard_sigmoid", "elu", "softsign", "selu", "exponential", "softplus")


@dataclass
class Context:
    """What the place in the model allows: a fixed number of steps, a fixed batch, the target's release."""

    framework: str
    version: str
    backend: str
    steps: int | None = None
    batch: int | None = None
    merging: bool = False  # its output meets another layer's: keep shape and dtype

    @property
    def keras3(self) -> bool:
        """Whether the target is Keras 3."""
        return self.framework == "keras" and release(self.version) >= (3,)

    def has(self, since: str) -> bool:
        """Whether the target is this Keras 3 release or a later one."""
        return self.keras3 and release(self.version) >= release(since)


class Drawer:
    """Draws arguments for one script."""

    def __init__(self, rng: random.Random, spell: Spelling) -> None:
        self.rng = rng
        self.spell = spell

    def gated(self, kind: str, context: Context) -> Named:
        """Arguments of LSTM or GRU, less units and the return_* ones."""
        menu = self.menu(kind, context)
        names = sorted(menu) + [name for name in sorted(menu) if name in TELLING] * 2
        chosen = self.rng.sample(names, self.rng.choice(HOW_MANY))
        return {name: menu[name]() for name in dict.fromkeys(chosen)}

    def menu(self, kind: str, context: Context) -> dict[str, Callable[[], str]]:
        """What may be written, and how to draw each value."""
        pick = self.rng.choice
        menu: dict[str, Callable[[], str]] = {
            "activation": lambda: self.activation("tanh", context),
            "recurrent_activation": lambda: self.activation("sigmoid", context),
            "use_bias": lambda: pick(("True", "False")),
            "recurrent_dropout": lambda: pick(("0.1", "0.25", "0.0", "0")),
            "dropout": lambda: pick(("0.1", "0.2", "0.5", "0.0")),
            "unroll": lambda: pick(("True", "False")) if context.steps else "False",
            "go_backwards": lambda: pick(("True", "False")),
            "implementation": lambda: pick(("1", "2")),
            "zero_output_for_mask": lambda: pick(("True", "False")),
            "kernel_initializer": lambda: pick(('"he_normal"', '"glorot_uniform"')),
            "trainable": lambda: "False",
        }
        menu["unit_forget_bias" if kind == "LSTM" else "reset_after"] = lambda: pick(("True", "False"))
        if context.batch:
            menu["stateful"] = lambda: pick(("True", "True", "False"))
        if not context.merging:
            menu["dtype"] = lambda: self.dtype(context)
        menu.update(self.by_release(context))
        return menu

    def by_release(self, context: Context) -> dict[str, Callable[[], str]]:
        """What only some releases know."""
        pick = self.rng.choice
        menu: dict[str, Callable[[], str]] = {}
        if context.has("3.2.0"):
            menu["use_cudnn"] = lambda: pick(('"auto"', "True", "False", "True"))
        if context.keras3:
            menu["seed"] = lambda: "7"
        elif not context.merging and not context.batch:
            menu["time_major"] = lambda: pick(("True", "False"))
        return menu

    def activation(self, good: str, context: Context) -> str:
        """An activation: the eligible one in some spelling, or another."""
        if self.rng.random() < 0.45:
            return self.spell.imported(self.rng.choice(self.eligible(good, context)))
        others = [f'"{name}"' for name in STRINGS] + ["None", self.spell.keras("activations.relu")]
        return self.rng.choice([*others, self.lookalike(good)])

    def eligible(self, good: str, context: Context) -> list[str]:
        """Spellings that cuDNN takes, or looks as if it did: the oracle knows better."""
        found = [f'"{good}"', f'"{good}"', self.spell.keras("activations." + good)]
        by_backend = {"tensorflow": ("tf.nn.", "tf.math."), "jax": ("jax.nn.",), "torch": ("torch.",)}
        found += [prefix + good for prefix in by_backend.get(context.backend, ())]
        if context.keras3:
            found.append(self.spell.keras("ops." + good))
        return found

    def lookalike(self, good: str) -> str:
        """The same function behind another object."""
        call = self.spell.keras("activations." + good)
        layer = self.spell.call(self.spell.layer("Activation"), [f'"{good}"'])
        return self.rng.choice((f"lambda value: {call}(value)", layer))

    def dtype(self, context: Context) -> str:
        """A dtype or policy."""
        choices = ['"float32"', '"mixed_float16"', '"mixed_bfloat16"', '"bfloat16"']
        if context.framework != "tensorflow":
            choices.append(self.spell.call(self.spell.keras("mixed_precision.Policy"), ['"mixed_float16"']))
        if context.backend == "tensorflow":
            choices += ['"float16"', '"float64"']
        return self.rng.choice(choices)

    def simple(self, context: Context) -> Named:
        """Arguments of SimpleRNN and of RNN round a cell."""
        menu = {"go_backwards": "True", "unroll": "True" if context.steps else "False", "zero_output_for_mask": "True"}
        return {name: menu[name] for name in self.rng.sample(sorted(menu), self.rng.choice((0, 0, 1, 2)))}

    def cell(self) -> tuple[str, Named]:
        """A cell's class, and arguments."""
        kind = self.rng.choice(("LSTMCell", "GRUCell", "SimpleRNNCell"))
        menu = {"activation": '"relu"', "use_bias": "False", "dropout": "0.1", "recurrent_dropout": "0.1"}
        return kind, {name: menu[name] for name in self.rng.sample(sorted(menu), self.rng.choice((0, 0, 1)))}
