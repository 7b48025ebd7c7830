import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageFolder } from '../../host/lib/index.ts';
import { defaultLimits, type Node, type SandboxSpec } from '../../host/node/index.ts';
import { readGoldenKey } from '../../host/run/environment/golden-checkpoint.ts';
import { startServer } from './mcp-client.ts';
import { summarise } from './stats.ts';
import { renderTable } from './table.ts';

/** A first start on a machine, and the ones after it. */
const rounds = { cold: 3, warm: 7 } as const;
/** For a start beside other load, in milliseconds. */
const longestMs = 180_000;

/** The state that is restored, or booted if it is missing. */
const empty: SandboxSpec = {
  name: 'bench',
  role: 'ide',
  seeds: [],
  keep: false,
  display: { width: 1280, height: 800 },
  limits: defaultLimits,
};

const files: Readonly<Record<string, string>> = {
  'a.txt': 'one\n',
  'package.json': '{ "scripts": { "go": "node ." } }\n',
  'src/deep/down/b.ts': 'export const b = 1;\n',
};
const folders = {
  'plain files': { repository: false, files },
  'a repository': { repository: true, files },
  'with .vscode': {
    repository: true,
    files: { ...files, '.vscode/settings.json': '{ "editor.fontSize": 15 }' },
  },
} as const;

/** From the start of `pwp mcp` on folders of each kind until it greets, lists its tools and has answered a first call. */
export async function starts(node: Node, signal: AbortSignal): Promise<string> {
  const rows = [];
  const parent = await mkdtemp(join(tmpdir(), 'pwp-bench-'));
  try {
    for (const [kind, folder] of Object.entries(folders)) {
      const path = join(parent, kind.replaceAll(' ', '-'));
      await makeFolder(path, folder);
      for (const [state, count] of Object.entries(rounds)) {
        const times = new Map<string, number[]>();
        for (let round = 0; round < count; round += 1) {
          if (state === 'cold') await forget(node, signal);
          for (const [what, ms] of await start(path)) times.set(what, [...(times.get(what) ?? []), ms]);
        }
        rows.push(
          ...[...times].map(([what, own]) => ({ what: `${state}, ${kind}: ${what}`, own: summarise(own) })),
        );
      }
    }
    return renderTable(rows);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

/** Deletes what a start would restore. */
async function forget(node: Node, signal: AbortSignal): Promise<void> {
  const key = await readGoldenKey(node, empty, signal);
  for (let found = await node.findCheckpoint(key); found; found = await node.findCheckpoint(key))
    await node.deleteCheckpoint(found.id);
}

async function start(folder: string): Promise<readonly (readonly [string, number])[]> {
  const begin = performance.now();
  const since = () => performance.now() - begin;
  const command = join(packageFolder(), 'dist/pwp.js');
  await using server = await startServer(process.execPath, [command, 'mcp', folder, '--node', 'local']);
  const { client } = server;
  const greeting = since();
  await client.listTools();
  const tools = since();
  const answer = await client.callTool({ name: 'list_dir', arguments: {} }, undefined, {
    timeout: longestMs,
  });
  if (answer.isError) throw new Error(JSON.stringify(answer.content));
  return [
    ['greeting', greeting],
    ['list of tools', tools],
    ['first answer', since()],
  ];
}

async function makeFolder(
  path: string,
  { repository, files: texts }: { repository: boolean; files: Readonly<Record<string, string>> },
): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  if (!repository) return;
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org', ...words], {
      cwd: path,
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'begin');
}
