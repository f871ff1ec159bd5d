"""Which models the installed Keras builds again from their configuration alone, without weights: one line of JSON.

    python loaded_configs.py --framework keras < texts.json        or tf_keras, tensorflow (tf.keras)

    {"framework", "keras", "tensorflow", "backend", "found": {name: "r" if the model was built, "s" if it stopped}}

texts.json is {name: the configuration as `to_json` writes it}; test_loaded_configs.py takes them out of what releases
wrote into the files of fixtures/evidence/loaded.xz. The answers are in fixtures/evidence/loaded_configs.json, one a
line. A Lambda's code is allowed.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def answer(keras: Any, text: str) -> str:
    """Build the model."""
    keras.backend.clear_session()
    allow_code(keras)  # which is forgotten with the session
    try:
        keras.models.model_from_json(text)
    except Exception:
        return "s"
    return "r"


def allow_code(keras: Any) -> None:
    """Let Keras run the code of a Lambda."""
    package = keras.models.model_from_json.__module__.partition(".src.")[0]
    importlib.import_module(f"{package}.src.saving.serialization_lib").enable_unsafe_deserialization()


def main() -> None:
    """Ask, print."""
    from ask import asked_of, named_keras

    framework, keras = named_keras(__doc__)
    found = {name: answer(keras, text) for name, text in json.load(sys.stdin).items()}
    print(json.dumps({**asked_of(framework, keras), "found": found}))


if __name__ == "__main__":
    main()
