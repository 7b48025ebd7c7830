import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type * as z from 'zod';
import { clip } from '../../../bridge/lib/index.ts';
import { packageFolder } from '../../lib/index.ts';
import { badTask } from '../bad-task.ts';
import { wireVariant, type WireVariant } from './contract.ts';

/** What a seed changes in a task's folder. */
export interface MadeVariant {
  /** Content by path in the task's folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly words: Readonly<Record<string, string>>;
}

/** The file in a task's folder that makes its variants. */
export const variantFile = 'variant.mjs';

const timeoutMs = 20_000;
const maxBytes = 64 * 1024 * 1024;
const run = promisify(execFile);

/**
 * Runs a task's variant.mjs outside any sandbox, in a process that can read the folder of the task's family and
 * neither write a file nor start a program. Undefined if the task has none. Errors: `bad-task`.
 */
export async function makeVariant(folder: string, seed: number): Promise<MadeVariant | undefined> {
  const file = join(folder, variantFile);
  if (!(await stat(file).catch(() => undefined))?.isFile()) return undefined;
  const { files, words } = await answerOf(file, seed);
  return {
    files: new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text, 'base64')])),
    words,
  };
}

async function answerOf(file: string, seed: number): Promise<WireVariant> {
  const answer = await runProgram(file, seed);
  const checked = wireVariant.safeParse(answer);
  if (checked.success) return checked.data;
  throw badTask(file, checked.error.issues.map(problemOf).join('; '));
}

function problemOf(issue: z.core.$ZodIssue): string {
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return `${issue.path.join(' ')}: ${inner?.message ?? issue.message}`;
}

async function runProgram(file: string, seed: number): Promise<unknown> {
  try {
    const program = await realpath(join(packageFolder(import.meta.url), 'dist/variant.mjs'));
    const real = await realpath(file);
    const readable = [program, join(dirname(dirname(real)), '*')].map((path) => `--allow-fs-read=${path}`);
    const { stdout } = await run(
      process.execPath,
      ['--permission', ...readable, program, real, String(seed)],
      { cwd: '/', env: {}, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: maxBytes },
    );
    return JSON.parse(stdout) as unknown;
  } catch (cause) {
    throw badTask(file, `seed ${seed}: ${reasonOf(cause)}`, cause);
  }
}

function reasonOf(cause: unknown): string {
  const { killed, stderr, message } = cause as { killed?: boolean; stderr?: string; message: string };
  if (killed === true) return `expected an answer of at most ${maxBytes} bytes within ${timeoutMs / 1000} s`;
  // Node prints the error with its message first, then where it was thrown.
  const reason = stderr?.split('\n').find((line) => /^(\w*Error|TypeError|SyntaxError)\b/.test(line));
  return reason ?? clip(message, 500);
}
