"""What holds for every rule and every row, generated from the rulebook itself."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from itertools import combinations

import pytest
from rulebook_pages import HEADINGS, Example, examples, headings

from cudnnlint.core.book import Rule
from cudnnlint.core.report import Report
from cudnnlint.core.tables import Row, RowScope
from cudnnlint.engine.remedies import KERNELS
from cudnnlint.rulebook.loader import folder, load

BOOK = load()
RULES = sorted(BOOK.rules.values(), key=lambda rule: rule.code)
EXAMPLES = [example for rule in RULES for example in examples(rule)]
#: Codes that the machine gives itself.
MACHINE = {"unreadable-input", "unused-suppression", "internal-fault", "cannot-tell"}
#: No source and no configuration shows these: a SavedModel, another make of GPU, a fault of our own, a file of weights.
UNSHOWN = {"exported-without-gpu", "gpu-without-cudnn", "internal-fault", "unloadable-file", "bidirectional-not-loaded"}

#: Where a framework's name, or a class in it, comes to its end.
ENDS = {("keras", "2.4.0"), ("tensorflow", "2.6.0"), ("keras", "3.0.0"), ("tf_keras", "3.0.0"), ("tensorflow", "3.0.0")}

every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


def test_there_are_rules_rows_and_examples() -> None:
    assert len(RULES) >= 45
    assert len(BOOK.tables.rows) >= 40
    assert len(EXAMPLES) >= 100


def test_codes_are_distinct_and_in_a_known_hundred() -> None:
    codes = [rule.code for rule in RULES]
    assert [BOOK.by_code(code) for code in [*codes, "CDN999"]] == [*RULES, None]
    assert len(set(codes)) == len(codes)
    assert {code[3] for code in codes} == set("0123456")


@every_rule
def test_a_page_has_its_headings_in_order(rule: Rule) -> None:
    wanted = [heading for heading in HEADINGS if heading in headings(rule.page)]
    assert headings(rule.page) == wanted
    assert set(HEADINGS) - set(wanted) <= {"Fixed", "Bad"}
    assert "Bad" in wanted or rule.name in UNSHOWN


@every_rule
def test_the_first_line_is_one_sentence(rule: Rule) -> None:
    assert rule.summary.endswith(".")
    assert len(rule.summary) <= 120
    assert rule.page.splitlines()[1:2] == [""]


@every_rule
def test_a_rule_that_mends_shows_the_mended_code(rule: Rule) -> None:
    assert ("Fixed" in headings(rule.page)) == (rule.fix is not None)


@every_rule
def test_texts_are_sentences_without_releases_of_their_own(rule: Rule) -> None:
    assert rule.advice.endswith(".")
    assert rule.advice[0].isupper()
    assert not rule.says.endswith(".")
    assert rule.needed
    fields = set(re.findall(r"\{(\w*)\}", rule.says))
    assert fields <= {"found", "class", "detail"}
    rule.says.format(found="", detail="", **{"class": ""})


@every_rule
def test_only_the_machine_finds_without_a_rule(rule: Rule) -> None:
    assert (rule.find is None) == (rule.name in MACHINE)


@every_rule
def test_a_rule_file_is_short_and_imports_core_only(rule: Rule) -> None:
    path = folder() / f"{rule.name.replace('-', '_')}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstring = tree.body[0]
    assert docstring.end_lineno is not None
    code = path.read_text(encoding="utf-8").count("\n") - docstring.end_lineno
    assert code <= 90
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            assert module.split(".")[0] in ("__future__", "collections", "dataclasses") or module.startswith(
                "cudnnlint.core."
            )
        assert not isinstance(node, ast.Import)


@every_rule
def test_a_fault_bites_somewhere(rule: Rule) -> None:
    tables = BOOK.tables
    named = {name for row in tables.rows for name in (*row.blocked_by, *row.insisted, row.because)}
    named |= {concern.rule for concern in (*tables.gates, *tables.defects, *tables.notes)}
    assert rule.name in named or rule.name in MACHINE or rule.name == "cudnn-insisted"


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_an_example_is_whole(example: Example) -> None:
    if example.language == "json":
        json.loads(example.text)
    elif example.rule != "unreadable-input":
        ast.parse(example.text)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_bad_gives_this_rule_alone_and_good_gives_none_of_it(
    example: Example, run: Callable[[Example], Report]
) -> None:
    report = run(example)
    codes = {diagnostic.code for diagnostic in report.diagnostics}
    code = BOOK.rules[example.rule].code
    if example.heading == "Bad":
        assert codes == {code} | example.also, [d.message for d in report.diagnostics]
    else:
        assert code not in codes, [d.message for d in report.diagnostics]
        assert sum(len(file.layers) for file in report.files) > 0 or example.rule in MACHINE


OPERATIONS = sorted({operation for row in BOOK.tables.rows for operation in row.operations})


def rows_of(operation: str) -> list[Row]:
    """The rows of an operation."""
    return [row for row in BOOK.tables.rows if operation in row.operations]


def meet(left: RowScope, right: RowScope) -> bool:
    """Do two scopes have a release in common?"""
    return (
        left.framework == right.framework
        and (left.backend is None or right.backend is None or left.backend == right.backend)
        and left.keras.meets(right.keras)
        and left.tensorflow.meets(right.tensorflow)
    )


@pytest.mark.parametrize("operation", OPERATIONS)
def test_rows_of_an_operation_do_not_overlap(operation: str) -> None:
    for left, right in combinations(rows_of(operation), 2):
        assert not meet(left.scope, right.scope), f"{operation}: {left.scope} and {right.scope}"


def test_the_arguments_of_a_class_stand_once_for_each_release() -> None:
    for left, right in combinations(BOOK.tables.signatures, 2):
        shared = set(left.operations) & set(right.operations)
        assert not (shared and meet(left.scope, right.scope)), f"{shared}: {left.scope} and {right.scope}"


@pytest.mark.parametrize("operation", OPERATIONS)
def test_rows_of_an_operation_leave_no_gap(operation: str) -> None:
    """Where a stretch of releases ends, the next one begins, or the class has gone."""
    rows = rows_of(operation)
    for row in rows:
        until = row.scope.keras.until
        if until is None or (row.scope.framework, str(until)) in ENDS:
            continue
        followers = [
            other for other in rows if other.scope.keras.since == until and other.scope.framework == row.scope.framework
        ]
        assert any(other.scope.backend in (None, row.scope.backend) for other in followers), f"{operation}: {row.scope}"


def test_a_row_says_why_exactly_where_it_has_no_kernel() -> None:
    for row in BOOK.tables.rows:
        assert (row.because is None) is (row.route in KERNELS), f"{row.operations}: {row.scope}"


@pytest.mark.parametrize(
    "row",
    BOOK.tables.rows,
    ids=lambda row: f"{'+'.join(row.operations)} {row.scope.framework} {row.scope.backend} {row.scope.keras}",
)
def test_a_row_has_a_source_and_says_how_it_was_checked(row: Row) -> None:
    assert len(row.source) > 10
    assert re.fullmatch(r"read|\d+\.\d+\.\d+", row.checked)
    assert (row.route.value in ("generic", "native")) == (row.because is not None)
    assert bool(row.dtypes) == ("unsupported-dtype" in row.blocked_by)  # they matter to that rule alone


def test_every_other_entry_has_a_source() -> None:
    tables = BOOK.tables
    for group in (
        tables.gates,
        tables.defects,
        tables.notes,
        tables.losses,
        tables.identities,
        tables.signatures,
        tables.meanings,
    ):
        assert group
        for entry in group:  # type: ignore[attr-defined]
            assert entry.source
