import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { defaultWorkspace } from '../../../bridge/protocol/index.ts';

/** Numbers that follow from a seed alone, the same on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds begin far apart.
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  }

  /** From 0, included, to 1, excluded. */
  number(): number {
    // The generator that is known as mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.number() * (to - from + 1));
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    const [one] = this.sample(list, 1);
    if (one === undefined) throw new Error('random.pick: nothing to pick from');
    return one;
  }

  /** Another order; the list itself stays as it is. */
  shuffle<T>(list: readonly T[]): T[] {
    const left = [...list];
    return list.flatMap(() => left.splice(this.int(0, left.length - 1), 1));
  }

  /** So many different ones, in any order. */
  sample<T>(list: readonly T[], count: number): T[] {
    return this.shuffle(list).slice(0, count);
  }
}

/** One earlier state of a file. */
interface FileHistoryEntry {
  readonly content: string | Uint8Array;
  /** When it was saved: milliseconds since 1970. */
  readonly timestamp: number;
  /** Its name in the Timeline; `File Saved` by default. */
  readonly source?: string;
}

interface FileHistory {
  /** The file, relative to the workspace. */
  readonly path: string;
  /** Oldest first. */
  readonly entries: readonly FileHistoryEntry[];
}

/** VS Code's local history of one file, as the files below `environment/ide/` that its Timeline view reads. */
export function makeLocalHistory({ path, entries }: FileHistory): Record<string, string | Uint8Array> {
  // The window is a remote one, and its files have the scheme of one.
  const resource = `vscode-remote://127.0.0.1:8080${defaultWorkspace}/${path}`;
  const folder = `environment/ide/data/User/History/${hashHistoryResource(resource)}`;
  const listed = entries.map(({ timestamp, source }, index) => ({
    id: entryName(path, index),
    ...(source === undefined ? {} : { source }),
    timestamp,
  }));
  return {
    [`${folder}/entries.json`]: JSON.stringify({ version: 1, resource, entries: listed }),
    ...Object.fromEntries(
      entries.map(({ content }, index) => [`${folder}/${entryName(path, index)}`, content]),
    ),
  };
}

/** VS Code makes them up at random: four letters or digits, and the file's ending. */
function entryName(path: string, index: number): string {
  const ending = /\.[^./]+$/.exec(path)?.[0] ?? '';
  const digits = 'abcdefghijklmnopqrstuvwxyz';
  const letter = (position: number) => digits[(index * 7 + position * 11 + path.length) % 26] ?? 'a';
  return `${letter(0)}${index.toString(36).padStart(2, '0')}${letter(1)}${ending}`;
}

/** VS Code's hash of a text, in hexadecimal with its sign. */
export function hashHistoryResource(text: string): string {
  let hash = 149_417;
  for (let index = 0; index < text.length; index++) {
    hash = ((hash << 5) - hash + text.charCodeAt(index)) | 0;
  }
  return hash.toString(16);
}

/** Text of each file, by its path in the repository; no folders within. */
type CommitFiles = Readonly<Record<string, string | Uint8Array>>;

interface GitRepositoryInput {
  /** Commits of one branch, `main`, oldest first. */
  readonly commits: readonly {
    readonly message: string;
    /** Milliseconds since 1970. */
    readonly timestamp: number;
    readonly files: CommitFiles;
  }[];
  /** The staged files; the last commit's files by default. */
  readonly index?: CommitFiles;
}

/** The `.git` folder of a repository, as files below `environment/workspace/`; the working files are the caller's. */
export function makeGitRepository({ commits, index }: GitRepositoryInput): Record<string, Uint8Array> {
  const objects = new Map<string, Uint8Array>();
  const put = (kind: string, content: Uint8Array): string => {
    const whole = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
    const id = createHash('sha1').update(whole).digest('hex');
    objects.set(`objects/${id.slice(0, 2)}/${id.slice(2)}`, deflateSync(whole));
    return id;
  };
  let head: string | undefined;
  for (const { message, timestamp, files } of commits) {
    const tree = put('tree', encodeTree(putBlobs(files, put)));
    head = put('commit', Buffer.from(formatCommit({ tree, parent: head, message, timestamp })));
  }
  if (head === undefined) throw new Error('gitRepository: expected a commit');
  const staged = putBlobs(index ?? commits.at(-1)?.files ?? {}, put);
  const plain = {
    HEAD: 'ref: refs/heads/main\n',
    config: '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n',
    'refs/heads/main': `${head}\n`,
  };
  const files = [
    ...Object.entries(plain).map(([path, text]) => [path, Buffer.from(text)] as const),
    ...objects,
  ];
  return Object.fromEntries(
    [...files, ['index', encodeIndex(staged)] as const].map(([path, content]) => [
      `environment/workspace/.git/${path}`,
      content,
    ]),
  );
}

interface GitBlob {
  readonly path: string;
  readonly id: string;
}

function putBlobs(files: CommitFiles, put: (kind: string, content: Uint8Array) => string): GitBlob[] {
  return Object.entries(files)
    .map(([path, content]) => ({ path, id: put('blob', Buffer.from(content as Uint8Array)) }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

function encodeTree(blobs: readonly GitBlob[]): Uint8Array {
  return Buffer.concat(
    blobs.flatMap(({ path, id }) => [Buffer.from(`100644 ${path}\0`), Buffer.from(id, 'hex')]),
  );
}

function formatCommit(commit: {
  tree: string;
  parent: string | undefined;
  message: string;
  timestamp: number;
}): string {
  const by = `Ada <ada@example.org> ${Math.floor(commit.timestamp / 1000)} +0000`;
  const parent = commit.parent === undefined ? '' : `parent ${commit.parent}\n`;
  return `tree ${commit.tree}\n${parent}author ${by}\ncommitter ${by}\n\n${commit.message}\n`;
}

/** Version 2, without Git's cache of the working files: it reads them again. */
function encodeIndex(blobs: readonly GitBlob[]): Uint8Array {
  const header = Buffer.alloc(12);
  header.write('DIRC');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(blobs.length, 8);
  const body = Buffer.concat([header, ...blobs.map(encodeIndexEntry)]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

function encodeIndexEntry({ path, id }: GitBlob): Uint8Array {
  const name = Buffer.from(path);
  // Fixed fields take 62 bytes; at least one zero ends the name, and an entry's length is a multiple of 8.
  const entry = Buffer.alloc(Math.ceil((62 + name.length + 1) / 8) * 8);
  entry.writeUInt32BE(0o100644, 24);
  entry.write(id, 40, 'hex');
  entry.writeUInt16BE(Math.min(name.length, 0xfff), 60);
  name.copy(entry, 62);
  return entry;
}
