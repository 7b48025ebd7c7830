import type { CountedClient } from './counted-client.ts';
import type { Scripts } from './jobs.ts';

/** By mouse, keyboard and marks, without pictures, as an agent that knows VS Code does it. */
export const byScreen: Scripts<CountedClient> = {
  open: (client) => step(client, key('ctrl+p'), type('src/cart.ts:6'), key('Return')),
  append: (client) =>
    step(
      client,
      ...[key('ctrl+p'), type('notes.md'), key('Return')],
      ...[key('ctrl+End'), type('Ink is not.'), key('ctrl+s')],
    ),
  async problem(client) {
    await step(client, key('ctrl+p'), type('src/broken.ts'), key('Return'), key('ctrl+shift+m'));
    return client.call('computer_marks', { text: 'not assignable', static_text: true });
  },
  rename: (client) =>
    step(
      client,
      ...[key('ctrl+p'), type('src/price.ts:9:17'), key('Return')],
      ...[key('F2'), type('sum'), key('Return'), key('ctrl+k s')],
    ),
  async search(client) {
    await step(client, key('ctrl+shift+f'), type('cents'));
    return client.call('computer_marks', { text: 'results in', static_text: true });
  },
  async setting(client) {
    await step(client, key('ctrl+comma'), type('editor.fontSize'));
    const field = await markOf(client, { role: 'spinbutton', text: 'editor.fontSize' });
    return step(client, `type [${field}] '18'`);
  },
  command: (client) => step(client, key('Escape'), key('F1'), type('View: Toggle Minimap'), key('Return')),
  async terminal(client) {
    const said = await step(client, key('ctrl+grave'), type('wc -l src/cart.ts'), key('Return'));
    return /7 src\/cart\.ts/.test(said)
      ? said
      : client.call('computer_marks', { text: 'cart.ts', static_text: true });
  },
  breakpoint: (client) => step(client, key('ctrl+p'), type('src/price.ts:12'), key('Return'), key('F9')),
  async commit(client) {
    await step(client, key('ctrl+shift+g'), type('Rename total'), key('ctrl+Return'));
    const yes = await markOf(client, { role: 'button', text: 'Yes' });
    return step(client, `click [${yes}]`);
  },
  split: (client) =>
    step(
      client,
      ...[key('ctrl+p'), type('src/price.ts'), key('Return')],
      ...[key('ctrl+backslash'), key('ctrl+p'), type('src/cart.ts'), key('Return')],
    ),
  create: (client) =>
    step(
      client,
      ...[key('F1'), type('File: New Untitled Text File'), key('Return'), type('export const fresh = 1;')],
      ...[key('ctrl+s'), key('ctrl+a'), type('/workspace/src/fresh.ts'), key('Return')],
    ),
};

const key = (keys: string) => `xdotool key ${keys}`;
const type = (text: string) => `xdotool type '${text}'`;

function step(client: CountedClient, ...actions: readonly string[]): Promise<string> {
  return client.call('computer_step', { actions });
}

/** The number of the first mark that a narrow look lists. */
async function markOf(client: CountedClient, query: Readonly<Record<string, string>>): Promise<string> {
  const list = await client.call('computer_marks', query);
  const [, number] = /^\[(\d+)\]/m.exec(list) ?? [];
  if (number === undefined) throw new Error(`no mark of ${JSON.stringify(query)}: ${list.slice(0, 300)}`);
  return number;
}
