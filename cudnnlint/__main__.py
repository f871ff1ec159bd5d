"""`python -m cudnnlint`, and the command `cudnnlint`."""

# These are built into Python, or imported when it starts: the current folder is passed over before any other.
import atexit
import gc
import os
import sys

from cudnnlint.core.version import __version__

#: New objects after which Python looks for garbage. A tree alone has a hundred thousand, none of them garbage.
OBJECTS = 200_000


def main() -> None:
    """Answer `--version` at once; for everything else, import the command line."""
    if sys.argv[1:] == ["--version"]:
        print(f"cudnnlint {__version__}")
        return
    os.environ.setdefault("PYTHONSAFEPATH", "1")  # nor do the processes that it starts import from the current folder
    gc.set_threshold(OBJECTS)
    atexit.register(gc.freeze)  # Python would look for garbage in everything that is given back anyway
    from cudnnlint.cli.cli import main as run
    from cudnnlint.cli.ending import on_signals

    on_signals()
    run()


def pass_over_current_folder(path: list[str], package: str, safe: bool) -> None:
    """Take the current folder from `path`, which `python -m` puts first: a stranger's file may be called `enum.py`.

    A folder that holds the package itself goes to the end. With `safe` (`-P`, `-I`) Python did not put it there.
    """
    if not safe:
        current = path.pop(0)
        if current == package.rpartition("cudnnlint")[0][:-1]:
            path.append(current)


if __name__ == "__main__":
    pass_over_current_folder(sys.path, __file__[: -len("/__main__.py")], getattr(sys.flags, "safe_path", False))
    main()
