"""What decides a value from outside the program: a file, a folder, the keyboard, the environment, the command line."""

from __future__ import annotations

import pytest

from cudnnlint.core.fact import Unknown
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

DATA, FOLDERS = "comes from data that the program reads", "depends on which files there are"
EXISTS = "`os.path.exists('x')`"


@pytest.mark.parametrize(
    ("value", "because"),
    [
        ("json.load(f)['act']", f"`json.load(f)['act']` {DATA}"),
        ("json.loads(open('x').read())['act']", f"`json.loads(open('x').read())['act']` {DATA}"),
        ("open('x').read().strip()", f"`open('x').read().strip()` {DATA}"),
        ("yaml.safe_load(open('x')).get('act')", f"`yaml.safe_load(open('x')).get('act')` {DATA}"),
        ("numpy.load('x')[2:7]", f"`numpy.load('x')[2:7]` {DATA}"),
        ("pandas.read_csv('x')['act'][0]", f"`pandas.read_csv('x')['act'][0]` {DATA}"),
        ("sys.stdin.readline()", f"`sys.stdin.readline()` {DATA}"),
        ("input('activation? ')", "`input('activation? ')` comes from the keyboard"),
        ("os.listdir('x')[0]", f"`os.listdir('x')[0]` {FOLDERS}"),
        ("'tanh' if os.path.exists('x') else 4", f"it depends on {EXISTS}, and {EXISTS} {FOLDERS}"),
        ("os.environ['ACT']", "`os.environ['ACT']` comes from the environment"),
        ("sys.argv[1]", "`sys.argv[1]` comes from the command line"),
        ("flags.FLAGS.act", "`absl.flags.FLAGS.act` comes from the command line"),
        ("flags.DEFINE_string('act', 'tanh', '').value",
         "`flags.DEFINE_string('act', 'tanh', '').value` comes from the command line"),
        ("tf.compat.v1.flags.FLAGS.act", "`tensorflow.compat.v1.flags.FLAGS.act` comes from the command line"),
        ("tf.app.flags.FLAGS.act", "`tensorflow.app.flags.FLAGS.act` comes from the command line"),
    ],
)  # fmt: skip
def test_the_reason_says_who_decides(value: str, because: str, names: Names) -> None:
    imports = "import json, os, sys\nimport numpy, pandas, yaml\nfrom absl import flags\n"
    imports += "import tensorflow as tf\nfrom keras.layers import LSTM\n"
    found = read("p.py", f"{imports}with open('c.json') as f:\n    LSTM(1, activation={value})\n".encode(), names)
    fact = found.layers[0].variants[0].arguments["activation"]
    assert isinstance(fact, Unknown) or value.startswith("'tanh'")
    assert fact.because == because


def test_a_parser_that_has_read_a_file_holds_data(names: Names) -> None:
    program = (
        "import configparser\nfrom keras.layers import LSTM\np = configparser.ConfigParser()\np.read('x.ini')\n"
        "LSTM(1, activation=p['a']['b'])\n"
    )
    fact = read("p.py", program.encode(), names).layers[0].variants[0].arguments["activation"]
    assert isinstance(fact, Unknown)
    assert DATA in fact.because


def test_arguments_that_two_dicts_of_data_pass_come_from_data(names: Names) -> None:
    program = "import json\nfrom keras.layers import LSTM\np = json.load(open('x'))\nLSTM(**{**p['a'], **p['b']})\n"
    (layer,) = read("p.py", program.encode(), names).layers
    assert layer.variants[0].open == f"`p['b']` {DATA}"
