import { dom } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../../host/node/index.ts';

/** The cost of the browser's own trees of a page. */
export interface TreeCost {
  /** Milliseconds of each reading, until it is parsed. */
  readonly times: readonly number[];
  readonly bytes: number;
}

/** Reads a page as the debugging protocol offers it: a whole tree, without testing which elements are covered. */
export async function treeCost(
  sandbox: Sandbox,
  rounds: number,
  [method, params]: readonly [method: string, params: Record<string, unknown>],
  signal: AbortSignal,
): Promise<TreeCost> {
  const times: number[] = [];
  let bytes = 0;
  // The first round is for warming up.
  for (let round = 0; round <= rounds; round += 1) {
    const start = performance.now();
    const { result } = await sandbox.call(dom.command, { method, params }, { signal });
    if (round > 0) times.push(performance.now() - start);
    bytes = JSON.stringify(result).length;
  }
  return { times, bytes };
}
