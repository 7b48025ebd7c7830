import { PwpError, SingleFlight } from '../../../bridge/lib/index.ts';
import type { AgentRoot, FetchAgentRoot } from '../agent-root.ts';

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
  return new PwpError('unsupported', `this node has no images, and so not ${image}`, {
    help: 'Open it with createNode, or give it the option root.',
  });
}
