import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { packageFolder } from '../../../host/lib/index.ts';

const root = packageFolder();
/** Rooms inside another one come first. */
const rooms = [
  'bridge/dom/page',
  'bridge/dom',
  'bridge/protocol',
  'bridge/rpc',
  'bridge/src',
  'extension/src',
  'host/doors/web',
  ...['doors', 'read', 'run', 'ide', 'tasks', 'node'].map((room) => `host/${room}`),
];

describe('the picture of rooms in docs/architecture.md', () => {
  it('has an arrow for each import between two rooms, and no other', () => {
    assert.deepEqual([...drawn()].sort(), [...imported()].sort());
  });
});

/** The arrows of the picture, as `room → room`. */
function drawn(): Set<string> {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const picture = /```mermaid\n([^]*?)```/.exec(text)?.[1] ?? '';
  const names = new Map([...picture.matchAll(/(\w+)\[([^\]]+)\]/g)].map(([, id, name]) => [id, name]));
  const arrows = picture.matchAll(/(\w+)(?:\[[^\]]+\])? --> (\w+)/g);
  return new Set([...arrows].map(([, from, to]) => `${names.get(from) ?? ''} → ${names.get(to) ?? ''}`));
}

/** The imports of the code between rooms, as `room → room`. */
function imported(): Set<string> {
  const found = new Set<string>();
  for (const file of ts.sys.readDirectory(
    root,
    ['.ts'],
    ['**/node_modules'],
    ['host', 'bridge', 'extension'],
  )) {
    const from = roomOf(file.slice(root.length + 1));
    if (from === undefined) continue;
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8'), true, false).importedFiles) {
      const to: string | undefined = fileName.startsWith('.')
        ? roomOf(join(file, '..', fileName).slice(root.length + 1))
        : from;
      if (to !== undefined && to !== from) found.add(`${from} → ${to}`);
    }
  }
  return found;
}

function roomOf(file: string): string | undefined {
  return rooms.find((room) => file.startsWith(`${room}/`));
}
