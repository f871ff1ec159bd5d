"""Runs the child by path, under any interpreter: `python .../probe/child/__main__.py`.

That interpreter need not have cudnnlint, so this folder is loaded as a package under a name of its own. The folder
itself leaves the search path, where its modules could be taken for others of the same name.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys

NAME = "cudnnlint_probe_child"


def load() -> None:
    """Make this folder importable as the package NAME, and as nothing else."""
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != folder]
    init = os.path.join(folder, "__init__.py")
    spec = importlib.util.spec_from_file_location(NAME, init, submodule_search_locations=[folder])
    assert spec is not None
    assert spec.loader is not None
    sys.modules[NAME] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[NAME])


if __name__ == "__main__":
    load()
    importlib.import_module(NAME + ".main").main()
