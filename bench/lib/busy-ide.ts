import { deadline, describeError, poll } from '../../bridge/lib/index.ts';
import { dom, ide, shell } from '../../bridge/protocol/index.ts';
import type { InputCommand, Sandbox, Seed } from '../../host/node/index.ts';
import { tarOf } from './tar.ts';

/** Extra keys for actions that a person does with the mouse: they work in order, regardless of what is on the screen. */
const commands = {
  terminal: ['ctrl+alt+1', 'workbench.action.terminal.new'],
  toTerminal: ['ctrl+alt+2', 'workbench.action.terminal.focus'],
  resume: ['ctrl+alt+3', 'workbench.action.debug.continue'],
  debug: ['ctrl+alt+4', 'workbench.action.debug.start'],
  toEditor: ['ctrl+alt+5', 'workbench.action.openEditorAtIndex1'],
} as const;

/** Writes to a file how often its loop has run, from its own variable, and stops there every time. */
const paused = `const secret = 7;
for (let i = 0; ; i += 1) {
  require('fs').writeFileSync('/workspace/.stops', String(secret + i));
  debugger;
}
`;

/** Text that is never saved, a program to pause in. */
const workspace: Readonly<Record<string, string>> = {
  'draft.txt': '',
  'paused.js': paused,
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
    'debug.internalConsoleOptions': 'neverOpen',
    'debug.focusEditorOnBreak': false,
    'debug.focusWindowOnBreak': false,
    'terminal.integrated.suggest.enabled': false,
    // A terminal with the keyboard takes the keys of all other commands for itself.
    'terminal.integrated.commandsToSkipShell': Object.values(commands).map(([, command]) => command),
  }),
};
const user: Readonly<Record<string, string>> = {
  'keybindings.json': JSON.stringify(Object.values(commands).map(([key, command]) => ({ key, command }))),
};

/** Counts in a file without starting processes: what waits is a read from the terminal. */
const counting = 'while :; do read -t 0.3; echo $((++i)) > /workspace/.count; done';

/** Maximum time of any one operation on a busy machine, and of one try of it; milliseconds. */
const patienceMs = 30_000;
const tryMs = 4000;
const againMs = 40;

/** An IDE in the middle of a person's work, and the checks that all of it still works. */
export class BusyIde {
  readonly #sandbox: Sandbox;
  readonly #signal: AbortSignal;

  constructor(sandbox: Sandbox, signal: AbortSignal) {
    this.#sandbox = sandbox;
    this.#signal = signal;
  }

  /** The same IDE, forked to another sandbox. */
  in(sandbox: Sandbox): BusyIde {
    return new BusyIde(sandbox, this.#signal);
  }

  /** Opens it all: unsaved text, `top`, a shell command that runs, Python with a variable, a paused debugger. */
  async lay(): Promise<void> {
    await this.#open('draft.txt');
    await this.write('unsaved');
    await this.#terminal('top -d 1');
    await this.#terminal(counting);
    await this.#terminal('python3 -i');
    await this.#within('Python', async (signal) => {
      await this.#type('x = 41\n', signal);
      await this.#expectPython('x', '41', signal);
    });
    await this.#within(
      'the paused program',
      async (signal) => {
        await this.#key('debug', signal);
        await this.#until('the debugger', () => this.#isPaused(signal), signal);
      },
      patienceMs,
    );
    await this.#within('the editor', (signal) => this.#focus('toEditor', signal));
  }

  /** Checks everything once. `round` makes this check differ from others. Rejects with what does not work. */
  async check(round: number): Promise<void> {
    // The shell commands need no focus: they are watched while the rest is asked.
    const shells = Promise.all([
      this.#within('the shell command', (signal) => this.#grows('cat /workspace/.count', signal)),
      this.#within('top', (signal) => this.#grows(written, signal)),
    ]);
    try {
      await this.write(` r${round}`);
      await this.#within('the variable in Python', (signal) =>
        this.#expectPython(`x + ${round}`, String(41 + round), signal),
      );
      await this.#within('the debugger', (signal) => this.#resumes(signal));
      await this.#within('the file watcher', (signal) => this.#watches(signal));
    } finally {
      await shells;
    }
  }

  /** Types into the unsaved text, and sees by the extension that it has arrived. */
  async write(text: string): Promise<void> {
    await this.#within(`the text '${text}'`, async (signal) => {
      await this.#focus('toEditor', signal);
      await this.#type(text, signal);
      await this.#until('the text', async () => (await this.text(signal)).endsWith(text), signal);
    });
  }

  /** The unsaved text, as VS Code has it in memory; empty if another editor is in front. */
  async text(signal = this.#signal): Promise<string> {
    const { editor } = await this.#sandbox.call(ide.editor, { includeText: true }, { signal });
    return editor?.uri.endsWith('draft.txt') ? (editor.text ?? '') : '';
  }

  /** The value of an expression in the Python that runs in a terminal. */
  python(expression: string): Promise<string> {
    return this.#within(`Python's ${expression}`, (signal) => this.#python(expression, signal));
  }

  async #open(name: string): Promise<void> {
    await this.#within(`the editor of ${name}`, async (signal) => {
      const settled = () => this.#sandbox.settle({ capMs: 1500, pointerOnly: false, signal });
      await this.#play({ kind: 'key', keys: ['ctrl', 'p'], action: 'press', delayMs: 0 }, signal);
      await settled();
      await this.#type(name, signal);
      await settled();
      await this.#play({ kind: 'key', keys: ['Return'], action: 'press', delayMs: 0 }, signal);
      const isOpen = async () => {
        const { editor } = await this.#sandbox.call(ide.editor, {}, { signal });
        return editor?.uri.endsWith(name) ?? false;
      };
      await this.#until('the editor', isOpen, signal);
    });
  }

  async #terminal(line: string): Promise<void> {
    const count = (signal: AbortSignal) => this.#shell('ls /dev/pts | wc -l', signal);
    const before = await count(this.#signal);
    await this.#within('a new terminal', async (signal) => {
      if ((await count(signal)) === before) await this.#key('terminal', signal);
      await this.#until('a terminal', async () => (await count(signal)) !== before, signal);
    });
    await this.#within('a shell', async (signal) => {
      await this.#focus('toTerminal', signal);
      await this.#type('echo $$ > /workspace/.shell\n', signal);
      const answered = () => this.#shell('cat /workspace/.shell 2>&- && rm /workspace/.shell', signal);
      await this.#until('its number', async () => (await answered()) !== '', signal);
    });
    await this.#type(`${line}\n`, this.#signal);
  }

  async #expectPython(expression: string, expected: string, signal: AbortSignal): Promise<void> {
    const value = await this.#python(expression, signal);
    if (value !== expected) throw new Error(`${expression} is ${value}, not ${expected}`);
  }

  async #python(expression: string, signal: AbortSignal): Promise<string> {
    await this.#focus('toTerminal', signal);
    const path = `/workspace/.answer-${Math.random().toString(36).slice(2, 10)}`;
    await this.#type(`_ = open('${path}', 'w').write(str(${expression}))\n`, signal);
    let value = '';
    const answered = async () => {
      value = await this.#shell(`cat ${path} 2>&- && rm ${path}`, signal);
      return value !== '';
    };
    await this.#until('an answer', answered, signal);
    return value;
  }

  /** Lets the paused program continue: it comes by once more and stops again. */
  async #resumes(signal: AbortSignal): Promise<void> {
    const stops = async () => Number(await this.#shell('cat /workspace/.stops', signal));
    const before = await stops();
    await this.#key('resume', signal);
    await this.#until('the next stop', async () => (await stops()) === before + 1, signal);
    await this.#until('the pause', () => this.#isPaused(signal), signal);
  }

  async #isPaused(signal: AbortSignal): Promise<boolean> {
    const { marks } = await this.#sandbox.call(dom.observe, {}, { signal });
    return marks.some(({ name, state }) => /^Continue\b/.test(name) && !state.disabled);
  }

  /** The output of a command changes while it is watched. */
  async #grows(command: string, signal: AbortSignal): Promise<void> {
    const before = await this.#shell(command, signal);
    await this.#until('a change', async () => (await this.#shell(command, signal)) !== before, signal, 200);
  }

  /**
   * The explorer shows a new file and no longer shows a removed one. Each try uses a new name: for VS Code, a file that
   * is removed and created again at once has only changed, which the explorer ignores.
   */
  async #watches(signal: AbortSignal): Promise<void> {
    const name = `seen-${Math.random().toString(36).slice(2, 10)}.txt`;
    await this.#shell(`rm -f /workspace/seen-*.txt; touch /workspace/${name}`, signal);
    const shown = async () => {
      const { marks } = await this.#sandbox.call(dom.observe, {}, { signal });
      const seen = marks.map((mark) => mark.name).filter((text) => /seen-\w+\.txt/.test(text));
      return seen.length > 0 && seen.every((text) => text.includes(name));
    };
    await this.#until('the file', shown, signal);
  }

  /** Gives the keyboard to the editor or the terminal, and checks that it has it. */
  async #focus(command: 'toEditor' | 'toTerminal', signal: AbortSignal): Promise<void> {
    await this.#key(command, signal);
    const wanted = command === 'toEditor' ? 'editor' : 'terminal';
    const has = async () =>
      (await this.#sandbox.call(dom.probe, { points: [] }, { signal })).surface === wanted;
    await this.#until(`the focus of the ${wanted}`, has, signal);
  }

  async #key(command: keyof typeof commands, signal: AbortSignal): Promise<void> {
    const keys = commands[command][0].split('+');
    await this.#play({ kind: 'key', keys, action: 'press', delayMs: 0 }, signal);
  }

  async #type(text: string, signal: AbortSignal): Promise<void> {
    await this.#play({ kind: 'type', text, delayMs: 0 }, signal);
  }

  async #shell(command: string, signal: AbortSignal): Promise<string> {
    const { stdout } = await this.#sandbox.call(shell.run, { command }, { signal });
    return stdout.trim();
  }

  async #play(command: InputCommand, signal: AbortSignal): Promise<void> {
    const { failure } = await this.#sandbox.input([command], { signal });
    if (failure) throw new Error(failure.message);
  }

  /** Retries a failed operation, each time for a while: a busy IDE can lose a key. Rejects with the last failure. */
  async #within<T>(what: string, work: (signal: AbortSignal) => Promise<T>, forMs = tryMs): Promise<T> {
    using limit = deadline(what, patienceMs, this.#signal);
    for (;;) {
      using attempt = deadline(what, forMs, limit.signal);
      try {
        return await work(attempt.signal);
      } catch (cause) {
        this.#signal.throwIfAborted();
        if (limit.signal.aborted) throw new Error(`${what}: ${describeError(cause)}`, { cause });
        process.stderr.write(`again: ${what}: ${describeError(cause)}\n`);
      }
    }
  }

  async #until(
    what: string,
    holds: () => Promise<boolean>,
    signal: AbortSignal,
    intervalMs = againMs,
  ): Promise<void> {
    const probe = async () =>
      (await holds())
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw: 'not yet' } as const);
    await poll(what, probe, { intervalMs, signal });
  }
}

/** How much `top` has written so far. */
const written = "awk '/^wchar/ {print $2}' /proc/$(pgrep -xo top)/io";

/** The files of its workspace, for the start of a sandbox. */
export async function deskSeeds(): Promise<Seed[]> {
  return [
    { path: '/workspace', tar: await tarOf(workspace) },
    { path: '/ide/data/User', tar: await tarOf(user) },
  ];
}
