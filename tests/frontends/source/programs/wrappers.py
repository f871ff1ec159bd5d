# case: Bidirectional
from keras.layers import LSTM, Bidirectional
Bidirectional(LSTM(3, name="x"), merge_mode="sum")  #: LSTM(units=3, name='x') in Bidirectional.forward ;; LSTM(units=3, name='x') in Bidirectional.backward
# case: an explicit backward layer stands in its own row
from keras.layers import LSTM, GRU, Bidirectional
Bidirectional(
    LSTM(3),  #: LSTM(units=3) in Bidirectional.forward
    backward_layer=LSTM(3, go_backwards=True),  #: LSTM(units=3, go_backwards=True) in Bidirectional.backward
)
# case: the wrapped layer is a variable
from keras.layers import LSTM, Bidirectional
inner = LSTM(3)  #: LSTM(units=3) in Bidirectional.forward ;; LSTM(units=3) in Bidirectional.backward
outer = Bidirectional(inner)
# case: TimeDistributed
from keras.layers import LSTM, TimeDistributed
TimeDistributed(LSTM(3))  #: LSTM(units=3) in TimeDistributed
# case: one in the other
from keras.layers import LSTM, Bidirectional, TimeDistributed
TimeDistributed(Bidirectional(LSTM(3)))  #: LSTM(units=3) in Bidirectional.forward in TimeDistributed ;; LSTM(units=3) in Bidirectional.backward in TimeDistributed
# case: RNN with a cell
from keras.layers import RNN, LSTMCell
RNN(LSTMCell(3, recurrent_dropout=0.1), return_sequences=True)  #: RNN(return_sequences=True, LSTMCell(units=3, recurrent_dropout=0.1))
# case: RNN with cells
from keras.layers import RNN, LSTMCell, GRUCell
RNN([LSTMCell(3), GRUCell(4)])  #: RNN(LSTMCell(units=3), GRUCell(units=4))
# case: RNN with stacked cells
from keras.layers import RNN, LSTMCell, StackedRNNCells
cells = [LSTMCell(n) for n in (1, 2)]
RNN(StackedRNNCells(cells))  #: RNN(LSTMCell(units=1), LSTMCell(units=2))
# case: RNN with a cell of one's own
from keras.layers import RNN, Layer
class Cell(Layer):
    pass
RNN(Cell())  #: RNN(Layer:Cell())
# case: a choice inside Bidirectional
import sys
from keras.layers import LSTM, GRU, Bidirectional
cell = LSTM if len(sys.argv) > 1 else GRU
Bidirectional(cell(3))  #: LSTM(units=3) / GRU(units=3) in Bidirectional.forward ;; LSTM(units=3) / GRU(units=3) in Bidirectional.backward
# case: in a helper
from keras.layers import LSTM, Bidirectional
def bi(layer):
    return Bidirectional(layer)
bi(LSTM(3))  #: LSTM(units=3) in Bidirectional.forward ;; LSTM(units=3) in Bidirectional.backward
# case: an unknown wrapper
from mylib import Wrap
from keras.layers import LSTM
Wrap(LSTM(3))  #: LSTM(units=3)
# case: Bidirectional over RNN
from keras.layers import RNN, GRUCell, Bidirectional
Bidirectional(RNN(GRUCell(2)))  #: RNN(GRUCell(units=2)) in Bidirectional.forward ;; RNN(GRUCell(units=2)) in Bidirectional.backward
# case: a list of wrapped layers
from keras.layers import LSTM, Bidirectional
for n in (1, 2):
    Bidirectional(LSTM(n))  #: LSTM(units=1) in Bidirectional.forward ;; LSTM(units=1) in Bidirectional.backward ;; LSTM(units=2) in Bidirectional.forward ;; LSTM(units=2) in Bidirectional.backward
# case: a class that is a layer or a wrapper
import sys
from keras.layers import LSTM, Bidirectional, SimpleRNN
kind = SimpleRNN if sys.argv[1:] else Bidirectional
if kind.__name__ == "Bidirectional":
    kind(LSTM(5))  #: LSTM(units=5) in Bidirectional.forward ;; LSTM(units=5) in Bidirectional.backward
else:
    kind(units=4)  #: SimpleRNN(units=4)
