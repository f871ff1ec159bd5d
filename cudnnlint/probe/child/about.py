"""What is installed, how it was built, and what it sees: packages, GPUs, shared libraries."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import re
import sys
from typing import Any

from .channel import Channel, Json, said

try:
    from importlib import metadata
except ImportError:  # Python 3.7
    metadata = importlib.import_module("importlib_metadata")

#: How their names begin.
DISTRIBUTIONS = ("nvidia", "tensorflow", "tf", "keras", "torch", "jax", "jaxlib", "numpy")


def keras_of(framework: str) -> Any:
    """Return the Keras that a framework's name means."""
    if framework == "tensorflow":
        return importlib.import_module("tensorflow").keras
    return importlib.import_module(framework)


def releases(names: Any) -> Json:
    """Return the releases of those packages that are imported."""
    loaded = {name: sys.modules.get(name) for name in names}
    return {name: str(getattr(module, "__version__", "")) or None for name, module in loaded.items() if module}


def installed(job: Json, answers: Channel) -> None:
    """Send what is installed, from the packages' metadata; import nothing."""
    found, wants, needs = {}, {}, {}
    for item in metadata.distributions():
        name = re.sub(r"[-_.]+", "-", str(item.metadata["Name"] or "")).lower()
        if name not in found and name.split("-")[0] in DISTRIBUTIONS:  # the first on the path is the one imported
            found[name] = str(item.version)
            wants[name] = [want for want in item.requires or [] if "nvidia" in want]
            needs[name] = [want for want in item.requires or [] if re.match(r"numpy\b(?!-)", want)]
    asked = {name: want for name, want in needs.items() if want}
    wanted = {name: want for name, want in wants.items() if want}
    answers.send(packages=found, wants=wanted, needs=asked, python=python())


def python() -> Json:
    """Return the release, the path and the search path of this interpreter."""
    return {"version": sys.version.split()[0], "executable": sys.executable, "paths": list(sys.path)}


def about(job: Json, answers: Channel) -> None:
    """Import a package and send what it is. Its errors are data."""
    name = job["package"]
    try:
        module = importlib.import_module(name)
        describe = {"tensorflow": about_tensorflow, "torch": about_torch, "jax": about_jax}.get(name)
        facts = describe(module) if describe else {}
    except (Exception, SystemExit) as error:
        answers.send(package=name, error=said(error))
        return
    answers.send(package=name, error=None, releases=releases((name, "keras", "tf_keras")), **facts)


def about_tensorflow(tensorflow: Any) -> Json:
    """Return what TensorFlow was built with, the GPUs that it sees, and which Keras `tf.keras` is."""
    built, compiled = {}, []
    with contextlib.suppress(AttributeError):
        info = tensorflow.sysconfig.get_build_info()
        built = {key: str(info[key]) for key in ("cuda_version", "cudnn_version") if key in info}
        compiled = [str(one) for one in info.get("cuda_compute_capabilities", ())]
    devices = tensorflow.config.list_physical_devices("GPU")
    return {
        "cuda": bool(tensorflow.test.is_built_with_cuda()),
        "rocm": bool(tensorflow.test.is_built_with_rocm()),
        "built": built,
        "gpus": [device.name for device in devices],
        "capabilities": compiled,
        "keras": str(getattr(tensorflow.keras, "__version__", "") or tensorflow.__version__),
    }


def about_torch(torch: Any) -> Json:
    """Return what torch was built with, and the GPUs that it sees."""
    built = {"cuda_version": str(torch.version.cuda)} if torch.version.cuda else {}
    if torch.backends.cudnn.is_available():
        built["cudnn_version"] = str(torch.backends.cudnn.version())
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    return {
        "cuda": torch.version.cuda is not None,
        "rocm": getattr(torch.version, "hip", None) is not None,
        "built": built,
        "gpus": [torch.cuda.get_device_name(index) for index in range(count)],
        "capabilities": [str(one) for one in torch.cuda.get_arch_list()] if count else [],
    }


def about_jax(jax: Any) -> Json:
    """Return whether JAX can use CUDA, and the GPUs that it sees."""
    devices = [device for device in jax.devices() if device.platform in ("gpu", "cuda", "rocm")]
    plugin = any(importlib.util.find_spec(f"jax_cuda{major}_plugin") for major in (12, 13))
    names = [device.device_kind for device in devices]
    return {"cuda": bool(names) or plugin, "rocm": False, "built": {}, "gpus": names}


def libraries(job: Json, answers: Channel) -> None:
    """Send which of the shared libraries load; a fault in one ends only this child."""
    for path in job["paths"]:
        try:
            library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            answers.send(path=path, error=str(error), version=None)
            continue
        answers.send(path=path, error=None, version=cudnn_version(library))


def cudnn_version(library: Any) -> Json:
    """Return cuDNN's release as it counts it (90100), None where the library is another one."""
    if not hasattr(library, "cudnnGetVersion"):
        return None
    library.cudnnGetVersion.restype = ctypes.c_size_t
    return int(library.cudnnGetVersion())
