"""cudnnlint: which recurrent Keras layers will run in cuDNN on a GPU, which will not, and why.

For a model in memory: `check_model`, which returns a `Report`, `assert_cudnn` for a test, and the callback
`WarnBeforeTraining`. For many files or URLs: `check_many`, with any executor. `show` draws a model, in memory or saved,
in a notebook.
"""

from cudnnlint.core.version import __version__

# Of the standard library nothing is imported: `python -m cudnnlint` comes through here while Python still imports from
# the current folder first (see __main__), where a stranger's file may be called `typing.py`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cudnnlint.check.in_memory import WarnBeforeTraining, assert_cudnn, check_model
    from cudnnlint.check.many import check_many
    from cudnnlint.core.report import Report
    from cudnnlint.picture import show

__all__ = ["Report", "WarnBeforeTraining", "__version__", "assert_cudnn", "check_many", "check_model", "show"]


def __getattr__(name: str) -> "Any":
    """Import a function when it is first used: the command line needs none of them."""
    if name == "check_many":
        from cudnnlint.check.many import check_many

        return check_many
    if name == "show":
        from cudnnlint import picture

        return picture.show
    if name in __all__:
        from cudnnlint.check import in_memory

        return getattr(in_memory, name)
    raise AttributeError(f"module 'cudnnlint' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names too that were not used yet: an editor or a notebook completes from this list."""
    return sorted({*globals(), *__all__})
