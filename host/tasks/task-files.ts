import type { Entry } from './archive.ts';
import type { LargeFile } from './large-file.ts';

/** What a task is made of, wherever it comes from. */
export interface TaskFiles {
  /** Where it comes from, for errors: an absolute path. */
  readonly path: string;
  /** What else is in the workspace. */
  readonly large: readonly LargeFile[];
  /** Everything below one of its folders, e.g. `environment/workspace`; nothing if there is no such folder. */
  tree(folder: string): Promise<Entry[]>;
  /**
   * A text with the variant's words in place; unchanged if there are none. Errors: `bad-task`.
   * @param name the file it is from
   */
  filledIn(name: string, text: string): string;
}
