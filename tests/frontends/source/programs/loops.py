# case: a known list
from keras.layers import LSTM
for units in (32, 64):
    LSTM(units)  #: LSTM(units=32) ;; LSTM(units=64)
# case: range and enumerate
from keras.layers import LSTM
for i in range(2):
    LSTM(8, return_sequences=i < 1)  #: LSTM(units=8, return_sequences=True) ;; LSTM(units=8, return_sequences=False)
for i, n in enumerate([5, 6]):
    LSTM(n, name=f"l{i}")  #: LSTM(units=5, name='l0') ;; LSTM(units=6, name='l1')
# case: zip
from keras.layers import LSTM
for n, rate in zip([1, 2], [0.1, 0.2]):
    LSTM(n, recurrent_dropout=rate)  #: LSTM(units=1, recurrent_dropout=0.1) ;; LSTM(units=2, recurrent_dropout=0.2)
# case: a comprehension
from keras.layers import LSTM
[LSTM(n) for n in [1, 2] if n > 1]  #: LSTM(units=2)
# case: an unknown number of rounds
import sys
from keras.layers import LSTM
for n in range(int(sys.argv[1])):
    LSTM(32, recurrent_dropout=0.1)  #: LSTM(units=32, recurrent_dropout=0.1)
# case: unknown items
def build(sizes):
    from keras.layers import LSTM
    return [LSTM(n) for n in sizes]  #: LSTM(units=?)
# case: what one round leaves reaches the next
import sys
from keras.layers import LSTM
rate = 0.0
for n in open("x"):
    LSTM(32, recurrent_dropout=rate)  #: LSTM(units=32, recurrent_dropout=0.0|0.5)
    rate = 0.5
# case: the items of a dict
from keras.layers import LSTM
for name, kw in {"a": dict(unroll=True), "b": dict(use_bias=False)}.items():
    LSTM(3, name=name, **kw)  #: LSTM(units=3, name='a', unroll=True) ;; LSTM(units=3, name='b', use_bias=False)
# case: a list that grows
from keras.layers import LSTM
cells = []
for c in (LSTM,):
    cells.append(c)
cells[0](3)  #: LSTM(units=3)
# case: classes in a list
from keras.layers import LSTM, GRU, SimpleRNN
for kind in [LSTM, GRU, SimpleRNN]:
    kind(2)  #: LSTM(units=2) ;; GRU(units=2) ;; SimpleRNN(units=2)
# case: a dict comprehension
from keras.layers import LSTM, GRU
table = {c.__name__.lower(): c for c in (LSTM, GRU)}
table["gru"](3)  #: GRU(units=3)
# case: a long loop is one
from keras.layers import LSTM
for i in range(1000):
    LSTM(3)  #: LSTM(units=3)
# case: a product
import itertools
from keras.layers import LSTM
for n, b in itertools.product([1, 2], [True]):
    LSTM(n, unroll=b)  #: LSTM(units=1, unroll=True) ;; LSTM(units=2, unroll=True)
# case: reversed and sorted
from keras.layers import LSTM
for n in reversed(sorted([2, 1])):
    LSTM(n)  #: LSTM(units=2) ;; LSTM(units=1)
# case: a loop that has no round by default
from keras.layers import GRU, LSTM
def build(depth=1, sizes=()):
    last = 4
    for place in range(depth - 1):
        LSTM(5, recurrent_dropout=0.5)  #: LSTM(units=5, recurrent_dropout=0.5)
        last = 7
    for size in sizes:
        GRU(size)  #: GRU(units=?)
        if size:
            break
    return LSTM(last)  #: LSTM(units=4)
# case: zip with a sequence of unknown length may give as many rows as the others have
import sys
from itertools import zip_longest
from keras.layers import GRU, LSTM
for units, name in zip((1, 2), sys.argv):
    LSTM(units, name=name)  #: LSTM(units=1, name=?) ;; LSTM(units=2, name=?)
for units, name in zip((3, 4), sys.argv, strict=True):
    GRU(units)  #: GRU(units=3) ;; GRU(units=4)
for place, (units, name) in enumerate(zip((5, 6), sys.argv)):
    GRU(units, seed=place)  #: GRU(units=5, seed=0) ;; GRU(units=6, seed=1)
list(map(lambda units, name: LSTM(units), (7, 8), sys.argv))  #: LSTM(units=7) <-10 ;; LSTM(units=8) <-10
for units, name in zip_longest((9, 10), sys.argv, fillvalue=0):
    LSTM(units)  #: LSTM(units=9) ;; LSTM(units=10) ;; LSTM(units=9|10|0)
LSTM(11, unroll=len(list(zip((1, 2), sys.argv))) > 1)  #: LSTM(units=11, unroll=?)

# case: a generator that may leave out an item loses none of those that it reads
import sys
from keras.layers import LSTM
def sizes():
    for size in (4, len(sys.argv), 8):
        if size == int(sys.argv[1]):
            continue
        yield size
for size in sizes():
    LSTM(size)  #: LSTM(units=4) ;; LSTM(units=?) ;; LSTM(units=8)
