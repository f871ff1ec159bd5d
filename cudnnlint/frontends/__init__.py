"""Front ends: bytes in, layers of facts out. None of them knows a target, a rule or a verdict."""
