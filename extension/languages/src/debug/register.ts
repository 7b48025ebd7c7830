import * as vscode from 'vscode';
import { completeGo, startDelve } from './delve.ts';

/** Debuggers of images, by the type of their launch configurations. */
export type DebuggerKind = 'lldb-dap' | 'go';

/** Of LLVM 19, as Debian names it. */
const lldb = 'lldb-dap-19';

/** Registers the debug adapter for launch configurations of a type. */
export function registerDebugger(kind: DebuggerKind): vscode.Disposable {
  const descriptors: vscode.DebugAdapterDescriptorFactory = {
    createDebugAdapterDescriptor: () =>
      kind === 'go' ? startDelve() : new vscode.DebugAdapterExecutable(lldb, []),
  };
  const configurations: vscode.DebugConfigurationProvider = {
    resolveDebugConfigurationWithSubstitutedVariables: (folder, given) =>
      kind === 'go' ? completeGo(folder, given) : completeLldb(folder, given),
  };
  return vscode.Disposable.from(
    vscode.debug.registerDebugAdapterDescriptorFactory(kind, descriptors),
    vscode.debug.registerDebugConfigurationProvider(kind, configurations),
  );
}

/** LLDB disables address randomization, which a sandbox does not allow: turned off for its target and its launch. */
const anyAddress = 'settings set target.disable-aslr false';

function completeLldb(
  folder: vscode.WorkspaceFolder | undefined,
  given: vscode.DebugConfiguration,
): vscode.DebugConfiguration {
  const cwd = (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
  const own: unknown = given['initCommands'];
  const initCommands = [anyAddress, ...(Array.isArray(own) ? (own as unknown[]) : [])];
  return { ...(cwd !== undefined && { cwd }), disableASLR: false, ...given, initCommands };
}
