from tensorflow.keras.layers import CuDNNLSTM, Dense
from tensorflow.keras.models import Sequential

model = Sequential()
model.add(CuDNNLSTM(128, input_shape=(100, 32)))
model.add(Dense(1))
