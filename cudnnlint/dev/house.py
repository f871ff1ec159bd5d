"""Draws the house from its imports: `python -m cudnnlint.dev.house [--markdown | --write | --check]`.

As text: every room with its modules, lines and imports, from the top floor down, and what breaks a law. `--markdown`
prints what CONTRIBUTING.md shows of it, `--write` puts it there, and `--check` prints what breaks a law or is stale;
text and `--check` exit 1 if there is anything.
"""

from __future__ import annotations

import sys
from pathlib import Path

from cudnnlint.dev import drawing
from cudnnlint.dev.faults import faults
from cudnnlint.dev.survey import House, here

BEGIN, END = "<!-- drawn by python -m cudnnlint.dev.house --write -->\n", "<!-- end of the drawing -->\n"
PAGE = "CONTRIBUTING.md"


def drawn(page: str, house: House) -> str:
    """Return the text of a page with today's drawing between its marks. Raises ValueError for a page without them."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{PAGE} lacks the marks that the drawing stands between.")
    return f"{before}{BEGIN}\n{drawing.markdown(house)}\n{END}{after}"


def stale(page: Path, house: House) -> list[str]:
    """Return a sentence if the page shows another house. Where there is no page, as in a wheel, nothing is stale."""
    if not page.exists():
        return []
    text = page.read_text(encoding="utf-8")
    return [] if drawn(text, house) == text else [f"{page.name} is stale: run `python -m cudnnlint.dev.house --write`."]


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    house = here()
    page = Path(__file__).resolve().parents[2] / PAGE
    if "--markdown" in arguments:
        print(drawing.markdown(house), end="")
        return 0
    if "--write" in arguments:
        page.write_text(drawn(page.read_text(encoding="utf-8"), house), encoding="utf-8")
        return 0
    found = faults(house)
    if "--check" in arguments:
        found += stale(page, house)
    else:
        print(drawing.text(house))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
