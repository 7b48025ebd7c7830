import { PwpError, SingleFlight } from '../../../bridge/lib/index.ts';
import type { AgentRoot } from '../agent-root.ts';

/** Finds or fetches an image as the root of an agent. */
export type FetchAgentRoot = (image: string, options: { readonly signal: AbortSignal }) => Promise<AgentRoot>;

/** The images that are roots of a node's sandboxes. Each is fetched once: it stays the same as long as the node. */
export class AgentRoots {
  readonly #fetch: FetchAgentRoot | undefined;
  readonly #roots = new Map<string, SingleFlight<AgentRoot>>();

  constructor(fetch: FetchAgentRoot | undefined) {
    this.#fetch = fetch;
  }

  /** Errors: those of `fetchRootImage`, and `unsupported`. */
  get(image: string, signal: AbortSignal): Promise<AgentRoot> {
    const fetch = this.#fetch;
    if (!fetch) throw makeNoImagesError(image);
    const root = this.#roots.get(image) ?? new SingleFlight((either) => fetch(image, { signal: either }));
    this.#roots.set(image, root);
    return root.get(signal);
  }

  /** Gives up what is being fetched. */
  async close(reason: unknown): Promise<void> {
    await Promise.all([...this.#roots.values()].map((root) => root.close(reason)));
  }
}

function makeNoImagesError(image: string): PwpError {
  return new PwpError('unsupported', `a node in Docker can't start a sandbox in the image ${image}`, {
    help: 'Use this machine: --node local, as root on Linux.',
  });
}
