import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { openUntrusted, packageFolder, readUntrusted } from '../../lib/index.ts';
import { type ArchiveEntry, moveEntriesBelow, packArchive } from './archive.ts';
import { badTask, readTreeEntries } from './task-files.ts';
import type { TaskSeed } from './task-seeds.ts';
import type { makeGitRepository, makeLocalHistory, Random } from './variant-tools.ts';

/** The differences that a seed makes in a task's folder. */
export interface MadeVariant {
  /** Content by path in the task's folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly words: Readonly<Record<string, string>>;
}

/** A program that makes a part of a task: the files of an otherwise empty place, and the command there. */
export interface VariantProgram {
  /** A name of its place for people, e.g. a task's id. */
  readonly name: string;
  readonly seeds: readonly TaskSeed[];
  /** The image that it runs in, with that image's variables. Default: our own. */
  readonly root?: string | undefined;
  readonly argv: readonly string[];
  /** Whether it needs as much memory and disk as tests do. Default false. */
  readonly isLarge?: boolean;
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
const nodeCommand = ['/opt/node/bin/node', '--disable-sigusr1'];
const variantPlace = '/variant';
const variantProgramPath = '/opt/pwp/variant.mjs';
const variantAnswerPath = '/variant-answer.json';
const variantTimeoutMs = 20_000;
const mostAnswerBytes = 64 * 1024 * 1024;

/** Whether a task has variants. Errors: `bad-task` for a variant.mjs that can't be read. */
export async function hasVariants(folder: string): Promise<boolean> {
  try {
    await using opened = await openUntrusted(folder, variantFile);
    return opened.info.isFile();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw badTask(join(folder, variantFile), describeError(cause), cause);
  }
}

/** Runs a task's variant.mjs. Errors: `bad-task`; those of `run`. */
export async function makeVariant(folder: string, seed: number, run: RunVariant): Promise<MadeVariant> {
  const file = join(folder, variantFile);
  const ran = await run(await buildVariantProgram(folder, seed));
  if ('problem' in ran) throw badTask(file, `seed ${seed}: ${findReason(ran.problem)}`);
  const checked = wireVariantSchema.safeParse(parseAnswer(ran.answer, file, seed));
  if (!checked.success) throw badTask(file, checked.error.issues.map(describeIssue).join('; '));
  const { files, words } = checked.data;
  return {
    files: new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text, 'base64')])),
    words,
  };
}

/** It is given its task's folder and the family's `lib`, where tasks share code. */
async function buildVariantProgram(folder: string, seed: number): Promise<VariantProgram> {
  const [own, shared, main] = await Promise.all([
    readTreeEntries(folder, '.'),
    readTreeEntries(dirname(folder), sharedFolder),
    readUntrusted(packageFolder(import.meta.url), 'dist/variant.mjs').catch(throwNotBuilt),
  ]);
  const entries = [...moveEntriesBelow(basename(folder), own), ...moveEntriesBelow(sharedFolder, shared)];
  return {
    name: basename(folder),
    seeds: [
      { path: variantPlace, tar: packArchive(entries) },
      {
        path: dirname(variantProgramPath),
        tar: packArchive([makeFileEntry(basename(variantProgramPath), main)]),
      },
    ],
    argv: [
      ...nodeCommand,
      variantProgramPath,
      join(variantPlace, basename(folder), variantFile),
      String(seed),
      variantAnswerPath,
    ],
    answer: variantAnswerPath,
    timeoutMs: variantTimeoutMs,
    mostBytes: mostAnswerBytes,
  };
}

function makeFileEntry(path: string, content: Uint8Array): ArchiveEntry {
  return { kind: 'file', path, content, executable: false };
}

function throwNotBuilt(cause: unknown): never {
  throw new PwpError('not-built', 'dist/variant.mjs is missing', { cause, help: 'Run npm run build.' });
}

function parseAnswer(bytes: Uint8Array, file: string, seed: number): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw badTask(file, `seed ${seed}: expected an answer in JSON`, cause);
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return `${issue.path.join(' ')}: ${inner?.message ?? issue.message}`;
}

/** Node prints the error with its message first, then where it was thrown. */
function findReason(problem: string): string {
  const line = problem.split('\n').find((one) => /^(\w*Error|TypeError|SyntaxError)\b/.test(one));
  return line ?? clip(problem, 500);
}

/** The argument of a task's `variant.mjs`. */
interface VariantInput {
  /** The episode's seed: 0 if none was requested. */
  readonly seed: number;
  /** Follows from the seed. `Math.random` is refused. */
  readonly random: Random;
  /** Files of a Git repository, for `environment/workspace/`. */
  readonly gitRepository: typeof makeGitRepository;
  /** Files of VS Code's local history of one file, for `environment/ide/`. */
  readonly localHistory: typeof makeLocalHistory;
}

/** Its answer: the files that differ from seed to seed. */
interface Variant {
  /** Content by path in the task's folder, below one of {@link variantFolders}; replaces an existing file. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Put in for `{{name}}` in instruction.md and in solutions. */
  readonly words?: Readonly<Record<string, string | number>>;
}

/** Its default export. */
export type MakeVariant = (input: VariantInput) => Variant | Promise<Variant>;

/** Where its files may be. */
const variantFolders = ['environment', 'tests', 'solution', 'false-solutions'] as const;

const variantPath = z
  .string()
  .max(1000)
  .refine(
    (path) =>
      variantFolders.some((folder) => path.startsWith(`${folder}/`)) &&
      path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
    { message: `expected a path below ${variantFolders.join('/, ')}/` },
  );

/** The same on its way from the process that made it. */
const wireVariantSchema = z.strictObject({
  files: z.record(variantPath, z.base64()).describe('content in base64 by path'),
  words: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/, 'expected lower-case words joined by _'), z.string()),
});
export type WireVariant = z.output<typeof wireVariantSchema>;
