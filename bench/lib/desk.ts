import { create } from 'tar';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PwpError, deadline, poll } from '../../bridge/lib/index.ts';
import { dom, ide, shell } from '../../bridge/protocol/index.ts';
import type { InputCommand, Sandbox, Seed } from '../../host/node/index.ts';

/** Keys of its own for what a person does with the mouse: they reach the window in order, whatever is on the screen. */
const commands = {
  terminal: ['ctrl+alt+1', 'workbench.action.terminal.new'],
  toTerminal: ['ctrl+alt+2', 'workbench.action.terminal.focus'],
  toDebugger: ['ctrl+alt+3', 'workbench.panel.repl.view.focus'],
  debug: ['ctrl+alt+4', 'workbench.action.debug.start'],
  toEditor: ['ctrl+alt+5', 'workbench.action.openEditorAtIndex1'],
} as const;

/** Text that is never saved, a program to pause in. */
const workspace: Readonly<Record<string, string>> = {
  'draft.txt': '',
  'paused.js': 'const secret = 7;\ndebugger;\nconsole.log(secret);\n',
  '.vscode/launch.json': JSON.stringify({
    version: '0.2.0',
    configurations: [
      {
        ...{ type: 'node', request: 'launch', name: 'paused', console: 'internalConsole' },
        ...{ program: '/workspace/paused.js', runtimeExecutable: '/opt/node/bin/node' },
      },
    ],
  }),
  // Nothing takes the focus by itself.
  '.vscode/settings.json': JSON.stringify({
    'debug.openDebug': 'neverOpen',
    'debug.focusEditorOnBreak': false,
    'debug.focusWindowOnBreak': false,
    'terminal.integrated.suggest.enabled': false,
    // What was asked before would come up as a suggestion and take the Return.
    'debug.console.historySuggestions': false,
  }),
};
const user: Readonly<Record<string, string>> = {
  'keybindings.json': JSON.stringify(Object.values(commands).map(([key, command]) => ({ key, command }))),
};

/** Counts in a file without starting processes. */
const counting = 'exec 9<> <(:); while :; do read -t 0.3 -u 9; echo $((++i)) > /workspace/.count; done';

/** The longest that any one thing may take on a busy machine, in milliseconds. */
const patienceMs = 60_000;

/** What a person has on the screen in the middle of work, and the questions whether all of it still works. */
export class Desk {
  readonly #sandbox: Sandbox;
  readonly #signal: AbortSignal;

  constructor(sandbox: Sandbox, signal: AbortSignal) {
    this.#sandbox = sandbox;
    this.#signal = signal;
  }

  /** The same desk in another sandbox that it was forked to. */
  in(sandbox: Sandbox): Desk {
    return new Desk(sandbox, this.#signal);
  }

  /** Opens it all: unsaved text, `top`, a shell command that runs, Python with a variable, a paused debugger. */
  async lay(): Promise<void> {
    await this.#open('draft.txt');
    await this.type('unsaved');
    await this.#until('the unsaved text', async () => (await this.text()).includes('unsaved'));
    await this.#terminal('top -d 1');
    await this.#terminal(counting);
    await this.#terminal('python3 -i');
    await this.type('x = 41\n');
    await this.#until('Python', async () => (await this.python('x')) === '41');
    await this.command('debug');
    // Nothing is typed before: it would go to whatever comes up meanwhile.
    await this.#until('the paused program', async () => {
      const { marks } = await this.#sandbox.call(dom.observe, {}, this.#signal);
      return marks.some(({ name }) => /^Continue\b/.test(name));
    });
    await this.#until('the debugger', async () => (await this.paused('secret')) === '7');
    await this.command('toEditor');
  }

  /** Asks everything once. `round` makes this asking differ from others. Rejects with what does not work. */
  async check(round: number): Promise<void> {
    await this.#sandbox.call(dom.observe, {}, this.#signal);
    await this.command('toEditor');
    await this.type(` r${round}`);
    await this.#until(`typing ${round}`, async () => (await this.text()).endsWith(` r${round}`));
    await this.#until('the shell command', () => this.#counts());
    await this.#until('top', () => this.#topWrites());
    await this.#expect('the variable in Python', `x + ${round}`, String(41 + round), (text) =>
      this.python(text),
    );
    await this.#expect('the debugger', `secret + ${round}`, String(7 + round), (text) => this.paused(text));
    await this.#watches(round);
  }

  /** The unsaved text, as VS Code has it in memory. */
  async text(): Promise<string> {
    await this.command('toEditor');
    const { editor } = await this.#sandbox.call(ide.editor, { includeText: true }, this.#signal);
    return editor?.uri.endsWith('draft.txt') ? (editor.text ?? '') : '';
  }

  /** The value of an expression in the Python that runs in a terminal. */
  async python(expression: string): Promise<string> {
    await this.command('toTerminal');
    return this.#answer((path) => this.type(`_ = open('${path}', 'w').write(str(${expression}))\n`));
  }

  /** The value of an expression where the debugger has paused the program. */
  async paused(expression: string): Promise<string> {
    await this.command('toDebugger');
    return this.#answer((path) =>
      this.type(`process.getBuiltinModule('fs').writeFileSync('${path}', String(${expression}))\n`),
    );
  }

  async key(keys: string): Promise<void> {
    await this.#play({ kind: 'key', keys: keys.split('+'), action: 'press', delayMs: 0 });
  }

  async type(text: string): Promise<void> {
    await this.#play({ kind: 'type', text, delayMs: 0 });
  }

  async command(name: keyof typeof commands): Promise<void> {
    await this.key(commands[name][0]);
    // The focus follows a moment later; what is then typed to the wrong place is typed again.
    await this.#sandbox.settle({ capMs: 700, pointerOnly: false }, this.#signal);
  }

  async shell(command: string): Promise<string> {
    const { stdout } = await this.#sandbox.call(shell.run, { command }, this.#signal);
    return stdout.trim();
  }

  async #open(name: string): Promise<void> {
    await this.#until(`the editor of ${name}`, async () => {
      await this.key('ctrl+p');
      await this.#sandbox.settle({ capMs: 1500, pointerOnly: false }, this.#signal);
      await this.type(name);
      await this.#sandbox.settle({ capMs: 1500, pointerOnly: false }, this.#signal);
      await this.key('Return');
      await this.#sandbox.settle({ capMs: 1500, pointerOnly: false }, this.#signal);
      const { editor } = await this.#sandbox.call(ide.editor, {}, this.#signal);
      return editor?.uri.endsWith(name) ?? false;
    });
  }

  async #terminal(line: string): Promise<void> {
    const count = () => this.shell('ls /dev/pts | wc -l');
    const before = await count();
    await this.command('terminal');
    await this.#until('a new terminal', async () => (await count()) !== before);
    await this.command('toTerminal');
    await this.#until('a shell', async () => {
      await this.type('echo $$ > /workspace/.shell\n');
      await this.shell('sleep 0.5');
      return (await this.shell('cat /workspace/.shell; rm -f /workspace/.shell')) !== '';
    });
    await this.type(`${line}\n`);
  }

  /** What appears in a file that something inside is told to write. */
  async #answer(tell: (path: string) => Promise<void>): Promise<string> {
    const path = `/workspace/.answer-${Math.random().toString(36).slice(2, 10)}`;
    await tell(path);
    using limit = deadline('an answer', 4000, this.#signal);
    const probe = async () => {
      const value = await this.shell(`cat ${path} 2>/dev/null && rm ${path}`);
      return value === '' ? ({ done: false, saw: 'nothing' } as const) : ({ done: true, value } as const);
    };
    return poll('an answer', probe, { intervalMs: 50, signal: limit.signal }).catch((error: unknown) => {
      this.#signal.throwIfAborted();
      if (error instanceof PwpError && error.code === 'timeout') return '';
      throw error;
    });
  }

  async #expect(
    what: string,
    expression: string,
    expected: string,
    ask: (expression: string) => Promise<string>,
  ): Promise<void> {
    await this.#until(what, async () => (await ask(expression)) === expected);
  }

  async #counts(): Promise<boolean> {
    const before = await this.shell('cat /workspace/.count');
    return (await this.shell('sleep 0.4; cat /workspace/.count')) !== before;
  }

  async #topWrites(): Promise<boolean> {
    const written = "awk '/^wchar/ {print $2}' /proc/$(pgrep -xo top)/io";
    return Number(await this.shell(`a=$(${written}); sleep 1.1; b=$(${written}); echo $((b - a))`)) > 0;
  }

  /** The explorer shows a file that appears and no longer one that goes. */
  async #watches(round: number): Promise<void> {
    const name = `seen-${round}.txt`;
    await this.shell(`rm -f /workspace/seen-*.txt; touch /workspace/${name}`);
    await this.#until('the file watcher', async () => {
      const { marks } = await this.#sandbox.call(dom.observe, {}, this.#signal);
      const seen = marks.map((mark) => mark.name).filter((text) => /seen-\d+\.txt/.test(text));
      return seen.length > 0 && seen.every((text) => text.includes(name));
    });
  }

  async #play(command: InputCommand): Promise<void> {
    const { failure } = await this.#sandbox.input([command], this.#signal);
    if (failure) throw new PwpError('desk', failure.message);
  }

  async #until(what: string, holds: () => Promise<boolean>): Promise<void> {
    using limit = deadline(what, patienceMs, this.#signal);
    const probe = async () =>
      (await holds())
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw: 'it does not answer' } as const);
    await poll(what, probe, { intervalMs: 100, signal: limit.signal });
  }
}

/** The files of the desk, for the start of a sandbox. */
export async function deskSeeds(): Promise<Seed[]> {
  return [
    { path: '/workspace', tar: await tarOf(workspace) },
    { path: '/ide/data/User', tar: await tarOf(user) },
  ];
}

async function tarOf(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-desk-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of create({ cwd: folder, portable: true }, Object.keys(files)))
      chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
