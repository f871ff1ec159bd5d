"""`python -m cudnnlint`."""

from cudnnlint.cli.cli import main

if __name__ == "__main__":
    main()
