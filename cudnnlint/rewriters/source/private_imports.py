"""Imports from modules that Keras does not promise: `keras.layers.recurrent`, `tensorflow.python.keras`.

They are moved to the public modules. A layer of TensorFlow's private copy of Keras does not go with the models of the
public one, so that of the copy every import of a file is moved, or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from cudnnlint.core.edit import Edit
from cudnnlint.rewriters.source.fix_context import FixContext, Impossible
from cudnnlint.rewriters.source.flow import bindings
from cudnnlint.rewriters.source.parsed_page import Page

COPY, PUBLIC_COPY = "tensorflow.python.keras", "tensorflow.keras"
LAYERS = "keras.layers"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: What each public module has in every release from TensorFlow 2.0 on (tests/rewriters/source/test_private_imports.py).
PUBLIC: Mapping[str, frozenset[str]] = {
    "layers": _words(
        "Activation ActivityRegularization Add AdditiveAttention AlphaDropout Attention Average AveragePooling1D "
        "AveragePooling2D AveragePooling3D BatchNormalization Bidirectional Concatenate Conv1D Conv2D Conv2DTranspose "
        "Conv3D Conv3DTranspose ConvLSTM2D Cropping1D Cropping2D Cropping3D Dense DepthwiseConv2D Dot Dropout ELU "
        "Embedding Flatten GRU GRUCell GaussianDropout GaussianNoise GlobalAveragePooling1D GlobalAveragePooling2D "
        "GlobalAveragePooling3D GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D Input InputLayer InputSpec "
        "LSTM LSTMCell Lambda LayerNormalization LeakyReLU Masking MaxPool1D MaxPool2D MaxPooling1D MaxPooling2D "
        "MaxPooling3D Maximum Minimum Multiply PReLU Permute RNN ReLU RepeatVector Reshape SeparableConv1D "
        "SeparableConv2D SimpleRNN SimpleRNNCell Softmax SpatialDropout1D SpatialDropout2D SpatialDropout3D "
        "StackedRNNCells Subtract TimeDistributed UpSampling1D UpSampling2D UpSampling3D Wrapper ZeroPadding1D "
        "ZeroPadding2D ZeroPadding3D add average concatenate dot maximum minimum multiply subtract"
    ) | {"Layer"},
    "models": _words("Model Sequential clone_model load_model model_from_json save_model"),
    "callbacks": _words(
        "CSVLogger Callback EarlyStopping History LambdaCallback LearningRateScheduler ModelCheckpoint "
        "ReduceLROnPlateau RemoteMonitor TensorBoard TerminateOnNaN"
    ),
    "optimizers": _words("Adadelta Adagrad Adam Adamax Ftrl Nadam Optimizer RMSprop SGD"),
    "regularizers": _words("L1L2 Regularizer l1 l1_l2 l2"),
    "initializers": _words(
        "Constant GlorotNormal GlorotUniform Identity Initializer Ones Orthogonal RandomNormal RandomUniform "
        "TruncatedNormal VarianceScaling Zeros"
    ),
    "constraints": _words("Constraint MaxNorm MinMaxNorm NonNeg UnitNorm"),
    "utils": _words("Progbar Sequence get_custom_objects get_file normalize plot_model to_categorical"),
}  # fmt: skip
#: Modules that are imported as such.
MODULES = _words("activations applications backend datasets losses metrics preprocessing") | PUBLIC.keys()
#: Private modules with another name than the public one; what `engine` holds is found by its name.
RENAMED: Mapping[str, str] = {"optimizer_v2": "optimizers", "saving": "models"}


def of_the_copy(context: FixContext) -> list[Edit]:
    """Return the edits that move every import of TensorFlow's private copy of Keras."""
    edits = []
    for page in context.pages:
        for statement in page.every(cst.ImportFrom):
            module = _module(page, statement)
            if module == "tensorflow.python" and _names(statement) == ["keras"]:
                edits.append(_moved(page, statement, "tensorflow"))
            elif f"{module}.".startswith(f"{COPY}."):
                edits.append(_moved(page, statement, _public(module, _names(statement))))
        for alias in page.every(cst.ImportAlias):
            name = page.source(alias.name)
            if isinstance(page.parents[alias], cst.Import) and f"{name}.".startswith(f"{COPY}."):
                edits.append(page.edit(*page.span(alias.name), _of_a_module(name, alias)))
    return edits


def _public(module: str, names: list[str]) -> str:
    """Return the public module that has these names of a module of the copy. Raises Impossible."""
    within = module.removeprefix(COPY).lstrip(".").split(".")[0]
    if not within:
        for name in names:
            if name not in MODULES | {"Input", "Model", "Sequential"}:
                raise Impossible(f"{name} is imported from {module} too, and its public place is not known")
        return PUBLIC_COPY
    homes = [_home(within, name) for name in names]
    for name, home in zip(names, homes, strict=True):
        if home is None or home != homes[0]:
            raise Impossible(f"{name} is imported from {module} too, and its public place is not known")
    return f"{PUBLIC_COPY}.{homes[0]}"


def _home(within: str, name: str) -> str | None:
    """Return the public module of a name."""
    if within == "engine":
        return next((home for home in ("models", "layers") if name in PUBLIC[home]), None)
    home = RENAMED.get(within, within)
    return home if name in PUBLIC.get(home, ()) else None


def _of_a_module(name: str, alias: cst.ImportAlias) -> str:
    """Return the public name of a module of the copy that `import` names. Raises Impossible."""
    within = name.removeprefix(COPY).lstrip(".")
    if alias.asname is None or within not in MODULES | {""}:
        raise Impossible(f"{name} is imported too, and its public place is not known")
    return f"{PUBLIC_COPY}.{within}" if within else PUBLIC_COPY


def of_layers(context: FixContext, name: str, old: str) -> list[Edit]:
    """Return the edits that move the imports of layers from modules inside `keras.layers`, `name` from `old` first.

    Raises Impossible where `name` may come from elsewhere; other imports that cannot be moved are left.
    """
    bound = [node for page in context.pages for node in bindings(page, name)]
    own = [one for page, one in _from_within_layers(context) if name in _locals(one) and _module(page, one) == old]
    if not own or len(own) != len(bound):
        raise Impossible(f"where the name {name} comes from is not an import of {old} alone")
    others = [each for one in own for each in _names(one) if each not in PUBLIC["layers"]]
    if others:
        raise Impossible(f"its import statement brings {others[0]}, too")
    return [
        _moved(page, one, LAYERS)
        for page, one in _from_within_layers(context)
        if PUBLIC["layers"].issuperset(_names(one))
    ]


def _from_within_layers(context: FixContext) -> Iterator[tuple[Page, cst.ImportFrom]]:
    for page in context.pages:
        for statement in page.every(cst.ImportFrom):
            if _module(page, statement).startswith(f"{LAYERS}."):
                yield page, statement


def _module(page: Page, statement: cst.ImportFrom) -> str:
    return page.source(statement.module) if statement.module is not None and not statement.relative else ""


def _names(statement: cst.ImportFrom) -> list[str]:
    """Return the names that a statement imports; a star is one."""
    if isinstance(statement.names, cst.ImportStar):
        return ["*"]
    return [alias.evaluated_name for alias in statement.names]


def _locals(statement: cst.ImportFrom) -> list[str]:
    if isinstance(statement.names, cst.ImportStar):
        return []
    return [alias.evaluated_alias or alias.evaluated_name for alias in statement.names]


def _moved(page: Page, statement: cst.ImportFrom, module: str) -> Edit:
    assert statement.module is not None
    return page.edit(*page.span(statement.module), module)
