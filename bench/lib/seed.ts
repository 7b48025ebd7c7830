import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { pause } from '../../bridge/lib/index.ts';

/** Milliseconds that the seed design waits after every action. */
export const seedWaitMs = 2000;

/**
 * How the seed design acts and sees: a process for every action, a fixed wait, a process for every picture. It runs on
 * the same screen, without the container that it would have to enter each time, so it is shown at its best.
 */
export class SeedDesign implements Disposable {
  /** The X display, as programs name it, e.g. `:31234`. */
  readonly display: string;
  readonly #link: string;
  readonly #env: NodeJS.ProcessEnv;

  /**
   * @param socket the X server's socket; the tools only know displays by number, hence a link
   * @param folder where they look for sockets; created if no X server has ever run
   */
  constructor(socket: string, folder = '/tmp/.X11-unix') {
    makeShared(folder);
    const number = freeNumber(folder);
    this.#link = socketOf(folder, number);
    symlinkSync(socket, this.#link);
    this.display = `:${number}`;
    this.#env = { ...process.env, DISPLAY: this.display };
  }

  /** @param line e.g. `key ctrl+p` */
  async act(line: string): Promise<void> {
    await execa('sh', ['-c', `xdotool ${line}`], { env: this.#env });
  }

  async wait(): Promise<void> {
    await pause(seedWaitMs);
  }

  /** A PNG of the screen; without the pointer, as `import` has it. */
  async screenshot(): Promise<Uint8Array> {
    const { stdout } = await execa('import', ['-window', 'root', 'png:-'], {
      env: this.#env,
      encoding: 'buffer',
    });
    return stdout;
  }

  [Symbol.dispose](): void {
    rmSync(this.#link, { force: true });
  }
}

/** Created as by X servers: open to all users, who can only remove their own files. */
function makeShared(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder);
  chmodSync(folder, 0o1777);
}

function socketOf(folder: string, number: number): string {
  return join(folder, `X${number}`);
}

function freeNumber(folder: string): number {
  for (;;) {
    const number = randomInt(30_000, 60_000);
    if (!existsSync(socketOf(folder, number))) return number;
  }
}
