# case: one of a list that is drawn by chance
import random
import numpy as np
from keras.layers import GRU, LSTM
LSTM(random.choice([32, 64]), activation=random.choice(("tanh", "relu")))  #: LSTM(units=32|64, activation='tanh'|'relu')
random.choice([LSTM, GRU])(3)  #: LSTM(units=3) / GRU(units=3)
LSTM(4, activation=random.Random(3).choice(["relu"]))  #: LSTM(units=4, activation='relu')
LSTM(5, activation=random.choices(["tanh", "relu"], k=2)[0])  #: LSTM(units=5, activation='tanh'|'relu')
for act in random.sample(["tanh", "relu", "elu"], 2):
    LSTM(6, activation=act)  #: LSTM(units=6, activation='tanh'|'relu'|'elu')
LSTM(7, activation=np.random.choice(["tanh", "relu"]))  #: LSTM(units=7, activation='tanh'|'relu')
LSTM(random.choice(sizes), activation=random.choice([]))  #: LSTM(units=?, activation=?)
# case: a number of numpy that is drawn by chance is none of Python
import numpy as np
from keras.layers import LSTM
LSTM(np.random.choice([32, 64]), activation=np.random.choice(["tanh"], 2))  #: LSTM(units=?, activation=?)
# case: a number that is drawn by chance from one to another
import random
from keras.layers import LSTM
LSTM(random.randint(8, 16), recurrent_dropout=random.uniform(0.1, 0.5))  #: LSTM(units=8|16, recurrent_dropout=0.1|0.5)
