"""Which GPU and driver this machine has, without any framework: NVML, else nvidia-smi, else the device files."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from cudnnlint.core.quick_dataclass import dataclass, replace

NVML_NAMES = ("libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1", "nvml.dll")
SMI_SECONDS = 20  # a healthy nvidia-smi answers in one; a wedged driver never does
TEXT = 96  # NVML's longest name, and then some
NVIDIA, AMD = "0x10de", "0x1002"  # PCI vendors
DISPLAY = "0x03"  # PCI class of GPUs


@dataclass(frozen=True)
class Gpu:
    """One NVIDIA GPU that the driver shows."""

    name: str
    memory_mib: int | None = None
    capability: str | None = None


@dataclass(frozen=True)
class Machine:
    """What was found, and how: NVML, nvidia-smi, device files, or nothing.

    `driver` None: none answers. `cuda` is the newest CUDA that the driver serves. `other` are GPUs that are not
    NVIDIA's; `asleep` is how many NVIDIA GPUs the bus shows, whatever the driver says. `system` is as in sys.platform.
    """

    how: str
    driver: str | None = None
    cuda: str | None = None
    gpus: tuple[Gpu, ...] = ()
    asleep: int = 0
    other: int = 0
    trouble: str | None = None
    system: str = "linux"

    @property
    def nvidia(self) -> bool:
        """Whether there is an NVIDIA GPU, with a driver or not."""
        return bool(self.gpus or self.asleep or self.trouble)

    def as_data(self) -> dict[str, Any]:
        """Return the machine as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Sources:
    """Where to look; tests give their own."""

    nvml: Callable[[], Any] = field(default=lambda: load_nvml())
    smi: Callable[[list[str]], str | None] = field(default=lambda arguments: run_smi(arguments))
    root: Path = Path("/")
    system: str = sys.platform


def look(sources: Sources | None = None) -> Machine:
    """Return what this machine has, by the first source that answers."""
    sources = sources or Sources()
    library = sources.nvml()
    found = by_nvml(library) if library is not None else None
    return replace(found or by_smi(sources.smi) or by_files(sources.root), system=sources.system)


# ---------------------------------------------------------------- NVML


def load_nvml() -> Any:
    """Return the driver's management library, or None."""
    for name in NVML_NAMES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def by_nvml(library: Any) -> Machine | None:
    """Return what NVML reports; None where the library is there and the driver is not."""
    if library.nvmlInit_v2() != 0:
        return None
    try:
        number = ctypes.c_uint(0)
        library.nvmlDeviceGetCount_v2(ctypes.byref(number))
        gpus = tuple(_nvml_gpu(library, index) for index in range(number.value))
        version = ctypes.c_int(0)
        known = library.nvmlSystemGetCudaDriverVersion_v2(ctypes.byref(version)) == 0 and version.value
        cuda = f"{version.value // 1000}.{version.value % 1000 // 10}" if known else None
        return Machine("NVML", _nvml_text(library.nvmlSystemGetDriverVersion), cuda, gpus)
    finally:
        library.nvmlShutdown()


def _nvml_gpu(library: Any, index: int) -> Gpu:
    handle = ctypes.c_void_p()
    library.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(index), ctypes.byref(handle))
    memory = (ctypes.c_ulonglong * 3)()
    has_memory = library.nvmlDeviceGetMemoryInfo(handle, ctypes.byref(memory)) == 0
    major, minor = ctypes.c_int(), ctypes.c_int()
    capable = library.nvmlDeviceGetCudaComputeCapability(handle, ctypes.byref(major), ctypes.byref(minor)) == 0
    return Gpu(
        name=_nvml_text(lambda text, size: library.nvmlDeviceGetName(handle, text, size)) or "an NVIDIA GPU",
        memory_mib=memory[0] >> 20 if has_memory else None,
        capability=f"{major.value}.{minor.value}" if capable else None,
    )


def _nvml_text(ask: Callable[[Any, Any], int]) -> str | None:
    text = ctypes.create_string_buffer(TEXT)
    return text.value.decode("utf-8", "replace") if ask(text, ctypes.c_uint(TEXT)) == 0 else None


# ---------------------------------------------------------------- nvidia-smi


def run_smi(arguments: list[str]) -> str | None:
    """Return what nvidia-smi prints, or None where it is missing, fails or does not return."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, *arguments], capture_output=True, text=True, errors="replace", timeout=SMI_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def by_smi(run: Callable[[list[str]], str | None]) -> Machine | None:
    """Return what nvidia-smi reports; old drivers do not know the compute capability."""
    for query in ("driver_version,name,memory.total,compute_cap", "driver_version,name,memory.total"):
        printed = run([f"--query-gpu={query}", "--format=csv,noheader,nounits"])
        rows = [[cell.strip() for cell in line.split(",")] for line in (printed or "").splitlines() if "," in line]
        if rows:
            return Machine("nvidia-smi", rows[0][0], None, tuple(_smi_gpu(row) for row in rows))
    return None


def _smi_gpu(row: list[str]) -> Gpu:
    memory = int(row[2]) if len(row) > 2 and row[2].isdigit() else None
    return Gpu(row[1], memory, row[3] if len(row) > 3 else None)


# ---------------------------------------------------------------- device files


def by_files(root: Path) -> Machine:
    """Return what the operating system shows: driver files, device nodes, and the PCI bus."""
    version = _text(root / "proc/driver/nvidia/version")
    driver = next((word for word in version.split() if word.count(".") and word[0].isdigit()), None)
    names = [_model(_text(path)) for path in sorted(root.glob("proc/driver/nvidia/gpus/*/information"))]
    nodes = sorted(root.glob("dev/nvidia[0-9]*"))
    nvidia, other = _on_bus(root)
    trouble = None
    if (root / "dev/dxg").exists():
        trouble = "This is WSL, which uses the Windows driver, but the libraries in /usr/lib/wsl/lib cannot be found."
    elif driver and not nodes:
        trouble = (
            "The driver is loaded, but there is no GPU device; this may be a container without access to the GPUs."
        )
    gpus = tuple(Gpu(name) for name in names) if driver and nodes else ()
    how = "device files" if driver or nvidia or other else "nothing"
    return Machine(how, driver, None, gpus, nvidia, other, trouble)


def _on_bus(root: Path) -> tuple[int, int]:
    """How many GPUs of NVIDIA and of AMD the PCI bus shows."""
    vendors = [
        _text(folder / "vendor").strip()
        for folder in sorted(root.glob("sys/bus/pci/devices/*"))
        if _text(folder / "class").startswith(DISPLAY)
    ]
    return vendors.count(NVIDIA), vendors.count(AMD)


def _model(information: str) -> str:
    lines = (line.partition(":") for line in information.splitlines())
    return next((value.strip() for key, _, value in lines if key.strip() == "Model"), "an NVIDIA GPU")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
