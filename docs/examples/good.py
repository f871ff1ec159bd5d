import keras

model = keras.Sequential(
    [
        keras.Input((100, 32)),
        keras.layers.Bidirectional(keras.layers.LSTM(128, return_sequences=True)),
        keras.layers.GRU(64),
        keras.layers.Dense(1),
    ]
)
