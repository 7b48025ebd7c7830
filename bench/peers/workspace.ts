import type { Sandbox, Seed } from '../../host/node/index.ts';
import { tarOf } from '../lib/tar.ts';

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

/** In a repository with one commit by a named author. */
const repository = `git init -q -b main && git config user.name Bench && git config user.email bench@example.org &&
git add -A && git commit -q -m begin`;

/** The files of the jobs: some TypeScript with one error in it, and notes. */
export async function jobSeed(): Promise<Seed> {
  return { path: '/workspace', tar: await tarOf(files) };
}

/** Makes a repository of them. */
export async function makeRepository(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const { exitCode, stderr } = await sandbox.exec(
    {
      argv: ['bash', '-c', repository],
      cwd: '/workspace',
      env: { PATH: '/usr/bin:/bin', HOME: '/root' },
      timeoutMs: 30_000,
      maxOutputBytes: 10_000,
    },
    { signal },
  );
  if (exitCode !== 0) throw new Error(`no repository: ${stderr}`);
}
