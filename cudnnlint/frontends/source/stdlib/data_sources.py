"""Functions whose results are decided outside the program: by files, by the machine's folders, by the keyboard.

None of them is followed. What they return is unknown, and the sentence for the report says who decides it.
"""

from __future__ import annotations

from cudnnlint.frontends.source.python.values import words

#: How the sentence goes on; it begins with a verb, as every reason of an unknown value does.
DATA = "comes from data that the program reads"
FOLDERS = "depends on which files there are"
KEYBOARD = "comes from the keyboard"
ENVIRONMENT = "comes from the environment"

_DATA = words(
    "builtins.open codecs.open dill.load gzip.open h5py.File io.open joblib.load json.load numpy.fromfile "
    "numpy.genfromtxt numpy.load numpy.loadtxt pickle.load scipy.io.loadmat simplejson.load toml.load tomli.load "
    "tomllib.load torch.load ujson.load urllib.request.urlopen requests.get yaml.full_load yaml.load yaml.safe_load "
    "yaml.unsafe_load"
)
_FOLDERS = words(
    "glob.glob glob.iglob os.listdir os.path.exists os.path.getsize os.path.isdir os.path.isfile os.scandir os.walk"
)


def outside(name: str) -> str | None:
    """Return what decides the result of a function, by its dotted name; None where the program does."""
    if name in _DATA or name.startswith(("pandas.read_", "tensorflow.io.gfile.", "sys.stdin.")):
        return DATA
    if name in _FOLDERS:
        return FOLDERS
    if name in ("os.getenv", "os.environ.get"):
        return ENVIRONMENT
    return KEYBOARD if name == "builtins.input" else None
