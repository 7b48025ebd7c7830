import { basename, dirname, join } from 'node:path';
import type * as z from 'zod';
import { PwpError, clip, messageOf } from '../../../bridge/lib/index.ts';
import { openForeign, packageFolder, readForeign } from '../../lib/index.ts';
import { archive, type Entry } from '../archive.ts';
import { badTask } from '../bad-task.ts';
import type { TaskSeed } from '../seeds.ts';
import { readTree } from '../tree.ts';
import { wireVariant } from './contract.ts';

/** The differences that a seed makes in a task's folder. */
export interface MadeVariant {
  /** Content by path in the task's folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly words: Readonly<Record<string, string>>;
}

/** A program that makes a variant: the files of an otherwise empty place, and the arguments of Node there. */
export interface VariantProgram {
  /** A name of its place for people, e.g. a task's id. */
  readonly name: string;
  readonly seeds: readonly TaskSeed[];
  readonly argv: readonly string[];
  /** Where it leaves its answer. */
  readonly answer: string;
  readonly timeoutMs: number;
  /** Bytes of its answer. */
  readonly mostBytes: number;
}

/** The outcome of a {@link VariantProgram}. */
export type VariantAnswer = { readonly answer: Uint8Array } | { readonly problem: string };

/**
 * Runs a program where it has no way out: a task's own code is never run on this machine. Rejects where that place fails,
 * which is not a fault of the program.
 */
export type RunVariant = (program: VariantProgram) => Promise<VariantAnswer>;

/** The file in a task's folder that makes its variants. */
export const variantFile = 'variant.mjs';

const sharedFolder = 'lib';
const place = '/variant';
const program = '/opt/pwp/variant.mjs';
const answer = '/variant-answer.json';
const timeoutMs = 20_000;
const mostBytes = 64 * 1024 * 1024;

/** Whether a task has variants. Errors: `bad-task` for a variant.mjs that can't be read. */
export async function hasVariants(folder: string): Promise<boolean> {
  try {
    await using opened = await openForeign(folder, variantFile);
    return opened.info.isFile();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw badTask(join(folder, variantFile), messageOf(cause), cause);
  }
}

/** Runs a task's variant.mjs. Errors: `bad-task`; those of `run`. */
export async function makeVariant(folder: string, seed: number, run: RunVariant): Promise<MadeVariant> {
  const file = join(folder, variantFile);
  const ran = await run(await programOf(folder, seed));
  if ('problem' in ran) throw badTask(file, `seed ${seed}: ${reasonOf(ran.problem)}`);
  const checked = wireVariant.safeParse(parsed(ran.answer, file, seed));
  if (!checked.success) throw badTask(file, checked.error.issues.map(problemOf).join('; '));
  const { files, words } = checked.data;
  return {
    files: new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text, 'base64')])),
    words,
  };
}

/** It is given its task's folder and the family's `lib`, where tasks share code. */
async function programOf(folder: string, seed: number): Promise<VariantProgram> {
  const [own, shared, main] = await Promise.all([
    readTree(folder, '.'),
    readTree(dirname(folder), sharedFolder),
    readForeign(packageFolder(import.meta.url), 'dist/variant.mjs').catch(notBuilt),
  ]);
  const entries = [...moved(own, basename(folder)), ...moved(shared, sharedFolder)];
  return {
    name: basename(folder),
    seeds: [
      { path: place, tar: archive(entries) },
      { path: dirname(program), tar: archive([fileOf(basename(program), main)]) },
    ],
    argv: [program, join(place, basename(folder), variantFile), String(seed), answer],
    answer,
    timeoutMs,
    mostBytes,
  };
}

function moved(entries: readonly Entry[], folder: string): Entry[] {
  return entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));
}

function fileOf(path: string, content: Uint8Array): Entry {
  return { kind: 'file', path, content, executable: false };
}

function notBuilt(cause: unknown): never {
  throw new PwpError('not-built', 'dist/variant.mjs is missing', { cause, help: 'Run npm run build.' });
}

function parsed(bytes: Uint8Array, file: string, seed: number): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw badTask(file, `seed ${seed}: expected an answer in JSON`, cause);
  }
}

function problemOf(issue: z.core.$ZodIssue): string {
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return `${issue.path.join(' ')}: ${inner?.message ?? issue.message}`;
}

/** Node prints the error with its message first, then where it was thrown. */
function reasonOf(problem: string): string {
  const line = problem.split('\n').find((one) => /^(\w*Error|TypeError|SyntaxError)\b/.test(one));
  return line ?? clip(problem, 500);
}
