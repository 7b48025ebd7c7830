import type { Method, ParamsIn, ResultOf } from '../../../bridge/protocol/index.ts';
import type { Peer } from '../../../bridge/rpc/index.ts';
import { fromWire } from './errors.ts';

/** A request whose errors are the node's own, as if it ran in this process. */
export async function ask<M extends Method>(
  peer: Peer,
  method: M,
  params: ParamsIn<M>,
  signal?: AbortSignal,
  onLate?: (result: ResultOf<M>) => void,
): Promise<ResultOf<M>> {
  try {
    return await peer.request(method, params, signal, onLate);
  } catch (error) {
    throw fromWire(error, signal);
  }
}
