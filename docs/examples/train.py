import keras

model = keras.Sequential(
    [
        keras.Input((100, 32)),
        keras.layers.LSTM(256, recurrent_dropout=0.2),
        keras.layers.Dense(1),
    ]
)
model.compile("adam", "mse")
