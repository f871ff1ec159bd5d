"""The command line from outside: exit statuses, what goes to which stream, what is said of wrong use."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from newest_releases import NEWEST_TF_KERAS
from shell_run import Run
from shell_samples import SOURCE, write

import cudnnlint
from cudnnlint import __main__
from cudnnlint.cli import output
from cudnnlint.files.executor import POOL_FROM
from cudnnlint.settings import config

ROOT = Path(cudnnlint.__file__).resolve().parent.parent
Command = Callable[..., Run]
pytestmark = pytest.mark.usefixtures("made_up")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    write(tmp_path, "model.py", SOURCE)
    write(tmp_path, "clean.py", "print('hello')\n")
    write(tmp_path, "model.keras")


def codes(run: Run) -> list[str]:
    return [diagnostic["code"] for diagnostic in json.loads(run.out)]


@pytest.mark.parametrize(
    ("args", "status"),
    [
        (["clean.py"], 0),
        (["model.py"], 1),
        (["check", "model.py"], 1),
        (["model.py", "--exit-zero"], 0),
        (["model.py", "--fail-on", "error"], 0),
        (["model.py", "--ignore", "CDN1", "--fail-on", "info"], 1),
        (["model.py", "--ignore", "CDN1"], 0),
        (["model.py", "--ignore", "CDN1", "--strict"], 1),
        (["model.py", "--select", "CDN101", "--ignore", "CDN101", "--strict"], 1),
        (["model.py", "--ignore", "CDN1,CDN501", "--strict"], 0),
        (["absent.py"], 1),
        (["absent.py", "--exit-zero"], 0),
        (["absent.py", "--ignore", "CDN001"], 0),
        (["model.py", "--select", "CDN9"], 2),
        (["model.py", "--target", "kears"], 2),
        (["model.py", "--frobnicate"], 2),
        (["convert", "a", "b"], 2),
        (["convert", "absent.h5", "new.keras"], 2),
        (["model.py", "--write-baseline", "--baseline", "known.json"], 2),
        (["model.py", "--select", "--ignore"], 2),
        (["rules"], 0),
        (["explain", "CDN103"], 0),
        (["explain", "nothing"], 2),
        (["target"], 0),
        (["--version"], 0),
        (["--help"], 0),
        ([], 0),
    ],
)
def test_exit_status(args: list[str], status: int, run: Command) -> None:
    assert run(*args).status == status


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["model.py", "--targt", "x"], "--target"),
        (["model.py", "--output-format", "jsn"], 'Did you mean "json"?'),
        (["model.py", "--select", "recurent-dropout"], 'Did you mean "recurrent-dropout"?'),
        (["chek"], 'Did you mean "check"?'),
        (["explane", "CDN101"], 'Did you mean "explain"?'),
        (["explain", "CDN1"], "Name one of them"),
        (["model.py", "--jobs", "-1"], "jobs"),
        (["model.py", "--baseline", "absent.json"], "Cannot read the baseline absent.json"),
        (["model.py", "--output-file", "absent/report.txt"], "Cannot write absent/report.txt"),
    ],
)
def test_wrong_use_is_one_line_on_standard_error(args: list[str], said: str, run: Command) -> None:
    found = run(*args)
    assert (found.status, found.out) == (2, "")
    assert found.err.startswith("cudnnlint: ")
    assert found.err.count("\n") == 1
    assert said in found.err


def test_a_path_may_be_called_like_a_command_or_an_option_value(tmp_path: Path, run: Command) -> None:
    for name in ("chek", "json", "probe"):
        write(tmp_path, f"{name}/model.py", SOURCE)
    assert run("chek").status == 1
    assert run("--output-format", "json", "json").status == 1
    assert run("check", "probe").status == 1


def test_standard_output_carries_the_report_and_nothing_else(run: Command) -> None:
    found = run("model.py", "model.keras", "--output-format", "json")
    assert codes(found) == ["CDN103", "CDN101", "CDN501", "CDN103"]
    assert found.err == ""
    assert json.loads(run("clean.py", "--output-format", "json").out) == []


def test_a_file_that_cannot_be_read_is_one_finding_and_the_others_go_on(tmp_path: Path, run: Command) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    found = run("absent.py", "pipe.py", "model.keras", "--output-format", "json")
    assert codes(found) == ["CDN001", "CDN001", "CDN103"]
    assert [d["severity"] for d in json.loads(found.out)] == ["error", "error", "warning"]


def test_a_git_lfs_pointer_is_told_and_fails_nothing(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "broken.py", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n")
    found = run("broken.py", "--output-format", "json")
    assert (found.status, codes(found)) == (0, ["CDN001"])
    assert json.loads(found.out)[0]["severity"] == "info"


def test_where_no_layer_is_found_the_program_says_so(run: Command) -> None:
    found = run("clean.py")
    assert (found.status, found.out) == (0, "No recurrent layer found in 1 file.\n")


def test_a_report_is_written_to_a_file_whole(tmp_path: Path, run: Command) -> None:
    found = run("model.py", "--output-format", "json", "--output-file", "report.json")
    assert (found.status, found.out) == (1, "")
    assert len(json.loads((tmp_path / "report.json").read_text())) == 3
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == [".git"]


def test_statistics_count_the_codes(run: Command) -> None:
    assert run("model.py", "model.keras", "--statistics").out.splitlines()[0] == "2  CDN103  recurrent-dropout"
    found = json.loads(run("model.py", "--statistics", "--output-format", "json").out)
    assert {"code": "CDN101", "name": "activation", "count": 1} in found


def test_quiet_leaves_the_findings_and_verbose_lists_every_layer(run: Command) -> None:
    assert "recurrent layers:" not in run("model.py", "--quiet").out
    told = run("model.py", "model.keras", "--verbose").out
    assert "model.py:6:5: LSTM: runs in cuDNN\n" in told
    assert "model.keras: LSTM encoder/lstm: runs in cuDNN\n" in told


def test_the_config_gives_what_no_flag_says(tmp_path: Path, run: Command) -> None:
    text = '[tool.cudnnlint]\noutput-format = "json"\nfail-on = "error"\ntarget = "tf_keras"\n'
    write(tmp_path, "pyproject.toml", text)
    found = run("model.keras")
    assert found.status == 0
    assert json.loads(found.out)[0]["target"] == f"tf_keras@{NEWEST_TF_KERAS}"
    assert run("model.keras", "--output-format", "concise", "--fail-on", "warning").status == 1


def test_every_file_fails_by_its_own_config(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "lax/cudnnlint.toml", 'fail-on = "error"\n')
    write(tmp_path, "lax/model.py", SOURCE)
    assert run("lax").status == 0
    assert run("lax", "model.py").status == 1


def test_a_wrong_config_is_wrong_use(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "cudnnlint.toml", 'fail_on = "error"\n')
    found = run("model.py")
    assert (found.status, found.out) == (2, "")
    assert 'Did you mean "fail-on"?' in found.err


def test_standard_input_goes_by_the_name_that_it_is_given(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(b"unsaved")

    monkeypatch.setattr(sys, "stdin", Stdin)
    found = run("--output-format", "json", "--stdin-filename", "src/unsaved.py", "-")
    assert codes(found) == ["CDN103", "CDN101", "CDN501"]
    assert json.loads(found.out)[0]["filename"] == str(Path("src/unsaved.py").absolute())


def test_target_says_what_would_be_assumed_and_why(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "requirements.txt", "keras==3.4.1\njax\n")
    assert run("target").out == "keras@3.4.1:jax\n  from requirements.txt\n"
    (found,) = json.loads(run("target", "--target", "tensorflow@2.12", "--output-format", "json").out)
    assert (found["keras"], found["tensorflow"], found["origin"]) == ("2.12.0", "2.12.1", "--target")


def test_a_rule_that_crashes_is_a_finding_and_exit_status_2(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from cudnnlint.rulebook import loader

    def find(case: object) -> None:
        raise ZeroDivisionError("by hand")

    rules = loader.load().rules
    monkeypatch.setitem(rules, "activation", type(rules["activation"])(**{**vars(rules["activation"]), "find": find}))  # type: ignore[arg-type]
    found = run("model.py", "model.keras", "--exit-zero", "--output-format", "json")
    assert found.status == 2
    assert {"CDN003", "CDN103"} <= set(codes(found))


def python(code: str, folder: Path) -> str:
    """What a process of its own prints that runs `code`."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, env=env)
    assert found.stderr == ""
    return found.stdout


HEAVY = """
import sys
from cudnnlint.cli.cli import main
try:
    main({args})
except SystemExit:
    print([name for name in {names} if name in sys.modules])
"""


def test_the_version_imports_nothing_heavy(tmp_path: Path) -> None:
    names = ["libcst", "h5py", "numpy", "packaging", "pathspec"]
    assert python(HEAVY.format(args=["--version"], names=names), tmp_path).splitlines()[1:] == ["[]"]


def test_a_source_file_without_layers_imports_no_library_that_reads_files(tmp_path: Path) -> None:
    names = ["libcst", "h5py", "numpy", "tensorflow", "keras"]
    assert python(HEAVY.format(args=["clean.py"], names=names), tmp_path).splitlines()[-1] == "[]"


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    code = "import subprocess, sys; child = subprocess.Popen([sys.executable, '-m', 'cudnnlint', 'explain', 'CDN103'], "
    code += "stdout=subprocess.PIPE, stderr=subprocess.PIPE); child.stdout.close(); print(child.stderr.read())"
    assert python(code, tmp_path).strip() == "b''"


def test_there_is_no_colour_where_no_terminal_is(run: Command) -> None:
    assert "\x1b" not in run("model.py").out


def test_each_run_reads_the_configuration_anew(tmp_path: Path, run: Command) -> None:
    assert run("model.py").status == 1
    write(tmp_path, "cudnnlint.toml", 'ignore = ["ALL"]\n')
    assert run("model.py").status == 0
    assert config.nearest(tmp_path).ignore == ("ALL",)


def test_a_long_run_shows_on_a_terminal_how_far_it_is(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(POOL_FROM):
        write(tmp_path, f"part{number}/clean.py", "x = 1\n")
    assert run("--jobs", "1", ".").err == ""
    monkeypatch.setattr(output, "PATIENCE", 0.0)
    assert run("--jobs", "1", ".").err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    shown = run("--jobs", "1", ".").err
    assert f"\r1 of {POOL_FROM + 3} files" in shown
    assert shown.endswith(" \r")


def test_the_version_is_the_same_before_the_command_line_is_imported(
    run: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["cudnnlint", "--version"])
    __main__.main()
    assert capsys.readouterr().out == run("--version").out


@pytest.mark.parametrize("form", ["text", "concise", "json"])
def test_a_folder_in_which_everything_is_left_out_says_so(tmp_path: Path, run: Command, form: str) -> None:
    write(tmp_path, "sub/dist/a.py", SOURCE)
    found = run("sub", "--output-format", form)
    assert found.status == 0
    assert f"Left out by the default of exclude: {os.path.join('sub', 'dist')}\n" in found.err
    assert "named as PATH is checked all the same" in found.err
    assert "Left out" not in run("sub", "--quiet", "--output-format", form).err
    assert "Left out" not in run(os.path.join("sub", "dist"), "--output-format", form).err
    assert "named as PATH" not in run("sub", "--force-exclude", "--output-format", form).err
