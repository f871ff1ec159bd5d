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
# case: set on one direction
from keras import Sequential, activations
from keras.layers import GRU, LSTM, Bidirectional
one = Bidirectional(LSTM(1))  #: LSTM(units=1) in Bidirectional.forward ;; LSTM(units=1, activation:=keras.activations.relu) in Bidirectional.backward
one.backward_layer.cell.activation = activations.relu
two = Sequential([Bidirectional(GRU(2), name="b")])  #: GRU(units=2, unroll:=True) in Bidirectional.forward @none ;; GRU(units=2) in Bidirectional.backward @none
two.get_layer("b").forward_layer.unroll = True
three = Bidirectional(LSTM(3), backward_layer=LSTM(3, go_backwards=True))  #: LSTM(units=3) in Bidirectional.forward ;; LSTM(units=3, go_backwards=True, unroll:=True) in Bidirectional.backward
three.backward_layer.unroll = True
four = Bidirectional(LSTM(4))  #: LSTM(units=4, activation:=?) in Bidirectional.forward ;; LSTM(units=4) in Bidirectional.backward
four.forward_layer.cell = make()
# case: a class that is a layer or a wrapper
import sys
from keras.layers import LSTM, Bidirectional, SimpleRNN
kind = SimpleRNN if sys.argv[1:] else Bidirectional
if kind.__name__ == "Bidirectional":
    kind(LSTM(5))  #: LSTM(units=5) in Bidirectional.forward ;; LSTM(units=5) in Bidirectional.backward
else:
    kind(units=4)  #: SimpleRNN(units=4)
# case: a class that is not called
from keras.layers import LSTM, Bidirectional, TimeDistributed
Bidirectional(LSTM)  #: LSTM(**?) in Bidirectional.forward ;; LSTM(**?) in Bidirectional.backward
TimeDistributed(LSTM)  #: LSTM(**?) in TimeDistributed
# case: a Bidirectional of a model
from keras import Input, Model, Sequential
from keras.layers import GRU, LSTM, Bidirectional, TimeDistributed
one = Sequential([LSTM(1), Bidirectional(GRU(2))])  #: LSTM(units=1) in Bidirectional @none ;; GRU(units=2) in Bidirectional.forward in Bidirectional @none ;; GRU(units=2) in Bidirectional.backward in Bidirectional @none
Bidirectional(one)
x = Input((5, 4))
Bidirectional(Model(x, LSTM(3)(x)))  #: LSTM(units=3) in Bidirectional @none
TimeDistributed(Sequential([LSTM(4)]))  #: LSTM(units=4) @none
# case: a backward layer that is none
from keras.layers import LSTM, Bidirectional, Dense
Bidirectional(LSTM(1), backward_layer=Dense(2))  #: LSTM(units=1) in Bidirectional.forward
# case: a stack of a cell
from keras.layers import RNN, LSTMCell, StackedRNNCells
RNN(StackedRNNCells(LSTMCell(3)))  #: RNN(StackedRNNCells(cells=a LSTMCell object, LSTMCell(units=3)))
# case: the name of a class in place of a layer
from keras.layers import Bidirectional, TimeDistributed
Bidirectional("LSTM")  #: LSTM(**?) in Bidirectional.forward ;; LSTM(**?) in Bidirectional.backward
TimeDistributed("GRU")  #: GRU(**?) in TimeDistributed
TimeDistributed("Dense")
# case: a wrapper without a layer is an entry that stops
from keras.layers import LSTM, Bidirectional, TimeDistributed
Bidirectional(None)  #: RNN(**?) in Bidirectional.forward ;; RNN(**?) in Bidirectional.backward
Bidirectional(4)  #: RNN(**?) in Bidirectional.forward ;; RNN(**?) in Bidirectional.backward
TimeDistributed("ours")  #: RNN(**?) in TimeDistributed
Bidirectional(LSTM(1), backward_layer=4)  #: RNN(**?) in Bidirectional.backward ;; LSTM(units=1) in Bidirectional.forward
