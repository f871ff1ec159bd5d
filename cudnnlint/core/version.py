"""The release of cudnnlint."""

__version__ = "0.1.0"
