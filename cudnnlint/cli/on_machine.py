"""The commands that look at a machine and not only at files: `doctor`, `probe`.

The command line passes in how to write a report and how to remark on standard error; they print nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cudnnlint.cli.output import save
from cudnnlint.core.errors import UsageError

if TYPE_CHECKING:
    from cudnnlint.core.report import Report
    from cudnnlint.probe import Options

Emit = Callable[[str], object]
Remark = Callable[[str], None]
FORMAT = click.option("--output-format", type=click.Choice(("text", "json")), default="text", help="[text]")
PYTHON = click.option("--python", metavar="FILE", help="Python interpreter with the framework [this one].")
TIMEOUT = click.option(
    "--timeout", type=click.FloatRange(1), default=300.0, help="Stop a process after so many silent seconds [300]."
)


def commands(emit: Emit, remark: Remark) -> list[click.Command]:
    """Return the commands, for a command line that writes reports and remarks in its own way."""
    return [_doctor(emit), _probe(emit, remark)]


def judged(paths: Sequence[str], targets: tuple[str, ...]) -> Report:
    """Return what `check` finds in the files."""
    from cudnnlint import pipeline
    from cudnnlint.settings.settings import Flags

    return pipeline.check(pipeline.Request(tuple(paths), Flags(target=targets), edits=False)).report


def _doctor(emit: Emit) -> click.Command:
    @click.command("doctor")
    @PYTHON
    @TIMEOUT
    @FORMAT
    @click.pass_context
    def doctor(ctx: click.Context, /, python: str | None, timeout: float, output_format: str) -> None:
        """Check whether this machine can use cuDNN.

        For recurrent layers of Keras; says what is missing.
        """
        from cudnnlint import doctor as examination
        from cudnnlint.probe.parent import Host

        text, status = examination.run(output_format, Host(python or sys.executable, timeout=timeout))
        emit(text + "\n")
        ctx.exit(status)

    return doctor


def _probe(emit: Emit, remark: Remark) -> click.Command:
    @click.command("probe")
    @click.argument("paths", nargs=-1, metavar="PATH...")
    @click.option("--conformance", is_flag=True, help="Test the rule tables instead of PATHs (for work on cudnnlint).")
    @click.option("--dry-run", is_flag=True, help="Ask the installed Keras which way it would take; needs no GPU.")
    @click.option("--backend", type=click.Choice(("tensorflow", "jax", "torch")), help="Backend for Keras 3.")
    @click.option("--framework", type=click.Choice(("keras", "tf_keras", "tensorflow")), help="Keras package to use.")
    @click.option("--input-shape", metavar="N,N", help="Steps and features, where the files do not fix them.")
    @click.option("--batch-size", type=click.IntRange(1), help="Number of sequences in a batch.")
    @click.option("--repeats", type=click.IntRange(1), default=10, help="How many steps are timed [10].")
    @click.option("--jobs", "-j", metavar="N", type=click.IntRange(1), help="Test so many layers at once [1].")
    @click.option("--require-gpu", is_flag=True, help="Exit with status 2 if there is no GPU.")
    @click.option("--evidence", type=click.Path(), help="Write the results and the machine they are from to this file.")
    @PYTHON
    @TIMEOUT
    @FORMAT
    @click.pass_context
    def probe(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
        """Run the layers on this machine's GPU.

        One step of each recurrent layer in PATHs runs in the installed Keras. What ran is compared with the verdict of
        check, and timed.

        An interrupted run with --evidence FILE continues from that file.
        """
        if not paths and not options["conformance"]:
            raise click.MissingParameter(ctx=ctx, param_hint="'PATH...'", param_type="argument")
        if paths and options["conformance"]:
            raise UsageError("--conformance brings its own layers. Leave out the PATHs.")
        if paths and options["jobs"]:
            raise UsageError("--jobs is for --conformance. Layers of your own are run one at a time.")
        text, status = _conformance(options, remark) if options["conformance"] else _probed(paths, options, remark)
        emit(text)
        ctx.exit(status)

    return probe


def _wanted(options: dict[str, Any]) -> Options:
    from cudnnlint import probe

    return probe.Options(
        dry_run=options["dry_run"],
        python=options["python"] or sys.executable,
        framework=options["framework"],
        backend=options["backend"],
        input_shape=_shape(options["input_shape"]),
        batch_size=options["batch_size"],
        timeout=options["timeout"],
        repeats=options["repeats"],
        jobs=options["jobs"] or 1,
        require_gpu=options["require_gpu"],
    )


def _probed(paths: tuple[str, ...], options: dict[str, Any], remark: Remark) -> tuple[str, int]:
    from cudnnlint import probe
    from cudnnlint.probe import rows
    from cudnnlint.rulebook import loader

    wanted = _wanted(options)
    installed = probe.find(wanted)
    report = judged(paths, (installed.text,))
    tables = loader.load().tables
    outcome = probe.run(
        report,
        wanted,
        installed,
        lambda layer, kind, target: rows.describe(layer, kind, target, tables),
        _counted(remark),
    )
    if options["evidence"]:
        _keep(options["evidence"], outcome.as_record())
    if options["output_format"] == "json":
        return json.dumps(outcome.as_data(), indent=2) + "\n", probe.status(outcome, wanted)
    return outcome.as_text() + "\n", probe.status(outcome, wanted)


def _conformance(options: dict[str, Any], remark: Remark) -> tuple[str, int]:
    """Prove the tables; the evidence file is read before, and written whenever some cases are done."""
    from cudnnlint import probe
    from cudnnlint.probe import conformance, proof, rows
    from cudnnlint.probe.rebuild import point
    from cudnnlint.rulebook import loader
    from cudnnlint.targets import environment, requested

    wanted = _wanted(options)
    installed = probe.find(wanted)
    book = loader.load()
    (target,) = requested.parse([installed.text], environment.releases(book.tables))
    ways = conformance.Ways(
        judged=lambda paths: judged(paths, (installed.text,)),
        row_of=lambda layer, kind, target: rows.describe(layer, kind, target, book.tables),
        keep=lambda record: _keep(options["evidence"], record) if options["evidence"] else None,
        progress=_counted(remark),
    )
    before = _earlier(options["evidence"]) if options["evidence"] else None
    found = conformance.run(book, wanted, installed, point(target), ways, before)
    as_json = options["output_format"] == "json"
    text = json.dumps(found.record, indent=2) + "\n" if as_json else proof.as_text(found.record)
    return text, found.status(wanted.require_gpu)


def _counted(remark: Remark) -> Callable[[int, int], None]:
    return lambda done, total: remark(f"\r{done}/{total} " if done < total else "\r")


def _keep(path: str, record: dict[str, Any]) -> None:
    save(Path(path), _lines(record).encode())


def _earlier(path: str) -> dict[str, Any] | None:
    """Return the record of an earlier run; None where there is none. Raises UsageError where it is something else."""
    try:
        record: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
        ours = all("claims" in result for result in record["results"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError):
        ours = False
    if not ours:
        raise UsageError(f"{path} is not the record of a conformance run. Name another file.")
    return record


def _lines(record: dict[str, Any]) -> str:
    """Return a record as JSON with a line for each layer, so that a diff shows which layer changed."""
    lists = [name for name in ("results", "controls") if name in record]
    text = json.dumps({key: value for key, value in record.items() if key not in lists}, indent=1).removesuffix("\n}")
    for name in lists:
        layers = ",\n".join(json.dumps(layer, separators=(",", ":")) for layer in record[name])
        text += f',\n "{name}": [\n{layers}\n]'
    return text + "\n}\n"


def _shape(text: str | None) -> tuple[int, ...]:
    """Numbers from "64,16". Raises UsageError."""
    try:
        numbers = tuple(int(part) for part in (text or "").split(",") if part.strip())
    except ValueError:
        numbers = (0,)
    if any(number < 1 for number in numbers):
        raise UsageError(f'The input shape "{text}" is not valid. Write steps and features, for example 64,16.')
    return numbers
