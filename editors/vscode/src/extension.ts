/** Starts the language server and hands it to the editor; all that is shown comes from the server. */

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, RevealOutputChannelOn, ServerOptions } from "vscode-languageclient/node";

import { interpreter, onDidChangeInterpreter } from "./interpreter";
import { Program, cannotStart, program, serverSettings } from "./launch";

const SECTION = "cudnnlint";
const SELECTOR = [
  { scheme: "file", language: "python" },
  { scheme: "untitled", language: "python" },
  { scheme: "vscode-notebook-cell", language: "python" },
];

let client: LanguageClient | undefined;
let log: vscode.LogOutputChannel;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("cudnnlint", { log: true });
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand("cudnnlint.restart", restart),
    vscode.commands.registerCommand("cudnnlint.showLog", () => log.show()),
    vscode.commands.registerCommand("cudnnlint.fixAll", fixAll),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration(`${SECTION}.command`)) {
        await restart();
      }
    }),
  );
  const listener = await onDidChangeInterpreter(() => void restart());
  if (listener !== undefined) {
    context.subscriptions.push(listener);
  }
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const tried = program(settings.get<string[]>("command", []), await interpreter());
  log.info(`Starting ${[tried.command, ...tried.args].join(" ")}`);
  client = new LanguageClient(SECTION, "cudnnlint", server(tried), options());
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const text = cannotStart(tried, error instanceof Error ? error.message : String(error));
    log.error(text);
    void vscode.window.showErrorMessage(text, "Show the log").then((chosen) => chosen && log.show());
  }
}

function server(tried: Program): ServerOptions {
  return { command: tried.command, args: tried.args, options: { env: { ...process.env, PYTHONUNBUFFERED: "1" } } };
}

function options(): LanguageClientOptions {
  return {
    documentSelector: SELECTOR,
    outputChannel: log,
    traceOutputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: () => serverSettings((name) => vscode.workspace.getConfiguration(SECTION).get(name)),
  };
}

async function restart(): Promise<void> {
  const old = client;
  client = undefined;
  await old?.dispose();
  await start();
}

/** Make all safe fixes in the open file: the server's action, as on saving. */
async function fixAll(): Promise<void> {
  const arg = { kind: "source.fixAll.cudnnlint", apply: "ifSingle" };
  await vscode.commands.executeCommand("editor.action.codeAction", arg);
}
