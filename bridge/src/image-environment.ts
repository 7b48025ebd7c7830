import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  deadline,
  describeError,
  imagePrograms,
  type ImageVariables,
  raceSignal,
  readImageVariables,
  signalGroup,
} from '../lib/index.ts';

/** The variables of the image that is the root of this side. */
export class ImageEnvironment {
  readonly #variables: ImageVariables;
  readonly #inherited: NodeJS.ProcessEnv;
  readonly #note: (line: string) => void;
  #login: Promise<NodeJS.ProcessEnv> | undefined;

  private constructor(variables: ImageVariables, inherited: NodeJS.ProcessEnv, note: (line: string) => void) {
    this.#variables = variables;
    this.#inherited = inherited;
    this.#note = note;
  }

  /**
   * @param inherited what programs have in our own image
   * @param note writes a line into the bridge's log
   * @returns undefined where our own image is the root
   */
  static async read(
    inherited: NodeJS.ProcessEnv,
    note: (line: string) => void,
  ): Promise<ImageEnvironment | undefined> {
    const variables = await readImageVariables();
    return variables && new ImageEnvironment(variables, inherited, note);
  }

  /** Of our own programs there: VS Code's server and extensions. */
  get ofPrograms(): NodeJS.ProcessEnv {
    return { ...this.#inherited, ...this.#variables.forPrograms };
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
    const plain = { ...this.#inherited, ...this.#variables.all };
    try {
      return { ...(await readLoginEnvironment(plain)), ...ownPaths(plain) };
    } catch (error) {
      this.#note(`start-up files of the shell are left out: ${describeError(error)}`);
      return plain;
    }
  }
}

/** What a shell sets for itself. */
const ownPaths = ({ HOME }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  HOME,
  SHLVL: undefined,
  PWD: undefined,
  _: undefined,
});

/** Start-up files that take longer, or print more, are left out. */
const loginMs = 10_000;
const loginBytes = 4 * 1024 * 1024;
const mark = '\u0001pwp-environment\u0001';

/**
 * The variables of a terminal's shell. Start-up files may print, too, so that the variables stand between two marks; and
 * they may leave jobs that keep the output open, so that it is not read to its end.
 */
export async function readLoginEnvironment(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  using limit = deadline('start-up files of the shell', loginMs);
  const script = `printf '%s' '${mark}'; env -0; printf '%s' '${mark}'`;
  const shell = findShell(env);
  // As a terminal of VS Code: an interactive shell in the environment of an interactive login shell.
  const child = spawn(shell, ['-ilc', 'exec "$0" -ic "$1"', shell, script], {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
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
    if (text.length > loginBytes) break;
  }
  throw new Error('the shell did not print its variables');
}

/** The image's bash, by its own PATH, else ours. */
export function findShell({ PATH = '' }: NodeJS.ProcessEnv): string {
  const places = PATH.split(':').filter((folder) => folder.startsWith('/'));
  return places.map((folder) => join(folder, 'bash')).find((path) => existsSync(path)) ?? imagePrograms.bash;
}
