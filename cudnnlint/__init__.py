"""cudnnlint: which recurrent Keras layers will run in cuDNN on a GPU, which will not, and why."""

from __future__ import annotations

__version__ = "0.1.0"
