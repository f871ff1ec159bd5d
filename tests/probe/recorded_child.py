"""A stand-in for probe/child that has answers for a whole conformance run, and plays them back.

The file named in RECORDED is {"installed": MESSAGE, "about": MESSAGE, "answers": {KEY: [STEP, ...]}, "log": FILE}.
KEY is what `key` makes of a work item, and the steps are those of fake_child.py, without the item's number. The key of
each item that is asked becomes a line of the log. An item without an answer is newer than the record, and left out.
"""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python -m cudnnlint passes over the script's folder

from fake_child import act

UNRECORDED = [{"error": "nothing is recorded", "stage": "import", "layers": [], "whole": None}]


def key(item):
    """Return what an item is, whatever its number: the layer, or the name of a program or model file."""
    if "model" in item or "program" in item:
        return os.path.basename(item.get("model") or item["program"])
    return json.dumps([item["layer"], item["paddings"]], sort_keys=True)


def numbered(step, number):
    return {**step, "end": number} if "layers" in step else step


def main():
    job = json.loads(sys.stdin.buffer.readline())
    with open(os.environ["RECORDED"], encoding="utf-8") as file:
        recorded = json.load(file)
    if job["kind"] == "installed":
        steps = [recorded["installed"]]
    else:
        steps = [recorded["about"]]
        for item in job["items"]:
            steps += [{"begin": item["id"], "asked": key(item)}]
            steps += [numbered(step, item["id"]) for step in recorded["answers"].get(key(item), UNRECORDED)]
    for step in [*steps, {"bye": True}]:
        if "asked" in step:
            with open(recorded["log"], "a", encoding="utf-8") as log:
                log.write(step.pop("asked") + "\n")
        if "do" in step:
            act(step, sys.stdout)
        else:
            sys.stdout.write(json.dumps(step) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
