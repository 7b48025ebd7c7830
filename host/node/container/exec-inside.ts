import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import {
  BoundedOutput,
  deadline,
  imageMountPoint,
  imagePrograms,
  poll,
  type Probe,
  PwpError,
  raceSignal,
  splitImageVariables,
} from '../../../bridge/lib/index.ts';
import { identifyProcess, pathExists } from '../../lib/index.ts';
import type { ExecResult, ExecSpec } from '../node.ts';
import { buildSandboxEnvironment } from './bundle.ts';
import { type CgroupSubgroup, createSubgroup } from './cgroup.ts';
import { takeLastLines } from './command.ts';
import { buildLaterProcess } from './container-processes.ts';
import { runcRoot, type SandboxRecord } from './sandbox-record.ts';

/** Time for the kernel to end killed processes, in milliseconds. */
const killGraceMs = 10_000;
/** Pause between two checks whether a program that is not a child of this process has ended, in milliseconds. */
const endLookMs = 10;

/**
 * Runs a program in a container. When it ends, by itself or by its time-out, every process it left running is ended
 * too.
 * Errors: `exec-failed` if it can't be started, or the signal's reason.
 * @param scratch a folder on this machine for the time of the run
 * @param onRefusedForks gets at the end the number of forks that the limit of processes refused
 */
export async function execInside(
  sandbox: Pick<SandboxRecord, 'id' | 'role' | 'display' | 'network' | 'workspace' | 'root'>,
  spec: ExecSpec,
  scratch: string,
  signal: AbortSignal,
  onRefusedForks: (count: number) => void = () => undefined,
): Promise<ExecResult> {
  signal.throwIfAborted();
  const { argv, cwd } = spec;
  const program = buildLaterProcess(sandbox, {
    args: argv,
    cwd,
    env: { ...buildSandboxEnvironment(sandbox), ...pickRootVariables(sandbox, argv), ...spec.env },
  });
  const { id } = sandbox;
  const name = `exec-${randomBytes(4).toString('hex')}`;
  const pidFile = join(scratch, `${name}.pid`);
  const processFile = join(scratch, `${name}.json`);
  await using group = await createSubgroup(id, name);
  try {
    await writeFile(processFile, JSON.stringify(program), { mode: 0o600 });
    const result = await runToEnd(id, spec, { pidFile, processFile }, group, signal);
    onRefusedForks(await group.refusedForks());
    signal.throwIfAborted();
    // runc writes this file once the program runs: without it, what was said and the exit code are runc's own.
    if (result.timedOut || (await pathExists(pidFile))) return result;
    throw new PwpError(
      'exec-failed',
      `can't run ${spec.argv[0] ?? 'nothing'}: ${takeLastLines(result.stderr, 3)}`,
    );
  } finally {
    for (const file of [pidFile, processFile]) await rm(file, { force: true });
  }
}

/**
 * The image's variables for a program. One of ours would end by those for loaders, and Node.js by more; the others of ours
 * pass on what is left to the image's programs, which they start.
 */
function pickRootVariables({ root }: Pick<SandboxRecord, 'root'>, [program = '']: readonly string[]) {
  const env = root?.env ?? {};
  if (program === imagePrograms.node) return splitImageVariables(env).forPrograms;
  if (!program.startsWith(`${imageMountPoint}/`)) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^LD_(?!LIBRARY_PATH$)/.test(name)));
}

async function runToEnd(
  id: string,
  spec: ExecSpec,
  { pidFile, processFile }: { readonly pidFile: string; readonly processFile: string },
  group: CgroupSubgroup,
  signal: AbortSignal,
): Promise<ExecResult> {
  using limit = deadline(`exec of ${spec.argv[0] ?? 'nothing'}`, spec.timeoutMs, signal);
  const files = ['--process', processFile, '--pid-file', pidFile];
  const child = startRuncExec(id, spec, files, group.runcName);
  const stdout = new BoundedOutput(child.stdout, spec.maxOutputBytes);
  const stderr = new BoundedOutput(child.stderr, spec.maxOutputBytes);
  const inTime = await awaitProgramEnd(child, pidFile, limit.signal).then(
    () => true,
    () => false,
  );
  using grace = deadline('the end of killed processes', killGraceMs);
  // In time, runc still has the exit code. Otherwise runc goes first: it is what puts processes into the group.
  if (!inTime) child.kill('SIGKILL');
  await group.kill(grace.signal);
  const { exitCode } = await raceSignal(child, grace.signal);
  return {
    exitCode: inTime ? (exitCode ?? null) : null,
    stdout: stdout.text(),
    stderr: stderr.text(),
    truncated: stdout.truncated || stderr.truncated,
    timedOut: !inTime && !signal.aborted,
  };
}

function startRuncExec(id: string, spec: ExecSpec, files: readonly string[], cgroup: string) {
  const args = ['--root', runcRoot, 'exec', ...files, '--cgroup', cgroup, id];
  // Out of the terminal's process group: Ctrl-C is for us, not for the program inside.
  const streams = spec.input === undefined ? ({ stdin: 'ignore' } as const) : { input: spec.input };
  return execa('runc', args, { ...streams, buffer: false, reject: false, detached: true });
}

/**
 * Waits for the end of the program itself. runc keeps running as long as anything in the background holds the streams,
 * so its end only shows that a program did not start or left nothing.
 */
async function awaitProgramEnd(child: ChildProcess, pidFile: string, signal: AbortSignal): Promise<void> {
  const probe = async (): Promise<Probe<void>> => {
    const over = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
    const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
    if (over || (pid > 0 && !(await identifyProcess(pid)))) return { done: true, value: undefined };
    return { done: false, saw: `process ${pid || 'not begun'}` };
  };
  await poll('the end of a program', probe, { intervalMs: endLookMs, signal });
}
