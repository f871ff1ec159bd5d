"""`python -m cudnnlint`, and the command `cudnnlint`."""

import atexit
import gc
import sys

from cudnnlint.core.version import __version__

#: New objects after which Python looks for garbage. A tree alone has a hundred thousand, none of them garbage.
OBJECTS = 200_000


def main() -> None:
    """Answer `--version` at once; for everything else, import the command line."""
    if sys.argv[1:] == ["--version"]:
        print(f"cudnnlint {__version__}")
        return
    gc.set_threshold(OBJECTS)
    atexit.register(gc.freeze)  # Python would look for garbage in everything that is given back anyway
    from cudnnlint.cli.cli import main as run
    from cudnnlint.cli.ending import on_signals

    on_signals()
    run()


if __name__ == "__main__":
    main()
