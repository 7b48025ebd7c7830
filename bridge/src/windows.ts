import { ErrorCode, RpcError, agent, agentSide, type ParamsOut } from '../protocol/index.ts';
import type { Handlers, Peer } from '../rpc/index.ts';
import type { ExtensionRoute } from './extensions.ts';

/** The windows of the IDE that were connected to, as the desktop's side counts them. */
export class Windows {
  readonly #known = new Map<number, Peer>();
  #count = 0;

  /** To be called for every window that a connection is made to. */
  add(window: Peer): void {
    const number = ++this.#count;
    this.#known.set(number, window);
    void window.closed.then(() => this.#known.delete(number));
  }

  /** Reports steps to all of them. One that does not accept it, such as an older extension, is left out. */
  async follow(update: ParamsOut<typeof agent.follow>, signal: AbortSignal): Promise<void> {
    const all = [...this.#known.values()];
    await Promise.all(all.map((one) => one.request(agent.follow, update, signal).catch(() => undefined)));
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
      .add(agent.follow, async (update, signal) => {
        await this.follow(update, signal);
        return {};
      });
  }
}
