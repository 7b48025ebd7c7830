import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import * as vscode from 'vscode';
import { signalGroup } from '../../../bridge/lib/index.ts';
import type { Interpreters } from './interpreters.ts';
import { cleanEnvironment } from './program-environment.ts';
import { parsePytestEvent, type PytestEvent } from './pytest-events.ts';

/** Folder of the extension's own Python files. */
const scriptFolder = join(__dirname, 'scripts');

/** The settings for running pytest in a workspace folder. */
interface PytestCall {
  readonly folder: vscode.WorkspaceFolder;
  readonly python: string;
  readonly cwd: string;
  /** With the plugin and the arguments of the settings. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export function makePytestCall(folder: vscode.WorkspaceFolder, interpreters: Interpreters): PytestCall {
  const settings = vscode.workspace.getConfiguration('python.testing', folder);
  const place = folder.uri.fsPath;
  const cwd = settings.get<string | null>('cwd', null)?.replaceAll('${workspaceFolder}', place) ?? place;
  const paths = [scriptFolder, process.env['PYTHONPATH']].filter((path) => path !== undefined && path !== '');
  return {
    folder,
    python: interpreters.of(folder).path,
    cwd,
    args: ['-p', 'pwp_pytest', ...settings.get<string[]>('pytestArgs', [])],
    env: { ...cleanEnvironment(), PYTHONPATH: paths.join(':') },
  };
}

interface PytestRun {
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
    const event = parsePytestEvent(line);
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

/** Runs pytest in the debugger until the session ends; then reads the plugin's report. */
export async function debugPytest(
  call: PytestCall,
  args: readonly string[],
  token: vscode.CancellationToken,
): Promise<PytestEvent[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-pytest-'));
  const report = join(folder, 'report.jsonl');
  const mark = folder;
  const ended = awaitSessionEnd(mark);
  const listening = token.onCancellationRequested(() => {
    if (ended.session()) void vscode.debug.stopDebugging(ended.session());
  });
  try {
    const configuration: vscode.DebugConfiguration = {
      name: 'Debug Tests',
      type: 'debugpy',
      request: 'launch',
      module: 'pytest',
      args: [...call.args, ...args],
      cwd: call.cwd,
      env: { PYTHONPATH: call.env['PYTHONPATH'], PWP_PYTEST_REPORT: report },
      console: 'internalConsole',
      subProcess: false,
      mark,
    };
    if (!(await vscode.debug.startDebugging(call.folder, configuration))) return [];
    await ended.promise;
    const lines = (await readFile(report, 'utf8').catch(() => '')).split('\n');
    return lines.map(parsePytestEvent).filter((event) => event !== undefined);
  } finally {
    listening.dispose();
    ended.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

function awaitSessionEnd(mark: string) {
  let session: vscode.DebugSession | undefined;
  const listening: vscode.Disposable[] = [];
  const isOurs = ({ configuration }: vscode.DebugSession) => configuration['mark'] === mark;
  const promise = new Promise<void>((resolve) => {
    listening.push(
      vscode.debug.onDidStartDebugSession((one) => {
        if (isOurs(one)) session = one;
      }),
      vscode.debug.onDidTerminateDebugSession((one) => {
        if (isOurs(one)) resolve();
      }),
    );
  });
  const dispose = () => {
    for (const one of listening) one.dispose();
  };
  return { promise, dispose, session: () => session };
}
