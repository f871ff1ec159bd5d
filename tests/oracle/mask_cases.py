"""The programs of the mask table: a layer class, what comes in, and a probe behind it that a mask reaches or not.

Every class of `keras.layers` in every release has a recipe here. A program is the same text for each framework but
for its import. `Probe` stands for a recurrent layer that takes a tensor of any rank: Keras is asked with a layer of
its own that looks at its mask, cudnnlint reads `layers.LSTM` there. Imports no framework.
"""

from __future__ import annotations

from typing import Iterator, NamedTuple, Tuple

IMPORTS = {
    "keras": "import keras\nfrom keras import layers\n",
    "tf_keras": "import tf_keras as keras\nfrom tf_keras import layers\n",
    "tensorflow": "from tensorflow import keras\nfrom tensorflow.keras import layers\n",
}

FEATURES, STEPS, ROWS, IMAGE, VIDEO = "(4,)", "(6, 4)", "(4, 6, 3)", "(6, 6, 3)", "(4, 6, 6, 3)"
#: Outer dimension and all: the one that TimeDistributed walks over.
OUTER = "4"


class Case(NamedTuple):
    """One program. `layer` is the class that the release must have, `body` the lines behind the import."""

    name: str
    layer: str
    body: str

    def source(self, framework: str) -> str:
        """The program for cudnnlint to read."""
        return IMPORTS[framework] + self.body.replace("Probe(", "layers.LSTM(2, ")

    def asked(self, framework: str) -> str:
        """The program for Keras to run; `Probe` is in its names already."""
        return IMPORTS[framework] + self.body


def moved(case: Case, paths: dict[str, str]) -> Case:
    """The same program where the class is found elsewhere below `keras`."""
    if case.layer not in paths:
        return case
    return case._replace(body=case.body.replace(f"layers.{case.layer}(", f"keras.{paths[case.layer]}("))


Recipe = Tuple[str, str, str]  # arguments, shape of the input without the batch, its dtype


def _recipes() -> dict[str, Recipe]:
    found: dict[str, Recipe] = {}

    def add(shape: str, dtype: str = "float32", **arguments: str) -> None:
        for name, text in arguments.items():
            for one in name.split("__"):
                found[one] = (text, shape, dtype)

    add(STEPS, Activation='"relu"', ActivityRegularization="", AlphaDropout="0.1", BatchNormalization="", Dense="4")
    add(STEPS, Dropout="0.1", ELU="", EinsumDense='"abc,cd->abd", output_shape=(None, 4)', Flatten="")
    add(STEPS, GaussianDropout="0.1", GaussianNoise="0.1", GroupNormalization="2", Identity="")
    add(STEPS, LayerNormalization="", LeakyReLU="", Masking="", Normalization="mean=0.0, variance=1.0")
    add(STEPS, PReLU="", Permute="(2, 1)", RMSNormalization="", ReLU="", Rescaling="0.5", Reshape="(4, 6)")
    add(STEPS, Softmax="", SpatialDropout1D="0.1", ThresholdedReLU="", UnitNormalization="")
    add(STEPS, SyncBatchNormalization="", Discretization="[0.25, 0.5]", Lambda="keras.activations.relu")
    add(FEATURES, RepeatVector="3", RandomFourierFeatures="4")
    for rank, shape in (("1D", STEPS), ("2D", IMAGE), ("3D", VIDEO)):
        add(shape, **{f"Conv{rank}__Convolution{rank}": "4, 2", f"LocallyConnected{rank}": "4, 2"})
        add(shape, **{f"Conv{rank}Transpose__Convolution{rank}Transpose__Deconvolution{rank}": "4, 2"})
        add(shape, **{f"SeparableConv{rank}__SeparableConvolution{rank}": "4, 2", f"DepthwiseConv{rank}": "2"})
        for pool in ("MaxPool", "MaxPooling", "AvgPool", "AveragePooling"):
            add(shape, **{f"{pool}{rank}": "2", f"Global{pool}{rank}": ""})
        add(shape, **{f"AdaptiveAveragePooling{rank}__AdaptiveMaxPooling{rank}": "2"})
        add(shape, **{f"Cropping{rank}__ZeroPadding{rank}": "1", f"UpSampling{rank}": "2"})
        add(shape, **{f"SpatialDropout{rank}": "0.1"})
    add(ROWS, ConvLSTM1D="3, 2, return_sequences=True")
    add(VIDEO, ConvLSTM2D="3, 2, return_sequences=True")
    add("(4, 6, 6, 6, 3)", ConvLSTM3D="3, 2, return_sequences=True")
    add(STEPS, LSTM__GRU__SimpleRNN="4, return_sequences=True", RNN="layers.LSTMCell(4), return_sequences=True")
    add(STEPS, Bidirectional="layers.LSTM(4, return_sequences=True)", TimeDistributed="layers.Dense(4)")
    add(STEPS, SpectralNormalization="layers.Dense(4)", Wrapper="layers.Dense(4)", Pipeline="[layers.Rescaling(0.5)]")
    add("(6,)", "int32", Embedding="9, 4", ReversibleEmbedding="9, 4", DynamicEmbedding="9, 4")
    add(STEPS, "int32", CategoryEncoding='num_tokens=9, output_mode="multi_hot"', Hashing="9")
    add(STEPS, "int32", IntegerLookup="vocabulary=[1, 2, 3]")
    add(FEATURES, "string", StringLookup='vocabulary=["a", "b"]', TextVectorization='vocabulary=["a", "b"]')
    add("(400,)", STFTSpectrogram='"log"', MelSpectrogram="")
    add(IMAGE, CenterCrop__Resizing__RandomCrop="4, 4", RandomTranslation="0.1, 0.1", RandomHeight__RandomWidth="0.1")
    add(IMAGE, RandomFlip="", RandomRotation__RandomZoom__RandomContrast__RandomBrightness="0.1")
    add(IMAGE, RandomShear__RandomHue__RandomSaturation__RandomSharpness__RandomColorDegeneration="0.1")
    add(IMAGE, RandomGrayscale__RandomInvert__RandomColorJitter__RandomErasing__RandomElasticTransform="")
    add(IMAGE, RandomGaussianBlur__RandomPerspective__Solarization__Equalization__AutoContrast="")
    add(IMAGE, RandomPosterization="4", AugMix__CutMix__MixUp__RandAugment="")
    add(IMAGE, ContrastLimitedAdaptiveHistogramEqualization="")
    found["RandomHue"] = ("0.1", IMAGE, "float32")
    return found


RECIPES = _recipes()
#: Other names of classes: asked less.
SECOND_NAMES = ("Convolution", "SeparableConvolution", "MaxPool1", "AvgPool", "GlobalMaxPool1")
MERGES = ("Add", "Average", "Concatenate", "Maximum", "Minimum", "Multiply", "Subtract")
PAIRS = ("Dot", "Attention", "AdditiveAttention")
QUERIES = ("MultiHeadAttention", "GroupQueryAttention")
RECURRENT = ("LSTM", "GRU", "SimpleRNN")
#: Classes that are no step of a model, cannot be told what to do without files or other packages, or take what
#: no masked tensor is: `keras.layers` has them, and the table has not.
LEFT_OUT = {
    "Layer": "the base class", "AbstractRNNCell": "a base class", "PreprocessingLayer": "a base class",
    "LSTMCell": "a cell", "GRUCell": "a cell", "SimpleRNNCell": "a cell", "StackedRNNCells": "a cell",
    "InputLayer": "every program has it as Input()", "TFSMLayer": "wraps a SavedModel",
    "FlaxLayer": "wraps another package's module", "JaxLayer": "wraps a function of JAX",
    "TorchModuleWrapper": "wraps a module of torch", "DenseFeatures": "takes a dict of columns",
    "HashedCrossing": "takes a pair of columns", "CategoryCrossing": "takes a pair of columns",
    "MaxNumBoundingBoxes": "takes a dict of boxes", "DynamicLookup": "takes an initial vocabulary",
}  # fmt: skip


def cases() -> Iterator[Case]:
    """Every program of the table."""
    for name, (arguments, shape, dtype) in RECIPES.items():
        yield from _single(name, f"layers.{name}({arguments})", shape, dtype)
    for name in MERGES:
        yield from _merging(name)
    for name in PAIRS:
        yield from _several(name, f"layers.{name}({'(2, 2)' if name == 'Dot' else ''})")
    for name in QUERIES:
        yield from _queries(name)
    yield from _recurrent()
    yield from _wrapped()
    yield from _models()
    yield from _dtypes()
    yield from _makers()
    yield from _operations()


def _case(name: str, layer: str, inputs: str, *lines: str) -> Case:
    """A program; unless a line makes the probes itself, one stands behind `y`."""
    probed = any("Probe(" in line for line in lines)
    behind = () if probed else ('Probe(name="probe")(y)',)
    *most, last = [*lines, *behind]
    return Case(name, layer, "\n".join([*most, f"out = {last}", f"model = keras.Model([{inputs}], out)"]) + "\n")


def _input(name: str, shape: str, dtype: str = "float32") -> str:
    given = "" if dtype == "float32" else f', dtype="{dtype}"'
    return f"{name} = keras.Input({shape}{given})"


MASK = "x = layers.Masking()(a)"
GIVEN = 'm = keras.Input((6,), dtype="bool")'


def _single(name: str, layer: str, shape: str, dtype: str) -> Iterator[Case]:
    """One tensor comes in: without a mask, with one, or with one given to the call."""
    come = _input("a", shape, dtype)
    yield _case(f"{name}: no mask", name, "a", come, f"y = {layer}(a)")
    if dtype == "string":
        return
    given = f'm = keras.Input({shape.split(",")[0]},), dtype="bool")'
    yield _case(f"{name}: mask=", name, "a, m", come, given, f"y = {layer}(a, mask=m)")
    if shape == "(6,)" or shape == "(400,)":
        return
    yield _case(f"{name}: mask", name, "a", come, MASK, f"y = {layer}(x)")
    if shape in (IMAGE, VIDEO) or name.startswith(SECOND_NAMES):
        return
    yield _case(f"{name}: mask, mask=", name, "a, m", come, given, MASK, f"y = {layer}(x, mask=m)")
    yield _case(f"{name}: mask, mask=None", name, "a", come, MASK, f"y = {layer}(x, mask=None)")
    yield _case(f"{name}: mask, in Sequential", name, "a", come, MASK, f"y = keras.Sequential([{layer}])(x)")
    if dtype == "float32":
        inner = [_input("b", shape), f"inner = keras.Model(b, {layer}(b))"]
        yield _case(f"{name}: mask, in Functional", name, "a", *inner, come, MASK, "y = inner(x)")
        outer = _input("a", f"({OUTER}, {shape[1:]}")
        text = f"y = layers.TimeDistributed({layer})(x)"
        yield _case(f"{name}: mask, in TimeDistributed", name, "a", outer, MASK, text)


def _tensors(pattern: str, shape: str = STEPS) -> tuple[str, str, list[str]]:
    """Inputs, tensors and lines for a pattern: m a masked tensor, n one without."""
    inputs = [f"a{at}" for at in range(len(pattern))]
    lines = [_input(name, shape) for name in inputs]
    lines += [
        f"x{at} = layers.Masking()(a{at})" if kind == "m" else f"x{at} = a{at}" for at, kind in enumerate(pattern)
    ]
    return ", ".join(inputs), ", ".join(f"x{at}" for at in range(len(pattern))), lines


def _merging(name: str) -> Iterator[Case]:
    yield from _several(name, f"layers.{name}()")
    if name != "Subtract":
        for pattern in ("mmm", "mnm", "nnm", "nnn"):
            inputs, tensors, lines = _tensors(pattern)
            yield _case(f"{name}: {pattern}", name, inputs, *lines, f"y = layers.{name}()([{tensors}])")
    if name == "Concatenate":
        for axis in ("1", "2", "-2"):
            for pattern in ("mm", "mn", "nm"):
                inputs, tensors, lines = _tensors(pattern)
                text = f"y = layers.Concatenate(axis={axis})([{tensors}])"
                yield _case(f"{name}(axis={axis}): {pattern}", name, inputs, *lines, text)
    for pattern in ("mm", "mn", "nn"):
        inputs, tensors, lines = _tensors(pattern)
        yield _case(f"{name} as a function: {pattern}", name, inputs, *lines, f"y = layers.{name.lower()}([{tensors}])")


def _several(name: str, layer: str) -> Iterator[Case]:
    """A list of two: each with or without a mask; masks given to the call; in a Sequential."""
    for pattern in ("nn", "mm", "mn", "nm"):
        inputs, tensors, lines = _tensors(pattern)
        yield _case(f"{name}: {pattern}", name, inputs, *lines, f"y = {layer}([{tensors}])")
    for pattern in ("nn", "mm"):
        inputs, tensors, lines = _tensors(pattern)
        for given in ("[m, m]", "[m, None]", "[None, m]", "None"):
            text = f"y = {layer}([{tensors}], mask={given})"
            yield _case(f"{name}: {pattern}, mask={given}", name, f"{inputs}, m", *lines, GIVEN, text)
    inputs, tensors, lines = _tensors("mm")
    inner = [_input("b", STEPS), _input("c", STEPS), f"inner = keras.Model([b, c], {layer}([b, c]))"]
    yield _case(f"{name}: mm, in Functional", name, inputs, *inner, *lines, f"y = inner([{tensors}])")


def _queries(name: str) -> Iterator[Case]:
    """Query, value and key are arguments of their own."""
    layer = "layers.MultiHeadAttention(2, 2)" if name == "MultiHeadAttention" else "layers.GroupQueryAttention(2, 2, 2)"
    for pattern in ("nn", "mm", "mn", "nm", "mmm", "nnm", "mnn", "nmm"):
        inputs, tensors, lines = _tensors(pattern)
        yield _case(f"{name}: {pattern}", name, inputs, *lines, f"y = {layer}({tensors})")
    for pattern in ("nn", "mm"):
        inputs, tensors, lines = _tensors(pattern)
        for given in ("query_mask=m", "value_mask=m", "query_mask=None"):
            text = f"y = {layer}({tensors}, {given})"
            yield _case(f"{name}: {pattern}, {given}", name, f"{inputs}, m", *lines, GIVEN, text)
    inputs, tensors, lines = _tensors("m")
    yield _case(f"{name}: self, mask", name, inputs, *lines, f"y = {layer}(x0, x0)")


def _recurrent() -> Iterator[Case]:
    """What a recurrent layer hands on, and which mask reaches it when other tensors come too."""
    steps = _input("a", STEPS)
    kinds = [(name, f"layers.{name}(4, {{}})") for name in RECURRENT]
    kinds += [("RNN", "layers.RNN(layers.GRUCell(4), {})"), ("RNN", "layers.RNN([layers.LSTMCell(4)] * 1, {})")]
    for at, (kind, layer) in enumerate(kinds):
        name = f"{kind} of a list" if at == 4 else kind
        every, last = "return_sequences=True", "return_sequences=False"
        for given in ("", every, last, f"go_backwards=True, {every}"):
            text = layer.format(f'{given}{", " if given else ""}name="tested"')
            yield _case(f"{name}({given}): mask", kind, "a", steps, MASK, f"y = {text}(x)")
        for given in ("", "return_sequences=True, "):
            text = layer.format(f'{given}return_state=True, name="tested"')
            probes = ['p = Probe(name="probe")(y[0])', '[p, Probe(name="state")(y[1])]']
            yield _case(f"{name}({given}return_state=True): mask", kind, "a", steps, MASK, f"y = {text}(x)", *probes)
    for kind in RECURRENT:
        layer, state = f'layers.{kind}(4, return_sequences=True, name="tested")', "[s, s]" if kind == "LSTM" else "s"
        for come, tensor in (("no mask", "a"), ("mask", "x")):
            begin = [steps, MASK, _input("s", FEATURES)]
            text = f"y = {layer}({tensor}, initial_state={state})"
            yield _case(f"{kind}: {come}, initial_state=", kind, "a, s", *begin, text)
            many = f"[{tensor}, {state.strip('[]')}]"
            yield _case(f"{kind}: {come}, states in the list", kind, "a, s", *begin, f"y = {layer}({many})")
            text = f"y = {layer}({tensor}, initial_state={state}, mask=m)"
            yield _case(f"{kind}: {come}, initial_state=, mask=", kind, "a, s, m", *begin, GIVEN, text)
        for text, name in (("x, mask=None", "mask, mask=None"), ("x, mask=m", "mask, mask="), ("a, mask=m", "mask=")):
            yield _case(f"{kind} itself: {name}", kind, "a, m", steps, MASK, GIVEN, f"y = {layer}({text})")
    yield from _bidirectional(steps)


def _bidirectional(steps: str) -> Iterator[Case]:
    for kind in RECURRENT:
        for given in ("", "return_sequences=True"):
            inner = f"layers.{kind}(4, {given})"
            for merge in ('"concat"', '"sum"', "None"):
                layer = f'layers.Bidirectional({inner}, merge_mode={merge}, name="tested")'
                y = "y = {}(x)" if merge != "None" else "y = {}(x)[1]"
                name = f"Bidirectional({kind}({given}), merge_mode={merge})"
                yield _case(f"{name}: mask", "Bidirectional", "a", steps, MASK, y.format(layer))
        layer = f'layers.Bidirectional(layers.{kind}(4, return_sequences=True, return_state=True), name="tested")'
        probes = ['p = Probe(name="probe")(y[0])', '[p, Probe(name="state")(y[1])]']
        name = f"Bidirectional({kind}, states)"
        yield _case(f"{name}: mask", "Bidirectional", "a", steps, MASK, f"y = {layer}(x)", *probes)
        layer = f'layers.Bidirectional(layers.{kind}(4, return_sequences=True), name="tested")'
        states = ", ".join(["s"] * (4 if kind == "LSTM" else 2))
        begin = [steps, MASK, _input("s", FEATURES), GIVEN]
        for come, tensor in (("no mask", "a"), ("mask", "x")):
            text = f"y = {layer}({tensor}, initial_state=[{states}])"
            yield _case(f"Bidirectional({kind}): {come}, initial_state=", "Bidirectional", "a, s", *begin[:3], text)
            text = f"y = {layer}({tensor}, mask=m)"
            yield _case(f"Bidirectional({kind}): {come}, mask=", "Bidirectional", "a, m", *begin[:2], GIVEN, text)
        backward = f"layers.{kind}(4, return_sequences=True, go_backwards=True)"
        inner = f"layers.{kind}(4, return_sequences=True), backward_layer={backward}"
        layer = f'layers.Bidirectional({inner}, name="tested")'
        yield _case(f"Bidirectional({kind}, own backward): mask", "Bidirectional", "a", steps, MASK, f"y = {layer}(x)")


def _wrapped() -> Iterator[Case]:
    """TimeDistributed over what keeps, loses and makes a mask; masks of rank 2 and of rank 3."""
    inner = {
        "Dense": "layers.Dense(4)", "Dropout": "layers.Dropout(0.1)", "Activation": 'layers.Activation("relu")',
        "Lambda": "layers.Lambda(keras.activations.relu)", "PReLU": "layers.PReLU()",
    }  # fmt: skip
    for name, layer in inner.items():
        wrapped = f"layers.TimeDistributed({layer})"
        yield _case(f"TimeDistributed({name}): mask", name, "a", _input("a", STEPS), MASK, f"y = {wrapped}(x)")
        come, text = _input("a", STEPS), f"y = {wrapped}(a, mask=m)"
        yield _case(f"TimeDistributed({name}): mask=", name, "a, m", come, GIVEN, text)
    deep = {
        "Flatten": "layers.Flatten()", "Conv1D": "layers.Conv1D(4, 2)", "LSTM": 'layers.LSTM(4, name="tested")',
        "GlobalMaxPooling1D": "layers.GlobalMaxPooling1D()", "Masking": "layers.Masking()",
        "LSTM(return_sequences=True)": 'layers.LSTM(4, return_sequences=True, name="tested")',
        "Sequential": "keras.Sequential([layers.Dense(4), layers.Flatten()])",
        "Sequential(Masking)": 'keras.Sequential([layers.Masking(), layers.LSTM(4, name="tested")])',
    }  # fmt: skip
    for name, layer in deep.items():
        needs, wrapped = name.split("(")[0], f"layers.TimeDistributed({layer})"
        needs = "Dense" if needs == "Sequential" else needs
        come = _input("a", "(6, 4, 3)")
        yield _case(f"TimeDistributed({name}): no mask", needs, "a", come, f"y = {wrapped}(a)")
        yield _case(f"TimeDistributed({name}): mask of rank 3", needs, "a", come, MASK, f"y = {wrapped}(x)")
        yield _case(f"TimeDistributed({name}): mask=", needs, "a, m", come, GIVEN, f"y = {wrapped}(a, mask=m)")
    tokens = _input("a", "(6, 4)", "int32")
    layer = "layers.TimeDistributed(layers.Embedding(9, 4, mask_zero=True))"
    yield _case("TimeDistributed(Embedding(mask_zero=True)): no mask", "Embedding", "a", tokens, f"y = {layer}(a)")
    for kind in ("LSTM", "GRU"):
        layer = f"layers.TimeDistributed(layers.Bidirectional(layers.{kind}(4)))"
        come = _input("a", "(6, 4, 3)")
        yield _case(f"TimeDistributed(Bidirectional({kind})): mask of rank 3", kind, "a", come, MASK, f"y = {layer}(x)")


def _models() -> Iterator[Case]:
    """Sequential on top, and nested models that make, keep and lose a mask themselves."""
    steps = _input("a", STEPS)
    for begin, name in (("keras.Input((6, 4)), ", "Sequential with Input"), ("", "Sequential without Input")):
        kept = "layers.Masking(), layers.Dense(4), "
        for inner, what in (("layers.Masking(), ", "mask"), ("", "no mask"), (kept, "Dense")):
            shaped = inner.replace("Masking()", "Masking(input_shape=(6, 4))") if not begin else inner
            if not begin and not inner:
                continue
            body = f'model = keras.Sequential([{begin}{shaped}Probe(name="probe")])\n'
            yield Case(f"{name}: {what}", "Masking", body)
    inside = {
        "Masking": "[layers.Masking(), layers.Dense(4)]", "Masking, Conv1D": "[layers.Masking(), layers.Conv1D(4, 2)]",
        "Dense": "[layers.Dense(4)]", "Conv1D": "[layers.Conv1D(4, 2)]", "nothing to do": "[layers.Dropout(0.0)]",
        "LSTM": '[layers.LSTM(4, return_sequences=True, name="tested")]',
        "last LSTM": '[layers.LSTM(4, name="tested")]',
    }  # fmt: skip
    for name, parts in inside.items():
        nested = f"inner = keras.Sequential({parts})"
        for come, tensor in (("no mask", "a"), ("mask", "x")):
            yield _case(f"Sequential({name}): {come}", "Dense", "a", nested, steps, MASK, f"y = inner({tensor})")
            chain = ["inner = keras.Sequential([keras.Input((6, 4)), *" + parts + "])", steps, MASK]
            yield _case(f"Sequential(Input, {name}): {come}", "Dense", "a", *chain, f"y = inner({tensor})")
        yield _case(f"Sequential({name}): mask=", "Dense", "a, m", nested, steps, GIVEN, "y = inner(a, mask=m)")
        twice = ["deep = keras.Sequential([inner])", steps, MASK, "y = deep(x)"]
        yield _case(f"Sequential(Sequential({name})): mask", "Dense", "a", nested, *twice)
    functional = ["b = keras.Input((6, 4))", "c = layers.Dense(4)(b)", "inner = keras.Model(b, c)"]
    yield _case("Functional(Dense): mask=", "Dense", "a, m", *functional, steps, GIVEN, "y = inner(a, mask=m)")
    yield _case("Functional(Dense), twice: mask", "Dense", "a", *functional, steps, MASK, "y = inner(inner(x))")
    whole = ["b = keras.Input((6, 4))", "inner = keras.Model(b, b)"]
    yield _case("Functional(nothing): mask", "Dense", "a", *whole, steps, MASK, "y = inner(x)")
    two = ["b = keras.Input((6, 4))", "c = keras.Input((6, 4))", "inner = keras.Model([b, c], layers.Dense(4)(c))"]
    for pattern in ("mm", "mn", "nm"):
        inputs, tensors, lines = _tensors(pattern)
        yield _case(f"Functional of two: {pattern}", "Dense", inputs, *two, *lines, f"y = inner([{tensors}])")
    both = [*two[:2], "inner = keras.Model([b, c], [layers.Conv1D(4, 1)(b), layers.Dense(4)(c)])"]
    for pattern in ("mm", "mn", "nm"):
        inputs, tensors, lines = _tensors(pattern)
        probes = ['p = Probe(name="probe")(y[0])', '[p, Probe(name="second")(y[1])]']
        lines = [*both, *lines, f"y = inner([{tensors}])", *probes]
        yield _case(f"Functional with two outputs: {pattern}", "Dense", inputs, *lines)


def _dtypes() -> Iterator[Case]:
    """A cast may lose the mask: a layer, or the probe, that computes in another dtype."""
    steps = _input("a", STEPS)
    for dtype in ("float16", "float64", "mixed_float16", "mixed_bfloat16"):
        for layer in ("Dense(4", "Dropout(0.1", 'Activation("relu"', "LSTM(4, return_sequences=True", "Masking("):
            name = layer.split("(")[0]
            text = f'layers.{layer}{"" if layer.endswith("(") else ", "}dtype="{dtype}")'
            yield _case(f"{name} in {dtype}: mask", name, "a", steps, MASK, f"y = {text}(x)")
        begin, probe = [steps, MASK], f'Probe(name="probe", dtype="{dtype}")(y)'
        yield _case(f"probe in {dtype}: mask", "Masking", "a", *begin, "y = x", probe)
        yield _case(f"probe in {dtype} behind Dense: mask", "Dense", "a", *begin, "y = layers.Dense(4)(x)", probe)
        text = f'y = layers.Masking(dtype="{dtype}")(a)'
        yield _case(f"Masking in {dtype}, probe in it too", "Masking", "a", steps, text, probe)
        inner = f'inner = keras.Sequential([layers.Dense(4, dtype="{dtype}")])'
        yield _case(f"Sequential(Dense in {dtype}): mask", "Dense", "a", inner, *begin, "y = inner(x)")
        own = [_input("b", STEPS, "float64"), "inner = keras.Model(b, layers.Dense(4)(b))"]
        if dtype == "float64":
            yield _case("Functional with an input in float64: mask", "Dense", "a", *own, *begin, "y = inner(x)")
        embed = [_input("a", "(6,)", "int32"), f'x = layers.Embedding(9, 4, mask_zero=True, dtype="{dtype}")(a)']
        yield _case(f"Embedding in {dtype}", "Embedding", "a", *embed, 'Probe(name="probe")(x)')
    whole = [_input("a", STEPS, "int32"), MASK]
    yield _case("Masking of whole numbers", "Masking", "a", *whole, "y = x")
    yield _case("Dropout of whole numbers: mask", "Dropout", "a", *whole, "y = layers.Dropout(0.1)(x)")


def _makers() -> Iterator[Case]:
    """Layers that make a mask of their own, with and without being told to."""
    tokens = _input("a", "(6,)", "int32")
    for name in ("Embedding", "ReversibleEmbedding"):
        for given in ("mask_zero=True", "mask_zero=False"):
            yield _case(f"{name}({given})", name, "a", tokens, f"y = layers.{name}(9, 4, {given})(a)")
    layer = "layers.Embedding(9, 4, mask_zero=True)"
    yield _case("Embedding(mask_zero=True): mask=", "Embedding", "a, m", tokens, GIVEN, f"y = {layer}(a, mask=m)")
    wide = _input("a", "(6, 4)", "int32")
    yield _case("Embedding(mask_zero=True) of rank 2", "Embedding", "a", wide, f"y = {layer}(a)")
    yield _case("Masking(mask_value=-1.0)", "Masking", "a", _input("a", STEPS), "y = layers.Masking(-1.0)(a)")
    kept = "layers.Lambda(keras.activations.relu, mask={})"
    for given in ("None", "lambda inputs, mask: mask", "lambda inputs, mask: None"):
        for come in ("no mask", "mask"):
            text = f"y = {kept.format(given)}({'x' if come == 'mask' else 'a'})"
            yield _case(f"Lambda(mask={given}): {come}", "Lambda", "a", _input("a", STEPS), MASK, text)
    same = ("Permute((1, 2))", "Reshape((6, 4))", "Reshape((-1, 4))", "Flatten()", "Cropping1D(0)", "ZeroPadding1D(0)")
    for layer in same:
        name = layer.split("(")[0]
        yield _case(f"{layer}: mask", name, "a", _input("a", STEPS), MASK, f"y = layers.{layer}(x)")
    row = [_input("a", FEATURES), MASK]
    yield _case("RepeatVector of a masked row", "RepeatVector", "a", *row, "y = layers.RepeatVector(3)(x)")


def _operations() -> Iterator[Case]:
    """Operators and functions on a masked tensor."""
    steps = _input("a", STEPS)
    texts = ("x * 2.0", "x + x", "x + a", "-x", "x[:, ::-1]", "x[:, 1:]", "x[:, :]", "x / 2.0", "abs(x)")
    texts += ("keras.activations.relu(x)", "keras.ops.relu(x)", 'keras.ops.cast(x, "float32")', "keras.ops.identity(x)")
    texts += ('keras.ops.cast(x, "float16")', "keras.ops.convert_to_tensor(x)", "keras.ops.concatenate([x, x])")
    for text in texts:
        yield _case(text, "Masking", "a", steps, MASK, f"y = {text}")
