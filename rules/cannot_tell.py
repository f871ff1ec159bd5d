"""The code or file does not show enough to tell which kernel a layer will use."""

CODE = "CDN501"
NEEDED = "a value that can be read"
SAYS = "it cannot be told: {found}"
ADVICE = "Write the value where the layer is made, or run cudnnlint probe."
