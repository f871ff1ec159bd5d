# case: a group and an exclusive group add to their parser
import argparse
from keras.layers import LSTM
parser = argparse.ArgumentParser()
group = parser.add_argument_group("model")
group.add_argument("--drop", type=float, default=0.0)
either = group.add_mutually_exclusive_group()
either.add_argument("--unroll", action="store_true")
either.add_argument("--bias", action=argparse.BooleanOptionalAction, default=True)
args = parser.parse_args(["--drop", "0.5", "--no-bias"])
LSTM(1, recurrent_dropout=args.drop, unroll=args.unroll, use_bias=args.bias)  #: LSTM(units=1, recurrent_dropout=0.5, unroll=False, use_bias=False)
args = parser.parse_args()
LSTM(2, recurrent_dropout=args.drop, unroll=args.unroll, use_bias=args.bias)  #: LSTM(units=2, recurrent_dropout=?, unroll=False|True, use_bias=True|False)
# case: what set_defaults sets, and no argument
import argparse
from keras.layers import LSTM
parser = argparse.ArgumentParser()
parser.add_argument("--units", type=int)
parser.set_defaults(layer=LSTM, units=3, unroll=True)
parser.parse_args().layer(parser.parse_args().units, unroll=parser.parse_args().unroll)  #: LSTM(units=?, unroll=True)
args = parser.parse_args([])
args.layer(args.units)  #: LSTM(units=3)
# case: a subcommand chooses its function
import argparse
from keras.layers import GRU, LSTM
def train(given):
    LSTM(given.units, unroll=given.fast)  #: LSTM(units=?, unroll=False|True) <-16 ;; LSTM(units=4, unroll=False) <-17
def test(given):
    GRU(given.units, unroll=given.again)  #: GRU(units=?, unroll=True) <-16
parser = argparse.ArgumentParser()
parser.add_argument("--units", type=int, default=3)
commands = parser.add_subparsers(dest="command", required=True)
one = commands.add_parser("train")
one.add_argument("--fast", action="store_true")
one.set_defaults(run=train)
two = commands.add_parser("test", aliases=["t"])
two.set_defaults(run=test, again=True)
args = parser.parse_args()
args.run(args)
(args := parser.parse_args(["--units", "4", "train"])).run(args)
if args.command == "test":
    GRU(5)
# case: choices are the values that there may be
import argparse
from keras import layers
def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["LSTM", "GRU"])
    parser.add_argument("--act", choices=("tanh", "relu"), default="sigmoid")
    parser.add_argument("--size", type=int, choices=range(1, 100))
    args = parser.parse_args(argv)
    getattr(layers, args.kind)(args.size, activation=args.act)  #: LSTM(units=?, activation='sigmoid'|'tanh'|'relu') / GRU(units=?, activation='sigmoid'|'tanh'|'relu') <-10
main()
# case: the parser of a parent, and a class of parsers
import argparse
from keras.layers import LSTM
class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise SystemExit(message)
base = Parser(add_help=False)
base.add_argument("--bias", type=int, choices=(0, 1), default=1)
parser = argparse.ArgumentParser("train", parents=[base])
args, more = parser.parse_known_args()
LSTM(1, use_bias=args.bias)  #: LSTM(units=1, use_bias=1|0)
# case: an attribute that only one subcommand has
import argparse
from keras.layers import LSTM
parser = argparse.ArgumentParser()
parser.add_subparsers().add_parser("deep").set_defaults(unroll=True)
args = parser.parse_args()
LSTM(1, unroll=args.unroll)  #: LSTM(units=1, unroll=True)
LSTM(2, unroll=getattr(args, "unroll", False))  #: LSTM(units=2, unroll=True|False)
# case: arguments that are not seen
import argparse
from keras.layers import LSTM
parser = argparse.ArgumentParser()
parser.set_defaults(unroll=True)
parser.add_argument(*names)
LSTM(1, unroll=parser.parse_args().unroll)  #: LSTM(units=1, unroll=?)
# case: parsers that Python refuses to make, or that would be too large
import argparse
from keras.layers import LSTM
def of(*options, **more):
    parser = argparse.ArgumentParser(prefix_chars="-+")
    parser.add_argument("-a", **more)
    for option in options:
        parser.add_argument(option)
    return parser
LSTM(1, unroll=of("-a").parse_args([]).a)  #: LSTM(units=1, unroll=?)
LSTM(2, unroll=of(nargs=10**9).parse_args([]).a)  #: LSTM(units=2, unroll=?)
LSTM(3, unroll=of(choices=range(10**12)).parse_args([]).a)  #: LSTM(units=3, unroll=None)
twice = of()
twice.add_subparsers()
twice.add_subparsers()
LSTM(4, unroll=twice.parse_args().a)  #: LSTM(units=4, unroll=?)
# case: arguments that the source writes beside others that the parser does not know
import argparse
from keras.layers import LSTM
parser = argparse.ArgumentParser()
parser.add_argument("--units", type=int, default=3)
parser.add_argument("--unroll", action="store_true")
args, rest = parser.parse_known_args(["--unroll", "-f", "kernel.json"])
LSTM(args.units, unroll=args.unroll)  #: LSTM(units=3, unroll=True)
LSTM(4, unroll=parser.parse_known_args([])[0].unroll)  #: LSTM(units=4, unroll=False)
args = parser.parse_known_args()[0]
LSTM(5, unroll=args.unroll)  #: LSTM(units=5, unroll=False|True)
