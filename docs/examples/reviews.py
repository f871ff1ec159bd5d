import keras
from keras.utils import pad_sequences

texts = [[12, 7, 3], [5, 9]]
x = pad_sequences(texts, maxlen=100)

model = keras.Sequential(
    [
        keras.layers.Embedding(10_000, 64, mask_zero=True),
        keras.layers.LSTM(128),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile("adam", "binary_crossentropy")
model.fit(x, y=[0, 1])
