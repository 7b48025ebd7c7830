import * as vscode from 'vscode';
import type { Interpreters } from '../interpreter/index.ts';
import { AdapterFactory } from './adapter.ts';
import { ConfigurationProvider, currentFile } from './configuration.ts';

/** Its own type, and the type in older launch configurations. */
const types = ['debugpy', 'python'];

/** Debugs Python with Debian's debugpy. */
export function registerDebugger(interpreters: Interpreters): vscode.Disposable {
  const provider = new ConfigurationProvider(interpreters);
  const offered = { provideDebugConfigurations: () => [currentFile] };
  return vscode.Disposable.from(
    ...types.flatMap((type) => [
      vscode.debug.registerDebugConfigurationProvider(type, provider),
      vscode.debug.registerDebugAdapterDescriptorFactory(type, new AdapterFactory()),
    ]),
    vscode.debug.registerDebugConfigurationProvider('debugpy', offered),
    vscode.debug.registerDebugConfigurationProvider(
      'debugpy',
      offered,
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
  );
}
