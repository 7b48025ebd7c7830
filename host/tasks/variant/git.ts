import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** Text of each file, by its path in the repository; no folders within. */
export type Snapshot = Readonly<Record<string, string | Uint8Array>>;

export interface Repository {
  /** Commits of one branch, `main`, oldest first. */
  readonly commits: readonly {
    readonly message: string;
    /** Milliseconds since 1970. */
    readonly timestamp: number;
    readonly files: Snapshot;
  }[];
  /** The staged files; the last commit's files by default. */
  readonly index?: Snapshot;
}

/** The `.git` folder of a repository, as files below `environment/workspace/`; the working files are the caller's. */
export function gitRepository({ commits, index }: Repository): Record<string, Uint8Array> {
  const objects = new Map<string, Uint8Array>();
  const put = (kind: string, content: Uint8Array): string => {
    const whole = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
    const id = createHash('sha1').update(whole).digest('hex');
    objects.set(`objects/${id.slice(0, 2)}/${id.slice(2)}`, deflateSync(whole));
    return id;
  };
  let head: string | undefined;
  for (const { message, timestamp, files } of commits) {
    const tree = put('tree', treeOf(blobsOf(files, put)));
    head = put('commit', Buffer.from(commitText({ tree, parent: head, message, timestamp })));
  }
  if (head === undefined) throw new Error('gitRepository: expected a commit');
  const staged = blobsOf(index ?? commits.at(-1)?.files ?? {}, put);
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
    [...files, ['index', indexOf(staged)] as const].map(([path, content]) => [
      `environment/workspace/.git/${path}`,
      content,
    ]),
  );
}

interface Blob {
  readonly path: string;
  readonly id: string;
}

function blobsOf(files: Snapshot, put: (kind: string, content: Uint8Array) => string): Blob[] {
  return Object.entries(files)
    .map(([path, content]) => ({ path, id: put('blob', Buffer.from(content as Uint8Array)) }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

function treeOf(blobs: readonly Blob[]): Uint8Array {
  return Buffer.concat(
    blobs.flatMap(({ path, id }) => [Buffer.from(`100644 ${path}\0`), Buffer.from(id, 'hex')]),
  );
}

function commitText(commit: {
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
function indexOf(blobs: readonly Blob[]): Uint8Array {
  const header = Buffer.alloc(12);
  header.write('DIRC');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(blobs.length, 8);
  const body = Buffer.concat([header, ...blobs.map(indexEntry)]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

function indexEntry({ path, id }: Blob): Uint8Array {
  const name = Buffer.from(path);
  // Fixed fields take 62 bytes; at least one zero ends the name, and an entry's length is a multiple of 8.
  const entry = Buffer.alloc(Math.ceil((62 + name.length + 1) / 8) * 8);
  entry.writeUInt32BE(0o100644, 24);
  entry.write(id, 40, 'hex');
  entry.writeUInt16BE(Math.min(name.length, 0xfff), 60);
  name.copy(entry, 62);
  return entry;
}
