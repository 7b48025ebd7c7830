import { join, relative } from 'node:path';
import { hasForeign, readForeign } from '../lib/index.ts';
import { messageOf, PwpError } from '../../bridge/lib/index.ts';
import type { Entry } from './archive.ts';
import { badTask } from './bad-task.ts';
import type { TaskFiles } from './task-files.ts';
import { readTree } from './tree.ts';
import { variantFile, type MadeVariant } from './variant/index.ts';

/** Bytes of a text of a task, such as its instruction. */
const mostText = 16 * 1024 * 1024;

/** A task's folder as one seed makes it: the files on disk, and over them what its variant.mjs answered. */
export class TaskFolder implements TaskFiles {
  /** Absolute. */
  readonly path: string;
  readonly large = [];
  readonly #variant: MadeVariant | undefined;

  /** @param variant undefined for a task without variants */
  constructor(path: string, variant?: MadeVariant) {
    this.path = path;
    this.#variant = variant;
  }

  /** Everything below one of its folders, as archive entries; nothing if that doesn't exist. */
  async tree(folder: string): Promise<Entry[]> {
    const onDisk = await readTree(this.path, folder);
    const made: Entry[] = [...(this.#variant?.files ?? [])]
      .filter(([path]) => path.startsWith(`${folder}/`))
      .map(([path, content]) => ({
        kind: 'file',
        path: relative(folder, path),
        content,
        executable: false,
      }));
    const paths = new Set(made.map(({ path }) => path));
    return [...onDisk.filter(({ path }) => !paths.has(path)), ...made];
  }

  /** The text of a file on disk, in UTF-8. Errors: `bad-task`. */
  async text(name: string): Promise<string> {
    const file = join(this.path, name);
    try {
      const bytes = await readForeign(this.path, name, mostText);
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (cause) {
      throw badTask(file, `expected a text file in UTF-8, found ${foundOf(cause)}`, cause);
    }
  }

  /** Whether there is such a file on disk or from the variant. */
  async has(name: string): Promise<boolean> {
    return this.#variant?.files.has(name) === true || (await hasForeign(this.path, name));
  }

  /**
   * A text with the variant's words in place of `{{name}}`; unchanged if the task has no variants. Errors: `bad-task`
   * for a word that the variant doesn't define.
   * @param name the file it is from
   */
  filledIn(name: string, text: string): string {
    const words = this.#variant?.words;
    if (!words) return text;
    return text.replaceAll(/\{\{([a-z][a-z0-9_]*)\}\}/g, (_, word: string) => {
      const value = Object.hasOwn(words, word) ? words[word] : undefined;
      if (value !== undefined) return value;
      throw badTask(join(this.path, name), `expected words of ${variantFile}, found {{${word}}}`);
    });
  }
}

function foundOf(cause: unknown): string {
  if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 'nothing';
  return cause instanceof PwpError ? `something else: ${messageOf(cause)}` : 'something unreadable';
}
