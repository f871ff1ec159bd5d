"""PURE: the words of cudnnlint as types. Standard library and packaging's Version only; no I/O, no clock."""
