"""Takes a release of Keras or TensorFlow into the tables: `python -m cudnnlint.dev.new_release [NAME@]VERSION`.

NAME is keras (the default), tf_keras or tensorflow. The release is asked: its constructors are read from its wheel
(tests/rulebook/signatures.py), and real Keras decides the fixed programs (tests/oracle/releases.py). What differs from
what the tables say, which for a release behind the newest known one is what that one does, is printed, and nothing is
written: begin a row at the release, and run the command again. Where nothing differs, releases.toml, `checked` of the
rows that still hold, the evidence, and the generated pages are brought up to date.

Exit status: 0 done, 1 something differs, 2 the release cannot be asked.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.version import InvalidVersion, Version

from cudnnlint.core.tables import Tables
from cudnnlint.core.target import BACKENDS, FRAMEWORKS, Point
from cudnnlint.dev import table_text
from cudnnlint.dev.release_asking import Json, NewRelease, Unasked, index_says, oracle, own, signatures
from cudnnlint.formats import toml
from cudnnlint.rulebook import loader
from cudnnlint.rulebook.row_scopes import scopes_of
from cudnnlint.targets import environment

# ---------------------------------------------------------------- comparing


def changed_signatures(asked: NewRelease, found: Json, tables: Tables) -> Iterator[str]:
    """Each class, argument and default in which the release differs from the tables, a sentence each."""
    point = Point(asked.framework, asked.version, "tensorflow", None if asked.framework == "keras" else asked.version)
    for name in sorted(_classes_before(asked) - set(found)):
        yield f"defaults.toml: the class {name} is gone"
    for name, answer in sorted(found.items()):
        signature = tables.signature(name, point)
        if signature is None:
            yield f"defaults.toml: the class {name} is new"
            continue
        takes = {*answer["required"], *answer["defaults"], *answer["extra"]}
        known = {*signature.defaults, *signature.extra}
        yield from (f"defaults.toml: {name} takes {argument} now" for argument in sorted(takes - known))
        yield from (f"defaults.toml: {name} takes {argument} no more" for argument in sorted(known - takes))
        for argument in sorted(set(signature.defaults) & set(answer["defaults"])):
            old, new = signature.defaults[argument], answer["defaults"][argument]
            if old != new:
                yield f"defaults.toml: {name}'s {argument} is {new!r} by default, and was {old!r}"
        yield from _moved(name, [*answer["required"], *answer["defaults"]], tables)


def _classes_before(asked: NewRelease) -> set[str]:
    """Return the classes of the newest release before this one whose wheel was read."""
    releases = json.loads((asked.evidence / "signatures.json").read_text(encoding="utf-8"))["releases"]
    named = ((*name.split(), classes) for name, classes in releases.items())
    versions = {Version(version): classes for framework, version, classes in named if framework == asked.framework}
    earlier = [version for version in versions if version < asked.version]
    return set(versions[max(earlier)]) if earlier else set()


def _moved(name: str, order: list[str], tables: Tables) -> Iterator[str]:
    known = tables.names.positional.get(name, ())
    if tuple(order[: len(known)]) != known:
        yield f"signatures.toml: the positional arguments of {name} are in another order"


# ---------------------------------------------------------------- writing


def write(asked: NewRelease, requires: list[Requirement], found: Json | None, records: list[Json]) -> Iterator[str]:
    """Bring the tables and the evidence of the constructors up to date; yield what was done."""
    path = asked.tables / "releases.toml"
    text = table_text.with_release(path.read_text(encoding="utf-8"), asked.framework, asked.version)
    oldest = _oldest_keras(requires) if asked.framework == "tensorflow" and not asked.targets() else None
    if oldest is not None:
        text = table_text.with_oldest_keras(text, asked.version, oldest)
    path.write_text(text, encoding="utf-8")
    yield f"releases.toml: {asked}"
    mine = [record for record in records if record["framework"] == asked.framework]
    yield from _check(asked, "routes.toml", "[[route]]", lambda entry: any(_decides(entry, one) for one in mine))
    if found is not None:
        named = {*found}
        yield from _check(asked, "signatures.toml", "[[positional]]", lambda entry: bool(named & set(_classes(entry))))
        _record(asked, found)
        yield f"signatures.json: {len(found)} classes"


def _oldest_keras(requires: list[Requirement]) -> Version | None:
    ranges = [spec for one in requires if one.name == "keras" for spec in one.specifier if spec.operator == ">="]
    return Version(ranges[0].version) if ranges else None


def _check(asked: NewRelease, name: str, heading: str, holds: Callable[[Any], bool]) -> Iterator[str]:
    path = asked.tables / name
    old = path.read_text(encoding="utf-8")
    entries = toml.loads(old)[heading.strip("[]")]
    new = table_text.with_checked(old, heading, entries, holds, asked.framework, asked.version)
    path.write_text(new, encoding="utf-8")
    lines = sum(before != after for before, after in zip(old.splitlines(), new.splitlines(), strict=True))
    yield f"{name}: {lines} rows are checked up to {asked.version}"


def _decides(entry: Any, record: Json) -> bool:
    """Return whether a layer was asked that this row decides; a SavedModel's graph is no layer that can be asked."""
    operations = _list(entry["operation"])
    if operations[0].startswith("graph.") or not any(record["operations"].get(name) for name in operations):
        return False
    scopes = [one for one in scopes_of(entry) if one.framework == record["framework"]]
    return any(one.backend in (None, record["backend"]) and Version(record["keras"]) in one.keras for one in scopes)


def _classes(entry: Any) -> list[str]:
    return _list(entry["class"])


def _list(value: Any) -> list[str]:
    return list(value) if isinstance(value, list) else [value]


def _record(asked: NewRelease, found: Json) -> None:
    """Add what the constructors take to the evidence; equal answers are stored once."""
    path = asked.evidence / "signatures.json"
    kept = json.loads(path.read_text(encoding="utf-8"))
    stored: list[Json] = kept["signatures"]
    stored += [answer for answer in found.values() if answer not in stored]
    releases = {**kept["releases"], str(asked): {name: stored.index(answer) for name, answer in found.items()}}
    order = sorted(releases, key=lambda name: (name.split()[0], Version(name.split()[1])))
    lines = ",\n".join("  " + json.dumps(answer) for answer in stored)
    table = ",\n".join(f"  {json.dumps(name)}: {json.dumps(releases[name])}" for name in order)
    path.write_text(f'{{"signatures": [\n{lines}\n],\n"releases": {{\n{table}\n}}}}\n', encoding="utf-8")


def write_pages(asked: NewRelease) -> None:
    """Write rules/README.md anew, and the numbers of the evidence in README.md."""
    records = json.loads((asked.evidence / "releases.json").read_text(encoding="utf-8"))
    parts = [one[part] for one in records for part in ("graph", "eager", ".keras", ".h5") if part in one]
    total, unknown = (sum(numbers[name] for numbers in parts) for name in ("configurations", "unknowns"))
    path = asked.root / "README.md"
    pattern = r"\d+ releases, [\d,]+ configurations, none decided otherwise, `unknown` for \d+ "
    new = f"{len(records)} releases, {total:,} configurations, none decided otherwise, `unknown` for {unknown} "
    path.write_text(re.sub(pattern, new, path.read_text(encoding="utf-8")), encoding="utf-8")
    own(asked, "-m", "cudnnlint.dev.docs").check_returncode()


# ---------------------------------------------------------------- the command


def take(asked: NewRelease, options: argparse.Namespace) -> int:
    """Ask a release, print what differs, and where nothing does, write it; return the exit status."""
    requires = index_says(asked)
    kept = asked.evidence / "releases.json"
    before = json.loads(kept.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        found = signatures(asked, Path(folder))
        evidence = Path(folder) / "releases.json"
        shutil.copy(kept, evidence)
        differs = [] if found is None else list(changed_signatures(asked, found, loader.load().tables))
        differs += oracle(asked, evidence, options.store, options.work)
        records = json.loads(evidence.read_text(encoding="utf-8"))
        new = [one for one in records if one not in before]
    for record in new:
        print(f"{record['release']}: {_asked(record)} configurations asked")
    print(*differs or ["Nothing differs from what the tables say."], sep="\n")
    if differs:
        print(f"Nothing is written. Begin a row at {asked.version} for each difference, and run this again.")
        return 1
    if not options.dry_run:
        print(*write(asked, requires, found, new), sep="\n")
        left = oracle(asked, kept, options.store, options.work)  # the same answers, judged by the new tables
        write_pages(asked)
        print(*left, sep="\n", end="")
        return 1 if left else 0
    return 0


def _asked(record: Json) -> int:
    return sum(int(part["configurations"]) for part in record.values() if isinstance(part, dict) and "verdicts" in part)


def arguments(words: list[str]) -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(prog="new_release", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("release", help="VERSION of keras, or NAME@VERSION")
    parser.add_argument("--dry-run", action="store_true", help="print what differs, and write nothing")
    parser.add_argument("--backend", action="append", choices=BACKENDS, help="a backend of Keras 3 to ask [all]")
    parser.add_argument("--store", help="where the oracle's environments are")
    parser.add_argument("--work", help="where the oracle keeps programs and answers")
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Run the command and return the exit status."""
    options = arguments(words)
    framework, _, text = options.release.rpartition("@")
    framework = (framework or "keras").replace("-", "_")
    try:
        if framework not in FRAMEWORKS:
            raise Unasked(f"{framework} is none of {', '.join(FRAMEWORKS)}.")
        asked = NewRelease(framework, Version(text), loader.folder().parent, tuple(options.backend or BACKENDS))
        if asked.version in environment.known().known[framework]:
            raise Unasked(f"{asked} is in rules/tables/releases.toml already.")
        return take(asked, options)
    except InvalidVersion:
        print(f'"{text}" is no version.', file=sys.stderr)
    except Unasked as reason:
        print(reason, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
