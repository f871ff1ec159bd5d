"""Puts one layer class in the place of another: CuDNNLSTM by LSTM, TensorFlow 1's class by TensorFlow 2's."""

from __future__ import annotations

import libcst as cst

from cudnnlint.core.edit import Edit, ReplaceClass
from cudnnlint.rewriters.source import class_names, private_imports
from cudnnlint.rewriters.source.fix_context import FixContext, Impossible, Need
from cudnnlint.rewriters.source.parsed_page import Page

COMPAT = ".compat.v1"


def replace(context: FixContext, need: Need, step: ReplaceClass) -> list[Edit]:
    """Return the edits that call `step.new` where `step.old` was called."""
    edits: list[Edit] = []
    for place in dict.fromkeys(made.place for made in need.made):
        page, call = context.call(place)
        if isinstance(func := call.func, cst.Attribute) and _is_below_layers(step):
            edits.append(page.edit(*page.span(func.attr), f"layers.{func.attr.value}"))
        elif "." in step.new and COMPAT not in step.old:
            edits += _from_the_public_module(context, call.func, step)
        elif "." in step.new:
            edits += _from_tensorflow_2(context, page, call.func, step)
        else:
            edits += class_names.replaced(context, page, call.func, step.old.rpartition(".")[2], step.new)
    return list(dict.fromkeys(edits))


def _is_below_layers(step: ReplaceClass) -> bool:
    """Return whether the class is in `layers` of the module that it is called from: `tf.keras.LSTM`."""
    module, _, name = step.old.rpartition(".")
    return step.new == f"{module}.layers.{name}"


def _from_tensorflow_2(context: FixContext, page: Page, func: cst.BaseExpression, step: ReplaceClass) -> list[Edit]:
    """`step.new` is the whole path from `tensorflow` on; the file reaches the old class by tensorflow.compat.v1."""
    text = page.source(func)
    if COMPAT in text:
        return [page.edit(*page.span(func), text.replace(COMPAT, "", 1))]
    if isinstance(func, cst.Name):
        return _from_its_module(context, func.value)
    root = func
    while isinstance(root, cst.Attribute):
        root = root.value
    if not isinstance(root, cst.Name):
        raise Impossible("the class is not called by a name")
    return [page.edit(*page.span(func), step.new), *_import_of_tensorflow(context, root.value)]


def _from_the_public_module(context: FixContext, func: cst.BaseExpression, step: ReplaceClass) -> list[Edit]:
    """`from keras.layers.recurrent import LSTM`, where Keras has the class in keras.layers."""
    if f"{step.old}.".startswith(f"{private_imports.COPY}."):
        return private_imports.of_the_copy(context)
    if not isinstance(func, cst.Name):
        raise Impossible("the class is not called by a name of its own")
    return private_imports.of_layers(context, func.value, step.old.rpartition(".")[0])


def _from_its_module(context: FixContext, name: str) -> list[Edit]:
    """`from tensorflow.compat.v1.keras.layers import LSTM`."""
    found = class_names.imported(context, name)
    if found is None or COMPAT not in found.module or found.statement.module is None:
        raise Impossible(f"{name} is not imported by name from {COMPAT[1:]}")
    assert not isinstance(found.statement.names, cst.ImportStar)
    if any(alias.evaluated_name not in ("LSTM", "GRU") for alias in found.statement.names):
        raise Impossible("the same import statement also imports other classes of TensorFlow 1")
    return [found.page.edit(*found.page.span(found.statement.module), found.module.replace(COMPAT, "", 1))]


def _import_of_tensorflow(context: FixContext, name: str) -> list[Edit]:
    """Return the edits that put `import tensorflow` in front of the import of tensorflow.compat.v1 as `name`.

    There is none where the file imports tensorflow already.
    """
    for page in context.pages:
        for statement in page.every(cst.Import):
            if any(alias.evaluated_name == "tensorflow" and alias.asname is None for alias in statement.names):
                return []
            if any(alias.evaluated_alias == name for alias in statement.names):
                start = page.span(statement)[0]
                indent = page.indent(start)
                if indent is None:
                    raise Impossible("the import of TensorFlow 1 is not on a line of its own")
                return [page.edit(start, start, f"import tensorflow{page.newline}{indent}")]
    raise Impossible(f"the import of {name} was not found")
