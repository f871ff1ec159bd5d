"""The probe: predictions held against what the installed framework really does."""
