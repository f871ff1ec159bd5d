"""Every format: what it has to look like for those who read it, and that all of them tell the same."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from newest_releases import NEWEST_MINOR, NEWEST_TF_KERAS_MINOR
from shell_samples import SOURCE, saved_model, source_model

import cudnnlint
from cudnnlint import engine
from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.edit import Applicability, Edit, Fix
from cudnnlint.core.output_formats import FOR_PEOPLE, FORMATS, STREAMED, WITH_EDITS, WITH_RELEASES
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import FileReport, Report, RulePage
from cudnnlint.reporters import Look, writer
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, requested

BOOK = loader.load()
SCHEMAS = Path(cudnnlint.__file__).parent / "schemas"
NASTY = "a\x1b[31mb\u202ec|<b>&'\"\udc80\n%"


def report(*asked: str, name: str = "lstm_1", path: str = "model.py", saved: str = "model.keras") -> Report:
    """A report of SOURCE and of a saved model, as the pipeline would put it together."""
    files: list[FileReport] = []
    found: list[Diagnostic] = []
    for model in (source_model(path), saved_model(saved, name)):
        judged_for = requested.parse(asked or [f"keras@{NEWEST_MINOR}"], environment.releases(BOOK.tables))
        judged_for = tuple(replace(target, origin="--target") for target in judged_for)
        judged = engine.judge(model, judged_for, BOOK)
        first = sum(len(file.layers) for file in files)
        layers = tuple(replace(layer, id=layer.id + first) for layer in judged.layers)
        found += [replace(d, layers=tuple(i + first for i in d.layers)) for d in judged.diagnostics]
        files.append(FileReport(model.path, model.kind, judged_for, layers, source=model.source))
    pages = tuple(
        RulePage(rule.code, rule.name, rule.summary, rule.page, f"https://example.org/{rule.name}")
        for rule in BOOK.rules.values()
        if rule.code in {diagnostic.code for diagnostic in found}
    )
    return Report(tuple(files), tuple(found), 2, "1.0", pages)


def with_fix(given: Report, content: str = "recurrent_dropout=0") -> Report:
    """The first diagnostic with a safe fix."""
    place = given.diagnostics[0].location
    assert place is not None
    fix = Fix(Applicability.SAFE, "Leave it out.", (Edit(place, content),))
    return replace(given, diagnostics=(replace(given.diagnostics[0], fix=fix), *given.diagnostics[1:]))


def written(given: Report, name: str, look: Look | None = None) -> str:
    stream = io.StringIO()
    writer(name)(given, stream, look or Look())
    return stream.getvalue()


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


CLEAN = Report((), (), 3, "1.0")
CASES = {
    "clean": CLEAN,
    "findings": report(),
    "several targets": report(f"keras@{NEWEST_MINOR}", f"tf_keras@{NEWEST_TF_KERAS_MINOR}", "keras@3.14:jax"),
    "a fix": with_fix(report()),
    "nasty names": report(name=NASTY, path=NASTY + ".py", saved=NASTY + ".keras"),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_write_every_case(name: str, case: str) -> None:
    text = written(CASES[case], name, Look(60, False, verbose=True))
    assert text or (case == "clean" and name in ("json-lines", "github", "azure"))


def test_a_format_holds_edits_or_not_and_is_for_people_where_it_has_colours() -> None:
    given = with_fix(report(), "by_the_fix=True")
    held = {name for name in FORMATS if "by_the_fix" in written(given, name)}
    assert held == WITH_EDITS
    coloured = {name for name in FORMATS if written(given, name, Look(colour=True)) != written(given, name)}
    assert coloured | {"concise"} == FOR_PEOPLE
    assert set(FORMATS) >= WITH_RELEASES | STREAMED


def test_each_format_is_a_module_and_each_module_a_format() -> None:
    folder = Path(cudnnlint.__file__).parent / "reporters"
    writing = [path.stem for path in folder.glob("*.py") if "\ndef write(" in path.read_text(encoding="utf-8")]
    assert {name.replace("_", "-") for name in writing} == {*FORMATS, "statistics"}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("name", "shape"), [("json", "diagnostics"), ("report", "report")])
def test_json_has_the_shape_of_its_schema(name: str, shape: str, case: str) -> None:
    jsonschema.Draft202012Validator(schema(shape)).validate(json.loads(written(CASES[case], name)))


@pytest.mark.parametrize("case", CASES)
def test_all_formats_tell_the_same_findings(case: str) -> None:
    given = CASES[case]
    found = [diagnostic.code for diagnostic in given.diagnostics]
    assert [d["code"] for d in json.loads(written(given, "json"))] == found
    assert [json.loads(line)["code"] for line in written(given, "json-lines").splitlines()] == found
    assert [d["code"] for d in json.loads(written(given, "report"))["diagnostics"]] == found
    assert [r["ruleId"] for r in json.loads(written(given, "sarif"))["runs"][0]["results"]] == found
    assert [d["code"]["value"] for d in json.loads(written(given, "rdjson"))["diagnostics"]] == found
    assert [d["description"][:6] for d in json.loads(written(given, "gitlab"))] == found
    assert re.findall(r"title=cudnnlint \((CDN\d+)\)", written(given, "github")) == found
    assert re.findall(r";code=(CDN\d+);", written(given, "azure")) == found
    cases = ElementTree.fromstring(written(given, "junit")).iter("testcase")
    assert [c.attrib["name"] for c in cases if len(c)] == [f"org.cudnnlint.{code}" for code in found]
    assert len(written(given, "concise", Look(quiet=True)).splitlines()) == len(found)
    assert set(re.findall(r"\[(CDN\d+)\]", written(given, "text"))) == set(found)


@pytest.mark.parametrize("name", ["text", "concise", "markdown", "html", "junit", "github", "azure"])
def test_nothing_that_a_terminal_obeys_gets_through(name: str) -> None:
    text = written(CASES["nasty names"], name, Look(verbose=True))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", text)


def test_json_keeps_the_keys_that_editors_parse_for_ruff() -> None:
    (first, *_) = json.loads(written(with_fix(report()), "json"))
    keys = {"cell", "code", "end_location", "filename", "fix", "location", "message", "name", "noqa_row"}
    assert keys | {"severity", "url"} <= set(first)
    assert first["location"] == {"row": 7, "column": 21}
    assert first["end_location"] == {"row": 7, "column": 42}
    assert first["filename"] == str(Path("model.py").absolute())
    assert first["fix"]["applicability"] == "safe"
    assert first["fix"]["edits"][0]["content"] == "recurrent_dropout=0"


def test_a_saved_model_has_a_layer_path_and_no_location() -> None:
    last = json.loads(written(report(), "json"))[-1]
    assert (last["location"], last["end_location"], last["noqa_row"]) == (None, None, None)
    assert last["layer_path"] == "encoder/lstm_1"


def test_the_report_counts_each_layer_once_by_its_worst_target() -> None:
    found = json.loads(written(report(f"keras@{NEWEST_MINOR}", "keras@3.14:jax"), "report"))
    assert (found["summary"]["files"], found["summary"]["layers"]) == (2, 6)
    assert sum(found["summary"][verdict] for verdict in ("cudnn", "fallback", "raises", "depends", "unknown")) == 6
    assert [layer["id"] for file in found["files"] for layer in file["layers"]] == list(range(6))
    for file in found["files"]:
        assert all([v["target"] for v in layer["verdicts"]] == [0, 1] for layer in file["layers"])
    assert found["files"][0]["lines"][0] == {"cell": None, "row": 7, "text": SOURCE.split("\n")[6]}


def test_sarif_has_what_code_scanning_asks_for() -> None:
    (run,) = json.loads(written(with_fix(report()), "sarif"))["runs"]
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["help"]["markdown"].startswith(f"# {rule['id']}")
        assert rule["properties"]["precision"]
    prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]]
    assert len(set(prints)) == len(prints)
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert not place["artifactLocation"]["uri"].startswith(("/", "file:"))
        assert set(place["region"]) == {"startLine", "startColumn", "endLine", "endColumn"}
    assert run["results"][-1]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "encoder/lstm_1"
    change = run["results"][0]["fixes"][0]["artifactChanges"][0]
    assert change["replacements"][0]["insertedContent"]["text"] == "recurrent_dropout=0"


def test_github_leaves_out_columns_where_the_lines_differ() -> None:
    given = report()
    place = SourcePlace("model.py", 8, 5, 11, 6)
    long = replace(given.diagnostics[0], location=place, message="two\nlines, 100%")
    text = written(replace(given, diagnostics=(long,)), "github")
    assert "line=8,endLine=11::" in text
    assert text.endswith("two%0Alines, 100%25\n")
    assert "col=21,endColumn=42" in written(given, "github")


def test_gitlab_fingerprints_are_unique_and_paths_relative(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given = report()
    twice = replace(given, diagnostics=given.diagnostics * 2)
    found = json.loads(written(twice, "gitlab"))
    assert len({issue["fingerprint"] for issue in found}) == len(found)
    assert found[0]["location"]["path"] == "model.py"
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path.parent))
    assert json.loads(written(given, "gitlab"))[0]["location"]["path"] == f"{tmp_path.name}/model.py"


def test_a_clean_junit_run_is_one_case_that_passes() -> None:
    root = ElementTree.fromstring(written(CLEAN, "junit"))
    (case,) = root.iter("testcase")
    assert (root.attrib["failures"], case.attrib["name"], len(case)) == ("0", "No errors found", 0)


@pytest.mark.parametrize("case", CASES)
def test_a_junit_suite_has_the_attributes_that_the_schema_of_jenkins_requires(case: str) -> None:
    suites = list(ElementTree.fromstring(written(CASES[case], "junit")).iter("testsuite"))
    assert suites
    assert all({"name", "tests", "failures", "errors"} <= set(suite.attrib) for suite in suites)


def test_a_markdown_table_keeps_its_columns() -> None:
    rows = [line for line in written(CASES["nasty names"], "markdown").splitlines() if line.startswith("| ")]
    assert len(rows) == 5
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 6 for row in rows)


def test_a_file_that_was_not_read_is_one_block_and_one_line() -> None:
    broken = Diagnostic("CDN001", "unreadable-input", "It is empty.", Severity.ERROR, "x.keras")
    given = Report((FileReport("x.keras", "keras", error=("CDN001", "It is empty.")),), (broken,), 1, "1.0")
    assert written(given, "text").startswith("x.keras: error[CDN001] unreadable-input\n  It is empty.\n")
    closing = "No recurrent layer found in 1 file; 1 could not be read.\n"
    assert written(given, "concise") == f"x.keras: CDN001 It is empty.\n{closing}"
