"""cudnnlint inside other tools: flake8 and pytest. Each is found by its entry point, in pyproject.toml."""
