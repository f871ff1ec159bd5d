"""cudnnlint itself failed on a layer."""

CODE = "CDN003"
NEEDED = "a rule that answers"
SAYS = "cudnnlint failed: {found}"
ADVICE = "Please report it with the code of the layer."
