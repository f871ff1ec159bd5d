"""The language server: what `check` finds in a file, shown in an editor while the file is written.

Needs the extra `lsp` (pygls). It checks the text that the editor holds with the pipeline that `--stdin-filename` uses,
in this process, and writes no file: every change is an edit that the editor makes.
"""
