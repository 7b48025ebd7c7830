import { ide } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../../host/node/index.ts';

/** One of the jobs that are done in each way, in this order, in one window. */
export interface Job {
  readonly name: JobName;
  readonly task: string;
  /**
   * Whether it is done, by files and by VS Code's own state.
   * @param said what the agent would answer
   * @returns what was seen
   */
  check(window: Sandbox, said: string, signal: AbortSignal): Promise<{ done: boolean; seen: unknown }>;
}

export type JobName =
  | 'open'
  | 'append'
  | 'problem'
  | 'rename'
  | 'search'
  | 'setting'
  | 'command'
  | 'terminal'
  | 'breakpoint'
  | 'commit'
  | 'split'
  | 'create';

/** How a client does each job; returns the agent's answer if a job asks for one. */
export type Scripts<Client> = Readonly<Record<JobName, (client: Client) => Promise<string>>>;

const settings = '/ide/data/User/settings.json';

export const jobs: readonly Job[] = [
  {
    name: 'open',
    task: 'open src/cart.ts at line 6',
    async check(window, _, signal) {
      const { editor } = await window.call(ide.editor, { current: true }, { signal });
      const place = `${fileOf(editor?.uri)}:${(editor?.selections[0]?.active.line ?? -1) + 1}`;
      return { done: place === 'cart.ts:6', seen: place };
    },
  },
  {
    name: 'append',
    task: 'add the line "Ink is not." to notes.md, saved',
    check: (window) => hasFile(window, 'notes.md', (text) => /cheap\.\nInk is not\.\n?$/.test(text)),
  },
  {
    name: 'problem',
    task: 'which error is in src/broken.ts?',
    check: (_, said) =>
      Promise.resolve({
        done: /Type 'string' is not assignable to type 'number'/.test(said),
        seen: said.slice(0, 200),
      }),
  },
  {
    name: 'rename',
    task: 'rename the function total to sum wherever it is used, saved',
    async check(window) {
      const [price, cart] = await Promise.all(
        ['src/price.ts', 'src/cart.ts'].map((path) => textOf(window, path)),
      );
      const done =
        price?.includes('function sum(') && cart?.includes('(sum(cart)') && cart.includes('{ sum,');
      return { done: done === true, seen: cart };
    },
  },
  {
    name: 'search',
    task: 'in how many places is the word cents, ignoring case?',
    check: (_, said) => Promise.resolve({ done: /\b5\b/.test(said), seen: said.slice(0, 200) }),
  },
  {
    name: 'setting',
    task: 'set the font size of the editor to 18',
    check: (window) => hasSetting(window, /"editor\.fontSize": 18\b/),
  },
  {
    name: 'command',
    task: 'turn the minimap off with its command',
    check: (window) => hasSetting(window, /"editor\.minimap\.enabled": false/),
  },
  {
    name: 'terminal',
    task: 'how many lines has src/cart.ts? Ask wc in a terminal of VS Code',
    check: (_, said) => Promise.resolve({ done: /\b7 src\/cart\.ts/.test(said), seen: said.slice(0, 200) }),
  },
  {
    name: 'breakpoint',
    task: 'set a breakpoint at line 12 of src/price.ts',
    async check(window, _, signal) {
      const { breakpoints } = await window.call(ide.breakpoints, {}, { signal });
      const places = breakpoints.map(({ uri, line }) => `${fileOf(uri)}:${line}`);
      return { done: places.length === 1 && places[0] === 'price.ts:12', seen: places };
    },
  },
  {
    name: 'commit',
    task: 'commit all changes as "Rename total"',
    async check(window, _, signal) {
      const git = ['git', '-C', '/workspace', 'log', '-1', '--format=%s', '--name-only'];
      const { stdout } = await window.exec(
        { argv: git, cwd: '/workspace', env: {}, timeoutMs: 20_000, maxOutputBytes: 10_000 },
        { signal },
      );
      return { done: /^Rename total\n/.test(stdout) && stdout.includes('src/cart.ts'), seen: stdout };
    },
  },
  {
    name: 'split',
    task: 'show src/price.ts and src/cart.ts side by side',
    async check(window, _, signal) {
      const { groups } = await window.call(ide.tabs, {}, { signal });
      const shown = groups.map(({ tabs }) => fileOf(tabs.find(({ active }) => active)?.uri));
      return { done: shown.length === 2 && shown.toSorted().join() === 'cart.ts,price.ts', seen: shown };
    },
  },
  {
    name: 'create',
    task: 'make src/fresh.ts with the line "export const fresh = 1;", saved',
    check: (window) => hasFile(window, 'src/fresh.ts', (text) => /^export const fresh = 1;\n?$/.test(text)),
  },
];

async function textOf(window: Sandbox, path: string): Promise<string | undefined> {
  const bytes = await window.readFile(path.startsWith('/') ? path : `/workspace/${path}`, 100_000);
  return bytes === null ? undefined : Buffer.from(bytes).toString();
}

async function hasFile(window: Sandbox, path: string, is: (text: string) => boolean) {
  const text = await textOf(window, path);
  return { done: text !== undefined && is(text), seen: text };
}

function hasSetting(window: Sandbox, line: RegExp) {
  return hasFile(window, settings, (text) => line.test(text));
}

function fileOf(uri: string | null | undefined): string | undefined {
  return uri?.split('/').at(-1);
}
