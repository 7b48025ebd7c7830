import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  deadline,
  describeError,
  imagePrograms,
  isProgram,
  poll,
  raceSignal,
} from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import type { TerminalEntry, Terminals } from '../../state/index.ts';

/** A shell that has not reported after this many milliseconds never will. */
const integrationMs = 20_000;

/** A bash that another program has replaced for this many milliseconds does not come back. */
const otherMs = 2000;

const bash = [
  ...['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/opt/homebrew/bin/bash'],
  // In a sandbox whose root has none.
  imagePrograms.bash,
];

/** The terminals that tools create, and which of them are free. */
export class TerminalPool {
  readonly #terminals: Terminals;
  readonly #own = new Set<number>();
  readonly #taken = new Set<number>();

  constructor(terminals: Terminals) {
    this.#terminals = terminals;
  }

  /**
   * A visible terminal that can run a command now. Dispose it once a background command has started, or a foreground
   * command has ended. Errors: `not-found`, `terminal-busy`, `no-shell-integration`.
   * @param id the requested terminal
   */
  async take(id: number | undefined, name: string | undefined, signal: AbortSignal): Promise<TakenTerminal> {
    const taken = this.#take(id === undefined ? this.#free(name) : this.#asked(id));
    if (id !== undefined) return taken;
    try {
      await awaitBash(taken.entry.terminal, signal);
      return taken;
    } catch (error) {
      taken[Symbol.dispose]();
      if (signal.aborted || !(error instanceof OtherShell)) throw error;
      // The person's start-up files run another shell: commands are run without them.
      this.#own.delete(taken.entry.id);
      taken.entry.terminal.dispose();
      return this.#take(this.#make(`${name ?? 'Agent'} (no start-up files)`, withoutStartUp()));
    }
  }

  #take(entry: TerminalEntry): TakenTerminal {
    this.#taken.add(entry.id);
    entry.terminal.show(true);
    return { entry, [Symbol.dispose]: () => void this.#taken.delete(entry.id) };
  }

  /** Open or closed. Errors: `not-found`. */
  find(id: number | undefined): TerminalEntry {
    const active = vscode.window.activeTerminal;
    const entry = id === undefined ? active && this.#terminals.of(active) : this.#terminals.find(id);
    if (entry) return entry;
    const ids = this.#terminals.all.map((one) => one.id).join(', ');
    throw toolError('not-found', id === undefined ? 'no terminal is active' : `there is no terminal ${id}`, {
      help: ids === '' ? 'run_terminal_cmd makes one' : `There are ${ids}`,
    });
  }

  /** Errors: `not-found`, also for one that is closed. */
  findOpen(id: number): TerminalEntry {
    const entry = this.find(id);
    if (!entry.closed) return entry;
    throw toolError('not-found', `terminal ${id} is closed`, {
      help: 'list_terminals shows the open ones; run_terminal_cmd makes one',
    });
  }

  #asked(id: number): TerminalEntry {
    const entry = this.findOpen(id);
    if (!this.#busy(entry)) return entry;
    throw toolError('terminal-busy', `in terminal ${id} runs ${entry.last?.line ?? 'another command'}`, {
      help: 'Read or stop it, or leave terminal out for another one',
    });
  }

  #free(name: string | undefined): TerminalEntry {
    const idle = this.#terminals.all.find(
      (entry) => this.#own.has(entry.id) && !entry.closed && !this.#busy(entry),
    );
    if (idle && name === undefined) return idle;
    const entry = this.#make(name ?? 'Agent', chooseShell());
    if (name === undefined) this.#own.add(entry.id);
    return entry;
  }

  #make(name: string, { shellPath, shellArgs }: Shell): TerminalEntry {
    const terminal = vscode.window.createTerminal({
      name,
      isTransient: true,
      iconPath: new vscode.ThemeIcon('hubot'),
      env: withoutPager,
      ...(shellPath !== undefined && { shellPath }),
      ...(shellArgs !== undefined && { shellArgs }),
    });
    return this.#terminals.of(terminal);
  }

  #busy({ id, last }: TerminalEntry): boolean {
    return this.#taken.has(id) || last?.running === true;
  }
}

/** A terminal in use by a call; dispose it. */
type TakenTerminal = { readonly entry: TerminalEntry } & Disposable;

interface Shell {
  readonly shellPath?: string;
  readonly shellArgs?: string[];
}

/** Without a pager: `git log` and the like would wait for a key press. */
const withoutPager = { PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat' };

/** The shell integration of a terminal, which its shell reports once it has started. Errors: `no-shell-integration`. */
export async function awaitShellIntegration(
  terminal: vscode.Terminal,
  signal: AbortSignal,
): Promise<vscode.TerminalShellIntegration> {
  if (terminal.shellIntegration) return terminal.shellIntegration;
  using limit = deadline('shell integration', integrationMs, signal);
  let listening: vscode.Disposable | undefined;
  const appeared = new Promise<vscode.TerminalShellIntegration>((resolve) => {
    listening = vscode.window.onDidChangeTerminalShellIntegration((change) => {
      if (change.terminal === terminal) resolve(change.shellIntegration);
    });
  });
  try {
    return await raceSignal(appeared, limit.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw toolError('no-shell-integration', `terminal ${terminal.name}: ${describeError(error)}`, {
      cause: error,
      help: 'Use the tool shell, or look whether terminal.integrated.shellIntegration.enabled is off',
    });
  } finally {
    listening?.dispose();
  }
}

/** Commands are written for bash; without bash, the person's shell is used. */
function chooseShell(): Shell {
  const path = bash.find(isProgram);
  return path === undefined ? {} : { shellPath: path };
}

/** Bash with nothing but VS Code's shell integration, loaded manually as in its documentation. */
function withoutStartUp(): Shell {
  const script = join(
    vscode.env.appRoot,
    'out/vs/workbench/contrib/terminal/common/scripts/shellIntegration-bash.sh',
  );
  return { ...chooseShell(), shellArgs: ['--init-file', script] };
}

/** A terminal that was made with bash runs something else: its start-up files end in `exec sh` or `exec fish`. */
class OtherShell extends Error {}

/** Waits for the shell integration of a terminal that was made with bash. Errors: {@link OtherShell}, `no-shell-integration`. */
async function awaitBash(terminal: vscode.Terminal, signal: AbortSignal): Promise<void> {
  if (terminal.shellIntegration) return;
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  try {
    await Promise.race([awaitShellIntegration(terminal, either), rejectForOtherShell(terminal, either)]);
  } finally {
    over.abort();
  }
}

/** Rejects when a terminal's process has been another program than bash for some time. */
async function rejectForOtherShell(terminal: vscode.Terminal, signal: AbortSignal): Promise<never> {
  const pid = await terminal.processId;
  const started = performance.now();
  const probe = async () => {
    const program = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim();
    const isOther = program !== '' && program !== 'bash' && performance.now() - started > otherMs;
    return isOther ? ({ done: true, value: program } as const) : ({ done: false, saw: program } as const);
  };
  throw new OtherShell(await poll('another shell', probe, { intervalMs: 250, signal }));
}
