import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { pwpHome } from '../../lib/index.ts';
import type { TreeEntry } from './folder-tree.ts';

/** The start of a sandbox: the copy of a folder of this machine. */
export interface SandboxOrigin {
  /** The folder that was copied. */
  readonly folder: string;
  /** Files that `.gitignore` and `.pwpignore` name were copied, too. */
  readonly ignored: boolean;
}

const sandboxIdSchema = z.string().regex(/^[a-z0-9-]{1,60}$/i);
const originSchema = z.object({ folder: z.string(), ignored: z.boolean() });
const entrySchema: z.ZodType<TreeEntry> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    executable: z.boolean(),
    bytes: z.number(),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  z.object({ kind: z.literal('link'), target: z.string() }),
  z.object({ kind: z.literal('folder') }),
]);
const pulledSchema = z.record(z.string(), entrySchema.nullable());

/** Copies that are still being made have this in front. */
const unfinishedPrefix = '.new-';

/** Where copies of folders are kept as sandboxes began with them, by the id of the first sandbox. */
function originsFolder(home = pwpHome()): string {
  return join(home, 'origins');
}

/** Keeps an archive as it is read. Dispose it; unless it was named after a sandbox by then, it is removed. */
export class OriginDraft implements AsyncDisposable {
  readonly #home: string;
  readonly #folder: string;

  private constructor(home: string) {
    this.#home = home;
    this.#folder = join(originsFolder(home), unfinishedPrefix + randomUUID());
  }

  static async begin(origin: SandboxOrigin, home = pwpHome()): Promise<OriginDraft> {
    const draft = new OriginDraft(home);
    await mkdir(draft.#folder, { recursive: true, mode: 0o700 });
    await writeFile(join(draft.#folder, 'origin.json'), JSON.stringify(origin), { mode: 0o600 });
    return draft;
  }

  /** The same archive, which is written down as it is read. */
  async *keep(tar: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    await using file = await open(join(this.#folder, 'files.tar'), 'wx', 0o600);
    for await (const chunk of tar) {
      await file.writeFile(chunk);
      yield chunk;
    }
  }

  async commit(sandbox: string): Promise<void> {
    await rename(this.#folder, join(originsFolder(this.#home), sandboxIdSchema.parse(sandbox)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Errors: `no-origin` if nothing is kept for it.
 * @param workspace the workspace of the sandbox, for the error's help
 */
export async function readOrigin(
  origin: string | null,
  workspace: string,
  home = pwpHome(),
): Promise<SandboxOrigin> {
  try {
    const folder = join(originsFolder(home), sandboxIdSchema.parse(origin));
    return originSchema.parse(JSON.parse(await readFile(join(folder, 'origin.json'), 'utf8')));
  } catch (cause) {
    throw new PwpError('no-origin', 'what this sandbox began with is not kept on this machine', {
      help: `Only sandboxes of \`pwp up\`, \`pwp mcp\` and \`pwp serve\`, and forks of them, have it. Copy files out instead: pwp cp <sandbox>:${workspace} <folder>`,
      cause,
    });
  }
}

/** The archive that it began with. */
export function originArchive(origin: string, home = pwpHome()): AsyncIterable<Uint8Array> {
  return createReadStream(
    join(originsFolder(home), sandboxIdSchema.parse(origin), 'files.tar'),
  ) as AsyncIterable<Buffer>;
}

/** The entries that earlier pulls from a sandbox have put into the folder that was copied, by path. */
export async function readPulled(
  origin: string,
  sandbox: string,
  home = pwpHome(),
): Promise<Map<string, TreeEntry | null>> {
  const text = await readFile(pulledPath(origin, sandbox, home), 'utf8').catch(() => '{}');
  return new Map(Object.entries(pulledSchema.parse(JSON.parse(text))));
}

export async function writePulled(
  origin: string,
  sandbox: string,
  pulled: ReadonlyMap<string, TreeEntry | null>,
  home = pwpHome(),
): Promise<void> {
  const path = pulledPath(origin, sandbox, home);
  const part = `${path}.${randomUUID()}`;
  await writeFile(part, JSON.stringify(Object.fromEntries(pulled)), { mode: 0o600 });
  await rename(part, path);
}

/** Ids of the sandboxes whose copies are kept. */
export async function listOrigins(home = pwpHome()): Promise<string[]> {
  const names = await readdir(originsFolder(home)).catch(() => []);
  return names.filter((name) => sandboxIdSchema.safeParse(name).success);
}

export async function forgetOrigin(origin: string, home = pwpHome()): Promise<void> {
  await rm(join(originsFolder(home), sandboxIdSchema.parse(origin)), { recursive: true, force: true });
}

function pulledPath(origin: string, sandbox: string, home: string): string {
  return join(
    originsFolder(home),
    sandboxIdSchema.parse(origin),
    `pulled-${sandboxIdSchema.parse(sandbox)}.json`,
  );
}
