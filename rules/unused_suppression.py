"""A suppression comment silences nothing."""

CODE = "CDN002"
NEEDED = "a finding on this line"
SAYS = "this suppression silences nothing: {found}"
ADVICE = "Delete the comment."
