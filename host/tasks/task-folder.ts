import { readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Entry } from './archive.ts';
import { badTask } from './bad-task.ts';
import type { TaskFiles } from './task-files.ts';
import { readTree } from './tree.ts';
import { makeVariant, variantFile, type MadeVariant } from './variant/index.ts';

/** A task's folder as one seed makes it: the files on disk, and over them what its variant.mjs answered. */
export class TaskFolder implements TaskFiles {
  /** Absolute. */
  readonly path: string;
  readonly large = [];
  readonly #variant: MadeVariant | undefined;

  private constructor(path: string, variant: MadeVariant | undefined) {
    this.path = path;
    this.#variant = variant;
  }

  static async open(path: string, seed: number): Promise<TaskFolder> {
    return new TaskFolder(path, await makeVariant(path, seed));
  }

  /** Whether a seed makes a difference. */
  get hasVariants(): boolean {
    return this.#variant !== undefined;
  }

  /** Everything below one of its folders, as archive entries; nothing if that doesn't exist. */
  async tree(folder: string): Promise<Entry[]> {
    const onDisk = await readTree(join(this.path, folder));
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
      return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    } catch (cause) {
      const found = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'nothing' : 'something unreadable';
      throw badTask(file, `expected a text file in UTF-8, found ${found}`, cause);
    }
  }

  /** Whether there is such a file on disk or from the variant. */
  async has(name: string): Promise<boolean> {
    if (this.#variant?.files.has(name)) return true;
    return stat(join(this.path, name)).then(
      (info) => info.isFile(),
      () => false,
    );
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
