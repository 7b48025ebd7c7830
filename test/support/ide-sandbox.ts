import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { create } from 'tar';
import { deadline, poll } from '../../bridge/lib/index.ts';
import { dom, type DomObservation, type Mark } from '../../bridge/protocol/index.ts';
import {
  defaultDisplay,
  defaultLimits,
  type Display,
  type InputCommand,
  type Sandbox,
} from '../../host/node/index.ts';
import type { OpenNode } from './each-node.ts';
import { temporaryFolder } from './folder.ts';

/** Longest wait for a running IDE on a busy machine, in milliseconds. */
const waitMs = 60_000;
/** On a busy machine an IDE is at rest later than a step would wait. */
const settleCapMs = 20_000;

/** A booted IDE that tests drive through its input devices. */
export class Ide implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly #close: () => Promise<void>;

  /** @param close ends the sandbox's node */
  constructor(sandbox: Sandbox, close: () => Promise<void>) {
    this.sandbox = sandbox;
    this.#close = close;
  }

  /**
   * Starts it on a separate node, which ends with it.
   * @param workspace text of each file, by its path in the workspace
   */
  static async start(
    open: OpenNode,
    workspace: Readonly<Record<string, string>>,
    display: Display = defaultDisplay,
  ): Promise<Ide> {
    const { signal } = new AbortController();
    const test = await open();
    try {
      const seeds = [{ path: '/workspace', tar: await tarOf(workspace) }];
      const spec = { name: 'bridge', role: 'ide', seeds, keep: false } as const;
      const sandbox = await test.node.start({ ...spec, display, limits: defaultLimits }, { signal });
      using limit = deadline('start of the IDE', 90_000);
      await sandbox.ready({ signal: limit.signal });
      return new Ide(sandbox, async () => test[Symbol.asyncDispose]());
    } catch (error) {
      await test[Symbol.asyncDispose]();
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }

  observe(): Promise<DomObservation> {
    return this.sandbox.call(dom.observe, {}, { signal: AbortSignal.timeout(waitMs) });
  }

  async play(...commands: InputCommand[]): Promise<void> {
    const { failure } = await this.sandbox.input(commands, { signal: AbortSignal.timeout(waitMs) });
    if (failure) throw new Error(failure.message);
    await this.sandbox.settle({
      capMs: settleCapMs,
      pointerOnly: false,
      signal: AbortSignal.timeout(waitMs),
    });
  }

  /** Observes once nothing moves. */
  async observeStill(): Promise<DomObservation> {
    await this.sandbox.settle({
      capMs: settleCapMs,
      pointerOnly: false,
      signal: AbortSignal.timeout(waitMs),
    });
    return this.observe();
  }

  /** Keys joined by `+`, as in `ctrl+shift+p`. */
  key(combination: string): Promise<void> {
    return this.play({ kind: 'key', keys: combination.split('+'), action: 'press', delayMs: 0 });
  }

  type(text: string): Promise<void> {
    return this.play({ kind: 'type', text, delayMs: 0 });
  }

  /** Clicks where the bridge locates the mark now. */
  async click(mark: Mark, button = 1, repeat = 1): Promise<void> {
    const { point } = await this.sandbox.call(
      dom.locate,
      { mark: mark.id },
      { signal: AbortSignal.timeout(waitMs) },
    );
    await this.play(
      { kind: 'move', ...point, relative: false },
      { kind: 'button', button, action: 'click', repeat, delayMs: 50 },
    );
  }

  /** Observes until such a mark exists. */
  find(role: string, name: RegExp): Promise<Mark> {
    return this.until(`${role} ${name}`, ({ marks }) =>
      marks.find((mark) => mark.role === role && name.test(mark.name)),
    );
  }

  /** Observes until `look` finds something. */
  async until<T>(what: string, look: (observation: DomObservation) => T | undefined): Promise<T> {
    using limit = deadline(what, waitMs);
    const probe = async () => {
      const seen = await this.observe();
      const value = look(seen);
      const saw = seen.marks.map(({ role, name }) => `${role} ${name}`).join(' | ');
      return value === undefined ? ({ done: false, saw } as const) : ({ done: true, value } as const);
    };
    return await poll(what, probe, { intervalMs: 100, signal: limit.signal });
  }
}

async function tarOf(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  await using folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(folder.file(path)), { recursive: true });
    await writeFile(folder.file(path), text);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of create({ cwd: folder.path, portable: true }, ['.']))
    chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
