import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NodeKind } from './each-node.ts';

/** The built command line, as a user runs it. */
export const cliPath = fileURLToPath(new URL('../../dist/pwp.js', import.meta.url));
export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line with its sandboxes on one kind of node. */
export class Cli {
  readonly #kind: NodeKind | undefined;
  readonly #env: NodeJS.ProcessEnv;

  /**
   * @param kind undefined if the command line chooses
   * @param env variables in addition to this process's own
   */
  constructor(kind: NodeKind | undefined, env: NodeJS.ProcessEnv = {}) {
    this.#kind = kind;
    this.#env = env;
  }

  /** Runs `pwp` to its end; a failing exit code is a result. */
  pwp(...args: string[]): Promise<CliResult> {
    return new Promise((resolve) => {
      const options = { ...this.#options(), maxBuffer: 64 * 1024 * 1024 };
      execFile(process.execPath, [cliPath, ...args], options, (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
        resolve({ code, stdout, stderr });
      });
    });
  }

  /** Runs `pwp … --json` and returns its output. Throws with its standard error when it fails. */
  async json(...args: string[]): Promise<unknown> {
    const { code, stdout, stderr } = await this.pwp(...args, '--json');
    if (code !== 0) throw new Error(`pwp ${args.join(' ')} ended with ${code}:\n${stderr}\n${stdout}`);
    return JSON.parse(stdout);
  }

  /** Starts `pwp` and leaves it running; the caller ends it. */
  start(...args: string[]): ChildProcess {
    return spawn(process.execPath, [cliPath, ...args], {
      ...this.#options(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  #options() {
    const env = { ...process.env, ...this.#env };
    delete env['PWP_NODE'];
    return { cwd: projectFolder, env: { ...env, ...(this.#kind && { PWP_NODE: this.#kind }) } };
  }
}
