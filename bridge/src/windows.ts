import { ErrorCode, RpcError, agent, agentSide, type ParamsOut } from '../protocol/index.ts';
import type { Handlers, Peer } from '../rpc/index.ts';
import type { ExtensionRoute } from './extensions.ts';

/** The windows of the IDE that were connected to, as the desktop's side counts them. */
export class Windows {
  readonly #known = new Map<number, Peer>();
  #count = 0;

  /** Called for every window that a connection is made to. */
  add(window: Peer): void {
    const number = ++this.#count;
    this.#known.set(number, window);
    void window.closed.then(() => this.#known.delete(number));
  }

  /**
   * Reports steps to all of them, and returns whether the view is open in one. One that does not accept it, such as one
   * with an older extension, is left out; it may draw it later.
   */
  async follow(update: ParamsOut<typeof agent.follow>, signal: AbortSignal): Promise<{ visible: boolean }> {
    const answers = await Promise.all(
      [...this.#known.values()].map((window) =>
        window.request(agent.follow, update, signal).catch(() => ({ visible: true })),
      ),
    );
    return { visible: answers.some(({ visible }) => visible) };
  }

  serve(handlers: Handlers, route: ExtensionRoute): void {
    handlers
      .add(agentSide.window, async ({ notBefore }, signal) => {
        route.notBefore = notBefore;
        const peer = await route.peer(signal);
        const window = [...this.#known].find(([, one]) => one === peer)?.[0];
        if (window !== undefined) return { window };
        throw new RpcError(ErrorCode.Unavailable, 'the window is gone');
      })
      .add(agentSide.windowEnd, async ({ window }) => {
        await this.#known.get(window)?.closed;
        return {};
      })
      .add(agent.follow, (update, signal) => this.follow(update, signal));
  }
}
