# case: a search of Keras Tuner chooses from what it is told
import keras
import keras_tuner
from keras.layers import GRU, LSTM
def build(hp):
    LSTM(hp.Int("units", 32, 64))  #: LSTM(units=32|64)
    LSTM(2, recurrent_dropout=hp.Float("rate", min_value=0.1, max_value=0.5))  #: LSTM(units=2, recurrent_dropout=0.1|0.5)
    GRU(3, activation=hp.Choice("act", ["relu", "elu"]))  #: GRU(units=3, activation='relu'|'elu')
    if hp.Float("rate", 0.1, 0.5) == 0.2:
        GRU(4)  #: GRU(units=4)
class Own(keras_tuner.HyperModel):
    def build(self, hp):
        return keras.Sequential([GRU(5, reset_after=hp.Choice("r", values=[False]))])  #: GRU(units=5, reset_after=False) @none
own = keras_tuner.HyperParameters()
GRU(6, unroll=own.Choice("u", [True]))  #: GRU(units=6, unroll=True)
keras_tuner.RandomSearch(build, objective="loss")
# case: a study of Optuna chooses from what it is told
import optuna
from keras.layers import LSTM
def objective(trial):
    LSTM(1, activation=trial.suggest_categorical("act", ("relu", "elu")))  #: LSTM(units=1, activation='relu'|'elu')
    LSTM(2, recurrent_dropout=trial.suggest_float("rate", 0.0, 0.5))  #: LSTM(units=2, recurrent_dropout=0.0|0.5)
    LSTM(3, recurrent_dropout=trial.suggest_float("rate", 0.1, high(trial)))  #: LSTM(units=3, recurrent_dropout=?)
optuna.create_study().optimize(objective)
# case: hyperas fills in what a set in a set stands for
from hyperas.distributions import choice, uniform
from keras.layers import GRU
def model():
    if {{choice(["two", "three"])}} == "three":
        GRU({{choice([1, 2])}}, dropout={{uniform(0.1, 0.5)}})  #: GRU(units=1|2, dropout=0.1|0.5)
# case: a wrapper for scikit-learn calls with defaults, unless it or a grid says otherwise
from keras.layers import GRU, LSTM
from scikeras.wrappers import KerasClassifier, KerasRegressor
from sklearn.model_selection import GridSearchCV
def one(units=1, activation="relu"):
    LSTM(units, activation=activation)  #: LSTM(units=3, activation=~'relu') <-8
def two(units, rate=0.0, recurrent="sigmoid"):
    GRU(units, recurrent_dropout=rate, recurrent_activation=recurrent)  #: GRU(units=4, recurrent_dropout=0.0|0.1, recurrent_activation=~'sigmoid') <-9
KerasClassifier(build_fn=one, units=3)
GridSearchCV(KerasRegressor(two, model__units=4), dict(model__rate=[0.0, 0.1]))
# case: a grid of lists that are named, changed, computed or set later
import numpy as np
from keras.layers import GRU, LSTM
from scikeras.wrappers import KerasClassifier
def named(units, rate):
    LSTM(units, recurrent_dropout=rate)  #: LSTM(units=4|8, recurrent_dropout=0.2|0.4) <-10
def others(act="relu", gate="sigmoid", size=1):
    GRU(size, activation=act, recurrent_activation=gate)  #: GRU(units=1|?, activation='relu'|?, recurrent_activation='sigmoid'|?) <-11
rates = [0.2, 0.4]
acts = ["elu"]
KerasClassifier(named)
KerasClassifier(others)
grid = {"model__units": (4, 8), "model__rate": rates, "act": acts, "size": np.arange(2)}
acts.append("tanh")
grid["gate"] = ["tanh"]
# case: tests that are run with rows of values
import pytest
from absl.testing import parameterized
from keras.layers import GRU, LSTM
@pytest.mark.parametrize("act", ["relu", "elu"])
def test_one(act):
    GRU(1, activation=act)  #: GRU(units=1, activation='relu'|'elu')
@pytest.mark.parametrize(("cls", "units"), [pytest.param(LSTM, 2, id="a"), (GRU, 2)])
@pytest.mark.parametrize("bias", rows())
def test_two(cls, units, bias):
    cls(units, use_bias=bias)  #: LSTM(units=2, use_bias=?) ;; GRU(units=2, use_bias=?)
class Case(parameterized.TestCase):
    @parameterized.named_parameters(("a", LSTM), {"testcase_name": "b", "cls": GRU})
    def test_three(self, cls):
        cls(3)  #: LSTM(units=3) ;; GRU(units=3)
    @parameterized.parameters(True, False)
    def test_four(self, unroll):
        GRU(4, unroll=unroll)  #: GRU(units=4, unroll=True|False)
# case: pools, processes and joblib call what they are handed
import multiprocessing
from joblib import Parallel, delayed
from keras.layers import GRU, LSTM
def one(units):
    return LSTM(units)  #: LSTM(units=1) <-10 ;; LSTM(units=2) <-10
def two(units, act):
    return GRU(units, activation=act)  #: GRU(units=3, activation='relu') <-12 ;; GRU(units=4, activation='tanh') <-12 ;; GRU(units=5, activation='elu') <-13
def three(units):
    return GRU(units, unroll=True)  #: GRU(units=6, unroll=True) <-14
Parallel(n_jobs=2)(delayed(one)(n) for n in (1, 2))
with multiprocessing.Pool(2) as pool:
    pool.starmap(two, [(3, "relu"), (4, "tanh")])
    pool.apply_async(two, (5,), {"act": "elu"}).get()
multiprocessing.Process(target=three, args=(6,)).start()
# case: a program is run with what the flags leave
import tensorflow as tf
from absl import app
from keras.layers import GRU, LSTM
def build(units):
    return LSTM(units)  #: LSTM(units=3) <-7,9
def main(argv):
    build(3)
if __name__ == "__main__":
    app.run(main)
    tf.compat.v1.app.run(main=lambda argv: GRU(len(argv)))  #: GRU(units=?) <-10
# case: an object of an unread package builds the class that it is given
from hypermodels import HyperLayer, register
from keras import layers
HyperLayer(layers.GRU, units=3)  #: GRU(**?)
HyperLayer(layer=layers.LSTM, over={"units": 3})  #: LSTM(**?)
HyperLayer(layers.Dense, units=3)
register(layers.LSTM)
