"""`python -m cudnnlint`, and the command `cudnnlint`."""

import sys

from cudnnlint.core.version import __version__


def main() -> None:
    """Answer `--version` at once; for everything else, import the command line."""
    if sys.argv[1:] == ["--version"]:
        print(f"cudnnlint {__version__}")
        return
    from cudnnlint.cli.cli import main as run

    run()


if __name__ == "__main__":
    main()
