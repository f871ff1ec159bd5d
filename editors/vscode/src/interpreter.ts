/** The Python interpreter that the Python extension has chosen for the folder, where that extension is installed. */

import * as vscode from "vscode";

interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable?: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath?: vscode.Event<unknown>;
  };
}

async function api(): Promise<PythonApi["environments"]> {
  const python = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (python === undefined) {
    return undefined;
  }
  const found = python.isActive ? python.exports : await python.activate();
  return found?.environments;
}

/** Return the path of the interpreter; undefined where none is known. */
export async function interpreter(): Promise<string | undefined> {
  const environments = await api();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const active = environments?.getActiveEnvironmentPath(folder);
  const resolved = active && (await environments?.resolveEnvironment(active));
  return resolved?.executable?.uri?.fsPath;
}

/** Call `changed` whenever another interpreter is chosen. */
export async function onDidChangeInterpreter(changed: () => void): Promise<vscode.Disposable | undefined> {
  return (await api())?.onDidChangeActiveEnvironmentPath?.(changed);
}
