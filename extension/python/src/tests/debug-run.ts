import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readEvent, type PytestEvent } from './events.ts';
import type { PytestCall } from './pytest.ts';

/** Runs pytest in the debugger until the session ends; then reads the plugin's report. */
export async function debugPytest(
  call: PytestCall,
  args: readonly string[],
  token: vscode.CancellationToken,
): Promise<PytestEvent[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-pytest-'));
  const report = join(folder, 'report.jsonl');
  const mark = folder;
  const ended = sessionEnd(mark);
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
    return lines.map(readEvent).filter((event) => event !== undefined);
  } finally {
    listening.dispose();
    ended.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

function sessionEnd(mark: string) {
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
