"""The newest releases that the tables know: what a test says that means "the newest", and not a certain release."""

from __future__ import annotations

from cudnnlint.targets import environment

_KNOWN = environment.known()
NEWEST = str(_KNOWN.newest("keras"))
NEWEST_TF_KERAS, NEWEST_TENSORFLOW = (str(_KNOWN.newest(name)) for name in ("tf_keras", "tensorflow"))
#: The same without the patch.
NEWEST_MINOR, NEWEST_TF_KERAS_MINOR = (text.rpartition(".")[0] for text in (NEWEST, NEWEST_TF_KERAS))
#: How many targets "all" stands for: every minor since TensorFlow 2, of Keras 3 on each of three backends.
ALL = sum(
    3 if name == "keras" and major >= 3 else 1
    for name in ("keras", "tf_keras", "tensorflow")
    for major, minor in _KNOWN.minors(name)
    # TensorFlow's own Keras before 2.6, the package keras from then on; what is older has to be asked for by name
    if ((2, 0) <= (major, minor) < (2, 6) if name == "tensorflow" else (major, minor) >= (2, 6))
)
