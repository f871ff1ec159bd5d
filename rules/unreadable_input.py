"""A file could not be read."""

CODE = "CDN001"
NEEDED = "a file that can be read"
SAYS = "the file cannot be read: {found}"
ADVICE = "Mend or leave out the file; the others were checked."
