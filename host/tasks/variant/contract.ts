import * as z from 'zod';
import type { gitRepository } from './git.ts';
import type { localHistory } from './history.ts';
import type { Random } from './random.ts';

/** The argument of a task's `variant.mjs`. */
export interface VariantInput {
  /** The episode's seed: 0 if none was requested. */
  readonly seed: number;
  /** Follows from the seed. `Math.random` is refused. */
  readonly random: Random;
  /** Files of a Git repository, for `environment/workspace/`. */
  readonly gitRepository: typeof gitRepository;
  /** Files of VS Code's local history of one file, for `environment/ide/`. */
  readonly localHistory: typeof localHistory;
}

/** Its answer: the files that differ from seed to seed. */
export interface Variant {
  /** Content by path in the task's folder, below one of {@link variantFolders}; replaces an existing file. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Put in for `{{name}}` in instruction.md and in solutions. */
  readonly words?: Readonly<Record<string, string | number>>;
}

/** Its default export. */
export type MakeVariant = (input: VariantInput) => Variant | Promise<Variant>;

/** Where its files may be. */
export const variantFolders = ['environment', 'tests', 'solution', 'false-solutions'] as const;

const insideFolder = z
  .string()
  .max(1000)
  .refine(
    (path) =>
      variantFolders.some((folder) => path.startsWith(`${folder}/`)) &&
      path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
    { message: `expected a path below ${variantFolders.join('/, ')}/` },
  );

/** The same on its way from the process that made it. */
export const wireVariant = z.strictObject({
  files: z.record(insideFolder, z.base64()).describe('content in base64 by path'),
  words: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/, 'expected lower-case words joined by _'), z.string()),
});
export type WireVariant = z.output<typeof wireVariant>;
