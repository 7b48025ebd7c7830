import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { deadline, raceSignal, shownText, signalGroup } from '../../../../../bridge/lib/index.ts';
import { toolError } from '../../../../../bridge/protocol/index.ts';
import { interpreterOf } from '../../../language/index.ts';
import { clipMiddle, Transcript } from '../../../lib/index.ts';
import { programEnvironment } from '../../run/index.ts';
import { driver, noMatplotlib } from './driver.ts';

export interface ScriptRun {
  readonly status: 'ok' | 'error' | 'timed-out';
  readonly exit_code: number | null;
  readonly output: string;
  readonly truncated: boolean;
  /** Matplotlib is missing. */
  readonly missing: boolean;
}

const longest = 100_000;
/** How long children of the script may keep its output open after it has ended, in milliseconds. */
const drainMs = 500;

/** Runs a Python file in its own folder; its figures are written to another one. Errors: `no-interpreter`. */
export async function runScript(
  path: string,
  args: readonly string[],
  figures: string,
  ms: number,
  signal: AbortSignal,
): Promise<ScriptRun> {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? dirname(path);
  const python = await interpreterOf(workspace);
  const child = spawn(python, ['-u', '-c', driver, figures, path, ...args], {
    cwd: dirname(path),
    env: programEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = new Transcript();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.add(text));
  const closed = once(child, 'close').catch(() => undefined);
  const ended = once(child, 'exit') as Promise<[code: number | null]>;
  using limit = deadline('the script', ms, signal);
  try {
    const [code] = await raceSignal(ended, limit.signal);
    using drain = deadline('the end of the output', drainMs);
    await raceSignal(closed, drain.signal).catch(() => undefined);
    return {
      status: code === 0 ? 'ok' : 'error',
      exit_code: code,
      missing: code === noMatplotlib,
      ...textOf(output),
    };
  } catch (cause) {
    signal.throwIfAborted();
    if (!limit.signal.aborted)
      throw toolError('no-interpreter', `${python} could not be started`, {
        cause,
        help: 'Install Python 3',
      });
    return { status: 'timed-out', exit_code: null, missing: false, ...textOf(output) };
  } finally {
    // Including programs that it has started.
    signalGroup(child.pid, 'SIGKILL');
  }
}

function textOf(output: Transcript): { output: string; truncated: boolean } {
  const { text, omitted } = clipMiddle(shownText(output.text), longest);
  return { output: text.trimEnd(), truncated: omitted > 0 };
}
