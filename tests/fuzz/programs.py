"""Programs that parse: grown from what the interpreter models, and put together from pieces of others.

Most texts with changed tokens are no Python any more, and end at the parser. These are changed as trees.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from mutations import LARGEST

HEAD = (
    "import keras, functools\nfrom keras.layers import *\nfrom keras import layers\n",
    "import tensorflow as tf\nfrom tensorflow import keras\nfrom tensorflow.keras.layers import *\nimport functools\n",
    "import keras\nfrom keras.layers import LSTM, GRU, RNN, LSTMCell, Bidirectional, Dense\nlayers = keras.layers\n",
)
NAMES = [
    "a", "b", "c", "x", "y", "f", "g", "A", "B", "self", "model", "args", "kwargs", "é", "ﬁ", "_", "__all__",
    "layers",
]  # fmt: skip
ATTRIBUTES = [
    "a", "b", "f", "g", "units", "layers", "call", "build", "__init__", "__dict__", "__class__", "__call__",
    "__getattr__", "__iter__", "__enter__", "__mro__", "cell", "mask", "shape", "append", "real",
]  # fmt: skip
METHODS = [
    "append({e})", "extend({e})", "pop()", "pop({e})", "update({e})", "items()", "keys()", "get({e}, {e})", "copy()",
    "join({e})", "format({e})", "format(**{e})", "split({s})", "index({e})", "sort(key={e})", "setdefault({e}, {e})",
    "remove({e})", "insert({k}, {e})", "reverse()", "clear()", "__setitem__({e}, {e})", "add({e})", "compile({e})",
    "fit({e})", "call({e})", "build({e})", "send({e})", "throw({e})", "__enter__()", "popitem()", "replace({s}, {e})",
    "get_config()", "from_config({e})", "compute_mask({e})", "summary()", "get_layer({e})",
]  # fmt: skip
NUMBERS = [
    "0", "1", "2", "8", "-1", "10**9", "2**70", "0.5", "1e999", "True", "None", "...", "3j", "10**400", "0xfff",
]  # fmt: skip
TEXTS = [
    "'a'", "''", "'relu'", "'tanh'", "b'x'", "'%s %d'", "'{} {0.a}'", "'\\ud800'", "'é\\u202e'", "'{:>9999999}'",
    "'LSTM'", "'layers'", "'__class__'", "'float16'", "'a' * 9",
]  # fmt: skip
LAYERS = [
    "LSTM({k})", "GRU({k}, activation={e})", "LSTM({k}, {w}={e})", "Bidirectional({l})", "RNN(LSTMCell({k}))",
    "RNN([{e}, {e}])", "TimeDistributed({l})", "layers.LSTM(*{e}, **{e})", "Embedding(9, 4, mask_zero={e})",
    "Dense({k})", "Masking()", "SimpleRNN({k})", "ConvLSTM1D({k}, 2)", "keras.Sequential([{l}, {e}])",
    "keras.Input(({k}, {k}))", "keras.Model({e}, {e})", "{l}({e})", "{l}({e}, mask={e})", "GRUCell({e})",
    "Lambda({e})", "Dropout({e})", "keras.layers.Concatenate()([{e}, {e}])",
]  # fmt: skip
WORDS = [
    "units", "activation", "recurrent_activation", "unroll", "use_bias", "dropout", "recurrent_dropout", "name",
    "dtype", "reset_after", "return_sequences", "return_state", "implementation", "use_cudnn", "time_major",
    "input_shape", "stateful", "merge_mode", "trainable", "kernel_initializer", "batch_input_shape", "go_backwards",
]  # fmt: skip
EXPRESSIONS = [
    "{n}", "{n}", "{n}", "{k}", "{k}", "{s}", "{l}", "{l}", "{l}", "[{e}, {e}]", "({e}, {e})", "[]", "{{}}", "()",
    "{{{e}: {e}, {s}: {e}}}", "{{{e}, {e}}}", "{n}.{a}", "{e}.{a}", "{n}[{e}]", "{n}[{k}:{e}:{k}]", "{n}({e})",
    "{n}()", "{n}({e}, {n}={e})", "{n}(*{e}, **{e})", "{n}.{m}", "{e}.{m}", "({e} + {e})", "({e} * {k})",
    "({e} % {e})", "({e} ** {e})", "({e} << {k})", "({e} // {e})", "(-{e})", "({e} | {e})", "({e} @ {e})",
    "({e} if {e} else {e})", "(lambda x: {e})", "(lambda *args, x={e}, **kwargs: {e})", "[{e} for x in {e} if {e}]",
    "{{x: {e} for x in {e}}}", "list({e} for x in {e} for y in {e})", "(not {e})", "({e} and {e})", "({e} or {e})",
    "({e} == {e})", "({e} in {e})", "({e} is None)", "({e} < {e} < {e})", "f'{{{n}}}{{{n}!r:>{k}}}'", "(y := {e})",
    "[*{e}, *{e}]", "{{**{e}, **{e}}}", "getattr({e}, {s}, {e})", "setattr({n}, {s}, {e})", "dict({n}={e})",
    "functools.partial({e}, {e}, {w}={e})", "range({k})", "range({e}, {e}, {k})", "enumerate({e})", "zip({e}, {e})",
    "map({e}, {e})", "sorted({e}, key={e})", "len({e})", "isinstance({e}, {e})", "type({e})",
    "type({s}, ({n},), {e})", "super().__init__({e})", "super({n}, {n}).{a}", "vars()", "globals()[{s}]", "locals()",
    "functools.reduce({e}, {e}, {e})", "next({e})", "iter({e})", "sum({e})", "max({e})", "int({e})", "str({e})",
    "{s}.{m}", "{s} % {e}", "id({e})", "eval({s})", "exec({s})", "__import__({s})", "print({e})",
    "object.__new__({n})", "hash({e})", "list({e})", "tuple({e})", "set({e})", "bytes({e})", "reversed({e})",
    "abs({e})", "open({s}).read()", "callable({e})", "hasattr({e}, {s})", "any({e})", "divmod({e}, {e})",
    "pow({e}, {e}, {e})", "repr({e})", "slice({e}, {e})", "memoryview({e})", "frozenset({e})", "__builtins__",
    "np.zeros(({e}, {e}))", "tf.function({e})",
]  # fmt: skip
STATEMENTS = [
    "{n} = {e}", "{n} = {e}", "{n} = {l}", "{n} = {n} = {e}", "{n}, {n} = {e}", "{n}, *{n} = {e}", "{n}[{e}] = {e}",
    "{n}.{a} = {e}", "{n} += {e}", "{n} *= {k}", "{n}[{e}] |= {e}", "{n}.append({n})", "{n}[{k}] = {n}",
    "{n} = [{n}]", "{n}.{a} = {n}", "{n} = {n}.{m}", "{e}", "{l}", "del {n}", "del {n}[{e}]", "global {n}",
    "import {n}", "pass", "from {n} import {n}", "assert {e}, {e}", "raise {e}", "{n}: {e} = {e}",
    "for {n} in {e}:\n{b}", "for {n}, {n} in {e}:\n{b}\nelse:\n{b}", "for {n} in range({k}):\n{b}", "while {e}:\n{b}",
    "while True:\n{b}", "if {e}:\n{b}", "if {e}:\n{b}\nelse:\n{b}", "if {n} is None:\n{b}",
    "def {n}(x, c={e}, *args, **kwargs):\n{b}", "def {n}():\n{b}", "def {n}(x, /, y, *, a={e}):\n{b}",
    "@{e}\ndef {n}(x):\n{b}", "def {n}(x):\n    return {n}({e})", "async def {n}(x):\n{b}", "class {n}:\n{b}",
    "class {n}({n}):\n{b}", "class {n}(Layer, {n}):\n    def __init__(self, **kwargs):\n{b}{b}",
    "class {n}(keras.Model):\n    def __init__(self):\n{b}{b}\n    def call(self, x, mask=None):\n{b}{b}",
    "class {n}(metaclass={n}):\n{b}", "@property\ndef {n}(self):\n{b}",
    "class {n}(LSTM):\n    def call(self, x):\n{b}{b}", "try:\n{b}\nexcept {e} as {n}:\n{b}\nfinally:\n{b}",
    "try:\n{b}\nexcept:\n{b}\nelse:\n{b}", "with {e} as {n}:\n{b}", "with tf.device({s}):\n{b}",
    "match {e}:\n    case [{n}, *{n}]:\n{b}{b}\n    case {{'a': {n}}} if {e}:\n{b}{b}",
    "match {e}:\n    case {n}({a}=1) | None:\n{b}{b}\n    case _:\n{b}{b}", "if __name__ == '__main__':\n{b}",
]  # fmt: skip
IN_FUNCTION = [
    "return {e}", "return {e}", "return", "yield {e}", "x = yield {e}", "yield from {e}", "nonlocal {n}",
]  # fmt: skip
IN_LOOP = [
    "break", "continue", "if {e}:\n    break",
]  # fmt: skip
FORMS = [
    "[x]", "(x,)", "{1: x}", "f(x)", "x.f()", "x[0]", "-x", "x + 1", "lambda: x", "LSTM(x)", "x if x else 1",
    "[x for x in y]", "Bidirectional(x)", "functools.partial(x)",
]  # fmt: skip


class Grown:
    """A program that grows: templates whose holes are filled until it is deep enough."""

    def __init__(self, draw: Random) -> None:
        self.draw = draw
        self.inside: list[str] = []  # the heads around a statement

    def program(self) -> str:
        """A program with a head that imports Keras."""
        lines = [self.statement(self.draw.choice([1, 2, 2, 3])) for _ in range(self.draw.choice([2, 4, 8, 12]))]
        return (self.draw.choice(HEAD) + "\n".join(lines) + "\n")[:LARGEST]

    def expression(self, depth: int) -> str:
        """An expression; at depth 0 a name or a constant."""
        if depth <= 0:
            return self.draw.choice(self.draw.choice([NAMES, NAMES, NUMBERS, TEXTS]))
        return self._filled(self.draw.choice(EXPRESSIONS), depth - 1)

    def statement(self, depth: int) -> str:
        """A statement, perhaps with others inside."""
        few = STATEMENTS if depth > 0 else STATEMENTS[:20]
        if self.draw.random() < 0.15 and any("def " in head for head in self.inside[-1:]):
            few = IN_FUNCTION
        elif self.draw.random() < 0.2 and self.inside and self.inside[-1].startswith(("for", "while")):
            few = IN_LOOP
        template = self.draw.choice(few)
        self.inside.append(template)
        made = self._filled(template, depth)
        self.inside.pop()
        return made

    def _body(self, depth: int) -> str:
        lines = [self.statement(depth - 1) for _ in range(self.draw.choice([1, 1, 2, 3]))]
        return "\n".join("    " + line for line in "\n".join(lines).split("\n"))

    def _filled(self, template: str, depth: int) -> str:
        """A template with its holes filled; `{b}{b}` is a body one step further in."""
        made, at = "", 0
        while at < len(template):
            piece = template[at : at + 3]
            if piece in _HOLES:
                twice = template[at : at + 6] == "{b}{b}"
                text = _HOLES[piece](self, depth)
                made += "\n".join("    " + line for line in text.split("\n")) if twice else text
                at += 6 if twice else 3
            elif piece[:2] in ("{{", "}}"):
                made, at = made + piece[0], at + 2
            else:
                made, at = made + piece[0], at + 1
        return made

    def _layer(self, depth: int) -> str:
        return self._filled(self.draw.choice(LAYERS), depth - 1) if depth > -2 else "LSTM(8)"


_HOLES: dict[str, Callable[[Grown, int], str]] = {
    "{e}": lambda one, depth: one.expression(depth),
    "{b}": lambda one, depth: one._body(depth),
    "{l}": lambda one, depth: one._layer(depth),
    "{m}": lambda one, depth: one._filled(one.draw.choice(METHODS), depth - 1),
    "{n}": lambda one, depth: one.draw.choice(NAMES),
    "{a}": lambda one, depth: one.draw.choice(ATTRIBUTES),
    "{k}": lambda one, depth: one.draw.choice(NUMBERS),
    "{s}": lambda one, depth: one.draw.choice(TEXTS),
    "{w}": lambda one, depth: one.draw.choice(WORDS),
}


def spliced(text: str, other: str, draw: Random) -> str:
    """A program whose tree is changed, with pieces of another; raise SyntaxError where one of them does not parse."""
    tree, theirs = ast.parse(text), ast.parse(other)
    for _ in range(draw.choice([1, 2, 2, 3, 5])):
        draw.choice(_CHANGES)(tree, theirs, draw)
    try:
        return ast.unparse(ast.fix_missing_locations(tree))[:LARGEST]
    except (RecursionError, ValueError):
        return text  # too deep; or a tree that no text has


def _slots(tree: ast.AST, kind: type[ast.AST]) -> list[tuple[Any, Any, Any]]:
    """Every place of a node of a kind: its owner or list, the name or index, and the node."""
    found: list[tuple[Any, Any, Any]] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.JoinedStr, ast.MatchValue, ast.MatchMapping)):
            continue  # what is inside cannot be anything
        for name, value in ast.iter_fields(node):
            if name == "format_spec":
                continue
            if isinstance(value, kind):
                found.append((node.__dict__, name, value))
            elif isinstance(value, list):
                found += [(value, at, one) for at, one in enumerate(value) if isinstance(one, kind)]
    return [one for one in found if not isinstance(getattr(one[2], "ctx", None), (ast.Store, ast.Del))]


def _grafted(tree: ast.AST, theirs: ast.AST, draw: Random) -> None:
    """Put an expression of another program, or a grown one, in the place of one."""
    own, given = _slots(tree, ast.expr), _slots(theirs, ast.expr)
    if not own:
        return
    new = deepcopy(draw.choice(given)[2]) if given and draw.random() < 0.6 else _parsed(Grown(draw).expression(2))
    holder, name, _ = draw.choice(own)
    holder[name] = new


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return ast.Name("x", ast.Load())


def _moved(tree: ast.AST, theirs: ast.AST, draw: Random) -> None:
    """Put a statement, of either program or a grown one, somewhere, once or many times."""
    own, given = _slots(tree, ast.stmt), _slots(draw.choice([tree, theirs]), ast.stmt)
    if not own or not given:
        return
    body, at, _ = draw.choice(own)
    new = deepcopy(draw.choice(given)[2])
    body[at:at] = [new] * draw.choice([1, 1, 1, 2, 30])


def _without(tree: ast.AST, theirs: ast.AST, draw: Random) -> None:
    own = _slots(tree, ast.stmt)
    if own:
        body, at, _ = draw.choice(own)
        body[at] = ast.Pass()


def _wrapped(tree: ast.AST, theirs: ast.AST, draw: Random) -> None:
    """Put a statement inside another: a loop of any count, a branch, a function, a class, a handler."""
    own = _slots(tree, ast.stmt)
    if not own:
        return
    body, at, node = draw.choice(own)
    head = draw.choice([
        "while x:", "while True:", "for x in range(10**9):", "for x in x:", "if x:", "def f(x=f):", "class A(A):",
        "with x as x:", "for x, y in zip(range(3), a):", "async def f():", "def x(*args, **kwargs):",
        "if not x is None:",
    ])  # fmt: skip
    for _ in range(draw.choice([1, 1, 1, 2, 12])):
        outer = ast.parse(f"{head}\n    pass").body[0]
        outer.body = [node]  # type: ignore[attr-defined]
        node = outer
    body[at] = node


def _deep(tree: ast.AST, theirs: ast.AST, draw: Random) -> None:
    """Nest an expression."""
    own = _slots(tree, ast.expr)
    if not own:
        return
    holder, name, node = draw.choice(own)
    form = draw.choice(FORMS)
    for _ in range(draw.choice([2, 3, 10, 40])):
        outer = ast.parse(form, mode="eval").body
        target = next(one for one in _slots(ast.Expression(outer), ast.Name) if one[2].id == "x")
        target[0][target[1]] = node
        node = outer if outer is not target[2] else node
    holder[name] = node


def _renamed(tree: ast.AST, theirs: ast.AST, draw: Random) -> None:
    """Let one name be another, nearly everywhere."""
    names = [node for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.arg, ast.FunctionDef, ast.ClassDef))]
    if not names:
        return
    word = {ast.Name: "id", ast.arg: "arg"}
    old, new = (getattr(node, word.get(type(node), "name")) for node in (draw.choice(names), draw.choice(names)))
    if draw.random() < 0.2:
        new = draw.choice(NAMES)
    for node in names:
        field = word.get(type(node), "name")
        if getattr(node, field) == old and draw.random() < 0.8:
            setattr(node, field, new)


def _constant(tree: ast.AST, theirs: ast.AST, draw: Random) -> None:
    """Put something odd in the place of a constant."""
    own = _slots(tree, ast.Constant)
    if own:
        holder, name, _ = draw.choice(own)
        holder[name] = _parsed(
            draw.choice(draw.choice([NUMBERS, TEXTS, ["9" * 4000, "['a'] * 10**9", "{**{}}", "*x", "x.y"]]))
        )


_CHANGES = [_grafted, _grafted, _grafted, _moved, _moved, _without, _wrapped, _deep, _renamed, _renamed, _constant]
