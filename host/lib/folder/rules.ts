import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { GitFiles, isRepository } from './git-files.ts';

interface Rule {
  /** Path of the folder that it is in, with a slash at the end; empty for the root. */
  readonly base: string;
  readonly patterns: Ignore;
}

/** The files that a repository in the folder keeps, according to Git. */
interface Kept {
  /** As {@link Rule.base}. */
  readonly base: string;
  readonly files: GitFiles;
}

/**
 * The files that `.gitignore` and `.pwpignore` of a folder and of those above it leave out. In a repository Git itself
 * is asked: it tracks files that are ignored, and knows further lists of what is.
 */
export class Rules {
  readonly #git: readonly Rule[];
  readonly #own: readonly Rule[];
  readonly #kept: Kept | undefined;

  private constructor(git: readonly Rule[], own: readonly Rule[], kept?: Kept) {
    this.#git = git;
    this.#own = own;
    this.#kept = kept;
  }

  static readonly none = new Rules([], []);

  /** Rules of all such files of a folder, and of each `.git/info/exclude`, from their paths and texts. */
  static of(files: ReadonlyMap<string, string>): Rules {
    const higherFirst = [...files].sort(([a], [b]) => a.split('/').length - b.split('/').length);
    const rulesIn = (name: string) =>
      higherFirst.flatMap(([path, text]) => {
        const base = path.slice(0, path.length - name.length);
        const isOne = path.endsWith(name) && (base === '' || base.endsWith('/'));
        return isOne ? [{ base, patterns: patternsIn(text) }] : [];
      });
    return new Rules([...rulesIn('.git/info/exclude'), ...rulesIn('.gitignore')], rulesIn('.pwpignore'));
  }

  /**
   * With those of one more folder.
   * @param path of that folder below the root; empty for the root itself
   */
  async within(root: string, path: string): Promise<Rules> {
    // Git's own files are not among the files that a .gitignore is about.
    if (isGit(path)) return new Rules([], this.#own);
    const base = path === '' ? '' : `${path}/`;
    const [git, own] = await Promise.all(
      ['.gitignore', '.pwpignore'].map((name) => readRule(join(root, path, name), base)),
    );
    // The folder itself may be in a repository that begins above it.
    const asks = path === '' || (await isRepository(join(root, path)));
    const files = asks ? await GitFiles.in(join(root, path)) : undefined;
    const kept = files ? { base, files } : this.#kept;
    return new Rules([...this.#git, ...(git ?? [])], [...this.#own, ...(own ?? [])], kept);
  }

  /** A rule of a deeper folder decides over one of a higher, and `.pwpignore` over `.gitignore`. */
  ignores(path: string, isFolder: boolean): boolean {
    const known = isGit(path)
      ? undefined
      : this.#kept?.files.keeps(path.slice(this.#kept.base.length), isFolder);
    let ignored = known === false;
    const rules = known === undefined ? [...this.#git, ...this.#own] : this.#own;
    for (const { base, patterns } of rules) {
      if (!path.startsWith(base)) continue;
      const below = path.slice(base.length);
      const parent = dirname(below);
      // The folder that it is in was not left out, so a rule that would leave it out was overruled.
      if (parent !== '.' && patterns.test(`${parent}/`).ignored) continue;
      const tested = patterns.test(below + (isFolder ? '/' : ''));
      if (tested.ignored || tested.unignored) ignored = tested.ignored;
    }
    return ignored;
  }
}

/** Git lists neither its own folder nor the file that leads to it. */
function isGit(path: string): boolean {
  return path === '.git' || path.endsWith('/.git');
}

/** Git passes over a byte order mark. */
function patternsIn(text: string): Ignore {
  return ignore.default({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''));
}

async function readRule(path: string, base: string): Promise<Rule[]> {
  try {
    return [{ base, patterns: patternsIn(await readFile(path, 'utf8')) }];
  } catch {
    // It does not exist, or is not a file: then it has no rules.
    return [];
  }
}
