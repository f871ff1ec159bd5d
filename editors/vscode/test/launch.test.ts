import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { SERVER_SETTINGS, START, cannotStart, program, serverSettings } from "../src/launch";

test("the program of the settings is started before any other", () => {
  const wanted = ["/opt/bin/python", "-m", "cudnnlint"];
  assert.deepEqual(program(wanted, "/usr/bin/python3"), {
    command: "/opt/bin/python",
    args: ["-m", "cudnnlint", "server"],
  });
});

test("without a setting the interpreter of the project is asked", () => {
  for (const nothing of [[], [""]]) {
    assert.deepEqual(program(nothing, "/usr/bin/python3"), {
      command: "/usr/bin/python3",
      args: ["-c", START, "server"],
    });
  }
});

test("without an interpreter the program on the PATH is started", () => {
  assert.deepEqual(program([], undefined), { command: "cudnnlint", args: ["server"] });
});

test("the server is told what is set, and nothing that it does not know", () => {
  const set: Record<string, unknown> = { hints: "lens", delay: 0, ignore: null, command: ["python"], unsafeFixes: false };
  assert.deepEqual(serverSettings((name) => set[name]), { hints: "lens", delay: 0, unsafeFixes: false });
});

test("every setting of the server can be set in the editor", () => {
  const manifest = JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8"));
  const names = Object.keys(manifest.contributes.configuration.properties).map((name) => name.replace("cudnnlint.", ""));
  assert.deepEqual([...SERVER_SETTINGS, "command", "trace.server"].sort(), names.sort());
});

test("a failed start says what was tried and how to install it", () => {
  const text = cannotStart(program([], undefined), "spawn cudnnlint ENOENT.");
  assert.match(text, /"cudnnlint server": spawn cudnnlint ENOENT\. Install it with: pip install "cudnnlint\[lsp\]"/);
});
