import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { deadline, poll, type Probe } from '../../../bridge/lib/index.ts';
import { packageFolder } from '../../../host/lib/index.ts';
import { vscodeExecutable } from './executable.ts';
import type { Act, ActAnswer } from './person-acts.ts';

/** Longest wait on a busy machine, in milliseconds. */
const startMs = 120_000;

const settings = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'chat.disableAIFeatures': true,
};

/** A window of a VS Code outside any sandbox, with a person who does what the test says. */
export class PersonsWindow implements AsyncDisposable {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  readonly #errors: string[] = [];
  /** Path of the extension's socket. */
  socket = '';

  private constructor(folder: string, child: ChildProcess) {
    this.#folder = folder;
    this.#child = child;
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error('no pipes');
    this.#answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
    stderr.on('data', (text: Buffer) => void this.#errors.push(text.toString()));
  }

  /** @param files text of each file, by its path in the open folder */
  static async open(rootfs: string, files: Readonly<Record<string, string>>): Promise<PersonsWindow> {
    const folder = await mkdtemp(join(tmpdir(), 'pwp-person-'));
    for (const [path, text] of Object.entries(files)) await put(join(folder, 'app', path), text);
    await put(join(folder, 'user/User/settings.json'), JSON.stringify(settings));
    await mkdir(join(folder, 'sockets'), { mode: 0o700 });
    const child = spawn(vscodeExecutable(undefined), [folder, join(packageFolder(), 'dist/pwp.vsix')], {
      env: {
        ...process.env,
        PWP_TEST_ROOTFS: rootfs,
        PWP_TEST_PROGRAM: 'person.ts',
        PWP_SOCKET_DIR: join(folder, 'sockets'),
      },
    });
    const window = new PersonsWindow(folder, child);
    try {
      window.socket = await window.#findSocket();
      return window;
    } catch (error) {
      await window[Symbol.asyncDispose]();
      throw new Error(window.#errors.join(''), { cause: error });
    }
  }

  file(path: string): string {
    return join(this.#folder, 'app', path);
  }

  /** @returns the visible texts */
  async does(act: Act): Promise<readonly string[]> {
    this.#child.stdin?.write(`${JSON.stringify(act)}\n`);
    const next = await this.#answers.next();
    if (next.done) throw new Error(`the window is gone: ${this.#errors.join('')}`);
    const answer = JSON.parse(next.value) as ActAnswer;
    if ('error' in answer) throw new Error(`${act.do}: ${answer.error}`);
    return answer.texts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exit = once(this.#child, 'exit');
      this.#child.kill();
      await exit;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #findSocket(): Promise<string> {
    using limit = deadline("the extension's socket", startMs);
    const folder = join(this.#folder, 'sockets');
    const look = async (): Promise<Probe<string>> => {
      if (this.#child.exitCode !== null) throw new Error('the window ended');
      const name = (await readdir(folder)).find((one) => one.endsWith('.sock'));
      return name === undefined ? { done: false, saw: 'none' } : { done: true, value: join(folder, name) };
    };
    return await poll("the extension's socket", look, { intervalMs: 100, signal: limit.signal });
  }
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
