"""The page of a report: HTML and SVG that are complete in themselves, readable without a script."""
