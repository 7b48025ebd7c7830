import type { DomReader } from '../dom/index.ts';
import { deadline } from '../lib/index.ts';
import { agent, limits, type AgentStep } from '../protocol/index.ts';
import type { Handlers, Peer } from '../rpc/index.ts';

/** Milliseconds to wait for a window to receive a step; a slower one shows it later. */
const followMs = 1000;

/** The last steps made in this sandbox, and whether people are shown them. */
export class AgentLog {
  readonly #reader: DomReader;
  readonly #windows = new Set<Peer>();
  #steps: readonly AgentStep[] = [];
  #shown = false;
  #overlay = false;

  constructor(reader: DomReader) {
    this.#reader = reader;
  }

  /** A window that comes late, as after a reload, gets all steps. */
  async follow(window: Peer): Promise<void> {
    this.#windows.add(window);
    void window.closed.then(() => this.#windows.delete(window));
    if (this.#shown) await this.#sendAll([window]);
  }

  serve(handlers: Handlers): Handlers {
    return this.serveWindows(handlers).add(agent.report, ({ step }, signal) => this.#add(step, signal));
  }

  /** Requests of people in a window. */
  serveWindows(handlers: Handlers): Handlers {
    return handlers
      .add(agent.steps, () => ({ steps: [...this.#steps], shown: this.#shown }))
      .add(agent.show, ({ shown }) => this.#show(shown))
      .add(agent.overlay, ({ on }, signal) => this.#draw(on, signal));
  }

  /** A hidden view costs its windows nothing: they get no message. */
  async #add(step: AgentStep, signal: AbortSignal): Promise<{ drawn: boolean }> {
    this.#steps = [...this.#steps, step].slice(-limits.agentSteps);
    const visible =
      this.#shown && (await follow([...this.#windows], { steps: [step], whole: false, shown: true }));
    // A page that is being replaced has no marks: the next step draws them again.
    if (this.#overlay) await this.#reader.draw(true, signal).catch(() => 0);
    return { drawn: visible || this.#overlay };
  }

  async #show(shown: boolean): Promise<{ shown: boolean }> {
    this.#shown = shown;
    await this.#sendAll([...this.#windows]);
    return { shown };
  }

  async #draw(on: boolean, signal: AbortSignal): Promise<{ on: boolean; marks: number }> {
    this.#overlay = on;
    return { on, marks: await this.#reader.draw(on, signal) };
  }

  async #sendAll(windows: readonly Peer[]): Promise<void> {
    await follow(windows, { steps: [...this.#steps], whole: true, shown: this.#shown });
  }
}

/**
 * Returns whether the view is open in one of them. A window that does not accept it, such as one with an older
 * extension, is not the agent's problem; it may draw it later.
 */
async function follow(
  windows: readonly Peer[],
  update: { steps: AgentStep[]; whole: boolean; shown: boolean },
): Promise<boolean> {
  using limit = deadline('agent.follow', followMs);
  const answers = await Promise.all(
    windows.map((window) =>
      window.request(agent.follow, update, limit.signal).catch(() => ({ visible: true })),
    ),
  );
  return answers.some(({ visible }) => visible);
}
