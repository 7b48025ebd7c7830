import * as vscode from 'vscode';
import { systemPython } from '../programs.ts';

/** Starts debugpy's adapter, or connects to a debugpy that listens already. */
export class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
  createDebugAdapterDescriptor({ configuration }: vscode.DebugSession): vscode.DebugAdapterDescriptor {
    const connect = configuration['connect'] as { host?: unknown; port?: unknown } | undefined;
    if (configuration.request === 'attach' && connect !== undefined) {
      const host = typeof connect.host === 'string' ? connect.host : '127.0.0.1';
      return new vscode.DebugAdapterServer(Number(connect.port), host);
    }
    // Isolated: a file of the workspace must not shadow a module of the adapter.
    return new vscode.DebugAdapterExecutable(systemPython, ['-I', '-m', 'debugpy.adapter']);
  }
}
