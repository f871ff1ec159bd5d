"""The command `clean`: the result cache, emptied."""

from __future__ import annotations

from pathlib import Path

import click

from cudnnlint.core.text import visible


def command() -> click.Command:
    """Return the command."""

    @click.command("clean")
    @click.option("--cache-dir", type=click.Path(), envvar="CUDNNLINT_CACHE_DIR", help="Folder of the result cache.")
    def clean(cache_dir: str | None) -> None:
        """Empty the result cache."""
        from cudnnlint.files import cache

        folder = Path(cache_dir) if cache_dir else cache.default_folder()
        try:
            if folder is not None and cache.clean(folder):
                click.echo(f"Removed the results in {visible(str(folder))}.", err=True)
        except OSError as error:
            raise click.UsageError(f"Cannot empty {folder}: {error.strerror or error}.") from error

    return clean
