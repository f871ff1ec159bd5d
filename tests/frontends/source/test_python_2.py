"""Python 2 is called so where it is Python 3 once what only it has is written anew; the report names the tool."""

from __future__ import annotations

import pytest

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.frontends.source.syntax.parsing import CONVERTED, PYTHON_2, parse
from cudnnlint.frontends.source.syntax.python_2 import is_python_2


@pytest.mark.parametrize(
    "text",
    [
        'print "hello"\n',
        'print\nprint "a" % 3, b\n',
        'print "a # b", c # note\n',
        "try:\n    x = 1\nexcept Exception, e:\n    print e\n",
        'exec "x=1"\n',
        'raise ValueError, "x"\n',
        "x = 0777\n",
        'print >>f, "x"\n',
        'print >>sys.stderr, "x %s" % y\n',
        "if x <> 3:\n  pass\n",
        'print("y") % 3\nprint "x"\n',
        "x = 10L\n",
        's = ur"abc"\n',
        'print "a",\n',
        'if a: print "b"\nelse: print "c"\n',
        "print (a, b), c\n",
        "print x; y = 3\n",
        "print 'it''s'\n",
        'print("a"), b\nprint "c"\n',
        'def f():\n\tif x:\n        \tprint "y"\n',
        'print "multi" \\\n  "line"\n',
        'except_ = 3\nprint u"x"\n',
        'print "a %s" % (b), \\\n   c\n',
        "x = `a`\n",
        'raise ValueError, "a %s" % b\n',
        'print """x"""\n',
        'print "=" * 3\n',
    ],
)
def test_python_2_can_be_converted(text: str) -> None:
    assert is_python_2(text)


@pytest.mark.parametrize(
    "text",
    [
        'm = LSTM(3\nprint "x"\n',
        'print("x"\n',
        "x = [1, 2\n",
        '"""print "x" """\nx = (\n',
        "def f(:\n  pass\n",
        'print "x\n',
        "import keras\n!pip install x\n",
        "print 'x'" + " " * 2_000 + "\n",
    ],
)
def test_what_is_broken_in_every_python_cannot(text: str) -> None:
    assert not is_python_2(text)


@pytest.mark.parametrize(
    ("text", "reason", "row"),
    [
        ("import keras\nprint 'x'\n", CONVERTED, 2),
        ("print 'x' if\n", PYTHON_2, 1),
        ('"""print "x" is how it was."""\nx = (1\n', "Its syntax is not valid Python: '(' was never closed.", 2),
    ],
)
def test_the_reason_says_whether_2to3_helps(text: str, reason: str, row: int) -> None:
    with pytest.raises(UnreadableInput) as raised:
        parse(text)
    assert (raised.value.reason, raised.value.row) == (reason, row)
