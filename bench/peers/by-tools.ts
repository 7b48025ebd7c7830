import type { CountedClient } from './counted-client.ts';
import type { Scripts } from './jobs.ts';

/** By the tools of the IDE, without the screen. */
export const byTools: Scripts<CountedClient> = {
  open: (client) => client.call('open_file', { path: 'src/cart.ts', line: 6 }),
  async append(client) {
    await client.call('read_file', { path: 'notes.md' });
    const edit = { old_string: 'Pens are cheap.\n', new_string: 'Pens are cheap.\nInk is not.\n' };
    return client.call('search_replace', { path: 'notes.md', ...edit });
  },
  problem: (client) => client.call('get_errors', { paths: ['src/broken.ts'] }),
  rename: (client) =>
    client.call('rename_symbol', { path: 'src/price.ts', line: 9, symbol: 'total', new_name: 'sum' }),
  search: (client) => client.call('grep_search', { query: 'cents' }),
  setting: (client) => client.call('set_setting', { key: 'editor.fontSize', value: 18, scope: 'user' }),
  async command(client) {
    await client.call('list_commands', { query: 'toggle minimap' });
    return client.call('run_command', { command: 'editor.action.toggleMinimap' });
  },
  terminal: (client) => client.call('run_terminal_cmd', { command: 'wc -l src/cart.ts' }),
  async breakpoint(client) {
    await client.call('add_tools', { names: ['set_breakpoint'] });
    return client.call('set_breakpoint', { path: 'src/price.ts', line: 12 });
  },
  commit: (client) => client.call('shell', { command: "git commit -qam 'Rename total'" }),
  async split(client) {
    await client.call('open_file', { path: 'src/price.ts' });
    return client.call('open_file', { path: 'src/cart.ts', beside: true });
  },
  create: (client) =>
    client.call('write_file', { path: 'src/fresh.ts', content: 'export const fresh = 1;\n' }),
};
