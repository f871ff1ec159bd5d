"""Environment variables and Keras's own file, as far as they change which route a recurrent layer takes."""

from __future__ import annotations

from collections.abc import Mapping

from cudnnlint.core.target import BACKENDS, is_keras_3
from cudnnlint.doctor.findings import Line, note, ok, problem
from cudnnlint.machine.keras_settings import backend, legacy

HIDDEN = ("", "-1", "none", "void", "NoDevFiles")  # values that leave no device visible


def lines(environment: Mapping[str, str], packages: Mapping[str, str]) -> list[Line]:
    """What the settings change."""
    return [*_keras(environment, packages), *_visibility(environment), *_switches(environment)]


def _keras(environment: Mapping[str, str], packages: Mapping[str, str]) -> list[Line]:
    name, by = backend(environment)
    found = []
    if is_keras_3(packages.get("keras", "")):
        if name not in BACKENDS:
            found.append(problem("backend", f"{name} ({by}) has no cuDNN", "Use tensorflow, jax or torch."))
        else:
            found.append(ok("backend", f"{name} ({by})"))
    if legacy(environment):
        if "tf-keras" in packages:
            found.append(note("TF_USE_LEGACY_KERAS", "tf.keras means tf_keras (Keras 2), and `import keras` does not"))
        else:
            text = "is set, but tf_keras is not installed"
            found.append(problem("TF_USE_LEGACY_KERAS", text, "pip install tf_keras, or unset it."))
    return found


def _visibility(environment: Mapping[str, str]) -> list[Line]:
    found = []
    for name in ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"):
        value = environment.get(name)
        if value is not None and value.strip() in HIDDEN:
            found.append(problem(name, f"is {value!r}: every GPU is hidden", "Unset it, or name a device (0)."))
        elif value is not None and name.startswith("CUDA"):
            found.append(note(name, f"only {value} can be seen"))
    for name in ("JAX_PLATFORMS", "JAX_PLATFORM_NAME"):
        if environment.get(name, "").split(",")[0] == "cpu":
            found.append(problem(name, "JAX is told to use the CPU", "Unset it, or write cuda."))
    return found


#: Settings that change the route or hide it: name, a word that must stand in the value, what it does, what to do.
SWITCHES = (
    ("TF_XLA_FLAGS", "tf_xla_auto_jit", "XLA compiles what it can by itself; a cuDNN RNN cannot be among it",
     "If a run stops with XLA_GPU_JIT, unset it."),
    ("XLA_FLAGS", "xla", "is set; no flag of it gives XLA a cuDNN RNN kernel", ""),
    ("TF_DETERMINISTIC_OPS", "1", "determinism is on: Keras 3.7 and later leaves XLA out; the cuDNN choice stays", ""),
    ("TF_CUDNN_DETERMINISTIC", "1", "is from TensorFlow 1 and 2.0; the cuDNN choice stays", ""),
    ("TF_FORCE_GPU_ALLOW_GROWTH", "true", "GPU memory grows as needed, which leaves room for cuDNN", ""),
    ("TF_CUDNN_RNN_USE_AUTOTUNE", "", "acts on CudnnRNNV2 only, which Keras used up to tf_keras 2.17", ""),
    ("TF_CPP_MIN_LOG_LEVEL", "3", "hides TensorFlow's own errors about missing libraries",
     "Unset it while you look for a cause."),
    ("LD_LIBRARY_PATH", "cuda", "names a CUDA folder, which goes before the nvidia wheels' libraries",
     "If libraries of different releases meet, unset it."),
)  # fmt: skip


def _switches(environment: Mapping[str, str]) -> list[Line]:
    return [
        note(name, effect, do)
        for name, word, effect, do in SWITCHES
        if environment.get(name) and word in environment[name].lower()
    ]
