/** Which program is started, and what it is told. Knows nothing of the editor, so that it can be tested without one. */

/** The settings that the server knows; what is not set there has the server's own default. */
export const SERVER_SETTINGS = [
  "target",
  "select",
  "extendSelect",
  "ignore",
  "extendIgnore",
  "use",
  "hints",
  "run",
  "delay",
  "unsafeFixes",
  "maxFileSize",
] as const;

export interface Program {
  command: string;
  args: string[];
}

/**
 * What Python runs in place of `python -m cudnnlint`, which imports from the workspace first: there a stranger's file may
 * be called `enum.py`. From Python 3.11 on `-P` does the same.
 */
export const START = "import sys; sys.path = [p for p in sys.path if p]; from cudnnlint.__main__ import main; main()";

/**
 * Return the program to start.
 *
 * @param wanted the setting `cudnnlint.command`: a program with its arguments, or nothing
 * @param interpreter the Python interpreter of the project, if one is known
 */
export function program(wanted: readonly string[], interpreter: string | undefined): Program {
  const [command, ...args] = wanted.filter((word) => word !== "");
  if (command !== undefined) {
    return { command, args: [...args, "server"] };
  }
  if (interpreter) {
    return { command: interpreter, args: ["-c", START, "server"] };
  }
  return { command: "cudnnlint", args: ["server"] };
}

/** Return what the server is told of the settings; `get` reads one by its name. */
export function serverSettings(get: (name: string) => unknown): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of SERVER_SETTINGS) {
    const value = get(name);
    if (value !== undefined && value !== null) {
      found[name] = value;
    }
  }
  return found;
}

/** Return what a user reads when the program cannot be started. */
export function cannotStart(tried: Program, reason: string): string {
  const words = [tried.command, ...tried.args].join(" ").replace(`-c ${START}`, "-m cudnnlint");
  return (
    `The cudnnlint server could not be started with "${words}": ${reason} ` +
    `Install it with: pip install "cudnnlint[lsp]", or set cudnnlint.command.`
  );
}
