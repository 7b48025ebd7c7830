import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { collectCauses, PwpError } from '../../../bridge/lib/index.ts';
import { noteAttack } from '../../support/attacks.ts';
import { tempFolder, type TempFolder } from '../tasks/folder.ts';

/** The secret that no attack may bring into a sandbox, to a model or into a page. */
export const secret = 'the secret of this machine 4711';

/** A folder made by another user, and next to it a private folder of this machine. */
export interface Ground extends AsyncDisposable {
  /** The foreign folder. */
  readonly path: string;
  readonly folder: TempFolder;
  /** A folder of this machine with files whose content is {@link secret}. */
  readonly outside: string;
  /** Replaces something of the foreign folder by a link. */
  link(name: string, target: string): Promise<void>;
  /** Replaces something of the foreign folder by a pipe, which blocks its readers. */
  pipe(name: string): Promise<void>;
}

export async function ground(files: Readonly<Record<string, string>> = {}): Promise<Ground> {
  const whole = await tempFolder();
  const [path, outside] = [join(whole.path, 'foreign'), join(whole.path, 'outside')];
  const write = async (more: Readonly<Record<string, string | Uint8Array>>) => {
    for (const [name, content] of Object.entries(more)) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), content);
    }
  };
  await write(files);
  for (const name of ['secret', 'a/test.sh', 'a/solve.sh', 'a/workspace/secret', 'secret.png'])
    await whole.write({ [`outside/${name}`]: secret });
  const place = async (name: string) => {
    const at = join(path, name);
    await rm(at, { recursive: true, force: true });
    await mkdir(dirname(at), { recursive: true });
    return at;
  };
  return {
    path,
    folder: { path, write, [Symbol.asyncDispose]: () => Promise.resolve() },
    outside,
    link: async (name, target) => symlink(target, await place(name)),
    pipe: async (name) => void execFileSync('mkfifo', [await place(name)]),
    [Symbol.asyncDispose]: () => whole[Symbol.asyncDispose](),
  };
}

/**
 * Makes an attack: the result must not hold the secret, or the attack must be refused with one of our errors. An
 * unhandled rejection, or a promise that never settles, fails the test.
 */
export async function withstand(
  on: string,
  what: string,
  read: () => Promise<unknown>,
  expected: 'refused' | 'harmless' = 'refused',
): Promise<void> {
  const strays: unknown[] = [];
  const stray = (error: unknown) => void strays.push(error);
  process.on('unhandledRejection', stray);
  try {
    const found = await read().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    const text =
      'value' in found
        ? textOf(found.value)
        : textOf([found.error, ...collectCauses(found.error)].map(String));
    const isOurs = 'error' in found && found.error instanceof PwpError;
    const held =
      !text.includes(secret) &&
      strays.length === 0 &&
      (expected === 'refused' ? isOurs : 'value' in found || isOurs);
    noteAttack({ on, what, node: null, held });
    assert.ok(!text.includes(secret), 'the secret was read');
    assert.deepEqual(strays, []);
    if (expected === 'refused') assert.ok(isOurs, `not refused: ${text.slice(0, 500)}`);
    else if ('error' in found) assert.ok(isOurs, String(found.error));
  } finally {
    process.off('unhandledRejection', stray);
  }
}

/** All text in a value, including bytes. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (value instanceof Map) return [...value].map(textOf).join('\n');
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(textOf).join('\n');
  return String(value);
}
