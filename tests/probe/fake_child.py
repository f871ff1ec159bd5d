"""A stand-in for probe/child: answers as the file named in FAKE_ANSWERS says, and dies or hangs where it says so.

The file maps a job's kind to a list of steps. A step is a message to send, or one of
{"do": "hang"}            say "hanging", which is no message, and wait for ever (until standard input closes)
{"do": "kill", "signal"}  end by a signal, as a crash or the kernel would
{"do": "exit", "code", "words"}  write words to standard error and end
{"do": "print", "text"}   write text that is no message
{"do": "spawn", "file"}   start a process of its own that opens the file for writing and waits for ever
A message with "begin" is skipped, with all up to the next "begin", where the job holds no such item.
"""

import json
import os
import subprocess
import sys


def act(step, answers):
    kind = step["do"]
    if kind == "hang":
        answers.write("hanging\n")
        answers.flush()
        while os.read(0, 1):
            pass
        os._exit(3)
    if kind == "kill":
        os.kill(os.getpid(), step["signal"])
    if kind == "exit":
        sys.stderr.write(step["words"])
        sys.stderr.flush()
        os._exit(step["code"])
    if kind == "print":
        answers.write(step["text"] + "\n")
    if kind == "spawn":
        waits = "import os, sys; held = open(sys.argv[1], 'w'); r, w = os.pipe(); os.read(r, 1)"
        subprocess.Popen([sys.executable, "-c", waits, step["file"]])


def main():
    job = json.loads(sys.stdin.buffer.readline())
    with open(os.environ["FAKE_ANSWERS"], encoding="utf-8") as file:
        steps = json.load(file)[job["kind"]]
    wanted = {item["id"] for item in job.get("items", [])}
    skipping = False
    for step in steps:
        if "begin" in step:
            skipping = step["begin"] not in wanted
        if skipping:
            continue
        if "do" in step:
            act(step, sys.stdout)
        else:
            sys.stdout.write(json.dumps(step) + "\n")
        sys.stdout.flush()
    sys.stdout.write(json.dumps({"bye": True}) + "\n")


if __name__ == "__main__":
    main()
