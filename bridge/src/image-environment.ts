import { spawn } from 'node:child_process';
import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import {
  deadline,
  describeError,
  findProgram,
  imagePrograms,
  isProgram,
  raceSignal,
  readImageVariables,
  signalGroup,
  splitImageVariables,
} from '../lib/index.ts';

/** The variables of the image that is the root of this side. */
export class ImageEnvironment {
  /** Those of the image, and what its entry point made of them. */
  readonly #variables: NodeJS.ProcessEnv;
  readonly #inherited: NodeJS.ProcessEnv;
  readonly #note: (line: string) => void;
  #login: Promise<NodeJS.ProcessEnv> | undefined;

  private constructor(
    variables: NodeJS.ProcessEnv,
    inherited: NodeJS.ProcessEnv,
    note: (line: string) => void,
  ) {
    this.#variables = variables;
    this.#inherited = inherited;
    this.#note = note;
  }

  /**
   * Runs the image's entry point if that is a script: it may activate an environment before it runs what it is given.
   * @param inherited what programs have in our own image
   * @param note writes a line into the bridge's log
   * @returns undefined where our own image is the root
   */
  static async read(
    inherited: NodeJS.ProcessEnv,
    note: (line: string) => void,
  ): Promise<ImageEnvironment | undefined> {
    const image = await readImageVariables();
    if (!image) return undefined;
    const { entrypoint, all } = image;
    const made = await readEntryEnvironment(entrypoint, { ...inherited, ...all }).catch((error: unknown) => {
      note(`the image's entry point is left out: ${describeError(error)}`);
      return null;
    });
    return new ImageEnvironment({ ...all, ...made }, inherited, note);
  }

  /** Of our own programs there: VS Code's server and extensions. */
  get ofPrograms(): NodeJS.ProcessEnv {
    return {
      ...this.#inherited,
      // A checkpoint can't be taken while a shell of busybox is open, and a terminal is of this shell.
      ...(isBusybox('/bin/sh') && { SHELL: findShell(this.#variables) }),
      ...splitImageVariables(this.#variables).forPrograms,
    };
  }

  /**
   * Of commands: what the image's shell makes of its variables in a terminal, e.g. an environment of conda or a virtual
   * environment that a start-up file activates. Found out once, by running the shell.
   */
  ofCommands(): Promise<NodeJS.ProcessEnv> {
    this.#login ??= this.#resolve();
    return this.#login;
  }

  async #resolve(): Promise<NodeJS.ProcessEnv> {
    const plain = { ...this.#inherited, ...this.#variables };
    try {
      return leaveOwn(await readLoginEnvironment(plain), plain);
    } catch (error) {
      this.#note(`start-up files of the shell are left out: ${describeError(error)}`);
      return plain;
    }
  }
}

const setByShells = ['HOME', 'SHLVL', 'PWD', '_'];

/** Without what a shell sets for itself. */
function leaveOwn(made: NodeJS.ProcessEnv, { HOME }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(made).filter(([name]) => !setByShells.includes(name));
  return { ...Object.fromEntries(kept), ...(HOME !== undefined && { HOME }) };
}

/** Start-up files and entry points that take longer, or print more, are left out. */
const environmentMs = 10_000;
const environmentBytes = 4 * 1024 * 1024;
const mark = '\u0001pwp-environment\u0001';
const printVariables = `printf '%s' '${mark}'; env -0; printf '%s' '${mark}'`;

/** As a terminal of VS Code: of an interactive shell in the environment of an interactive login shell. */
export function readLoginEnvironment(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const shell = findShell(env);
  const argv = [shell, '-ilc', 'exec "$0" -ic "$1"', shell, printVariables] as const;
  return readPrintedVariables('start-up files of the shell', argv, env);
}

/** Of a program that the entry point runs. A server that is the entry point is not started: only scripts are run. */
async function readEntryEnvironment(
  entrypoint: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv | null> {
  const [file, ...words] = entrypoint;
  const programs = entrypoint.map((word) => (isAbsolute(word) ? word : findProgram(env['PATH'], word)));
  if (file === undefined || !programs.some((path) => path !== undefined && isScript(path))) return null;
  const argv = [file, ...words, findShell(env), '-c', printVariables] as const;
  return leaveOwn(await readPrintedVariables('the entry point', argv, env), env);
}

/**
 * What a shell prints that a program starts in the end. Others may print, too, so that the variables stand between two
 * marks; and they may leave jobs that keep the output open, so that it is not read to its end.
 */
async function readPrintedVariables(
  what: string,
  [file, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  using limit = deadline(what, environmentMs);
  const child = spawn(file, args, { cwd: '/', env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const failed = new Promise<never>((_resolve, reject) => child.once('error', reject));
  try {
    const variables = await raceSignal(Promise.race([readMarked(child.stdout), failed]), limit.signal);
    const pairs = variables.split('\0').map((line) => line.split(/=(.*)/s, 2));
    return Object.fromEntries(
      pairs.filter((pair) => pair.length === 2 && pair[0] !== ''),
    ) as NodeJS.ProcessEnv;
  } finally {
    signalGroup(child.pid, 'SIGKILL');
    child.stdout.destroy();
  }
}

async function readMarked(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk as string;
    const [, marked, after] = text.split(mark, 3);
    if (marked !== undefined && after !== undefined) return marked;
    if (text.length > environmentBytes) break;
  }
  throw new Error('the shell did not print its variables');
}

function isScript(path: string): boolean {
  return isProgram(path) && readStart(path) === '#!';
}

/** Its first two bytes. */
function readStart(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(2);
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, 2, 0));
  } finally {
    closeSync(file);
  }
}

function isBusybox(path: string): boolean {
  return isProgram(path) && basename(realpathSync(path)) === 'busybox';
}

/** The image's bash, by its own PATH, else ours. */
export function findShell({ PATH }: NodeJS.ProcessEnv): string {
  return findProgram(PATH, 'bash') ?? imagePrograms.bash;
}
