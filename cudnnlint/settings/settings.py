"""What holds for one file: flags over the nearest config over the defaults. Reads nothing itself."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from cudnnlint.core.book import Rulebook
from cudnnlint.core.errors import UsageError
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.text import closest
from cudnnlint.settings.config import Config
from cudnnlint.targets.environment import RequestedTargets

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

#: Told whatever is selected: a file that was not read, and a fault of cudnnlint itself.
ALWAYS = frozenset({"CDN001", "CDN003"})
CANNOT_TELL = "CDN501"


@dataclass(frozen=True)
class Flags:
    """What the command line says of a check; None or empty where it says nothing.

    `select` and `ignore` go before those of the configuration, `extend_select` and `extend_ignore` add to what holds.

    `baseline` "" is no baseline, whatever the config says; `jobs` None or 0 is one for each core. `cache` is the folder
    of the result cache, None for a run without one. `compared` is how many layers, of all files that are read
    together, are judged for all releases besides their targets.
    """

    target: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    fail_on: str | None = None
    strict: bool = False
    inference: bool = False
    baseline: str | None = None
    jobs: int | None = None
    force_exclude: bool = False
    cache: str | None = None
    compared: int = 0


@dataclass(frozen=True)
class Settings:
    """What holds for one file."""

    codes: frozenset[str]
    requested: RequestedTargets | None
    fail_on: str
    strict: bool
    inference: bool
    baseline: Path | None
    config: Config
    compared: int = 0

    def layer_ignores(self, names: Iterable[str], book: Rulebook) -> frozenset[str]:
        """Return the codes that `per-layer-ignores` ignores for a layer with these names and paths."""
        given = [name for name in names if name]
        return frozenset().union(
            *(
                codes_of(selectors, book)
                for glob, selectors in self.config.per_layer_ignores
                if any(fnmatch.fnmatchcase(name, glob) for name in given)
            )
        )


def settle(flags: Flags, config: Config, path: Path, book: Rulebook) -> Settings:
    """Return the settings for the file at `path` (absolute).

    Raises UsageError for a selector that names no rule, with the file where it is written in one.
    """
    _look_up(config, book)
    select = ("ALL",) if config.select is None else config.select
    codes = _stage(frozenset(), (*select, *config.extend_select), () if flags.ignore else config.ignore, book)
    base = frozenset() if flags.select else codes
    ignored = (*flags.ignore, *flags.extend_ignore)
    codes = _stage(base, (*flags.select, *flags.extend_select), ignored, book)
    dropped = codes_of((*(flags.ignore or config.ignore), *flags.extend_ignore), book)
    dropped |= _file_ignores(config, path, book)
    wanted = ALWAYS | ({CANNOT_TELL} if flags.strict else frozenset())
    return Settings(
        codes=codes - _file_ignores(config, path, book) | (wanted - dropped) | {"CDN003"},
        requested=_requested(flags, config),
        fail_on=flags.fail_on or config.fail_on or "warning",
        strict=flags.strict,
        inference=flags.inference,
        baseline=_baseline(flags, config),
        config=config,
        compared=flags.compared,
    )


def _look_up(config: Config, book: Rulebook) -> None:
    """Look up every selector of a config. Raises UsageError for one that names no rule, whether it is used or not."""
    lists = [("select", config.select or ()), ("extend-select", config.extend_select), ("ignore", config.ignore)]
    lists += [("per-file-ignores", selectors) for _, selectors in config.per_file_ignores]
    lists += [("per-layer-ignores", selectors) for _, selectors in config.per_layer_ignores]
    for key, selectors in lists:
        try:
            codes_of(selectors, book)
        except UsageError as error:
            raise UsageError(f'{config.file}: in "{key}": {error}') from None


def _baseline(flags: Flags, config: Config) -> Path | None:
    if flags.baseline is not None:
        return Path(flags.baseline) if flags.baseline else None
    return config.folder / config.baseline if config.baseline else None


def _requested(flags: Flags, config: Config) -> RequestedTargets | None:
    if flags.target:
        return RequestedTargets(flags.target, "--target")
    return RequestedTargets(config.target, f"target in {os.path.basename(config.file)}") if config.target else None


def _stage(base: frozenset[str], add: Iterable[str], drop: Iterable[str], book: Rulebook) -> frozenset[str]:
    """Apply selectors from the widest to the narrowest: a narrow one beats a wide one, and dropping beats adding."""
    codes = set(base)
    steps = [(_width(text), False, text) for text in add] + [(_width(text), True, text) for text in drop]
    for _, dropping, text in sorted(steps, key=lambda step: step[:2]):
        (codes.difference_update if dropping else codes.update)(codes_of([text], book))
    return frozenset(codes)


def _width(selector: str) -> int:
    return 0 if selector.upper() == "ALL" else len(selector) if re.fullmatch(r"CDN\d{0,3}", selector.upper()) else 6


def codes_of(selectors: Iterable[str], book: Rulebook) -> frozenset[str]:
    """Return the codes that selectors (ALL, CDN1, CDN101, a rule's name) match.

    Raises UsageError, with a did-you-mean, for one that names no rule.
    """
    return frozenset(code for selector in selectors for code in _codes(selector, book))


def _codes(selector: str, book: Rulebook) -> set[str]:
    text = selector.strip()
    codes = {rule.code for rule in book.rules.values()}
    if text.upper() == "ALL":
        return codes
    if re.fullmatch(r"CDN\d{0,3}", text.upper()):
        found = {code for code in codes if code.startswith(text.upper())}
    else:
        found = {rule.code for rule in book.rules.values() if rule.name == text.lower().replace("_", "-")}
    if not found:
        raise UsageError(f'There is no rule "{text}". {suggestion(text, book)}')
    return found


def suggestion(text: str, book: Rulebook) -> str:
    """Return a did-you-mean for a rule's code or name."""
    known = [*book.rules, *(rule.code for rule in book.rules.values())]
    close = closest(text, known) or closest(text.upper(), known)
    return f'Did you mean "{close}"?' if close else "cudnnlint rules lists all rules."


def _file_ignores(config: Config, path: Path, book: Rulebook) -> frozenset[str]:
    """Return the codes that `per-file-ignores` ignores for this file."""
    try:
        inside = path.relative_to(config.folder).as_posix()
    except ValueError:
        return frozenset()
    return frozenset().union(
        *(
            codes_of(selectors, book)
            for glob, selectors in config.per_file_ignores
            if bool(_glob(glob.removeprefix("!")).match_file(inside)) is not glob.startswith("!")  # it was None once
        )
    )


@lru_cache(maxsize=256)
def _glob(pattern: str) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines([pattern])
