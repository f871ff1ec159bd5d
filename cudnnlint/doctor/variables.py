"""Environment variables and Keras's own file, as far as they change which route a recurrent layer takes."""

from __future__ import annotations

from collections.abc import Mapping

from cudnnlint.core.target import BACKENDS, is_keras_3
from cudnnlint.doctor.findings import Line, note, ok, problem
from cudnnlint.machine.keras_settings import backend, legacy

HIDDEN = ("", "-1", "none", "void", "NoDevFiles")  # values that leave no device visible


def lines(environment: Mapping[str, str], packages: Mapping[str, str]) -> list[Line]:
    """Return the findings on settings."""
    return [*_keras(environment, packages), *_visibility(environment), *_switches(environment)]


def _keras(environment: Mapping[str, str], packages: Mapping[str, str]) -> list[Line]:
    name, by = backend(environment)
    found = []
    if is_keras_3(packages.get("keras", "")):
        if name not in BACKENDS:
            found.append(
                problem("backend", f"{name} (set by {by}) does not use cuDNN", "Use tensorflow, jax or torch.")
            )
        else:
            found.append(ok("backend", f"{name} (set by {by})"))
    if legacy(environment):
        if "tf-keras" in packages:
            found.append(note("TF_USE_LEGACY_KERAS", "tf.keras is tf_keras (Keras 2); `import keras` is not affected"))
        else:
            text = "set, but tf_keras is not installed"
            found.append(problem("TF_USE_LEGACY_KERAS", text, "Run pip install tf_keras, or unset it."))
    return found


def _visibility(environment: Mapping[str, str]) -> list[Line]:
    found = []
    for name in ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"):
        value = environment.get(name)
        if value is not None and value.strip() in HIDDEN:
            found.append(
                problem(name, f"{value!r} hides every GPU", "Unset it, or set it to a device number such as 0.")
            )
        elif value is not None and name.startswith("CUDA"):
            found.append(note(name, f"only {value} is visible"))
    for name in ("JAX_PLATFORMS", "JAX_PLATFORM_NAME"):
        if environment.get(name, "").split(",")[0] == "cpu":
            found.append(problem(name, "JAX is set to use the CPU", "Unset it, or set it to cuda."))
    return found


#: Settings that change the route or hide it: name, a word that must stand in the value, what it does, what to do.
SWITCHES = (
    ("TF_XLA_FLAGS", "tf_xla_auto_jit", "XLA compiles what it can, but it cannot compile a cuDNN RNN",
     "Unset it if a run stops with an error about XLA_GPU_JIT."),
    ("XLA_FLAGS", "xla", "set; none of its flags gives XLA a cuDNN RNN kernel", ""),
    ("TF_DETERMINISTIC_OPS", "1", "determinism is on: Keras 3.7 and later does not use XLA; no effect on cuDNN", ""),
    ("TF_CUDNN_DETERMINISTIC", "1", "a setting of TensorFlow 1 and 2.0; no effect on whether cuDNN is used", ""),
    ("TF_FORCE_GPU_ALLOW_GROWTH", "true", "GPU memory grows as needed, which leaves memory for cuDNN", ""),
    ("TF_CUDNN_RNN_USE_AUTOTUNE", "", "only affects CudnnRNNV2, which Keras used up to tf_keras 2.17", ""),
    ("TF_CPP_MIN_LOG_LEVEL", "3", "hides TensorFlow's errors about missing libraries",
     "Unset it while you look for a problem."),
    ("LD_LIBRARY_PATH", "cuda", "names a CUDA folder, which is used before the libraries of the nvidia packages",
     "Unset it if libraries of different releases get mixed."),
)  # fmt: skip


def _switches(environment: Mapping[str, str]) -> list[Line]:
    return [
        note(name, effect, do)
        for name, word, effect, do in SWITCHES
        if environment.get(name) and word in environment[name].lower()
    ]
