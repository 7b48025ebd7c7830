import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ignore from 'ignore';
import type { Ignore } from 'ignore';
import { GitFiles, isRepository } from './git-command.ts';

interface IgnoreRule {
  /** Path of the folder that it is in, with a slash at the end; empty for the root. */
  readonly base: string;
  readonly patterns: Ignore;
}

/** The files that a repository in the folder keeps, according to Git. */
interface KeptFiles {
  /** As {@link IgnoreRule.base}. */
  readonly base: string;
  readonly files: GitFiles;
}

/**
 * The files that `.gitignore` and `.pwpignore` of a folder and of those above it leave out. In a repository Git itself
 * is asked: it tracks files that are ignored, and knows further lists of what is.
 */
export class IgnoreRules {
  readonly #git: readonly IgnoreRule[];
  readonly #own: readonly IgnoreRule[];
  readonly #kept: KeptFiles | undefined;

  private constructor(git: readonly IgnoreRule[], own: readonly IgnoreRule[], kept?: KeptFiles) {
    this.#git = git;
    this.#own = own;
    this.#kept = kept;
  }

  static readonly none = new IgnoreRules([], []);

  /** Rules of all such files of a folder, and of each `.git/info/exclude`, from their paths and texts. */
  static of(files: ReadonlyMap<string, string>): IgnoreRules {
    const higherFirst = [...files].sort(([a], [b]) => a.split('/').length - b.split('/').length);
    const rulesIn = (name: string) =>
      higherFirst.flatMap(([path, text]) => {
        const base = path.slice(0, path.length - name.length);
        const isOne = path.endsWith(name) && (base === '' || base.endsWith('/'));
        return isOne ? [{ base, patterns: parsePatterns(text) }] : [];
      });
    return new IgnoreRules(
      [...rulesIn('.git/info/exclude'), ...rulesIn('.gitignore')],
      rulesIn('.pwpignore'),
    );
  }

  /**
   * With those of one more folder.
   * @param path of that folder below the root; empty for the root itself
   */
  async within(root: string, path: string): Promise<IgnoreRules> {
    // Git's own files are not among the files that a .gitignore is about.
    if (isGitFolder(path)) return new IgnoreRules([], this.#own);
    const base = path === '' ? '' : `${path}/`;
    const [git, own] = await Promise.all(
      ['.gitignore', '.pwpignore'].map((name) => readRule(join(root, path, name), base)),
    );
    // The folder itself may be in a repository that begins above it.
    const asks = path === '' || (await isRepository(join(root, path)));
    const files = asks ? await GitFiles.in(join(root, path)) : undefined;
    const kept = files ? { base, files } : this.#kept;
    return new IgnoreRules([...this.#git, ...(git ?? [])], [...this.#own, ...(own ?? [])], kept);
  }

  /** A rule of a deeper folder decides over one of a higher, and `.pwpignore` over `.gitignore`. */
  ignores(path: string, isFolder: boolean): boolean {
    const known = isGitFolder(path)
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
function isGitFolder(path: string): boolean {
  return path === '.git' || path.endsWith('/.git');
}

/** Git passes over a byte order mark. */
function parsePatterns(text: string): Ignore {
  return ignore.default({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''));
}

async function readRule(path: string, base: string): Promise<IgnoreRule[]> {
  try {
    return [{ base, patterns: parsePatterns(await readFile(path, 'utf8')) }];
  } catch {
    // It does not exist, or is not a file: then it has no rules.
    return [];
  }
}

/** Files that hold secrets by purpose, by name. */
const secretNames = [
  /^\.env(\..+)?$/,
  /^\.envrc$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /^\.(netrc|git-credentials|pgpass|my\.cnf|pypirc|htpasswd)$/,
  /^_netrc$/,
  /\.(p12|pfx|jks|keystore|kdbx|ppk)$/,
];
/** Examples of them, which hold no secrets. */
const exampleNames = /^\.env\.(example|sample|template|dist|defaults|schema)$/;
const secretPaths = [
  /(^|\/)\.aws\/credentials$/,
  /(^|\/)\.docker\/config\.json$/,
  /(^|\/)\.kube\/config$/,
  /(^|\/)\.config\/gh\/hosts\.yml$/,
];
/** Files that may hold one, by path: their text decides. */
const suspiciousFiles: readonly (readonly [path: RegExp, text: RegExp])[] = [
  [/\.(pem|key)$/, /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  [/(^|\/)\.(npmrc|yarnrc|yarnrc\.yml)$/, /(_authToken|_auth|_password|npmAuthToken|npmAuthIdent)\s*[=:]/],
  // A password or a token in an address, or in a header that is sent with every request. Without the file Git works,
  // but knows no remotes.
  [
    /(^|\/)\.git\/(modules\/.+\/)?config$/,
    /https?:\/\/([^/\s@:]*:[^/\s@]+|[^/\s@:]{20,})@|extraheader\s*=\s*"?authorization:/i,
  ],
];
const headBytes = 64 * 1024;

/**
 * Whether a file looks as if it holds a password or a key.
 * @param path below the folder that is copied
 * @param at its path on this machine
 */
export async function isSecret(path: string, at: string): Promise<boolean> {
  const name = path.split('/').at(-1) ?? '';
  if (exampleNames.test(name)) return false;
  if (secretNames.some((pattern) => pattern.test(name)) || secretPaths.some((each) => each.test(path)))
    return true;
  const [, text] = suspiciousFiles.find(([pattern]) => pattern.test(path)) ?? [];
  return text?.test(await readHead(at)) ?? false;
}

async function readHead(at: string): Promise<string> {
  await using file = await open(at, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.toString('latin1', 0, bytesRead);
}
