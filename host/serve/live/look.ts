import { dom, type StatePart } from '../../../bridge/protocol/index.ts';
import { readState, type IdeState } from '../../env/index.ts';
import type { Sandbox } from '../../node/index.ts';
import type { Look } from '../page/index.ts';

/**
 * Reads without side effects: takes no observation number, so that an agent's marks stay valid while people watch.
 * @param changed parts of the state to read again
 */
export async function look(
  sandbox: Sandbox,
  { changed, before }: { readonly changed: readonly StatePart[]; readonly before: IdeState },
  signal: AbortSignal,
): Promise<Look> {
  const [seen, state] = await Promise.all([
    sandbox.call(dom.glance, {}, { signal }),
    readState((method, params) => sandbox.call(method, params, { signal }), changed, before),
  ]);
  const { width, height } = sandbox.display;
  return { sandbox: sandbox.id, width, height, seen, state };
}
