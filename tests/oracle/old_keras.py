# ruff: noqa: UP031 - the child runs on Python 3.7
"""Asks standalone Keras, and the tf.keras of TensorFlow 1, what their recurrent layers become: a graph shows it.

    python tests/oracle/old_keras.py                        every release below, each asked, held against cudnnlint
    python tests/oracle/old_keras.py --python 3.7=PATH      with another interpreter

These Keras build a graph and nothing else, so that no GPU has to be believed in: a layer runs in cuDNN if its graph
holds an op CudnnRNN, and loops if it does not. Run with --child it is the script that a release's own Python runs.
The numbers, and what was asked and answered, go beside those of releases.py.
"""

import argparse
import json
import os
import subprocess
import sys

#: (framework, release, the TensorFlow beneath): all on Python 3.7, where the last TensorFlow 1 still installs.
RELEASES = (
    ("keras", "2.1.6", "1.15.5"), ("keras", "2.2.5", "1.15.5"), ("keras", "2.3.1", "1.15.5"),
    ("tensorflow", "1.15.5", "1.15.5"),
)  # fmt: skip
ARGUMENTS = (
    "4", "4, return_sequences=True", "4, return_state=True", "4, stateful=True", "units=4, name='one'",
    "4, kernel_initializer='he_normal'", "4, recurrent_dropout=0.2", "4, dropout=0.2", "4, unroll=True",
    "4, activation='relu'", "4, recurrent_activation='sigmoid'", "4, use_bias=False", "4, implementation=2",
)  # fmt: skip
CLASSES = ("LSTM", "GRU", "CuDNNLSTM", "CuDNNGRU", "SimpleRNN")
HEAD = "from {0}.layers import *\nfrom {0}.models import Model\n"


def programs(root):
    """Name -> text: one layer each, plain, masked, and in each wrapper."""
    head = HEAD.format(root)
    for name in CLASSES:
        for number, arguments in enumerate(ARGUMENTS):
            if name == "SimpleRNN" and "recurrent_activation" in arguments:
                continue
            shape = "batch_shape=(2, 5, 3)" if "stateful" in arguments else "(5, 3)"
            yield "%s_%d" % (name, number), head + "i = Input(%s)\ny = %s(%s)(i)\n" % (shape, name, arguments)
        yield name + "_masked", head + "i = Input((5, 3))\ny = %s(4)(Masking()(i))\n" % name
        yield name + "_both", head + "i = Input((5, 3))\ny = Bidirectional(%s(4))(i)\n" % name
        yield name + "_over", head + "i = Input((2, 5, 3))\ny = TimeDistributed(%s(4))(i)\n" % name
    cells = "LSTMCell(4)", "[GRUCell(4), GRUCell(2)]"
    for number, cell in enumerate(cells):
        yield "RNN_%d" % number, head + "i = Input((5, 3))\ny = RNN(%s)(i)\n" % cell


def child(folder, root):
    """Run every program of a folder in this Python; what became of each, as JSON."""
    import importlib

    import tensorflow as tf

    keras = importlib.import_module("keras") if root == "keras" else tf.keras
    truth = {}
    for file in sorted(os.listdir(folder)):
        keras.backend.clear_session()
        try:
            with open(os.path.join(folder, file)) as stream:
                exec(compile(stream.read(), file, "exec"), {"__name__": "__main__"})
            types = [op.type for op in tf.compat.v1.get_default_graph().get_operations()]
            truth[file] = "cudnn" if any(kind.startswith("CudnnRNN") for kind in types) else "fallback"
        except Exception as error:
            truth[file] = "raises: %s: %s" % (type(error).__name__, str(error)[:200])
    about = {"keras": keras.__version__, "tensorflow": tf.__version__, "python": sys.version.split()[0]}
    json.dump({"about": about, "truth": truth}, sys.stdout)


def ask(framework, release, tensorflow, options):
    """What one release said of every program, as packed.py keeps it."""
    from pathlib import Path

    from environments import old_keras
    from packed import Answered
    from sweep import Document

    root = "keras" if framework == "keras" else "tensorflow.keras"
    folder = Path(options.work) / ("%s-%s" % (framework, release))
    folder.mkdir(parents=True, exist_ok=True)
    texts = dict(programs(root))
    for name, text in texts.items():
        (folder / (name + ".py")).write_text(text)
    there = old_keras(Path(options.store), framework, release, tensorflow, dict(options.python))
    command = [str(there.python), "-W", "ignore", os.path.abspath(__file__), "--child", str(folder), root]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=there.variables())
    answer = json.loads(done.stdout.splitlines()[-1])
    about = {"framework": framework, "backend": "tensorflow", **answer["about"]}
    told = {
        name: {"script": (Document(folder / (name + ".py"), "script", text.encode()), form(name, text, answer))}
        for name, text in texts.items()
    }
    return Answered(about, (), told)


def form(name, text, answer):
    """The truth about one program: its one layer, or the two of a Bidirectional, stand on the last line."""
    verdict, row = answer["truth"][name + ".py"].split(":")[0], len(text.splitlines())
    layer = {
        "layer_path": "", "class_name": name.split("_")[0], "row": row, "via": [],
        "graph": verdict, "eager": "uncalled",
        "graph_detail": {"routes": {"training": [{"any": verdict}]}}, "eager_detail": {"routes": {"training": []}},
    }  # fmt: skip
    directions = ("forward", "backward") if name.endswith("_both") else (None,)
    layers = [dict(layer, direction=direction) for direction in directions]
    return {"error": None, "layers": layers, "built": [[row]], "dark": []}


def main():
    """The command."""
    if sys.argv[1:2] == ["--child"]:
        return child(*sys.argv[2:4])
    from cudnnlint.rulebook import loader
    from cudnnlint.targets import environment

    import packed
    from releases import EVIDENCE, STORE, Asked, read, record, store, write, wrong

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", default=str(STORE))
    parser.add_argument("--work", default=str(STORE / "answers"))
    parser.add_argument("--python", action="append", default=[], type=lambda text: text.split("=", 1))
    options = parser.parse_args()
    status, told, known = 0, {}, environment.releases(loader.load().tables)
    for framework, release, tensorflow in RELEASES:
        asked = Asked(framework, release, "tensorflow", tensorflow)
        told[str(asked)] = ask(framework, release, tensorflow, options)
        numbers, stories = record(asked, told[str(asked)])
        print(numbers["release"], json.dumps(numbers["graph"]), *stories, sep="\n    ", flush=True)
        others = [one for one in read(EVIDENCE) if one["release"] != numbers["release"]]
        write(EVIDENCE, [*others, numbers], known)
        status = max(status, 1 if wrong(numbers) else 0)
    print(store(packed.EVIDENCE, told, known))
    return status


if __name__ == "__main__":
    sys.exit(main())
