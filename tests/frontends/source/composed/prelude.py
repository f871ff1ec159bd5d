# ruff: noqa
import ast, asyncio, atexit, bisect, builtins, collections, contextlib, copy, functools, gc, heapq, importlib, inspect, io, itertools
import json, logging, operator, os, pickle, random, re, sys, threading, time, types, unittest, unittest.mock, warnings, weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, asdict
from enum import Enum
from unittest import mock
import numpy as np
import keras
import pytest
import elsewhere, mergedeep
from elsewhere import (
    Observer,
    Thing,
    ctypes_like,
    done_with,
    fail,
    fill,
    filled,
    flush_it,
    frame_hack,
    get_rate,
    keep,
    module_of,
    pair_of,
    parser,
    plugin_main,
    registering,
    rolled,
    run_it,
    same,
    setting,
    signal_,
    sort_it,
    swallowing,
    touching,
    walk,
    yaml_like,
    yes_or,
)
from keras import layers
from keras.layers import GRU, LSTM, Bidirectional, SimpleRNN

settings = {"unroll": 0}


class settings_object:
    pass


cfg = {"unroll": 0, "go_backwards": 1}
xs = [0, 5]
rate = 0


class Holder:
    def __init__(self):
        self.unroll = 0
        self.inner = cfg
        self.seen = []

    def change(self):
        self.unroll = 3

    def subscribe(self, what):
        self.seen.append(what)

    def notify(self, value):
        for what in self.seen:
            what["unroll"] = value


holder = Holder()


def change(*given):
    global rate
    rate = 4
    cfg["unroll"] = 5


code = "cfg['unroll'] = 6"
