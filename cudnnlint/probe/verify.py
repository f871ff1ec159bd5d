"""Two saved models on the same inputs: how far are their outputs apart? Runs both in the framework, in children.

Each file is loaded by the Keras that it is for (its keras_version says which), so that a Keras 2 file and what was
made of it for Keras 3 can be compared where both Kerases are installed. In a Keras 2 `.h5` file CuDNN layers are
stood in for by LSTM and GRU, whose weights Keras 2 itself converts: that runs on a CPU too.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.probe.parent import Host, Lost, one_answer

SEED = 7
#: Rounding of float32 adds up to some 1e-6 of the largest output in deep models; a wrong weight is far beyond this.
TOLERANCE = 1e-4
#: A CPU computes in full precision; a GPU rounds a kernel's inputs as it likes (TF32), and cuDNN is not the question.
ON_CPU = {"CUDA_VISIBLE_DEVICES": "-1", "JAX_PLATFORMS": "cpu"}


@dataclass(frozen=True)
class Verified:
    """`difference` is the largest between two numbers of the outputs; None where one file did not run, see `reason`.

    `scale` is the largest number among the old outputs, `outputs` how many tensors there are, `releases` which Kerases
    ran, the old file's first.
    """

    difference: float | None
    reason: str | None = None
    scale: float = 0.0
    outputs: int = 0
    releases: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether both models ran and computed the same up to rounding."""
        return self.difference is not None and self.difference <= TOLERANCE * max(1.0, self.scale)

    def __str__(self) -> str:
        if self.difference is None:
            return f"the two models cannot be compared: {self.reason}"
        ran = " and ".join(self.releases)
        said = f"largest difference {self.difference:.3g} between outputs up to {self.scale:.3g} ({ran}, on the CPU)"
        return said if self.same else f"the new model computes different numbers: {said}"


def verify(old: Path, new: Path, host: Host | None = None) -> Verified:
    """Load both files and run them on the same random inputs, made to the old file's shapes, on the CPU."""
    host = host or Host()
    host = replace(host, environment={**host.environment, **ON_CPU})
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "given.npz"
        releases = []
        for role, path in (("old", old), ("new", new)):
            outputs = Path(folder) / f"{role}.npz"
            job = {"kind": "verify", "model": str(path.absolute()), "given": str(given), "outputs": str(outputs)}
            answer = _ask(host, {**job, "seed": SEED})
            if answer["error"] is not None:
                return Verified(None, f"the {role} model does not run here: {answer['error']}")
            releases.append(answer["keras"])
        return compared(Path(folder) / "old.npz", Path(folder) / "new.npz", tuple(releases))


def _ask(host: Host, job: dict[str, Any]) -> dict[str, Any]:
    try:
        answers = one_answer(host, job)
    except Lost as lost:
        return {"error": f"the process that runs it {lost}"}
    return answers[-1] if answers else {"error": "the process that runs it gave no answer"}


def compared(old: Path, new: Path, releases: tuple[str, ...] = ()) -> Verified:
    """Compare the outputs in two files of numpy arrays. Raises OSError where one cannot be read."""
    import numpy

    with numpy.load(old) as one, numpy.load(new) as two:
        if [one[name].shape for name in one.files] != [two[name].shape for name in two.files]:
            return Verified(None, "their outputs have different shapes", releases=releases)
        pairs = [(one[name].astype("float64"), two[name].astype("float64")) for name in one.files]
        if not all(numpy.isfinite(array).all() for pair in pairs for array in pair):
            return Verified(None, "some outputs are not finite numbers", releases=releases)
        far = max((float(numpy.max(numpy.abs(a - b), initial=0.0)) for a, b in pairs), default=0.0)
        scale = max((float(numpy.max(numpy.abs(a), initial=0.0)) for a, _ in pairs), default=0.0)
        return Verified(far, None, scale, len(pairs), releases)
