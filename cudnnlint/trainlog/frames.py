"""Reads a traceback as a traceback: which line of the user's own stopped, and where in a library it ended.

Python's own form, IPython's old and new one, and the indented one of TensorFlow's "in user code".
"""

from __future__ import annotations

import re

from cudnnlint.core.quick_dataclass import dataclass

_FRAMES = re.compile(
    r"^\s*(?:File )?\"?(?P<path>[^\s\"][^\"\n]*?\.py)\"?(?:, line |:)(?P<line>\d+)(?:,? in)? (?P<function>[\w.<>]+)"
    r"|^\s*(?:File )?(?P<ipython>[~/\w][^\s\"]*\.py)(?::(?P<row>\d+),)? in (?P<called>[\w.<>]+)"
    r"|^\s*(?:File )?(?:<ipython-input-(?P<input>\d+)[^>]*>|Cell In ?\[(?P<cell>\d+)\])"
    r"(?:, line (?P<at>\d+)| in (?P<within>[\w.<>]+))?",
    re.MULTILINE,
)
_ARROW = re.compile(r"^-+> ?(?P<line>\d+) (?P<code>.*)$", re.MULTILINE)
_LIBRARY = re.compile(
    r"site-packages|dist-packages|[/\\]lib[/\\]python\d|\.egg\b|[/\\]keras[/\\](?:src|engine|layers|backend)[/\\]"
    r"|tensorflow[/\\]python|tensorflow_core|<frozen|/_bootstrap|__autograph_generated"
)
_PACKAGE = re.compile(r"(?:site-packages|dist-packages)[/\\](?:[\w.-]+\.egg[/\\])?(?P<inside>[\w./\\-]+)")
#: What only hands errors on.
_HANDLERS = (
    "traceback_utils",
    "autograph_util",
    "autograph",
    "errors_impl",
    "tf_decorator",
    "execute.py",
    "six.py",
    "framework/ops.py",
    "framework\\ops.py",
    "eager/core.py",
)
#: Whose code the end of a path is, the first that fits.
_OWNERS = (
    (r"/layers/rnn/|/recurrent(?:_v2)?\.py|backend/\w+/rnn\.py|/cudnn_recurrent\.py|/rnn_cell", "recurrent"),
    (r"(?:^|/)(?:tf_)?keras/|tensorflow(?:_core)?/python/keras/", "keras"),
    (r"tensorflow(?:_core)?/|/tensorflow_probability/", "tensorflow"),
    (r"/torch/", "torch"),
)
_WIDEST = 90  # characters of a line of code that are worth showing


@dataclass(frozen=True)
class CodeLine:
    """A line of a traceback: where it is, and what it says."""

    path: str
    line: str
    function: str
    code: str
    library: bool

    @property
    def place(self) -> str:
        """The file as its package has it, or the user's own with its line."""
        inside = _PACKAGE.search(self.path)
        if self.library:
            return inside["inside"].replace("\\", "/") if inside else self.path.replace("\\", "/").rpartition("/")[2]
        name = self.path.replace("\\", "/").rpartition("/")[2]
        return f"{name}:{self.line}" if self.line else name


@dataclass(frozen=True)
class Stop:
    """Where a program stopped: the innermost line of the user's own, and the innermost one of a library behind it."""

    own: CodeLine | None
    library: CodeLine | None
    beyond: bool = False  # whether anything of a library came after the user's own line

    @property
    def owner(self) -> str:
        """Whose line it was that stopped, in one word; empty where no line is shown."""
        if self.library is not None:
            path = self.library.path.replace("\\", "/")
            return next((name for pattern, name in _OWNERS if re.search(pattern, path)), "package")
        if self.own is None or self.beyond:
            return ""
        return "raised" if re.match(r"raise\b|assert\b", self.own.code) else "own"

    def __str__(self) -> str:
        """Return the user's own line, and where it ended behind that."""
        told = []
        if self.own is not None:
            within = f" in {self.own.function}" if self.own.function.strip("<>") not in ("", "module") else ""
            told.append(f"{self.own.place}{within}" + (f": `{self.own.code}`" if self.own.code else ""))
        if self.library is not None:
            told.append(f"it ends in {self.library.place}, {self.library.function}")
        return "; ".join(told)


def stop(text: str) -> Stop:
    """Return where the traceback in a text stopped."""
    own = library = None
    beyond = False
    for frame in _read(text):
        if not frame.library:
            own, library, beyond = frame, None, False
        else:
            beyond = True
            library = library if any(name in frame.path for name in _HANDLERS) else frame
    return Stop(own, library, beyond)


def _read(text: str) -> list[CodeLine]:
    matches = list(_FRAMES.finditer(text))
    ends = [*(match.start() for match in matches), len(text)][1:]
    return [_frame(match, text[match.end() : end]) for match, end in zip(matches, ends, strict=False)]


def _frame(match: re.Match[str], below: str) -> CodeLine:
    path = match["path"] or match["ipython"]
    number = match["input"] or match["cell"]
    arrow = _ARROW.search(below)
    line = match["line"] or match["row"] or match["at"] or (arrow["line"] if arrow else "")
    code = arrow["code"].strip()[:_WIDEST] if arrow else _code(below)
    function = match["function"] or match["called"] or match["within"] or ""
    if path is None:
        return CodeLine(f"cell {number}", line, function, code, False)
    return CodeLine(path, line, function, code, _LIBRARY.search(path) is not None)


def _code(below: str) -> str:
    """Return the line of code that Python shows under a frame: one line, further to the right than the frame."""
    lines = below.split("\n")
    code = lines[1] if len(lines) > 1 and lines[1].startswith("    ") else ""
    return code.strip()[:_WIDEST]
