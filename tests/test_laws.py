"""The laws of the house (`cudnnlint/dev/laws.toml`), held against the code itself."""

from __future__ import annotations

import ast
from collections import defaultdict

import pytest
from own_code import HOUSE, LAWS, nodes_of

from cudnnlint.dev import faults

MODULES = {module: HOUSE.modules[module] for module in sorted(HOUSE.modules)}
CHILD = "cudnnlint.probe.child"
#: What a pure room never calls: each reaches out of the process, or lets text do so.
IMPURE = {"open", "print", "input", "exec", "eval", "compile", "__import__", "breakpoint"}
#: It compiles methods of records from the names of their fields, as the standard library's dataclass does.
COMPILES = "cudnnlint.core.quick_methods"
UNSAFE = {"pickle", "marshal", "dill", "cloudpickle", "joblib", "shelve"}
FRAMEWORKS = {"tensorflow", "keras", "tf_keras", "torch", "jax"}

every_module = pytest.mark.parametrize("module", MODULES)


def _rooms(*names: str) -> list[str]:
    return [module for module in MODULES if HOUSE.room(module) in names]


def test_there_are_modules_in_every_room() -> None:
    assert len(MODULES) > 250
    assert {HOUSE.room(module) for module in MODULES} == set(HOUSE.laws.rooms)


def test_no_room_imports_what_it_may_not_and_no_two_import_each_other() -> None:
    assert faults.faults(HOUSE) == []


# ---------------------------------------------------------------- what the lists themselves must say


def test_no_room_may_import_a_framework_or_what_unpickles() -> None:
    for room in HOUSE.laws.rooms.values():
        assert not (room.outside | HOUSE.laws.anywhere) & (FRAMEWORKS | UNSAFE)


def test_pure_rooms_may_import_nothing_that_reads_or_writes() -> None:
    for name in HOUSE.laws.pure:
        assert HOUSE.laws.rooms[name].outside <= {"packaging"}


@pytest.mark.parametrize("module", _rooms(*HOUSE.laws.pure))
def test_a_pure_room_calls_nothing_that_reaches_out(module: str) -> None:
    called = {node.func.id for node in nodes_of(MODULES[module]) if _calls_a_name(node)}  # type: ignore[attr-defined]
    assert not called & IMPURE - ({"exec"} if module == COMPILES else set())


def _calls_a_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def test_rules_import_core_alone() -> None:
    assert HOUSE.laws.rooms["rules"].rooms == {"core"}
    assert HOUSE.laws.rooms["rules"].outside == set()


@pytest.mark.parametrize("module", _rooms("rules", "core"))
def test_no_rule_asks_for_the_mode(module: str) -> None:
    """What a rule finds holds in graph mode and in eager calls (engine.rules_asked); the rows tell the two apart."""
    if module in ("cudnnlint.core.target", "cudnnlint.core.tables"):  # they define it, and look rows up by it
        return
    assert "mode" not in {node.attr for node in nodes_of(MODULES[module]) if isinstance(node, ast.Attribute)}


def test_front_ends_know_neither_each_other_nor_what_is_made_of_their_layers() -> None:
    below = {"core", "keras", "formats", "frontends/serialized"}
    rooms = {name: room.rooms for name, room in HOUSE.laws.rooms.items() if name.startswith("frontends/")}
    assert rooms.pop("frontends/notebook") <= below | {"frontends/source"}  # a notebook's cells are source
    for name, imported in rooms.items():
        inner = {room for room in imported if room.startswith("frontends/source/")}
        assert imported <= below | inner, name


def test_the_child_of_the_probe_imports_nothing_of_ours() -> None:
    child = [one.target for one in HOUSE.found if HOUSE.room(one.source) == "probe/child"]
    assert [target for target in child if target.startswith("cudnnlint") and not target.startswith(CHILD)] == []


def test_reading_files_needs_neither_settings_nor_targets_nor_engine() -> None:
    rooms = {HOUSE.room(module) for module in _closure("cudnnlint.files.reading")}
    assert {"frontends/notebook", "frontends/saved", "frontends/source"} < rooms
    assert not rooms & {"settings", "targets", "engine", "rulebook", "reporters"}


def _closure(module: str) -> set[str]:
    """Every module that one leads to, by imports of any kind."""
    found, todo = {module}, [module]
    while todo:
        at = todo.pop()
        new = {one.target for one in HOUSE.found if one.source == at and one.target in MODULES} - found
        found |= new
        todo += new
    return found - {"cudnnlint"}


# ---------------------------------------------------------------- errors


#: Around one rule on one layer; a fault of ours in reading one file, which is reported as CDN003; and what the packages
#: behind fsspec raise, which is the answer of a server. The child of
#: the probe is another program: whatever a framework raises is its answer.
#: A thread hands what stopped its work to the caller, whatever it is (deep_stack, at_once).
EVERYTHING = {
    "cudnnlint.engine.rules_asked": 1,
    "cudnnlint.check.read_all": 1,
    "cudnnlint.files.ranged": 1,
    "cudnnlint.frontends.source.syntax.deep_stack": 1,
    "cudnnlint.probe.at_once": 1,
}
#: Around reading one file (check.read_all); the others ask the parser of Python, JSON or TOML, which recurses,
#: whether it takes a text.
RECURSION = {
    "cudnnlint.check.read_all": 1,
    "cudnnlint.files.reading": 1,
    "cudnnlint.formats.limits": 1,
    "cudnnlint.merging.read_back": 1,
    "cudnnlint.settings.baseline": 1,
    "cudnnlint.settings.config": 1,
    "cudnnlint.frontends.source.stdlib.library": 1,
    "cudnnlint.frontends.source.syntax.parsing": 1,
    "cudnnlint.targets.lockfiles": 1,
    "cudnnlint.targets.setup_files": 1,
    "cudnnlint.trainlog.pasted": 1,
}


def _handlers(module: str, *names: str) -> list[ast.ExceptHandler]:
    return [
        node
        for node in nodes_of(MODULES[module])
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or {one.id for one in ast.walk(node.type) if isinstance(one, ast.Name)} & set(names))
    ]


@every_module
def test_nothing_catches_everything_but_the_places_that_say_so(module: str) -> None:
    if module.startswith(CHILD):
        return
    caught = _handlers(module, "Exception", "BaseException")
    kept = [one for one in caught if not (isinstance(one.body[-1], ast.Raise) and one.body[-1].exc is None)]
    assert len(kept) <= EVERYTHING.get(module, 0)  # one that tidies up and raises again keeps nothing


@every_module
def test_recursion_errors_are_caught_around_reading_a_file(module: str) -> None:
    assert len(_handlers(module, "RecursionError")) <= RECURSION.get(module, 0)


# ---------------------------------------------------------------- names


def _twice(names: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: sorted(places) for name, places in names.items() if len(places) > 1}


def test_a_base_name_stands_twice_only_for_a_mirrored_role() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for module, path in MODULES.items():
        if path.name not in ("__init__.py", "__main__.py"):
            found[path.stem].append(module)
    left = {name: places for name, places in _twice(found).items() if not _mirrored(name, places)}
    assert left == LAWS["unsettled"]["modules"]


def _mirrored(name: str, places: list[str]) -> bool:
    return name in LAWS["mirrored"] and {HOUSE.room(place) for place in places} <= set(LAWS["mirrored"][name]["rooms"])


def test_a_class_name_means_one_thing() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for module, path in MODULES.items():
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(module)
    assert _twice(found) == LAWS["unsettled"]["classes"]
