import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import * as vscode from 'vscode';
import { signalGroup } from '../../../../bridge/lib/index.ts';
import type { Interpreters } from '../interpreter/index.ts';
import { cleanEnvironment } from '../programs.ts';
import { readEvent, type PytestEvent } from './events.ts';

/** Folder of the extension's own Python files. */
export const scripts = join(__dirname, 'scripts');

/** The settings for running pytest in a workspace folder. */
export interface PytestCall {
  readonly folder: vscode.WorkspaceFolder;
  readonly python: string;
  readonly cwd: string;
  /** With the plugin and the arguments of the settings. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export function pytestCall(folder: vscode.WorkspaceFolder, interpreters: Interpreters): PytestCall {
  const settings = vscode.workspace.getConfiguration('python.testing', folder);
  const place = folder.uri.fsPath;
  const cwd = settings.get<string | null>('cwd', null)?.replaceAll('${workspaceFolder}', place) ?? place;
  const paths = [scripts, process.env['PYTHONPATH']].filter((path) => path !== undefined && path !== '');
  return {
    folder,
    python: interpreters.of(folder).path,
    cwd,
    args: ['-p', 'pwp_pytest', ...settings.get<string[]>('pytestArgs', [])],
    env: { ...cleanEnvironment(), PYTHONPATH: paths.join(':') },
  };
}

export interface PytestRun {
  readonly onEvent: (event: PytestEvent) => void;
  /** Standard output and error, as they come. */
  readonly onOutput: (text: string) => void;
  readonly token: vscode.CancellationToken;
}

/** Runs pytest to its end. Returns its exit code; null if it was killed or could not be started. */
export async function runPytest(
  call: PytestCall,
  args: readonly string[],
  run: PytestRun,
): Promise<number | null> {
  const child = spawn(call.python, ['-m', 'pytest', ...call.args, ...args], {
    cwd: call.cwd,
    env: { ...call.env, PWP_PYTEST_REPORT: '3' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const listening = run.token.onCancellationRequested(() => signalGroup(child.pid, 'SIGKILL'));
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => run.onOutput(text));
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => {
    const event = readEvent(line);
    if (event) run.onEvent(event);
  });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code;
  } catch (error) {
    run.onOutput(String(error));
    return null;
  } finally {
    listening.dispose();
  }
}
