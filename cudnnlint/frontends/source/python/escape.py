"""Escape: what code that is not followed may have changed.

A function that is not followed can change every list, dict and object that it is given, and it can call every function
that it is given. What it may have changed is no longer certain. Functions of well-known packages only read what they
are given (they log, save, draw or compute), so their arguments stay known; a function that is passed to them may run
all the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence, Words
from cudnnlint.frontends.source.python.scopes import Scope
from cudnnlint.frontends.source.python.state import Table
from cudnnlint.frontends.source.python.values import (
    Bound,
    Class,
    Const,
    Function,
    Instance,
    Library,
    Listing,
    Mapping,
    OneOf,
    Partial,
    Tuple,
    Unfollowed,
    Value,
    join,
    options,
    words,
)
from cudnnlint.frontends.source.syntax.index import walk
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Packages whose functions leave what they are given as it is, but for those in CHANGES.
READERS = words(
    "PIL absl aiohttp argparse array ast asyncio base64 boto3 builtins catboost click collections concurrent "
    "configparser contextlib copy csv ctypes cv2 cycler datasets datetime decimal enum flask flax fractions functools "
    "gc gensim getpass glob google gym gymnasium gzip h5py hashlib horovod hyperopt imageio importlib inspect io "
    "IPython itertools jax jieba joblib json keras keras_tuner kerastuner librosa lightgbm logging loguru math "
    "matplotlib mlflow multiprocessing music21 neptune nltk np numba numpy onnx optuna os pandas pathlib pickle "
    "pkg_resources platform plotly pprint psutil pydantic pydot pytest queue ray re requests rich scipy seaborn shap "
    "shutil signal six skimage sklearn skopt socket soundfile spacy sqlite3 statistics statsmodels string struct "
    "subprocess sys tensorboard tensorboardX tensorflow tensorflow_addons tensorflow_datasets tensorflow_hub "
    "tensorflow_probability tempfile termcolor textwrap tf2onnx tf_agents tf_keras threading time timeit tokenizers "
    "toml tomllib torch torchvision tqdm traceback transformers types typing typing_extensions ujson unittest urllib "
    "uuid wandb warnings weakref xgboost xml yaml yfinance zipfile"
)
#: Functions of these packages that change what they are given.
CHANGES = words(
    "random.shuffle numpy.random.shuffle operator.setitem operator.delitem operator.iadd operator.iconcat "
    "operator.ior operator.imul heapq.heapify heapq.heappush heapq.heappop heapq.heapreplace heapq.heappushpop "
    "bisect.insort bisect.insort_left bisect.insort_right"
)
#: Methods that every class has for looking, saving or showing: they do not change their arguments.
LOOKS = words(
    "add add_argument add_metric add_scalar apply append build close compile critical debug dump dumps encode error "
    "evaluate exception extend fit fit_generator fit_transform flush format get getLogger index info insert items "
    "join keys load log log_metrics log_params next plot predict print put read register save seek send "
    "set_description show split start step stop submit summary tokenize train train_on_batch transform update_layout "
    "values warn warning watch write writerow"
)
#: How deep what is inside a container, or inside an object, escapes with it.
DEEP = 4
#: Methods that change a container in place.
_CHANGERS = words(
    "add append appendleft clear discard extend insert pop popitem remove reverse setdefault sort update move_to_end"
)


def from_library(run: Interpreter, callee: str, arguments: Arguments, origin: Origin) -> None:
    """Note that a function or class of a library, of which nothing is known, was called with these arguments."""
    only_reads = callee.split(".")[0] in READERS and callee not in CHANGES
    _all(run, arguments, origin, only_reads)


def from_known(run: Interpreter, arguments: Arguments, origin: Origin) -> None:
    """Note a call of a library's function that is followed: the functions that it is given may run."""
    _all(run, arguments, origin, True)


def from_exec(run: Interpreter, origin: Origin) -> None:
    """Note that `exec` ran: it may have bound every name of the module."""
    table = getattr(origin.unit, "table", None)
    if not isinstance(table, Table):
        return
    for name, value in table.items():
        if isinstance(value, (Const, OneOf)):
            changed = Unfollowed(Sentence("may have been changed by `", origin, "`"))
            run.journal.write(table, name, join([value, changed]))


def from_unknown(run: Interpreter, arguments: Arguments, origin: Origin) -> None:
    """Note that something that is not followed was called with these arguments."""
    called = origin.node.func if isinstance(origin.node, cst.Call) else None
    _all(run, arguments, origin, isinstance(called, cst.Attribute) and called.attr.value in LOOKS)


def _all(run: Interpreter, arguments: Arguments, origin: Origin, only_reads: bool) -> None:
    why = Sentence("may have been changed by `", origin, "`, which is not followed")
    for value in arguments.every():
        of_value(run, value, why, only_reads)


def of_value(run: Interpreter, value: Value, why: Words, only_reads: bool = False, depth: int = 0) -> None:
    """Make what a value holds, and what a function writes, uncertain.

    With `only_reads`, containers and objects stay as they are, and only functions are taken to have run.
    """
    if depth > DEEP:
        return
    for option in options(value):
        if isinstance(option, Function):
            _written_by(run, option, why)
        elif isinstance(option, (Partial, Bound)):
            if option.function is not None:
                of_value(run, option.function, why, True, depth + 1)
        elif isinstance(option, Tuple):
            for item in option.contents.items:
                of_value(run, item, why, only_reads, depth + 1)
        elif not only_reads:
            _changed(run, option, why, depth)


def _changed(run: Interpreter, value: Value, why: Words, depth: int) -> None:
    """Make a container, or an object of a plain class of the program, uncertain."""
    if isinstance(value, Listing):
        inner = [*containers.contents_of(value).items]
    elif isinstance(value, (Mapping, Instance)):
        inner = [cell for _, cell in value.table.items()]
    else:
        return
    if isinstance(value, Instance):
        if not isinstance(value.kind, Class) or _of_a_library(value.kind):
            return  # what Keras made is asked of Keras
        for name, cell in value.table.items():
            run.journal.write(value.table, name, join([cell, Unfollowed(why)]))
    else:
        containers.smear(run, value, why)
    for one in inner:
        of_value(run, one, why, False, depth + 1)


def _of_a_library(kind: Class) -> bool:
    """Return whether a class has a base that does not stand in the program."""
    return any(
        _of_a_library(option) if isinstance(option, Class) else not _plain(option)
        for base in kind.bases
        for option in options(base)
    )


def _plain(base: Value) -> bool:
    return isinstance(base, Library) and base.name in ("builtins.object", "object")


def _written_by(run: Interpreter, function: Function, why: Words) -> None:
    """Make uncertain what a function that may have run writes outside itself."""
    outer, changed = _outside(function.node.body)
    for name, is_global in outer:
        scope = _holder(function.scope.module() if is_global else function.scope, name)
        if scope is not None:
            before = scope.table.get(name) or Unfollowed(why)
            run.journal.write(scope.table, name, join([before, Unfollowed(why)]))
    for name in changed:
        found = function.scope.find(name)
        if found is not None:
            for option in options(found):
                _changed(run, option, why, DEEP)


def _holder(scope: Scope | None, name: str) -> Scope | None:
    """Return the scope, this one or one around it, in which a name has a value."""
    while scope is not None and scope.table.get(name) is None:
        scope = scope.parent
    return scope


@lru_cache(maxsize=1024)
def _outside(body: cst.BaseSuite | cst.BaseExpression) -> tuple[list[tuple[str, bool]], list[str]]:
    """Return the names that a body binds outside itself (and whether they are global), and those it changes."""
    outer: list[tuple[str, bool]] = []
    changed: list[str] = []
    for node in walk(body):
        if isinstance(node, (cst.Global, cst.Nonlocal)):
            outer += [(item.name.value, isinstance(node, cst.Global)) for item in node.names]
        elif isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)):
            changed += _root(node.target)
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            changed += _root(node.func) if node.func.attr.value in _CHANGERS else []
    return outer, changed


def _root(target: cst.BaseExpression) -> list[str]:
    """Return the name whose object `name[...] = x` or `name.attribute = x` changes; nothing for a plain name."""
    inside = target
    while isinstance(inside, (cst.Attribute, cst.Subscript)):
        inside = inside.value
    return [inside.value] if inside is not target and isinstance(inside, cst.Name) else []
