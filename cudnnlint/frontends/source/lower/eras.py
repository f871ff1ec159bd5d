"""Stretches of releases in which a call is the same, as few as say it."""

from __future__ import annotations

from cudnnlint.core.target import Era, Span


def part(eras: list[Era], every: list[Era]) -> tuple[Era, ...]:
    """Return the stretches of releases that some of all eras are; none where they are all of them."""
    return joined(eras, {name for era in every for name in era.backends}) if len(eras) < len(every) else ()


def joined(eras: list[Era], backends: set[str]) -> tuple[Era, ...]:
    """Return the stretches of releases, with adjoining ones as one."""
    joined: list[Era] = []
    for era in _whole(eras, backends):
        last = joined[-1] if joined else None
        alike = last is not None and (last.major, last.backends) == (era.major, era.backends)
        if last is not None and alike and last.span.until == era.span.since is not None:
            joined[-1] = Era(era.major, Span(last.span.since, era.span.until), era.backends)
        else:
            joined.append(era)
    return tuple(joined)


def _whole(eras: list[Era], backends: set[str]) -> list[Era]:
    """Return the stretches, with one that is there for each group of backends as one if all `backends` are meant."""
    whole: list[Era] = []
    for span in dict.fromkeys((era.major, era.span) for era in eras):
        alike = [era for era in eras if (era.major, era.span) == span]
        every = {name for era in alike for name in era.backends} >= backends
        whole += [Era(*span)] if every or any(not era.backends for era in alike) else alike
    return whole
