"""What code that is not followed may have changed is no longer certain; what is only read stays known."""

from __future__ import annotations

import pytest
from newest_releases import NEWEST

from cudnnlint.core.target import Release, Target
from cudnnlint.engine import judge
from cudnnlint.frontends.source import read
from cudnnlint.rulebook import loader

START = """
import bisect, heapq, inspect, json, logging, operator, re, sys, threading
import keras, numpy, pytest
from elsewhere import fill, Thing, run_it
cfg = {"recurrent_dropout": 0.0}
xs = [0.0]
rate = 0.0
class Settings:
    def __init__(self):
        self.rate = 0.0
settings = Settings()
def change(*given):
    global rate
    rate = 0.3
    return ""
def change_inside():
    xs[0] = 0.3
"""
FROM_CFG, FROM_LIST = "LSTM(3, **cfg)", "LSTM(3, recurrent_dropout=xs[0])"
FROM_NAME, FROM_OBJECT = "LSTM(3, recurrent_dropout=rate)", "LSTM(3, recurrent_dropout=settings.rate)"


def verdict(body: str) -> str:
    """Return the verdict on the only layer of a program."""
    book = loader.load()
    model = read("program.py", (START + body + "\n").encode(), book.tables.names)
    [layer] = judge(model, (Target("keras", Release.at(NEWEST), "tensorflow"),), book).layers
    return layer.judgements[0].verdict.value


@pytest.mark.parametrize(
    ("unfollowed", "made"),
    [
        ("fill(cfg)", FROM_CFG),
        ("fill(more=[cfg])", FROM_CFG),
        ("Thing(cfg).run()", FROM_CFG),
        ("sys.argv[1].frobnicate(cfg)", FROM_CFG),
        ("fill(settings)", FROM_OBJECT),
        ("run_it(callback=change)", FROM_NAME),
        ("re.sub(sys.argv[1], change, 'banana')", FROM_NAME),
        ("re.sub('a', lambda found: change(), sys.argv[1])", FROM_NAME),
        ("run_it(settings.__init__)", FROM_OBJECT),
        ("run_it(cfg.clear)", FROM_CFG),
        ("threading.Thread(target=fill, args=(cfg,)).start()", FROM_CFG),
        ("exec(sys.argv[1])", FROM_CFG),
        ("thing = Thing()\nthing.target = cfg\nthing.run()", FROM_CFG),
        ("import elsewhere\nelsewhere.CURRENT = cfg\nrun_it()", FROM_CFG),
        ("fill(cfg)\ncfg['recurrent_dropout'] = 0.0\nrun_it()", FROM_CFG),
        ("class Own(Thing):\n    pass\nOwn(cfg)", FROM_CFG),
        (
            "class Gone:\n    def __init__(self, held): self.held = held\n"
            "    def __del__(self): self.held.clear()\nGone(cfg)",
            FROM_CFG,
        ),
        (
            "class Heard(logging.Handler):\n    def emit(self, record): cfg.clear()\n"
            "logging.getLogger('x').addHandler(Heard())",
            FROM_CFG,
        ),
        ("import warnings\nwarnings.showwarning = lambda *text: cfg.clear()", FROM_CFG),
        ("re.Scanner([('a', lambda *found: cfg.clear())]).scan('a')", FROM_CFG),
        ("import weakref\nweakref.ref(settings, lambda gone: cfg.clear())", FROM_CFG),
        ("import gc\ngc.get_objects()[0].clear()", FROM_CFG),
        ("import ctypes\nctypes.pythonapi.PyDict_Clear(ctypes.py_object(cfg))", FROM_CFG),
        ("import queue\nqueue.Queue().put(cfg)", FROM_CFG),
        (
            "import copy\nclass Own:\n    def __init__(self, rate): self.rate = rate\n"
            "    def __reduce__(self): return Own, (0.3,)",
            "LSTM(3, recurrent_dropout=copy.copy(Own(0.0)).rate)",
        ),
        (
            "import copy, copyreg\ncopyreg.pickle(Settings, sys.argv[1])",
            "LSTM(3, recurrent_dropout=copy.deepcopy([settings])[0].rate)",
        ),
        (
            "class Fast:\n    def rate(self): return 0.0\nclass Slow(Fast):\n    def rate(self): return 0.3\n"
            "own = Fast()\nown.__class__ = Slow",
            "LSTM(3, recurrent_dropout=own.rate())",
        ),
        ("import weakref\nseen = weakref.ref(settings)\ndel settings", "LSTM(3, use_bias=seen() is not None)"),
    ],
)
def test_what_is_not_followed_may_have_changed_it(unfollowed: str, made: str) -> None:
    assert verdict(f"{unfollowed}\nkeras.layers.{made}") == "unknown"


@pytest.mark.parametrize(
    "reading",
    ["logging.info(cfg)", "json.dumps(cfg)", "print(cfg)", "numpy.save('x', xs)", "run_it(print)", "fill(cfg.copy())"],
)
def test_what_only_reads_leaves_it_known(reading: str) -> None:
    assert verdict(f"{reading}\nkeras.layers.{FROM_CFG}") == "cudnn"


@pytest.mark.parametrize(
    ("followed", "made"),
    [
        ("exec('rate = 0.3')", FROM_NAME),
        ("exec('cfg[\"recurrent_dropout\"] = 0.3')", FROM_CFG),
        ("eval('cfg.update(recurrent_dropout=0.3)')", FROM_CFG),
        ("threading.Thread(target=change_inside).start()", FROM_LIST),
        ("object.__setattr__(settings, 'rate', 0.3)", FROM_OBJECT),
        ("list.insert(xs, 0, 0.3)", FROM_LIST),
        ("operator.setitem(xs, 0, 0.3)", FROM_LIST),
        (
            "import pickle\nclass Own:\n    def __init__(self): self.rate = 0.3\n"
            "    def __deepcopy__(self, memo): return Settings()\nsettings = pickle.loads(pickle.dumps(Own()))",
            FROM_OBJECT,
        ),
        ("sys.modules['__main__'].__dict__['rate'] = 0.3", FROM_NAME),
        ("re.sub('a', change, 'banana')", FROM_NAME),
        ("re.sub('a', lambda found: change(), 'banana')", FROM_NAME),
        ("inspect.currentframe().f_globals['rate'] = 0.3", FROM_NAME),
    ],
)
def test_what_is_followed_has_changed_it(followed: str, made: str) -> None:
    assert verdict(f"{followed}\nkeras.layers.{made}") == "fallback"


def test_what_is_set_under_a_name_that_is_not_known_may_be_any_attribute() -> None:
    hook = "class Own:\n    def __setattr__(self, name, value):\n        object.__setattr__(self, spell(name), value)\n"
    body = f"{hook}own = Own()\nown.rate = 0.0\nown.other = 0.3\nown.third = 0.0\n"
    assert verdict(f"{body}keras.layers.LSTM(3, recurrent_dropout=own.rate)") == "unknown"


def test_a_decorator_of_the_program_changes_its_class() -> None:
    body = "def set_rate(cls):\n    cls.rate = 0.3\n    return cls\n@set_rate\nclass Own:\n    rate = 0.0\n"
    assert verdict(f"{body}keras.layers.LSTM(3, recurrent_dropout=Own.rate)") == "fallback"


def test_a_name_of_a_library_that_was_replaced_is_what_it_was_replaced_by() -> None:
    assert verdict("keras.layers.LSTM = keras.layers.SimpleRNN\nkeras.layers.LSTM(3)") == "fallback"


@pytest.mark.parametrize(
    "block",
    [
        "with pytest.raises(ValueError):\n    raise ValueError",
        "class Quiet:\n    def __enter__(self): pass\n    def __exit__(self, *error): return True\n"
        "with Quiet():\n    raise ValueError",
    ],
)
def test_what_follows_a_block_that_swallows_its_exception_is_read(block: str) -> None:
    assert verdict(f"{block}\nkeras.layers.LSTM(3, unroll=True)") == "fallback"


def test_an_argument_that_may_not_be_passed_is_not_rejected_for_certain() -> None:
    body = "kw = {}\nif len(sys.argv) > 1:\n    kw['batch_input_shape'] = (1, 2, 3)\nkeras.layers.LSTM(3, **kw)"
    assert verdict(body) == "unknown"
