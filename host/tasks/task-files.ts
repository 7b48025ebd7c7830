import type { Entry } from './archive.ts';
import type { LargeFile } from './large-file.ts';

/** The files of a task, wherever they come from. */
export interface TaskFiles {
  /** Where it comes from, for errors: an absolute path. */
  readonly path: string;
  /** Further files of the workspace. */
  readonly large: readonly LargeFile[];
  /** Everything below one of its folders, e.g. `environment/workspace`; nothing if there is no such folder. */
  tree(folder: string): Promise<Entry[]>;
  /**
   * A text with the variant's words in place; unchanged without a variant. Errors: `bad-task`.
   * @param name the file it is from
   */
  filledIn(name: string, text: string): string;
}
