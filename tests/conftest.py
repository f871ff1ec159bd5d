"""Makes `newest_releases` importable from every folder of tests."""
