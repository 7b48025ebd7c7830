import { realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';

/** The viewed folder. Nothing outside of it is read, regardless of paths and links in it. */
export class ViewFolder {
  readonly path: string;
  readonly #real: string;

  private constructor(path: string, real: string) {
    this.path = path;
    this.#real = real;
  }

  /** Errors: `no-such-folder`. */
  static async open(path: string): Promise<ViewFolder> {
    const real = await realpath(path).catch(() => null);
    if (real === null || !(await stat(real)).isDirectory())
      throw new PwpError('no-such-folder', `${path} is not a folder`, {
        help: 'Give the folder of a study, or one that contains studies or records.',
      });
    return new ViewFolder(resolve(path), real);
  }

  /** The path of an id: names below this folder, joined by slashes. Errors: `usage` for one that leads out of it. */
  below(id: string): string {
    if (id === '') return this.#real;
    const names = id.split('/');
    if (names.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0')))
      throw new PwpError('usage', `${JSON.stringify(id)} is not a path below the folder`);
    return join(this.#real, ...names);
  }

  idOf(path: string): string {
    return relative(this.#real, path).split(sep).join('/');
  }

  /**
   * The path of a regular file that is in this folder by its real name. Errors: `usage`; `no-such-file` if it does
   * not exist, or a link leads out of the folder.
   */
  async file(id: string, name: string): Promise<string> {
    const path = this.below(id === '' ? name : `${id}/${name}`);
    const real = await realpath(path).catch(() => null);
    if (real === null) throw new PwpError('no-such-file', `there is no ${name} in ${id}`);
    if (!real.startsWith(this.#real + sep))
      throw new PwpError('no-such-file', `${name} in ${id} is a link out of the folder, and is not followed`);
    if (!(await stat(real)).isFile()) throw new PwpError('no-such-file', `${name} in ${id} is not a file`);
    return real;
  }

  async has(id: string, name: string): Promise<boolean> {
    return this.file(id, name).then(
      () => true,
      () => false,
    );
  }
}
