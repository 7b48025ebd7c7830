import { clipEnd } from '../../../../bridge/text/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import { type JudgeOptions, judgeSweBenchLog, type OwnersVerdict } from '../owners/index.ts';
import { evalCommands, type EvalRecord } from './eval-commands.ts';

interface ImageRun extends JudgeOptions {
  /** A fresh one of the record's image, which has the files of `evalCommands`. */
  readonly sandbox: Pick<Sandbox, 'exec'>;
  /** The image's environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ImageVerdict {
  readonly verdict: OwnersVerdict;
  /** What the patch's application and the tests printed. */
  readonly log: string;
}

/** The owners' own have up to some hundred thousand bytes. */
const mostLogBytes = 32 * 1024 * 1024;
const applyMs = 120_000;

/**
 * Applies a patch in a sandbox of a record's image, runs the record's tests there, and has the owners' code judge their log.
 * An empty patch is judged, too. Errors: those of the sandbox and of `judgeSweBenchLog`.
 */
export async function judgeInImage(
  record: EvalRecord,
  patch: string,
  { sandbox, env, ...options }: ImageRun,
): Promise<ImageVerdict> {
  const { apply, run, seconds } = evalCommands(record, patch);
  const { signal } = options;
  const shared = { cwd: '/testbed', env: { HOME: '/root', ...env } };
  if (apply) {
    const spec = { ...shared, argv: apply, timeoutMs: applyMs, maxOutputBytes: 1024 * 1024 };
    const { exitCode, stdout } = await sandbox.exec(spec, { signal });
    const why = `the patch can't be applied: ${clipEnd(stdout.trim(), 1000)}`;
    if (exitCode !== 0) return { verdict: notRun(why), log: stdout };
  }
  const spec = { ...shared, argv: run, timeoutMs: seconds * 1000, maxOutputBytes: mostLogBytes };
  const { stdout: log, timedOut, truncated } = await sandbox.exec(spec, { signal });
  if (timedOut) return { verdict: notRun(`the tests took longer than ${seconds} s`), log };
  if (truncated) return { verdict: mayBeMachine(`the tests printed more than ${mostLogBytes} bytes`), log };
  return { verdict: await judgeSweBenchLog(record, patch, log, options), log };
}

/** Their harness judges no log of such a run, and counts the record as not resolved. */
function notRun(why: string): OwnersVerdict {
  return { ran: false, infraFailure: false, why };
}

/** Their harness would have judged the whole log. */
function mayBeMachine(why: string): OwnersVerdict {
  return { ran: false, infraFailure: true, why };
}
