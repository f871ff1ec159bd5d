"""Which packages only read what their functions are given, and which functions and methods change it."""

from __future__ import annotations

import sys

from cudnnlint.frontends.source.python.values import Library, words

#: Packages besides the standard library whose functions leave what they are given as it is, but for those in CHANGES.
READERS = words(
    "PIL absl aiohttp boto3 catboost click cv2 cycler datasets flask flax gensim google gym gymnasium h5py horovod "
    "hyperopt imageio IPython jax jieba joblib keras keras_tuner kerastuner librosa lightgbm loguru matplotlib "
    "mlflow music21 neptune nltk np numba numpy onnx optuna pandas pkg_resources plotly psutil pydantic pydot "
    "pytest ray requests rich scipy seaborn shap six skimage sklearn skopt soundfile spacy statsmodels tensorboard "
    "tensorboardX tensorflow tensorflow_addons tensorflow_datasets tensorflow_hub tensorflow_probability termcolor "
    "tf2onnx tf_agents tf_keras tokenizers toml torch torchvision tqdm transformers typing_extensions ujson wandb "
    "xgboost yaml yfinance"
)
#: Functions of these packages that change what they are given.
CHANGES = words(
    "random.shuffle numpy.random.shuffle operator.setitem operator.delitem operator.iadd operator.iconcat "
    "operator.ior operator.imul heapq.heapify heapq.heappush heapq.heappop heapq.heapreplace heapq.heappushpop "
    "bisect.insort bisect.insort_left bisect.insort_right"
)
#: Methods that every class has for looking, saving or showing: they do not change their arguments.
LOOKS = words(
    "Choice suggest_categorical add add_argument add_metric add_scalar apply append build close compile critical "
    "debug dump dumps encode error evaluate exception extend fit fit_generator fit_transform flush format get "
    "getLogger index info insert items join keys load log log_metrics log_params next plot predict print put read "
    "register save seek send set_description show split start step stop submit summary tokenize train "
    "train_on_batch transform update_layout values warn warning watch write writerow"
)
#: Methods that change a container in place.
CHANGERS = words(
    "add append appendleft clear discard extend extendleft insert pop popitem popleft remove reverse rotate setdefault "
    "sort update move_to_end subtract __setitem__ __delitem__ __iadd__ __ior__ difference_update intersection_update"
)


#: Packages of layers in which none makes a mask, and none hands one on: they do not say that they take one.
_MASKLESS = words("transformers tensorflow_hub")


#: Modules of Python whose functions change what they are given, or hand it on to code that does.
_HANDS_ON = words("ctypes queue")


def makes_masks(callee: Library) -> bool:
    """Return whether what a library's function or class makes may be a layer that makes or keeps a mask."""
    return callee.foreign and callee.name.split(".")[0] not in _MASKLESS


def only_reads(name: str) -> bool:
    """Return whether a function or class of a library, by its dotted name, leaves what it is given as it is."""
    return reads(name.split(".")[0]) and name not in CHANGES


def reads(package: str) -> bool:
    """Return whether the functions of a package only read what they are given, all but a few."""
    return package in READERS or (package in sys.stdlib_module_names and package not in _HANDS_ON)
