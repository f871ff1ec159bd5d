"""The doctor on machines that are made up: every finding, and an exit status that follows from them."""

import json
from pathlib import Path

import pytest

from cudnnlint import doctor
from cudnnlint.doctor import findings, variables, wheels
from cudnnlint.machine import keras_settings
from cudnnlint.machine.gpus import Gpu, Machine, Sources, by_files, by_nvml, by_smi
from cudnnlint.probe.parent import Host
from cudnnlint.rulebook.machine_table import machine_table

FAKE = Path(__file__).parent.parent / "probe" / "fake_child.py"
GPU = "550.54.15, NVIDIA H200, 143771, 9.0\n"
CUDNN, CUBLAS = "nvidia-cudnn-cu12", "nvidia-cublas-cu12"
WANTS = {"tensorflow": [f"{CUDNN}<10.0,>=9.3.0; extra == 'and-cuda'", f"{CUBLAS}; extra == 'and-cuda'"]}
TENSORFLOW = {
    "package": "tensorflow", "error": None, "cuda": True, "rocm": False,
    "built": {"cuda_version": "12.5.1", "cudnn_version": "9"}, "gpus": ["/physical_device:GPU:0"],
}  # fmt: skip
PACKAGES = {"tensorflow": "2.21.0", "keras": "3.15.1", CUDNN: "9.3.0.75", CUBLAS: "12.5.3.2"}


def with_gpu(printed=GPU):
    return Sources(nvml=lambda: None, smi=lambda arguments: printed, root=Path("/nonexistent"))


def without_gpu():
    return Sources(nvml=lambda: None, smi=lambda arguments: None, root=Path("/nonexistent"))


@pytest.fixture
def examined(tmp_path, monkeypatch):
    def examine(packages=None, about=None, libraries=None, sources=None, environment=None, wants=None, needs=None):
        answers = {
            "installed": [{
                "packages": PACKAGES if packages is None else packages,
                "wants": WANTS if wants is None else wants,
                "needs": needs or {},
                "python": {"version": "3.11.7", "executable": "python", "paths": [str(tmp_path)]},
            }],
            "about": [TENSORFLOW if about is None else about],
            "libraries": libraries or [{"path": "libcudnn.so.9", "error": None, "version": 90300}],
        }  # fmt: skip
        file = tmp_path / "answers.json"
        file.write_text(json.dumps(answers))
        host = Host(environment={"FAKE_ANSWERS": str(file)}, script=FAKE, timeout=30)
        told, status = doctor.run("json", host, sources or with_gpu(), {"HOME": str(tmp_path), **(environment or {})})
        data = json.loads(told)
        assert data["ok"] == (status == 0)
        return {(line["state"], line["subject"]): line for line in data["lines"]}, status

    return examine


def test_a_machine_that_is_well(examined):
    lines, status = examined()
    assert status == 0
    assert {state for state, _ in lines} == {"ok", "note"}
    assert [subject for state, subject in lines if state == "note"] == ["TF32"]
    assert lines["ok", "GPU"]["found"] == "NVIDIA H200, 140 GiB, compute capability 9.0"
    assert lines["ok", "libcudnn.so.9"]["found"] == "can be loaded; cuDNN 9.3.0"


def test_a_machine_without_gpu_has_one_problem_and_no_noise_about_libraries(examined):
    lines, status = examined(sources=without_gpu(), about={**TENSORFLOW, "gpus": []})
    assert status == 1
    assert [subject for state, subject in lines if state == "problem"] == ["GPU"]
    assert not any("lib" in subject or "packages" in subject for _, subject in lines)


@pytest.mark.parametrize(
    ("arguments", "subject", "words"),
    [
        ({"packages": {}}, "framework", "TensorFlow, torch and JAX are all missing"),
        ({"about": {**TENSORFLOW, "cuda": False}}, "tensorflow", "is built without CUDA"),
        ({"about": {**TENSORFLOW, "gpus": []}}, "tensorflow", "it finds no GPU, although the driver does"),
        ({"about": {"error": "ImportError: no numpy"}}, "tensorflow", "cannot be imported: ImportError: no numpy"),
        ({"about": {"do": "kill", "signal": 11}}, "tensorflow", "the process that imports it crashed (SIGSEGV)"),
        ({"packages": {**PACKAGES, CUDNN: "8.9.1.23"}}, "packages for tensorflow", f"{CUDNN} 8.9.1.23"),
        ({"packages": {"tensorflow": "2", CUDNN: "9.3"}}, "packages for tensorflow", f"{CUBLAS} is missing"),
        ({"environment": {"CUDA_VISIBLE_DEVICES": "-1"}}, "CUDA_VISIBLE_DEVICES", "hides every GPU"),
        ({"environment": {"CUDA_VISIBLE_DEVICES": ""}}, "CUDA_VISIBLE_DEVICES", "hides every GPU"),
        ({"environment": {"TF_USE_LEGACY_KERAS": "1"}}, "TF_USE_LEGACY_KERAS", "tf_keras is not installed"),
        ({"environment": {"KERAS_BACKEND": "numpy"}}, "backend", "numpy (set by KERAS_BACKEND) does not use cuDNN"),
        ({"environment": {"KERAS_BACKEND": "jax"}}, "jax", "not installed, but Keras uses it as its backend"),
        ({"environment": {"JAX_PLATFORMS": "cpu"}}, "JAX_PLATFORMS", "set to use the CPU"),
        ({"packages": {**PACKAGES, "numpy": "2.1.0"}, "needs": {"tensorflow": ["numpy<2.0,>=1.23"]}}, "numpy",
         "2.1.0, but tensorflow 2.21.0 requires <2.0,>=1.23"),
        ({"about": {**TENSORFLOW, "built": {"cudnn_version": "9.3.0"}},
          "libraries": [{"path": "libcudnn.so.9", "error": None, "version": 90100}]}, "cuDNN",
         "cuDNN 9.1.0 loads, but the framework was built for 9.3.0"),
        ({"about": {**TENSORFLOW, "capabilities": ["sm_60", "sm_80"]}}, "tensorflow", "has no machine code"),
    ],
)  # fmt: skip
def test_a_problem_is_told_with_what_to_do(examined, arguments, subject, words):
    lines, status = examined(**arguments)
    assert status == 1
    line = lines["problem", subject]
    assert words in line["found"]
    assert line["do"].endswith((".", ")"))


def test_a_library_that_does_not_load_and_one_that_crashes(examined):
    missing = [{"path": "libcudnn.so.9", "error": "cannot open shared object file", "version": None}]
    lines, _ = examined(libraries=missing)
    assert "cannot be loaded: cannot open" in lines["problem", "libcudnn.so.9"]["found"]
    lines, _ = examined(libraries=[{"do": "kill", "signal": 6}])
    assert "crashed (SIGABRT)" in lines["problem", "libcudnn.so.9"]["found"]


@pytest.mark.parametrize(
    ("version", "code"), [(8099, None), (8100, "CDN604"), (8901, "CDN604"), (8902, None), (90100, None)]
)
def test_the_releases_of_cudnn_that_break_masks(version, code):
    line = wheels.about_library("libcudnn.so.8", None, version)
    assert (line.state, line.code) == ("problem" if code else "ok", code)


@pytest.mark.parametrize(("version", "text"), [(7605, "7.6.5"), (8902, "8.9.2"), (90100, "9.1.0"), (90300, "9.3.0")])
def test_cudnn_s_numbers_as_people_write_them(version, text):
    assert wheels.cudnn_text(version) == text


def test_a_framework_that_keras_does_not_use_is_no_problem(examined):
    packages = {**PACKAGES, "torch": "2.9.0"}
    lines, status = examined(packages=packages, about={**TENSORFLOW, "gpus": [], "error": "ImportError: broken"},
                             environment={"KERAS_BACKEND": "torch"})  # fmt: skip
    assert status == 1
    assert ("note", "tensorflow") in lines
    assert ("problem", "torch") in lines


# ---------------------------------------------------------------- seen on a machine with an H200


def test_a_build_that_names_this_gpu_s_instructions_needs_no_newer_one(examined):
    """TensorFlow 2.21 names compute_90; an H200 ran its first LSTM after seconds."""
    lines, status = examined(about={**TENSORFLOW, "capabilities": ["sm_80", "sm_89", "compute_90"]})
    assert (status, ("note", "tensorflow") in lines) == (0, False)
    lines, _ = examined(about={**TENSORFLOW, "capabilities": ["sm_80", "compute_80"]})
    assert "compiled at the first use" in lines["note", "tensorflow"]["found"]


def test_libraries_of_a_framework_that_is_not_there_are_not_asked_for(examined):
    missing = [{"path": "libcudart.so.12", "error": "cannot open shared object file", "version": None}]
    lines, _ = examined(packages={"torch": "2.11.0", "keras": "3.15.1"}, libraries=missing, wants={})
    assert ("problem", "tensorflow") in lines
    assert ("problem", "libcudart.so.12") not in lines


def test_what_jax_lacks_and_does_without_is_no_problem(examined):
    wants = {"jax-cuda13-plugin": ["nvidia-cuda-nvcc>=13.0.48; extra == 'with-cuda'",
                                   "nvidia-cudnn-cu13>=9.8; extra == 'with-cuda'"]}  # fmt: skip
    packages = {"jax": "0.11.2", "jax-cuda13-plugin": "0.11.2", "keras": "3.15.1", "nvidia-cudnn-cu13": "9.19.0.56"}
    jax = {"package": "jax", "error": None, "cuda": True, "rocm": False, "built": {}, "gpus": ["NVIDIA H200"]}
    given = {"packages": packages, "wants": wants, "environment": {"KERAS_BACKEND": "jax"}}
    lines, status = examined(about=jax, **given)
    assert status == 0
    assert "nvidia-cuda-nvcc is missing" in lines["note", "packages for jax"]["found"]
    assert "jax[cuda13]" in lines["note", "packages for jax"]["do"]
    lines, status = examined(about={**jax, "gpus": []}, **given)
    assert (status, ("problem", "packages for jax") in lines) == (1, True)


def test_the_libraries_of_cuda_13_are_found_in_their_common_folder(tmp_path):
    for name in ("cudnn/lib/libcudnn.so.9", "cu13/lib/libcudart.so.13", "cuda_runtime/lib/libcudart.so.12"):
        (tmp_path / "nvidia" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "nvidia" / name).touch()
    thirteen = {"cuda_version": "13.0", "cudnn_version": "91900"}
    asked = wheels.libraries([str(tmp_path)], thirteen)
    assert [Path(path).name for path in asked] == ["libcudnn.so.9", "libcudart.so.13", "libcublas.so.13"]
    asked = wheels.libraries([str(tmp_path)], {"cuda_version": "12.5.1", "cudnn_version": "9"})
    assert [Path(path).name for path in asked] == ["libcudnn.so.9", "libcudart.so.12", "libcublas.so.12"]
    asked = wheels.libraries([str(tmp_path)], {})
    assert Path(asked[1]).name in {"libcudart.so.12", "libcudart.so.13"}


def test_a_long_subject_is_followed_by_a_space():
    assert "packages for tensorflow none" in findings.as_text([findings.note("packages for tensorflow", "none")])


def test_an_old_driver_is_named(examined, monkeypatch):
    old = Machine("NVML", "450.80", "11.0", (Gpu("Tesla V100"),))
    monkeypatch.setattr(doctor, "look", lambda sources: old)
    lines, _ = examined()
    assert "the driver only supports CUDA up to 11.0" in lines["problem", "tensorflow"]["found"]


def test_a_python_that_does_not_start_is_a_sentence(tmp_path):
    told, status = doctor.run("text", Host(python=str(tmp_path / "none")), without_gpu(), {})
    assert status == 1
    assert "could not be started" in " ".join(told.split())


def test_the_text_says_what_to_do_and_sums_up(examined):
    host = Host(python="no-such-python")  # a long path is one word, which no line breaks
    told, _ = doctor.run("text", host, with_gpu(), {})
    assert told.splitlines()[-1].startswith("1 problem:")
    assert max(len(line) for line in told.splitlines()) <= 100


# ---------------------------------------------------------------- the machine itself


class Nvml:
    """A driver's management library that shows one GPU; `broken` does not even start."""

    def __init__(self, broken=False):
        self.broken = broken
        self.open = 0

    def nvmlInit_v2(self):
        self.open += 1
        return int(self.broken)

    def nvmlShutdown(self):
        self.open -= 1

    def nvmlDeviceGetCount_v2(self, number):
        number._obj.value = 1
        return 0

    def nvmlSystemGetCudaDriverVersion_v2(self, number):
        number._obj.value = 12040
        return 0

    def nvmlSystemGetDriverVersion(self, text, size):
        text.value = b"550.54.15"
        return 0

    def nvmlDeviceGetHandleByIndex_v2(self, index, handle):
        return 0

    def nvmlDeviceGetName(self, handle, text, size):
        text.value = b"NVIDIA H200"
        return 0

    def nvmlDeviceGetMemoryInfo(self, handle, memory):
        memory._obj[0] = 141 << 30
        return 0

    def nvmlDeviceGetCudaComputeCapability(self, handle, major, minor):
        major._obj.value, minor._obj.value = 9, 0
        return 0


def test_nvml_is_read_and_closed_again():
    library = Nvml()
    assert by_nvml(library) == Machine("NVML", "550.54.15", "12.4", (Gpu("NVIDIA H200", 141 * 1024, "9.0"),))
    assert library.open == 0
    assert by_nvml(Nvml(broken=True)) is None


def test_an_old_nvidia_smi_is_asked_again_without_what_it_does_not_know():
    machine = by_smi(lambda arguments: None if "compute_cap" in arguments[0] else "390.1, Tesla K80, 11441\n")
    assert machine == Machine("nvidia-smi", "390.1", None, (Gpu("Tesla K80", 11441),))
    assert by_smi(lambda arguments: "No devices were found\n") is None


def test_device_files(tmp_path):
    def write(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    assert by_files(tmp_path).how == "nothing"
    write("sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n")
    write("sys/bus/pci/devices/0000:01:00.0/class", "0x030200\n")
    write("sys/bus/pci/devices/0000:02:00.0/vendor", "0x10de\n")
    write("sys/bus/pci/devices/0000:02:00.0/class", "0x040300\n")
    asleep = by_files(tmp_path)
    assert (asleep.asleep, asleep.driver, asleep.gpus) == (1, None, ())
    write("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue\n")
    write("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t\t NVIDIA H200\nIRQ: 1\n")
    assert "container" in by_files(tmp_path).trouble
    write("dev/nvidia0", "")
    assert by_files(tmp_path).gpus == (Gpu("NVIDIA H200"),)
    assert by_files(tmp_path).driver == "550.54.15"


# ---------------------------------------------------------------- settings


def test_keras_s_own_file_chooses_the_backend_unless_the_environment_does(tmp_path):
    assert keras_settings.backend({"HOME": str(tmp_path)}) == ("tensorflow", "default")
    (tmp_path / ".keras").mkdir()
    (tmp_path / ".keras/keras.json").write_text('{"backend": "torch"}')
    assert keras_settings.backend({"HOME": str(tmp_path)}) == ("torch", "keras.json")
    assert keras_settings.backend({"HOME": str(tmp_path), "KERAS_BACKEND": "jax"}) == ("jax", "KERAS_BACKEND")
    (tmp_path / ".keras/keras.json").write_text("[broken")
    assert keras_settings.backend({"HOME": str(tmp_path)}) == ("tensorflow", "default")


#: A switch, a value that acts, and one that does not (None: each acts).
SWITCHES = {
    "TF_XLA_FLAGS": ("--tf_xla_auto_jit=2", "--tf_xla_cpu_global_jit"),
    "XLA_FLAGS": ("--xla_gpu_autotune_level=0", "--gpu"),
    "TF_DETERMINISTIC_OPS": ("1", "0"),
    "TF_CUDNN_DETERMINISTIC": ("1", "0"),
    "TF_FORCE_GPU_ALLOW_GROWTH": ("True", "false"),
    "TF_CUDNN_RNN_USE_AUTOTUNE": ("0", None),
    "TF_CPP_MIN_LOG_LEVEL": ("3", "2"),
    "LD_LIBRARY_PATH": ("/usr/local/cuda/lib64", "/usr/local/lib"),
}


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_told_where_it_acts(name):
    acts, quiet = SWITCHES[name]
    told = variables.lines({name: acts, "HOME": "/nonexistent"}, {})
    assert [(line.subject, line.state) for line in told] == [(name, "note")]
    assert variables.lines({name: quiet or "", "HOME": "/nonexistent"}, {}) == []


def test_every_switch_of_the_table_is_tried_here():
    assert [switch.name for switch in machine_table().switches] == [*SWITCHES]


# ---------------------------------------------------------------- what fits together


@pytest.mark.parametrize(
    ("capabilities", "state"),
    [
        (["sm_80", "sm_90"], None),
        (["sm_80", "compute_80"], "note"),
        (["sm_60", "sm_70"], "problem"),
        (["sm_100", "compute_100"], "problem"),
        ([], None),
    ],
)
def test_a_gpu_that_is_newer_than_the_build(examined, capabilities, state):
    lines, _ = examined(about={**TENSORFLOW, "capabilities": capabilities})
    found = [line["state"] for line in lines.values() if "no machine code" in line["found"]]
    assert found == ([state] if state else [])


def test_a_numpy_that_fits_and_one_that_is_not_there_are_no_news(examined):
    needs = {"tensorflow": ["numpy<2.2,>=1.26", "numpy<2; python_version < '3.8'", "not a requirement ;;"]}
    for packages in (PACKAGES, {**PACKAGES, "numpy": "2.1.0"}):
        lines, status = examined(packages=packages, needs=needs)
        assert status == 0
        assert not any(subject == "numpy" for _, subject in lines)


@pytest.mark.parametrize("plugin", machine_table().plugins, ids=lambda plugin: plugin.name)
def test_another_kind_of_gpu_is_told(examined, plugin):
    lines, _ = examined(packages={**PACKAGES, plugin.name: "1.0"}, sources=without_gpu())
    assert plugin.effect in lines["note", plugin.name]["found"]
    assert lines["note", plugin.name]["code"] == (None if plugin.name == "tensorflow-rocm" else "CDN405")


@pytest.mark.parametrize(
    ("printed", "shortens"),
    [(GPU, True), ("470.1, A100, 40960, 8.0\n", True), ("470.1, Tesla T4, 15360, 7.5\n", False)],
)
def test_gpus_that_shorten_float32_products(examined, printed, shortens):
    lines, _ = examined(sources=with_gpu(printed))
    assert (("note", "TF32") in lines) == shortens


@pytest.mark.parametrize("version", ["9", "9.2.1", "90200"])
def test_a_cudnn_as_new_as_the_build_is_no_news(examined, version):
    lines, _ = examined(about={**TENSORFLOW, "built": {"cudnn_version": version}})
    assert not any(subject == "cuDNN" for _, subject in lines)


@pytest.mark.parametrize(
    ("system", "does", "not_there"),
    [
        ("win32", "in WSL 2", "Run pip install"),
        ("darwin", "no CUDA for macOS", "pip install"),
        ("linux", "Run pip install 'tensorflow[and-cuda]'", "WSL"),
    ],
)
def test_what_to_install_in_place_of_a_build_for_cpus_goes_by_the_system(examined, system, does, not_there):
    sources = Sources(nvml=lambda: None, smi=lambda arguments: None, root=Path("/nonexistent"), system=system)
    lines, status = examined(sources=sources, about={**TENSORFLOW, "cuda": False})
    assert status == 1
    assert does in lines["problem", "tensorflow"]["do"]
    assert not_there not in lines["problem", "tensorflow"]["do"]
