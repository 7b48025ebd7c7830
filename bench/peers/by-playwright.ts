import type { CountedClient } from './counted-client.ts';
import type { Scripts } from './jobs.ts';

/** The field of any quick pick, by a selector: an agent that does not know it needs an extra look each time. */
const quick = '.quick-input-box input';

/**
 * By Playwright MCP, as an agent that knows VS Code and its page does it: with selectors where these are short, and with
 * `browser_find`, its cheapest look, where something has to be read or found.
 */
export const byPlaywright: Scripts<CountedClient> = {
  open: (client) => openFile(client, 'src/cart.ts:6'),
  async append(client) {
    await openFile(client, 'notes.md');
    await press(client, 'Control+End');
    await typeHere(client, 'Ink is not.');
    return press(client, 'Control+s');
  },
  async problem(client) {
    await openFile(client, 'src/broken.ts');
    await press(client, 'Control+Shift+m');
    await client.call('browser_wait_for', { text: 'not assignable' });
    return client.call('browser_find', { text: 'not assignable' });
  },
  async rename(client) {
    await openFile(client, 'src/price.ts:9:17');
    await press(client, 'F2');
    await client.call('browser_type', { target: '.rename-input', text: 'sum', submit: true });
    await press(client, 'Control+k');
    return press(client, 's');
  },
  async search(client) {
    await press(client, 'Control+Shift+f');
    const field = '.search-view .search-container textarea';
    await client.call('browser_type', { target: field, text: 'cents', submit: true });
    await client.call('browser_wait_for', { text: 'results in' });
    return client.call('browser_find', { text: 'results in' });
  },
  async setting(client) {
    await press(client, 'Control+,');
    await typeHere(client, 'editor.fontSize');
    await client.call('browser_wait_for', { text: 'Controls the font size in pixels' });
    const list = await client.call('browser_find', { text: 'spinbutton' });
    return client.call('browser_type', { target: refIn(list, 'spinbutton'), text: '18' });
  },
  async command(client) {
    // VS Code shows its settings in a dialog, where no shortcut works.
    await press(client, 'Escape');
    return runCommand(client, 'View: Toggle Minimap');
  },
  async terminal(client) {
    await press(client, 'Control+`');
    await client.call('browser_type', {
      target: '.xterm-helper-textarea',
      text: 'wc -l src/cart.ts',
      slowly: true,
      submit: true,
    });
    return client.call('browser_find', { text: 'src/cart.ts' });
  },
  async breakpoint(client) {
    await openFile(client, 'src/price.ts:12');
    return press(client, 'F9');
  },
  async commit(client) {
    await press(client, 'Control+Shift+g');
    await typeHere(client, 'Rename total');
    await press(client, 'Control+Enter');
    const list = await client.call('browser_find', { regex: 'button "Yes"' });
    return client.call('browser_click', { target: refIn(list, 'button "Yes"') });
  },
  async split(client) {
    await openFile(client, 'src/price.ts');
    await press(client, 'Control+\\');
    return openFile(client, 'src/cart.ts');
  },
  async create(client) {
    await runCommand(client, 'File: New Untitled Text File');
    await typeHere(client, 'export const fresh = 1;');
    await press(client, 'Control+s');
    return pick(client, '/workspace/src/fresh.ts');
  },
};

const press = (client: CountedClient, key: string) => client.call('browser_press_key', { key });

/**
 * Types where the focus is. Editors of VS Code, and fields that are editors, take text only as keys: the peer's way of
 * filling a field is refused there.
 */
const typeHere = (client: CountedClient, text: string) =>
  client.call('browser_type', { target: '.monaco-editor.focused .native-edit-context', text, slowly: true });

/** The peer's own Return would come before VS Code has found anything, so it is a separate call. */
async function pick(client: CountedClient, text: string): Promise<string> {
  await client.call('browser_type', { target: quick, text });
  return press(client, 'Enter');
}

async function openFile(client: CountedClient, name: string): Promise<string> {
  await press(client, 'Control+p');
  return pick(client, name);
}

async function runCommand(client: CountedClient, name: string): Promise<string> {
  await press(client, 'F1');
  return pick(client, `>${name}`);
}

function refIn(list: string, what: string): string {
  const line = list.split('\n').find((text) => text.includes(what) && text.includes('[ref='));
  const [, ref] = /\[ref=(\w+)\]/.exec(line ?? '') ?? [];
  if (ref === undefined) throw new Error(`no ${what} in: ${list.slice(0, 500)}`);
  return ref;
}
