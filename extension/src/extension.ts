import * as vscode from 'vscode';
import { openConnection, showConnection, type WindowConnection, windowHandlers } from './connection.ts';
import { askByDialog, isInSandbox, openGuard } from './consent/index.ts';
import { addLanguageModelTools } from './language-model-tools.ts';
import { readImageVariables } from '../../bridge/lib/index.ts';
import { Watches } from './state/index.ts';
import { makeExtensionTools, registerPreview, ReportedProblems } from './tools/index.ts';
import { type AskWindow, openUi, Steps } from './ui/index.ts';

/** The exports of `vscode.extensions.getExtension('pwp.programming-with-pixels')`. */
export interface Api {
  /** Absolute path of this window's socket; undefined if it could not be opened. */
  readonly socketPath: string | undefined;
}

let connection: WindowConnection | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
  const log = vscode.window.createOutputChannel('Programming with Pixels', { log: true });
  const reportedProblems = new ReportedProblems();
  const steps = new Steps();
  // `<profile>/globalStorage/<extension>`
  const profile = vscode.Uri.joinPath(context.globalStorageUri, '..', '..');
  const watches = new Watches(profile);
  context.subscriptions.push(watches, reportedProblems, steps);
  const tools = makeExtensionTools({ profile, reportedProblems, watches });
  const guarded = isInSandbox(context.extensionPath)
    ? undefined
    : openGuard({ tools, ask: askByDialog, report: (step) => steps.add(step) }, (state) =>
        steps.setAgents(state),
      );
  if (guarded) context.subscriptions.push(guarded);
  const parts = { tools, watches, steps, guard: guarded?.guard };
  const handlers = () => windowHandlers(readVersion(context.extension), parts);
  if (!guarded) await addImageVariables(context.environmentVariableCollection);
  const opened = await openConnection(handlers);
  connection = opened;
  if (opened.state === 'listening') log.info(`listening on ${opened.server.path}`);
  else log.error(opened.reason);
  const socketPath = opened.state === 'listening' ? opened.server.path : undefined;
  const command = vscode.commands.registerCommand('pwp.showConnection', () => {
    // Not awaited: the message stays until it is closed, and the path is needed at once.
    void showConnection(opened);
    return socketPath;
  });
  const own = handlers();
  const ask: AskWindow = async (method, params) =>
    method.result.parse(await own.call(method.name, params, new AbortController().signal)) as never;
  context.subscriptions.push(
    log,
    command,
    openUi(steps, watches, ask),
    addLanguageModelTools(tools),
    registerPreview(),
  );
  return { socketPath };
}

/** Terminals, tasks and debugged programs get what VS Code itself is kept from. */
async function addImageVariables(terminals: vscode.EnvironmentVariableCollection): Promise<void> {
  const { forShells = {} } = (await readImageVariables()) ?? {};
  terminals.persistent = false;
  for (const [name, value] of Object.entries(forShells)) terminals.replace(name, value);
}

/** VS Code awaits this before a window closes or reloads: it removes the socket file. */
export async function deactivate(): Promise<void> {
  if (connection?.state === 'listening') await connection.server[Symbol.asyncDispose]();
  connection = undefined;
}

function readVersion({ packageJSON }: vscode.Extension<unknown>): string {
  return String((packageJSON as { readonly version?: unknown }).version);
}
