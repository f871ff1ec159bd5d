"""Variables of the environment: a program that reads what it has set itself gets that, and else what nobody knows."""

from __future__ import annotations

import pytest

from cudnnlint.core.fact import Known, OneOf, Unknown, values
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

OUTSIDE = "?"
SET = "os.environ['ACT'] = 'tanh'\n"


@pytest.mark.parametrize(
    ("program", "activation"),
    [
        (SET, ["tanh"]),
        ("os.environ.update({'ACT': 'relu'}, OTHER='tanh')\n", ["relu"]),
        ("os.environ.update(ACT='relu')\n", ["relu"]),
        (SET + "os.environ['ACT'] = 'relu'\n", ["relu"]),
        (SET + "os.environ.setdefault('ACT', 'relu')\n", ["tanh"]),
        ("os.environ.setdefault('ACT', 'relu')\n", OUTSIDE),
        (SET + "os.putenv('ACT', 'relu')\n", ["tanh"]),
        (SET + "del os.environ['ACT']\n", OUTSIDE),
        (SET + "os.environ.pop('ACT')\n", OUTSIDE),
        (SET + "os.environ[sys.argv[1]] = 'relu'\n", OUTSIDE),
        ("os.environ['OTHER'] = 'tanh'\n", OUTSIDE),
        ("if sys.argv[1:]:\n    os.environ['ACT'] = 'relu'\n", OUTSIDE),
        (SET + "if sys.argv[1:]:\n    os.environ['ACT'] = 'relu'\n", ["tanh", "relu"]),
        ("def prepare(name):\n    os.environ['ACT'] = name\nprepare('relu')\n", ["relu"]),
        ("def prepare():\n    os.environ['ACT'] = 'relu'\n", OUTSIDE),
    ],
)
@pytest.mark.parametrize("asked", ["os.environ['ACT']", "os.environ.get('ACT', 'elu')", "os.getenv('ACT')"])
def test_a_program_reads_what_it_has_set(asked: str, program: str, activation: object, names: Names) -> None:
    text = f"import os, sys\nfrom keras.layers import LSTM\n{program}LSTM(1, activation={asked})\n"
    fact = read("p.py", text.encode(), names).layers[0].variants[0].arguments["activation"]
    if activation is OUTSIDE:
        facts = fact.facts if isinstance(fact, OneOf) else (fact,)
        assert any(isinstance(one, Unknown) and "comes from the environment" in one.because for one in facts)
    else:
        assert isinstance(fact, (Known, OneOf))
        assert sorted(values(fact)) == sorted(activation)  # type: ignore[call-overload]
