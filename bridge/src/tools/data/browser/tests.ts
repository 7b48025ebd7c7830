import * as z from 'zod';
import { SerialQueue, deadline, messageOf, clip } from '../../../../lib/index.ts';
import { limits, type dataTools, type ToolInput, type ToolOutput } from '../../../../protocol/index.ts';
import type { ToolContext } from '../../../../rpc/index.ts';
import { perform } from './actions.ts';
import { startBrowser } from './process.ts';
import { Tab } from './tab.ts';

type Test = typeof dataTools.browserTest;
type Input = ToolInput<Test>;
type Done = ToolOutput<Test>['actions'][number];

/** Maximum time for a browser to start, in milliseconds. */
const START_MS = 30_000;
/** A page that does not report its address within this many milliseconds hangs. */
const PULSE_MS = 2000;
const longest = 20_000;

const place = z.object({ url: z.string(), title: z.string() });

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Open extends AsyncDisposable {
  readonly tab: Tab;
}

/** Tests of pages, one after another, with at most one browser, which ends with the test unless the caller keeps it. */
export class BrowserTests implements AsyncDisposable {
  readonly #env: NodeJS.ProcessEnv;
  #kept: Open | undefined;
  readonly #tests = new SerialQueue();

  /** @param env the environment that the browser is found with and inherits */
  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  run(input: Input, context: ToolContext): Promise<ToolOutput<Test>> {
    return this.#tests.run(() => this.#run(input, context));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tests.settled();
    await this.#kept?.[Symbol.asyncDispose]();
    this.#kept = undefined;
  }

  async #run(input: Input, context: ToolContext): Promise<ToolOutput<Test>> {
    context.signal.throwIfAborted();
    await using stack = new AsyncDisposableStack();
    const { width, height } = input;
    const open = stack.use(await this.#ready({ width, height }, context.signal));
    const { actions, failed } = await playAll(open.tab, input, context);
    const where = await whereIs(open.tab, context.signal);
    // A page that hangs would hang for the next call, too.
    const keep = input.keep && where !== undefined;
    if (keep) {
      stack.move();
      this.#kept = open;
    }
    return {
      actions,
      failed,
      ...(where ?? { url: '', title: '' }),
      ...open.tab.complaints.take(),
      kept: keep,
    };
  }

  /** The page that was kept, if it still answers, else a new one. */
  async #ready(size: Size, signal: AbortSignal): Promise<Open> {
    const kept = this.#kept;
    this.#kept = undefined;
    if (!kept) return this.#open(size, signal);
    using limit = deadline('the kept page', PULSE_MS, signal);
    try {
      await kept.tab.resize(size, limit.signal);
      return kept;
    } catch {
      await kept[Symbol.asyncDispose]();
      signal.throwIfAborted();
      return await this.#open(size, signal);
    }
  }

  async #open(size: Size, signal: AbortSignal): Promise<Open> {
    using limit = deadline("start of the test's browser", START_MS, signal);
    await using stack = new AsyncDisposableStack();
    const { connection } = stack.use(await startBrowser(this.#env, limit.signal));
    const tab = await Tab.open(connection, size, limit.signal);
    const owned = stack.move();
    return { tab, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }
}

async function playAll(
  tab: Tab,
  { actions, timeout_ms: ms }: Input,
  { signal, attach }: ToolContext,
): Promise<{ actions: Done[]; failed: number | null }> {
  const done: Done[] = [];
  let pictures = 0;
  for (const [index, action] of actions.entries()) {
    const began = performance.now();
    const took = () => performance.now() - began;
    using limit = deadline(action.do, action.timeout_ms ?? ms, signal);
    try {
      const picture: typeof attach = (image) => {
        if (++pictures > limits.toolImages)
          throw new Error(`an answer holds at most ${limits.toolImages} pictures`);
        if (image.base64.length > limits.toolImage)
          throw new Error('the picture is too large; take one of a part');
        attach(image);
      };
      const value = await perform(tab, action, picture, limit.signal);
      const clipped = (value?.length ?? 0) > longest;
      done.push({
        do: action.do,
        ok: true,
        value: value === undefined || value === null ? null : clip(value, longest),
        clipped,
        error: null,
        duration_ms: took(),
      });
    } catch (error) {
      signal.throwIfAborted();
      const why = clip(messageOf(error), longest);
      done.push({ do: action.do, ok: false, value: null, clipped: false, error: why, duration_ms: took() });
      return { actions: done, failed: index };
    }
  }
  return { actions: done, failed: null };
}

/** Undefined for a page that does not answer. */
async function whereIs(tab: Tab, signal: AbortSignal): Promise<z.output<typeof place> | undefined> {
  using limit = deadline('the page', PULSE_MS, signal);
  const script = `({ url: location.href.slice(0, ${longest}), title: document.title.slice(0, ${longest}) })`;
  // Awaited here: the deadline ends with this function.
  return await tab.evaluate(script, place, limit.signal).catch(() => undefined);
}
