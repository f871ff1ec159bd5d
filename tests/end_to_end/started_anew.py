"""Runs the command line with processes that are started as on another system: `spawn` or `forkserver`."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv.pop(1))
    from cudnnlint.__main__ import main

    main()
