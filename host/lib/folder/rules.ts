import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ignore, { type Ignore } from 'ignore';

interface Rule {
  /** Path of the folder that it is in, with a slash at the end; empty for the root. */
  readonly base: string;
  readonly patterns: Ignore;
}

/** What the `.gitignore` and `.pwpignore` files of a folder and of those above it leave out. */
export class Rules {
  readonly #git: readonly Rule[];
  readonly #own: readonly Rule[];

  private constructor(git: readonly Rule[], own: readonly Rule[]) {
    this.#git = git;
    this.#own = own;
  }

  static readonly none = new Rules([], []);

  /** Of all such files of a folder, each with its path and text. */
  static of(files: ReadonlyMap<string, string>): Rules {
    const higherFirst = [...files].sort(([a], [b]) => a.split('/').length - b.split('/').length);
    const rulesIn = (name: string) =>
      higherFirst.flatMap(([path, text]) => {
        const base = path.slice(0, path.length - name.length);
        const isOne = path.endsWith(name) && (base === '' || base.endsWith('/'));
        return isOne ? [{ base, patterns: ignore.default({ ignorecase: false }).add(text) }] : [];
      });
    return new Rules(rulesIn('.gitignore'), rulesIn('.pwpignore'));
  }

  /**
   * With those of one more folder.
   * @param path of that folder below the root; empty for the root itself
   */
  async within(root: string, path: string): Promise<Rules> {
    // Git's own files are none of the files that a .gitignore is about.
    if (path === '.git' || path.endsWith('/.git')) return new Rules([], this.#own);
    const base = path === '' ? '' : `${path}/`;
    const [git, own] = await Promise.all(
      ['.gitignore', '.pwpignore'].map((name) => readRule(join(root, path, name), base)),
    );
    return new Rules([...this.#git, ...(git ?? [])], [...this.#own, ...(own ?? [])]);
  }

  /** A rule of a deeper folder decides over one of a higher, and `.pwpignore` over `.gitignore`. */
  ignores(path: string, isFolder: boolean): boolean {
    let ignored = false;
    for (const { base, patterns } of [...this.#git, ...this.#own]) {
      if (!path.startsWith(base)) continue;
      const below = path.slice(base.length);
      const parent = dirname(below);
      // The folder that it is in was not left out, so a rule that would have it so was overruled.
      if (parent !== '.' && patterns.test(`${parent}/`).ignored) continue;
      const tested = patterns.test(below + (isFolder ? '/' : ''));
      if (tested.ignored || tested.unignored) ignored = tested.ignored;
    }
    return ignored;
  }
}

async function readRule(path: string, base: string): Promise<Rule[]> {
  try {
    return [{ base, patterns: ignore.default({ ignorecase: false }).add(await readFile(path, 'utf8')) }];
  } catch {
    // There is none, or it is no file: then it has no rules.
    return [];
  }
}
