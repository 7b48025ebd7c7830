import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { create } from 'tar';
import type { Seed } from '../../host/node/index.ts';

const files: Readonly<Record<string, string>> = {
  'notes.md': '# Notes\n\nPens are cheap.\n',
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true }, "include": ["src"] }\n',
  'src/price.ts': `/** One thing in a cart; the price in cents. */
export interface Item {
  name: string;
  price: number;
  count: number;
}

/** What all items cost, in cents. */
export function total(items: Item[]): number {
  let cents = 0;
  for (const item of items) {
    cents += item.price * item.count;
  }
  return cents;
}
`,
  'src/cart.ts': `import { total, type Item } from './price';

const cart: Item[] = [{ name: 'pen', price: 120, count: 2 }];

export function discount(percent: number): number {
  return Math.round((total(cart) * (100 - percent)) / 100);
}
`,
  'src/broken.ts': `import { discount } from './cart';

export const tenth: number = discount(10);
export const label: number = 'ten percent';
`,
};

/** The workspace of the jobs: a repository with some TypeScript, one error in it, and notes. */
export async function jobSeed(): Promise<Seed> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-bench-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org'];
    for (const words of [
      ['init', '-q', '-b', 'main'],
      ['add', '-A'],
      [...who, 'commit', '-q', '-m', 'begin'],
    ])
      execFileSync('git', words, { cwd: folder });
    // Each who commits in the sandbox needs a name.
    execFileSync('git', ['config', 'user.name', 'Bench'], { cwd: folder });
    execFileSync('git', ['config', 'user.email', 'bench@example.org'], { cwd: folder });
    const tar = await buffer(create({ cwd: folder, portable: true }, ['.git', ...Object.keys(files)]));
    return { path: '/workspace', tar: new Uint8Array(tar) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
