import * as vscode from 'vscode';
import { completeGo, startDelve } from './delve.ts';

/** Debuggers of images: each is also the type of its launch configurations. */
export type DebuggerKind = 'lldb-dap' | 'go';

/** Of LLVM 19, as Debian names it. */
const lldb = 'lldb-dap-19';

/** Registers what launch configurations of a type are run with. */
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

/** LLDB gives programs fixed addresses, which a sandbox does not let it do: both its target and its launch say so. */
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
